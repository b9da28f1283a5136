// SPDX-License-Identifier: Apache-2.0
// The requantisation unit without its inside: a row's bytes are known when it enters, and come out eight enabled cycles later.
#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

#include "avocet_isa.h"
#include "avocet_requantise.h"
#include "requant_lanes.hpp"

namespace avocet::model {

namespace {

class RequantTwin : public RequantLanes {
public:
  explicit RequantTwin(uint64_t lanes) : lanes_(lanes), parameters_(lanes) { reset(); }

  void reset() override {
    loaded_ = false;
    channel_ = 0;
    line_.assign(kRequantLatency, Slot{}); // the oldest first
  }

  Outputs settle(const Inputs &inputs) override {
    inputs_ = inputs;
    const Slot &oldest = line_.front();
    enable_ = inputs.o_ready || !oldest.valid;
    return {enable_ && !loaded_, enable_ && loaded_, oldest.valid, oldest.last, oldest.bytes.data()};
  }

  void clock() override {
    if (!enable_) return;
    Slot slot;
    if (!loaded_ && inputs_.p_valid)
      load_channel();
    else if (loaded_ && inputs_.r_valid)
      slot = enter();
    line_.pop_front();
    line_.push_back(std::move(slot));
  }

private:
  struct Parameter {
    int32_t bias = 0, multiplier = 0, shift = 0;
  };
  struct Slot {
    bool valid = false, last = false;
    std::vector<uint8_t> bytes;
  };

  void load_channel() {
    static_assert(sizeof(Parameter) == AVOCET_PARAMETER_BYTES);
    std::memcpy(&parameters_[channel_], inputs_.p_data, sizeof(Parameter));
    loaded_ = inputs_.p_last;
    channel_ = loaded_ ? 0 : (channel_ + 1) % lanes_;
    command_ = inputs_;
  }

  Slot enter() {
    Slot slot{true, inputs_.r_last, std::vector<uint8_t>(lanes_)};
    for (uint64_t lane = 0; lane < lanes_; ++lane) {
      const Parameter &p = parameters_[lane];
      const auto sum = static_cast<int32_t>(inputs_.r_data[lane] + static_cast<uint32_t>(p.bias));
      const int32_t scaled = avocet_requantise(sum, p.multiplier, std::clamp(p.shift, -31, 30));
      const auto value = static_cast<int32_t>(static_cast<uint32_t>(scaled) + static_cast<uint32_t>(int32_t{command_.p_zero_point}));
      slot.bytes[lane] = static_cast<uint8_t>(std::clamp<int32_t>(value, command_.p_clamp_min, command_.p_clamp_max));
    }
    loaded_ = !inputs_.r_last;
    return slot;
  }

  const uint64_t lanes_;
  std::vector<Parameter> parameters_;
  bool loaded_ = false; // parameters complete, last row not in yet
  uint64_t channel_ = 0;
  std::deque<Slot> line_;
  Inputs inputs_, command_;
  bool enable_ = true;
};

} // namespace

std::unique_ptr<RequantLanes> make_requant_twin(uint64_t lanes) { return std::make_unique<RequantTwin>(lanes); }

} // namespace avocet::model
