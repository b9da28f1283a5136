// SPDX-License-Identifier: Apache-2.0
// The vector unit's commands: decode, take the time, change the SRAM.
#include "vector_unit.hpp"

#include "avocet_stream.h"
#include "vector_cycles.hpp"

namespace avocet::model {

void VectorUnit::execute(const Command &command) {
  uint8_t *const sram = blocks_.values ? blocks_.sram.data() : nullptr;
  const uint64_t lanes = blocks_.config.vector_lanes;
  switch (command.opcode) {
  case AVOCET_OP_DEPTHWISE: return depthwise(command);
#define AVOCET_VECTOR_COMMAND(NAME, name)                                                                              \
  case AVOCET_OP_##NAME: {                                                                                             \
    avocet_cmd_##name c;                                                                                               \
    avocet_##name##_decode(command.words, &c);                                                                         \
    return spend(command, name##_cycles(c, lanes), [c, sram] {                                                         \
      if (sram != nullptr) name##_values(c, sram);                                                                     \
    });                                                                                                                \
  }
    AVOCET_VECTOR_COMMAND(POOL, pool)
    AVOCET_VECTOR_COMMAND(ADD, add)
    AVOCET_VECTOR_COMMAND(BINARY, binary)
    AVOCET_VECTOR_COMMAND(TABLE, table)
    AVOCET_VECTOR_COMMAND(REDUCE, reduce)
    AVOCET_VECTOR_COMMAND(ARG_REDUCE, arg_reduce)
    AVOCET_VECTOR_COMMAND(SOFTMAX, softmax)
    AVOCET_VECTOR_COMMAND(RESIZE, resize)
    AVOCET_VECTOR_COMMAND(L2_NORMALISE, l2_normalise)
#undef AVOCET_VECTOR_COMMAND
  default: return fail(command, AVOCET_STATUS_ILLEGAL_OPCODE, 0);
  }
}

void VectorUnit::spend(const Command &command, uint64_t cycles, std::function<void()> effect) {
  if (too_long(command, cycles)) return;
  count_events(command, cycles);
  uint64_t start = time_.now();
  uint64_t latency = 0;
  CycleParts parts;
  if (blocks_.timed) {
    parts.sram = take_cycles(cycles, SramPorts::kVector, blocks_.ports.words(blocks_.config.vector_lanes));
    latency = kVectorLatency;
  }
  retire_at(command, start, time_.now() + latency, std::move(effect), parts);
}

// Each lane reads a byte in each cycle; what a command writes is in the contract's rows.
void VectorUnit::count_events(const Command &command, uint64_t cycles) {
  const uint64_t operations = cycles * blocks_.config.vector_lanes;
  uint64_t written = 0;
  avocet_access accesses[AVOCET_ACCESSES_MAX];
  const uint32_t count = avocet_command_accesses(command.words, accesses);
  for (uint32_t i = 0; i < count; ++i)
    if (accesses[i].mode == AVOCET_MODE_WRITE) written += accesses[i].volume;
  blocks_.energy.add(command.tag, AVOCET_EVENT_VECTOR, operations);
  blocks_.energy.add(command.tag, AVOCET_EVENT_SRAM_BYTE, operations + written);
}

void VectorUnit::depthwise(const Command &command) {
  avocet_cmd_depthwise c;
  avocet_depthwise_decode(command.words, &c);
  spend(command, depthwise_cycles(c, blocks_.config.vector_lanes), [this, c, tag = command.tag] {
    if (blocks_.values) depthwise_values(c, blocks_.sram.data());
    blocks_.job.counters(tag).macs +=
        uint64_t{c.x_count} * c.y_count * c.channels * c.kernel_width * c.kernel_height;
  });
}

} // namespace avocet::model
