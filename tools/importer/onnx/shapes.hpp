// SPDX-License-Identifier: Apache-2.0
// Shape arithmetic of the format, for tensors that are folded here as for those that the API computes. Everything
// throws std::runtime_error with a sentence.
#pragma once

#include <span>

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

/// The product; throws when it exceeds 2^30, which no tensor here may.
uint64_t element_count_of(const Dims& dims);
std::string dims_text(const Dims& dims);

/// `axis` counted from the front.
size_t normal_axis(int64_t axis, size_t rank);
/// Which of `rank` axes are named; each at most once.
std::vector<bool> axis_mask(std::span<const int64_t> axes, size_t rank);

Dims broadcast_dims(const Dims& left, const Dims& right);
/// RESHAPE's shape: 0 copies an extent (unless `allow_zero`), one -1 takes what is left.
Dims reshaped_dims(const Dims& from, std::span<const int64_t> shape, bool allow_zero);
Dims squeezed_dims(const Dims& from, std::span<const int64_t> axes);  // no axes: all extents of 1
Dims unsqueezed_dims(const Dims& from, std::span<const int64_t> axes);
Dims flattened_dims(const Dims& from, int64_t axis);
/// Each axis once; no order given: reversed.
std::vector<size_t> permutation(std::span<const int64_t> order, size_t rank);

/// What a Slice takes along one axis: `extent` elements from `begin`, `step` (not 0) apart.
struct AxisSlice {
  int64_t begin = 0;
  int64_t step = 1;
  uint32_t extent = 0;
};
std::vector<AxisSlice> sliced_axes(const Dims& from, std::span<const int64_t> starts, std::span<const int64_t> ends,
                                   std::span<const int64_t> axes, std::span<const int64_t> steps);

}  // namespace avocet::tools::onnx
