// SPDX-License-Identifier: Apache-2.0
// ROI_POOLING: regions of a feature map, rounded to whole pixels, brought to one size by the largest value of each bin.
#include <cmath>
#include <limits>
#include <type_traits>

#include "regions.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kImage = image("feature_map", kColumnA, "batches,height,width,depth");
constexpr OperandRule kRois = shaped("rois", kColumnB, "num_rois,4").quantised_as(0.125f, 0, 0);
constexpr OperandRule kBatchIndex = shaped("batch_index", kTensorInt32, "num_rois");

constexpr OperandRule kInput[] = {kImage,
                                  kRois,
                                  kBatchIndex,
                                  int32("out_height").range(1),
                                  int32("out_width").range(1),
                                  scalar("height_ratio", kColumnC).range(kPositive),
                                  scalar("width_ratio", kColumnC).range(kPositive),
                                  layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "num_rois,out_height,out_width,depth").quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kRegionTypes, .inputs = kInputs, .outputs = kOutputs};

/// Whole pixels [begin, end) of a bin.
struct Pixels {
  size_t begin, end;
};

/// Bin `index` of `count` of the region [from, to], whose end pixel belongs to it; bins may overlap and be empty at the edge.
Pixels bin_pixels(float from, float to, uint32_t extent, uint32_t count, size_t index) {
  const float first = std::round(from);
  const float step = std::max(std::round(to) - first + 1.0f, 1.0f) / static_cast<float>(count);
  const float at = static_cast<float>(index);
  const auto clipped = [extent](float pixel) { return std::min(static_cast<size_t>(pixel), size_t{extent}); };
  return {clipped(std::floor(step * at + first)), clipped(std::ceil(step * (at + 1.0f) + first))};
}

template <typename T>
void largest(const T* image, const Dimensions& in, Pixels rows, Pixels columns, T none, T* out) {
  const size_t depth = in[3];
  if (rows.begin >= rows.end || columns.begin >= columns.end) {
    std::fill(out, out + depth, none);
    return;
  }
  const T* first = image + (rows.begin * in[2] + columns.begin) * depth;
  std::copy(first, first + depth, out);
  for (size_t y = rows.begin; y < rows.end; ++y) {
    const T* pixel = image + (y * in[2] + columns.begin) * depth;
    for (size_t x = columns.begin; x < columns.end; ++x, pixel += depth) {
      for (size_t c = 0; c < depth; ++c) out[c] = pixel[c] > out[c] ? pixel[c] : out[c];
    }
  }
}

template <typename T>
Status pool(OperationContext& context) {
  std::vector<Region> regions;
  AVOCET_RETURN_IF_FAILED(read_regions(context, &regions));
  const Dimensions& in = context.input(0).dims;
  const Dimensions& out = context.output(0).dims;
  const T zero = static_cast<T>(context.input(0).zero_point);
  context.parallel_for(regions.size() * out[1], 1, [&](size_t begin, size_t end) {
    for (size_t line = begin; line < end; ++line) {
      const Region& region = regions[line / out[1]];
      const Pixels rows = bin_pixels(region.box.y1, region.box.y2, in[1], out[1], line % out[1]);
      const T* image = context.in<T>(0) + region.image * extent_product(in, 1, 4);
      T* to = context.out<T>(0) + line * out[2] * out[3];
      for (size_t x = 0; x < out[2]; ++x, to += out[3]) {
        largest(image, in, rows, bin_pixels(region.box.x1, region.box.x2, in[2], out[2], x), zero, to);
      }
    }
  });
  return {};
}

Status execute(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return pool<uint8_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return pool<int8_t>(context);
    default: return pool<float>(context);
  }
}

}  // namespace

constinit const Operation kRoiPooling = operation<kSignature, region_output, execute>(ANEURALNETWORKS_ROI_POOLING, "ROI_POOLING");

}  // namespace avocet::runtime
