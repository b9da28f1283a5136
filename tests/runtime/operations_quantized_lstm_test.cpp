// SPDX-License-Identifier: Apache-2.0
// The integer LSTMs: their 16 bit arithmetic against real functions, both operations against their equations on dequantised
// values, exact results where they are known, and what they refuse.
#include <functional>

#include "operations/fixed_point_16.hpp"
#include "operations/integer_layer_norm.hpp"
#include "operations/inverse_square_root.hpp"
#include "recurrent_values.hpp"

namespace avocet::runtime {
namespace {

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

TEST(FixedPoint16, LogisticOfEveryNumber) {
  for (int32_t a = -32768; a <= 32767; ++a) {
    const int16_t is = fixed_point_16::logistic(static_cast<int16_t>(a), 3);
    ASSERT_NEAR(is, 32768 * logistic(a / 4096.0), 7) << a;
    if (a == 0 || a == -32768) continue;
    ASSERT_EQ(is + fixed_point_16::logistic(static_cast<int16_t>(-a), 3), 32767) << a;
  }
  EXPECT_EQ(fixed_point_16::logistic(0, 3), 16384);
}

TEST(FixedPoint16, TanhOfEveryNumberOfEveryRange) {
  for (int bits = 0; bits <= 6; ++bits) {
    for (int32_t a = -32768; a <= 32767; ++a) {
      const int16_t is = fixed_point_16::tanh(static_cast<int16_t>(a), bits);
      ASSERT_NEAR(is, 32768 * std::tanh(std::ldexp(a, bits - 15)), 13) << a << " with " << bits << " integer bits";
      if (a == -32768) continue;
      ASSERT_EQ(is, -fixed_point_16::tanh(static_cast<int16_t>(-a), bits)) << a;
    }
  }
}

TEST(FixedPoint16, BitsOfGemmlowp) {
  // Computed with gemmlowp's templates: logistic and tanh of Q3.12, tanh of Q6.9.
  constexpr int16_t kNumbers[7][4] = {{1, 16384, 8, 64},           {-1, 16383, -8, -64},          {1000, 18376, 7840, 31476},
                                      {-4096, 8815, -24964, -32767}, {12345, 31236, 32616, 32767}, {32767, 32756, 32767, 32767},
                                      {-32768, 11, -32767, -32767}};
  for (const auto& [a, of_logistic, of_tanh_3, of_tanh_6] : kNumbers) {
    EXPECT_EQ(fixed_point_16::logistic(a, 3), of_logistic) << a;
    EXPECT_EQ(fixed_point_16::tanh(a, 3), of_tanh_3) << a;
    EXPECT_EQ(fixed_point_16::tanh(a, 6), of_tanh_6) << a;
  }
}

TEST(FixedPoint16, RoundsHalvesAndSaturates) {
  using namespace fixed_point_16;
  EXPECT_EQ(multiply(-32768, -32768), 32767);
  EXPECT_EQ(multiply(16384, 1), 1);    // 1/2 up
  EXPECT_EQ(multiply(16384, -1), 0);   // -1/2 up as well
  EXPECT_EQ(multiply(-32768, 32767), -32767);
  EXPECT_EQ(scale_by_power_of_two(5, -1), 3);
  EXPECT_EQ(scale_by_power_of_two(-5, -1), -3);
  EXPECT_EQ(scale_by_power_of_two(16383, 1), 32766);
  EXPECT_EQ(scale_by_power_of_two(16384, 1), 32767);
  EXPECT_EQ(scale_by_power_of_two(-16384, 1), -32768);
}

TEST(InverseSquareRoot, OfSmallAndLargeIntegers) {
  for (int64_t x = 2; x <= 0x7fffffff; x += x / 7 + 1) {
    const QuantisedMultiplier m = inverse_square_root(static_cast<int32_t>(x));
    EXPECT_NEAR(std::ldexp(m.mantissa, m.exponent - 31) * std::sqrt(static_cast<double>(x)), 1.0, 2e-6) << x;
  }
  for (int32_t x : {1, 0, -5}) EXPECT_EQ(inverse_square_root(x).mantissa, 0x7fffffff);
}

TEST(IntegerLayerNorm, AgainstRealNumbers) {
  Numbers numbers(1);
  for (size_t count : {2, 4, 6, 64}) {
    std::vector<int16_t> values = numbers.integers<int16_t>(count, -20000, 20000);
    const std::vector<int16_t> weights = numbers.integers<int16_t>(count, -32768, 32767);
    const std::vector<int32_t> bias = numbers.integers<int32_t>(count, -8000000, 8000000);
    double mean = 0, variance = 0;
    for (int16_t x : values) mean += x / static_cast<double>(count);
    for (int16_t x : values) variance += (x - mean) * (x - mean) / static_cast<double>(count);
    std::vector<double> wanted;
    constexpr double kScale = 1.0 / 65536;
    for (size_t i = 0; i < count; ++i) {
      const double normalised = (values[i] - mean) / std::sqrt(variance);
      wanted.push_back(std::clamp((normalised * weights[i] + bias[i] / 1024.0) * kScale * 4096, -32768.0, 32767.0));
    }
    integer_layer_norm(values.data(), count, weights.data(), bias.data(), quantise_multiplier(kScale));
    for (size_t i = 0; i < count; ++i) EXPECT_NEAR(values[i], wanted[i], 3 + std::abs(wanted[i]) / 500) << count;
  }
}

TEST(IntegerLayerNorm, EqualValuesAndExtremeNumbers) {
  std::vector<int16_t> values(5, 1234);
  const std::vector<int16_t> weights(5, 32767);
  const std::vector<int32_t> bias{0, 1024 * 1024, -1024 * 1024, 0x7fffffff, -0x7fffffff - 1};
  integer_layer_norm(values.data(), 5, weights.data(), bias.data(), quantise_multiplier(1.0 / 4096));
  EXPECT_EQ(values, (std::vector<int16_t>{0, 1024, -1024, 32767, -32768}));
  values = {32767, -32768, 32767, -32768, 0};
  integer_layer_norm(values.data(), 5, weights.data(), bias.data(), quantise_multiplier(1e9));  // saturates, does not overflow
}

// ---- QUANTIZED_16BIT_LSTM ----------------------------------------------------------------------------------------

struct Lstm16 {
  uint32_t batch, input, units;
  int32_t weights_zero = 100;
  float weights_scale = 1.0f / 256;
  std::vector<uint8_t> x, input_weights[4], recurrent_weights[4], h;
  std::vector<int32_t> bias[4];
  std::vector<int16_t> c;

