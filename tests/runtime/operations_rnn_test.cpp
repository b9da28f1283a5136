// SPDX-License-Identifier: Apache-2.0
// RNN and its sequence forms against the definition in double.
#include "recurrent_values.hpp"

namespace avocet::runtime {
namespace {

constexpr size_t kTime = 3, kBatch = 2;

double activated(double x, int32_t code) {
  switch (code) {
    case ANEURALNETWORKS_FUSED_RELU: return std::max(x, 0.0);
    case ANEURALNETWORKS_FUSED_RELU1: return std::clamp(x, -1.0, 1.0);
    case ANEURALNETWORKS_FUSED_RELU6: return std::clamp(x, 0.0, 6.0);
    default: return x;
  }
}

struct Cell {
  size_t input, units, auxiliary;
  Floats weights, recurrent, bias, state, auxiliary_weights;

  Cell(uint32_t seed, size_t input_size, size_t unit_count, size_t auxiliary_size = 0)
      : input(input_size), units(unit_count), auxiliary(auxiliary_size) {
    Numbers numbers(seed);
    weights = numbers.take(units * input);
    recurrent = numbers.take(units * units, 0.5f);
    bias = numbers.take(units);
    state = numbers.take(kBatch * units);
    auxiliary_weights = numbers.take(units * auxiliary);
  }
  void add(OperationCall& call, const Precision& precision) const {
    const auto u = static_cast<uint32_t>(units);
    precision.add(call, {u, static_cast<uint32_t>(input)}, weights);
    precision.add(call, {u, u}, recurrent);
    precision.add(call, {u}, bias, false);
    precision.add(call, {kBatch, u}, state, false);
  }
};

struct Expected {
  std::vector<double> outputs;  // [time][batch][units]
  std::vector<double> state;    // [batch][units]
};

/// `inputs` and `auxiliary` are time major.
Expected expected(const Cell& cell, const Floats& inputs, const Floats& auxiliary, size_t time_steps, int32_t activation, bool reversed) {
  Expected result{std::vector<double>(time_steps * kBatch * cell.units), {cell.state.begin(), cell.state.end()}};
  const std::vector<double> x(inputs.begin(), inputs.end()), a(auxiliary.begin(), auxiliary.end());
  for (size_t step = 0; step < time_steps; ++step) {
    const size_t t = reversed ? time_steps - 1 - step : step;
    const std::vector<double> before = result.state;
    for (size_t b = 0; b < kBatch; ++b) {
      for (size_t u = 0; u < cell.units; ++u) {
        double sum = cell.bias[u] + dot(cell.weights, u, &x[(t * kBatch + b) * cell.input], cell.input) +
                     dot(cell.recurrent, u, &before[b * cell.units], cell.units);
        if (cell.auxiliary) sum += dot(cell.auxiliary_weights, u, &a[(t * kBatch + b) * cell.auxiliary], cell.auxiliary);
        result.state[b * cell.units + u] = result.outputs[(t * kBatch + b) * cell.units + u] = activated(sum, activation);
      }
    }
  }
  return result;
}

TEST(Rnn, OneStepWithEveryActivation) {
  for (int32_t activation = 0; activation < 4; ++activation) {
    for (const Precision& precision : {Precision{}, Precision{.constant_weights = true}, Precision{.half = true}}) {
      const Cell cell(1, 5, 3);
      const Floats input = Numbers(2).take(kBatch * 5, 2.0f);
      OperationCall call(ANEURALNETWORKS_RNN);
      precision.add(call, {kBatch, 5}, input, false);
      cell.add(call, precision);
      call.int32(activation).output(precision.tensor()).output(precision.tensor());
      ASSERT_EQ(call.run().message, "");
      EXPECT_EQ(call.dims(0), (Dimensions{kBatch, 3}));
      EXPECT_EQ(call.dims(1), (Dimensions{kBatch, 3}));
      const Expected wanted = expected(cell, input, {}, 1, activation, false);
      expect_near(precision.result(call, 0), wanted.state, precision.tolerance() * 4, "state");
      expect_near(precision.result(call, 1), wanted.outputs, precision.tolerance() * 4, "output");
    }
  }
}

TEST(Rnn, OmittedActivationIsNone) {
  OperationCall call(ANEURALNETWORKS_RNN);
  call.floats({1, 2}, {1, 2}).floats({1, 2}, {-3, -4}).floats({1, 1}, {0.5f}).floats({1}, {1}).floats({1, 1}, {8});
  call.omitted(ANEURALNETWORKS_INT32).output(ANEURALNETWORKS_TENSOR_FLOAT32).output(ANEURALNETWORKS_TENSOR_FLOAT32);
  ASSERT_EQ(call.run().message, "");
  EXPECT_EQ(call.values<float>(1), (Floats{-6}));  // -3 - 8 + 4 + 1
}

TEST(Rnn, RefusesWhatDoesNotFit) {
  const auto call_with = [](Dimensions state, int32_t activation) {
    OperationCall call(ANEURALNETWORKS_RNN);
    const Floats values = ones(state);
    call.floats({1, 2}, {1, 2}).floats({2, 2}, {1, 2, 3, 4}).floats({2, 2}, {1, 2, 3, 4}).floats({2}, {1, 2}).floats(state, values);
    call.int32(activation).output(ANEURALNETWORKS_TENSOR_FLOAT32).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run();
  };
  EXPECT_EQ(call_with({1, 2}, 0).code, ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(call_with({2, 2}, 0).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(call_with({1, 3}, 0).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(call_with({1, 2}, 4).code, ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(call_with({0, 2}, 0).code, ANEURALNETWORKS_OP_FAILED);  // empty tensors are not for this operation
}

TEST(UnidirectionalSequenceRnn, BothLayoutsWithAndWithoutState) {
  const Cell cell(3, 4, 20);  // more units than a panel of the product has
  const Floats input = Numbers(4).take(kTime * kBatch * 4);
  const Expected wanted = expected(cell, input, {}, kTime, ANEURALNETWORKS_FUSED_RELU6, false);
  for (bool time_major : {false, true}) {
    for (bool with_state : {false, true}) {
      for (const Precision& precision : {Precision{}, Precision{.constant_weights = true}, Precision{.half = true}}) {
        OperationCall call(ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN);
        precision.add(call, time_major ? Dimensions{kTime, kBatch, 4} : Dimensions{kBatch, kTime, 4},
                      time_major ? input : exchange_first_two(input, kTime, kBatch), false);
        cell.add(call, precision);
        call.int32(ANEURALNETWORKS_FUSED_RELU6).int32(time_major).output(precision.tensor()).in_pieces();
        if (with_state) call.output(precision.tensor());
        ASSERT_EQ(call.run().message, "");
        EXPECT_EQ(call.dims(0), (time_major ? Dimensions{kTime, kBatch, 20} : Dimensions{kBatch, kTime, 20}));
        expect_near(precision.result(call, 0), time_major ? wanted.outputs : exchange_first_two(wanted.outputs, kTime, kBatch),
                    precision.tolerance() * 10, "output");
        if (with_state) expect_near(precision.result(call, 1), wanted.state, precision.tolerance() * 10, "state");
      }
    }
  }
}

TEST(UnidirectionalSequenceRnn, RefusesWhatDoesNotFit) {
  const auto call_with = [](Dimensions input, int32_t time_major) {
    OperationCall call(ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN);
    call.floats(input, ones(input)).floats({1, 2}, {1, 2}).floats({1, 1}, {1}).floats({1}, {1});
    call.floats({3, 1}, {1, 1, 1}).int32(0).int32(time_major).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run();
  };
  EXPECT_EQ(call_with({2, 3, 2}, 1).code, ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(call_with({2, 3, 2}, 0).code, ANEURALNETWORKS_OP_FAILED);  // two batches, the state has three
  EXPECT_EQ(call_with({2, 3, 3}, 1).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(call_with({2, 3, 2}, 2).code, ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(call_with({0, 3, 2}, 1).code, ANEURALNETWORKS_OP_FAILED);
}

// ---- Both directions ---------------------------------------------------------------------------------------------

struct Bidirectional {
  enum Link { kNone, kParallel, kCross } link = kNone;
  bool time_major = true, merged = false, states = false;
  Precision precision = {};
};

void add_sequence(OperationCall& call, const Bidirectional& form, const Floats& values, uint32_t size) {
  form.precision.add(call, form.time_major ? Dimensions{kTime, kBatch, size} : Dimensions{kBatch, kTime, size},
                     form.time_major ? values : exchange_first_two(values, kTime, kBatch), false);
}

std::vector<double> merge(const std::vector<double>& left, const std::vector<double>& right, size_t rows) {
  std::vector<double> all;
  const size_t l = left.size() / rows, r = right.size() / rows;
  for (size_t i = 0; i < rows; ++i) {
    all.insert(all.end(), left.begin() + static_cast<long>(i * l), left.begin() + static_cast<long>((i + 1) * l));
    all.insert(all.end(), right.begin() + static_cast<long>(i * r), right.begin() + static_cast<long>((i + 1) * r));
  }
  return all;
}

void check(const Bidirectional& form) {
  constexpr uint32_t kInput = 3, kAuxiliary = 5;
  const bool cross = form.link == Bidirectional::kCross, parallel = form.link == Bidirectional::kParallel;
  const Cell forward(5, kInput, 4, cross ? kAuxiliary : 0);
  const Cell backward(6, parallel ? kAuxiliary : kInput, 2, cross ? kAuxiliary : 0);
  const Floats input = Numbers(7).take(kTime * kBatch * kInput), auxiliary = Numbers(8).take(kTime * kBatch * kAuxiliary);
  const Precision& precision = form.precision;

  OperationCall call(ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN);
  add_sequence(call, form, input, kInput);
  forward.add(call, precision);
  backward.add(call, precision);
  if (form.link == Bidirectional::kNone) {
    call.omitted(precision.tensor());
  } else {
    add_sequence(call, form, auxiliary, kAuxiliary);
  }
  precision.add_optional(call, {4, kAuxiliary}, forward.auxiliary_weights);
  precision.add_optional(call, {2, kAuxiliary}, backward.auxiliary_weights);
  call.int32(ANEURALNETWORKS_FUSED_RELU1).boolean(form.time_major).boolean(form.merged);
  for (size_t i = 0; i < (form.merged ? 1u : 2u) + (form.states ? 2u : 0u); ++i) call.output(precision.tensor());
  ASSERT_EQ(call.run().message, "");

  const Expected f = expected(forward, input, auxiliary, kTime, ANEURALNETWORKS_FUSED_RELU1, false);
  const Expected b = expected(backward, parallel ? auxiliary : input, auxiliary, kTime, ANEURALNETWORKS_FUSED_RELU1, true);
  const auto ordered = [&](std::vector<double> values) { return form.time_major ? values : exchange_first_two(values, kTime, kBatch); };
  const double tolerance = precision.tolerance() * 10;
  size_t next = 0;
  if (form.merged) {
    expect_near(precision.result(call, next++), ordered(merge(f.outputs, b.outputs, kTime * kBatch)), tolerance, "merged");
  } else {
    expect_near(precision.result(call, next++), ordered(f.outputs), tolerance, "forward");
    expect_near(precision.result(call, next++), ordered(b.outputs), tolerance, "backward");
  }
  if (!form.states) return;
  expect_near(precision.result(call, next++), f.state, tolerance, "forward state");
  expect_near(precision.result(call, next++), b.state, tolerance, "backward state");
}

TEST(BidirectionalSequenceRnn, EveryForm) {
  for (const auto link : {Bidirectional::kNone, Bidirectional::kParallel, Bidirectional::kCross}) {
    for (int bits = 0; bits < 8; ++bits) {
      for (const Precision& precision : {Precision{}, Precision{.constant_weights = true}, Precision{.half = true}}) {
        SCOPED_TRACE(testing::Message() << "link " << link << ", form " << bits << ", half " << precision.half);
        check({.link = link, .time_major = (bits & 1) != 0, .merged = (bits & 2) != 0, .states = (bits & 4) != 0, .precision = precision});
      }
    }
  }
}

TEST(BidirectionalSequenceRnn, RefusesContradictions) {
  struct Variation {
    bool auxiliary, forward_weights, backward_weights, merged;
    size_t outputs;
    Dimensions auxiliary_dims = {1, 1, 2};
  };
  const auto run = [](const Variation& v) {
    OperationCall call(ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN);
    call.floats({1, 1, 2}, {1, 2});
    for (int direction = 0; direction < 2; ++direction) {
      call.floats({1, 2}, {1, 2}).floats({1, 1}, {1}).floats({1}, {1}).floats({1, 1}, {1});
    }
    const Precision precision;
    precision.add_optional(call, v.auxiliary_dims, v.auxiliary ? ones(v.auxiliary_dims) : Floats{});
    precision.add_optional(call, {1, 2}, v.forward_weights ? Floats{1, 2} : Floats{});
    precision.add_optional(call, {1, 2}, v.backward_weights ? Floats{1, 2} : Floats{});
    call.int32(0).boolean(true).boolean(v.merged);
    for (size_t i = 0; i < v.outputs; ++i) call.output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run().code;
  };
  EXPECT_EQ(run({true, true, true, false, 2}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({true, true, false, false, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({true, false, true, false, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({false, true, true, false, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({true, true, true, false, 1}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({true, true, true, true, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({true, true, true, true, 1}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({true, true, true, false, 5}), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(run({true, true, true, false, 2, {2, 1, 2}}), ANEURALNETWORKS_OP_FAILED);  // other time steps
  EXPECT_EQ(run({true, true, true, false, 2, {1, 1, 3}}), ANEURALNETWORKS_OP_FAILED);  // other size than its weights
  EXPECT_EQ(run({true, false, false, false, 2, {1, 1, 3}}), ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
