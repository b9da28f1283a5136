// SPDX-License-Identifier: Apache-2.0
// The MAC array against a plain matrix product and against the closed forms of rtl/README.md: each size as the model
// uses it (release) and with assertions and random initial values (checked), one size that is neither square nor a
// power of two among the latter.
#include <Vavocet_mac_array_16.h>
#include <Vavocet_mac_array_32.h>
#include <Vavocet_mac_array_8.h>
#include <Vchecked_mac_array_16x16.h>
#include <Vchecked_mac_array_32x32.h>
#include <Vchecked_mac_array_3x5.h>
#include <Vchecked_mac_array_8x8.h>

#include <algorithm>

#include "mac_array_harness.hpp"

namespace avocet::rtl_test {
namespace {

template <typename M, size_t R, size_t C>
struct Release {
  using Model = M;
  static constexpr size_t kRows = R, kCols = C;
  static constexpr const char* kBuild = "release";
};

template <typename M, size_t R, size_t C>
struct Checked : Release<M, R, C> {
  static constexpr const char* kBuild = "checked";
};

template <typename T>
class MacArray : public ::testing::Test {
 protected:
  static constexpr size_t kRows = T::kRows, kCols = T::kCols;
  std::mt19937 random_{20240607};

  int8_t byte() { return static_cast<int8_t>(random_()); }

  Pass random_pass(size_t vectors) {
    Pass pass{std::vector<int8_t>(kRows * kCols), byte(), std::vector<int8_t>(vectors * kRows)};
    std::generate(pass.weights.begin(), pass.weights.end(), [this] { return byte(); });
    std::generate(pass.activations.begin(), pass.activations.end(), [this] { return byte(); });
    return pass;
  }

  std::vector<Pass> random_passes(size_t count, size_t max_vectors) {
    std::vector<Pass> passes;
    for (size_t p = 0; p < count; ++p) passes.push_back(random_pass(1 + random_() % max_vectors));
    return passes;
  }

  static std::vector<int32_t> product(const std::vector<Pass>& passes) {
    std::vector<int32_t> sums;
    for (const Pass& pass : passes)
      for (size_t m = 0; m * kRows < pass.activations.size(); ++m)
        for (size_t c = 0; c < kCols; ++c) {
          int32_t sum = 0;
          for (size_t r = 0; r < kRows; ++r)
            sum += pass.activations[m * kRows + r] * (pass.weights[r * kCols + c] - pass.zero_point);
          sums.push_back(sum);
        }
    return sums;
  }

  static std::vector<bool> lasts(const std::vector<Pass>& passes) {
    std::vector<bool> last;
    for (const Pass& pass : passes) {
      last.insert(last.end(), pass.activations.size() / kRows, false);
      last.back() = true;
    }
    return last;
  }

  void check(const std::vector<Pass>& passes, const Result& result) {
    EXPECT_EQ(product(passes), result.sums);
    EXPECT_EQ(lasts(passes), result.last);
    ASSERT_EQ(result.accepted.size(), result.offered.size());
    for (size_t m = 0; m < result.accepted.size(); ++m)
      ASSERT_EQ(result.offered[m] - result.accepted[m], kRows + kCols) << "latency of vector " << m;
  }
};

using Configs = ::testing::Types<
    Release<Vavocet_mac_array_8, 8, 8>, Release<Vavocet_mac_array_16, 16, 16>, Release<Vavocet_mac_array_32, 32, 32>,
    Checked<Vchecked_mac_array_8x8, 8, 8>, Checked<Vchecked_mac_array_16x16, 16, 16>,
    Checked<Vchecked_mac_array_32x32, 32, 32>, Checked<Vchecked_mac_array_3x5, 3, 5>>;

struct ConfigName {
  template <typename T>
  static std::string GetName(int) {
    return T::kBuild + std::to_string(T::kRows) + "x" + std::to_string(T::kCols);
  }
};
TYPED_TEST_SUITE(MacArray, Configs, ConfigName);

TYPED_TEST(MacArray, MultipliesWithoutStalls) {
  MacArrayHarness<TypeParam> harness(1);
  auto passes = this->random_passes(40, 3 * this->kRows);
  this->check(passes, harness.run(passes));
}

TYPED_TEST(MacArray, MultipliesUnderStallsOfAnyChannel) {
  const Stalls kinds[] = {{50, 0, 0}, {0, 50, 0}, {0, 0, 50}, {30, 30, 30}, {90, 10, 10}, {10, 90, 10}, {10, 10, 90}};
  for (unsigned seed = 0; seed < 3; ++seed)
    for (const Stalls& stalls : kinds) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << ", stalls in per cent: weights " << stalls.weights
                                        << ", activations " << stalls.activations << ", output " << stalls.output);
      MacArrayHarness<TypeParam> harness(seed);
      auto passes = this->random_passes(12, 2 * this->kRows);
      this->check(passes, harness.run(passes, stalls));
    }
}