  Lstm16(uint32_t seed, uint32_t batches, uint32_t input_size, uint32_t unit_count)
      : batch(batches), input(input_size), units(unit_count) {
    Numbers numbers(seed);
    x = numbers.integers<uint8_t>(batch * input, 0, 255);
    for (auto& w : input_weights) w = numbers.integers<uint8_t>(units * input, 0, 255);
    for (auto& w : recurrent_weights) w = numbers.integers<uint8_t>(units * units, 0, 255);
    for (auto& b : bias) b = numbers.integers<int32_t>(units, -40000, 40000);
    c = numbers.integers<int16_t>(batch * units, -8000, 8000);
    h = numbers.integers<uint8_t>(batch * units, 0, 255);
  }
  OperationCall call() const {
    constexpr float kStep = 1.0f / 128;
    OperationCall call(ANEURALNETWORKS_QUANTIZED_16BIT_LSTM);
    call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {batch, input}, x, kStep, 128);
    for (const auto& w : input_weights) {
      call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {units, input}, w, weights_scale, weights_zero);
    }
    for (const auto& w : recurrent_weights) {
      call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {units, units}, w, weights_scale, weights_zero);
    }
    for (const auto& b : bias) call.ints({units}, b, weights_scale / 128);
    call.input(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, {batch, units}, c, 1.0f / 2048);
    call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {batch, units}, h, kStep, 128);
    call.output(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, 1.0f / 2048).output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kStep, 128);
    return call;
  }
  /// The weights of a unit are put together recurrent first, the values input first: so it was recorded on Android.
  double gate(size_t g, size_t b, size_t u) const {
    std::vector<double> row, values;
    for (size_t i = 0; i < units; ++i) row.push_back(recurrent_weights[g][u * units + i]);
    for (size_t i = 0; i < input; ++i) row.push_back(input_weights[g][u * input + i]);
    for (size_t i = 0; i < input; ++i) values.push_back(x[b * input + i]);
    for (size_t i = 0; i < units; ++i) values.push_back(h[b * units + i]);
    double sum = bias[g][u];
    for (size_t i = 0; i < row.size(); ++i) sum += (row[i] - weights_zero) * (values[i] - 128);
    return std::clamp(sum * weights_scale / 128, -8.0, 8.0);
  }
};

