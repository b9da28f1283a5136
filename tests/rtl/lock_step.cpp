// SPDX-License-Identifier: Apache-2.0
// Traffic.
#include "lock_step.hpp"

#include <algorithm>
#include <cstdlib>

namespace avocet::rtl_test {

uint64_t lock_step_cycles() {
  const char *text = std::getenv("AVOCET_LOCK_STEP_CYCLES");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 70000;
}

void ArrayTraffic::fill(std::vector<uint8_t> &bytes) {
  const bool extreme = mood_.chance(10);
  for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(extreme ? (mood_.chance(50) ? 0x80 : 0x7F) : mood_.number());
}

void ArrayTraffic::offer(MacArray::Inputs *inputs) {
  if (!inputs->w_valid && mood_.offers()) {
    fill(weights_);
    if (row_ == 0) inputs->w_zero_point = static_cast<int8_t>(mood_.number());
    inputs->w_valid = true;
    inputs->w_data = weights_.data();
  }
  if (inputs->a_valid || !mood_.offers()) return;
  fill(activations_);
  if (left_ == 0) {
    length_ = left_ = 1 + mood_.number() % (mood_.chance(50) ? 4 : 3 * rows_);
    mood_.change();
  }
  inputs->a_first = left_ == length_;
  inputs->a_last = left_ == 1;
  inputs->a_valid = true;
  inputs->a_data = activations_.data();
}

void ArrayTraffic::clocked(MacArray::Inputs *inputs, bool w_ready, bool a_ready) {
  if (inputs->w_valid && w_ready) {
    inputs->w_valid = false;
    row_ = (row_ + 1) % rows_;
  }
  if (inputs->a_valid && a_ready) {
    inputs->a_valid = false;
    --left_;
  }
}

uint32_t RequantTraffic::any_word() {
  static constexpr uint32_t kExtremes[] = {0, 1, UINT32_MAX, INT32_MAX, 0x80000000u, 0x80000001u, 0x40000000u, 0xC0000000u};
  return mood_.chance(25) ? kExtremes[mood_.number() % 8] : mood_.number() >> (mood_.number() % 32);
}

// Mostly as a compiler makes them, from 2^30 to 2^31 - 1.
uint32_t RequantTraffic::multiplier() {
  return mood_.chance(30) ? any_word() : 0x40000000u | (mood_.number() >> 2);
}

// Mostly legal, now and then beyond.
int32_t RequantTraffic::shift() {
  if (mood_.chance(5)) return static_cast<int32_t>(any_word());
  if (mood_.chance(50)) return -static_cast<int32_t>(mood_.number() % 12);
  return static_cast<int32_t>(mood_.number() % 62) - 31;
}

void RequantTraffic::new_limits(RequantLanes::Inputs *inputs) {
  const bool bytes = mood_.chance(70); // others may be anything in order
  const int32_t low = bytes ? -128 : -32768, span = bytes ? 256 : 65536;
  const auto a = static_cast<int16_t>(low + static_cast<int32_t>(mood_.number()) % span / 2 + span / 2);
  const auto b = static_cast<int16_t>(low + static_cast<int32_t>(mood_.number() % static_cast<uint32_t>(span)));
  inputs->p_clamp_min = mood_.chance(50) ? static_cast<int16_t>(low) : std::min(a, b);
  inputs->p_clamp_max = mood_.chance(50) ? static_cast<int16_t>(low + span - 1) : std::max(a, b);
  inputs->p_zero_point = static_cast<int16_t>(mood_.chance(20) ? (mood_.chance(50) ? INT16_MIN : INT16_MAX)
                                                               : static_cast<int32_t>(mood_.number() % 512) - 256);
}

void RequantTraffic::offer_parameters(RequantLanes::Inputs *inputs) {
  if (inputs->p_valid || !mood_.offers()) return;
  if (channel_ == 0) {
    new_limits(inputs);
    mood_.change();
  }
  // A bias that makes INT32_MIN of small sums meets a multiplier of INT32_MIN now and then.
  record_[0] = mood_.chance(50) ? mood_.number() % 8192 - 4096 : any_word();
  record_[1] = multiplier();
  record_[2] = static_cast<uint32_t>(shift());
  inputs->p_valid = true;
  inputs->p_last = channel_ + 1 == channels_;
  inputs->p_data = reinterpret_cast<const uint8_t *>(record_);
}

void RequantTraffic::offer_rows(RequantLanes::Inputs *inputs) {
  if (inputs->r_valid || !mood_.offers()) return;
  if (rows_left_ == 0) rows_left_ = 1 + mood_.number() % (mood_.chance(50) ? 3 : 60);
  for (uint32_t &sum : sums_) sum = any_word();
  inputs->r_valid = true;
  inputs->r_last = rows_left_ == 1;
  inputs->r_data = sums_.data();
}

void RequantTraffic::clocked(RequantLanes::Inputs *inputs, bool p_ready, bool r_ready) {
  if (inputs->p_valid && p_ready) {
    inputs->p_valid = false;
    if (++channel_ == channels_) {
      channel_ = 0;
      channels_ = mood_.chance(50) ? sums_.size() : 1 + mood_.number() % sums_.size();
    }
  }
  if (inputs->r_valid && r_ready) {
    inputs->r_valid = false;
    --rows_left_;
  }
}

} // namespace avocet::rtl_test
