// SPDX-License-Identifier: Apache-2.0
// REQUANT.
#include "requant_unit.hpp"

#include "requantise_rows.hpp"

namespace avocet::model {

RequantUnit::RequantUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks)
    : Unit(name, id, blocks), engine_(blocks.config.engine == "rtl" ? make_requant_rtl_engine(*this, blocks) : nullptr) {}

RequantUnit::~RequantUnit() = default;

void RequantUnit::show(Waves &waves) {
  Unit::show(waves);
  if (engine_) engine_->show(waves);
}

void RequantUnit::restart() {
  if (engine_) engine_->restart();
}

void RequantUnit::execute(const Command &command) {
  avocet_cmd_requant c;
  avocet_requant_decode(command.words, &c);
  uint64_t start = time_.now();
  uint64_t rows = uint64_t{c.x_count} * c.y_count;
  if (too_long(command, rows)) return;
  blocks_.energy.add(command.tag, AVOCET_EVENT_REQUANT, rows * c.channels);
  blocks_.energy.add(command.tag, AVOCET_EVENT_SRAM_BYTE, uint64_t{c.channels} * AVOCET_PARAMETER_BYTES + rows * c.channels);
  blocks_.energy.add(command.tag, AVOCET_EVENT_ACCUMULATOR_BYTE, rows * c.channels * sizeof(int32_t));
  if (engine_) return engine_->issue(command, c);
  uint64_t latency = 0;
  CycleParts parts;
  if (blocks_.timed) {
    parts.sram = take_cycles(c.channels + rows, SramPorts::kRequant, blocks_.ports.words(c.channels));
    latency = kRequantLatency;
  }
  retire_at(command, start, time_.now() + latency, [this, c, tag = command.tag] {
    if (blocks_.values) store(c);
    count_products(c, tag);
  }, parts);
}

void RequantUnit::store(const avocet_cmd_requant &c) {
  const RowRequantiser requantise(blocks_.sram.data() + c.parameters, c.channels, c.zero_point, c.clamp_min, c.clamp_max);
  const uint64_t columns = blocks_.config.array_columns;
  uint64_t row = c.acc;
  for (uint64_t y = 0; y < c.y_count; ++y)
    for (uint64_t x = 0; x < c.x_count; ++x, ++row)
      requantise(blocks_.accumulators.data() + row * columns, blocks_.sram.data() + c.ofm + y * c.y_stride + x * c.x_stride);
}

// The useful ones: only now the columns are known.
void RequantUnit::count_products(const avocet_cmd_requant &c, uint32_t tag) {
  uint64_t products = 0;
  const uint64_t end = c.acc + uint64_t{c.x_count} * c.y_count;
  for (uint64_t row = c.acc; row < end; ++row) {
    products += blocks_.accumulated[row];
    blocks_.accumulated[row] = 0;
  }
  blocks_.job.counters(tag).macs += products * c.channels;
  blocks_.energy.add(tag, AVOCET_EVENT_MAC, products * c.channels);
}

} // namespace avocet::model
