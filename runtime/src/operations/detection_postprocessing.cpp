// SPDX-License-Identifier: Apache-2.0
// DETECTION_POSTPROCESSING: boxes from anchors and deltas, limited by hard suppression.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("scores", kColumnA, "batches,num_anchors,num_classes"),
                                  shaped("deltas", kColumnA, "batches,num_anchors,box_encoding"),
                                  shaped("anchors", kColumnA, "num_anchors,4"),
                                  scalar("scale_y", kColumnB),
                                  scalar("scale_x", kColumnB),
                                  scalar("scale_h", kColumnB),
                                  scalar("scale_w", kColumnB),
                                  boolean("regular_nms"),
                                  int32("max_detections").range(1),
                                  int32("max_classes_per_detection"),
                                  int32("max_detections_per_class"),
                                  scalar("score_threshold", kColumnB),
                                  scalar("iou_threshold", kColumnB),
                                  boolean("background_in_labels")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "batches,max_detections"),
                                   shaped("out_boxes", kColumnA, "batches,max_detections,4"),
                                   shaped("out_classes", kTensorInt32, "batches,max_detections"),
                                   shaped("out_count", kTensorInt32, "batches")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kDetectionPostprocessing =
    unimplemented<kSignature>(ANEURALNETWORKS_DETECTION_POSTPROCESSING, "DETECTION_POSTPROCESSING");

}  // namespace avocet::runtime
