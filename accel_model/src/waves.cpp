// SPDX-License-Identifier: Apache-2.0
// What needs the device's time, so that who shows a signal does not include SystemC for it.
#include "waves.hpp"

#include "timebase.hpp"

namespace avocet::model {

uint64_t Waves::now() const { return time_.now(); }

void Waves::restart() {
  base_ += time_.now();
  writer_.settle(base_);
}

int Waves::finish() { return writer_.finish(base_ + time_.now()); }

} // namespace avocet::model
