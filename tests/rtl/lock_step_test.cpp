// SPDX-License-Identifier: Apache-2.0
// Verilated units, as the device runs them, and their C++ twins side by side: random commands, gaps and back-pressure on every
// handshake; all outputs in every cycle.
#include "lock_step.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace avocet::rtl_test {
namespace {

class LockStep : public testing::TestWithParam<uint64_t> {
protected:
  const uint64_t size_ = GetParam(), cycles_ = lock_step_cycles();
  Mood mood_{size_};
  uint64_t outputs_ = 0;

  void TearDown() override {
    if (!HasFailure()) EXPECT_GT(outputs_, cycles_ / 10) << "the test hardly tested anything";
  }
};

TEST_P(LockStep, MacArray) {
  auto rtl = model::make_verilated_array(size_), twin = model::make_mac_array_twin(size_, size_);
  ArrayTraffic traffic(mood_, size_, size_);
  MacArray::Inputs inputs;
  rtl->reset();
  for (uint64_t cycle = 0; cycle < cycles_; ++cycle) {
    traffic.offer(&inputs);
    inputs.o_ready = mood_.takes();
    const MacArray::Outputs a = rtl->settle(inputs), b = twin->settle(inputs);
    ASSERT_TRUE(a.w_ready == b.w_ready && a.a_ready == b.a_ready && a.o_valid == b.o_valid) << "handshakes in cycle " << cycle;
    if (a.o_valid) {
      ASSERT_EQ(a.o_last, b.o_last) << "cycle " << cycle;
      ASSERT_EQ(std::memcmp(a.o_data, b.o_data, size_ * 4), 0) << "sums in cycle " << cycle;
    }
    rtl->clock();
    twin->clock();
    outputs_ += a.o_valid && inputs.o_ready;
    traffic.clocked(&inputs, a.w_ready, a.a_ready);
  }
}

TEST_P(LockStep, Requantisation) {
  auto rtl = model::make_verilated_requant(size_), twin = model::make_requant_twin(size_);
  RequantTraffic traffic(mood_, size_);
  RequantLanes::Inputs inputs;
  rtl->reset();
  for (uint64_t cycle = 0; cycle < cycles_; ++cycle) {
    traffic.offer_parameters(&inputs);
    traffic.offer_rows(&inputs);
    inputs.o_ready = mood_.takes();
    const RequantLanes::Outputs a = rtl->settle(inputs), b = twin->settle(inputs);
    ASSERT_TRUE(a.p_ready == b.p_ready && a.r_ready == b.r_ready && a.o_valid == b.o_valid) << "handshakes in cycle " << cycle;
    if (a.o_valid) {
      ASSERT_EQ(a.o_last, b.o_last) << "cycle " << cycle;
      ASSERT_EQ(std::memcmp(a.o_data, b.o_data, size_), 0) << "bytes in cycle " << cycle;
    }
    rtl->clock();
    twin->clock();
    outputs_ += a.o_valid && inputs.o_ready;
    traffic.clocked(&inputs, a.p_ready, a.r_ready);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LockStep, testing::Values(8, 16, 32));

} // namespace
} // namespace avocet::rtl_test
