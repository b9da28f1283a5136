// SPDX-License-Identifier: Apache-2.0
// RANDOM_MULTINOMIAL: the distribution of the samples, what seeds promise, and values that are no distribution. Includes the
// published cases, which are judged by counting.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operation_call.hpp"
#include "published_cases.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kInt = ANEURALNETWORKS_TENSOR_INT32;

std::vector<int32_t> draw(const std::vector<float>& logits, uint32_t batches, int32_t samples, std::vector<int32_t> seeds) {
  OperationCall call(ANEURALNETWORKS_RANDOM_MULTINOMIAL);
  const uint32_t classes = static_cast<uint32_t>(logits.size()) / batches;
  const Status status = call.floats({batches, classes}, logits).int32(samples).ints({2}, std::move(seeds)).output(kInt).run();
  EXPECT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(), (Dimensions{batches, static_cast<uint32_t>(samples)}));
  return call.values<int32_t>();
}

TEST(RandomMultinomial, CountsFollowTheProbabilities) {
  constexpr int32_t kSamples = 100000;
  const std::vector<float> logits{0, 1, 2, -1, -INFINITY, 90, 89, 0, -INFINITY, 88};
  const std::vector<int32_t> out = draw(logits, 2, kSamples, {17, 4});
  for (size_t b = 0; b < 2; ++b) {
    double total = 0;
    size_t counts[5] = {};
    for (size_t i = 0; i < 5; ++i) total += std::exp(double{logits[b * 5 + i]});
    for (size_t s = 0; s < kSamples; ++s) {
      const int32_t chosen = out[b * kSamples + s];
      ASSERT_TRUE(chosen >= 0 && chosen < 5);
      ++counts[chosen];
    }
    for (size_t i = 0; i < 5; ++i) {
      const double probability = std::exp(double{logits[b * 5 + i]}) / total;
      EXPECT_NEAR(static_cast<double>(counts[i]) / kSamples, probability, 5 * std::sqrt(probability / kSamples)) << b << " " << i;
    }
  }
}

TEST(RandomMultinomial, SeedsRepeatAndZerosDoNot) {
  const std::vector<float> logits(64, 0);
  EXPECT_EQ(draw(logits, 1, 100, {1, 2}), draw(logits, 1, 100, {1, 2}));
  EXPECT_NE(draw(logits, 1, 100, {1, 2}), draw(logits, 1, 100, {2, 1}));
  EXPECT_NE(draw(logits, 1, 100, {0, 2}), draw(logits, 1, 100, {0, 3}));
  EXPECT_NE(draw(logits, 1, 100, {0, 0}), draw(logits, 1, 100, {0, 0}));
  const std::vector<int32_t> two = draw(std::vector<float>(128, 0), 2, 100, {1, 2});  // batches do not repeat each other
  EXPECT_NE(std::vector<int32_t>(two.begin(), two.begin() + 100), std::vector<int32_t>(two.begin() + 100, two.end()));
}

TEST(RandomMultinomial, NoDistributionFails) {
  const auto code_of = [](std::vector<float> logits, int32_t samples) {
    OperationCall call(ANEURALNETWORKS_RANDOM_MULTINOMIAL);
    call.floats({1, static_cast<uint32_t>(logits.size())}, logits).int32(samples).ints({2}, {1, 1}).output(kInt);
    return call.run().code;
  };
  EXPECT_EQ(code_of({-INFINITY, -INFINITY}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of({0, std::nanf("")}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of({0, INFINITY}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of({0, 1}, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(code_of({0, 1}, -1), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(code_of({0, 1}, std::numeric_limits<int32_t>::max()), ANEURALNETWORKS_OP_FAILED);  // 8 GiB of samples
}

/// The published rule: each class's share of the samples within the tolerance of its probability.
void judge(const nlohmann::json& one) {
  published::Graph graph(one.at("main"));
  const nlohmann::json& op = one.at("main").at("operations")[0];
  const OperandView& logits = graph.view(op.at("inputs")[0]);
  OperationCall call(ANEURALNETWORKS_RANDOM_MULTINOMIAL);
  std::vector<float> values;
  for (size_t i = 0; i < count_of(logits); ++i) values.push_back(static_cast<float>(published::element(logits, logits.as<uint8_t>(), i)));
  logits.type == ANEURALNETWORKS_TENSOR_FLOAT16 ? call.halves(logits.dims, values) : call.floats(logits.dims, values);
  const int32_t samples = *graph.view(op.at("inputs")[1]).as<int32_t>();
  const int32_t* seeds = graph.view(op.at("inputs")[2]).as<int32_t>();
  ASSERT_TRUE(call.int32(samples).ints({2}, {seeds[0], seeds[1]}).output(kInt).run().ok());
  double total = 0;
  std::vector<double> counts(values.size());
  for (float value : values) total += std::exp(double{value});
  for (int32_t chosen : call.values<int32_t>()) counts.at(static_cast<size_t>(chosen)) += 1;
  const double tolerance = one.at("multinomial_tolerance");
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_LE(std::abs(counts[i] / samples - std::exp(double{values[i]}) / total), tolerance) << one.at("name") << " class " << i;
  }
}

TEST(RandomMultinomial, PublishedCases) {
  size_t judged = 0;
  for (const char* name : {"random_multinomial", "random_multinomial_float16"}) {
    const std::filesystem::path path = published::folder() / "V1_2" / (std::string(name) + ".json");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there; set AVOCET_SHARED";
    std::ifstream file(path);
    const nlohmann::json document = nlohmann::json::parse(file);
    for (const nlohmann::json& one : document.at("cases")) {
      judge(one);
      ++judged;
    }
  }
  EXPECT_GT(judged, 0u);
}

}  // namespace
}  // namespace avocet::runtime
