// SPDX-License-Identifier: Apache-2.0
// Executes command streams on plain arrays, straight from the words of the contract. Commands are atomic; their order
// is the stream's, or any other that queues and WAITs allow: a stream that lacks a WAIT gives other results in some of
// them.
#pragma once

#include <avocet/compiler/compiler.hpp>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "avocet_stream.h"

namespace avocet::compiler::test {

class StreamInterpreter {
 public:
  /// Memory begins as garbage that depends on the seed, so that reading what nobody wrote shows.
  StreamInterpreter(const Program& program, const DeviceConfig& device, uint64_t seed);

  void set_input(size_t index, std::span<const uint8_t> bytes);
  std::vector<uint8_t> output(size_t index) const;

  void run_in_order();
  /// Every unit executes the commands of its own queue in order; which unit is next is drawn from the seed, with a bias
  /// that changes now and then, so that some units run far ahead while others starve. False: no unit could go on.
  bool run_out_of_order(uint64_t seed);

 private:
  /// A core's scratchpad and accumulators, while another one's are in use; and what is left of its stream.
  struct Core {
    std::vector<uint8_t> sram;
    std::vector<int32_t> accumulators;
    const uint32_t* begin = nullptr;
    std::deque<const uint32_t*> queues[AVOCET_UNIT_COUNT];
    uint32_t completed[AVOCET_UNIT_COUNT] = {};
    size_t left = 0;
    uint32_t arrived = 0;  // BARRIERs that it has come to
    bool waits = false;    // at the last of them
  };
  /// Makes this core's memory the one in use, and back.
  void swap_memory(Core& core);
  bool all_arrived(uint32_t number) const;
  bool try_head(Core& core, uint32_t unit);

  void execute(const uint32_t* words);
  void dma_copy(const uint32_t* words, bool is_store);
  void dma_fill(const uint32_t* words);
  void matmul(const uint32_t* words);
  void requant(const uint32_t* words);
  void depthwise(const uint32_t* words);
  void pool(const uint32_t* words);
  void add(const uint32_t* words);
  void binary(const uint32_t* words);
  void table(const uint32_t* words);
  void reduce(const uint32_t* words);
  void arg_reduce(const uint32_t* words);
  void softmax(const uint32_t* words);
  void resize(const uint32_t* words);
  void l2_normalise(const uint32_t* words);
  /// Stored value at an SRAM address.
  int32_t value_at(uint64_t address, bool is_unsigned) const;

  const Program& program_;
  const DeviceConfig device_;
  std::vector<Core> cores_;
  std::vector<uint8_t> sram_;
  std::vector<int32_t> accumulators_;
  std::vector<uint8_t> regions_[AVOCET_REGIONS];
};

/// Whether two commands touch a byte, at least one of them writing, without the WAITs between them putting one before
/// the other. Returns the word position of the first command that races, or -1.
int64_t find_race(const Program& program);

}  // namespace avocet::compiler::test
