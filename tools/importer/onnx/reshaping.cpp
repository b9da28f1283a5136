// SPDX-License-Identifier: Apache-2.0
// Operators that give the same elements another shape or order. Shapes of more than four dimensions exist only between
// them: they stay with the operand they came from until a Transpose or a Reshape leads back.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "importer/onnx/broadcasting.hpp"
#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

constexpr size_t kMaxRank = 4;

/// What holds the elements of input 0: itself, or the bytes behind it.
Value& storage(NodeContext& context) {
  Value& value = context.in(0);
  return context.form().mode == Mode::moves && value.quantised && !value.quantised->constant ? *value.quantised : value;
}

/// Output 0 as a shape of more than four dimensions over `operand`.
void define_unshaped(NodeContext& context, const Dims& dims, uint32_t operand) {
  Conversion& conversion = context.conversion();
  const Value& input = context.in(0);
  const bool bytes = &storage(context) != &input;
  Value& value = bytes ? conversion.define_hidden(input.quantised->type, dims)
                       : conversion.define(context.form().output, input.type, dims);
  value.quantisation = storage(context).quantisation;
  value.operand = operand;
  value.reshaped = true;
  if (bytes) conversion.define_dequantised(context.form().output, value, *input.quantisation, input.type);
}

void reshape_to(NodeContext& context, const Dims& dims) {
  if (dims == context.dims(0)) return convert_identity(context, 0);
  Value& source = storage(context);
  const bool wide = dims.size() > kMaxRank;
  if (!wide && !source.reshaped) {
    const uint32_t input = context.read(0);
    const uint32_t output = context.write(dims);
    if (context.builder().description().operands[input].dims == context.builder().description().operands[output].dims) {
      // A scalar and a vector of one element are the same operand.
      return context.emit(ANEURALNETWORKS_CAST, {input}, {output});
    }
    return emit_shape_change(context, input, output);
  }
  const uint32_t operand = context.conversion().unshaped_operand_of(source);
  if (wide) return define_unshaped(context, dims, operand);
  emit_shape_change(context, operand, context.write(dims));
}

/// A permutation with neighbours that stay neighbours joined, and extents of 1 dropped.
struct JoinedPermutation {
  Dims dims;                   // of the input
  std::vector<int32_t> order;  // of the joined dimensions
};

JoinedPermutation joined(const Dims& dims, const std::vector<size_t>& order) {
  // Runs of input dimensions, in the order of the output.
  std::vector<std::pair<size_t, size_t>> runs;  // first dimension, one past the last
  for (const size_t axis : order) {
    if (dims[axis] == 1) continue;
    bool follows = !runs.empty();
    if (follows) {
      for (size_t i = runs.back().second; i < axis; ++i) follows = follows && dims[i] == 1;
      follows = follows && runs.back().second <= axis;
    }
    if (follows) {
      runs.back().second = axis + 1;
    } else {
      runs.emplace_back(axis, axis + 1);
    }
  }
  std::vector<size_t> by_input(runs.size());
  for (size_t i = 0; i < runs.size(); ++i) by_input[i] = i;
  std::sort(by_input.begin(), by_input.end(), [&](size_t a, size_t b) { return runs[a].first < runs[b].first; });
  JoinedPermutation result;
  result.order.resize(runs.size());
  for (size_t i = 0; i < by_input.size(); ++i) {
    uint32_t extent = 1;
    for (size_t d = runs[by_input[i]].first; d < runs[by_input[i]].second; ++d) extent *= dims[d];
    result.dims.push_back(extent);
    result.order[by_input[i]] = static_cast<int32_t>(i);
  }
  return result;
}

}  // namespace

void convert_identity(NodeContext& context, int32_t) {
  if (context.output_count() > 1 && !context.node().outputs[1].empty()) refuse("a second output");
  context.conversion().define_alias(context.form().output, context.in(0));
}

void convert_dropout(NodeContext& context, int32_t) {
  for (const char* name : {"ratio", "seed", "is_test"}) context.attributes().has(name);
  if (context.has(2) && context.integer(2) != 0) refuse("training");
  convert_identity(context, 0);
}

void convert_reshape(NodeContext& context, int32_t) {
  const bool allow_zero = context.attributes().integer("allowzero", 0) != 0;
  reshape_to(context, reshaped_dims(context.dims(0), context.integers(1), allow_zero));
}

void convert_flatten(NodeContext& context, int32_t) {
  reshape_to(context, flattened_dims(context.dims(0), context.attributes().integer("axis", 1)));
}

void convert_squeeze(NodeContext& context, int32_t) {
  reshape_to(context, squeezed_dims(context.dims(0), context.integers("axes", 1)));
}

void convert_unsqueeze(NodeContext& context, int32_t) {
  const std::vector<int64_t> axes = context.integers("axes", 1);
  if (axes.empty()) refuse("no axes");
  reshape_to(context, unsqueezed_dims(context.dims(0), axes));
}

void convert_transpose(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const std::vector<size_t> order = permutation(context.attributes().integers("perm"), dims.size());
  Dims result;
  for (const size_t axis : order) result.push_back(dims[axis]);
  const JoinedPermutation simple = joined(dims, order);
  if (simple.order.size() < 2) return reshape_to(context, result);  // moves nothing
  if (context.type() == ElementType::boolean) refuse("the API transposes no bools");
  OperandBuilder& builder = context.builder();
  if (dims.size() <= kMaxRank && !storage(context).reshaped) {
    const std::vector<int32_t> plain(order.begin(), order.end());
    const uint32_t input = context.read(0);
    return builder.emit_movement(nnapi, 1, {input, builder.int_tensor(plain)}, context.write(result));
  }
  if (simple.order.size() > kMaxRank)
    refuse("a permutation of " + dims_text(dims) + " that four dimensions cannot express");
  uint32_t input = context.conversion().unshaped_operand_of(storage(context));
  if (builder.description().operands[input].dims != simple.dims) {
    const uint32_t shaped = builder.add_temporary_like(input, simple.dims);
    builder.emit_reshape(input, shaped);
    input = shaped;
  }
  Dims moved;
  for (const int32_t axis : simple.order) moved.push_back(simple.dims[static_cast<size_t>(axis)]);
  const uint32_t order_operand = builder.int_tensor(simple.order);
  if (result.size() > kMaxRank) {
    const uint32_t output = builder.add_temporary_like(input, moved);
    builder.emit_movement(nnapi, 1, {input, order_operand}, output);
    return define_unshaped(context, result, output);
  }
  builder.emit_movement(nnapi, 1, {input, order_operand}, context.write_as(result, moved));
}

}  // namespace avocet::tools::onnx
