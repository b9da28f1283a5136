// SPDX-License-Identifier: Apache-2.0
// LSTM and its sequence forms: every combination of options against the equations in double, layouts, linking, states, and the
// rules between optional inputs.
#include "lstm_reference.hpp"

namespace avocet::runtime {
namespace {

constexpr uint32_t kTime = 3, kBatch = 2;

const Precision kPrecisions[] = {{}, {.constant_weights = true}, {.half = true}, {.half = true, .constant_weights = true}};

/// Options by the bits of a number below 32.
LstmOptions options_of(int bits) {
  return {.output = 4,
          .coupled = (bits & 1) != 0,
          .peephole = (bits & 2) != 0,
          .projected = (bits & 4) != 0,
          .projection_bias = (bits & 20) == 20,
          .normalised = (bits & 8) != 0};
}

double tolerance_of(const Precision& precision) { return precision.tolerance() * 10; }

OperationCall lstm_call(const LstmValues& v, const Precision& precision, const Floats& input) {
  OperationCall call(ANEURALNETWORKS_LSTM);
  precision.add(call, {kBatch, static_cast<uint32_t>(v.options.input)}, input, false);
  v.add_weights(call, precision);
  v.add_states(call, precision);
  v.add_parameters(call, precision);
  if (v.options.normalised) v.add_norm(call, precision);
  for (int i = 0; i < 4; ++i) call.output(precision.tensor());
  return call;
}

void check_one_step(const LstmOptions& options, const Precision& precision) {
  const LstmValues v(17, options);
  const Floats input = Numbers(18).take(kBatch * v.options.input);
  OperationCall call = lstm_call(v, precision, input);
  ASSERT_EQ(call.in_pieces().run().message, "");
  const LstmResult wanted = lstm_reference(v, input, {}, 1, false);
  const auto units = static_cast<uint32_t>(v.options.units);
  EXPECT_EQ(call.dims(0), (Dimensions{kBatch, units * (options.coupled ? 3 : 4)}));
  expect_near(precision.result(call, 1), wanted.output_state, tolerance_of(precision), "output state");
  expect_near(precision.result(call, 2), wanted.cell_state, tolerance_of(precision), "cell state");
  expect_near(precision.result(call, 3), wanted.outputs, tolerance_of(precision), "output");
}

TEST(Lstm, EveryCombinationOfOptions) {
  for (int bits = 0; bits < 32; ++bits) {
    for (const Precision& precision : kPrecisions) {
      SCOPED_TRACE(testing::Message() << "options " << bits << ", half " << precision.half);
      check_one_step(options_of(bits), precision);
    }
  }
}

TEST(Lstm, EveryActivation) {
  for (int32_t activation : {0, 1, 3, 4, 6}) {
    LstmOptions options = options_of(2);
    options.activation = activation;
    SCOPED_TRACE(activation);
    check_one_step(options, {});
  }
  LstmOptions options;
  for (int32_t activation : {2, 5, 7, -1}) {
    options.activation = activation;
    OperationCall call = lstm_call(LstmValues(1, options), {}, Floats(kBatch * 5));
    expect_failure(call, ANEURALNETWORKS_BAD_DATA, "activation");
  }
}

TEST(Lstm, Clipping) {
  LstmOptions options = options_of(4 + 16);
  options.cell_clip = 0.25f;
  options.projection_clip = 0.125f;
  check_one_step(options, {});
  check_one_step(options, {.half = true});
  options.projected = options.projection_bias = false;  // the second threshold is that of the projection alone
  check_one_step(options, {});
  options.cell_clip = -1.0f;
  OperationCall call = lstm_call(LstmValues(1, options), {}, Floats(kBatch * 5));
  expect_failure(call, ANEURALNETWORKS_BAD_DATA, "cell_clip");
}

TEST(Lstm, ZeroWeightsHalveTheCell) {
  OperationCall call(ANEURALNETWORKS_LSTM);
  call.floats({1, 1}, {7});
  for (int i = 0; i < 8; ++i) call.floats({1, 1}, {0});
  for (int i = 0; i < 3; ++i) call.omitted(ANEURALNETWORKS_TENSOR_FLOAT32);
  for (int i = 0; i < 4; ++i) call.floats({1}, {0});
  call.omitted(ANEURALNETWORKS_TENSOR_FLOAT32).omitted(ANEURALNETWORKS_TENSOR_FLOAT32).floats({1, 1}, {9}).floats({1, 1}, {3});
  call.int32(0).float32(0).float32(0);
  for (int i = 0; i < 4; ++i) call.output(ANEURALNETWORKS_TENSOR_FLOAT32);
  ASSERT_EQ(call.run().message, "");
  EXPECT_EQ(call.values<float>(0), (Floats{0, 0, 0, 0}));  // the scratch output
  EXPECT_EQ(call.values<float>(2), (Floats{1.5f}));        // all gates are 1/2, the candidate is 0
  EXPECT_EQ(call.values<float>(3), (Floats{0.75f}));
}

TEST(Lstm, NormalisingEqualValuesGivesTheBias) {
  LstmOptions options = options_of(8);
  LstmValues v(3, options);
  for (Floats& w : v.input_weights) w.assign(w.size(), 0.5f);
  for (Floats& w : v.recurrent_weights) w.assign(w.size(), 0.0f);
  OperationCall call = lstm_call(v, {}, Floats(kBatch * 5, 0.25f));
  ASSERT_EQ(call.run().message, "");
  const Floats cell = call.values<float>(2);
  for (size_t i = 0; i < cell.size(); ++i) {
    const size_t u = i % v.options.units;
    const double wanted = lstm_activation_of(v.bias[kForget][u], 6) * v.cell_state[i] +
                          lstm_activation_of(v.bias[kInput][u], 6) * std::tanh(v.bias[kCell][u]);
    EXPECT_NEAR(cell[i], wanted, 1e-5);
  }
}

TEST(Lstm, RefusesInconsistentOptionalInputs) {
  const auto refuse = [](int bits, void (*spoil)(LstmValues&), const std::string& words) {
    LstmValues v(5, options_of(bits));
    spoil(v);
    OperationCall call = lstm_call(v, {}, Floats(kBatch * 5));
    expect_failure(call, ANEURALNETWORKS_OP_FAILED, words);
  };
  refuse(0, [](LstmValues& v) { v.input_weights[kInput].clear(); }, "input gate");
  refuse(0, [](LstmValues& v) { v.recurrent_weights[kInput].clear(); }, "input gate");
  refuse(0, [](LstmValues& v) { v.bias[kInput].clear(); }, "input gate");
  refuse(1, [](LstmValues& v) { v.bias[kInput] = v.bias[kForget]; }, "input gate");
  refuse(2, [](LstmValues& v) { v.peephole[kForget].clear(); }, "peephole");
  refuse(2, [](LstmValues& v) { v.peephole[kOutput].clear(); }, "peephole");
  refuse(2, [](LstmValues& v) { v.peephole[kInput].clear(); }, "peephole");
  refuse(3, [](LstmValues& v) { v.peephole[kInput] = v.peephole[kForget]; }, "no input gate");
  refuse(0, [](LstmValues& v) { v.peephole[kInput] = v.bias[kForget]; }, "peephole");
  refuse(8, [](LstmValues& v) { v.norm[kCell].clear(); }, "layer normalisation");
  refuse(8, [](LstmValues& v) { v.norm[kInput].clear(); }, "layer normalisation");
  refuse(9, [](LstmValues& v) { v.norm[kInput] = v.norm[kForget]; }, "no input gate");
  refuse(0, [](LstmValues& v) { v.projection_bias = v.bias[kForget]; }, "projection");
  refuse(4, [](LstmValues& v) { v.projection.clear(); }, "projection");
}

TEST(Lstm, RefusesWhatDoesNotFit) {
  LstmValues v(5, {});
  OperationCall other_input(ANEURALNETWORKS_LSTM);
  other_input.floats({kBatch, 4}, Floats(kBatch * 4));
  v.add_weights(other_input, {});
  v.add_states(other_input, {});
  v.add_parameters(other_input, {});
  for (int i = 0; i < 4; ++i) other_input.output(ANEURALNETWORKS_TENSOR_FLOAT32);
  expect_failure(other_input, ANEURALNETWORKS_OP_FAILED, "input_size");

  v.options.batch = 3;
  v.cell_state.resize(18);
  v.output_state.resize(18);
  OperationCall other_batch = lstm_call(v, {}, Floats(kBatch * 5));
  expect_failure(other_batch, ANEURALNETWORKS_OP_FAILED, "batch");
}

// ---- Sequences ---------------------------------------------------------------------------------------------------

struct Form {
  enum Link { kNone, kParallel, kCross } link = kNone;
  bool time_major = true, merged = false, states = false;
  Precision precision = {};
};

void add_sequence(OperationCall& call, const Form& form, const Floats& values, size_t size) {
  const auto width = static_cast<uint32_t>(size);
  form.precision.add(call, form.time_major ? Dimensions{kTime, kBatch, width} : Dimensions{kBatch, kTime, width},
                     form.time_major ? values : exchange_first_two(values, kTime, kBatch), false);
}

std::vector<double> ordered(const Form& form, const std::vector<double>& values) {
  return form.time_major ? values : exchange_first_two(values, kTime, kBatch);
}

TEST(UnidirectionalSequenceLstm, EveryCombinationOfOptions) {
  for (int bits = 0; bits < 128; ++bits) {
    const Form form{.time_major = (bits & 32) != 0, .states = (bits & 64) != 0, .precision = kPrecisions[bits % 4]};
    SCOPED_TRACE(testing::Message() << "options and form " << bits);
    const LstmValues v(static_cast<uint32_t>(bits), options_of(bits));
    const Floats input = Numbers(2).take(kTime * kBatch * v.options.input);
    OperationCall call(ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_LSTM);
    add_sequence(call, form, input, v.options.input);
    v.add_weights(call, form.precision);
    v.add_states(call, form.precision);
    v.add_parameters(call, form.precision);
    call.boolean(form.time_major);
    v.add_norm(call, form.precision);
    for (int i = 0; i < (form.states ? 3 : 1); ++i) call.output(form.precision.tensor());
    ASSERT_EQ(call.run().message, "");
    const LstmResult wanted = lstm_reference(v, input, {}, kTime, false);
    expect_near(form.precision.result(call, 0), ordered(form, wanted.outputs), tolerance_of(form.precision), "output");
    if (!form.states) continue;
    expect_near(form.precision.result(call, 1), wanted.output_state, tolerance_of(form.precision), "output state");
    expect_near(form.precision.result(call, 2), wanted.cell_state, tolerance_of(form.precision), "cell state");
  }
}

struct BothDirections {
  LstmValues forward, backward;
  Floats input = Numbers(9).take(kTime * kBatch * 5), auxiliary = Numbers(10).take(kTime * kBatch * 3);

