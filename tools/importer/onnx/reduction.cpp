// SPDX-License-Identifier: Apache-2.0
// Reductions along axes, and the places of extreme elements.
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <numeric>

#include "importer/onnx/broadcasting.hpp"
#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

Dims without(const Dims& dims, const std::vector<bool>& removed) {
  Dims result;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!removed[i]) result.push_back(dims[i]);
  }
  return result;
}

/// `output` is `input` with `axis` and the last dimension swapped.
void emit_swap(NodeContext& context, uint32_t input, size_t axis, uint32_t output) {
  std::vector<int32_t> order(context.builder().description().operands[input].dims.size());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[axis], order.back());
  context.builder().emit_movement(ANEURALNETWORKS_TRANSPOSE, 1, {input, context.builder().int_tensor(order)}, output);
}

Dims swapped(Dims dims, size_t axis) {
  std::swap(dims[axis], dims.back());
  return dims;
}

}  // namespace

void convert_reduce(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const std::vector<int64_t> named = context.integers("axes", 1);
  const bool keep = context.attributes().integer("keepdims", 1) != 0;
  const bool nothing = context.attributes().integer("noop_with_empty_axes", 0) != 0 && named.empty();
  if (nothing || dims.empty()) {
    if (context.quantised()) throw NeedsFloats{};
    return convert_identity(context, 0);
  }
  std::vector<bool> reduced = axis_mask(named, dims.size());
  if (named.empty()) reduced.assign(dims.size(), true);
  std::vector<int32_t> axes;
  Dims kept = dims;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!reduced[i]) continue;
    axes.push_back(static_cast<int32_t>(i));
    kept[i] = 1;
  }
  OperandBuilder& builder = context.builder();
  const uint32_t input = context.read(0);
  const uint32_t keep_scalar = nnapi == ANEURALNETWORKS_MEAN ? builder.int_scalar(keep) : builder.bool_scalar(keep);
  context.emit(nnapi, {input, builder.int_tensor(axes), keep_scalar},
               {context.write(keep ? kept : without(dims, reduced))});
}

void convert_arg(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", 0), dims.size());
  const bool keep = context.attributes().integer("keepdims", 1) != 0;
  if (context.attributes().integer("select_last_index", 0) != 0) refuse("the last of equal elements");
  std::vector<bool> removed(dims.size());
  removed[axis] = true;
  const Dims reduced = without(dims, removed);
  Dims kept = dims;
  kept[axis] = 1;
  OperandBuilder& builder = context.builder();
  const uint32_t input = context.read(0);
  const uint32_t axis_scalar = builder.int_scalar(static_cast<int32_t>(axis));
  const uint32_t output = context.write(0, keep ? kept : reduced, ElementType::int64);
  const Dims direct_dims = operand_dims(reduced);
  if (builder.description().operands[output].dims == direct_dims)
    return context.emit(nnapi, {input, axis_scalar}, {output});
  const uint32_t direct = builder.add_temporary_like(output, direct_dims);
  context.emit(nnapi, {input, axis_scalar}, {direct});
  emit_shape_change(context, direct, output);
}

void convert_top_k(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", -1), dims.size());
  const bool largest = context.attributes().integer("largest", 1) != 0;
  context.attributes().integer("sorted", 1);
  const int64_t k = context.has(1) ? context.integer(1) : context.attributes().integer("k", 0);
  if (k < 1 || k > dims[axis]) refuse("the " + std::to_string(k) + " largest of " + std::to_string(dims[axis]));
  if (!largest && context.form().mode != Mode::real) throw NeedsFloats{};
  if (!largest && !is_real(context.type())) refuse("the smallest integers");
  OperandBuilder& builder = context.builder();
  const bool last = axis + 1 == dims.size();
  Dims result = dims;
  result[axis] = static_cast<uint32_t>(k);
  // The API searches along the last dimension, and for the largest: the smallest are the largest of the negated.
  uint32_t input = context.read(0);
  const auto prepared = [&](const Dims& shape) { return builder.add_temporary_like(input, shape); };
  if (!last) {
    const uint32_t turned = prepared(swapped(dims, axis));
    emit_swap(context, input, axis, turned);
    input = turned;
  }
  if (!largest) {
    const uint32_t negated = prepared(swapped(dims, axis));
    context.emit(ANEURALNETWORKS_NEG, {input}, {negated});
    input = negated;
  }
  const uint32_t values = context.write(result);
  const uint32_t indices = context.write(1, result, ElementType::int64);
  const Dims found_dims = swapped(result, axis);
  const uint32_t found = last && largest ? values : builder.add_temporary_like(values, found_dims);
  const uint32_t places = last ? indices : builder.add_temporary_like(indices, found_dims);
  context.emit(nnapi, {input, builder.int_scalar(static_cast<int32_t>(k))}, {found, places});
  uint32_t ordered = found;
  if (!largest) {
    ordered = last ? values : builder.add_temporary_like(values, found_dims);
    context.emit(ANEURALNETWORKS_NEG, {found}, {ordered});
  }
  if (last) return;
  emit_swap(context, ordered, axis, values);
  emit_swap(context, places, axis, indices);
}

}  // namespace avocet::tools::onnx
