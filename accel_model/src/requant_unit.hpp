// SPDX-License-Identifier: Apache-2.0
// The requantisation unit behind the MAC array, one lane per column: accumulators in, bytes out.
// Cycles: `channels` to read the parameters, one per row of accumulators, and the pipeline's latency, in which the next
// command may already begin. Engine `rtl` gets values and cycles from the Verilated lanes, the others from this closed form.
#pragma once

#include <memory>

#include "requant_lanes.hpp"
#include "unit.hpp"

namespace avocet::model {

class RequantEngine;

class RequantUnit : public Unit {
public:
  RequantUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks);
  ~RequantUnit() override;

  void show(Waves &waves) override;

  // For the engine.
  using Process::wait_until;
  using Unit::land;
  using Unit::launch;
  // The rows' products are useful ones: the profile gets them.
  void count_products(const avocet_cmd_requant &c, uint32_t tag);

private:
  void execute(const Command &command) override;
  void restart() override;
  void store(const avocet_cmd_requant &c);

  const std::unique_ptr<RequantEngine> engine_; // null: the closed form
};

// The Verilated lanes as an engine.
class RequantEngine {
public:
  virtual ~RequantEngine() = default;
  // In the unit's thread: returns in the cycle in which the next command may begin.
  virtual void issue(const Unit::Command &command, const avocet_cmd_requant &fields) = 0;
  virtual void restart() = 0;
  virtual void show(Waves &waves) = 0;
};

std::unique_ptr<RequantEngine> make_requant_rtl_engine(RequantUnit &unit, Blocks &blocks);

} // namespace avocet::model
