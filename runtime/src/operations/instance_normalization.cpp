// SPDX-License-Identifier: Apache-2.0
// INSTANCE_NORMALIZATION: each channel of each image to mean 0 and variance 1, then scaled and moved.
#include <algorithm>
#include <cmath>
#include <vector>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {image("input", kColumnA, "batches,height,width,depth"), scalar("gamma", kColumnB),
                                  scalar("beta", kColumnB), scalar("epsilon", kColumnB), layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,height,width,depth")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

struct Coefficients {
  double gamma, beta, epsilon;
};

/// Normalises `count` neighbouring channels of one image of `pixels` pixels, each of `depth` channels.
void normalise(const float* from, float* to, size_t pixels, size_t depth, size_t count, const Coefficients& by) {
  std::vector<double> mean(count), factor(count);
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t c = 0; c < count; ++c) mean[c] += from[p * depth + c];
  }
  for (double& value : mean) value /= static_cast<double>(pixels);
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t c = 0; c < count; ++c) {
      const double difference = from[p * depth + c] - mean[c];
      factor[c] += difference * difference;
    }
  }
  for (double& value : factor) value = by.gamma / std::sqrt(value / static_cast<double>(pixels) + by.epsilon);
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t c = 0; c < count; ++c) {
      to[p * depth + c] = static_cast<float>((from[p * depth + c] - mean[c]) * factor[c] + by.beta);
    }
  }
}

Status execute(OperationContext& context) {
  const Dimensions& dims = context.input(0).dims;
  const size_t pixels = size_t{dims[1]} * dims[2], depth = dims[3];
  const Coefficients by{float_scalar(context, 1, 1.0f), float_scalar(context, 2, 0.0f), float_scalar(context, 3, 0.0f)};
  constexpr size_t kWidth = 32;  // channels that one piece of work takes together
  const size_t pieces = (depth + kWidth - 1) / kWidth;
  const size_t grain = std::max<size_t>(1, 16384 / (pixels * std::min(depth, kWidth)));
  context.parallel_for(dims[0] * pieces, grain, [&](size_t begin, size_t end) {
    for (size_t item = begin; item < end; ++item) {
      const size_t first = item % pieces * kWidth, at = item / pieces * pixels * depth + first;
      normalise(context.in<float>(0) + at, context.out<float>(0) + at, pixels, depth, std::min(kWidth, depth - first), by);
    }
  });
  return {};
}

}  // namespace

constinit const Operation kInstanceNormalization =
    operation<kSignature, infer_same_shape, execute>(ANEURALNETWORKS_INSTANCE_NORMALIZATION, "INSTANCE_NORMALIZATION");

}  // namespace avocet::runtime
