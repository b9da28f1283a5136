// SPDX-License-Identifier: Apache-2.0
// IOMMU: two-level page tables in host memory behind a fully associative, least recently used TLB. Translations give host
// pointers within one page; they are never kept longer than one command.
#pragma once

#include <cstdint>
#include <vector>

#include "bus.hpp"

namespace avocet::model {

struct AddressSpace {
  uint32_t context = 0;
  uint64_t table = 0; // bus address of the first-level table
};

class Mmu {
public:
  Mmu(const Bus &bus, FaultInjector &faults, uint64_t entries) : bus_(bus), faults_(faults), entries_(entries) {}

  // Host pointer of the bytes at `iova`, which must not cross a page; or nullptr with *status = IOMMU_FAULT or BUS_ERROR.
  // Adds to *walks on a TLB miss.
  uint8_t *translate(const AddressSpace &space, uint64_t iova, uint64_t bytes, bool write, uint32_t *status,
                     uint64_t *walks);

  // Copies any number of bytes between host memory and a buffer of the device. On failure: *address is the page's IOVA.
  bool read(const AddressSpace &space, uint64_t iova, void *data, uint64_t bytes, uint32_t *status, uint64_t *address,
            uint64_t *walks);
  bool write(const AddressSpace &space, uint64_t iova, const void *data, uint64_t bytes, uint32_t *status,
             uint64_t *address, uint64_t *walks);

  static uint64_t bytes_to_page_end(uint64_t iova);

  void invalidate(uint32_t context);
  void invalidate_all();

private:
  struct Entry {
    uint64_t entry = 0; // the page table entry
    uint64_t last_use = 0; // 0 = free
    uint32_t context = 0;
    uint32_t page = 0;
  };

  bool injected(const AddressSpace &space, uint64_t iova, uint32_t *status);
  Entry *find(uint32_t context, uint32_t page);
  bool walk(uint64_t table, uint32_t page, uint64_t *entry, uint32_t *status) const;

  const Bus &bus_;
  FaultInjector &faults_;
  std::vector<Entry> entries_;
  uint64_t uses_ = 0;
};

} // namespace avocet::model
