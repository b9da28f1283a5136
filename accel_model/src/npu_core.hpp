// SPDX-License-Identifier: Apache-2.0
// One NPU core: a sequencer, its units, their scratchpad. Cores share memory, IOMMU, registers and the management core.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "blocks.hpp"
#include "sequencer.hpp"
#include "unit.hpp"

namespace avocet::model {

class NpuCore : public sc_core::sc_module {
public:
  // `job_ended` runs when a job is over and the core's registers are set.
  NpuCore(sc_core::sc_module_name name, SharedBlocks &shared, uint32_t number, std::function<void()> job_ended);

  Blocks &blocks() { return blocks_; }
  const Blocks &blocks() const { return blocks_; }
  Sequencer &sequencer() { return *sequencer_; }
  void power_on();
  // SEQ_CONTROL.RESET: this core alone begins anew.
  void reset();
  // Adds the core's signals to the dump.
  void show(Waves &waves);
  // The cycle before which it is known what the units did.
  uint64_t settle();

private:
  void unit_changed();

  Blocks blocks_;
  std::vector<std::unique_ptr<Unit>> owned_units_;
  std::array<Unit *, AVOCET_UNIT_COUNT> units_{};
  std::unique_ptr<Sequencer> sequencer_;
};

} // namespace avocet::model
