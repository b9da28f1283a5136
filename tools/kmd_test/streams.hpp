// SPDX-License-Identifier: Apache-2.0
// Command streams that are legal and small, for whoever tests a driver.
#pragma once

#include <cstdint>
#include <vector>

#include "avocet_isa.h"
#include "uapi/avocet_accel.h"

namespace avocet::kmd {

using Words = std::vector<uint32_t>;

/// END alone.
inline Words empty_stream() { return {avocet_command_header(AVOCET_OP_END, AVOCET_END_WORDS, 0)}; }

/// Appends one command: `encode` is the contract's function for `command`.
template <typename Command>
void append(Words& words, uint32_t (*encode)(const Command*, uint32_t, uint32_t*), const Command& command, uint32_t tag = 0) {
  uint32_t encoded[AVOCET_COMMAND_WORDS_MAX];
  uint32_t count = encode(&command, tag, encoded);
  for (uint32_t i = 0; i < count; i++) words.push_back(encoded[i]);
}

inline avocet_cmd_dma_load load_command(uint32_t region, uint32_t offset, uint32_t sram, uint32_t bytes) {
  avocet_cmd_dma_load load{};
  load.region = region;
  load.dram = offset;
  load.sram = sram;
  load.row_bytes = bytes;
  load.count0 = load.count1 = load.count2 = 1;
  return load;
}

inline avocet_cmd_dma_store store_command(uint32_t region, uint32_t offset, uint32_t sram, uint32_t bytes) {
  avocet_cmd_dma_store store{};
  store.region = region;
  store.dram = offset;
  store.sram = sram;
  store.row_bytes = bytes;
  store.count0 = store.count1 = store.count2 = 1;
  return store;
}

/// Loads `bytes` at `offset` of `from` and stores them at the same offset of `to`; one channel, so one after the other.
inline Words copy_stream(uint32_t from, uint32_t to, uint32_t offset, uint32_t bytes, uint32_t first_tag = 0) {
  Words words;
  append(words, avocet_dma_load_encode, load_command(from, offset, 0, bytes), first_tag);
  append(words, avocet_dma_store_encode, store_command(to, offset, 0, bytes), first_tag + 1);
  words.push_back(empty_stream()[0]);
  return words;
}

/// A job that copies region 0 to region 1 (copy_stream(0, 1, 0, bytes)).
inline avocet_accel_job copy_job(uint32_t program, uint32_t from, uint32_t to, uint64_t bytes) {
  avocet_accel_job job{};
  job.program = program;
  job.region[0] = {from, AVOCET_ACCEL_REGION_READ, 0, bytes};
  job.region[1] = {to, AVOCET_ACCEL_REGION_WRITE, 0, bytes};
  return job;
}

}  // namespace avocet::kmd
