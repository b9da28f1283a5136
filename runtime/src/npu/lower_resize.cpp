// SPDX-License-Identifier: Apache-2.0
// RESIZE_NEAREST_NEIGHBOR moves pixels. RESIZE_BILINEAR has positions of ten fraction bits, which is what the CPU path
// computes with for int8; for uint8 it computes in float32, and both agree where fractions are so few bits that nothing rounds.
#include "npu/lowering_rows.hpp"
#include "operations/failure.hpp"
#include "operations/resize_axis.hpp"

namespace avocet::runtime::npu {
namespace {

namespace movements = compiler::movements;
using movements::Extents;

/// The image, and where its rows and columns go.
struct Resizing {
  bool nchw = false;
  uint32_t input = 0;
  ResizeAxis rows{}, columns{};
};

Status open(OperationLowering& op, Resizing* r) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  AVOCET_RETURN_IF_FAILED(op.layout(&r->nchw));
  AVOCET_RETURN_IF_FAILED(op.image(0, r->nchw, &r->input));
  int32_t corners, centers;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("align_corners", 0, &corners));
  AVOCET_RETURN_IF_FAILED(op.named().scalar("half_pixel_centers", 0, &centers));
  const Extents &in = op.tensor(r->input).dims, out = op.output_dims(r->nchw);
  r->rows = {in[1], out[1], corners != 0, centers != 0};
  r->columns = {in[2], out[2], corners != 0, centers != 0};
  return {};
}

std::vector<uint32_t> nearest_of(const ResizeAxis& axis) {
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < axis.output; ++i) indices.push_back(static_cast<uint32_t>(axis.nearest(i)));
  return indices;
}

constexpr int64_t kOne = 1 << 10;

/// The positions of an axis as start and step; false when they are no such series.
bool find_series(const ResizeAxis& axis, bool is_unsigned, int32_t* start, int32_t* step) {
  const bool corners = axis.align_corners && axis.output > 1;
  const int64_t from = int64_t{axis.input} - (corners ? 1 : 0), to = int64_t{axis.output} - (corners ? 1 : 0);
  *step = static_cast<int32_t>((kOne * from + to / 2) / to);
  *start = static_cast<int32_t>(axis.half_pixel_centers ? *step / 2 - kOne / 2 : 0);
  const int64_t last = (int64_t{axis.input} - 1) * kOne;
  for (uint32_t i = 0; i < axis.output; ++i) {
    const int64_t position = std::clamp<int64_t>(*start + int64_t{i} * *step, 0, last);
    if (is_unsigned) {
      // Products of two such fractions and a stored value fit into a float32 mantissa. Between a cell and itself, too, the
      // CPU path adds two products.
      constexpr float kCoarse = 32.0f;
      const auto between = axis.between(i);
      if (std::floor(between.fraction * kCoarse) != between.fraction * kCoarse) return false;
      const float fraction = between.low == between.high ? 0.0f : between.fraction;
      if (static_cast<int64_t>(between.low) * kOne + static_cast<int64_t>(fraction * static_cast<float>(kOne)) != position) return false;
    } else {
      const auto between = axis.between_in_fixed_point(i);
      const int64_t there = between.low == between.high ? static_cast<int64_t>(between.low) * kOne
                                                        : static_cast<int64_t>(between.low) * kOne + between.fraction;
      if (there != position) return false;
    }
  }
  return true;
}

}  // namespace

Status lower_resize_bilinear(OperationLowering& op) {
  Resizing r;
  AVOCET_RETURN_IF_FAILED(open(op, &r));
  const bool is_unsigned = op.tensor(r.input).type == compiler::ElementType::kUint8;
  compiler::Attributes attributes;
  compiler::Resampling& to = attributes.resampling;
  if (!find_series(r.rows, is_unsigned, &to.y_start, &to.y_step) || !find_series(r.columns, is_unsigned, &to.x_start, &to.x_step)) {
    return op_failed("its positions are not exact in ten fraction bits, so the NPU would round unlike the CPU path");
  }
  return op.emit(compiler::OperationType::kResizeBilinear, {r.input}, attributes, r.nchw);
}

Status lower_resize_nearest(OperationLowering& op) {
  Resizing r;
  AVOCET_RETURN_IF_FAILED(open(op, &r));
  // Rows first, then columns, so that the pieces of one axis do not multiply those of the other.
  Extents dims = op.tensor(r.input).dims;
  const auto rows = movements::gather(op.operation().name(), dims, 1, nearest_of(r.rows));
  dims[1] = r.rows.output;
  auto columns = movements::gather(op.operation().name(), dims, 2, nearest_of(r.columns));
  if (!rows || !columns) return op_failed("it falls into more than ", movements::kBoxesMax, " pieces");
  uint32_t resized = 0;
  op.emit_between(*rows, r.input, dims, &resized);
  return op.emit(std::move(*columns), {resized}, r.nchw);
}

}  // namespace avocet::runtime::npu
