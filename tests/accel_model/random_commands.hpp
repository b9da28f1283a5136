// SPDX-License-Identifier: Apache-2.0
// Random legal commands. The SRAM is split in two: commands read the lower part, which DMA fills with random bytes, and write the
// upper part, so they never disturb each other's input.
#pragma once

#include <cstdint>
#include <random>
#include <span>

#include "avocet_isa.h"

namespace avocet::test {

struct Hardware {
  uint32_t array_rows, array_columns, accumulator_rows, sram_bytes, dma_channels;
};

class RandomCommands {
public:
  RandomCommands(const Hardware &hardware, uint32_t seed) : hardware_(hardware), random_(seed) {}

  // [low, high]
  uint32_t number(uint32_t low, uint32_t high) { return std::uniform_int_distribution<uint32_t>(low, high)(random_); }
  int32_t signed_number(int32_t low, int32_t high) { return std::uniform_int_distribution<int32_t>(low, high)(random_); }
  void fill(std::span<uint8_t> bytes);

  // Bytes that commands read: [0, input_bytes). At their head are parameter records, then tables of exponentials.
  uint32_t input_bytes() const { return hardware_.sram_bytes / 2; }
  uint32_t parameter_records() const { return 512; }
  // Random input with legal parameter records and exponentials at its head.
  void fill_input(std::span<uint8_t> input);

  avocet_cmd_matmul matmul();
  // Stores what the MATMUL summed.
  avocet_cmd_requant requant(const avocet_cmd_matmul &c);
  avocet_cmd_depthwise depthwise();
  avocet_cmd_pool pool();
  avocet_cmd_add add();
  avocet_cmd_binary binary();
  avocet_cmd_table table();
  avocet_cmd_reduce reduce();
  avocet_cmd_arg_reduce arg_reduce();
  avocet_cmd_softmax softmax();
  avocet_cmd_resize resize();
  avocet_cmd_l2_normalise l2_normalise();
  avocet_cmd_dma_fill dma_fill();
  avocet_cmd_dma_load dma_load(uint32_t region, uint32_t region_bytes);
  avocet_cmd_dma_store dma_store(uint32_t region, uint32_t region_bytes);

private:
  static constexpr uint32_t kExponentialTables = 4;
  uint32_t exponentials() const { return 12 * parameter_records(); }

  // The address of `bytes` bytes in the input part behind its head, or in the output part.
  uint32_t input(uint64_t bytes);
  uint32_t output(uint64_t bytes);
  uint32_t parameters(uint32_t channels) { return 12 * number(0, parameter_records() - channels); }
  void random_clamp(int32_t *low, int32_t *high);
  // Strides of y_count rows of x_count elements: rows after each other, side by side, or with gaps.
  template <typename C> void random_rows(C *c);

  Hardware hardware_;
  std::mt19937 random_;
};

} // namespace avocet::test
