// SPDX-License-Identifier: Apache-2.0
// Page walks and the TLB.
#include "mmu.hpp"

#include <algorithm>
#include <cstring>

#include "avocet_isa.h"

namespace avocet::model {

namespace {

constexpr uint64_t kFlags = AVOCET_PAGE_BYTES - 1;

} // namespace

// The entry of the page, or the one to replace (last_use tells: 0 or another page).
Mmu::Entry *Mmu::find(uint32_t context, uint32_t page) {
  Entry *oldest = &entries_.front();
  for (Entry &entry : entries_) {
    if (entry.last_use != 0 && entry.page == page && entry.context == context) return &entry;
    if (entry.last_use < oldest->last_use) oldest = &entry;
  }
  return oldest;
}

bool Mmu::walk(uint64_t table, uint32_t page, uint64_t *entry, uint32_t *status) const {
  constexpr uint32_t kSecondBits = AVOCET_L1_SHIFT - AVOCET_L2_SHIFT;
  uint64_t first = 0;
  *status = AVOCET_STATUS_BUS_ERROR;
  if (!bus_.read(table + (page >> kSecondBits) * 8, &first, 8)) return false;
  *status = AVOCET_STATUS_IOMMU_FAULT;
  if ((first & AVOCET_PTE_VALID) == 0) return false;
  *status = AVOCET_STATUS_BUS_ERROR;
  if (!bus_.read((first & ~kFlags) + (page & ((1u << kSecondBits) - 1)) * 8, entry, 8)) return false;
  *status = AVOCET_STATUS_IOMMU_FAULT;
  return (*entry & AVOCET_PTE_VALID) != 0;
}

uint64_t Mmu::bytes_to_page_end(uint64_t iova) { return AVOCET_PAGE_BYTES - (iova & kFlags); }

// A fault that was ordered for this access.
bool Mmu::injected(const AddressSpace &space, uint64_t iova, uint32_t *status) {
  const FaultScene scene{.context = space.context, .iova = iova};
  if (faults_.strikes(FaultKind::kIommuFault, scene))
    *status = AVOCET_STATUS_IOMMU_FAULT;
  else if (faults_.strikes(FaultKind::kBusError, scene))
    *status = AVOCET_STATUS_BUS_ERROR;
  else
    return false;
  return true;
}

uint8_t *Mmu::translate(const AddressSpace &space, uint64_t iova, uint64_t bytes, bool write, uint32_t *status,
                        uint64_t *walks) {
  *status = AVOCET_STATUS_IOMMU_FAULT;
  if (iova > UINT32_MAX) return nullptr;
  if (faults_.armed() && injected(space, iova, status)) return nullptr;
  uint32_t page = static_cast<uint32_t>(iova >> AVOCET_L2_SHIFT);
  Entry *entry = find(space.context, page);
  if (entry->last_use == 0 || entry->page != page || entry->context != space.context) {
    ++*walks;
    uint64_t found = 0;
    if (!walk(space.table, page, &found, status)) return nullptr;
    *entry = {found, 0, space.context, page};
  }
  entry->last_use = ++uses_;
  if (write && (entry->entry & AVOCET_PTE_WRITE) == 0) return nullptr;
  uint8_t *host = bus_.translate((entry->entry & ~kFlags) + (iova & kFlags), bytes, write);
  *status = host != nullptr ? AVOCET_STATUS_OK : AVOCET_STATUS_BUS_ERROR;
  return host;
}

bool Mmu::read(const AddressSpace &space, uint64_t iova, void *data, uint64_t bytes, uint32_t *status, uint64_t *address,
               uint64_t *walks) {
  auto *to = static_cast<uint8_t *>(data);
  while (bytes > 0) {
    uint64_t part = std::min(bytes, bytes_to_page_end(iova));
    const uint8_t *from = translate(space, iova, part, false, status, walks);
    *address = iova;
    if (from == nullptr) return false;
    std::memcpy(to, from, part);
    to += part;
    iova += part;
    bytes -= part;
  }
  return true;
}

bool Mmu::write(const AddressSpace &space, uint64_t iova, const void *data, uint64_t bytes, uint32_t *status,
                uint64_t *address, uint64_t *walks) {
  const auto *from = static_cast<const uint8_t *>(data);
  while (bytes > 0) {
    uint64_t part = std::min(bytes, bytes_to_page_end(iova));
    uint8_t *to = translate(space, iova, part, true, status, walks);
    *address = iova;
    if (to == nullptr) return false;
    std::memcpy(to, from, part);
    from += part;
    iova += part;
    bytes -= part;
  }
  return true;
}

void Mmu::invalidate(uint32_t context) {
  for (Entry &entry : entries_)
    if (entry.context == context) entry.last_use = 0;
}

void Mmu::invalidate_all() {
  for (Entry &entry : entries_) entry.last_use = 0;
}

} // namespace avocet::model
