// SPDX-License-Identifier: Apache-2.0
// What the dump shows of a unit. busy, state, command and layer are the accounts': told when a command has ended, exact to the
// cycle, so that the time in each state is the unit's counter of that kind. (Within a command the kinds stand one behind the other:
// the account knows how many cycles it waited, not which.) The rest is told as it happens.
#pragma once

#include <string>

#include "avocet_model.h"
#include "waves.hpp"

namespace avocet::model {

struct UnitWaves {
  Wave busy, state, command, layer;
  Wave queue;     // commands in the unit's queue
  Wave completed; // tokens: what a WAIT compares with

  void declare(Waves &waves, const std::string &scope) {
    busy = waves.number(scope, "busy", 1);
    state = waves.word(scope, "state", avocet_model_cycle_name(AVOCET_CYCLE_IDLE));
    command = waves.word(scope, "command", "-");
    layer = waves.number(scope, "layer", 16);
    queue = waves.number(scope, "queue", 5);
    completed = waves.number(scope, "completed", 32);
  }

  // From this cycle on.
  void is(uint64_t cycle, avocet_model_cycle kind) const {
    busy.set_at(cycle, kind == AVOCET_CYCLE_BUSY);
    state.set_at(cycle, avocet_model_cycle_name(kind));
  }
  void ran(uint64_t from, uint64_t to, const char *name, uint64_t tag) const {
    command.set_at(from, name);
    layer.set_at(from, tag);
    command.set_at(to, "-");
    layer.set_at(to, Waves::kUnknown);
  }
};

} // namespace avocet::model
