// SPDX-License-Identifier: Apache-2.0
// Basic recurrent layers and SVDF.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

using Vector = std::vector<double>;

/// row `index` of length `length` of a tensor
Vector row(const std::vector<double>& values, size_t index, size_t length) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(index * length);
  return {begin, begin + static_cast<std::ptrdiff_t>(length)};
}

void add_product(const Value& weights, const Vector& x, std::vector<ErrorBoundedSum>& sums) {
  for (size_t u = 0; u < sums.size(); ++u) {
    for (size_t k = 0; k < x.size(); ++k) sums[u].add(weights.real[u * x.size() + k] * x[k]);
  }
}

struct Cell {
  const Value& weights;
  const Value& recurrent;
  const Value& bias;
  const Value* aux_weights;
  int64_t activation;
};

/// One step: activation(input * weights + state * recurrent + bias); `error` gathers what float32 may differ by. Errors of the
/// state come back through the recurrent weights.
Vector step(const Cell& cell, const Vector& x, const Vector& state, const Vector& aux, double* error) {
  std::vector<ErrorBoundedSum> sums(state.size());
  add_product(cell.weights, x, sums);
  add_product(cell.recurrent, state, sums);
  if (cell.aux_weights) add_product(*cell.aux_weights, aux, sums);
  Vector result;
  double gain = 0, own = 0;
  for (size_t u = 0; u < sums.size(); ++u) {
    sums[u].add(cell.bias.real[u]);
    result.push_back(activate(cell.activation, sums[u].value()));
    own = std::max(own, sums[u].slack());
    double weights = 0;
    for (size_t k = 0; k < state.size(); ++k) weights += std::fabs(cell.recurrent.real[u * state.size() + k]);
    gain = std::max(gain, weights);
  }
  *error = *error * gain + own;
  return result;
}

/// Shape [time, batch, size] or [batch, time, size].
struct Sequence {
  bool time_major;
  const Dims& dims;
  size_t times() const { return time_major ? dims[0] : dims[1]; }
  size_t batches() const { return time_major ? dims[1] : dims[0]; }
  size_t index(size_t t, size_t b) const { return time_major ? t * dims[1] + b : b * dims[1] + t; }
};

Dims with_last(Dims dims, size_t last) {
  dims.back() = static_cast<uint32_t>(last);
  return dims;
}

/// Runs one direction over a sequence: outputs go to `out` at `offset` of rows of `width` values; the last state to `last`.
void run_sequence(const Cell& cell, const Value& input, const Value& first_state, const Value* aux, bool time_major,
                  bool backward, Expected& out, size_t offset, size_t width, Expected* last) {
  const Sequence sequence{time_major, input.dims};
  const size_t units = cell.bias.count();
  for (size_t b = 0; b < sequence.batches(); ++b) {
    Vector state = row(first_state.real, b, units);
    double error = 0;
    for (size_t i = 0; i < sequence.times(); ++i) {
      const size_t at = sequence.index(backward ? sequence.times() - 1 - i : i, b);
      const Vector extra = aux && cell.aux_weights ? row(aux->real, at, aux->dims[2]) : Vector();
      state = step(cell, row(input.real, at, input.dims[2]), state, extra, &error);
      for (size_t u = 0; u < units; ++u) {
        out.real[at * width + offset + u] = state[u];
        out.set_slack(at * width + offset + u, error);
      }
    }
    for (size_t u = 0; last && u < units; ++u) {
      last->real[b * units + u] = state[u];
      last->set_slack(b * units + u, error);
    }
  }
}

}  // namespace

void rnn(Call& call) {
  const Value &input = call.in(0), &state = call.in(4);
  const Cell cell{call.in(1), call.in(2), call.in(3), nullptr, call.integer(5)};
  call.out(0).resize(state.dims);
  call.out(1).resize(state.dims);
  const size_t units = cell.bias.count();
  for (size_t b = 0; b < state.dims[0]; ++b) {
    double error = 0;
    const Vector result = step(cell, row(input.real, b, input.dims[1]), row(state.real, b, units), {}, &error);
    for (size_t u = 0; u < units; ++u) {
      for (size_t o = 0; o < 2; ++o) {
        call.out(o).real[b * units + u] = result[u];
        call.out(o).set_slack(b * units + u, error);
      }
    }
  }
}

