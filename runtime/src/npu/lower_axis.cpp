// SPDX-License-Identifier: Apache-2.0
// Operations along axes, on tensors seen as [outer, axis, inner].
#include <cmath>

#include "avocet_softmax.h"
#include "npu/lowering_rows.hpp"
#include "operations/failure.hpp"
#include "operations/float16.hpp"
#include "operations/quantised_mean.hpp"
#include "operations/reduce_plan.hpp"
#include "operations/requantise.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime::npu {
namespace {

namespace movements = compiler::movements;
using compiler::OperationType;
using movements::Extents;

uint32_t product(const Extents& dims, size_t begin, size_t end) {
  return static_cast<uint32_t>(extent_product(dims, begin, end));
}

/// Input 0 with other extents; the same bytes.
void reshape(OperationLowering& op, Extents dims, uint32_t* tensor) {
  if (op.tensor(*tensor).dims == dims) return;
  const uint64_t bytes = *element_count(op.tensor(*tensor).dims);
  op.emit_between(movements::reshape(op.operation().name(), bytes), *tensor, std::move(dims), tensor);
}

/// The operation on [outer, axis, inner]; `result` is what it makes of that.
Status emit_along(OperationLowering& op, compiler::Operation lowered, uint32_t input, const Extents& extents, const Extents& result) {
  reshape(op, extents, &input);
  lowered.inputs = {input};
  if (op.named().output(0).dims == result) return op.emit(std::move(lowered));
  uint32_t made = 0;
  AVOCET_RETURN_IF_FAILED(op.emit_like(std::move(lowered), op.operation().outputs[0], result, &made));
  return op.emit(movements::reshape(op.operation().name(), *element_count(result)), {made});
}

/// Of an operation with one axis.
Status read_axis(OperationLowering& op, size_t* axis) {
  const size_t rank = op.named().input(0).dims.size();
  int32_t given = 0;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("axis", -1, &given));
  const auto index = normalise_axis(given, rank);
  if (!index) return op_failed("axis ", given, " is outside of a tensor of rank ", rank);
  *axis = *index;
  return {};
}

Extents around(const Extents& dims, size_t axis) { return {product(dims, 0, axis), dims[axis], product(dims, axis + 1, dims.size())}; }

/// Of an operation with one axis and an output like its input.
Status lower_slices(OperationLowering& op, compiler::Operation lowered) {
  uint32_t input = 0;
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(op.input(0, &input));
  AVOCET_RETURN_IF_FAILED(read_axis(op, &axis));
  const Extents extents = around(op.named().input(0).dims, axis);
  return emit_along(op, std::move(lowered), input, extents, extents);
}

/// Channels of images are searched as they stand, so that the image's maker and the search can share bands of rows.
Status lower_arg(OperationLowering& op, OperationType type) {
  uint32_t input = 0;
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  AVOCET_RETURN_IF_FAILED(op.input(0, &input));
  AVOCET_RETURN_IF_FAILED(read_axis(op, &axis));
  const Extents& dims = op.named().input(0).dims;
  compiler::Attributes attributes;
  attributes.across_channels = true;
  if (axis == 1 && op.has_twin(0)) {
    AVOCET_RETURN_IF_FAILED(op.image(0, true, &input));
  } else if (axis + 1 < dims.size()) {
    attributes.across_channels = false;
    reshape(op, around(dims, axis), &input);
  }
  return op.emit(type, {input}, attributes);
}

/// exp(-d * scale * beta) for each difference d of stored values, as the CPU path's SOFTMAX has it.
std::vector<uint8_t> exponentials(float scale, float beta) {
  constexpr int kIntegerBits = 5;  // differences are Q5.26
  const double real = std::min(double{beta} * double{scale} * (1 << (31 - kIntegerBits)), double((int64_t{1} << 31) - 1));
  const QuantisedMultiplier multiplier = quantise_multiplier(real);
  const double radius = std::ldexp((1 << kIntegerBits) - 1, 31 - kIntegerBits - multiplier.exponent);
  int32_t table[AVOCET_SOFTMAX_EXPONENTIALS];
  avocet_softmax_exponentials(multiplier.mantissa, multiplier.exponent, static_cast<int32_t>(std::min(std::floor(radius), 255.0)), table);
  std::vector<uint8_t> bytes;
  for (int32_t value : table)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(static_cast<uint32_t>(value) >> shift));
  return bytes;
}

/// Which axes are reduced, as one block of neighbours where a transpose can make them so.
struct Reduction {
  Extents order;  // of the axes; empty: as they are
  uint32_t outer = 1, cells = 1, inner = 1;
};

