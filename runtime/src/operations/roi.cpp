// SPDX-License-Identifier: Apache-2.0
// ROI_ALIGN and ROI_POOLING: regions of a feature map brought to one size.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kImage = image("feature_map", kColumnA, "batches,height,width,depth");
constexpr OperandRule kRois = shaped("rois", kColumnB, "num_rois,4").quantised_as(0.125f, 0, 0);
constexpr OperandRule kBatchIndex = shaped("batch_index", kTensorInt32, "num_rois");

constexpr OperandRule kAlignInput[] = {kImage,
                                       kRois,
                                       kBatchIndex,
                                       int32("out_height").range(1),
                                       int32("out_width").range(1),
                                       scalar("height_ratio", kColumnC).range(kPositive),
                                       scalar("width_ratio", kColumnC).range(kPositive),
                                       int32("height_samples").range(0),
                                       int32("width_samples").range(0),
                                       layout()};
constexpr Form kAlignInputs[] = {{.operands = kAlignInput}};
constexpr OperandRule kAlignOutput[] = {image("output", kColumnA, "num_rois,out_height,out_width,depth")};
constexpr Form kAlignOutputs[] = {{.operands = kAlignOutput}};
constexpr Signature kAlignSignature{
    .level = 29, .types = kRegionTypes, .inputs = kAlignInputs, .outputs = kAlignOutputs, .zero_sized = true};

constexpr OperandRule kPoolingInput[] = {kImage,
                                         kRois,
                                         kBatchIndex,
                                         int32("out_height").range(1),
                                         int32("out_width").range(1),
                                         scalar("height_ratio", kColumnC).range(kPositive),
                                         scalar("width_ratio", kColumnC).range(kPositive),
                                         layout()};
constexpr Form kPoolingInputs[] = {{.operands = kPoolingInput}};
constexpr OperandRule kPoolingOutput[] = {image("output", kColumnA, "num_rois,out_height,out_width,depth").quantised_as_input(0)};
constexpr Form kPoolingOutputs[] = {{.operands = kPoolingOutput}};
constexpr Signature kPoolingSignature{.level = 29, .types = kRegionTypes, .inputs = kPoolingInputs, .outputs = kPoolingOutputs};

}  // namespace

constinit const Operation kRoiAlign = unimplemented<kAlignSignature>(ANEURALNETWORKS_ROI_ALIGN, "ROI_ALIGN");
constinit const Operation kRoiPooling = unimplemented<kPoolingSignature>(ANEURALNETWORKS_ROI_POOLING, "ROI_POOLING");

}  // namespace avocet::runtime
