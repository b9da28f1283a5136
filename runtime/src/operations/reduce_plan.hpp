// SPDX-License-Identifier: Apache-2.0
// Reduction of a tensor of rank 1 to 4 along some of its axes. Neighbouring axes of one kind are joined, after which at most
// two groups are kept and two are reduced, in turn; elements of the last kept group are made side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "operation.hpp"

namespace avocet::runtime {

/// Bit d is set when axis d is reduced. Axes may repeat and count from the end. OP_FAILED for an axis outside the tensor.
Status find_reduced_axes(const OperandView& axes, size_t rank, uint32_t* mask);

/// Shape of the result; [1] when no dimension is left.
Dimensions reduced_dims(const Dimensions& dims, uint32_t mask, bool keep_dims);

class ReducePlan {
 public:
  ReducePlan(const Dimensions& dims, uint32_t mask);

  /// Input elements for each output element.
  size_t reduced_count() const { return reduced_[0].extent * reduced_[1].extent; }

  /// output[i] = finish(all elements for i joined by `join`, starting from `initial`). `join` is associative and commutative,
  /// with `initial` neutral; it is called with (Sum, T) and (Sum, Sum).
  template <typename T, typename Sum, typename R, typename Join, typename Finish>
  void run(const OperationContext& context, const T* from, R* to, Sum initial, const Join& join, const Finish& finish) const {
    const size_t rows = kept_[0].extent * kept_[1].extent;
    const size_t width = std::min(inner_, kWidth), pieces = (inner_ + width - 1) / width;
    const size_t grain = std::max<size_t>(1, kGrain / (reduced_count() * width));
    context.parallel_for(rows * pieces, grain, [&](size_t begin, size_t end) {
      std::vector<Sum> sums(width);
      for (size_t item = begin; item < end; ++item) {
        const size_t row = item / pieces, first = item % pieces * width, count = std::min(width, inner_ - first);
        const T* start = from + row / kept_[1].extent * kept_[0].stride + row % kept_[1].extent * kept_[1].stride + first;
        if (inner_ == 1) {
          sums[0] = reduce_one(start, initial, join);
        } else {
          std::fill(sums.begin(), sums.end(), initial);
          reduce_side_by_side(start, count, sums.data(), join);
        }
        for (size_t i = 0; i < count; ++i) to[row * inner_ + first + i] = finish(sums[i]);
      }
    });
  }

 private:
  struct Group {
    size_t extent = 1;
    size_t stride = 0;
  };
  static constexpr size_t kWidth = 1024, kGrain = 32768;

  /// All elements of one output element, in lanes that a compiler can keep in vector registers.
  template <typename T, typename Sum, typename Join>
  Sum reduce_one(const T* start, Sum initial, const Join& join) const {
    constexpr size_t kLanes = 8;
    std::array<Sum, kLanes> lanes;
    lanes.fill(initial);
    for (size_t a = 0; a < reduced_[0].extent; ++a) {
      const T* run = start + a * reduced_[0].stride;
      const size_t length = reduced_[1].extent;
      size_t i = 0;
      if (reduced_[1].stride == 1) {
        for (; i + kLanes <= length; i += kLanes) {
          for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = join(lanes[lane], run[i + lane]);
        }
      }
      for (; i < length; ++i) lanes[0] = join(lanes[0], run[i * reduced_[1].stride]);
    }
    for (size_t lane = 1; lane < kLanes; ++lane) lanes[0] = join(lanes[0], lanes[lane]);
    return lanes[0];
  }

  template <typename T, typename Sum, typename Join>
  void reduce_side_by_side(const T* start, size_t count, Sum* sums, const Join& join) const {
    for (size_t a = 0; a < reduced_[0].extent; ++a) {
      for (size_t b = 0; b < reduced_[1].extent; ++b) {
        const T* run = start + a * reduced_[0].stride + b * reduced_[1].stride;
        for (size_t i = 0; i < count; ++i) sums[i] = join(sums[i], run[i]);
      }
    }
  }

  std::array<Group, 2> kept_;     // outer, inner; without the last group when it is kept
  std::array<Group, 2> reduced_;  // outer, inner
  size_t inner_ = 1;              // extent of the last group when it is kept, else 1
};

}  // namespace avocet::runtime
