// SPDX-License-Identifier: Apache-2.0
// One row per TensorFlow Lite operator that the API can express: how it becomes NNAPI operations.
#pragma once

#include "importer/graph_builder.hpp"

namespace avocet::tools {

struct OperatorRow {
  tflite::BuiltinOperator code;
  void (*convert)(OperatorContext&, int32_t nnapi);
  int32_t nnapi;  // the operation that `convert` emits, where one function serves several rows
};

/// Null for an operator without a row.
const OperatorRow* find_operator_row(tflite::BuiltinOperator code);

// The converters, by the file that defines them. They throw InputError through OperatorContext::refuse, or
// std::runtime_error for a tensor that the API does not have.

// convolution.cpp
void convert_conv_2d(OperatorContext&, int32_t);
void convert_depthwise_conv_2d(OperatorContext&, int32_t);
void convert_transpose_conv(OperatorContext&, int32_t);
void convert_fully_connected(OperatorContext&, int32_t);
// elementwise.cpp
void convert_unary(OperatorContext&, int32_t);
void convert_binary(OperatorContext&, int32_t);
void convert_arithmetic(OperatorContext&, int32_t);  // with a fused activation
void convert_relu(OperatorContext&, int32_t);
void convert_leaky_relu(OperatorContext&, int32_t);
void convert_floor_div(OperatorContext&, int32_t);
void convert_square(OperatorContext&, int32_t);
void convert_select(OperatorContext&, int32_t);
void convert_softmax(OperatorContext&, int32_t);
void convert_log_softmax(OperatorContext&, int32_t);
void convert_l2_normalization(OperatorContext&, int32_t);
void convert_local_response_normalization(OperatorContext&, int32_t);
// quantisation.cpp
void convert_quantize(OperatorContext&, int32_t);
void convert_dequantize(OperatorContext&, int32_t);
// pooling.cpp
void convert_pool(OperatorContext&, int32_t);
void convert_mean(OperatorContext&, int32_t);
void convert_reduce(OperatorContext&, int32_t);
void convert_arg(OperatorContext&, int32_t);
void convert_top_k(OperatorContext&, int32_t);
void convert_resize_bilinear(OperatorContext&, int32_t);
void convert_resize_nearest(OperatorContext&, int32_t);
// layout.cpp
void convert_reshape(OperatorContext&, int32_t);  // also SQUEEZE and EXPAND_DIMS
void convert_concatenation(OperatorContext&, int32_t);
void convert_split(OperatorContext&, int32_t);
void convert_split_v(OperatorContext&, int32_t);
void convert_pack(OperatorContext&, int32_t);
void convert_unpack(OperatorContext&, int32_t);
void convert_pad(OperatorContext&, int32_t);
void convert_pad_v2(OperatorContext&, int32_t);
void convert_transpose(OperatorContext&, int32_t);
void convert_slice(OperatorContext&, int32_t);
void convert_strided_slice(OperatorContext&, int32_t);
void convert_gather(OperatorContext&, int32_t);
void convert_tile(OperatorContext&, int32_t);
void convert_depth_to_space(OperatorContext&, int32_t);
void convert_space_to_depth(OperatorContext&, int32_t);
void convert_batch_to_space(OperatorContext&, int32_t);
void convert_space_to_batch(OperatorContext&, int32_t);
// gather_nd.cpp
void convert_gather_nd(OperatorContext&, int32_t);
// detection.cpp
void convert_custom(OperatorContext&, int32_t);

}  // namespace avocet::tools
