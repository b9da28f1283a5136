// SPDX-License-Identifier: Apache-2.0
// The engines without RTL: functional (values alone), timed (the closed form of mac_unit.hpp) and timing (that form alone).
#include "mac_schedule.hpp"
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
  TimedEngine(MacUnit &unit, Blocks &blocks)
      : unit_(unit), blocks_(blocks), schedule_(blocks.config.array_rows, blocks.config.array_columns) {}

  void issue(const Unit::Command &command, const MatmulJob &job) override {
    const uint64_t now = blocks_.time.now(), take = schedule_.take_at(now);
    unit_.wait_cycles(take - now);
    schedule_.take(take, job.passes, job.outputs);
    unit_.takes_sram(take, schedule_.vectors_done());
    unit_.retire_at(command, take, schedule_.end(), [this, job] {
      if (blocks_.values) matmul_values(job.fields, unit_.memory());
      unit_.count_products(job.fields);
    });
  }

  void restart() override { schedule_.restart(); }

private:
  MacUnit &unit_;
  Blocks &blocks_;
  MacSchedule schedule_;
};

} // namespace

std::unique_ptr<MacEngine> make_functional_engine(MacUnit &unit, Blocks &blocks) {
  return std::make_unique<FunctionalEngine>(unit, blocks);
}

std::unique_ptr<MacEngine> make_timed_engine(MacUnit &unit, Blocks &blocks) {
  return std::make_unique<TimedEngine>(unit, blocks);
}

} // namespace avocet::model