void unidirectional_sequence_rnn(Call& call) {
  const Cell cell{call.in(1), call.in(2), call.in(3), nullptr, call.integer(5)};
  const size_t units = cell.bias.count();
  call.out(0).resize(with_last(call.in(0).dims, units));
  Expected* last = call.output_count() > 1 ? &call.out(1) : nullptr;
  if (last) last->resize(call.in(4).dims);
  run_sequence(cell, call.in(0), call.in(4), nullptr, call.integer(6) == 1, false, call.out(0), 0, units, last);
}

/// With an auxiliary input and its weights both cells see both inputs; without the weights the backward cell sees the
/// auxiliary input alone.
void bidirectional_sequence_rnn(Call& call) {
  const Value& input = call.in(0);
  const bool time_major = call.flag(13), merge = call.flag(14);
  const bool has_aux = call.has(9), cross = has_aux && call.has(10) && call.has(11);
  const Cell forward{call.in(1), call.in(2), call.in(3), cross ? &call.in(10) : nullptr, call.integer(12)};
  const Cell backward{call.in(5), call.in(6), call.in(7), cross ? &call.in(11) : nullptr, call.integer(12)};
  const Value* aux = has_aux ? &call.in(9) : nullptr;
  const Value& backward_input = has_aux && !cross ? *aux : input;
  const size_t fw = forward.bias.count(), bw = backward.bias.count();
  call.out(0).resize(with_last(input.dims, merge ? fw + bw : fw));
  if (!merge) call.out(1).resize(with_last(input.dims, bw));
  const size_t states = merge ? 1 : 2;
  Expected *fw_last = nullptr, *bw_last = nullptr;
  if (call.output_count() > states) {
    fw_last = &call.out(states);
    bw_last = &call.out(states + 1);
    fw_last->resize(call.in(4).dims);
    bw_last->resize(call.in(8).dims);
  }
  const size_t width = merge ? fw + bw : fw;
  run_sequence(forward, input, call.in(4), aux, time_major, false, call.out(0), 0, width, fw_last);
  run_sequence(backward, backward_input, call.in(8), aux, time_major, true, merge ? call.out(0) : call.out(1), merge ? fw : 0,
               merge ? width : bw, bw_last);
}

/// The state holds, for each filter, the last memory_size results; after the output it moves on by one place, the newest being
/// zero until the next step fills it.
void svdf(Call& call) {
  const Value &input = call.in(0), &feature = call.in(1), &time = call.in(2), &state_in = call.in(4);
  const auto rank = static_cast<size_t>(call.integer(5));
  const size_t batches = input.dims[0], filters = feature.dims[0], memory = time.dims[1], units = filters / rank;
  Expected &state = call.out(0), &out = call.out(1);
  state.resize(state_in.dims);
  out.resize({static_cast<uint32_t>(batches), static_cast<uint32_t>(units)});
  for (size_t b = 0; b < batches; ++b) {
    const Vector x = row(input.real, b, input.dims[1]);
    std::vector<ErrorBoundedSum> sums(units);
    double worst = 0;
    for (size_t f = 0; f < filters; ++f) {
      Vector window = row(state_in.real, b * filters + f, memory);
      ErrorBoundedSum newest;
      for (size_t k = 0; k < x.size(); ++k) newest.add(feature.real[f * x.size() + k] * x[k]);
      window[memory - 1] = newest.value();
      for (size_t m = 0; m < memory; ++m) sums[f / rank].add(window[m] * time.real[f * memory + m]);
      worst = std::max(worst, newest.slack() * std::fabs(time.real[f * memory + memory - 1]) * static_cast<double>(rank));
      for (size_t m = 0; m < memory; ++m) {
        const size_t i = (b * filters + f) * memory + m;
        state.real[i] = m + 1 < memory ? window[m + 1] : 0;
        state.set_slack(i, m + 2 == memory ? newest.slack() : 0);
      }
    }
    for (size_t u = 0; u < units; ++u) {
      if (call.has(3)) sums[u].add(call.in(3).real[u]);
      out.real[b * units + u] = activate(call.integer(6), sums[u].value());
      out.set_slack(b * units + u, sums[u].slack() + worst);
    }
  }
}

}  // namespace avocet::random_models::naive
