// SPDX-License-Identifier: Apache-2.0
// Operations that move whole elements: the same numbers under other dimensions or in another order.
#include <algorithm>
#include <numeric>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

/// Fills output 0 of the given dimensions from the input element that `source` names for each position.
void copy(Call& call, Dims dims, const std::function<size_t(const Dims&)>& source) {
  Expected& out = call.out(0);
  out.resize(std::move(dims));
  for_each_position(out.dims, [&](const Dims& at, size_t i) { out.real[i] = call.in(0).real[source(at)]; });
}

void keep_order(Call& call, Dims dims) {
  call.out(0).resize(std::move(dims));
  call.out(0).real = call.in(0).real;
}

/// Elements outside the input are `value`.
void pad_with(Call& call, double value) {
  const Value& in = call.in(0);
  const std::vector<int64_t> paddings = call.integers(1);
  Dims dims = in.dims;
  for (size_t d = 0; d < dims.size(); ++d) dims[d] += static_cast<uint32_t>(paddings[2 * d] + paddings[2 * d + 1]);
  Expected& out = call.out(0);
  out.resize(dims);
  for_each_position(dims, [&](const Dims& at, size_t i) {
    Dims from = at;
    bool inside = true;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t p = int64_t{at[d]} - paddings[2 * d];
      inside = inside && p >= 0 && p < int64_t{in.dims[d]};
      from[d] = static_cast<uint32_t>(p);
    }
    out.real[i] = inside ? in.real[flat_index(in.dims, from)] : value;
  });
}

}  // namespace

void reshape(Call& call) {
  Dims dims;
  size_t known = 1;
  for (const int64_t extent : call.integers(1)) {
    dims.push_back(static_cast<uint32_t>(extent));
    if (extent != -1) known *= static_cast<size_t>(extent);
  }
  for (uint32_t& extent : dims) {
    if (extent == UINT32_MAX) extent = static_cast<uint32_t>(call.in(0).count() / known);
  }
  keep_order(call, dims);
}

void squeeze(Call& call) {
  const Dims& from = call.in(0).dims;
  std::vector<bool> dropped(from.size(), !call.has(1));
  if (call.has(1)) {
    for (const int64_t axis : call.integers(1)) dropped[Call::axis_of(axis, from.size())] = true;
  }
  Dims dims;
  for (size_t d = 0; d < from.size(); ++d) {
    if (!dropped[d] || from[d] != 1) dims.push_back(from[d]);
  }
  if (dims.empty()) dims.push_back(1);
  keep_order(call, dims);
}

void expand_dims(Call& call) {
  Dims dims = call.in(0).dims;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(Call::axis_of(call.integer(1), dims.size() + 1)), 1);
  keep_order(call, dims);
}

void transpose(Call& call) {
  const Dims& from = call.in(0).dims;
  std::vector<int64_t> order(from.size());
  std::iota(order.rbegin(), order.rend(), 0);
  if (call.has(1)) order = call.integers(1);
  Dims dims;
  for (const int64_t d : order) dims.push_back(from[static_cast<size_t>(d)]);
  copy(call, dims, [&](const Dims& at) {
    Dims source(from.size());
    for (size_t d = 0; d < order.size(); ++d) source[static_cast<size_t>(order[d])] = at[d];
    return flat_index(from, source);
  });
}

void concatenation(Call& call) {
  const size_t count = call.input_count() - 1;
  Dims dims = call.in(0).dims;
  const size_t axis = Call::axis_of(call.integer(count), dims.size());
  for (size_t i = 1; i < count; ++i) dims[axis] += call.in(i).dims[axis];
  Expected& out = call.out(0);
  out.resize(dims);
  for_each_position(dims, [&](const Dims& at, size_t index) {
    Dims source = at;
    size_t i = 0;
    while (source[axis] >= call.in(i).dims[axis]) source[axis] -= call.in(i++).dims[axis];
    out.real[index] = call.in(i).real[flat_index(call.in(i).dims, source)];
  });
}

