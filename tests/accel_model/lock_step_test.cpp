// SPDX-License-Identifier: Apache-2.0
// The Verilated MAC array and its C++ twin side by side: random tiles, pass lengths, gaps and back-pressure on every handshake;
// all outputs in every cycle. AVOCET_LOCK_STEP_CYCLES sets the cycles per size (default 70,000).
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "mac_array.hpp"

namespace avocet::model {
namespace {

uint64_t cycles_per_size() {
  const char *text = std::getenv("AVOCET_LOCK_STEP_CYCLES");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 70000;
}

// Drives both arrays with the same inputs. A producer that offered something holds it until it is taken.
class LockStep {
public:
  explicit LockStep(uint64_t size)
      : size_(size), rtl_(make_verilated_array(size)), twin_(make_mac_array_twin(size, size)), random_(static_cast<unsigned>(size)),
        weights_(size), activations_(size) {
    rtl_->reset();
    twin_->reset();
  }

  // False at the first difference.
  bool cycle() {
    offer();
    inputs_.o_ready = chance(ready_);
    MacArray::Outputs a = rtl_->settle(inputs_), b = twin_->settle(inputs_);
    if (a.w_ready != b.w_ready || a.a_ready != b.a_ready || a.o_valid != b.o_valid) return false;
    if (a.o_valid && (a.o_last != b.o_last || std::memcmp(a.o_data, b.o_data, size_ * 4) != 0)) return false;
    rtl_->clock();
    twin_->clock();
    outputs_ += a.o_valid && inputs_.o_ready;
    if (inputs_.w_valid && a.w_ready) weights_taken();
    if (inputs_.a_valid && a.a_ready) activations_taken();
    return true;
  }

  uint64_t outputs() const { return outputs_; }

private:
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  void fill(std::vector<uint8_t> &bytes) {
    bool extreme = chance(10);
    for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(extreme ? (chance(50) ? 0x80 : 0x7F) : random_());
  }

  void offer() {
    if (!inputs_.w_valid && chance(offered_)) {
      fill(weights_);
      if (row_ == 0) inputs_.w_zero_point = static_cast<int8_t>(random_());
      inputs_.w_valid = true;
      inputs_.w_data = weights_.data();
    }
    if (!inputs_.a_valid && chance(offered_)) {
      fill(activations_);
      if (left_ == 0) new_pass();
      inputs_.a_first = left_ == length_;
      inputs_.a_last = left_ == 1;
      inputs_.a_valid = true;
      inputs_.a_data = activations_.data();
    }
  }

  // Also changes the mood: how often something is offered or taken.
  void new_pass() {
    length_ = left_ = 1 + random_() % (chance(50) ? 4 : 3 * size_);
    offered_ = chance(40) ? 100 : 30 + static_cast<int>(random_() % 70);
    ready_ = chance(40) ? 100 : 30 + static_cast<int>(random_() % 70);
  }

  void weights_taken() {
    inputs_.w_valid = false;
    row_ = (row_ + 1) % size_;
  }
  void activations_taken() {
    inputs_.a_valid = false;
    --left_;
  }

  const uint64_t size_;
  std::unique_ptr<MacArray> rtl_, twin_;
  std::mt19937 random_;
  std::vector<uint8_t> weights_, activations_;
  MacArray::Inputs inputs_;
  uint64_t row_ = 0, length_ = 0, left_ = 0, outputs_ = 0;
  int offered_ = 100, ready_ = 100;
};

class Sizes : public testing::TestWithParam<uint64_t> {};

TEST_P(Sizes, EveryOutputInEveryCycle) {
  LockStep arrays(GetParam());
  const uint64_t cycles = cycles_per_size();
  for (uint64_t cycle = 0; cycle < cycles; ++cycle) ASSERT_TRUE(arrays.cycle()) << "cycle " << cycle;
  EXPECT_GT(arrays.outputs(), cycles / 10) << "the test hardly tested anything";
}

INSTANTIATE_TEST_SUITE_P(LockStep, Sizes, testing::Values(8, 16, 32));

} // namespace
} // namespace avocet::model
