// SPDX-License-Identifier: Apache-2.0
// AXIS_ALIGNED_BBOX_TRANSFORM: boxes moved by their deltas and clipped to the image.
#include "boxes.hpp"
#include "real_values.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
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

Status infer(OperationContext& context) {
  const Dimensions& deltas = context.input(1).dims;
  if (deltas[1] == 0 || deltas[1] % 4 != 0) return op_failed("deltas of shape ", dims_text(deltas), " are not four for each class");
  if (context.input(3).dims[0] == 0) return op_failed("there is no image");
  context.output(0).dims = deltas;
  return {};
}

/// Boxes have corners in order and belong to an image that is there.
Status check_boxes(const OperationContext& context, std::span<const float> rois) {
  const int32_t* image = context.in<int32_t>(2);
  const uint32_t images = context.input(3).dims[0];
  for (size_t i = 0; i < rois.size() / 4; ++i) {
    if (image[i] < 0 || static_cast<uint32_t>(image[i]) >= images) {
      return op_failed("box ", i, " belongs to image ", image[i], " of ", images);
    }
    const Box box = box_at(rois, i);
    if (!box.is_ordered()) return op_failed("box ", i, " reaches from ", box.x1, ", ", box.y1, " to ", box.x2, ", ", box.y2);
  }
  return {};
}

Status execute(OperationContext& context) {
  const std::vector<float> rois = real_values(context.input(0)), deltas = real_values(context.input(1));
  const std::vector<float> sizes = real_values(context.input(3));
  AVOCET_RETURN_IF_FAILED(check_boxes(context, rois));
  const size_t row = context.input(1).dims[1];
  std::vector<float> moved(deltas.size());
  context.parallel_for(rois.size() / 4, std::max<size_t>(1, 2048 / row), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const float* size = &sizes[2 * static_cast<size_t>(context.in<int32_t>(2)[i])];  // height, width
      for (size_t d = i * row; d < (i + 1) * row; d += 4) {
        const Box box = transformed(box_at(rois, i), &deltas[d], size[1], size[0]);
        const float corners[] = {box.x1, box.y1, box.x2, box.y2};
        std::copy_n(corners, 4, &moved[d]);
      }
    }
  });
  store_real_values(context.output(0), context.output_buffers[0], moved);
  return {};
}

}  // namespace

constinit const Operation kAxisAlignedBboxTransform = operation<kSignature, infer, execute, Halves::kAsTheyAre>(
    ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM, "AXIS_ALIGNED_BBOX_TRANSFORM");

}  // namespace avocet::runtime
