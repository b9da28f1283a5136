// SPDX-License-Identifier: Apache-2.0
// REQUANT on the Verilated lanes: parameters, then rows of accumulators through the real handshakes, one in each cycle in which
// the SRAM's banks let the unit go on, and bytes to the SRAM as they come out. The lanes stand still while nothing is in
// them. A cycle's step is made at its end, when it is known what the banks had to serve in it.
#include <cstring>
#include <deque>
#include <optional>
#include <stdexcept>

#include "port_waves.hpp"
#include "requant_unit.hpp"

namespace avocet::model {

namespace {

class RequantRtl : public sc_core::sc_module, public Process, public RequantEngine {
public:
  RequantRtl(sc_core::sc_module_name name, RequantUnit &unit, Blocks &blocks)
      : sc_module(name), Process(blocks.time, blocks.reset), unit_(unit), blocks_(blocks), columns_(blocks.config.array_columns),
        lanes_(make_verilated_requant(columns_)) {
    SC_HAS_PROCESS(RequantRtl);
    SC_THREAD(run);
  }

  void issue(const Unit::Command &command, const avocet_cmd_requant &fields) override {
    const uint64_t rows = uint64_t{fields.x_count} * fields.y_count;
    in_lanes_.push_back({fields, command.tag, rows, fields.channels + rows, time_.now()});
    feeding_ = true;
    if (blocks_.ports.banked()) use_.emplace(blocks_.ports, SramPorts::kRequant, blocks_.ports.words(fields.channels));
    unit_.launch(command, time_.now());
    wake();
    unit_.wait_until([this] { return !feeding_; });
  }

  void restart() override {
    feeding_ = false;
    use_.reset();
    in_lanes_.clear();
  }

  void show(Waves &waves) override { lanes_ = show_ports(std::move(lanes_), waves, name(), columns_); }

private:
  struct Job {
    avocet_cmd_requant fields;
    uint32_t tag;
    uint64_t rows, beats; // beats: of parameters, and rows
    uint64_t since;
    uint64_t taken = 0, stored = 0; // beats, rows
    uint64_t granted = 0;           // by the SRAM, in 1 / kFullRate of a beat
    uint64_t stalled = 0;
  };

  void run();
  void step();
  uint64_t end_of_cycle();
  void offer(const Job &job, RequantLanes::Inputs *inputs) const;
  void beat_taken(Job *job);
  void row_out(const RequantLanes::Outputs &outputs);

  RequantUnit &unit_;
  Blocks &blocks_;
  const uint64_t columns_;
  std::unique_ptr<RequantLanes> lanes_;
  std::deque<Job> in_lanes_; // oldest first; the last one is being fed while feeding_
  bool feeding_ = false;
  std::optional<SramPorts::Use> use_; // of the fed one
};

void RequantRtl::run() {
  for (;;) {
    begin();
    lanes_->reset();
    try {
      for (;;) {
        wait_until([this] { return !in_lanes_.empty(); });
        step();
      }
    } catch (const ResetSignal &) {
    }
  }
}

// One cycle.
void RequantRtl::step() {
  const uint64_t cycle = time_.now(), rate = end_of_cycle();
  RequantLanes::Inputs inputs;
  const bool feeds = feeding_ && in_lanes_.back().since <= cycle;
  if (feeds) {
    Job &job = in_lanes_.back();
    job.granted += rate;
    if (job.granted >= (job.taken + 1) * SramPorts::kFullRate) offer(job, &inputs);
  }
  const RequantLanes::Outputs outputs = lanes_->settle(inputs);
  if (feeds) {
    const bool taken = (inputs.p_valid && outputs.p_ready) || (inputs.r_valid && outputs.r_ready);
    taken ? beat_taken(&in_lanes_.back()) : void(++in_lanes_.back().stalled);
  }
  if (outputs.o_valid) row_out(outputs);
  lanes_->clock();
}

// Returns the rate of the SRAM in this cycle: others may change it as long as the cycle's time lasts.
uint64_t RequantRtl::end_of_cycle() {
  if (!blocks_.ports.banked()) {
    wait_cycles(1);
    return SramPorts::kFullRate;
  }
  const uint64_t cycle = time_.now();
  uint64_t rate = 0;
  while (time_.now() == cycle) {
    rate = use_ ? use_->rate() : 0;
    wait_cycles_or(1, blocks_.ports.changed());
  }
  return rate;
}

void RequantRtl::offer(const Job &job, RequantLanes::Inputs *inputs) const {
  const avocet_cmd_requant &c = job.fields;
  if (job.taken < c.channels) {
    inputs->p_valid = true;
    inputs->p_last = job.taken + 1 == c.channels;
    inputs->p_data = blocks_.sram.data() + c.parameters + job.taken * AVOCET_PARAMETER_BYTES;
    inputs->p_zero_point = static_cast<int16_t>(c.zero_point);
    inputs->p_clamp_min = static_cast<int16_t>(c.clamp_min);
    inputs->p_clamp_max = static_cast<int16_t>(c.clamp_max);
  } else {
    const int32_t *row = blocks_.accumulators.data() + (c.acc + job.taken - c.channels) * columns_;
    inputs->r_valid = true;
    inputs->r_last = job.taken + 1 == job.beats;
    inputs->r_data = reinterpret_cast<const uint32_t *>(row);
  }
}

void RequantRtl::beat_taken(Job *job) {
  if (++job->taken < job->beats) return;
  feeding_ = false;
  use_.reset();
  unit_.wake();
}

void RequantRtl::row_out(const RequantLanes::Outputs &outputs) {
  Job &job = in_lanes_.front();
  const avocet_cmd_requant &c = job.fields;
  const uint64_t y = job.stored / c.x_count, x = job.stored % c.x_count;
  std::memcpy(blocks_.sram.data() + c.ofm + y * c.y_stride + x * c.x_stride, outputs.o_data, c.channels);
  if (outputs.o_last != (++job.stored == job.rows)) throw std::logic_error("the RTL lost count of its rows");
  if (!outputs.o_last) return;
  unit_.count_products(c, job.tag);
  const CycleParts parts{0, job.stalled};
  in_lanes_.pop_front();
  unit_.land(nullptr, parts);
}

} // namespace

std::unique_ptr<RequantEngine> make_requant_rtl_engine(RequantUnit &unit, Blocks &blocks) {
  return std::make_unique<RequantRtl>("requant_lanes", unit, blocks);
}

} // namespace avocet::model