TEST(Quantized16bitLstm, AgainstRealNumbers) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const Lstm16 lstm(seed, 1 + seed % 3, 1 + seed % 5, 1 + seed % 7);
    OperationCall call = lstm.call();
    ASSERT_EQ(call.in_pieces().run().message, "");
    EXPECT_EQ(call.dims(0), (Dimensions{lstm.batch, lstm.units}));
    EXPECT_EQ(call.dims(1), (Dimensions{lstm.batch, lstm.units}));
    const auto state = call.values<int16_t>(0);
    const auto output = call.values<uint8_t>(1);
    for (size_t i = 0; i < state.size(); ++i) {
      const size_t b = i / lstm.units, u = i % lstm.units;
      const double next = logistic(lstm.gate(1, b, u)) * lstm.c[i] / 2048 +
                          logistic(lstm.gate(0, b, u)) * std::tanh(lstm.gate(2, b, u));
      EXPECT_NEAR(state[i], next * 2048, 4);
      EXPECT_NEAR(output[i], std::clamp(128 + 128 * logistic(lstm.gate(3, b, u)) * std::tanh(next), 0.0, 255.0), 1.01);
    }
  }
}

TEST(Quantized16bitLstm, ZeroWeightsHalveTheState) {
  Lstm16 lstm(1, 1, 2, 3);
  for (auto& w : lstm.input_weights) w.assign(w.size(), 100);
  for (auto& w : lstm.recurrent_weights) w.assign(w.size(), 100);
  for (auto& b : lstm.bias) b.assign(b.size(), 0);
  lstm.c = {2048, -4097, 32767};
  OperationCall call = lstm.call();
  ASSERT_EQ(call.run().message, "");
  EXPECT_EQ(call.values<int16_t>(0), (std::vector<int16_t>{1024, -2048, 16384}));  // -2048.5 rounds up
  // 128 * tanh(0.5) / 2 = 29.6, tanh(-1): -48.7, tanh(8): 64
  EXPECT_EQ(call.values<uint8_t>(1), (std::vector<uint8_t>{158, 79, 192}));
}

TEST(Quantized16bitLstm, HugeSumsWrapWithoutTrouble) {
  Lstm16 lstm(3, 1, 4, 2);
  for (auto& b : lstm.bias) b = {0x7fffffff, -0x7fffffff - 1};
  OperationCall call = lstm.call();
  EXPECT_EQ(call.run().message, "");
  lstm.weights_scale = 1e30f;
  OperationCall extreme = lstm.call();
  EXPECT_EQ(extreme.run().message, "");
}

