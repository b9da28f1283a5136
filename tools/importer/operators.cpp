// SPDX-License-Identifier: Apache-2.0
// The table of operators. An operator without a row is refused by name.
#include "importer/operators.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <array>

namespace avocet::tools {
namespace {

using Op = tflite::BuiltinOperator;

constexpr auto kRows = std::to_array<OperatorRow>({
    {Op::CONV_2D, convert_conv_2d, ANEURALNETWORKS_CONV_2D},
    {Op::DEPTHWISE_CONV_2D, convert_depthwise_conv_2d, ANEURALNETWORKS_DEPTHWISE_CONV_2D},
    {Op::TRANSPOSE_CONV, convert_transpose_conv, ANEURALNETWORKS_TRANSPOSE_CONV_2D},
    {Op::FULLY_CONNECTED, convert_fully_connected, ANEURALNETWORKS_FULLY_CONNECTED},

    {Op::ADD, convert_arithmetic, ANEURALNETWORKS_ADD},
    {Op::SUB, convert_arithmetic, ANEURALNETWORKS_SUB},
    {Op::MUL, convert_arithmetic, ANEURALNETWORKS_MUL},
    {Op::DIV, convert_arithmetic, ANEURALNETWORKS_DIV},
    {Op::FLOOR_DIV, convert_floor_div, ANEURALNETWORKS_DIV},
    {Op::SQUARE, convert_square, ANEURALNETWORKS_MUL},
    {Op::RELU, convert_relu, ANEURALNETWORKS_RELU},
    {Op::RELU_N1_TO_1, convert_relu, ANEURALNETWORKS_RELU1},
    {Op::RELU6, convert_relu, ANEURALNETWORKS_RELU6},
    {Op::LEAKY_RELU, convert_leaky_relu, ANEURALNETWORKS_PRELU},
    {Op::SELECT, convert_select, ANEURALNETWORKS_SELECT},
    {Op::SELECT_V2, convert_select, ANEURALNETWORKS_SELECT},

    {Op::ABS, convert_unary, ANEURALNETWORKS_ABS},
    {Op::CAST, convert_unary, ANEURALNETWORKS_CAST},
    {Op::ELU, convert_unary, ANEURALNETWORKS_ELU},
    {Op::EXP, convert_unary, ANEURALNETWORKS_EXP},
    {Op::FLOOR, convert_unary, ANEURALNETWORKS_FLOOR},
    {Op::HARD_SWISH, convert_unary, ANEURALNETWORKS_HARD_SWISH},
    {Op::LOG, convert_unary, ANEURALNETWORKS_LOG},
    {Op::LOGICAL_NOT, convert_unary, ANEURALNETWORKS_LOGICAL_NOT},
    {Op::LOGISTIC, convert_unary, ANEURALNETWORKS_LOGISTIC},
    {Op::NEG, convert_unary, ANEURALNETWORKS_NEG},
    {Op::RSQRT, convert_unary, ANEURALNETWORKS_RSQRT},
    {Op::SIN, convert_unary, ANEURALNETWORKS_SIN},
    {Op::SQRT, convert_unary, ANEURALNETWORKS_SQRT},
    {Op::TANH, convert_unary, ANEURALNETWORKS_TANH},

    {Op::EQUAL, convert_binary, ANEURALNETWORKS_EQUAL},
    {Op::GREATER, convert_binary, ANEURALNETWORKS_GREATER},
    {Op::GREATER_EQUAL, convert_binary, ANEURALNETWORKS_GREATER_EQUAL},
    {Op::LESS, convert_binary, ANEURALNETWORKS_LESS},
    {Op::LESS_EQUAL, convert_binary, ANEURALNETWORKS_LESS_EQUAL},
    {Op::LOGICAL_AND, convert_binary, ANEURALNETWORKS_LOGICAL_AND},
    {Op::LOGICAL_OR, convert_binary, ANEURALNETWORKS_LOGICAL_OR},
    {Op::MAXIMUM, convert_binary, ANEURALNETWORKS_MAXIMUM},
    {Op::MINIMUM, convert_binary, ANEURALNETWORKS_MINIMUM},
    {Op::NOT_EQUAL, convert_binary, ANEURALNETWORKS_NOT_EQUAL},
    {Op::POW, convert_binary, ANEURALNETWORKS_POW},
    {Op::PRELU, convert_binary, ANEURALNETWORKS_PRELU},

    {Op::SOFTMAX, convert_softmax, ANEURALNETWORKS_SOFTMAX},
    {Op::LOG_SOFTMAX, convert_log_softmax, ANEURALNETWORKS_LOG_SOFTMAX},
    {Op::L2_NORMALIZATION, convert_l2_normalization, ANEURALNETWORKS_L2_NORMALIZATION},
    {Op::LOCAL_RESPONSE_NORMALIZATION, convert_local_response_normalization,
     ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION},

    {Op::QUANTIZE, convert_quantize, ANEURALNETWORKS_QUANTIZE},
    {Op::DEQUANTIZE, convert_dequantize, ANEURALNETWORKS_DEQUANTIZE},

    {Op::AVERAGE_POOL_2D, convert_pool, ANEURALNETWORKS_AVERAGE_POOL_2D},
    {Op::MAX_POOL_2D, convert_pool, ANEURALNETWORKS_MAX_POOL_2D},
    {Op::L2_POOL_2D, convert_pool, ANEURALNETWORKS_L2_POOL_2D},
    {Op::MEAN, convert_mean, ANEURALNETWORKS_MEAN},
    {Op::SUM, convert_reduce, ANEURALNETWORKS_REDUCE_SUM},
    {Op::REDUCE_PROD, convert_reduce, ANEURALNETWORKS_REDUCE_PROD},
    {Op::REDUCE_MAX, convert_reduce, ANEURALNETWORKS_REDUCE_MAX},
    {Op::REDUCE_MIN, convert_reduce, ANEURALNETWORKS_REDUCE_MIN},
    {Op::REDUCE_ANY, convert_reduce, ANEURALNETWORKS_REDUCE_ANY},
    {Op::REDUCE_ALL, convert_reduce, ANEURALNETWORKS_REDUCE_ALL},
    {Op::ARG_MAX, convert_arg, ANEURALNETWORKS_ARGMAX},
    {Op::ARG_MIN, convert_arg, ANEURALNETWORKS_ARGMIN},
    {Op::TOPK_V2, convert_top_k, ANEURALNETWORKS_TOPK_V2},
    {Op::RESIZE_BILINEAR, convert_resize_bilinear, ANEURALNETWORKS_RESIZE_BILINEAR},
    {Op::RESIZE_NEAREST_NEIGHBOR, convert_resize_nearest, ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR},

    {Op::RESHAPE, convert_reshape, ANEURALNETWORKS_RESHAPE},
    {Op::SQUEEZE, convert_reshape, ANEURALNETWORKS_RESHAPE},
    {Op::EXPAND_DIMS, convert_reshape, ANEURALNETWORKS_RESHAPE},
    {Op::CONCATENATION, convert_concatenation, ANEURALNETWORKS_CONCATENATION},
    {Op::SPLIT, convert_split, ANEURALNETWORKS_SPLIT},
    {Op::SPLIT_V, convert_split_v, ANEURALNETWORKS_SLICE},
    {Op::PACK, convert_pack, ANEURALNETWORKS_CONCATENATION},
    {Op::UNPACK, convert_unpack, ANEURALNETWORKS_SPLIT},
    {Op::PAD, convert_pad, ANEURALNETWORKS_PAD},
    {Op::PADV2, convert_pad_v2, ANEURALNETWORKS_PAD_V2},
    {Op::TRANSPOSE, convert_transpose, ANEURALNETWORKS_TRANSPOSE},
    {Op::SLICE, convert_slice, ANEURALNETWORKS_SLICE},
    {Op::STRIDED_SLICE, convert_strided_slice, ANEURALNETWORKS_STRIDED_SLICE},
    {Op::GATHER, convert_gather, ANEURALNETWORKS_GATHER},
    {Op::GATHER_ND, convert_gather_nd, ANEURALNETWORKS_GATHER},
    {Op::TILE, convert_tile, ANEURALNETWORKS_TILE},
    {Op::DEPTH_TO_SPACE, convert_depth_to_space, ANEURALNETWORKS_DEPTH_TO_SPACE},
    {Op::SPACE_TO_DEPTH, convert_space_to_depth, ANEURALNETWORKS_SPACE_TO_DEPTH},
    {Op::BATCH_TO_SPACE_ND, convert_batch_to_space, ANEURALNETWORKS_BATCH_TO_SPACE_ND},
    {Op::SPACE_TO_BATCH_ND, convert_space_to_batch, ANEURALNETWORKS_SPACE_TO_BATCH_ND},

    {Op::CUSTOM, convert_custom, 0},
});

}  // namespace

const OperatorRow* find_operator_row(tflite::BuiltinOperator code) {
  const auto* found = std::find_if(kRows.begin(), kRows.end(), [&](const OperatorRow& row) { return row.code == code; });
  return found == kRows.end() ? nullptr : found;
}

}  // namespace avocet::tools
