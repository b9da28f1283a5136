// SPDX-License-Identifier: Apache-2.0
// What the commands mean, as plain loops straight from the contract's sentences, in stream order and without time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "avocet_isa.h"

namespace avocet::test {

class Reference {
public:
  Reference(uint32_t array_rows, uint32_t array_columns, uint32_t accumulator_rows, uint32_t sram_bytes)
      : rows_(array_rows), columns_(array_columns), sram(sram_bytes), accumulators(uint64_t{accumulator_rows} * array_columns) {}

  // Executes a whole legal stream.
  void run(const std::vector<uint32_t> &stream);

private:
  uint32_t rows_, columns_;

  void execute(const avocet_cmd_dma_load &c);
  void execute(const avocet_cmd_dma_store &c);
  void execute(const avocet_cmd_dma_fill &c);
  void execute(const avocet_cmd_matmul &c);
  void execute(const avocet_cmd_requant &c);
  void execute(const avocet_cmd_depthwise &c);
  void execute(const avocet_cmd_pool &c);
  void execute(const avocet_cmd_add &c);
  void execute(const avocet_cmd_binary &c);
  void execute(const avocet_cmd_table &c);
  void execute(const avocet_cmd_reduce &c);
  void execute(const avocet_cmd_arg_reduce &c);
  void execute(const avocet_cmd_softmax &c);
  void execute(const avocet_cmd_resize &c);
  void execute(const avocet_cmd_l2_normalise &c);
  void execute(const avocet_cmd_end &) {}
  void execute(const avocet_cmd_wait &) {}
  void execute(const avocet_cmd_barrier &) {}
  int32_t activation(uint64_t address, bool is_unsigned) const;
  int32_t element(uint64_t row, uint64_t i, bool scalar, bool is_unsigned) const {
    return activation(scalar ? row : row + i, is_unsigned);
  }
  void store(uint64_t address, int64_t value, int32_t clamp_min, int32_t clamp_max);
  uint8_t requantised(int32_t sum, uint64_t parameters, int32_t zero_point, int32_t clamp_min, int32_t clamp_max) const;

public:
  std::vector<uint8_t> sram;
  std::vector<int32_t> accumulators;
  std::array<std::vector<uint8_t>, AVOCET_REGIONS> regions;
};

} // namespace avocet::test
