// SPDX-License-Identifier: Apache-2.0
// The vector unit: one command at a time on `vector_lanes` int8 lanes. Times are in vector_cycles.hpp.
#pragma once

#include "unit.hpp"

namespace avocet::model {

// What a command does to the SRAM; each in the file of its family.
void depthwise_values(const avocet_cmd_depthwise &c, uint8_t *sram);
void pool_values(const avocet_cmd_pool &c, uint8_t *sram);
void add_values(const avocet_cmd_add &c, uint8_t *sram);
void binary_values(const avocet_cmd_binary &c, uint8_t *sram);
void table_values(const avocet_cmd_table &c, uint8_t *sram);
void reduce_values(const avocet_cmd_reduce &c, uint8_t *sram);
void arg_reduce_values(const avocet_cmd_arg_reduce &c, uint8_t *sram);
void softmax_values(const avocet_cmd_softmax &c, uint8_t *sram);
void resize_values(const avocet_cmd_resize &c, uint8_t *sram);
void l2_normalise_values(const avocet_cmd_l2_normalise &c, uint8_t *sram);

class VectorUnit : public Unit {
public:
  VectorUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks) : Unit(name, id, blocks) {}

private:
  void execute(const Command &command) override;
  void depthwise(const Command &command);
  void count_events(const Command &command, uint64_t cycles);
  void spend(const Command &command, uint64_t cycles, std::function<void()> effect);
};

} // namespace avocet::model
