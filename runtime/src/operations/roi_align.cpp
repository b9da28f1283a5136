// SPDX-License-Identifier: Apache-2.0
// ROI_ALIGN: regions of a feature map brought to one size by the mean of points sampled between its pixels. The weights of
// all points of a bin are the product of weights along y and along x, so each pixel is read once for a bin.
#include <cmath>
#include <type_traits>

#include "regions.hpp"
#include "requantise.hpp"
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
                                  int32("height_samples").range(0),
                                  int32("width_samples").range(0),
                                  layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "num_rois,out_height,out_width,depth")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 29, .types = kRegionTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

/// More points than this in a bin along one axis are refused, so that the work is bounded by the sizes of tensors.
constexpr int32_t kMostSamples = 1 << 16;

Status infer(OperationContext& context) {
  for (size_t i : {7, 8}) {
    const int32_t samples = context.scalar<int32_t>(i, 0);
    if (samples > kMostSamples) return op_failed("input ", i, " asks for ", samples, " points; ", kMostSamples, " are possible");
  }
  return region_output(context);
}

/// The bins of a region along one axis, each with the weights of the pixels that its points lie between.
class AxisBins {
 public:
  /// The region [from, to] of an axis with `extent` pixels in `count` bins of `samples` points, or as many as there are pixels
  /// in a bin when that is 0.
  AxisBins(float from, float to, uint32_t extent, uint32_t count, int32_t samples) {
    const float step = std::max(to - from, 1.0f) / static_cast<float>(count);
    samples_ = samples > 0 ? static_cast<uint32_t>(samples) : static_cast<uint32_t>(std::ceil(step));
    const float distance = step / static_cast<float>(samples_);
    const size_t last_pixel = extent - 1;
    for (uint32_t bin = 0; bin < count; ++bin) {
      const float start = step * static_cast<float>(bin) + from;
      const size_t begin = weights_.size();
      size_t first = 0;
      for (uint32_t s = 0; s < samples_; ++s) {
        const float at = start + distance / 2 + distance * static_cast<float>(s);
        const size_t pixel = std::min(static_cast<size_t>(at), last_pixel);
        const float fraction = pixel == last_pixel ? 0.0f : at - static_cast<float>(pixel);
        if (s == 0) first = pixel;
        weights_.resize(std::max(weights_.size(), begin + pixel - first + 2), 0.0f);
        weights_[begin + pixel - first] += 1.0f - fraction;
        weights_[begin + pixel - first + 1] += fraction;
      }
      // Beyond the last pixel there is only a weight of zero.
      if (first + weights_.size() - begin > extent) weights_.resize(begin + extent - first);
      bins_.push_back({first, begin, weights_.size() - begin});
    }
  }

  struct Bin {
    size_t first_pixel, first_weight, pixels;
  };
  const Bin& bin(size_t i) const { return bins_[i]; }
  float weight(size_t i) const { return weights_[i]; }
  uint32_t samples() const { return samples_; }

 private:
  uint32_t samples_;
  std::vector<Bin> bins_;
  std::vector<float> weights_;
};

/// sums[c] = weighted sum of the pixels of a bin, less the zero point.
template <typename T>
void sum_bin(const T* image, const Dimensions& in, const AxisBins& ys, const AxisBins& xs, size_t y_bin, size_t x_bin,
             int32_t zero_point, std::vector<float>& sums) {
  const AxisBins::Bin& rows = ys.bin(y_bin);
  const AxisBins::Bin& columns = xs.bin(x_bin);
  std::fill(sums.begin(), sums.end(), 0.0f);
  for (size_t y = 0; y < rows.pixels; ++y) {
    const T* pixel = image + ((rows.first_pixel + y) * in[2] + columns.first_pixel) * in[3];
    for (size_t x = 0; x < columns.pixels; ++x, pixel += in[3]) {
      const float weight = ys.weight(rows.first_weight + y) * xs.weight(columns.first_weight + x);
      if (weight == 0.0f) continue;  // also keeps an infinite pixel that no point lies at out of the sum
      for (size_t c = 0; c < sums.size(); ++c) {
        if constexpr (std::is_floating_point_v<T>) {
          sums[c] += weight * pixel[c];
        } else {
          sums[c] += weight * static_cast<float>(pixel[c] - zero_point);
        }
      }
    }
  }
}

template <typename T>
Status align(OperationContext& context) {
  std::vector<Region> regions;
  AVOCET_RETURN_IF_FAILED(read_regions(context, &regions));
  const OperandView& input = context.input(0);
  const OperandView& output = context.output(0);
  const Dimensions& out = output.dims;
  const size_t depth = out[3];
  context.parallel_for(regions.size(), 1, [&](size_t begin, size_t end) {
    std::vector<float> sums(depth);
    for (size_t r = begin; r < end; ++r) {
      const Box& box = regions[r].box;
      const AxisBins ys(box.y1, box.y2, input.dims[1], out[1], context.scalar<int32_t>(7, 0));
      const AxisBins xs(box.x1, box.x2, input.dims[2], out[2], context.scalar<int32_t>(8, 0));
      const T* image = context.in<T>(0) + regions[r].image * extent_product(input.dims, 1, 4);
      const float points = static_cast<float>(ys.samples()) * static_cast<float>(xs.samples());
      T* to = context.out<T>(0) + r * extent_product(out, 1, 4);
      for (size_t y = 0; y < out[1]; ++y) {
        for (size_t x = 0; x < out[2]; ++x, to += depth) {
          sum_bin(image, input.dims, ys, xs, y, x, input.zero_point, sums);
          for (size_t c = 0; c < depth; ++c) {
            if constexpr (std::is_floating_point_v<T>) {
              to[c] = sums[c] / points;
            } else {
              to[c] = quantise<T>(sums[c] / points * input.scale, output.scale, output.zero_point);
            }
          }
        }
      }
    }
  });
  return {};
}

Status execute(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return align<uint8_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return align<int8_t>(context);
    default: return align<float>(context);
  }
}

}  // namespace

constinit const Operation kRoiAlign = operation<kSignature, infer, execute>(ANEURALNETWORKS_ROI_ALIGN, "ROI_ALIGN");

}  // namespace avocet::runtime
