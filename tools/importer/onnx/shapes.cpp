// SPDX-License-Identifier: Apache-2.0
// Extents fit 31 bits and products 30, so that int64 arithmetic on them cannot overflow.
#include "importer/onnx/shapes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "nnapi/operand_types.hpp"

namespace avocet::tools::onnx {
namespace {

constexpr uint64_t kMaxElements = uint64_t{1} << 30;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

}  // namespace

uint64_t element_count_of(const Dims& dims) {
  uint64_t count = 1;
  if (std::find(dims.begin(), dims.end(), 0u) != dims.end()) return 0;
  for (const uint32_t extent : dims) {
    count *= extent;
    if (count > kMaxElements) fail("a tensor of shape " + dims_text(dims) + " is too large");
  }
  return count;
}

std::string dims_text(const Dims& dims) { return format_dimensions(dims); }

size_t normal_axis(int64_t axis, size_t rank) {
  const auto extent = static_cast<int64_t>(rank);
  if (axis < -extent || axis >= extent) fail("axis " + std::to_string(axis) + " of rank " + std::to_string(rank));
  return static_cast<size_t>(axis < 0 ? axis + extent : axis);
}

std::vector<bool> axis_mask(std::span<const int64_t> axes, size_t rank) {
  std::vector<bool> mask(rank);
  for (const int64_t axis : axes) {
    const size_t at = normal_axis(axis, rank);
    if (mask[at]) fail("axis " + std::to_string(axis) + " is named twice");
    mask[at] = true;
  }
  return mask;
}

Dims broadcast_dims(const Dims& left, const Dims& right) {
  Dims result(std::max(left.size(), right.size()), 1);
  for (size_t i = 0; i < result.size(); ++i) {  // from the last dimension on
    const uint32_t l = i < left.size() ? left[left.size() - 1 - i] : 1;
    const uint32_t r = i < right.size() ? right[right.size() - 1 - i] : 1;
    if (l != r && l != 1 && r != 1)
      fail("shapes " + dims_text(left) + " and " + dims_text(right) + " do not broadcast");
    result[result.size() - 1 - i] = l == 1 ? r : l;
  }
  element_count_of(result);
  return result;
}

Dims reshaped_dims(const Dims& from, std::span<const int64_t> shape, bool allow_zero) {
  Dims result;
  size_t open = shape.size();
  uint64_t known = 1;
  if (shape.size() > 8) fail("a shape of rank " + std::to_string(shape.size()));
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t extent = shape[i];
    if (extent == 0 && !allow_zero) {
      if (i >= from.size()) fail("the shape copies dimension " + std::to_string(i) + ", which the input lacks");
      extent = from[i];
    }
    if (extent == -1) {
      if (open != shape.size()) fail("a shape with two open dimensions");
      open = i;
      extent = 1;
    }
    if (extent < 0 || extent > std::numeric_limits<int32_t>::max()) fail("dimension " + std::to_string(extent));
    result.push_back(static_cast<uint32_t>(extent));
    known = std::min(known * static_cast<uint64_t>(extent), kMaxElements + 1);
  }
  const uint64_t count = element_count_of(from);
  if (open != shape.size() && known != 0 && count % known == 0) result[open] = static_cast<uint32_t>(count / known);
  if (element_count_of(result) != count)
    fail("shape " + dims_text(result) + " for " + std::to_string(count) + " elements");
  return result;
}

Dims squeezed_dims(const Dims& from, std::span<const int64_t> axes) {
  const std::vector<bool> named = axis_mask(axes, from.size());
  Dims result;
  for (size_t i = 0; i < from.size(); ++i) {
    const bool removed = axes.empty() ? from[i] == 1 : named[i];
    if (removed && from[i] != 1) fail("dimension " + std::to_string(i) + " of " + dims_text(from) + " is not 1");
    if (!removed) result.push_back(from[i]);
  }
  return result;
}

Dims unsqueezed_dims(const Dims& from, std::span<const int64_t> axes) {
  const size_t rank = from.size() + axes.size();
  if (rank > 8) fail("a shape of rank " + std::to_string(rank));
  const std::vector<bool> added = axis_mask(axes, rank);
  Dims result;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) result.push_back(added[i] ? 1 : from[next++]);
  return result;
}

Dims flattened_dims(const Dims& from, int64_t axis) {
  // The axis may be the rank itself: everything is then in the first dimension.
  const auto rank = static_cast<int64_t>(from.size());
  const size_t at = axis == rank ? from.size() : normal_axis(axis, from.size());
  Dims result = {1, 1};
  for (size_t i = 0; i < from.size(); ++i) result[i < at ? 0 : 1] *= from[i];
  return result;
}

std::vector<size_t> permutation(std::span<const int64_t> order, size_t rank) {
  std::vector<size_t> result;
  if (order.empty()) {
    for (size_t i = rank; i-- > 0;) result.push_back(i);
    return result;
  }
  if (order.size() != rank) fail(std::to_string(order.size()) + " axes for rank " + std::to_string(rank));
  axis_mask(order, rank);  // each once
  for (const int64_t axis : order) result.push_back(normal_axis(axis, rank));
  return result;
}

std::vector<AxisSlice> sliced_axes(const Dims& from, std::span<const int64_t> starts, std::span<const int64_t> ends,
                                   std::span<const int64_t> axes, std::span<const int64_t> steps) {
  if (ends.size() != starts.size() || (!axes.empty() && axes.size() != starts.size()) ||
      (!steps.empty() && steps.size() != starts.size())) {
    fail("starts, ends, axes and steps differ in length");
  }
  std::vector<AxisSlice> slices;
  for (const uint32_t extent : from) slices.push_back({.begin = 0, .step = 1, .extent = extent});
  std::vector<int64_t> named(axes.begin(), axes.end());
  if (named.empty()) {
    named.resize(starts.size());
    std::iota(named.begin(), named.end(), int64_t{0});
  }
  axis_mask(named, from.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    const size_t axis = normal_axis(named[i], from.size());
    const auto extent = static_cast<int64_t>(from[axis]);
    const int64_t step = steps.empty() ? 1 : steps[i];
    if (step == 0) fail("a step of 0");
    const auto counted = [&](int64_t at) { return at < 0 ? std::max<int64_t>(at, -extent - 1) + extent : at; };
    // Backwards the ends may lie one before the first element.
    const int64_t begin = step > 0 ? std::clamp<int64_t>(counted(starts[i]), 0, extent)
                                   : std::clamp<int64_t>(counted(starts[i]), -1, extent - 1);
    const int64_t end = step > 0 ? std::clamp<int64_t>(counted(ends[i]), 0, extent)
                                 : std::clamp<int64_t>(counted(ends[i]), -1, extent - 1);
    const int64_t span = step > 0 ? end - begin : begin - end;
    const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
    const uint64_t count = span <= 0 ? 0 : (static_cast<uint64_t>(span) - 1) / stride + 1;
    slices[axis] = {.begin = begin, .step = count > 1 ? step : 1, .extent = static_cast<uint32_t>(count)};
  }
  return slices;
}

}  // namespace avocet::tools::onnx
