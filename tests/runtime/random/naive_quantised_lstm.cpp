// SPDX-License-Identifier: Apache-2.0
// The two quantised LSTM cells in real numbers; only what the API declares as quantised (states, intermediate results with a
// scale of their own, the hidden state) is rounded to steps.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

using Vector = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double on_steps(double x, double scale, double low, double high) { return std::clamp(std::round(x / scale), low, high) * scale; }

/// Inputs of the gates are 16 bit numbers with 12 fraction bits.
double gate_input(double x) { return std::clamp(x, -8.0, 8.0 - 0x1p-12); }


double product(const Value& weights, const Value& x, size_t unit, size_t batch) {
  const size_t length = weights.dims[1];
  double sum = 0;
  for (size_t k = 0; k < length; ++k) sum += weights.real[unit * length + k] * x.real[batch * length + k];
  return sum;
}

}  // namespace

/// The published cases multiply the row [input, previous output] by the row [recurrent weights, input weights]: where the two
/// sizes differ, the parts overlap.
void quantized_16bit_lstm(Call& call) {
  const Value &input = call.in(0), &cell_in = call.in(13), &output_in = call.in(14);
  Expected &cell_out = call.out(0), &output = call.out(1);
  cell_out.resize(cell_in.dims);
  output.resize(output_in.dims);
  const size_t units = cell_in.dims[1], inputs = input.dims[1];
  const auto joined = [](const Value& a, size_t a_row, size_t a_length, const Value& b, size_t b_row, size_t b_length) {
    Vector row(a.real.begin() + static_cast<std::ptrdiff_t>(a_row * a_length), a.real.begin() + static_cast<std::ptrdiff_t>((a_row + 1) * a_length));
    for (size_t k = 0; k < b_length; ++k) row.push_back(b.real[b_row * b_length + k]);
    return row;
  };
  for (size_t b = 0; b < cell_in.dims[0]; ++b) {
    const Vector x = joined(input, b, inputs, output_in, b, units);
    for (size_t u = 0; u < units; ++u) {
      double gates[4];  // input, forget, cell, output
      for (size_t g = 0; g < 4; ++g) {
        const Value &weights = call.in(1 + g), &bias = call.in(9 + g);
        const Vector w = joined(call.in(5 + g), u, units, weights, u, inputs);
        gates[g] = bias.real[u] / bias.scale * input.scale * weights.scale;
        for (size_t k = 0; k < x.size(); ++k) gates[g] += w[k] * x[k];
        gates[g] = gate_input(gates[g]);
      }
      const size_t i = b * units + u;
      const double cell = sigmoid(gates[1]) * cell_in.real[i] + sigmoid(gates[0]) * std::tanh(gates[2]);
      cell_out.real[i] = std::clamp(cell, -16.0, 16.0 - cell_in.scale);
      output.real[i] = sigmoid(gates[3]) * std::tanh(cell_out.real[i]);
    }
  }
}

namespace {

/// A vector with the error that fixed-point arithmetic may make in each element.
struct Estimate {
  Vector value, error;
};

/// One QUANTIZED_LSTM call.
class QuantisedCell {
 public:
  explicit QuantisedCell(Call& call) : call_(call), units_(call.in(2).dims[0]) {}

  void run() {
    const Value &output_in = call_.in(18), &cell_in = call_.in(19);
    Expected& cell_out = call_.out(1);
    call_.out(0).resize(output_in.dims);
    call_.out(2).resize(output_in.dims);
    cell_out.resize(cell_in.dims);
    const bool coupled = !call_.has(1);
    const double clip = call_.number(24);
    for (size_t b = 0; b < cell_in.dims[0]; ++b) {
      const Vector old_cell(cell_in.real.begin() + static_cast<std::ptrdiff_t>(b * units_),
                            cell_in.real.begin() + static_cast<std::ptrdiff_t>((b + 1) * units_));
      const Estimate f = gate(1, b, {old_cell, Vector(units_)}), g = gate(2, b, {old_cell, Vector(units_)});
      const Estimate i = coupled ? Estimate() : gate(0, b, {old_cell, Vector(units_)});
      Estimate cell{Vector(units_), Vector(units_)}, hidden{Vector(units_), Vector(units_)};
      for (size_t u = 0; u < units_; ++u) {
        const double forget = sigmoid(f.value[u]), in = coupled ? 1 - forget : sigmoid(i.value[u]);
        const double most = 32768 * cell_in.scale;
        cell.value[u] = std::clamp(forget * old_cell[u] + in * std::tanh(g.value[u]), -most, most - cell_in.scale);
        if (clip > 0) cell.value[u] = std::clamp(cell.value[u], -clip, clip);
        // A sigmoid passes on a quarter of an error, tanh all of it.
        const double gates = std::fabs(old_cell[u]) * f.error[u] + (coupled ? f.error[u] : i.error[u]);
        cell.error[u] = gates / 4 + g.error[u] + 2 * cell_in.scale;
        cell_out.real[b * units_ + u] = cell.value[u];
        cell_out.set_slack(b * units_ + u, cell.error[u]);
      }
      const Estimate o = gate(3, b, cell);
      for (size_t u = 0; u < units_; ++u) {
        hidden.value[u] = sigmoid(o.value[u]) * std::tanh(cell.value[u]);
        hidden.error[u] = o.error[u] / 4 + cell.error[u];
      }
      project(hidden, b);
    }
  }