TEST(Quantized16bitLstm, RefusesOtherScales) {
  const auto refuse = [](const std::function<void(OperationCall&, const Lstm16&)>& build, const std::string& words) {
    const Lstm16 lstm(2, 1, 2, 3);
    OperationCall call(ANEURALNETWORKS_QUANTIZED_16BIT_LSTM);
    build(call, lstm);
    call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 3}, lstm.h, 1.0f / 128, 128);
    call.output(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, 1.0f / 2048).output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 1.0f / 128, 128);
    expect_failure(call, ANEURALNETWORKS_OP_FAILED, words);
  };
  const auto build = [](float input_scale, float last_weights_scale, int32_t last_weights_zero, float bias_scale, float state_scale) {
    return [=](OperationCall& call, const Lstm16& lstm) {
      call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 2}, lstm.x, input_scale, 128);
      for (const auto& w : lstm.input_weights) call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {3, 2}, w, 1.0f / 256, 100);
      for (size_t i = 0; i < 4; ++i) {
        call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {3, 3}, lstm.recurrent_weights[i], i == 3 ? last_weights_scale : 1.0f / 256,
                   i == 3 ? last_weights_zero : 100);
      }
      for (const auto& b : lstm.bias) call.ints({3}, b, bias_scale);
      call.input(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, {1, 3}, lstm.c, state_scale);
    };
  };
  constexpr float kStep = 1.0f / 128, kWeights = 1.0f / 256;
  refuse(build(1.0f / 64, kWeights, 100, kWeights / 128, 1.0f / 2048), "input 0");
  refuse(build(kStep, 1.0f / 128, 100, kWeights / 128, 1.0f / 2048), "must be the same");
  refuse(build(kStep, kWeights, 101, kWeights / 128, 1.0f / 2048), "must be the same");
  refuse(build(kStep, kWeights, 100, kWeights, 1.0f / 2048), "bias");
  refuse(build(kStep, kWeights, 100, kWeights / 128, 1.0f / 1024), "cell_state_in");
}

// ---- QUANTIZED_LSTM ----------------------------------------------------------------------------------------------

enum Gate : size_t { kInput, kForget, kCell, kOutput };

struct QuantisedLstm {
  uint32_t batch = 2, input = 5, units = 6, outputs = 6;
  bool coupled = false, peephole = false, projected = false, projection_bias = false, normalised = false;
  float x_scale = 1.0f / 64, h_scale = 1.0f / 100, weights_scale = 1.0f / 128, peephole_scale = 1.0f / 32768;
  float cell_scale = 1.0f / 4096, norm_scale = 1.0f / 16384, projection_scale = 1.0f / 256;
  float intermediate_scale = 1.0f / 1024, hidden_scale = 1.0f / 127;
  int32_t x_zero = 5, h_zero = -7, hidden_zero = 0;
  float cell_clip = 0.0f, projection_clip = 0.0f;
  bool has_clips = true;
  std::vector<int8_t> x, input_weights[4], recurrent_weights[4], projection, h;
  std::vector<int16_t> peephole_weights[4], norm[4], c;
  std::vector<int32_t> bias[4], projection_biases;

  /// Fills in the values for the options set before.
  QuantisedLstm& fill(uint32_t seed) {
    if (!projected) outputs = units;
    Numbers numbers(seed);
    x = numbers.integers<int8_t>(batch * input, -128, 127);
    for (size_t g = coupled ? kForget : kInput; g <= kOutput; ++g) {
      input_weights[g] = numbers.integers<int8_t>(units * input, -127, 127);
      recurrent_weights[g] = numbers.integers<int8_t>(units * outputs, -127, 127);
      if (peephole && g != kCell) peephole_weights[g] = numbers.integers<int16_t>(units, -32767, 32767);
      const int32_t largest = normalised ? 16384 * 1024 : 8192;  // about 1 in either scale
      bias[g] = numbers.integers<int32_t>(units, -largest, largest);
      if (normalised) norm[g] = numbers.integers<int16_t>(units, -32767, 32767);
    }
    if (projected) projection = numbers.integers<int8_t>(outputs * units, -127, 127);
    if (projection_bias) projection_biases = numbers.integers<int32_t>(outputs, -5000, 5000);
    h = numbers.integers<int8_t>(batch * outputs, -128, 127);
    c = numbers.integers<int16_t>(batch * units, -8000, 8000);
    return *this;
  }

