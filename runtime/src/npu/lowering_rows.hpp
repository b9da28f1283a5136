// SPDX-License-Identifier: Apache-2.0
// One function for each operation the NPU runs; the table that lists them is in lowering.cpp.
#pragma once

#include <vector>

#include "npu/graph_lowering.hpp"

namespace avocet::runtime::npu {

// lower_windows.cpp
Status lower_convolution(OperationLowering& op);
Status lower_depthwise(OperationLowering& op);
Status lower_grouped(OperationLowering& op);
Status lower_transposed(OperationLowering& op);
Status lower_fully_connected(OperationLowering& op);
Status lower_average_pool(OperationLowering& op);
Status lower_max_pool(OperationLowering& op);

// lower_elementwise.cpp
Status lower_add(OperationLowering& op);
Status lower_sub(OperationLowering& op);
Status lower_mul(OperationLowering& op);
Status lower_maximum(OperationLowering& op);
Status lower_minimum(OperationLowering& op);
Status lower_prelu(OperationLowering& op);

// lower_tables.cpp
Status lower_unary(OperationLowering& op);
Status lower_dequantize(OperationLowering& op);
Status lower_quantize(OperationLowering& op);
/// A DEQUANTIZE and all QUANTIZE behind it, of which `operation` is one; else the operation alone.
std::vector<uint32_t> lowered_with(const Model& model, uint32_t operation);

// lower_axis.cpp
Status lower_softmax(OperationLowering& op);
Status lower_l2_normalization(OperationLowering& op);
Status lower_mean(OperationLowering& op);
Status lower_reduce_max(OperationLowering& op);
Status lower_reduce_min(OperationLowering& op);
Status lower_argmax(OperationLowering& op);
Status lower_argmin(OperationLowering& op);

// lower_resize.cpp
Status lower_resize_bilinear(OperationLowering& op);
Status lower_resize_nearest(OperationLowering& op);

// lower_movements.cpp
Status lower_reshape(OperationLowering& op);
Status lower_transpose(OperationLowering& op);
Status lower_concatenation(OperationLowering& op);
Status lower_split(OperationLowering& op);
Status lower_slice(OperationLowering& op);
Status lower_strided_slice(OperationLowering& op);
Status lower_pad(OperationLowering& op);
Status lower_tile(OperationLowering& op);
Status lower_gather(OperationLowering& op);
Status lower_channel_shuffle(OperationLowering& op);

// lower_image_movements.cpp
Status lower_space_to_depth(OperationLowering& op);
Status lower_depth_to_space(OperationLowering& op);
Status lower_space_to_batch(OperationLowering& op);
Status lower_batch_to_space(OperationLowering& op);

}  // namespace avocet::runtime::npu
