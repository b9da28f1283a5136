// SPDX-License-Identifier: Apache-2.0
// Operations that move elements under other dimensions: their shape tensors are drawn to fit.
#include <algorithm>
#include <numeric>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {
namespace {

constexpr size_t kMostElements = 4000;

std::vector<double> as_numbers(const Dims& dims) { return {dims.begin(), dims.end()}; }

/// `count` as a product of `rank` extents.
Dims factors(Random& random, uint32_t count, size_t rank) {
  Dims dims;
  for (; rank > 1; --rank) {
    std::vector<uint32_t> divisors;
    for (uint32_t f = 1; f <= count && f <= 64; ++f) {
      if (count % f == 0) divisors.push_back(f);
    }
    dims.push_back(random.pick(divisors));
    count /= dims.back();
  }
  dims.push_back(count);
  return dims;
}

}  // namespace

bool reshape(OperationDraw& d) {
  const auto count = static_cast<uint32_t>(count_of(d.shape_input(0)));
  if (count == 0) return false;
  Dims dims = factors(d.random, count, d.random.extent(1, 4));
  d.random.shuffle(dims);
  d.out[0].shape(dims);
  std::vector<double> shape = as_numbers(dims);
  if (d.random.chance(40)) shape[d.random.below(shape.size())] = -1;
  d.input("shape").values(shape);
  return true;
}

bool squeeze(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  if (!d.in[0].fed) {
    for (uint32_t& extent : dims) {
      if (d.random.chance(50)) extent = 1;
    }
    d.in[0].shape(dims);
  }
  std::vector<double> axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1 && d.random.chance(60)) axes.push_back(static_cast<double>(i));
  }
  OperandDraw* given = d.find("axes");
  const bool all = !given || given->omitted || axes.empty();
  if (given && axes.empty()) given->omitted = true;
  Dims result;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool dropped = all || std::find(axes.begin(), axes.end(), static_cast<double>(i)) != axes.end();
    if (!dropped || dims[i] != 1) result.push_back(dims[i]);
  }
  if (result.empty()) result.push_back(1);
  if (given && !given->omitted) given->values(axes);
  d.out[0].shape(result);
  return true;
}

bool expand_dims(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  const double axis = d.axis(dims.size() + 1);
  d.set_scalar("axis", axis);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis < 0 ? axis + static_cast<double>(dims.size()) + 1 : axis), 1);
  d.out[0].shape(dims);
  return true;
}

bool transpose(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  std::vector<double> order(dims.size());
  std::iota(order.rbegin(), order.rend(), 0);
  OperandDraw* given = d.find("perm");
  if (given && !given->omitted) {
    d.random.shuffle(order);
    given->values(order);
  }
  Dims result;
  for (const double from : order) result.push_back(dims[static_cast<size_t>(from)]);
  d.out[0].shape(result);
  return true;
}

bool concatenation(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  const double axis = d.axis(dims.size());
  const size_t at = Call::axis_of(static_cast<int64_t>(axis), dims.size());
  d.set_scalar("axis", axis);
  double magnitude = d.magnitude(0);
  uint32_t extent = dims[at];
  for (size_t i = 1; i + 1 < d.in.size(); ++i) {
    Dims part = dims;
    if (d.random.chance(50)) part[at] = d.random.extent(1, 4);
    extent += part[at];
    d.in[i].shape(part);
    if (is_quantised_type(d.in[0].type) && d.random.chance(50)) d.in[i].quantise(d.in[0].scale, d.in[0].zero_point);
    magnitude = std::max(magnitude, d.magnitude(i));
  }
  dims[at] = extent;
  d.out[0].shape(dims);
  if (is_quantised_type(d.in[0].type) && d.random.chance(40)) d.out[0].quantise(d.in[0].scale, d.in[0].zero_point);
  d.quantise_for(d.out[0], magnitude);
  return count_of(dims) <= kMostElements;
}

bool split(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  const double axis = d.axis(dims.size());
  uint32_t& extent = dims[Call::axis_of(static_cast<int64_t>(axis), dims.size())];
  uint32_t parts = d.random.extent(1, 4);
  if (d.in[0].fed) {
    while (extent % parts != 0) --parts;
  } else {
    extent *= parts;
    d.in[0].shape(dims);
  }
  d.repeat_outputs(parts);
  d.set_scalar("axis", axis);
  d.set_scalar("num_splits", parts);
  extent /= parts;
  for (OperandDraw& out : d.out) out.shape(dims);
  return true;
}