  template <typename T>
  static void add(OperationCall& call, int32_t type, const Dimensions& dims, const std::vector<T>& values, float scale) {
    if (values.empty()) {
      call.omitted(type);
    } else {
      call.input(type, dims, values, scale);
    }
  }
  OperationCall call() const {
    OperationCall call(ANEURALNETWORKS_QUANTIZED_LSTM);
    call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {batch, input}, x, x_scale, x_zero);
    for (const auto& w : input_weights) add(call, ANEURALNETWORKS_TENSOR_QUANT8_SYMM, {units, input}, w, weights_scale);
    for (const auto& w : recurrent_weights) add(call, ANEURALNETWORKS_TENSOR_QUANT8_SYMM, {units, outputs}, w, weights_scale);
    for (Gate g : {kInput, kForget, kOutput}) {
      add(call, ANEURALNETWORKS_TENSOR_QUANT16_SYMM, {units}, peephole_weights[g], peephole_scale);
    }
    for (const auto& b : bias) add(call, ANEURALNETWORKS_TENSOR_INT32, {units}, b, 0);
    add(call, ANEURALNETWORKS_TENSOR_QUANT8_SYMM, {outputs, units}, projection, projection_scale);
    add(call, ANEURALNETWORKS_TENSOR_INT32, {outputs}, projection_biases, 0);
    call.input(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {batch, outputs}, h, h_scale, h_zero);
    call.input(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, {batch, units}, c, cell_scale);
    for (const auto& n : norm) add(call, ANEURALNETWORKS_TENSOR_QUANT16_SYMM, {units}, n, norm_scale);
    if (has_clips) {
      call.float32(cell_clip).float32(projection_clip);
    } else {
      call.omitted(ANEURALNETWORKS_FLOAT32).omitted(ANEURALNETWORKS_FLOAT32);
    }
    for (int g = 0; g < 4; ++g) call.float32(intermediate_scale);
    call.int32(hidden_zero).float32(hidden_scale);
    call.output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, h_scale, h_zero);
    call.output(ANEURALNETWORKS_TENSOR_QUANT16_SYMM, cell_scale);
    call.output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, h_scale, h_zero);
    return call;
  }

  std::vector<double> gate(Gate g, size_t b, const std::vector<double>& cell) const {
    std::vector<double> values(units);
    for (size_t u = 0; u < units; ++u) {
      for (size_t i = 0; i < input; ++i) {
        values[u] += (x[b * input + i] - x_zero) * x_scale * input_weights[g][u * input + i] * weights_scale;
      }
      for (size_t i = 0; i < outputs; ++i) {
        values[u] += (h[b * outputs + i] - h_zero) * h_scale * recurrent_weights[g][u * outputs + i] * weights_scale;
      }
      if (!peephole_weights[g].empty()) values[u] += peephole_weights[g][u] * peephole_scale * cell[u];
      if (!normalised) values[u] += bias[g][u] * x_scale * weights_scale;
    }
    if (!normalised) return values;
    double mean = 0, variance = 0;
    for (double v : values) mean += v / units;
    for (double v : values) variance += (v - mean) * (v - mean) / units;
    for (size_t u = 0; u < units; ++u) {
      values[u] = (values[u] - mean) / std::sqrt(variance) * norm[g][u] * norm_scale + bias[g][u] * norm_scale / 1024;
    }
    return values;
  }
  static double clip(double value, double limit) { return limit > 0 ? std::clamp(value, -limit, limit) : value; }

  /// Cell state and output of batch b as real numbers.
  void reference(size_t b, std::vector<double>* cell, std::vector<double>* out) const {
    cell->clear();
    for (size_t u = 0; u < units; ++u) cell->push_back(c[b * units + u] * cell_scale);
    const std::vector<double> f = gate(kForget, b, *cell), g = gate(kCell, b, *cell), i = coupled ? f : gate(kInput, b, *cell);
    for (size_t u = 0; u < units; ++u) {
      const double forget = logistic(f[u]), in = coupled ? 1 - forget : logistic(i[u]);
      const double next = forget * (*cell)[u] + in * std::tanh(g[u]);
      (*cell)[u] = clip(std::clamp(next, -32768.0 * cell_scale, 32767.0 * cell_scale), cell_clip);
    }
    const std::vector<double> o = gate(kOutput, b, *cell);
    std::vector<double> hidden;
    for (size_t u = 0; u < units; ++u) hidden.push_back(logistic(o[u]) * std::tanh((*cell)[u]));
    out->assign(outputs, 0.0);
    for (size_t p = 0; p < outputs; ++p) {
      if (!projected) {
        (*out)[p] = hidden[p];
        continue;
      }
      for (size_t u = 0; u < units; ++u) (*out)[p] += projection[p * units + u] * projection_scale * hidden[u];
      if (projection_bias) (*out)[p] += projection_biases[p] * projection_scale * hidden_scale;
    }
  }
};

