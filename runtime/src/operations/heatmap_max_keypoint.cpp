// SPDX-License-Identifier: Apache-2.0
// HEATMAP_MAX_KEYPOINT: the place and score of the largest value of each heatmap, refined by a quadratic.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{29, {kTensorFloat32, kTensorFloat32}},
                              {29, {kTensorFloat16, kTensorFloat16}},
                              {29, {kQuant8, kQuant16}},
                              {30, {kQuant8Signed, kQuant16}}};
constexpr OperandRule kInput[] = {image("heatmaps", kColumnA, "num_boxes,heatmap_size,heatmap_size,num_keypoints"),
                                  shaped("boxes", kColumnB, "num_boxes,4").quantised_as(0.125f, 0, 0), layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "num_boxes,num_keypoints"),
                                   shaped("out_keypoints", kColumnB, "num_boxes,num_keypoints,2").quantised_as(0.125f, 0, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kHeatmapMaxKeypoint =
    unimplemented<kSignature>(ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT, "HEATMAP_MAX_KEYPOINT");

}  // namespace avocet::runtime