  BothDirections(const Form& form, LstmOptions forward_options, LstmOptions backward_options)
      : forward(21, linked(form, forward_options)), backward(22, linked(form, backward_options)) {
    if (form.link != Form::kParallel) return;
    backward_options.input = 3;  // the backward cell reads the auxiliary input
    backward = LstmValues(22, backward_options);
  }
  static LstmOptions linked(const Form& form, LstmOptions options) {
    if (form.link == Form::kCross) options.auxiliary = 3;
    return options;
  }
  OperationCall call(const Form& form, size_t outputs) const {
    const Precision& precision = form.precision;
    OperationCall call(ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_LSTM);
    add_sequence(call, form, input, 5);
    forward.add_weights(call, precision);
    backward.add_weights(call, precision);
    forward.add_states(call, precision);
    backward.add_states(call, precision);
    if (form.link == Form::kNone) {
      call.omitted(precision.tensor());
    } else {
      add_sequence(call, form, auxiliary, 3);
    }
    forward.add_auxiliary(call, precision);
    backward.add_auxiliary(call, precision);
    forward.add_parameters(call, precision);
    call.boolean(form.merged).boolean(form.time_major);
    forward.add_norm(call, precision);
    backward.add_norm(call, precision);
    for (size_t i = 0; i < outputs; ++i) call.output(precision.tensor());
    return call;
  }
};

void check_both(const Form& form, const LstmOptions& forward, const LstmOptions& backward) {
  const BothDirections both(form, forward, backward);
  OperationCall call = both.call(form, (form.merged ? 1 : 2) + (form.states ? 4 : 0));
  ASSERT_EQ(call.run().message, "");
  const Floats& backward_input = form.link == Form::kParallel ? both.auxiliary : both.input;
  const LstmResult f = lstm_reference(both.forward, both.input, both.auxiliary, kTime, false);
  const LstmResult b = lstm_reference(both.backward, backward_input, both.auxiliary, kTime, true);
  std::vector<std::vector<double>> wanted;
  if (form.merged) {
    const size_t rows = kTime * kBatch, left = both.forward.options.output, right = both.backward.options.output;
    std::vector<double>& all = wanted.emplace_back(rows * (left + right));
    for (size_t r = 0; r < rows; ++r) {
      for (size_t i = 0; i < left; ++i) all[r * (left + right) + i] = f.outputs[r * left + i];
      for (size_t i = 0; i < right; ++i) all[r * (left + right) + left + i] = b.outputs[r * right + i];
    }
    all = ordered(form, all);
  } else {
    wanted = {ordered(form, f.outputs), ordered(form, b.outputs)};
  }
  if (form.states) wanted.insert(wanted.end(), {f.output_state, f.cell_state, b.output_state, b.cell_state});
  for (size_t i = 0; i < wanted.size(); ++i) {
    expect_near(form.precision.result(call, i), wanted[i], tolerance_of(form.precision), "output " + std::to_string(i));
  }
}

TEST(BidirectionalSequenceLstm, EveryFormWithChangingOptions) {
  for (const auto link : {Form::kNone, Form::kParallel, Form::kCross}) {
    for (int bits = 0; bits < 32; ++bits) {
      SCOPED_TRACE(testing::Message() << "link " << link << ", form and options " << bits);
      const Form form{.link = link,
                      .time_major = (bits & 1) != 0,
                      .merged = (bits & 2) != 0,
                      .states = (bits & 4) != 0,
                      .precision = kPrecisions[bits >> 3]};
      LstmOptions backward = options_of((bits * 11) % 32);
      backward.units = 4;
      check_both(form, options_of((bits * 7 + 1) % 32), backward);
    }
  }
}

TEST(BidirectionalSequenceLstm, PlaceOfTheBackwardOutputIsUnusedWhenMerged) {
  const Form form{.merged = true};
  const BothDirections both(form, {}, {});
  OperationCall call = both.call(form, 2);
  ASSERT_EQ(call.run().message, "");
  EXPECT_EQ(call.dims(0), (Dimensions{kTime, kBatch, 12}));
  EXPECT_EQ(call.values<float>(1), Floats(kTime * kBatch * 6, 0.0f));
}

TEST(BidirectionalSequenceLstm, RefusesContradictions) {
  const auto refuse = [](Form form, void (*spoil)(BothDirections&), size_t outputs, const std::string& words) {
    BothDirections both(form, {}, {});
    spoil(both);
    OperationCall call = both.call(form, outputs);
    expect_failure(call, ANEURALNETWORKS_OP_FAILED, words);
  };
  const auto nothing = [](BothDirections&) {};
  refuse({}, nothing, 1, "merge_outputs");
  refuse({.link = Form::kCross}, [](BothDirections& b) { b.forward.auxiliary_weights[kCell].clear(); }, 2, "auxiliary");
  refuse({.link = Form::kCross}, [](BothDirections& b) { b.forward.auxiliary_weights[kInput].clear(); }, 2, "auxiliary");
  refuse({.link = Form::kCross}, [](BothDirections& b) { b.backward.auxiliary_weights[kForget].clear(); }, 2, "auxiliary");
  refuse({.link = Form::kCross}, [](BothDirections& b) { for (Floats& w : b.backward.auxiliary_weights) w.clear(); }, 2, "auxiliary");
  // Weights for an auxiliary input that is not there.
  Form cross{.link = Form::kCross};
  const BothDirections both(cross, {}, {});
  cross.link = Form::kNone;
  OperationCall call = both.call(cross, 2);
  expect_failure(call, ANEURALNETWORKS_OP_FAILED, "without the auxiliary input");
}

}  // namespace
}  // namespace avocet::runtime
