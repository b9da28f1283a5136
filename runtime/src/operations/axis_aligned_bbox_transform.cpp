// SPDX-License-Identifier: Apache-2.0
// AXIS_ALIGNED_BBOX_TRANSFORM: boxes moved by their deltas and clipped to the image.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{29, {kTensorFloat32, kTensorFloat32}},
                              {29, {kTensorFloat16, kTensorFloat16}},
                              {29, {kQuant16, kQuant8}},
                              {30, {kQuant16, kQuant8Signed}}};
constexpr OperandRule kInput[] = {shaped("rois", kColumnA, "num_rois,4").quantised_as(0.125f, 0, 0),
                                  shaped("deltas", kColumnB, "num_rois,4*num_classes"),
                                  shaped("batch_index", kTensorInt32, "num_rois"),
                                  shaped("image_info", kColumnA, "batches,2").quantised_as(0.125f, 0, 0)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output", kColumnA, "num_rois,4*num_classes").quantised_as(0.125f, 0, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

}  // namespace

constinit const Operation kAxisAlignedBboxTransform =
    unimplemented<kSignature>(ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM, "AXIS_ALIGNED_BBOX_TRANSFORM");

}  // namespace avocet::runtime
