// SPDX-License-Identifier: Apache-2.0
// Operations on two or three broadcast tensors, element by element.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

Dims broadcast(const Dims& a, const Dims& b) {
  Dims result(std::max(a.size(), b.size()), 1);
  for (size_t i = 0; i < result.size(); ++i) {
    const uint32_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

/// The element of a broadcast tensor that belongs to this position of the result.
size_t source_index(const Dims& dims, const Dims& position) {
  Dims own(position.end() - static_cast<std::ptrdiff_t>(dims.size()), position.end());
  for (size_t i = 0; i < dims.size(); ++i) own[i] = dims[i] == 1 ? 0 : own[i];
  return flat_index(dims, own);
}

void for_pairs(Call& call, const std::function<void(size_t, double, double)>& body) {
  const Value &x = call.in(0), &y = call.in(1);
  Expected& out = call.out(0);
  out.resize(broadcast(x.dims, y.dims));
  for_each_position(out.dims, [&](const Dims& at, size_t i) {
    body(i, x.real[source_index(x.dims, at)], y.real[source_index(y.dims, at)]);
  });
}

/// TENSOR_INT32 results outside 32 bits are not the API's matter.
void store(Expected& out, size_t i, double value) {
  out.real[i] = value;
  if (out.type == ANEURALNETWORKS_TENSOR_INT32 && std::fabs(value) > 2147483647.0) out.leave_open(i);
}

void arithmetic(Call& call, double (*function)(double, double)) {
  const int64_t activation = call.integer(2);
  for_pairs(call, [&](size_t i, double x, double y) { store(call.out(0), i, activate(activation, function(x, y))); });
}

/// Quantised operands of different scales may be compared after rescaling to whole steps: differences smaller than that
/// rounding may come out either way.
void compare(Call& call, bool (*function)(double, double)) {
  const Value &x = call.in(0), &y = call.in(1);
  const bool same = x.scale == y.scale && x.zero_point == y.zero_point;
  const double uncertain = !is_quantised_type(x.type) || same ? 0 : 1e-3 * std::min(x.scale, y.scale) + 1e-6 * std::max(x.scale, y.scale);
  for_pairs(call, [&](size_t i, double a, double b) {
    call.out(0).real[i] = function(a, b) ? 1 : 0;
    if (uncertain > 0 && std::fabs(a - b) < uncertain) call.out(0).alternatives[i] = {0, 1};
  });
}

}  // namespace

void add(Call& call) { arithmetic(call, [](double x, double y) { return x + y; }); }
void sub(Call& call) { arithmetic(call, [](double x, double y) { return x - y; }); }
void mul(Call& call) { arithmetic(call, [](double x, double y) { return x * y; }); }

void div(Call& call) {
  const bool whole = call.in(0).type == ANEURALNETWORKS_TENSOR_INT32;
  const int64_t activation = call.integer(2);
  for_pairs(call, [&](size_t i, double x, double y) {
    if (whole && y == 0) {
      call.out(0).leave_open(i);
    } else {
      store(call.out(0), i, activate(activation, whole ? std::floor(x / y) : x / y));
    }
  });
}

void maximum(Call& call) {
  for_pairs(call, [&](size_t i, double x, double y) { call.out(0).real[i] = std::max(x, y); });
}

void minimum(Call& call) {
  for_pairs(call, [&](size_t i, double x, double y) { call.out(0).real[i] = std::min(x, y); });
}

void pow(Call& call) {
  for_pairs(call, [&](size_t i, double x, double y) { call.out(0).real[i] = std::pow(x, y); });
}

void prelu(Call& call) {
  for_pairs(call, [&](size_t i, double x, double alpha) { call.out(0).real[i] = x < 0 ? alpha * x : x; });
}

void select(Call& call) {
  const Value& condition = call.in(0);
  Expected& out = call.out(0);
  out.resize(condition.dims);
  for (size_t i = 0; i < out.real.size(); ++i) out.real[i] = call.in(condition.real[i] != 0 ? 1 : 2).real[i];
}

void equal(Call& call) { compare(call, [](double x, double y) { return x == y; }); }
void not_equal(Call& call) { compare(call, [](double x, double y) { return x != y; }); }
void greater(Call& call) { compare(call, [](double x, double y) { return x > y; }); }
void greater_equal(Call& call) { compare(call, [](double x, double y) { return x >= y; }); }
void less(Call& call) { compare(call, [](double x, double y) { return x < y; }); }
void less_equal(Call& call) { compare(call, [](double x, double y) { return x <= y; }); }

void logical_and(Call& call) {
  for_pairs(call, [&](size_t i, double x, double y) { call.out(0).real[i] = x != 0 && y != 0; });
}

void logical_or(Call& call) {
  for_pairs(call, [&](size_t i, double x, double y) { call.out(0).real[i] = x != 0 || y != 0; });
}

}  // namespace avocet::random_models::naive
