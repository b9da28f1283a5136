// SPDX-License-Identifier: Apache-2.0
// Moving elements between two regular arrangements. Everything that slices, permutes, pads, tiles or splits is one such copy;
// it works on bytes, so float16 and quantised elements need no kernels of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operation.hpp"

namespace avocet::runtime {

/// One axis of a copy. Steps are in elements; they may be zero (repeat the source) or negative (walk it backwards).
struct CopyAxis {
  size_t extent;
  ptrdiff_t from;  // from one index to the next in the source
  ptrdiff_t to;    // and in the destination, where no two indices may meet
};

/// Elements from one index of each dimension to the next in a dense tensor. The shape is one that element_count() accepts
/// and is not empty.
std::vector<ptrdiff_t> dense_steps(std::span<const uint32_t> dims);

/// For all combinations of indices i, `to[sum i * axis.to] = from[sum i * axis.from]`, on the execution's threads. Axes are
/// listed outermost first; none at all copies one element. Nothing is checked: the caller has done that.
void copy_strided(const OperationContext& context, const void* from, void* to, std::vector<CopyAxis> axes, size_t element_bytes);

/// Copies input 0, seen under the dimensions `dims` (any splitting of its real ones), to output 0 so that dimension i of
/// the output is dimension order[i] of the input.
void copy_permuted(OperationContext& context, std::span<const uint32_t> dims, std::span<const uint32_t> order);

/// Fills `count` elements with the one at `value`.
void fill_elements(const OperationContext& context, void* to, size_t count, const void* value, size_t element_bytes);

}  // namespace avocet::runtime