/// PAD_V2's value is a stored number for quantised tensors.
bool pad(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  std::vector<double> paddings;
  for (uint32_t& extent : dims) {
    const uint32_t before = d.random.chance(50) ? 0 : d.random.extent(1, 2), after = d.random.chance(50) ? 0 : d.random.extent(1, 2);
    extent += before + after;
    paddings.insert(paddings.end(), {static_cast<double>(before), static_cast<double>(after)});
  }
  d.input("paddings").shape({static_cast<uint32_t>(dims.size()), 2});
  d.input("paddings").values(paddings);
  d.out[0].shape(dims);
  if (d.find("pad_value") && is_quantised_type(d.in[0].type)) {
    const StoredRange range = stored_range(d.in[0].type);
    d.set_scalar("pad_value", static_cast<double>(d.random.between(static_cast<int64_t>(range.low), static_cast<int64_t>(range.high))));
  }
  return count_of(dims) <= kMostElements;
}

bool tile(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  Dims multiples;
  for (uint32_t& extent : dims) extent *= multiples.emplace_back(d.random.chance(50) ? 1 : d.random.extent(1, 3));
  d.input("multiples").values(as_numbers(multiples));
  d.out[0].shape(dims);
  return count_of(dims) <= kMostElements;
}

bool slice(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  std::vector<double> begin, size;
  Dims result;
  for (const uint32_t extent : dims) {
    const uint32_t from = extent ? d.random.below(extent) : 0;
    const uint32_t length = extent ? d.random.extent(1, extent - from) : 0;
    const bool rest = d.random.chance(30);
    begin.push_back(from);
    size.push_back(rest ? -1.0 : length);
    result.push_back(rest ? extent - from : length);
  }
  d.input("begin").values(begin);
  d.input("size").values(size);
  d.out[0].shape(result);
  return true;
}

bool strided_slice(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  std::vector<double> begin, end, strides;
  uint32_t masks[3] = {};  // begin, end, shrink
  Dims result;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t extent = dims[i];
    int64_t stride = d.random.chance(50) ? 1 : d.random.extent(1, 3);
    if (d.random.chance(25)) stride = -stride;
    int64_t first = d.random.below(dims[i]);
    const int64_t length = d.random.between(1, stride > 0 ? extent - first : first + 1);  // positions passed
    int64_t stop = first + (stride > 0 ? length : -length);
    if (d.random.chance(15)) {
      masks[2] |= 1u << i;
      stride = 1;
      stop = first + 1;
    } else {
      if (d.random.chance(20)) {
        masks[0] |= 1u << i;
        if (stride < 0 && extent - 1 - stop < 1) return false;
        if (stride > 0 && stop < 1) return false;
      }
      if (d.random.chance(20)) masks[1] |= 1u << i;
      const int64_t from = (masks[0] >> i) & 1 ? (stride > 0 ? 0 : extent - 1) : first;
      const int64_t to = (masks[1] >> i) & 1 ? (stride > 0 ? extent : -1) : stop;
      const int64_t passed = stride > 0 ? to - from : from - to, step = stride > 0 ? stride : -stride;
      result.push_back(static_cast<uint32_t>((passed + step - 1) / step));
    }
    if (first > 0 && d.random.chance(30)) first -= extent;
    if (stop == -1) {
      stop = -extent - 1;  // one before the first element
    } else if (stop > 0 && stop < extent && d.random.chance(30)) {
      stop -= extent;
    }
    begin.push_back(static_cast<double>(first));
    end.push_back(static_cast<double>(stop));
    strides.push_back(static_cast<double>(stride));
  }
  d.input("begin").values(begin);
  d.input("end").values(end);
  d.input("strides").values(strides);
  d.set_scalar("begin_mask", masks[0]);
  d.set_scalar("end_mask", masks[1]);
  d.set_scalar("shrink_axis_mask", masks[2]);
  if (result.empty()) result.push_back(1);
  d.out[0].shape(result);
  return true;
}

bool fill(OperationDraw& d) {
  Dims dims(d.random.extent(1, 5));
  for (uint32_t& extent : dims) extent = d.random.extent(1, 4);
  d.in[0].values(as_numbers(dims));
  d.out[0].shape(dims);
  return true;
}

bool rank(OperationDraw& d) {
  d.shape_input(0);
  d.out[0].shape({});
  return true;
}

}  // namespace avocet::random_models::draw
