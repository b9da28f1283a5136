// SPDX-License-Identifier: Apache-2.0
#include "draw_table.hpp"

#include <stdexcept>

#include "draw_rows.hpp"

namespace avocet::random_models {
namespace {

constexpr auto kNonNegative = DrawRow::kNonNegative;
constexpr auto kWild = DrawRow::kWild;

constexpr DrawRow kTable[] = {
    {ANEURALNETWORKS_ADD, draw::broadcast},
    {ANEURALNETWORKS_AVERAGE_POOL_2D, draw::pool_2d},
    {ANEURALNETWORKS_CONCATENATION, draw::concatenation},
    {ANEURALNETWORKS_CONV_2D, draw::conv_2d, 0, kWild},
    {ANEURALNETWORKS_DEPTHWISE_CONV_2D, draw::depthwise_conv_2d, 0, kWild},
    {ANEURALNETWORKS_DEPTH_TO_SPACE, draw::depth_to_space},
    {ANEURALNETWORKS_DEQUANTIZE, draw::same_shape},
    {ANEURALNETWORKS_EMBEDDING_LOOKUP, draw::embedding_lookup, 1},
    {ANEURALNETWORKS_FLOOR, draw::same_shape},
    {ANEURALNETWORKS_FULLY_CONNECTED, draw::fully_connected, 0, kWild},
    {ANEURALNETWORKS_HASHTABLE_LOOKUP, draw::hashtable_lookup, 2},
    {ANEURALNETWORKS_L2_NORMALIZATION, draw::along_axis},
    {ANEURALNETWORKS_L2_POOL_2D, draw::pool_2d, 0, kNonNegative},
    {ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION, draw::local_response},
    {ANEURALNETWORKS_LOGISTIC, draw::same_shape, 0, kNonNegative},
    {ANEURALNETWORKS_LSH_PROJECTION, draw::lsh_projection, -1},
    {ANEURALNETWORKS_LSTM, draw::lstm},
    {ANEURALNETWORKS_MAX_POOL_2D, draw::pool_2d},
    {ANEURALNETWORKS_MUL, draw::broadcast, 0, kWild},
    {ANEURALNETWORKS_RELU, draw::same_shape, 0, kNonNegative},
    {ANEURALNETWORKS_RELU1, draw::same_shape},
    {ANEURALNETWORKS_RELU6, draw::same_shape, 0, kNonNegative},
    {ANEURALNETWORKS_RESHAPE, draw::reshape},
    {ANEURALNETWORKS_RESIZE_BILINEAR, draw::resize},
    {ANEURALNETWORKS_RNN, draw::recurrent},
    {ANEURALNETWORKS_SOFTMAX, draw::along_axis, 0, kNonNegative},
    {ANEURALNETWORKS_SPACE_TO_DEPTH, draw::space_to_depth},
    {ANEURALNETWORKS_SVDF, draw::svdf},
    {ANEURALNETWORKS_TANH, draw::same_shape},
    {ANEURALNETWORKS_BATCH_TO_SPACE_ND, draw::batch_to_space_nd},
    {ANEURALNETWORKS_DIV, draw::quotient, 0, kWild},
    {ANEURALNETWORKS_MEAN, draw::reduce},
    {ANEURALNETWORKS_PAD, draw::pad},
    {ANEURALNETWORKS_SPACE_TO_BATCH_ND, draw::space_to_batch_nd},
    {ANEURALNETWORKS_SQUEEZE, draw::squeeze},
    {ANEURALNETWORKS_STRIDED_SLICE, draw::strided_slice},
    {ANEURALNETWORKS_SUB, draw::broadcast},
    {ANEURALNETWORKS_TRANSPOSE, draw::transpose},
    {ANEURALNETWORKS_ABS, draw::same_shape, 0, kNonNegative},
    {ANEURALNETWORKS_ARGMAX, draw::extreme_position},
    {ANEURALNETWORKS_ARGMIN, draw::extreme_position},
    {ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM, draw::axis_aligned_bbox_transform, -1, kWild},
    {ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_LSTM, draw::bidirectional_sequence_lstm},
    {ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN, draw::bidirectional_sequence_rnn},
    {ANEURALNETWORKS_BOX_WITH_NMS_LIMIT, draw::box_with_nms_limit, -1},
    {ANEURALNETWORKS_CAST, draw::cast, 0, kWild},
    {ANEURALNETWORKS_CHANNEL_SHUFFLE, draw::channel_shuffle},
    {ANEURALNETWORKS_DETECTION_POSTPROCESSING, draw::detection_postprocessing, -1, kWild},
    {ANEURALNETWORKS_EQUAL, draw::compare},
    {ANEURALNETWORKS_EXP, draw::same_shape, 0, kWild},
    {ANEURALNETWORKS_EXPAND_DIMS, draw::expand_dims},
    {ANEURALNETWORKS_GATHER, draw::gather},
    {ANEURALNETWORKS_GENERATE_PROPOSALS, draw::generate_proposals, -1},
    {ANEURALNETWORKS_GREATER, draw::compare},
    {ANEURALNETWORKS_GREATER_EQUAL, draw::compare},
    {ANEURALNETWORKS_GROUPED_CONV_2D, draw::grouped_conv_2d, 0, kWild},
    {ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT, draw::heatmap_max_keypoint, -1, kWild},
    {ANEURALNETWORKS_INSTANCE_NORMALIZATION, draw::instance_normalization},
    {ANEURALNETWORKS_LESS, draw::compare},
    {ANEURALNETWORKS_LESS_EQUAL, draw::compare},
    {ANEURALNETWORKS_LOG, draw::positive, 0, kWild, true},
    {ANEURALNETWORKS_LOGICAL_AND, draw::compare},
    {ANEURALNETWORKS_LOGICAL_NOT, draw::same_shape},
    {ANEURALNETWORKS_LOGICAL_OR, draw::compare},
    {ANEURALNETWORKS_LOG_SOFTMAX, draw::along_axis},
    {ANEURALNETWORKS_MAXIMUM, draw::broadcast},
    {ANEURALNETWORKS_MINIMUM, draw::broadcast},
    {ANEURALNETWORKS_NEG, draw::same_shape},
    {ANEURALNETWORKS_NOT_EQUAL, draw::compare},
    {ANEURALNETWORKS_PAD_V2, draw::pad},
    {ANEURALNETWORKS_POW, draw::power, -1, kWild},
    {ANEURALNETWORKS_PRELU, draw::prelu, 0, kWild},
    {ANEURALNETWORKS_QUANTIZE, draw::same_shape},
    {ANEURALNETWORKS_QUANTIZED_16BIT_LSTM, draw::quantized_16bit_lstm, -1},
    {ANEURALNETWORKS_RANDOM_MULTINOMIAL, draw::random_multinomial, -1},
    {ANEURALNETWORKS_REDUCE_ALL, draw::reduce},
    {ANEURALNETWORKS_REDUCE_ANY, draw::reduce},
    {ANEURALNETWORKS_REDUCE_MAX, draw::reduce},
    {ANEURALNETWORKS_REDUCE_MIN, draw::reduce},
    {ANEURALNETWORKS_REDUCE_PROD, draw::reduce, 0, kWild},
    {ANEURALNETWORKS_REDUCE_SUM, draw::reduce, 0, kWild},
    {ANEURALNETWORKS_ROI_ALIGN, draw::roi_align},
    {ANEURALNETWORKS_ROI_POOLING, draw::roi_pooling},
    {ANEURALNETWORKS_RSQRT, draw::positive, 0, kWild, true},
    {ANEURALNETWORKS_SELECT, draw::select, 1},
    {ANEURALNETWORKS_SIN, draw::same_shape},
    {ANEURALNETWORKS_SLICE, draw::slice},
    {ANEURALNETWORKS_SPLIT, draw::split},
    {ANEURALNETWORKS_SQRT, draw::positive, 0, kNonNegative, true},
    {ANEURALNETWORKS_TILE, draw::tile},
    {ANEURALNETWORKS_TOPK_V2, draw::topk_v2},
    {ANEURALNETWORKS_TRANSPOSE_CONV_2D, draw::transpose_conv_2d, 0, kWild},
    {ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_LSTM, draw::unidirectional_sequence_lstm},
    {ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN, draw::unidirectional_sequence_rnn},
    {ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR, draw::resize},
    {ANEURALNETWORKS_QUANTIZED_LSTM, draw::quantized_lstm, -1},
    {ANEURALNETWORKS_IF, nullptr, -1},
    {ANEURALNETWORKS_WHILE, nullptr, -1},
    {ANEURALNETWORKS_ELU, draw::same_shape},
    {ANEURALNETWORKS_HARD_SWISH, draw::hard_swish, 0, kWild},
    {ANEURALNETWORKS_FILL, draw::fill, -1},
    {ANEURALNETWORKS_RANK, draw::rank},
};
static_assert(std::size(kTable) == ANEURALNETWORKS_RANK + 1);

}  // namespace

const DrawRow& draw_row(int32_t code) {
  const DrawRow& row = kTable[code];
  if (row.code != code) throw std::logic_error("the table of draw functions is out of order");
  return row;
}

}  // namespace avocet::random_models
