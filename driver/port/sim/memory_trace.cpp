// SPDX-License-Identifier: Apache-2.0
#include "memory_trace.hpp"

#include <cerrno>
#include <cinttypes>
#include <cstring>

#include "avocet_isa.h"

namespace avocet::sim {

std::string initiator_name(uint32_t core, uint32_t unit) {
  const std::string of_core = "core" + std::to_string(core) + ".";
  return of_core + (unit == AVOCET_TRACK_SEQUENCER ? "sequencer" : "dma" + std::to_string(unit - AVOCET_UNIT_DMA0));
}

bool MemoryTrace::start(const std::string& path) {
  path_ = path;
  file_ = std::fopen(path.c_str(), "we");
  if (!file_) {
    complain(errno);
    return false;
  }
  std::fputs("cycle,initiator,address,bytes,direction\n", file_);
  enabled_.store(true, std::memory_order_release);
  return true;
}

// The address is the one that the memory sees: the context above the 32 bits of its own address space.
void MemoryTrace::access(const avocet_model_access& access) {
  std::fprintf(file_, "%" PRIu64 ",%s,0x%" PRIx64 ",%" PRIu64 ",%s\n", access.cycle, initiator_name(access.core, access.unit).c_str(),
               uint64_t{access.context} << 32 | access.address, access.bytes, access.write ? "write" : "read");
}

// The device may still be running: the stream stays open, what was recorded so far is in the file.
void MemoryTrace::finish() {
  if (enabled() && (std::fflush(file_) != 0 || std::ferror(file_))) complain(errno);
}

void MemoryTrace::complain(int error) const {
  std::fprintf(stderr, "avocet: cannot write the memory trace %s: %s\n", path_.c_str(), std::strerror(error));
}

}  // namespace avocet::sim
