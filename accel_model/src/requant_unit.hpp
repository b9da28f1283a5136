// SPDX-License-Identifier: Apache-2.0
// The requantisation unit behind the MAC array, one lane per column: accumulators in, bytes out.
// Cycles: `channels` to read the parameters, one per row of accumulators, and the pipeline's latency, in which the next
// command may already begin.
#pragma once

#include "unit.hpp"

namespace avocet::model {

constexpr uint64_t kRequantLatency = 8;

class RequantUnit : public Unit {
public:
  RequantUnit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks) : Unit(name, id, blocks) {}

private:
  void execute(const Command &command) override;
  void store(const avocet_cmd_requant &c, uint32_t tag);
};

} // namespace avocet::model
