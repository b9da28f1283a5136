// SPDX-License-Identifier: Apache-2.0
// BOX_WITH_NMS_LIMIT: boxes chosen by score, class by class, with hard, linear or gaussian suppression.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("scores", kColumnA, "num_rois,num_classes"),
                                  shaped("rois", kColumnB, "num_rois,4*num_classes").quantised_as(0.125f, 0, 0),
                                  shaped("batch_index", kTensorInt32, "num_rois"),
                                  scalar("score_threshold", kColumnC),
                                  int32("max_boxes"),
                                  int32("nms_kernel").values(0b111),
                                  scalar("iou_threshold", kColumnC),
                                  scalar("sigma", kColumnC),
                                  scalar("nms_score_threshold", kColumnC)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "num_output_rois").quantised_as_input(0),
                                   shaped("out_rois", kColumnB, "num_output_rois,4").quantised_as(0.125f, 0, 0),
                                   shaped("out_classes", kTensorInt32, "num_output_rois"),
                                   shaped("out_batch_index", kTensorInt32, "num_output_rois")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kRegionTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

}  // namespace

constinit const Operation kBoxWithNmsLimit = unimplemented<kSignature>(ANEURALNETWORKS_BOX_WITH_NMS_LIMIT, "BOX_WITH_NMS_LIMIT");

}  // namespace avocet::runtime
