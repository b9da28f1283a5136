// SPDX-License-Identifier: Apache-2.0
// LOCAL_RESPONSE_NORMALIZATION: each element divided by a power of the squares around it. The sums take the same time for
// every radius and never subtract, so that large squares do not swallow small ones.
#include <cmath>
#include <vector>

#include "row.hpp"
#include "rows.hpp"
#include "slices.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4).rank_before_29(1 << 4),
                                  int32("radius").range(0),
                                  scalar("bias", kColumnB),
                                  scalar("alpha", kColumnB),
                                  scalar("beta", kColumnB),
                                  axis().optional(-1).since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};
constexpr size_t kAxis = 5;  // input

/// Sums of the squares from `radius` elements before to `radius` after each element of a slice. With the slice padded by
/// radius zeros on both sides and cut into blocks of one window's width, every window is a block, or the end of one and
/// the beginning of the next:
///
///     | . . . a b c d | e f g h . . . |      radius 3: the window around e = suffix sum at b + prefix sum at h
class WindowSums {
 public:
  WindowSums(size_t length, int32_t radius)
      : radius_(std::min(static_cast<size_t>(radius), length - 1)),
        padded_(length + 2 * radius_),
        prefix_(padded_),
        suffix_(padded_) {}

  void set_square(size_t i, double square) { prefix_[radius_ + i] = suffix_[radius_ + i] = square; }

  /// Calls body(element, sum) for all elements of the slice. The squares are to be set anew afterwards.
  template <typename Body>
  void for_each(const Body& body) {
    const size_t width = 2 * radius_ + 1, length = padded_ - 2 * radius_;
    for (size_t block = 0; block < padded_; block += width) {
      const size_t end = std::min(block + width, padded_);
      for (size_t i = block + 1; i < end; ++i) prefix_[i] += prefix_[i - 1];
      for (size_t i = end - 1; i-- > block;) suffix_[i] += suffix_[i + 1];
    }
    for (size_t block = 0; block < length; block += width) {
      body(block, suffix_[block]);  // a whole block
      const size_t end = std::min(block + width, length);
      for (size_t i = block + 1; i < end; ++i) body(i, suffix_[i] + prefix_[i + 2 * radius_]);
    }
  }
  /// Makes the padding zero again.
  void clear() {
    std::fill(prefix_.begin(), prefix_.end(), 0.0);
    std::fill(suffix_.begin(), suffix_.end(), 0.0);
  }

 private:
  size_t radius_, padded_;
  std::vector<double> prefix_, suffix_;  // of padded elements, within blocks
};

/// In float32, which is several times faster, unless the base is beyond it.
float power(double base, float exponent) {
  const float narrow = static_cast<float>(base);
  return std::isnormal(narrow) ? std::pow(narrow, exponent) : static_cast<float>(std::pow(base, double{exponent}));
}

Status execute(OperationContext& context) {
  Slices slices;
  AVOCET_RETURN_IF_FAILED(find_slices(context, kAxis, &slices));
  const float bias = float_scalar(context, 2, 0.0f), alpha = float_scalar(context, 3, 0.0f), beta = float_scalar(context, 4, 0.0f);
  const float* values = context.in<float>(0);
  float* results = context.out<float>(0);
  const WindowSums empty(slices.length, context.scalar<int32_t>(1, 0));
  slices.for_each(context, empty, [&](size_t first, WindowSums& sums) {
    sums.clear();
    for (size_t i = 0; i < slices.length; ++i) {
      const double x = values[first + i * slices.step];
      sums.set_square(i, x * x);
    }
    sums.for_each([&](size_t i, double sum) {
      const size_t at = first + i * slices.step;
      results[at] = values[at] / power(double{bias} + double{alpha} * sum, beta);
    });
  });
  return {};
}

}  // namespace

constinit const Operation kLocalResponseNormalization = operation<kSignature, infer_along_axis<kAxis>, execute>(
    ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION, "LOCAL_RESPONSE_NORMALIZATION");

}  // namespace avocet::runtime
