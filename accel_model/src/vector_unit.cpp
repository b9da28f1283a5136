// SPDX-License-Identifier: Apache-2.0
// Time of the vector unit's commands; the values are in depthwise.cpp, pool.cpp and elementwise_add.cpp.
#include "vector_unit.hpp"

namespace avocet::model {

uint64_t depthwise_cycles(const avocet_cmd_depthwise &c, uint64_t lanes) {
  uint64_t taps = uint64_t{c.kernel_width} * c.kernel_height;
  uint64_t row = saturating_multiply(divide_up(uint64_t{c.x_count} * c.channels, lanes), taps);
  uint64_t rows = saturating_multiply(row, c.y_count);
  return rows == UINT64_MAX ? rows : rows + divide_up(uint64_t{c.channels} * AVOCET_PARAMETER_BYTES, lanes);
}

uint64_t pool_cycles(const avocet_cmd_pool &c, uint64_t lanes) {
  uint64_t taps = uint64_t{c.kernel_width} * c.kernel_height;
  return saturating_multiply(saturating_multiply(divide_up(uint64_t{c.x_count} * c.channels, lanes), taps), c.y_count);
}

uint64_t add_cycles(const avocet_cmd_add &c, uint64_t lanes) {
  return saturating_multiply(2 * divide_up(c.row_bytes, lanes), c.y_count);
}

void VectorUnit::execute(const Command &command) {
  switch (command.opcode) {
  case AVOCET_OP_DEPTHWISE: return depthwise(command);
  case AVOCET_OP_POOL: return pool(command);
  case AVOCET_OP_ADD: return add(command);
  default: return fail(command, AVOCET_STATUS_ILLEGAL_OPCODE, 0);
  }
}

void VectorUnit::spend(const Command &command, uint64_t cycles, std::function<void()> effect) {
  if (too_long(command, cycles)) return;
  uint64_t start = time_.now();
  uint64_t latency = 0;
  if (blocks_.timed) {
    wait_cycles(cycles);
    latency = kVectorLatency;
  }
  retire_at(command, start, time_.now() + latency, std::move(effect));
}

void VectorUnit::depthwise(const Command &command) {
  avocet_cmd_depthwise c;
  avocet_depthwise_decode(command.words, &c);
  spend(command, depthwise_cycles(c, blocks_.config.vector_lanes), [this, c, tag = command.tag] {
    depthwise_values(c, blocks_.sram.data());
    blocks_.job.counters(tag).macs +=
        uint64_t{c.x_count} * c.y_count * c.channels * c.kernel_width * c.kernel_height;
  });
}

void VectorUnit::pool(const Command &command) {
  avocet_cmd_pool c;
  avocet_pool_decode(command.words, &c);
  spend(command, pool_cycles(c, blocks_.config.vector_lanes), [this, c] { pool_values(c, blocks_.sram.data()); });
}

void VectorUnit::add(const Command &command) {
  avocet_cmd_add c;
  avocet_add_decode(command.words, &c);
  spend(command, add_cycles(c, blocks_.config.vector_lanes), [this, c] { add_values(c, blocks_.sram.data()); });
}

} // namespace avocet::model
