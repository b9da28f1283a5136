// SPDX-License-Identifier: Apache-2.0
// The table of what can be computed at import. Operators that move elements also fold on the bytes of a dequantised
// constant, so that weights stay quantised when they are transposed or reshaped.
#include "importer/onnx/folding.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"

namespace avocet::tools::onnx {
namespace {

struct FoldRow {
  const char* op;
  Tensor (*fold)(FoldContext&);
  bool moves = false;   // works on elements of any kind
  bool shapes = false;  // needs only the inputs' shapes
};

constexpr auto kRows = std::to_array<FoldRow>({
    {"Constant", fold_constant},
    {"ConstantOfShape", fold_constant_of_shape},
    {"Shape", fold_shape, false, true},
    {"Size", fold_size, false, true},
    {"Range", fold_range},
    {"Cast", fold_cast},
    {"QuantizeLinear", fold_quantize},

    {"Reshape", fold_reshape, true},
    {"Flatten", fold_reshape, true},
    {"Squeeze", fold_reshape, true},
    {"Unsqueeze", fold_reshape, true},
    {"Transpose", fold_transpose, true},
    {"Slice", fold_slice, true},
    {"Expand", fold_expand, true},
    {"Gather", fold_gather, true},
    {"Concat", fold_concat},

    {"Add", fold_binary},
    {"Sub", fold_binary},
    {"Mul", fold_binary},
    {"Div", fold_binary},
    {"Mod", fold_binary},
    {"Max", fold_binary},
    {"Min", fold_binary},
    {"Pow", fold_binary},
    {"Equal", fold_binary},
    {"Less", fold_binary},
    {"Greater", fold_binary},
    {"And", fold_binary},
    {"Or", fold_binary},
    {"Where", fold_where},
    {"Not", fold_unary},
    {"Neg", fold_unary},
    {"Abs", fold_unary},
    {"Sqrt", fold_unary},
    {"Exp", fold_unary},
    {"Log", fold_unary},
    {"Floor", fold_unary},
    {"Ceil", fold_unary},
    {"Reciprocal", fold_unary},
    {"ReduceProd", fold_reduce},
    {"ReduceSum", fold_reduce},
    {"ReduceMax", fold_reduce},
    {"ReduceMin", fold_reduce},
});

bool all_inputs_constant(Conversion& conversion, const Node& node) {
  return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& name) {
    if (name.empty()) return true;
    const Value* value = conversion.find(name);
    return value && value->is_constant();
  });
}

/// The quantisation of the moved result, where it can be kept.
std::optional<Quantisation> moved_quantisation(const Value& source, const FoldContext& context) {
  Quantisation quantisation = *source.quantisation;
  if (quantisation.per_tensor()) return quantisation;
  if (context.order.empty()) return std::nullopt;  // set by Transpose
  const auto axis = std::find(context.order.begin(), context.order.end(), size_t{quantisation.axis});
  quantisation.axis = static_cast<uint32_t>(axis - context.order.begin());
  return quantisation;
}

bool fold_moved_bytes(Conversion& conversion, const Node& node, const FoldRow& row) {
  Value& source = conversion.value(node.inputs[0]);
  if (!source.quantised || (!source.quantisation->per_tensor() && node.op != "Transpose")) return false;
  FoldContext context(conversion, node);
  context.data = source.quantised->constant;
  Tensor moved = row.fold(context);
  context.attributes.require_all_read();
  conversion.charge(moved.bytes.size());
  Value& bytes = conversion.define_hidden(moved.type, moved.dims);
  bytes.constant = std::make_shared<const Tensor>(std::move(moved));
  conversion.define_dequantised(node.outputs[0], bytes, *moved_quantisation(source, context), source.type);
  return true;
}

}  // namespace

bool fold_node(Conversion& conversion, const Node& node) {
  const auto row =
      std::find_if(kRows.begin(), kRows.end(), [&](const FoldRow& candidate) { return node.op == candidate.op; });
  if (row == kRows.end() || node.outputs.size() != 1) return false;
  if (!row->shapes && !all_inputs_constant(conversion, node)) return false;
  if (row->moves && node.has_input(0) && fold_moved_bytes(conversion, node, *row)) return true;
  FoldContext context(conversion, node);
  Tensor result = row->fold(context);
  context.attributes.require_all_read();
  conversion.define_constant(node.outputs[0], std::move(result));
  // What a QuantizeLinear makes of a constant is bytes whose meaning is known.
  return true;
}

}  // namespace avocet::tools::onnx
