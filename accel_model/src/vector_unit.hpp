// SPDX-License-Identifier: Apache-2.0
// The vector unit: DEPTHWISE, POOL, ADD, with `lanes` int8 lanes. The cycle formulas are the functions below.
#pragma once

#include "unit.hpp"

namespace avocet::model {

constexpr uint64_t kVectorLatency = 8; // pipeline depth; the next command may begin meanwhile

// A tap takes one cycle per group of `lanes` outputs of a row; the parameters arrive at `lanes` bytes per cycle.
uint64_t depthwise_cycles(const avocet_cmd_depthwise &c, uint64_t lanes);
uint64_t pool_cycles(const avocet_cmd_pool &c, uint64_t lanes);
// Two operands take two cycles per group of `lanes` elements.
uint64_t add_cycles(const avocet_cmd_add &c, uint64_t lanes);

void depthwise_values(const avocet_cmd_depthwise &c, uint8_t *sram);
void pool_values(const avocet_cmd_pool &c, uint8_t *sram);
void add_values(const avocet_cmd_add &c, uint8_t *sram);

class VectorUnit : public Unit {
public:
  VectorUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks) : Unit(name, id, blocks) {}

private:
  void execute(const Command &command) override;
  void depthwise(const Command &command);
  void pool(const Command &command);
  void add(const Command &command);
  void spend(const Command &command, uint64_t cycles, std::function<void()> effect);
};

} // namespace avocet::model