void check(const QuantisedLstm& lstm) {
  OperationCall call = lstm.call();
  ASSERT_EQ(call.in_pieces().run().message, "");
  EXPECT_EQ(call.dims(0), (Dimensions{lstm.batch, lstm.outputs}));
  EXPECT_EQ(call.dims(1), (Dimensions{lstm.batch, lstm.units}));
  EXPECT_EQ(call.values<int8_t>(0), call.values<int8_t>(2));
  const auto state = call.values<int16_t>(1);
  const auto output = call.values<int8_t>(2);
  for (size_t b = 0; b < lstm.batch; ++b) {
    std::vector<double> cell, out;
    lstm.reference(b, &cell, &out);
    for (size_t u = 0; u < lstm.units; ++u) EXPECT_NEAR(state[b * lstm.units + u] * lstm.cell_scale, cell[u], 0.006) << u;
    for (size_t p = 0; p < lstm.outputs; ++p) {
      double wanted = out[p] / lstm.hidden_scale - lstm.hidden_zero;
      if (lstm.projected) {
        const double stored = std::clamp(out[p] / lstm.h_scale + lstm.h_zero, -128.0, 127.0);
        wanted = QuantisedLstm::clip(stored, lstm.projection_clip / lstm.h_scale);
      }
      EXPECT_NEAR(output[b * lstm.outputs + p], std::clamp(wanted, -128.0, 127.0), 2.5) << p;
    }
  }
}

TEST(QuantizedLstm, EveryCombinationOfOptions) {
  for (uint32_t bits = 0; bits < 64; ++bits) {
    SCOPED_TRACE(testing::Message() << "options " << bits);
    QuantisedLstm lstm;
    lstm.coupled = bits & 1;
    lstm.peephole = bits & 2;
    lstm.projected = bits & 4;
    lstm.projection_bias = lstm.projected && (bits & 16);
    lstm.normalised = bits & 8;
    if (lstm.projected) lstm.outputs = 3;
    if (bits & 32) lstm.hidden_zero = 20;
    check(lstm.fill(bits));
  }
}

TEST(QuantizedLstm, Clipping) {
  QuantisedLstm lstm;
  lstm.cell_clip = 0.5f;
  check(lstm.fill(1));
  lstm.projected = true;
  lstm.outputs = 4;
  lstm.projection_clip = 0.25f;
  check(lstm.fill(2));
  lstm.projection_clip = 1e30f;
  lstm.cell_clip = 1e30f;
  check(lstm.fill(3));
}

TEST(QuantizedLstm, EveryCellScale) {
  for (int exponent = -15; exponent <= -9; ++exponent) {
    SCOPED_TRACE(exponent);
    QuantisedLstm lstm;
    lstm.cell_scale = std::ldexp(1.0f, exponent) * 1.00002f;  // scales come rounded
    lstm.fill(4);
    if (exponent > -12) {
      for (int16_t& c : lstm.c) c = static_cast<int16_t>(c / 8);
    }
    check(lstm);
  }
}

