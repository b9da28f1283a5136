// SPDX-License-Identifier: Apache-2.0
// Broadcasting of two tensors: the shape of the result, and a walk over it in rows along which both inputs have step 0 or 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "operation.hpp"

namespace avocet::runtime {

/// Shape of the result: dimensions are aligned at the end and must be equal or 1. OP_FAILED when they do not go together.
Status broadcast_shape(const Dimensions& a, const Dimensions& b, Dimensions* result);

/// infer of operations with two broadcast inputs 0 and 1 and one output.
Status infer_broadcast(OperationContext& context);

/// A pair of broadcast shapes with adjacent dimensions joined wherever both inputs allow it.
class BroadcastPlan {
 public:
  BroadcastPlan(const Dimensions& a, const Dimensions& b, const Dimensions& result);

  size_t rows() const { return rows_; }          // number of innermost runs
  size_t row_length() const { return length_; }  // elements in each
  size_t step_a() const { return step_a_; }      // 0: the input repeats one element along a row
  size_t step_b() const { return step_b_; }

  /// Calls body(a_offset, b_offset, result_offset, length) for rows [begin, end).
  template <typename Body>
  void for_rows(size_t begin, size_t end, const Body& body) const {
    std::vector<size_t> index(axes_.size());
    size_t a = 0, b = 0, rest = begin;
    for (size_t i = axes_.size(); i-- > 0;) {
      index[i] = rest % axes_[i].extent;
      rest /= axes_[i].extent;
      a += index[i] * axes_[i].stride_a;
      b += index[i] * axes_[i].stride_b;
    }
    for (size_t row = begin; row < end; ++row) {
      body(a, b, row * length_, length_);
      for (size_t i = axes_.size(); i-- > 0;) {
        a += axes_[i].stride_a;
        b += axes_[i].stride_b;
        if (++index[i] < axes_[i].extent) break;
        a -= axes_[i].extent * axes_[i].stride_a;
        b -= axes_[i].extent * axes_[i].stride_b;
        index[i] = 0;
      }
    }
  }

 private:
  struct Axis {
    size_t extent;
    size_t stride_a;  // 0 where the input is repeated
    size_t stride_b;
  };
  std::vector<Axis> axes_;  // all but the innermost, outermost first
  size_t rows_ = 1;
  size_t length_ = 1;
  size_t step_a_ = 1;
  size_t step_b_ = 1;
};

/// result[i] = function(a[i], b[i]) over two broadcast inputs, on the execution's threads. The result is not empty.
template <typename A, typename B, typename R, typename Function>
void broadcast_apply(const OperationContext& context, const A* a, const B* b, R* result, const Function& function) {
  const BroadcastPlan plan(context.inputs[0].dims, context.inputs[1].dims, context.outputs[0].dims);
  const auto row = [&](const A* x, const B* y, R* out, size_t length) {
    // One loop per step pattern, so that each can be vectorised.
    if (plan.step_a() && plan.step_b()) {
      for (size_t i = 0; i < length; ++i) out[i] = function(x[i], y[i]);
    } else if (plan.step_a()) {
      const B fixed = *y;
      for (size_t i = 0; i < length; ++i) out[i] = function(x[i], fixed);
    } else {
      const A fixed = *x;
      for (size_t i = 0; i < length; ++i) out[i] = function(fixed, y[i]);
    }
  };
  constexpr size_t kGrain = 16384;  // elements worth a thread
  if (plan.rows() == 1) {
    context.parallel_for(plan.row_length(), kGrain, [&](size_t begin, size_t end) {
      row(a + begin * plan.step_a(), b + begin * plan.step_b(), result + begin, end - begin);
    });
    return;
  }
  const size_t grain = std::max<size_t>(1, kGrain / std::max<size_t>(1, plan.row_length()));
  context.parallel_for(plan.rows(), grain, [&](size_t begin, size_t end) {
    plan.for_rows(begin, end, [&](size_t a_at, size_t b_at, size_t out_at, size_t length) {
      row(a + a_at, b + b_at, result + out_at, length);
    });
  });
}

}  // namespace avocet::runtime
