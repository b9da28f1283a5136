// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR, by size and by scale.
#include <cstring>
#include <limits>
#include <vector>

#include "resize_axis.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kBilinearTypes[] = {{27, {kTensorFloat32, kFloat32}},
                                      {29, {kTensorFloat16, kFloat16}},
                                      {29, {kQuant8, kFloat32}},
                                      {30, {kQuant8Signed, kFloat32}}};
constexpr OperandRule kImage = image("input", kColumnA, "batches,height,width,depth");
constexpr OperandRule kAlign = boolean("align_corners").optional().since(30);
constexpr OperandRule kHalfPixel = boolean("half_pixel_centers").optional().since(30);

constexpr OperandRule kBilinearShape[] = {kImage, int32("out_width").range(1), int32("out_height").range(1),
                                          layout().optional().since(29), kAlign, kHalfPixel};
constexpr OperandRule kBilinearScale[] = {kImage, scalar("width_scale", kColumnB).range(kPositive),
                                          scalar("height_scale", kColumnB).range(kPositive), layout().optional().since(29), kAlign,
                                          kHalfPixel};
constexpr Form kBilinearInputs[] = {{.name = "by size", .operands = kBilinearShape},
                                    {.name = "by scale", .level = 29, .operands = kBilinearScale}};

constexpr OperandRule kNearestShape[] = {kImage,   int32("out_width").range(1), int32("out_height").range(1), layout(), kAlign,
                                         kHalfPixel};
constexpr OperandRule kNearestScale[] = {kImage, scalar("width_scale", kColumnB).range(kPositive),
                                         scalar("height_scale", kColumnB).range(kPositive), layout(), kAlign, kHalfPixel};
constexpr Form kNearestInputs[] = {{.name = "by size", .operands = kNearestShape}, {.name = "by scale", .operands = kNearestScale}};

constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth").quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};

constexpr Signature kBilinearSignature{
    .level = 27, .types = kBilinearTypes, .inputs = kBilinearInputs, .outputs = kOutputs, .zero_sized = true};
constexpr Signature kNearestSignature{
    .level = 29, .types = kBilinearTypes, .inputs = kNearestInputs, .outputs = kOutputs, .zero_sized = true};

/// Output extent from input 1 (width) or 2 (height): a size, or a factor of the input's extent.
Status read_extent(const OperationContext& context, size_t index, uint32_t extent, uint32_t* output) {
  if (context.input(index).type == ANEURALNETWORKS_INT32) {
    *output = static_cast<uint32_t>(context.scalar<int32_t>(index, 1));  // at least 1 by the row
    return {};
  }
  const float scaled = std::floor(static_cast<float>(extent) * float_scalar(context, index, 1.0f));
  if (!(scaled >= 1.0f && scaled < static_cast<float>(std::numeric_limits<int32_t>::max()))) {
    return op_failed("input ", index, " makes ", scaled, " pixels of ", extent);
  }
  *output = static_cast<uint32_t>(scaled);
  return {};
}

Status infer(OperationContext& context) {
  const Dimensions& in = context.input(0).dims;
  if (in[1] == 0 || in[2] == 0 || in[3] == 0) return op_failed("an image of shape ", dims_text(in), " has no pixels");
  if (context.scalar<uint8_t>(4, 0) && context.scalar<uint8_t>(5, 0)) {
    return op_failed("align_corners and half_pixel_centers exclude each other");
  }
  uint32_t height = 0, width = 0;
  AVOCET_RETURN_IF_FAILED(read_extent(context, 1, in[2], &width));
  AVOCET_RETURN_IF_FAILED(read_extent(context, 2, in[1], &height));
  context.output(0).dims = {in[0], height, width, in[3]};
  return {};
}

ResizeAxis axis_of(const OperationContext& context, size_t dimension) {
  return {context.inputs[0].dims[dimension], context.outputs[0].dims[dimension], context.scalar<uint8_t>(4, 0) != 0,
          context.scalar<uint8_t>(5, 0) != 0};
}

/// Calls body(line of the output, counted through all batches, image, output y) on the execution's threads.
template <typename Body>
void for_lines(const OperationContext& context, const Body& body) {
  const Dimensions& out = context.outputs[0].dims;
  const size_t grain = std::max<size_t>(1, 16384 / (size_t{out[2]} * out[3]));
  context.parallel_for(size_t{out[0]} * out[1], grain, [&](size_t begin, size_t end) {
    for (size_t line = begin; line < end; ++line) body(line, line / out[1], static_cast<uint32_t>(line % out[1]));
  });
}

