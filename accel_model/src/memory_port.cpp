// SPDX-License-Identifier: Apache-2.0
// Requests of one initiator.
#include "memory_port.hpp"

#include <algorithm>

#include "dma_plan.hpp"

namespace avocet::model {

void MemoryPort::count(const Access &access) {
  (access.write ? blocks_.dram_counters.write_bytes : blocks_.dram_counters.read_bytes) += access.bytes;
  if (!blocks_.bus.has_access_listener()) return;
  blocks_.bus.access({blocks_.time.now(), blocks_.core, initiator_, access.context, access.iova, access.bytes, access.write});
}

uint64_t MemoryPort::request(const Access &access) {
  if (blocks_.dram_banks != nullptr) return use_banks(access, blocks_.time.now());
  share_pipe(access.bytes, blocks_.memory_bandwidth);
  return blocks_.time.now() + blocks_.memory_latency;
}

void MemoryPort::share_pipe(uint64_t bytes, uint64_t limit) {
  Dram::Transfer transfer(*blocks_.dram, bytes, limit);
  while (uint64_t left = transfer.cycles_left()) owner_.wait_cycles_or(left, transfer.changed());
}

// In groups of bursts.
uint64_t MemoryPort::use_banks(const Access &access, uint64_t from) {
  const Timebase &time = blocks_.time;
  const uint64_t burst = window_.burst_bytes(), beat = blocks_.config.dma_bytes_per_cycle;
  const uint64_t context = uint64_t{access.context} << 32;
  uint64_t end = from;
  for (uint64_t at = access.iova, behind = at + access.bytes; at < behind;) {
    const uint64_t next = std::min((at / burst + window_.group_bursts()) * burst, behind);
    const uint64_t bursts = blocks_touched(at, next, burst), beats = blocks_touched(at, next, beat);
    owner_.wait_cycles(std::max(window_.room_at(bursts, time.now()), from) - time.now());
    if (access.write) {
      owner_.wait_cycles(window_.send(beats, time.now()) - time.now());
      end = blocks_.dram_banks->access(context | at, next - at, true, time.now());
      window_.taken(bursts, end);
    } else {
      end = window_.read(bursts, beats, blocks_.dram_banks->access(context | at, next - at, false, time.now()));
    }
    at = next;
  }
  return end;
}

} // namespace avocet::model