Reduction plan_reduction(const Extents& dims, uint32_t mask) {
  const auto reduced = [&](size_t a) { return (mask >> a & 1) != 0; };
  Reduction plan;
  // Axes of one element belong to either side.
  size_t first = dims.size(), last = 0;
  for (size_t a = 0; a < dims.size(); ++a)
    if (reduced(a) && dims[a] > 1) first = std::min(first, a), last = a + 1;
  bool together = true;
  for (size_t a = first; a < last; ++a) together = together && (reduced(a) || dims[a] == 1);
  if (first >= last) {
    plan.inner = product(dims, 0, dims.size());
  } else if (together) {
    plan.outer = product(dims, 0, first);
    plan.cells = product(dims, first, last);
    plan.inner = product(dims, last, dims.size());
  } else {
    // The reduced ones in front, so that those that are kept lie side by side.
    for (bool side : {true, false})
      for (uint32_t a = 0; a < dims.size(); ++a)
        if (reduced(a) == side) plan.order.push_back(a), (side ? plan.cells : plan.inner) *= dims[a];
  }
  return plan;
}

Status lower_reduction(OperationLowering& op, compiler::Operation lowered, const Reduction& plan) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(op.input(0, &input));
  if (!plan.order.empty()) {
    Extents dims;
    for (uint32_t axis : plan.order) dims.push_back(op.tensor(input).dims[axis]);
    op.emit_between(movements::transpose(op.operation().name(), op.tensor(input).dims, plan.order), input, dims, &input);
  }
  lowered.label = op.operation().name();
  return emit_along(op, std::move(lowered), input, {plan.outer, plan.cells, plan.inner}, {plan.outer, 1, plan.inner});
}

Status read_reduction(OperationLowering& op, Reduction* plan) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  const Extents& dims = op.named().input(0).dims;
  uint32_t mask = 0;
  AVOCET_RETURN_IF_FAILED(find_reduced_axes(op.named().input(1), dims.size(), &mask));
  *plan = plan_reduction(dims, mask);
  return {};
}

Status lower_extreme(OperationLowering& op, OperationType type) {
  Reduction plan;
  AVOCET_RETURN_IF_FAILED(read_reduction(op, &plan));
  compiler::Operation lowered;
  lowered.type = type;
  return lower_reduction(op, std::move(lowered), plan);
}

}  // namespace

Status lower_softmax(OperationLowering& op) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  OperationContext context;
  context.inputs = op.named().inputs();
  compiler::Operation lowered;
  lowered.type = OperationType::kSoftmax;
  lowered.table = exponentials(op.named().input(0).scale, float_scalar(context, 1, 1.0f));
  return lower_slices(op, std::move(lowered));
}

Status lower_l2_normalization(OperationLowering& op) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  compiler::Operation lowered;
  lowered.type = OperationType::kL2Normalise;
  // Results have 7 fraction bits; where the reference kernels shift by them decides about the rounding.
  constexpr int kFractionBits = 7;
  const bool is_unsigned = op.named().input(0).type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
  lowered.attributes.left_shift = is_unsigned ? kFractionBits : 0;
  lowered.attributes.out_shift = is_unsigned ? 0 : kFractionBits;
  return lower_slices(op, std::move(lowered));
}

Status lower_mean(OperationLowering& op) {
  Reduction plan;
  AVOCET_RETURN_IF_FAILED(read_reduction(op, &plan));
  // The division is folded into the multiplier, as the CPU path has it.
  const OperandView &in = op.named().input(0), &out = op.named().output(0);
  const QuantisedMultiplier multiplier =
      QuantisedMean::divided(quantise_multiplier(double{in.scale} / double{out.scale}), plan.cells);
  compiler::Operation lowered;
  lowered.type = OperationType::kReduceSum;
  lowered.attributes.scale = {multiplier.mantissa, multiplier.exponent};
  return lower_reduction(op, std::move(lowered), plan);
}

Status lower_reduce_max(OperationLowering& op) { return lower_extreme(op, OperationType::kReduceMaximum); }
Status lower_reduce_min(OperationLowering& op) { return lower_extreme(op, OperationType::kReduceMinimum); }
Status lower_argmax(OperationLowering& op) { return lower_arg(op, OperationType::kArgMaximum); }
Status lower_argmin(OperationLowering& op) { return lower_arg(op, OperationType::kArgMinimum); }

}  // namespace avocet::runtime::npu
