/* SPDX-License-Identifier: Apache-2.0 */
/* Page tables and device addresses of one context. */
#include "mmu.h"

#include "avocet_isa.h"

enum { PAGE = AVOCET_PAGE_BYTES, L2_BITS = AVOCET_L1_SHIFT - AVOCET_L2_SHIFT };
#define L1_ENTRIES (1u << (32 - AVOCET_L1_SHIFT))
#define L2_ENTRIES (1u << L2_BITS)

int avocet_mmu_init(struct avocet_mmu *mmu, struct avocet_os_device *os) {
  int error;
  mmu->os = os;
  mmu->second = avocet_os_alloc(L1_ENTRIES * sizeof *mmu->second);
  if (!mmu->second) return -ENOMEM;
  error = avocet_os_memory_alloc(os, L1_ENTRIES * sizeof(uint64_t), &mmu->first);
  if (error) goto free_second;
  error = avocet_ranges_init(&mmu->free, AVOCET_IOVA_BEGIN / PAGE, AVOCET_IOVA_END / PAGE);
  if (error) goto free_first;
  return 0;

free_first:
  avocet_os_memory_free(os, &mmu->first);
free_second:
  avocet_os_free(mmu->second);
  return error;
}

void avocet_mmu_destroy(struct avocet_mmu *mmu) {
  for (uint32_t i = 0; i < L1_ENTRIES; i++) avocet_os_memory_free(mmu->os, &mmu->second[i]);
  avocet_os_memory_free(mmu->os, &mmu->first);
  avocet_os_free(mmu->second);
  avocet_ranges_destroy(&mmu->free);
}

/* The second-level entry of a page; NULL when its table does not exist. */
static uint64_t *entry_of(struct avocet_mmu *mmu, uint64_t page) {
  uint64_t *table = (uint64_t *)mmu->second[page >> L2_BITS].cpu;
  return table ? &table[page & (L2_ENTRIES - 1)] : NULL;
}

static int add_table(struct avocet_mmu *mmu, uint64_t page) {
  uint64_t index = page >> L2_BITS;
  if (mmu->second[index].cpu) return 0;
  int error = avocet_os_memory_alloc(mmu->os, L2_ENTRIES * sizeof(uint64_t), &mmu->second[index]);
  if (error) return error;
  avocet_os_store64((uint64_t *)mmu->first.cpu + index,
                    avocet_os_memory_bus(&mmu->second[index], 0) | AVOCET_PTE_VALID);
  return 0;
}

int avocet_mmu_map(struct avocet_mmu *mmu, const struct avocet_memory *memory, bool writable, uint64_t *iova) {
  uint64_t start, pages = memory->bytes / PAGE;
  int error = avocet_ranges_take(&mmu->free, pages + 1, &start);
  if (error) return error;
  for (uint64_t i = 0; i < pages; i++) {
    error = add_table(mmu, start + i);
    if (error) {
      avocet_mmu_unmap(mmu, start * PAGE, i * PAGE);
      avocet_mmu_reuse(mmu, start * PAGE, memory->bytes);
      return error;
    }
    uint64_t entry = avocet_os_memory_bus(memory, i * PAGE) | AVOCET_PTE_VALID | (writable ? AVOCET_PTE_WRITE : 0);
    avocet_os_store64(entry_of(mmu, start + i), entry);
  }
  *iova = start * PAGE;
  return 0;
}

void avocet_mmu_unmap(struct avocet_mmu *mmu, uint64_t iova, uint64_t bytes) {
  for (uint64_t page = iova / PAGE; page < (iova + bytes) / PAGE; page++) avocet_os_store64(entry_of(mmu, page), 0);
}

void avocet_mmu_reuse(struct avocet_mmu *mmu, uint64_t iova, uint64_t bytes) {
  /* Without memory for the list the addresses stay unused until the context ends. */
  (void)avocet_ranges_give(&mmu->free, iova / PAGE, bytes / PAGE + 1);
}
