// SPDX-License-Identifier: Apache-2.0
// Reductions along axes, positions of extremes, and the k largest.
#include <algorithm>
#include <numeric>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

struct Reduction {
  double start;
  double (*join)(double, double);
  enum { kExact, kSum, kProduct } error = kExact;
};

/// Elements that share the remaining coordinates are joined; `divide` makes a mean of the sum.
void reduce(Call& call, const Reduction& reduction, bool divide) {
  const Value& in = call.in(0);
  std::vector<bool> reduced(in.dims.size(), false);
  for (const int64_t axis : call.integers(1)) reduced[Call::axis_of(axis, in.dims.size())] = true;
  const bool keep = call.integer(2) > 0;
  Dims kept = in.dims, dims;
  for (size_t d = 0; d < kept.size(); ++d) {
    if (reduced[d]) kept[d] = 1;
    if (keep || !reduced[d]) dims.push_back(kept[d]);
  }
  if (dims.empty()) dims.push_back(1);
  Expected& out = call.out(0);
  out.resize(dims);
  std::fill(out.real.begin(), out.real.end(), reduction.start);
  std::vector<double> magnitude(out.real.size(), 0.0), counts(out.real.size(), 0.0);
  for_each_position(in.dims, [&](const Dims& at, size_t i) {
    Dims target = at;
    for (size_t d = 0; d < target.size(); ++d) target[d] = reduced[d] ? 0 : at[d];
    const size_t to = flat_index(kept, target);
    out.real[to] = reduction.join(out.real[to], in.real[i]);
    magnitude[to] += std::fabs(in.real[i]);
    counts[to] += 1;
  });
  for (size_t i = 0; i < out.real.size(); ++i) {
    if (divide) out.real[i] /= counts[i];
    if (!is_float_type(out.type) || reduction.error == Reduction::kExact) continue;
    const double size = reduction.error == Reduction::kSum ? magnitude[i] / (divide ? counts[i] : 1) : std::fabs(out.real[i]);
    out.set_slack(i, size * (counts[i] + 2) * 0x1p-24);
  }
}

void extreme_position(Call& call, bool largest) {
  const Value& in = call.in(0);
  const size_t axis = Call::axis_of(call.integer(1), in.dims.size());
  Dims dims = in.dims;
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  const Dims inner = dims;
  if (dims.empty()) dims.push_back(1);
  Expected& out = call.out(0);
  out.resize(dims);
  for_each_position(inner, [&](const Dims& at, size_t i) {
    Dims source = at;
    source.insert(source.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    double best = 0;
    std::vector<double> positions;  // all that share the extreme value: the API does not say which one is meant
    for (uint32_t p = 0; p < in.dims[axis]; ++p) {
      source[axis] = p;
      const double x = in.real[flat_index(in.dims, source)];
      if (positions.empty() || (largest ? x > best : x < best)) {
        best = x;
        positions.clear();
      }
      if (x == best) positions.push_back(p);
    }
    out.real[i] = positions.empty() ? 0 : positions[0];
    if (positions.size() > 1) out.alternatives[i] = positions;
  });
}

}  // namespace

void mean(Call& call) { reduce(call, {0, [](double x, double y) { return x + y; }, Reduction::kSum}, true); }
void reduce_sum(Call& call) { reduce(call, {0, [](double x, double y) { return x + y; }, Reduction::kSum}, false); }
void reduce_prod(Call& call) { reduce(call, {1, [](double x, double y) { return x * y; }, Reduction::kProduct}, false); }
void reduce_all(Call& call) { reduce(call, {1, [](double x, double y) { return x != 0 && y != 0 ? 1.0 : 0.0; }}, false); }
void reduce_any(Call& call) { reduce(call, {0, [](double x, double y) { return x != 0 || y != 0 ? 1.0 : 0.0; }}, false); }

void reduce_max(Call& call) {
  reduce(call, {-std::numeric_limits<double>::infinity(), [](double x, double y) { return std::max(x, y); }}, false);
}

void reduce_min(Call& call) {
  reduce(call, {std::numeric_limits<double>::infinity(), [](double x, double y) { return std::min(x, y); }}, false);
}

void argmax(Call& call) { extreme_position(call, true); }
void argmin(Call& call) { extreme_position(call, false); }

/// Among equal values the one with the larger index stands first.
void topk_v2(Call& call) {
  const Value& in = call.in(0);
  const auto k = static_cast<uint32_t>(call.integer(1));
  Dims dims = in.dims;
  dims.back() = k;
  Expected &values = call.out(0), &indices = call.out(1);
  values.resize(dims);
  indices.resize(dims);
  const uint32_t length = in.dims.back();
  for (size_t row = 0; row * length < in.real.size(); ++row) {
    std::vector<uint32_t> order(length);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const double x = in.real[row * length + a], y = in.real[row * length + b];
      return x != y ? x > y : a > b;
    });
    for (uint32_t i = 0; i < k; ++i) {
      values.real[row * k + i] = in.real[row * length + order[i]];
      indices.real[row * k + i] = order[i];
    }
  }
}

/// Any class will do; that the shares are right takes more samples than a random model draws.
void random_multinomial(Call& call) {
  const Dims& dims = call.in(0).dims;
  Expected& out = call.out(0);
  out.resize({dims[0], static_cast<uint32_t>(call.integer(1))});
  for (size_t i = 0; i < out.real.size(); ++i) {
    for (uint32_t c = 0; c < dims[1]; ++c) out.alternatives[i].push_back(c);
  }
}

}  // namespace avocet::random_models::naive
