// SPDX-License-Identifier: Apache-2.0
// The float LSTM cell and the operations that run it: one step, a sequence, a sequence in both directions.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

using Vector = std::vector<double>;

/// A matrix or vector input that may be missing.
struct Weights {
  const Value* value = nullptr;
  explicit operator bool() const { return value != nullptr; }
  double operator[](size_t i) const { return value->real[i]; }
};

struct Gate {
  Weights input, recurrent, peephole, bias, norm, aux;
};

struct Cell {
  Gate in, forget, cell, out;
  Weights projection, projection_bias;
  int64_t activation = 0;
  double cell_clip = 0, projection_clip = 0;
  size_t units = 0, output_size = 0;
};

struct State {
  Vector output, cell;
  double doubt = 0;  // how much worse than usual the arithmetic is conditioned (layer normalisation of nearly equal values)
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double activate_cell(int64_t activation, double x) {
  switch (activation) {
    case 1: return std::max(x, 0.0);
    case 3: return std::clamp(x, 0.0, 6.0);
    case 4: return std::tanh(x);
    case 6: return sigmoid(x);
    default: return x;
  }
}

double clip(double x, double limit) { return limit > 0 ? std::clamp(x, -limit, limit) : x; }

/// Mean 0 and deviation 1, then the weights.
void normalise(Vector& x, const Weights& weights, double* doubt) {
  double sum = 0, squares = 0;
  for (const double v : x) sum += v;
  const double mean = sum / static_cast<double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean);
  const double variance = squares / static_cast<double>(x.size());
  *doubt = std::max(*doubt, variance > 0 ? (mean * mean + variance) / variance : 1e9 * (mean != 0 ? 1 : 0));
  const double deviation = std::sqrt(variance);
  for (size_t u = 0; u < x.size(); ++u) x[u] = deviation > 0 ? (x[u] - mean) / deviation * weights[u] : 0;
}

Vector gate_sums(const Gate& gate, const Cell& cell, const Vector& x, const Vector& aux, const Vector& h, const Vector& c, double* doubt) {
  Vector sums(cell.units, 0.0);
  for (size_t u = 0; u < cell.units; ++u) {
    for (size_t k = 0; k < x.size(); ++k) sums[u] += gate.input[u * x.size() + k] * x[k];
    for (size_t k = 0; k < h.size(); ++k) sums[u] += gate.recurrent[u * h.size() + k] * h[k];
    for (size_t k = 0; gate.aux && k < aux.size(); ++k) sums[u] += gate.aux[u * aux.size() + k] * aux[k];
    if (gate.peephole) sums[u] += gate.peephole[u] * c[u];
  }
  if (gate.norm) normalise(sums, gate.norm, doubt);
  for (size_t u = 0; u < cell.units; ++u) sums[u] += gate.bias[u];
  return sums;
}

void step(const Cell& cell, const Vector& x, const Vector& aux, State& state) {
  const Vector f = gate_sums(cell.forget, cell, x, aux, state.output, state.cell, &state.doubt);
  const Vector g = gate_sums(cell.cell, cell, x, aux, state.output, state.cell, &state.doubt);
  Vector i = cell.in.input ? gate_sums(cell.in, cell, x, aux, state.output, state.cell, &state.doubt) : Vector();
  for (size_t u = 0; u < cell.units; ++u) {
    const double forget = sigmoid(f[u]);
    const double input = cell.in.input ? sigmoid(i[u]) : 1 - forget;
    state.cell[u] = clip(forget * state.cell[u] + input * activate_cell(cell.activation, g[u]), cell.cell_clip);
  }
  const Vector o = gate_sums(cell.out, cell, x, aux, state.output, state.cell, &state.doubt);
  Vector hidden(cell.units);
  for (size_t u = 0; u < cell.units; ++u) hidden[u] = sigmoid(o[u]) * activate_cell(cell.activation, state.cell[u]);
  if (!cell.projection) {
    state.output = hidden;
    return;
  }
  for (size_t p = 0; p < cell.output_size; ++p) {
    double sum = cell.projection_bias ? cell.projection_bias[p] : 0;
    for (size_t u = 0; u < cell.units; ++u) sum += cell.projection[p * cell.units + u] * hidden[u];
    state.output[p] = clip(sum, cell.projection_clip);
  }
}

Weights optional(const Call& call, size_t i) { return {call.has(i) ? &call.in(i) : nullptr}; }

/// The twelve matrices and vectors of gates stand in one order in all operations: input weights, recurrent weights,
/// peepholes (not for the cell gate), biases, projection.
Cell read_cell(const Call& call, size_t first, size_t first_norm) {
  Cell cell;
  cell.in = {optional(call, first), optional(call, first + 4), optional(call, first + 8), optional(call, first + 11), {}, {}};
  cell.forget = {optional(call, first + 1), optional(call, first + 5), optional(call, first + 9), optional(call, first + 12), {}, {}};
  cell.cell = {optional(call, first + 2), optional(call, first + 6), {}, optional(call, first + 13), {}, {}};
  cell.out = {optional(call, first + 3), optional(call, first + 7), optional(call, first + 10), optional(call, first + 14), {}, {}};
  cell.projection = optional(call, first + 15);
  cell.projection_bias = optional(call, first + 16);
  cell.in.norm = optional(call, first_norm);
  cell.forget.norm = optional(call, first_norm + 1);
  cell.cell.norm = optional(call, first_norm + 2);
  cell.out.norm = optional(call, first_norm + 3);
  cell.units = call.in(first + 1).dims[0];
  cell.output_size = call.in(first + 5).dims[1];
  return cell;
}

Vector row(const Value& value, size_t index, size_t length) {
  const auto begin = value.real.begin() + static_cast<std::ptrdiff_t>(index * length);
  return {begin, begin + static_cast<std::ptrdiff_t>(length)};
}

