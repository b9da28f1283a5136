// SPDX-License-Identifier: Apache-2.0
// The engine on the Verilated array: feeds weights and activations through the real handshakes, cycle by cycle, and sums up what
// comes out. A command is taken in the cycle in which the array accepts its first weights, which is what the closed form
// of mac_unit.hpp predicts.
#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

#include "mac_array.hpp"
#include "mac_schedule.hpp"
#include "mac_unit.hpp"
#include "port_waves.hpp"

namespace avocet::model {

namespace {

class RtlEngine : public sc_core::sc_module, public Process, public MacEngine {
public:
  RtlEngine(sc_core::sc_module_name name, MacUnit &unit, Blocks &blocks)
      : sc_module(name), Process(blocks.time, blocks.reset), unit_(unit), blocks_(blocks), rows_(blocks.config.array_rows),
        columns_(blocks.config.array_columns), array_(make_verilated_array(rows_)), vector_(rows_),
        schedule_(rows_, columns_) {
    SC_HAS_PROCESS(RtlEngine);
    SC_THREAD(run);
  }

  void issue(const Unit::Command &command, const MatmulJob &job) override {
    slot_ = {command, job, time_.now()};
    slot_full_ = true;
    wake();
    unit_.wait_until([this] { return !slot_full_; });
  }

  void restart() override {
    slot_full_ = false;
    schedule_.restart();
  }

  void show(Waves &waves) override { array_ = show_ports(std::move(array_), waves, name(), rows_, columns_); }

private:
  struct Slot {
    Unit::Command command;
    MatmulJob job;
    uint64_t since;
  };

  // Place of a feeder, or of the outputs, in the passes of one command.
  struct Cursor {
    size_t command = 0; // index in in_array_
    uint64_t pass = 0;
    uint64_t step = 0; // weight row, or vector
  };

  void run();
  void step();
  bool has_weights() const;
  const MatmulJob &weights_job() const;
  const uint8_t *weight_row() const;
  const uint8_t *activations();
  void weights_accepted();
  void activations_accepted();
  void output(const MacArray::Outputs &outputs);
  bool advance(Cursor *cursor, uint64_t steps, uint64_t passes);

  MacUnit &unit_;
  Blocks &blocks_;
  const uint64_t rows_, columns_;
  std::unique_ptr<MacArray> array_;
  std::vector<uint8_t> vector_;
  MacSchedule schedule_;
  Slot slot_{};
  bool slot_full_ = false;
  std::deque<MatmulJob> in_array_; // oldest first
  Cursor weights_, activations_, outputs_;
  bool landed_ = false;
};

void RtlEngine::run() {
  for (;;) {
    begin();
    in_array_.clear();
    weights_ = activations_ = outputs_ = {};
    array_->reset();
    try {
      for (;;) {
        wait_until([this] { return slot_full_ || !in_array_.empty(); });
        step();
      }
    } catch (const ResetSignal &) {
    }
  }
}

// One cycle.
void RtlEngine::step() {
  MacArray::Inputs inputs;
  inputs.w_valid = has_weights();
  if (inputs.w_valid) {
    inputs.w_data = weight_row();
    inputs.w_zero_point = static_cast<int8_t>(weights_job().fields.weight_zero_point);
  }
  inputs.a_valid = activations_.command < in_array_.size();
  if (inputs.a_valid) {
    inputs.a_data = activations();
    inputs.a_first = activations_.step == 0;
    inputs.a_last = activations_.step + 1 == in_array_[activations_.command].outputs;
  }
  MacArray::Outputs outputs = array_->settle(inputs);
  if (inputs.a_valid && outputs.a_ready) activations_accepted();
  if (inputs.w_valid && outputs.w_ready) weights_accepted();
  if (outputs.o_valid) output(outputs);
  array_->clock();
  wait_cycles(1);
  if (!landed_) return;
  landed_ = false;
  unit_.land(nullptr);
}

// The command whose weights are next may still be in the slot, from the cycle after it got there.
bool RtlEngine::has_weights() const {
  return weights_.command < in_array_.size() || (slot_full_ && slot_.since < time_.now());
}

const MatmulJob &RtlEngine::weights_job() const {
  return weights_.command < in_array_.size() ? in_array_[weights_.command] : slot_.job;
}

const uint8_t *RtlEngine::weight_row() const {
  return blocks_.sram.data() + weights_job().fields.weights + (weights_.pass * rows_ + weights_.step) * columns_;
}

// Bytes beyond the channels enter as zero, after the subtraction of 128.
const uint8_t *RtlEngine::activations() {
  const avocet_cmd_matmul &c = in_array_[activations_.command].fields;
  const uint64_t blocks = divide_up(c.channels, rows_);
  const uint64_t position = activations_.pass / blocks, first = activations_.pass % blocks * rows_;
  const uint8_t *from =
      blocks_.sram.data() + matmul_row_of(c, activations_.step) + matmul_position_offset(c, position) + first;
  const uint64_t present = std::min<uint64_t>(rows_, c.channels - first);
  for (uint64_t row = 0; row < rows_; ++row)
    vector_[row] = row < present ? static_cast<uint8_t>(from[row] ^ (c.input_unsigned ? 0x80 : 0)) : 0;
  return vector_.data();
}

// True when the cursor left the command.
bool RtlEngine::advance(Cursor *cursor, uint64_t steps, uint64_t passes) {
  if (++cursor->step < steps) return false;
  cursor->step = 0;
  if (++cursor->pass < passes) return false;
  cursor->pass = 0;
  ++cursor->command;
  return true;
}

void RtlEngine::weights_accepted() {
  if (weights_.command == in_array_.size()) {
    in_array_.push_back(slot_.job);
    unit_.launch(slot_.command, time_.now());
    // The RTL keeps the closed form's times, which say beforehand how long it will read.
    schedule_.take(time_.now(), slot_.job.passes, slot_.job.outputs);
    unit_.takes_sram(time_.now(), schedule_.vectors_done());
    slot_full_ = false;
    unit_.wake();
  }
  advance(&weights_, rows_, in_array_[weights_.command].passes);
}

void RtlEngine::activations_accepted() {
  const MatmulJob &job = in_array_[activations_.command];
  advance(&activations_, job.outputs, job.passes);
}

void RtlEngine::output(const MacArray::Outputs &outputs) {
  const MatmulJob &job = in_array_.front();
  if (outputs.o_last != (outputs_.step + 1 == job.outputs)) throw std::logic_error("the RTL lost count of its vectors");
  auto *sums = reinterpret_cast<uint32_t *>(blocks_.accumulators.data()) + (job.fields.acc + outputs_.step) * columns_;
  const bool overwrite = outputs_.pass == 0 && !job.fields.accumulate;
  for (uint64_t column = 0; column < columns_; ++column)
    sums[column] = outputs.o_data[column] + (overwrite ? 0 : sums[column]);
  if (!advance(&outputs_, job.outputs, job.passes)) return;
  unit_.count_products(job.fields);
  in_array_.pop_front();
  --outputs_.command;
  --activations_.command;
  --weights_.command;
  landed_ = true;
}

} // namespace

std::unique_ptr<MacEngine> make_rtl_engine(MacUnit &unit, Blocks &blocks) {
  return std::make_unique<RtlEngine>("mac_array", unit, blocks);
}

} // namespace avocet::model
