// SPDX-License-Identifier: Apache-2.0
// The explicit table of all operations of feature level 30, in the order of their codes. The rows themselves stand next to
// their kernels; this list is the one place that says what there is.
#include "operation.hpp"

#include <array>

#include "rows.hpp"

namespace avocet::runtime {
namespace {

constexpr size_t kOperationCount = 102;  // codes 0 (ADD) to 101 (RANK)

const Operation* const kTable[] = {
    &kAdd, &kAveragePool2d, &kConcatenation, &kConv2d, &kDepthwiseConv2d, &kDepthToSpace, &kDequantize,
    &kEmbeddingLookup, &kFloor, &kFullyConnected, &kHashtableLookup, &kL2Normalization, &kL2Pool2d,
    &kLocalResponseNormalization, &kLogistic, &kLshProjection, &kLstm, &kMaxPool2d, &kMul, &kRelu, &kRelu1, &kRelu6,
    &kReshape, &kResizeBilinear, &kRnn, &kSoftmax, &kSpaceToDepth, &kSvdf, &kTanh, &kBatchToSpaceNd, &kDiv, &kMean,
    &kPad, &kSpaceToBatchNd, &kSqueeze, &kStridedSlice, &kSub, &kTranspose, &kAbs, &kArgmax, &kArgmin,
    &kAxisAlignedBboxTransform, &kBidirectionalSequenceLstm, &kBidirectionalSequenceRnn, &kBoxWithNmsLimit, &kCast,
    &kChannelShuffle, &kDetectionPostprocessing, &kEqual, &kExp, &kExpandDims, &kGather, &kGenerateProposals,
    &kGreater, &kGreaterEqual, &kGroupedConv2d, &kHeatmapMaxKeypoint, &kInstanceNormalization, &kLess, &kLessEqual,
    &kLog, &kLogicalAnd, &kLogicalNot, &kLogicalOr, &kLogSoftmax, &kMaximum, &kMinimum, &kNeg, &kNotEqual, &kPadV2,
    &kPow, &kPrelu, &kQuantize, &kQuantized16bitLstm, &kRandomMultinomial, &kReduceAll, &kReduceAny, &kReduceMax,
    &kReduceMin, &kReduceProd, &kReduceSum, &kRoiAlign, &kRoiPooling, &kRsqrt, &kSelect, &kSin, &kSlice, &kSplit,
    &kSqrt, &kTile, &kTopkV2, &kTransposeConv2d, &kUnidirectionalSequenceLstm, &kUnidirectionalSequenceRnn,
    &kResizeNearestNeighbor, &kQuantizedLstm, &kIf, &kWhile, &kElu, &kHardSwish, &kFill, &kRank,
};
static_assert(std::size(kTable) == kOperationCount, "an operation is missing from the table or listed twice");

/// The rows side by side, as callers walk them.
const std::array<Operation, kOperationCount>& rows() {
  static const auto copies = [] {
    std::array<Operation, kOperationCount> all{};
    for (size_t i = 0; i < kOperationCount; ++i) all[i] = *kTable[i];
    return all;
  }();
  return copies;
}

}  // namespace

const Operation* find_operation(int32_t code) {
  if (code < 0 || static_cast<size_t>(code) >= kOperationCount) return nullptr;
  return &rows()[static_cast<size_t>(code)];
}

std::span<const Operation> all_operations() { return rows(); }

}  // namespace avocet::runtime