TYPED_TEST(MacArray, MultipliesExtremeValues) {
  std::vector<Pass> passes;
  for (int zero_point : {-128, 0, 127})
    for (int weight : {-128, 127})
      for (int activation : {-128, 127}) {
        Pass pass = this->random_pass(2 + this->kRows);
        pass.zero_point = static_cast<int8_t>(zero_point);
        std::fill(pass.weights.begin(), pass.weights.end(), static_cast<int8_t>(weight));
        std::fill(pass.activations.begin(), pass.activations.end() - 1, static_cast<int8_t>(activation));
        passes.push_back(pass);
        // The same with both extremes mixed.
        for (int8_t& w : pass.weights) w = this->byte() < 0 ? -128 : 127;
        for (int8_t& a : pass.activations) a = this->byte() < 0 ? -128 : 127;
        passes.push_back(pass);
      }
  MacArrayHarness<TypeParam> harness(2);
  this->check(passes, harness.run(passes));
}

// cycles = 2 Rows + Cols + sum over all passes but the last of max(M, Rows) + M of the last
TYPED_TEST(MacArray, TakesTheCyclesOfTheClosedForm) {
  const size_t rows = this->kRows, cols = this->kCols;
  const size_t lengths[] = {1, 2, rows - 1, rows, rows + 1, 3 * rows};
  MacArrayHarness<TypeParam> harness(3);
  for (size_t count = 1; count <= 3; ++count)
    for (size_t first : lengths)
      for (size_t middle : lengths)
        for (size_t last : lengths) {
          if ((count < 2 && first != last) || (count < 3 && middle != last)) continue;
          const size_t all[] = {first, middle, last};
          std::vector<Pass> passes;
          uint64_t expected = 2 * rows + cols + last;
          for (size_t p = 0; p < count; ++p) {
            const size_t vectors = p + 1 == count ? last : all[p];
            passes.push_back(this->random_pass(vectors));
            if (p + 1 < count) expected += std::max(vectors, rows);
          }
          const Result result = harness.run(passes);
          ASSERT_EQ(expected, result.cycles) << count << " passes of " << first << ", " << middle << ", " << last;
          this->check(passes, result);
        }
}

TYPED_TEST(MacArray, WaitsForTheWholeTile) {
  MacArrayHarness<TypeParam> harness(4);
  auto& model = harness.model();
  model.a_valid_i = 1;
  model.a_first_i = 1;
  model.w_zero_point_i = 0;
  for (size_t beat = 0; beat < this->kRows; ++beat) {
    for (int pause = 0; pause < 3; ++pause) {
      model.w_valid_i = pause == 2;
      model.clk_i = 0;
      model.eval();
      EXPECT_FALSE(model.a_ready_o) << "with " << beat << " beats";
      EXPECT_TRUE(model.w_ready_o);
      harness.tick();
    }
  }
  model.clk_i = 0;
  model.w_valid_i = 0;
  model.eval();
  EXPECT_TRUE(model.a_ready_o);
  EXPECT_TRUE(model.w_ready_o) << "the next tile may follow in the cycle in which the pass starts";
  model.a_valid_i = 0;
  model.eval();
  EXPECT_FALSE(model.w_ready_o) << "a loaded tile must not be overwritten";
}