 private:
  bool normalised() const { return call_.has(21); }

  Estimate gate(size_t g, size_t batch, const Estimate& cell) const {
    const Value &weights = call_.in(1 + g), &input = call_.in(0);
    const double scale = call_.number(26 + g);
    Estimate x{Vector(units_), Vector(units_, 4 * scale)};
    for (size_t u = 0; u < units_; ++u) {
      double& sum = x.value[u];
      const auto add = [&](double part) { sum = on_steps(sum + part, scale, -32768, 32767); };  // 16 bits after each part
      const double bias = normalised() ? 0 : call_.in(12 + g).real[u] / call_.in(12 + g).scale * input.scale * weights.scale;
      add(product(weights, input, u, batch) + bias);
      add(product(call_.in(5 + g), call_.in(18), u, batch));
      const size_t peephole = g == 0 ? 9 : g == 1 ? 10 : 11;
      if (g != 2 && call_.has(peephole)) {
        add(call_.in(peephole).real[u] * cell.value[u]);
        x.error[u] += std::fabs(call_.in(peephole).real[u]) * cell.error[u];
      }
    }
    if (normalised()) normalise(x, call_.in(20 + g), call_.in(12 + g), scale);
    for (size_t u = 0; u < units_; ++u) {
      x.value[u] = gate_input(x.value[u]);
      x.error[u] += 0x1p-10;  // gates take 12 fraction bits, and approximate
    }
    return x;
  }

  /// The bias counts 1024ths of the scale of the normalisation weights. The variance is a whole number of squared steps.
  static void normalise(Estimate& x, const Value& weights, const Value& bias, double scale) {
    double sum = 0, squares = 0;
    for (const double v : x.value) sum += v;
    const double mean = sum / static_cast<double>(x.value.size());
    for (const double v : x.value) squares += (v - mean) * (v - mean);
    const double deviation = std::max(std::sqrt(squares / static_cast<double>(x.value.size())), scale);
    const double relative = std::min(1.0, scale * scale / (deviation * deviation));
    for (size_t u = 0; u < x.value.size(); ++u) {
      const double normal = (x.value[u] - mean) / deviation;
      x.value[u] = normal * weights.real[u] + bias.real[u] / bias.scale * weights.scale / 1024;
      x.error[u] = std::fabs(weights.real[u]) * (2 * x.error[u] / deviation + std::fabs(normal) * relative);
    }
  }

  /// The hidden state has 8 bits. Without a projection its stored numbers are the output's.
  void project(const Estimate& hidden, size_t batch) {
    const double scale = call_.number(31), zero = call_.number(30);
    Vector stored;
    for (const double h : hidden.value) stored.push_back(std::clamp(std::round(h / scale + zero), -128.0, 127.0));
    const size_t size = call_.out(0).dims[1];
    for (size_t p = 0; p < size; ++p) {
      for (const size_t o : {size_t{0}, size_t{2}}) {
        Expected& out = call_.out(o);
        double& result = out.real[batch * size + p];
        if (!call_.has(16)) {
          result = (stored[p] - out.zero_point) * out.scale;
          out.set_slack(batch * size + p, hidden.error[p] / scale * out.scale);
          continue;
        }
        const Value& weights = call_.in(16);
        result = call_.has(17) ? call_.in(17).real[p] / call_.in(17).scale * weights.scale * scale : 0;
        double error = 0;
        for (size_t u = 0; u < units_; ++u) {
          const double weight = weights.real[p * units_ + u];
          result += weight * (stored[u] - zero) * scale;
          error += std::fabs(weight) * (scale + hidden.error[u]);
        }
        out.set_slack(batch * size + p, error);
        const double clip = call_.number(25);
        if (clip > 0) result = std::clamp(result, -clip, clip);
      }
    }
  }

  Call& call_;
  size_t units_;
};

}  // namespace

void quantized_lstm(Call& call) { QuantisedCell(call).run(); }

}  // namespace avocet::random_models::naive
