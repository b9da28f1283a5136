// SPDX-License-Identifier: Apache-2.0
// The engines without RTL: functional (values alone) and timed (the closed form of mac_unit.hpp).
#include <algorithm>

#include "mac_unit.hpp"

namespace avocet::model {

namespace {

class FunctionalEngine : public MacEngine {
public:
  FunctionalEngine(MacUnit &unit, Blocks &blocks) : unit_(unit), blocks_(blocks) {}

  void issue(const Unit::Command &command, const MatmulJob &job) override {
    uint64_t now = blocks_.time.now();
    unit_.retire_at(command, now, now, [this, job] {
      matmul_values(job.fields, unit_.memory());
      unit_.count_products(job.fields);
    });
  }

private:
  MacUnit &unit_;
  Blocks &blocks_;
};

class TimedEngine : public MacEngine {
public:
  TimedEngine(MacUnit &unit, Blocks &blocks) : unit_(unit), blocks_(blocks) {}

  void issue(const Unit::Command &command, const MatmulJob &job) override {
    const uint64_t rows = blocks_.config.array_rows;
    const uint64_t now = blocks_.time.now();
    const uint64_t take = std::max(now + 1, last_pass_);
    const uint64_t first = std::max(take + rows, vectors_done_);
    unit_.wait_cycles(take - now);
    last_pass_ = first + (job.passes - 1) * std::max(job.outputs, rows);
    vectors_done_ = last_pass_ + job.outputs;
    unit_.retire_at(command, take, vectors_done_ + rows + blocks_.config.array_columns, [this, job] {
      matmul_values(job.fields, unit_.memory());
      unit_.count_products(job.fields);
    });
  }

  void restart() override { last_pass_ = vectors_done_ = 0; }

private:
  MacUnit &unit_;
  Blocks &blocks_;
  uint64_t last_pass_ = 0;    // S': the last command's last pass began
  uint64_t vectors_done_ = 0; // A': its last vector has entered
};

} // namespace

std::unique_ptr<MacEngine> make_functional_engine(MacUnit &unit, Blocks &blocks) {
  return std::make_unique<FunctionalEngine>(unit, blocks);
}

std::unique_ptr<MacEngine> make_timed_engine(MacUnit &unit, Blocks &blocks) {
  return std::make_unique<TimedEngine>(unit, blocks);
}

} // namespace avocet::model
