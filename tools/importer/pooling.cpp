// SPDX-License-Identifier: Apache-2.0
// Operators that look at a window or along axes: pools, reductions, resizing.
#include <android/NeuralNetworks.h>

#include "importer/operators.hpp"

namespace avocet::tools {

void convert_pool(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::Pool2DOptions>();
  graph.emit(nnapi,
             {context.read(0), context.padding(options.padding()), graph.int_scalar(options.stride_w()),
              graph.int_scalar(options.stride_h()), graph.int_scalar(options.filter_width()),
              graph.int_scalar(options.filter_height()), context.activation(options.fused_activation_function())},
             {context.write(0)});
}

void convert_mean(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const bool keep = context.options<tflite::ReducerOptions>().keep_dims();
  graph.emit(nnapi, {context.read(0), graph.int_tensor(context.constant_ints(1)), graph.int_scalar(keep)},
             {context.write(0)});
}

void convert_reduce(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const bool keep = context.options<tflite::ReducerOptions>().keep_dims();
  graph.emit(nnapi, {context.read(0), graph.int_tensor(context.constant_ints(1)), graph.bool_scalar(keep)},
             {context.write(0)});
}

void convert_arg(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const int32_t axis = context.axis(context.constant_int(1), context.in(0).dims.size());
  graph.emit(nnapi, {context.read(0), graph.int_scalar(axis)}, {context.write(0)});
}

void convert_top_k(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const uint32_t values = context.write(0);
  const uint32_t indexes = context.write(1);
  graph.emit(nnapi, {context.read(0), graph.int_scalar(context.constant_int(1))}, {values, indexes});
}

namespace {

void emit_resize(OperatorContext& context, int32_t nnapi, bool align_corners, bool half_pixel_centers) {
  GraphBuilder& graph = context.graph();
  const std::vector<int32_t> size = context.constant_ints(1);  // height, width
  if (size.size() != 2) context.refuse("the size must be two integers");
  graph.emit(nnapi,
             {context.read(0), graph.int_scalar(size[1]), graph.int_scalar(size[0]), graph.bool_scalar(false),
              graph.bool_scalar(align_corners), graph.bool_scalar(half_pixel_centers)},
             {context.write(0)});
}

}  // namespace

void convert_resize_bilinear(OperatorContext& context, int32_t nnapi) {
  const auto& options = context.options<tflite::ResizeBilinearOptions>();
  emit_resize(context, nnapi, options.align_corners(), options.half_pixel_centers());
}

void convert_resize_nearest(OperatorContext& context, int32_t nnapi) {
  const auto& options = context.options<tflite::ResizeNearestNeighborOptions>();
  emit_resize(context, nnapi, options.align_corners(), options.half_pixel_centers());
}

}  // namespace avocet::tools
