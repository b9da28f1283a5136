// SPDX-License-Identifier: Apache-2.0
// Array and requantisation unit in one Verilated design, with assertions and random initial values, beside the twins.
#include <Vjoined_16.h>
#include <Vjoined_32.h>
#include <Vjoined_8.h>
#include <gtest/gtest.h>

#include "joined_lock_step.hpp"

namespace avocet::rtl_test {
namespace {

template <typename Top, uint64_t Size> struct Joined {
  using Model = Top;
  static constexpr uint64_t kSize = Size;
};

template <typename T> class JoinedUnits : public testing::Test {};
using Sizes = testing::Types<Joined<Vjoined_8, 8>, Joined<Vjoined_16, 16>, Joined<Vjoined_32, 32>>;
TYPED_TEST_SUITE(JoinedUnits, Sizes);

TYPED_TEST(JoinedUnits, RunInLockStepWithTheTwins) {
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(7);
  JoinedLockStep<typename TypeParam::Model> units(TypeParam::kSize, &context);
  const uint64_t cycles = lock_step_cycles();
  for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
    const char *difference = units.cycle();
    ASSERT_EQ(difference, nullptr) << difference << " in cycle " << cycle;
    ASSERT_EQ(context.errorCount(), 0) << "an assertion in cycle " << cycle;
  }
  EXPECT_GT(units.outputs(), cycles / 20) << "the test hardly tested anything";
}

} // namespace
} // namespace avocet::rtl_test