void split(Call& call) {
  const Value& in = call.in(0);
  const size_t axis = Call::axis_of(call.integer(1), in.dims.size());
  const auto count = static_cast<uint32_t>(call.integer(2));
  Dims dims = in.dims;
  dims[axis] /= count;
  for (uint32_t part = 0; part < count; ++part) {
    Expected& out = call.out(part);
    out.resize(dims);
    for_each_position(dims, [&](const Dims& at, size_t i) {
      Dims source = at;
      source[axis] += part * dims[axis];
      out.real[i] = in.real[flat_index(in.dims, source)];
    });
  }
}

void pad(Call& call) { pad_with(call, 0); }

/// The pad value of a quantised tensor is a stored number.
void pad_v2(Call& call) {
  const Value& in = call.in(0);
  pad_with(call, is_quantised_type(in.type) ? to_real(in, call.number(2)) : call.number(2));
}

void tile(Call& call) {
  const Dims& from = call.in(0).dims;
  const std::vector<int64_t> multiples = call.integers(1);
  Dims dims = from;
  for (size_t d = 0; d < dims.size(); ++d) dims[d] *= static_cast<uint32_t>(multiples[d]);
  copy(call, dims, [&](const Dims& at) {
    Dims source = at;
    for (size_t d = 0; d < source.size(); ++d) source[d] %= from[d];
    return flat_index(from, source);
  });
}

void slice(Call& call) {
  const Dims& from = call.in(0).dims;
  const std::vector<int64_t> begin = call.integers(1), size = call.integers(2);
  Dims dims(from.size());
  for (size_t d = 0; d < from.size(); ++d) dims[d] = static_cast<uint32_t>(size[d] == -1 ? from[d] - begin[d] : size[d]);
  copy(call, dims, [&](const Dims& at) {
    Dims source = at;
    for (size_t d = 0; d < source.size(); ++d) source[d] += static_cast<uint32_t>(begin[d]);
    return flat_index(from, source);
  });
}

void strided_slice(Call& call) {
  const Dims& from = call.in(0).dims;
  const std::vector<int64_t> begin = call.integers(1), end = call.integers(2), strides = call.integers(3);
  const int64_t begin_mask = call.integer(4), end_mask = call.integer(5), shrink_mask = call.integer(6);
  std::vector<std::vector<uint32_t>> chosen(from.size());  // the positions taken along each dimension
  for (size_t d = 0; d < from.size(); ++d) {
    const int64_t extent = from[d], stride = strides[d];
    const int64_t before_first = -1, last = extent - 1;
    const auto from_front = [&](int64_t position) { return position < 0 ? position + extent : position; };
    int64_t first = (begin_mask >> d) & 1 ? (stride > 0 ? 0 : last) : from_front(begin[d]);
    int64_t stop = (end_mask >> d) & 1 ? (stride > 0 ? extent : before_first) : from_front(end[d]);
    first = stride > 0 ? std::clamp<int64_t>(first, 0, extent) : std::clamp(first, before_first, last);
    stop = stride > 0 ? std::clamp<int64_t>(stop, 0, extent) : std::clamp(stop, before_first, last);
    if ((shrink_mask >> d) & 1) {
      chosen[d] = {static_cast<uint32_t>(first)};
      continue;
    }
    for (int64_t p = first; stride > 0 ? p < stop : p > stop; p += stride) chosen[d].push_back(static_cast<uint32_t>(p));
  }
  Dims all, dims;
  for (size_t d = 0; d < from.size(); ++d) {
    all.push_back(static_cast<uint32_t>(chosen[d].size()));
    if (!((shrink_mask >> d) & 1)) dims.push_back(all.back());
  }
  if (dims.empty()) dims.push_back(1);
  Expected& out = call.out(0);
  out.resize(dims);
  for_each_position(all, [&](const Dims& at, size_t i) {
    Dims source = at;
    for (size_t d = 0; d < source.size(); ++d) source[d] = chosen[d][at[d]];
    out.real[i] = call.in(0).real[flat_index(from, source)];
  });
}

void fill(Call& call) {
  Dims dims;
  for (const int64_t extent : call.integers(0)) dims.push_back(static_cast<uint32_t>(extent));
  call.out(0).resize(dims);
  std::fill(call.out(0).real.begin(), call.out(0).real.end(), call.number(1));
}

void rank(Call& call) {
  call.out(0).resize({});
  call.out(0).real[0] = static_cast<double>(call.in(0).dims.size());
}

}  // namespace avocet::random_models::naive
