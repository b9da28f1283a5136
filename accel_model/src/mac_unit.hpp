// SPDX-License-Identifier: Apache-2.0
// The MAC unit: MATMUL, on one of three engines behind one interface. Time (README.md has the derivation), for a command of P
// passes over M vectors on R x C PEs that was issued at cycle t, with S' and A' of the command before:
//   take  T = max(t + 1, S')     its first weights enter: not before the previous command's last tile is in use
//   first S_0 = max(T + R, A')   its first vector enters: weights complete, previous vectors all in
//   pass  S_p = S_(p-1) + max(M, R)
//   then  S' = S_(P-1), A' = S' + M, and the command ends at A' + R + C.
#pragma once

#include <memory>

#include "matmul_values.hpp"
#include "unit.hpp"

namespace avocet::model {

class MacUnit;

// A MATMUL on its way.
struct MatmulJob {
  avocet_cmd_matmul fields;
  uint64_t outputs; // M
  uint64_t passes;  // P
};

class MacEngine {
public:
  virtual ~MacEngine() = default;
  // In the unit's thread: returns in the cycle in which the command's first weights enter the array. Between launch and
  // land of the unit the command is in the array.
  virtual void issue(const Unit::Command &command, const MatmulJob &job) = 0;
  virtual void restart() {}
  // The ports of an array that has some.
  virtual void show(Waves &) {}
};

class MacUnit : public Unit {
public:
  MacUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks);
  ~MacUnit() override;

  void show(Waves &waves) override {
    Unit::show(waves);
    engine_->show(waves);
  }

  // For the engines.
  using Unit::launch;
  using Unit::land;
  using Unit::retire_at;
  using Process::wait_cycles;
  using Process::wait_until;
  MatmulMemory memory();
  // The array reads activations and weights in [from, to).
  void takes_sram(uint64_t from, uint64_t to);
  // The products that the command added, for the count of useful ones.
  void count_products(const avocet_cmd_matmul &fields);

private:
  void execute(const Command &command) override;
  void restart() override;
  void count_events(const Command &command, const MatmulJob &job);

  std::unique_ptr<MacEngine> engine_;
};

std::unique_ptr<MacEngine> make_functional_engine(MacUnit &unit, Blocks &blocks);
std::unique_ptr<MacEngine> make_timed_engine(MacUnit &unit, Blocks &blocks);
std::unique_ptr<MacEngine> make_rtl_engine(MacUnit &unit, Blocks &blocks);

} // namespace avocet::model