/// mix(pixels below left, above left, below right, above right, y weights, x weights) makes one element.
template <typename T, typename Weight, typename Mix>
void bilinear(OperationContext& context, ResizeAxis::Between<Weight> (ResizeAxis::*between)(uint32_t) const, const Mix& mix) {
  const Dimensions& in = context.input(0).dims;
  const size_t depth = in[3], line_length = in[2] * depth, out_width = context.output(0).dims[2];
  const ResizeAxis vertical = axis_of(context, 1), horizontal = axis_of(context, 2);
  std::vector<ResizeAxis::Between<Weight>> columns(out_width);
  for (uint32_t x = 0; x < out_width; ++x) columns[x] = (horizontal.*between)(x);
  for_lines(context, [&](size_t line, size_t image, uint32_t y) {
    const ResizeAxis::Between<Weight> row = (vertical.*between)(y);
    const T* low = context.in<T>(0) + (image * in[1] + row.low) * line_length;
    const T* high = context.in<T>(0) + (image * in[1] + row.high) * line_length;
    T* out = context.out<T>(0) + line * out_width * depth;
    for (const ResizeAxis::Between<Weight>& column : columns) {
      const size_t left = column.low * depth, right = column.high * depth;
      for (size_t c = 0; c < depth; ++c) {
        out[c] = static_cast<T>(mix(low[left + c], high[left + c], low[right + c], high[right + c], row.fraction, column.fraction));
      }
      out += depth;
    }
  });
}

/// Float arithmetic; `offset` rounds integers, which are not negative here.
template <typename T>
void bilinear_in_float(OperationContext& context, float offset) {
  bilinear<T, float>(context, &ResizeAxis::between, [offset](T ll, T hl, T lr, T hr, float y, float x) {
    return static_cast<float>(ll) * (1 - y) * (1 - x) + static_cast<float>(hl) * y * (1 - x) +
           static_cast<float>(lr) * (1 - y) * x + static_cast<float>(hr) * y * x + offset;
  });
}

void bilinear_int8(OperationContext& context) {
  const auto mix = [](int32_t ll, int32_t hl, int32_t lr, int32_t hr, int32_t y, int32_t x) {
    constexpr int32_t kOne = 1 << 10, kHalf = 1 << 19;
    const int64_t sum = int64_t{ll} * (kOne - y) * (kOne - x) + int64_t{hl} * y * (kOne - x) + int64_t{lr} * (kOne - y) * x +
                        int64_t{hr} * y * x;
    return (sum + (sum > 0 ? kHalf : -kHalf)) / (kOne * kOne);
  };
  bilinear<int8_t, int32_t>(context, &ResizeAxis::between_in_fixed_point, mix);
}

Status execute_bilinear(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: bilinear_in_float<uint8_t>(context, 0.5f); break;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: bilinear_int8(context); break;
    default: bilinear_in_float<float>(context, 0.0f);
  }
  return {};
}

/// Moves pixels of any type.
Status execute_nearest(OperationContext& context) {
  const Dimensions& in = context.input(0).dims;
  const size_t pixel = in[3] * element_size(context.input(0).type), out_width = context.output(0).dims[2];
  const ResizeAxis vertical = axis_of(context, 1), horizontal = axis_of(context, 2);
  std::vector<size_t> columns(out_width);
  for (uint32_t x = 0; x < out_width; ++x) columns[x] = horizontal.nearest(x) * pixel;
  for_lines(context, [&](size_t line, size_t image, uint32_t y) {
    const uint8_t* from = context.in<uint8_t>(0) + (image * in[1] + vertical.nearest(y)) * in[2] * pixel;
    uint8_t* to = context.out<uint8_t>(0) + line * out_width * pixel;
    for (size_t x = 0; x < out_width; ++x) std::memcpy(to + x * pixel, from + columns[x], pixel);
  });
  return {};
}

}  // namespace

constinit const Operation kResizeBilinear =
    operation<kBilinearSignature, infer, execute_bilinear>(ANEURALNETWORKS_RESIZE_BILINEAR, "RESIZE_BILINEAR");
constinit const Operation kResizeNearestNeighbor = operation<kNearestSignature, infer, execute_nearest, Halves::kAsTheyAre>(
    ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR, "RESIZE_NEAREST_NEIGHBOR");

}  // namespace avocet::runtime
