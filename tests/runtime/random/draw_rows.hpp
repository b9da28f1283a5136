// SPDX-License-Identifier: Apache-2.0
// The functions that make one operation's shapes and values consistent, by the file they stand in. False: this combination of
// form, counts and fed operands has no valid shapes; the caller tries another.
#pragma once

#include "operation_draw.hpp"

namespace avocet::random_models::draw {

// draw_elementwise.cpp
bool same_shape(OperationDraw&), positive(OperationDraw&), broadcast(OperationDraw&), quotient(OperationDraw&);
bool power(OperationDraw&), compare(OperationDraw&), select(OperationDraw&), prelu(OperationDraw&), along_axis(OperationDraw&);
bool local_response(OperationDraw&), instance_normalization(OperationDraw&), cast(OperationDraw&), hard_swish(OperationDraw&);

// draw_convolution.cpp
bool conv_2d(OperationDraw&), depthwise_conv_2d(OperationDraw&), grouped_conv_2d(OperationDraw&), transpose_conv_2d(OperationDraw&);
bool fully_connected(OperationDraw&), pool_2d(OperationDraw&), resize(OperationDraw&);

// draw_movement.cpp
bool reshape(OperationDraw&), squeeze(OperationDraw&), expand_dims(OperationDraw&), transpose(OperationDraw&);
bool concatenation(OperationDraw&), split(OperationDraw&), pad(OperationDraw&), tile(OperationDraw&), slice(OperationDraw&);
bool strided_slice(OperationDraw&), fill(OperationDraw&), rank(OperationDraw&);

// draw_blocks.cpp
bool depth_to_space(OperationDraw&), space_to_depth(OperationDraw&), batch_to_space_nd(OperationDraw&);
bool space_to_batch_nd(OperationDraw&), channel_shuffle(OperationDraw&), gather(OperationDraw&), embedding_lookup(OperationDraw&);
bool hashtable_lookup(OperationDraw&), lsh_projection(OperationDraw&);

// draw_reduction.cpp
bool reduce(OperationDraw&), extreme_position(OperationDraw&), topk_v2(OperationDraw&), random_multinomial(OperationDraw&);

// draw_recurrent.cpp
bool recurrent(OperationDraw&), svdf(OperationDraw&), lstm(OperationDraw&), unidirectional_sequence_rnn(OperationDraw&);
bool bidirectional_sequence_rnn(OperationDraw&), unidirectional_sequence_lstm(OperationDraw&);
bool bidirectional_sequence_lstm(OperationDraw&), quantized_16bit_lstm(OperationDraw&), quantized_lstm(OperationDraw&);

// draw_detection.cpp
bool axis_aligned_bbox_transform(OperationDraw&), box_with_nms_limit(OperationDraw&), no_boxes(OperationDraw&);
bool generate_proposals(OperationDraw&), detection_postprocessing(OperationDraw&), heatmap_max_keypoint(OperationDraw&);
bool roi_align(OperationDraw&), roi_pooling(OperationDraw&);

}  // namespace avocet::random_models::draw
