// SPDX-License-Identifier: Apache-2.0
// The functions of the naive evaluator, one for each operation or family, by the file they stand in. The outputs of a Call
// have their type, scale and zero point already; a function gives dimensions and real numbers.
#pragma once

#include "naive_value.hpp"

namespace avocet::random_models::naive {

// naive_elementwise.cpp
void add(Call&), sub(Call&), mul(Call&), div(Call&), maximum(Call&), minimum(Call&), pow(Call&), prelu(Call&), select(Call&);
void equal(Call&), not_equal(Call&), greater(Call&), greater_equal(Call&), less(Call&), less_equal(Call&);
void logical_and(Call&), logical_or(Call&);

// naive_unary.cpp
void relu(Call&), relu1(Call&), relu6(Call&), logistic(Call&), tanh(Call&), elu(Call&), hard_swish(Call&);
void floor(Call&), abs(Call&), exp(Call&), log(Call&), neg(Call&), rsqrt(Call&), sin(Call&), sqrt(Call&), logical_not(Call&);
void cast(Call&), quantize(Call&), dequantize(Call&);

// naive_normalisation.cpp
void softmax(Call&), log_softmax(Call&), l2_normalization(Call&), local_response_normalization(Call&);
void instance_normalization(Call&);

// naive_convolution.cpp
void conv_2d(Call&), depthwise_conv_2d(Call&), grouped_conv_2d(Call&), transpose_conv_2d(Call&), fully_connected(Call&);

// naive_window.cpp
void average_pool_2d(Call&), max_pool_2d(Call&), l2_pool_2d(Call&);
void resize_bilinear(Call&), resize_nearest_neighbor(Call&);

// naive_movement.cpp
void reshape(Call&), squeeze(Call&), expand_dims(Call&), transpose(Call&), concatenation(Call&), split(Call&);
void pad(Call&), pad_v2(Call&), tile(Call&), slice(Call&), strided_slice(Call&), fill(Call&), rank(Call&);

// naive_blocks.cpp
void depth_to_space(Call&), space_to_depth(Call&), batch_to_space_nd(Call&), space_to_batch_nd(Call&), channel_shuffle(Call&);
void gather(Call&), embedding_lookup(Call&), hashtable_lookup(Call&);

// naive_reduction.cpp
void mean(Call&), reduce_all(Call&), reduce_any(Call&), reduce_max(Call&), reduce_min(Call&), reduce_prod(Call&);
void reduce_sum(Call&), argmax(Call&), argmin(Call&), topk_v2(Call&), random_multinomial(Call&);

// naive_recurrent.cpp
void rnn(Call&), unidirectional_sequence_rnn(Call&), bidirectional_sequence_rnn(Call&), svdf(Call&);

// naive_lstm.cpp
void lstm(Call&), unidirectional_sequence_lstm(Call&), bidirectional_sequence_lstm(Call&);

// naive_quantised_lstm.cpp
void quantized_16bit_lstm(Call&), quantized_lstm(Call&);

// naive_regions.cpp
void roi_align(Call&), roi_pooling(Call&), heatmap_max_keypoint(Call&), axis_aligned_bbox_transform(Call&);

// naive_detection.cpp
void box_with_nms_limit(Call&), generate_proposals(Call&), detection_postprocessing(Call&);

// naive_hashing.cpp
void lsh_projection(Call&);

}  // namespace avocet::random_models::naive