// Vectors without a_first_i go on with the weights in use, even after a_last_i.
TYPED_TEST(MacArray, KeepsItsWeightsUntilTheNextFirst) {
  MacArrayHarness<TypeParam> harness(5);
  const std::vector<Pass> passes = {this->random_pass(4)};
  this->check(passes, harness.run(passes));
  auto& model = harness.model();
  std::vector<int32_t> sums;
  for (size_t cycle = 0; cycle < 4 + this->kRows + this->kCols; ++cycle) {
    model.clk_i = 0;
    model.w_valid_i = 0;
    model.o_ready_i = 1;
    model.a_valid_i = cycle < 4;
    model.a_first_i = model.a_last_i = 0;
    std::memcpy(&model.a_data_i, &passes[0].activations[(cycle % 4) * this->kRows], this->kRows);
    model.eval();
    EXPECT_TRUE(model.a_ready_o);
    if (model.o_valid_o) {
      const auto* data = reinterpret_cast<const int32_t*>(&model.o_data_o);
      sums.insert(sums.end(), data, data + this->kCols);
      EXPECT_FALSE(model.o_last_o);
    }
    model.clk_i = 1;
    model.eval();
  }
  EXPECT_EQ(this->product(passes), sums);
}

TYPED_TEST(MacArray, StartsAfreshAfterReset) {
  MacArrayHarness<TypeParam> harness(6);
  auto& model = harness.model();
  for (size_t stop = 1; stop < 4 * this->kRows; stop += 3) {
    model.o_ready_i = 1;
    model.w_valid_i = model.a_valid_i = model.a_first_i = model.a_last_i = 1;
    for (size_t cycle = 0; cycle < stop; ++cycle) harness.tick();
    harness.reset();
    model.clk_i = 0;
    model.eval();
    ASSERT_FALSE(model.o_valid_o);
    const auto passes = this->random_passes(2, this->kRows);
    this->check(passes, harness.run(passes, {20, 20, 20}));
  }
}

// The assertions themselves: each rule broken once.
class Assertions : public ::testing::Test {
 protected:
  MacArrayHarness<Checked<Vchecked_mac_array_8x8, 8, 8>> harness_{7};
  void SetUp() override {
    harness_.context().errorLimit(1000);  // count and go on, instead of ending the process
    auto& model = harness_.model();
    model.a_first_i = 1;
    harness_.tick();
    ASSERT_EQ(0, harness_.context().errorCount());
  }
};

TEST_F(Assertions, ReportsAnActivationThatChangesWhileItWaits) {
  auto& model = harness_.model();
  model.a_valid_i = 1;
  harness_.tick();
  EXPECT_EQ(0, harness_.context().errorCount());
  model.a_data_i ^= 1;
  harness_.tick();
  harness_.tick();
  EXPECT_GT(harness_.context().errorCount(), 0) << "a_data_i changed";
}

TEST_F(Assertions, ReportsAZeroPointThatChangesWithinATile) {
  auto& model = harness_.model();
  model.w_valid_i = 1;
  model.w_zero_point_i = 1;
  harness_.tick();
  harness_.tick();
  EXPECT_EQ(0, harness_.context().errorCount());
  model.w_zero_point_i = 2;
  harness_.tick();
  EXPECT_GT(harness_.context().errorCount(), 0) << "w_zero_point_i changed";
}

TEST_F(Assertions, ReportsAVectorBeforeTheFirstPass) {
  auto& model = harness_.model();
  model.a_first_i = 0;
  model.a_valid_i = 1;
  harness_.tick();
  EXPECT_GT(harness_.context().errorCount(), 0) << "no first pass";
}

}  // namespace
}  // namespace avocet::rtl_test
