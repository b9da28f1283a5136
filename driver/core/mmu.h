/* SPDX-License-Identifier: Apache-2.0 */
/* One address space of the device's IOMMU: the contract's two-level page table, and which device addresses are free. A free page
 * lies between any two mappings, so that running over the end of one faults. */
#ifndef AVOCET_MMU_H
#define AVOCET_MMU_H

#include "os.h"
#include "range.h"

/* Device addresses given out. The first 64 KiB stay unmapped: small offsets used as addresses fault. */
#define AVOCET_IOVA_BEGIN 0x10000ull
#define AVOCET_IOVA_END 0xFFFFF000ull

struct avocet_mmu {
  struct avocet_os_device *os;
  struct avocet_memory first;   /* first-level table */
  struct avocet_memory *second; /* one per first-level entry; cpu is NULL while not needed */
  struct avocet_ranges free;    /* in pages */
};

/* The caller serialises map and unmap. */
int avocet_mmu_init(struct avocet_mmu *mmu, struct avocet_os_device *os);
void avocet_mmu_destroy(struct avocet_mmu *mmu);
/* -ENOSPC or -ENOMEM; nothing is left mapped then. */
int avocet_mmu_map(struct avocet_mmu *mmu, const struct avocet_memory *memory, bool writable, uint64_t *iova);
/* Takes the entries out. The device may still use cached ones until its TLB is invalidated; only then call
 * avocet_mmu_reuse and free the memory. */
void avocet_mmu_unmap(struct avocet_mmu *mmu, uint64_t iova, uint64_t bytes);
void avocet_mmu_reuse(struct avocet_mmu *mmu, uint64_t iova, uint64_t bytes);
static inline uint64_t avocet_mmu_table(const struct avocet_mmu *mmu) { return avocet_os_memory_bus(&mmu->first, 0); }

#endif
