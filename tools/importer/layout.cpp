// SPDX-License-Identifier: Apache-2.0
// Operators that move elements without computing. PACK and UNPACK, which the API lacks, become joins and splits of
// reshaped tensors.
#include <android/NeuralNetworks.h>

#include "importer/operators.hpp"

namespace avocet::tools {

namespace {

/// The temporary of the shape of `view` without (or with an extent of 1 at) `axis`.
uint32_t add_piece(GraphBuilder& graph, const TensorView& view, size_t axis) {
  std::vector<uint32_t> dims = view.dims;
  dims[axis] = 1;
  return graph.add_temporary(view.type, std::move(dims), view.scale, view.zero_point);
}

}  // namespace

void convert_reshape(OperatorContext& context, int32_t) {
  // The result's shape is in the file; the second input or the options only repeat it.
  const uint32_t input = context.read(0);
  const TensorView result = context.out(0);
  uint64_t elements = 1;
  for (const uint32_t extent : context.in(0).dims) elements *= extent;
  for (const uint32_t extent : result.dims) {
    if (elements % extent != 0) context.refuse("input and output differ in their number of elements");
    elements /= extent;
  }
  if (elements != 1) context.refuse("input and output differ in their number of elements");
  context.graph().emit_reshape(input, context.write(0));
}

void convert_concatenation(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::ConcatenationOptions>();
  if (options.fused_activation_function() != tflite::Activation::NONE) context.refuse("a fused activation");
  std::vector<uint32_t> inputs;
  for (size_t i = 0; i < context.input_count(); ++i) inputs.push_back(context.read(i));
  inputs.push_back(graph.int_scalar(context.axis(options.axis(), context.out(0).dims.size())));
  graph.emit_movement(nnapi, context.input_count(), std::move(inputs), context.write(0));
}

void convert_split(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const int32_t axis = context.axis(context.constant_int(0), context.in(1).dims.size());
  std::vector<uint32_t> outputs;
  for (size_t i = 0; i < context.output_count(); ++i) outputs.push_back(context.write(i));
  graph.emit(nnapi,
             {context.read(1), graph.int_scalar(axis), graph.int_scalar(static_cast<int32_t>(context.output_count()))},
             std::move(outputs));
}

void convert_split_v(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView data = context.in(0);
  const auto axis = static_cast<size_t>(context.axis(context.constant_int(2), data.dims.size()));
  std::vector<int32_t> begin(data.dims.size());
  for (size_t i = 0; i < context.output_count(); ++i) {
    const TensorView piece = context.out(i);
    if (piece.dims.size() != data.dims.size()) context.refuse("an output of another rank");
    const std::vector<int32_t> size(piece.dims.begin(), piece.dims.end());
    graph.emit(nnapi, {context.read(0), graph.int_tensor(begin), graph.int_tensor(size)}, {context.write(i)});
    begin[axis] += size[axis];
  }
}

void convert_pack(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView result = context.out(0);
  const auto axis =
      static_cast<size_t>(context.axis(context.options<tflite::PackOptions>().axis(), result.dims.size()));
  std::vector<uint32_t> pieces;
  for (size_t i = 0; i < context.input_count(); ++i) {
    const TensorView view = context.in(i);
    if (view.scale != result.scale || view.zero_point != result.zero_point) context.refuse("inputs of another scale");
    pieces.push_back(add_piece(graph, result, axis));
    graph.emit_reshape(context.read(i), pieces.back());
  }
  const uint32_t output = context.write(0);
  if (pieces.size() == 1) return graph.emit_reshape(pieces.front(), output);
  pieces.push_back(graph.int_scalar(static_cast<int32_t>(axis)));
  graph.emit_movement(nnapi, context.input_count(), std::move(pieces), output);
}

void convert_unpack(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView data = context.in(0);
  const auto axis = static_cast<size_t>(context.axis(context.options<tflite::UnpackOptions>().axis(), data.dims.size()));
  std::vector<uint32_t> pieces;
  for (size_t i = 0; i < context.output_count(); ++i) pieces.push_back(add_piece(graph, data, axis));
  graph.emit(nnapi,
             {context.read(0), graph.int_scalar(static_cast<int32_t>(axis)),
              graph.int_scalar(static_cast<int32_t>(pieces.size()))},
             pieces);
  for (size_t i = 0; i < pieces.size(); ++i) graph.emit_reshape(pieces[i], context.write(i));
}

void convert_pad(OperatorContext& context, int32_t nnapi) {
  const uint32_t input = context.read(0);
  const std::vector<int32_t> paddings = context.constant_ints(1);
  const size_t rank = context.in(0).dims.size();
  if (paddings.size() != 2 * rank) context.refuse("the paddings must be two integers per dimension");
  GraphBuilder& graph = context.graph();
  graph.emit(nnapi, {input, graph.int_tensor(paddings, {static_cast<uint32_t>(rank), 2})}, {context.write(0)});
}

void convert_pad_v2(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView value = context.in(2);
  const auto bytes = graph.file().constant(value.index);
  const std::vector<int32_t> paddings = context.constant_ints(1);
  const size_t rank = context.in(0).dims.size();
  if (bytes.empty()) context.refuse("the value must be a constant");
  if (paddings.size() != 2 * rank) context.refuse("the paddings must be two integers per dimension");
  uint32_t scalar = 0;
  if (value.type == ANEURALNETWORKS_TENSOR_FLOAT32 && bytes.size() == 4) {
    scalar = graph.add_constant(ANEURALNETWORKS_FLOAT32, {}, {bytes.begin(), bytes.end()});
  } else if (value.quantised() && bytes.size() == 1) {
    const bool is_signed = value.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
    scalar = graph.int_scalar(is_signed ? static_cast<int8_t>(bytes[0]) : bytes[0]);
  } else {
    context.refuse("this type of value has no form in the API");
  }
  graph.emit(nnapi, {context.read(0), graph.int_tensor(paddings, {static_cast<uint32_t>(rank), 2}), scalar},
             {context.write(0)});
}

void convert_transpose(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  graph.emit_movement(nnapi, 1, {context.read(0), graph.int_tensor(context.constant_ints(1))}, context.write(0));
}

void convert_slice(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  graph.emit(nnapi,
             {context.read(0), graph.int_tensor(context.constant_ints(1)), graph.int_tensor(context.constant_ints(2))},
             {context.write(0)});
}

void convert_strided_slice(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::StridedSliceOptions>();
  if (options.ellipsis_mask() || options.new_axis_mask() || options.offset()) {
    context.refuse("an ellipsis, a new axis or offsets have no form in the API");
  }
  graph.emit_movement(nnapi, 1,
             {context.read(0), graph.int_tensor(context.constant_ints(1)), graph.int_tensor(context.constant_ints(2)),
              graph.int_tensor(context.constant_ints(3)), graph.int_scalar(options.begin_mask()),
              graph.int_scalar(options.end_mask()), graph.int_scalar(options.shrink_axis_mask())},
             context.write(0));
}

void convert_gather(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::GatherOptions>();
  if (options.batch_dims() != 0) context.refuse("batch dimensions have no form in the API");
  const int32_t axis = context.axis(options.axis(), context.in(0).dims.size());
  const uint32_t indexes = context.read(1);
  graph.emit(nnapi, {context.read(0), graph.int_scalar(axis), indexes}, {context.write(0)});
}

void convert_tile(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  graph.emit(nnapi, {context.read(0), graph.int_tensor(context.constant_ints(1))}, {context.write(0)});
}

void convert_depth_to_space(OperatorContext& context, int32_t nnapi) {
  const int32_t block = context.options<tflite::DepthToSpaceOptions>().block_size();
  context.graph().emit(nnapi, {context.read(0), context.graph().int_scalar(block)}, {context.write(0)});
}

void convert_space_to_depth(OperatorContext& context, int32_t nnapi) {
  const int32_t block = context.options<tflite::SpaceToDepthOptions>().block_size();
  context.graph().emit(nnapi, {context.read(0), context.graph().int_scalar(block)}, {context.write(0)});
}

void convert_batch_to_space(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  for (const int32_t crop : context.constant_ints(2)) {
    if (crop != 0) context.refuse("crops have no form in the API");
  }
  graph.emit(nnapi, {context.read(0), graph.int_tensor(context.constant_ints(1))}, {context.write(0)});
}

void convert_space_to_batch(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const std::vector<int32_t> paddings = context.constant_ints(2);
  if (paddings.size() != 4) context.refuse("two spatial dimensions only");
  graph.emit(nnapi,
             {context.read(0), graph.int_tensor(context.constant_ints(1)), graph.int_tensor(paddings, {2, 2})},
             {context.write(0)});
}

}  // namespace avocet::tools
