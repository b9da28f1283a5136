// SPDX-License-Identifier: Apache-2.0
// MATMUL commands from the queue to the engine.
#include "mac_unit.hpp"

namespace avocet::model {

namespace {

std::unique_ptr<MacEngine> make_engine(MacUnit &unit, Blocks &blocks) {
  if (blocks.config.engine == "functional") return make_functional_engine(unit, blocks);
  if (blocks.config.engine == "rtl") return make_rtl_engine(unit, blocks);
  return make_timed_engine(unit, blocks);
}

} // namespace

MacUnit::MacUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks)
    : Unit(name, id, blocks), engine_(make_engine(*this, blocks)) {}

MacUnit::~MacUnit() = default;

MatmulMemory MacUnit::memory() {
  return {blocks_.sram.data(), blocks_.accumulators.data(), static_cast<uint32_t>(blocks_.config.array_rows),
          static_cast<uint32_t>(blocks_.config.array_columns)};
}

void MacUnit::restart() {
  engine_->restart();
  blocks_.ports.restart_array();
}

void MacUnit::takes_sram(uint64_t from, uint64_t to) {
  blocks_.ports.array_takes(from, to,
                            blocks_.ports.words(blocks_.config.array_rows) + blocks_.ports.words(blocks_.config.array_columns));
}

void MacUnit::execute(const Command &command) {
  MatmulJob job{};
  avocet_matmul_decode(command.words, &job.fields);
  job.outputs = uint64_t{job.fields.x_count} * job.fields.y_count;
  job.passes = uint64_t{job.fields.kx_count} * job.fields.ky_count * divide_up(job.fields.channels, blocks_.config.array_rows);
  if (too_long(command, saturating_multiply(job.passes, job.outputs))) return;
  count_events(command, job);
  engine_->issue(command, job);
}

// Weights are read once, an input for each of its products in a column; every pass adds to the accumulators, the first of a
// command that does not accumulate only writes.
void MacUnit::count_events(const Command &command, const MatmulJob &job) {
  const avocet_cmd_matmul &c = job.fields;
  const uint64_t inputs = job.outputs * c.channels * c.kx_count * c.ky_count;
  const uint64_t row_bytes = blocks_.config.array_columns * sizeof(int32_t);
  blocks_.energy.add(command.tag, AVOCET_EVENT_SRAM_BYTE, c.weight_bytes + inputs);
  blocks_.energy.add(command.tag, AVOCET_EVENT_ACCUMULATOR_BYTE, job.outputs * row_bytes * (2 * job.passes - (c.accumulate ? 0 : 1)));
}

void MacUnit::count_products(const avocet_cmd_matmul &fields) {
  uint64_t products = uint64_t{fields.channels} * fields.kx_count * fields.ky_count;
  uint64_t outputs = uint64_t{fields.x_count} * fields.y_count;
  for (uint64_t row = fields.acc; row < fields.acc + outputs; ++row)
    blocks_.accumulated[row] = products + (fields.accumulate ? blocks_.accumulated[row] : 0);
}

} // namespace avocet::model
