// SPDX-License-Identifier: Apache-2.0
// Every operation's row, by the file that defines it. A row that is declared but not defined is a link error.
#pragma once

#include "operation.hpp"

namespace avocet::runtime {

// activation.cpp
extern const Operation kLogistic, kRelu, kRelu1, kRelu6, kTanh;
// arg_min_max.cpp
extern const Operation kArgmax, kArgmin;
// axis_aligned_bbox_transform.cpp
extern const Operation kAxisAlignedBboxTransform;
// batch_space.cpp
extern const Operation kBatchToSpaceNd, kSpaceToBatchNd;
// bidirectional_sequence_lstm.cpp
extern const Operation kBidirectionalSequenceLstm;
// bidirectional_sequence_rnn.cpp
extern const Operation kBidirectionalSequenceRnn;
// box_with_nms_limit.cpp
extern const Operation kBoxWithNmsLimit;
// cast.cpp
extern const Operation kCast;
// channel_shuffle.cpp
extern const Operation kChannelShuffle;
// comparison.cpp
extern const Operation kEqual, kGreater, kGreaterEqual, kLess, kLessEqual, kLogicalAnd, kLogicalOr, kNotEqual;
// concatenation.cpp
extern const Operation kConcatenation;
// control_flow.cpp
extern const Operation kIf, kWhile;
// conv_2d.cpp
extern const Operation kConv2d;
// depth_space.cpp
extern const Operation kDepthToSpace, kSpaceToDepth;
// depthwise_conv_2d.cpp
extern const Operation kDepthwiseConv2d;
// detection_postprocessing.cpp
extern const Operation kDetectionPostprocessing;
// elementwise_binary.cpp
extern const Operation kAdd, kMul, kDiv, kSub;
// elementwise_unary.cpp
extern const Operation kFloor, kAbs, kExp, kLog, kLogicalNot, kNeg, kRsqrt, kSin, kSqrt;
// elu.cpp
extern const Operation kElu, kHardSwish;
// fill.cpp
extern const Operation kFill, kRank;
// fully_connected.cpp
extern const Operation kFullyConnected;
// gather.cpp
extern const Operation kGather;
// generate_proposals.cpp
extern const Operation kGenerateProposals;
// grouped_conv_2d.cpp
extern const Operation kGroupedConv2d;
// heatmap_max_keypoint.cpp
extern const Operation kHeatmapMaxKeypoint;
// instance_normalization.cpp
extern const Operation kInstanceNormalization;
// l2_normalization.cpp
extern const Operation kL2Normalization;
// local_response_normalization.cpp
extern const Operation kLocalResponseNormalization;
// log_softmax.cpp
extern const Operation kLogSoftmax;
// lookup.cpp
extern const Operation kEmbeddingLookup, kHashtableLookup;
// lsh_projection.cpp
extern const Operation kLshProjection;
// lstm.cpp
extern const Operation kLstm;
// maximum_minimum.cpp
extern const Operation kMaximum, kMinimum;
// pad.cpp
extern const Operation kPad, kPadV2;
// pool_2d.cpp
extern const Operation kAveragePool2d, kL2Pool2d, kMaxPool2d;
// pow.cpp
extern const Operation kPow;
// prelu.cpp
extern const Operation kPrelu;
// quantize.cpp
extern const Operation kDequantize, kQuantize;
// quantized_16bit_lstm.cpp
extern const Operation kQuantized16bitLstm;
// quantized_lstm.cpp
extern const Operation kQuantizedLstm;
// random_multinomial.cpp
extern const Operation kRandomMultinomial;
// reduce.cpp
extern const Operation kMean, kReduceAll, kReduceAny, kReduceMax, kReduceMin, kReduceProd, kReduceSum;
// reshape.cpp
extern const Operation kReshape, kSqueeze, kExpandDims;
// resize.cpp
extern const Operation kResizeBilinear, kResizeNearestNeighbor;
// rnn.cpp
extern const Operation kRnn;
// roi.cpp
extern const Operation kRoiAlign, kRoiPooling;
// select.cpp
extern const Operation kSelect;
// slice.cpp
extern const Operation kStridedSlice, kSlice;
// softmax.cpp
extern const Operation kSoftmax;
// split.cpp
extern const Operation kSplit;
// svdf.cpp
extern const Operation kSvdf;
// tile.cpp
extern const Operation kTile;
// topk_v2.cpp
extern const Operation kTopkV2;
// transpose.cpp
extern const Operation kTranspose;
// transpose_conv_2d.cpp
extern const Operation kTransposeConv2d;
// unidirectional_sequence_lstm.cpp
extern const Operation kUnidirectionalSequenceLstm;
// unidirectional_sequence_rnn.cpp
extern const Operation kUnidirectionalSequenceRnn;

}  // namespace avocet::runtime