void store_row(Expected& out, size_t at, const Vector& values, double doubt) {
  for (size_t k = 0; k < values.size(); ++k) {
    out.real[at + k] = values[k];
    if (doubt > 1e4) {
      out.leave_open(at + k);
    } else {
      out.set_slack(at + k, (std::fabs(values[k]) + 1 + doubt) * 0x1p-17);
    }
  }
}

struct Direction {
  Cell cell;
  const Value* input;
  const Value* aux;
  const Value* output_state;
  const Value* cell_state;
  bool backward;
};

void run_sequence(const Direction& d, bool time_major, Expected& out, size_t offset, size_t width, Expected* last_output,
                  Expected* last_cell) {
  const Dims& dims = d.input->dims;
  const size_t times = time_major ? dims[0] : dims[1], batches = time_major ? dims[1] : dims[0];
  for (size_t b = 0; b < batches; ++b) {
    State state{row(*d.output_state, b, d.cell.output_size), row(*d.cell_state, b, d.cell.units), 0};
    for (size_t i = 0; i < times; ++i) {
      const size_t t = d.backward ? times - 1 - i : i;
      const size_t at = time_major ? t * batches + b : b * times + t;
      const Vector aux = d.aux ? row(*d.aux, at, d.aux->dims[2]) : Vector();
      step(d.cell, row(*d.input, at, dims[2]), aux, state);
      store_row(out, at * width + offset, state.output, state.doubt);
    }
    if (last_output) store_row(*last_output, b * d.cell.output_size, state.output, state.doubt);
    if (last_cell) store_row(*last_cell, b * d.cell.units, state.cell, state.doubt);
  }
}

void set_scalars(const Call& call, size_t first, Cell& cell) {
  cell.activation = call.integer(first);
  cell.cell_clip = call.number(first + 1);
  cell.projection_clip = call.number(first + 2);
}

}  // namespace

/// The scratch buffer's contents are nobody's business.
void lstm(Call& call) {
  Cell cell = read_cell(call, 1, 23);
  set_scalars(call, 20, cell);
  const Value& input = call.in(0);
  const uint32_t batches = input.dims[0];
  Expected& scratch = call.out(0);
  scratch.resize({batches, static_cast<uint32_t>(cell.units * (cell.in.input ? 4 : 3))});
  scratch.values_known = false;
  call.out(1).resize(call.in(18).dims);
  call.out(2).resize(call.in(19).dims);
  call.out(3).resize(call.in(18).dims);
  for (size_t b = 0; b < batches; ++b) {
    State state{row(call.in(18), b, cell.output_size), row(call.in(19), b, cell.units), 0};
    step(cell, row(input, b, input.dims[1]), {}, state);
    store_row(call.out(1), b * cell.output_size, state.output, state.doubt);
    store_row(call.out(2), b * cell.units, state.cell, state.doubt);
    store_row(call.out(3), b * cell.output_size, state.output, state.doubt);
  }
}

void unidirectional_sequence_lstm(Call& call) {
  Direction d{read_cell(call, 1, 24), &call.in(0), nullptr, &call.in(18), &call.in(19), false};
  set_scalars(call, 20, d.cell);
  Dims dims = call.in(0).dims;
  dims[2] = static_cast<uint32_t>(d.cell.output_size);
  call.out(0).resize(dims);
  const bool states = call.output_count() > 1;
  if (states) {
    call.out(1).resize(call.in(18).dims);
    call.out(2).resize(call.in(19).dims);
  }
  run_sequence(d, call.flag(23), call.out(0), 0, d.cell.output_size, states ? &call.out(1) : nullptr,
               states ? &call.out(2) : nullptr);
}

void bidirectional_sequence_lstm(Call& call) {
  Direction fw{read_cell(call, 1, 53), &call.in(0), nullptr, &call.in(35), &call.in(36), false};
  Direction bw{read_cell(call, 18, 57), &call.in(0), nullptr, &call.in(37), &call.in(38), true};
  for (Direction* d : {&fw, &bw}) set_scalars(call, 48, d->cell);
  const bool has_aux = call.has(39), cross = has_aux && call.has(41);
  if (cross) {  // both cells see both inputs
    fw.aux = bw.aux = &call.in(39);
    Gate* const gates[] = {&fw.cell.in, &fw.cell.forget, &fw.cell.cell, &fw.cell.out,
                           &bw.cell.in, &bw.cell.forget, &bw.cell.cell, &bw.cell.out};
    for (size_t g = 0; g < 8; ++g) gates[g]->aux = optional(call, 40 + g);
  } else if (has_aux) {
    bw.input = &call.in(39);
  }
  const bool merge = call.flag(51), time_major = call.flag(52);
  const size_t fw_size = fw.cell.output_size, bw_size = bw.cell.output_size;
  Dims dims = call.in(0).dims;
  dims[2] = static_cast<uint32_t>(merge ? fw_size + bw_size : fw_size);
  call.out(0).resize(dims);
  if (!merge) {
    dims[2] = static_cast<uint32_t>(bw_size);
    call.out(1).resize(dims);
  }
  const size_t first_state = merge ? 1 : 2;
  Expected* states[4] = {};
  for (size_t s = 0; s < 4 && call.output_count() > first_state; ++s) {
    states[s] = &call.out(first_state + s);
    states[s]->resize(call.in(35 + s).dims);
  }
  run_sequence(fw, time_major, call.out(0), 0, merge ? fw_size + bw_size : fw_size, states[0], states[1]);
  run_sequence(bw, time_major, merge ? call.out(0) : call.out(1), merge ? fw_size : 0, merge ? fw_size + bw_size : bw_size,
               states[2], states[3]);
}

}  // namespace avocet::random_models::naive
