// SPDX-License-Identifier: Apache-2.0
// GENERATE_PROPOSALS: boxes from anchors at each place of a feature map, limited by hard suppression.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

/// Column A: scores and deltas; B: anchors; C: image sizes and boxes; D: float scalars.
constexpr TypeRow kTypes[] = {{29, {kTensorFloat32, kTensorFloat32, kTensorFloat32, kFloat32}},
                              {29, {kTensorFloat16, kTensorFloat16, kTensorFloat16, kFloat16}},
                              {29, {kQuant8, kQuant16Symm, kQuant16, kFloat32}},
                              {30, {kQuant8Signed, kQuant16Symm, kQuant16, kFloat32}}};
constexpr OperandRule kInput[] = {image("scores", kColumnA, "batches,height,width,num_anchors"),
                                  image("deltas", kColumnA, "batches,height,width,4*num_anchors"),
                                  shaped("anchors", kColumnB, "num_anchors,4").quantised_as(0.125f, 0, 0),
                                  shaped("image_info", kColumnC, "batches,2").quantised_as(0.125f, 0, 0),
                                  scalar("height_ratio", kColumnD),
                                  scalar("width_ratio", kColumnD),
                                  int32("max_before_nms"),
                                  int32("max_after_nms"),
                                  scalar("iou_threshold", kColumnD),
                                  scalar("min_size", kColumnD),
                                  layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "num_output_rois").quantised_as_input(0),
                                   shaped("out_rois", kColumnC, "num_output_rois,4").quantised_as(0.125f, 0, 0),
                                   shaped("out_batch_index", kTensorInt32, "num_output_rois")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kGenerateProposals = unimplemented<kSignature>(ANEURALNETWORKS_GENERATE_PROPOSALS, "GENERATE_PROPOSALS");

}  // namespace avocet::runtime
