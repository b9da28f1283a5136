// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element, with the format's broadcasting.
#include <android/NeuralNetworks.h>

#include "importer/onnx/broadcasting.hpp"
#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

uint32_t real_constant(NodeContext& context, double value) {
  const std::vector<double> values = {value};
  return context.conversion().add_constant(make_tensor(context.type(), {1}, values));
}

/// A constant that is everywhere `value`.
uint32_t filled(NodeContext& context, ElementType type, const Dims& dims, double value) {
  check_folded_size(dims);
  const std::vector<double> values = {value};
  const Tensor one = make_tensor(type == ElementType::int64 ? ElementType::int32 : type, {1}, values);
  return context.conversion().add_constant(rearranged(one, dims, 0, std::vector<int64_t>(dims.size())));
}

uint32_t no_activation(NodeContext& context) { return context.builder().int_scalar(ANEURALNETWORKS_FUSED_NONE); }

void require_equal_types(NodeContext& context) {
  for (size_t i = 1; i < context.input_count(); ++i) {
    if (context.in(i).type != context.type()) refuse("inputs of different types");
  }
}

}  // namespace

void convert_unary(NodeContext& context, int32_t nnapi) {
  const uint32_t input = context.read(0);
  context.emit(nnapi, {input}, {context.write(context.dims(0))});
}

void convert_binary(NodeContext& context, int32_t nnapi) {
  require_equal_types(context);
  const Dims dims = broadcast_dims(context.dims(0), context.dims(1));
  const uint32_t left = context.read(0);
  const uint32_t right = context.read(1);
  context.emit(nnapi, {left, right}, {context.write(dims)});
}

void convert_arithmetic(NodeContext& context, int32_t nnapi) {
  require_equal_types(context);
  const Dims dims = broadcast_dims(context.dims(0), context.dims(1));
  const uint32_t left = context.read(0);
  const uint32_t right = context.read(1);
  context.emit(nnapi, {left, right, context.activation()}, {context.write(dims)});
}

void convert_division(NodeContext& context, int32_t nnapi) {
  if (!is_real(context.type())) refuse("integers are divided towards zero here, and rounded down in the API");
  convert_arithmetic(context, nnapi);
}

void convert_chain(NodeContext& context, int32_t nnapi) {
  require_equal_types(context);
  const bool sum = nnapi == ANEURALNETWORKS_ADD;
  uint32_t result = context.read(0);
  Dims dims = context.dims(0);
  const size_t count = context.input_count();
  if (count == 1) return convert_identity(context, 0);
  if (context.quantised() && count > 2) throw NeedsFloats{};
  for (size_t i = 1; i < count; ++i) {
    dims = broadcast_dims(dims, context.dims(i));
    std::vector<uint32_t> inputs = {result, context.read(i)};
    if (sum) inputs.push_back(no_activation(context));
    result = i + 1 == count ? context.write(dims) : context.temporary(dims);
    context.emit(nnapi, std::move(inputs), {result});
  }
}

void convert_pow(NodeContext& context, int32_t nnapi) {
  // The exponent may be of another type.
  if (context.in(1).type == context.type()) return convert_binary(context, nnapi);
  if (!context.in(1).is_constant()) refuse("a computed exponent of another type");
  const Dims dims = broadcast_dims(context.dims(0), context.dims(1));
  const TensorPtr exponent = context.constant(1);
  const uint32_t converted =
      context.conversion().add_constant(make_tensor(context.type(), exponent->dims, reals_of(*exponent)));
  context.emit(nnapi, {context.read(0), converted}, {context.write(dims)});
}

void convert_comparison(NodeContext& context, int32_t nnapi) {
  require_equal_types(context);
  const Dims dims = broadcast_dims(context.dims(0), context.dims(1));
  const uint32_t left = context.read(0);
  const uint32_t right = context.read(1);
  context.emit(nnapi, {left, right}, {context.write(0, dims, ElementType::boolean)});
}

void convert_reciprocal(NodeContext& context, int32_t nnapi) {
  const uint32_t input = context.read(0);
  const uint32_t one = real_constant(context, 1);
  context.emit(nnapi, {one, input, context.activation()}, {context.write(context.dims(0))});
}

void convert_ceil(NodeContext& context, int32_t nnapi) {
  // ceil(x) = -floor(-x)
  const Dims dims = context.dims(0);
  const uint32_t negated = context.temporary(dims);
  context.emit(ANEURALNETWORKS_NEG, {context.read(0)}, {negated});
  const uint32_t floor = context.temporary(dims);
  context.emit(nnapi, {negated}, {floor});
  context.emit(ANEURALNETWORKS_NEG, {floor}, {context.write(dims)});
}

void convert_where(NodeContext& context, int32_t nnapi) {
  const ElementType type = context.in(1).type;
  if (context.in(0).type != ElementType::boolean) refuse("a condition that is not bool");
  if (context.in(2).type != type) refuse("inputs of different types");
  if (type == ElementType::boolean) refuse("a choice of bools has no form in the API");
  const Dims dims = broadcast_dims(broadcast_dims(context.dims(0), context.dims(1)), context.dims(2));
  std::vector<uint32_t> inputs;
  for (size_t i = 0; i < 3; ++i) inputs.push_back(read_broadcast(context, i, dims));
  context.emit(nnapi, std::move(inputs), {context.write(0, dims, type)});
}

void convert_expand(NodeContext& context, int32_t) {
  Dims shape;
  for (const int64_t extent : context.integers(1)) {
    if (extent < 1 || extent > INT32_MAX) refuse("dimension " + std::to_string(extent));
    shape.push_back(static_cast<uint32_t>(extent));
  }
  const Dims dims = broadcast_dims(context.dims(0), shape);
  if (dims == context.dims(0)) return convert_identity(context, 0);
  const uint32_t aligned = emit_aligned(context, context.read(0), dims.size());
  emit_tile(context, aligned, dims, context.write(dims));
}

void convert_cast(NodeContext& context, int32_t nnapi) {
  Value& value = context.in(0);
  const auto to = static_cast<ElementType>(context.attributes().integer("to", 0));
  context.attributes().integer("saturate", 1);
  const int32_t type = operand_type(to);
  if (type == operand_type(value.type)) return convert_identity(context, 0);
  const uint32_t input = context.conversion().operand_of(value);
  if (to == ElementType::int8 || value.type == ElementType::int8)
    refuse("a cast from or to int8 has no form in the API");
  if (value.type == ElementType::boolean) {
    // SELECT wants its operands in full.
    return context.emit(ANEURALNETWORKS_SELECT,
                        {input, filled(context, to, value.dims, 1), filled(context, to, value.dims, 0)},
                        {context.write(0, value.dims, to)});
  }
  if (to == ElementType::boolean) {
    const std::vector<double> values = {0};
    const ElementType narrow = value.type == ElementType::int64 ? ElementType::int32 : value.type;
    const uint32_t zero = context.conversion().add_constant(make_tensor(narrow, {1}, values));
    return context.emit(ANEURALNETWORKS_NOT_EQUAL, {input, zero}, {context.write(0, value.dims, to)});
  }
  context.emit(nnapi, {input}, {context.write(0, value.dims, to)});
}

}  // namespace avocet::tools::onnx
