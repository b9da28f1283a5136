// SPDX-License-Identifier: Apache-2.0
// SVDF over several steps against the definition: each unit is a sum of filters over the last feature results.
#include "recurrent_values.hpp"

namespace avocet::runtime {
namespace {

struct Layer {
  uint32_t batch = 2, input = 3, units = 4, memory = 3, rank = 2;
  uint32_t columns = 3;  // of the state for each filter: memory, or memory - 1
  int32_t activation = ANEURALNETWORKS_FUSED_NONE;
  bool has_bias = true;
  Precision precision = {};
  uint32_t filters() const { return units * rank; }
};

struct Weights {
  Floats feature, time, bias;
  explicit Weights(const Layer& layer) {
    Numbers numbers(layer.rank + 10 * layer.memory);
    feature = numbers.take(layer.filters() * layer.input);
    time = numbers.take(layer.filters() * layer.memory);
    if (layer.has_bias) bias = numbers.take(layer.units);
  }
};

OperationCall call_of(const Layer& layer, const Weights& weights, const Floats& input, const Floats& state) {
  OperationCall call(ANEURALNETWORKS_SVDF);
  const Precision& precision = layer.precision;
  precision.add(call, {layer.batch, layer.input}, input, false);
  precision.add(call, {layer.filters(), layer.input}, weights.feature);
  precision.add(call, {layer.filters(), layer.memory}, weights.time);
  precision.add_optional(call, {layer.units}, weights.bias);
  precision.add(call, {layer.batch, layer.columns * layer.filters()}, state, false);
  call.int32(static_cast<int32_t>(layer.rank)).int32(layer.activation).output(precision.tensor()).output(precision.tensor());
  return call;
}

/// Feeds six inputs, the state going round, and compares every output with the sum over the history.
void check(const Layer& layer) {
  const Weights weights(layer);
  Floats state(layer.batch * layer.columns * layer.filters(), 0.0f);
  std::vector<std::vector<double>> history;  // by step: [batch][filter]
  for (uint32_t step = 0; step < 6; ++step) {
    const Floats input = Numbers(step).take(layer.batch * layer.input);
    const std::vector<double> x(input.begin(), input.end());
    std::vector<double>& now = history.emplace_back();
    for (size_t b = 0; b < layer.batch; ++b) {
      for (size_t f = 0; f < layer.filters(); ++f) now.push_back(dot(weights.feature, f, &x[b * layer.input], layer.input));
    }
    std::vector<double> wanted;
    for (size_t b = 0; b < layer.batch; ++b) {
      for (size_t u = 0; u < layer.units; ++u) {
        double sum = layer.has_bias ? weights.bias[u] : 0.0;
        for (size_t f = u * layer.rank; f < (u + 1) * layer.rank; ++f) {
          for (size_t age = 0; age < layer.memory && age <= step; ++age) {
            sum += weights.time[f * layer.memory + layer.memory - 1 - age] * history[step - age][b * layer.filters() + f];
          }
        }
        wanted.push_back(layer.activation == ANEURALNETWORKS_FUSED_RELU ? std::max(sum, 0.0) : sum);
      }
    }
    OperationCall call = call_of(layer, weights, input, state);
    ASSERT_EQ(call.in_pieces().run().message, "");
    EXPECT_EQ(call.dims(1), (Dimensions{layer.batch, layer.units}));
    expect_near(layer.precision.result(call, 1), wanted, layer.precision.tolerance() * 20, "step " + std::to_string(step));
    state = layer.precision.result(call, 0);
  }
}

TEST(Svdf, RanksMemoriesAndActivations) {
  check({});
  check({.rank = 1});
  check({.memory = 1, .rank = 3, .columns = 1});
  check({.batch = 1, .input = 40, .units = 30, .memory = 8, .columns = 8, .activation = ANEURALNETWORKS_FUSED_RELU});
  check({.has_bias = false});
  check({.precision = {.constant_weights = true}});
  check({.precision = {.half = true}});
  check({.precision = {.half = true, .constant_weights = true}});
}

TEST(Svdf, StateWithoutTheColumnOfTheNewestResult) {
  check({.columns = 2});
  check({.memory = 2, .columns = 1});
}

TEST(Svdf, StateMovesOnByOneColumn) {
  // One filter: feature weight 2, so that the newest result is 2 * 3 = 6; the last column of the state is not read.
  OperationCall call(ANEURALNETWORKS_SVDF);
  call.floats({1, 1}, {3}).floats({1, 1}, {2}).floats({1, 3}, {100, 10, 1}).omitted(ANEURALNETWORKS_TENSOR_FLOAT32);
  call.floats({1, 3}, {4, 5, 99}).int32(1).int32(0);
  call.output(ANEURALNETWORKS_TENSOR_FLOAT32).output(ANEURALNETWORKS_TENSOR_FLOAT32);
  ASSERT_EQ(call.run().message, "");
  EXPECT_EQ(call.values<float>(0), (Floats{5, 6, 0}));
  EXPECT_EQ(call.values<float>(1), (Floats{456}));
}

TEST(Svdf, RefusesWhatDoesNotFit) {
  const auto run = [](Dimensions state, Dimensions bias, int32_t rank) {
    OperationCall call(ANEURALNETWORKS_SVDF);
    call.floats({1, 2}, {1, 2}).floats({4, 2}, Floats(8, 1.0f)).floats({4, 3}, Floats(12, 1.0f));
    call.floats(bias, ones(bias)).floats(state, ones(state));
    call.int32(rank).int32(0).output(ANEURALNETWORKS_TENSOR_FLOAT32).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run().code;
  };
  EXPECT_EQ(run({1, 12}, {2}, 2), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({1, 12}, {2}, 3), ANEURALNETWORKS_OP_FAILED);        // does not divide the filters
  EXPECT_EQ(run({1, 12}, {2}, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(run({1, 12}, {2}, -2147483648), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(run({1, 12}, {2}, 2147483647), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({1, 12}, {4}, 2), ANEURALNETWORKS_OP_FAILED);        // bias of filters, not of units
  EXPECT_EQ(run({2, 12}, {2}, 2), ANEURALNETWORKS_OP_FAILED);        // batches
  EXPECT_EQ(run({1, 4}, {2}, 2), ANEURALNETWORKS_OP_FAILED);         // memory of one or two
  EXPECT_EQ(run({1, 13}, {2}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({1, 3}, {2}, 2), ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
