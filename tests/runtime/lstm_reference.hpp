// SPDX-License-Identifier: Apache-2.0
// An LSTM cell with any of its options, for tests: its values, its operands in the order of the API, and its results by the
// equations of the API's text in double.
#pragma once

#include <algorithm>

#include "recurrent_values.hpp"

namespace avocet::runtime {

/// Gates in the order of the operands.
enum Gate : size_t { kInput, kForget, kCell, kOutput };

struct LstmOptions {
  size_t batch = 2, input = 5, units = 6, output = 6, auxiliary = 0;
  bool coupled = false, peephole = false, projected = false, projection_bias = false, normalised = false;
  int32_t activation = 4;
  float cell_clip = 0.0f, projection_clip = 0.0f;
};

struct LstmValues {
  LstmOptions options;
  Floats input_weights[4], recurrent_weights[4], auxiliary_weights[4], peephole[4], bias[4], norm[4];
  Floats projection, projection_bias, output_state, cell_state;

  LstmValues(uint32_t seed, LstmOptions o) : options(o) {
    if (!o.projected) options.output = o.output = o.units;
    Numbers numbers(seed);
    for (size_t g = o.coupled ? kForget : kInput; g <= kOutput; ++g) {
      input_weights[g] = numbers.take(o.units * o.input);
      recurrent_weights[g] = numbers.take(o.units * o.output);
      auxiliary_weights[g] = numbers.take(o.units * o.auxiliary);
      if (o.peephole && g != kCell) peephole[g] = numbers.take(o.units);
      bias[g] = numbers.take(o.units);
      if (o.normalised) norm[g] = numbers.take(o.units);
    }
    if (o.projected) projection = numbers.take(o.output * o.units);
    if (o.projection_bias) projection_bias = numbers.take(o.output);
    output_state = numbers.take(o.batch * o.output);
    cell_state = numbers.take(o.batch * o.units, 2.0f);
  }