TEST(QuantizedLstm, ZeroWeightsHalveTheState) {
  QuantisedLstm lstm;
  lstm.batch = 1;
  lstm.units = 3;
  lstm.hidden_scale = 1.0f / 128;
  lstm.cell_scale = 1.0f / 4096;
  lstm.fill(1);
  for (auto* all : {&lstm.input_weights, &lstm.recurrent_weights}) {
    for (auto& w : *all) w.assign(w.size(), 0);
  }
  for (auto& b : lstm.bias) b.assign(b.size(), 0);
  lstm.c = {8192, -8193, 32767};
  OperationCall call = lstm.call();
  ASSERT_EQ(call.run().message, "");
  EXPECT_EQ(call.values<int16_t>(1), (std::vector<int16_t>{4096, -4097, 16384}));  // halves away from zero
  EXPECT_EQ(call.values<int8_t>(2), (std::vector<int8_t>{49, -49, 64}));           // 64 * tanh(1), 64 * tanh(4)
}

TEST(QuantizedLstm, OmittedClips) {
  QuantisedLstm lstm;
  lstm.has_clips = false;
  lstm.projected = true;
  check(lstm.fill(8));
}

TEST(QuantizedLstm, ExtremeValuesAreHarmless) {
  QuantisedLstm lstm;
  lstm.fill(5);
  for (auto& b : lstm.bias) b.assign(b.size(), 0x7fffffff);
  lstm.x_scale = 1e20f;
  lstm.h_scale = 1e-30f;
  OperationCall call = lstm.call();
  EXPECT_EQ(call.run().message, "");
  lstm = QuantisedLstm();
  lstm.normalised = true;
  lstm.fill(6);
  lstm.norm_scale = 1e20f;
  lstm.intermediate_scale = 1e-30f;
  OperationCall normalised = lstm.call();
  EXPECT_EQ(normalised.run().message, "");
}

TEST(QuantizedLstm, RefusesWhatItCannotCompute) {
  const auto refuse = [](const std::function<void(QuantisedLstm&)>& spoil, const std::string& words,
                         int code = ANEURALNETWORKS_OP_FAILED) {
    QuantisedLstm lstm;
    lstm.normalised = lstm.peephole = true;
    lstm.fill(7);
    spoil(lstm);
    OperationCall call = lstm.call();
    expect_failure(call, code, words);
  };
  refuse([](QuantisedLstm& l) { l.cell_scale = 0.003f; }, "power of two");
  refuse([](QuantisedLstm& l) { l.cell_scale = 1.0f / 256; }, "power of two");
  refuse([](QuantisedLstm& l) { l.cell_scale = 1.0f / 65536; }, "power of two");
  refuse([](QuantisedLstm& l) { l.cell_scale = 1e-40f; }, "power of two");
  refuse([](QuantisedLstm& l) { l.intermediate_scale = 0.0f; }, "intermediate");
  refuse([](QuantisedLstm& l) { l.intermediate_scale = -1.0f; }, "intermediate");
  refuse([](QuantisedLstm& l) { l.hidden_scale = 0.0f; }, "hidden_state_scale", ANEURALNETWORKS_BAD_DATA);
  refuse([](QuantisedLstm& l) { l.hidden_zero = 128; }, "hidden_state_zero_point", ANEURALNETWORKS_BAD_DATA);
  refuse([](QuantisedLstm& l) { l.cell_clip = -1.0f; }, "cell_clip", ANEURALNETWORKS_BAD_DATA);
  refuse([](QuantisedLstm& l) { l.input_weights[kInput].clear(); }, "input gate");
  refuse([](QuantisedLstm& l) { l.peephole_weights[kOutput].clear(); }, "peephole");
  refuse([](QuantisedLstm& l) { l.norm[kForget].clear(); }, "layer normalisation");
  refuse([](QuantisedLstm& l) { l.projection_biases = l.bias[kForget]; }, "projection");
}

}  // namespace
}  // namespace avocet::runtime