  /// The seventeen weights and biases.
  void add_weights(OperationCall& call, const Precision& precision) const {
    const auto units = static_cast<uint32_t>(options.units), input = static_cast<uint32_t>(options.input),
               output = static_cast<uint32_t>(options.output);
    for (const Floats& w : input_weights) precision.add_optional(call, {units, input}, w);
    for (const Floats& w : recurrent_weights) precision.add_optional(call, {units, output}, w);
    for (Gate gate : {kInput, kForget, kOutput}) precision.add_optional(call, {units}, peephole[gate]);
    for (const Floats& b : bias) precision.add_optional(call, {units}, b);
    precision.add_optional(call, {output, units}, projection);
    precision.add_optional(call, {output}, projection_bias);
  }
  void add_states(OperationCall& call, const Precision& precision) const {
    const auto batch = static_cast<uint32_t>(options.batch);
    precision.add(call, {batch, static_cast<uint32_t>(options.output)}, output_state, false);
    precision.add(call, {batch, static_cast<uint32_t>(options.units)}, cell_state, false);
  }
  void add_parameters(OperationCall& call, const Precision& precision) const {
    call.int32(options.activation);
    precision.add_scalar(call, options.cell_clip);
    precision.add_scalar(call, options.projection_clip);
  }
  void add_norm(OperationCall& call, const Precision& precision) const {
    for (const Floats& n : norm) precision.add_optional(call, {static_cast<uint32_t>(options.units)}, n);
  }
  void add_auxiliary(OperationCall& call, const Precision& precision) const {
    const Dimensions dims{static_cast<uint32_t>(options.units), static_cast<uint32_t>(options.auxiliary)};
    for (const Floats& w : auxiliary_weights) precision.add_optional(call, dims, w);
  }
};

struct LstmResult {
  std::vector<double> outputs;               // [time][batch][output]
  std::vector<double> output_state, cell_state;
};

inline double lstm_activation_of(double x, int32_t code) {
  switch (code) {
    case 1: return std::max(x, 0.0);
    case 3: return std::clamp(x, 0.0, 6.0);
    case 4: return std::tanh(x);
    case 6: return 1.0 / (1.0 + std::exp(-x));
    default: return x;
  }
}

/// One gate of one batch before its activation.
inline std::vector<double> lstm_gate(const LstmValues& v, Gate gate, const double* x, const double* a, const double* h,
                                     const double* c) {
  const LstmOptions& o = v.options;
  std::vector<double> values(o.units);
  for (size_t u = 0; u < o.units; ++u) {
    values[u] = dot(v.input_weights[gate], u, x, o.input) + dot(v.recurrent_weights[gate], u, h, o.output);
    if (o.auxiliary) values[u] += dot(v.auxiliary_weights[gate], u, a, o.auxiliary);
    if (!v.peephole[gate].empty()) values[u] += v.peephole[gate][u] * c[u];
  }
  if (o.normalised) {
    double mean = 0, variance = 0;
    for (double x_i : values) mean += x_i / static_cast<double>(o.units);
    for (double x_i : values) variance += (x_i - mean) * (x_i - mean) / static_cast<double>(o.units);
    for (size_t u = 0; u < o.units; ++u) values[u] = (values[u] - mean) / std::sqrt(variance) * v.norm[gate][u];
  }
  for (size_t u = 0; u < o.units; ++u) values[u] += v.bias[gate][u];
  return values;
}

/// `inputs` and `auxiliary` are time major.
inline LstmResult lstm_reference(const LstmValues& v, const Floats& inputs, const Floats& auxiliary, size_t time, bool reversed) {
  const LstmOptions& o = v.options;
  const std::vector<double> x(inputs.begin(), inputs.end()), aux(auxiliary.begin(), auxiliary.end());
  LstmResult result{std::vector<double>(time * o.batch * o.output),
                    {v.output_state.begin(), v.output_state.end()},
                    {v.cell_state.begin(), v.cell_state.end()}};
  const auto clip = [](double value, double limit) { return limit > 0 ? std::clamp(value, -limit, limit) : value; };
  for (size_t step = 0; step < time; ++step) {
    const size_t t = reversed ? time - 1 - step : step;
    for (size_t b = 0; b < o.batch; ++b) {
      const double* x_t = &x[(t * o.batch + b) * o.input];
      const double* a_t = o.auxiliary ? &aux[(t * o.batch + b) * o.auxiliary] : nullptr;
      double *h = &result.output_state[b * o.output], *c = &result.cell_state[b * o.units];
      const std::vector<double> forget = lstm_gate(v, kForget, x_t, a_t, h, c), cell = lstm_gate(v, kCell, x_t, a_t, h, c);
      const std::vector<double> input = o.coupled ? forget : lstm_gate(v, kInput, x_t, a_t, h, c);
      for (size_t u = 0; u < o.units; ++u) {
        const double f = lstm_activation_of(forget[u], 6), i = o.coupled ? 1 - f : lstm_activation_of(input[u], 6);
        c[u] = clip(f * c[u] + i * lstm_activation_of(cell[u], o.activation), o.cell_clip);
      }
      const std::vector<double> output = lstm_gate(v, kOutput, x_t, a_t, h, c);
      std::vector<double> hidden(o.units);
      for (size_t u = 0; u < o.units; ++u) hidden[u] = lstm_activation_of(output[u], 6) * lstm_activation_of(c[u], o.activation);
      for (size_t p = 0; p < o.output; ++p) {
        h[p] = hidden[p % o.units];
        if (o.projected) {
          const double bias = v.projection_bias.empty() ? 0.0 : v.projection_bias[p];
          h[p] = clip(dot(v.projection, p, hidden.data(), o.units) + bias, o.projection_clip);
        }
        result.outputs[(t * o.batch + b) * o.output + p] = h[p];
      }
    }
  }
  return result;
}

}  // namespace avocet::runtime
