// SPDX-License-Identifier: Apache-2.0
// SOFTMAX along an axis: float, and integer with exponentials in fixed point, bit for bit as TensorFlow Lite's reference.
#include <algorithm>
#include <array>
#include <cmath>

#include "fixed_point.hpp"
#include "requantise.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{27, {kTensorFloat32, kFloat32}},
                              {27, {kQuant8, kFloat32}},
                              {29, {kTensorFloat16, kFloat16}},
                              {30, {kQuant8Signed, kFloat32}}};
constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4).rank_before_29((1 << 2) | (1 << 4)),
                                  scalar("beta", kColumnB).range(kPositive), axis().optional(-1).since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as(1.0f / 256, 0, -128)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

Status find_axis(const OperationContext& context, size_t* axis) {
  const int32_t given = context.scalar<int32_t>(2, -1);
  const auto index = normalise_axis(given, context.input(0).dims.size());
  if (!index) return op_failed("axis ", given, " is outside the tensor of rank ", context.input(0).dims.size());
  *axis = *index;
  return {};
}

Status infer(OperationContext& context) {
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(find_axis(context, &axis));
  return infer_same_shape(context);
}

/// One slice: `length` elements, `step` apart.
void softmax_float(const float* from, float* to, size_t length, size_t step, float beta) {
  float highest = from[0];
  for (size_t i = 1; i < length; ++i) highest = std::max(highest, from[i * step]);
  float sum = 0.0f;
  for (size_t i = 0; i < length; ++i) {
    to[i * step] = std::exp((from[i * step] - highest) * beta);
    sum += to[i * step];
  }
  for (size_t i = 0; i < length; ++i) to[i * step] /= sum;
}

/// exp(-d * scale * beta) for each difference d of stored values to the largest one, as Q0.31.
class ExponentialTable {
 public:
  ExponentialTable(float scale, float beta) {
    constexpr int kIntegerBits = 5;  // differences are Q5.26
    const double real = std::min(double{beta} * double{scale} * (1 << (31 - kIntegerBits)), double((int64_t{1} << 31) - 1));
    multiplier_ = quantise_multiplier(real);
    const double radius = std::ldexp((1 << kIntegerBits) - 1, 31 - kIntegerBits - multiplier_.exponent);
    largest_difference_ = static_cast<int32_t>(std::min(std::floor(radius), 255.0));
    known_.fill(-1);
  }
  /// Beyond this difference the result is the smallest value.
  int32_t largest_difference() const { return largest_difference_; }
  int32_t operator()(int32_t difference) {
    int32_t& entry = known_[static_cast<size_t>(difference)];
    if (entry < 0) entry = fixed_point::exp_on_negative<5>(multiply_by_quantised_multiplier(-difference, multiplier_));
    return entry;
  }

 private:
  QuantisedMultiplier multiplier_;
  int32_t largest_difference_ = 0;
  std::array<int32_t, 256> known_;
};

template <typename Stored>
void softmax_quantised(const Stored* from, Stored* to, size_t length, size_t step, ExponentialTable& exponential) {
  constexpr int kSumIntegerBits = 12;  // the sum is Q12.19
  int32_t highest = from[0];
  for (size_t i = 1; i < length; ++i) highest = std::max(highest, int32_t{from[i * step]});
  int32_t sum = 0;
  for (size_t i = 0; i < length; ++i) {
    const int32_t difference = highest - from[i * step];
    if (difference > exponential.largest_difference()) continue;
    const int32_t term = rounding_shift_right(exponential(difference), kSumIntegerBits);
    sum = std::min<int64_t>(int64_t{sum} + term, std::numeric_limits<int32_t>::max());
  }
  int bits_over_unit = 0;
  const int32_t scale = fixed_point::reciprocal(sum, kSumIntegerBits, &bits_over_unit);
  const Range<int32_t> range{std::numeric_limits<Stored>::min(), std::numeric_limits<Stored>::max()};
  for (size_t i = 0; i < length; ++i) {
    const int32_t difference = highest - from[i * step];
    int32_t value = range.low;
    if (difference <= exponential.largest_difference()) {
      value += rounding_shift_right(fixed_point::multiply(scale, exponential(difference)), std::min(31, bits_over_unit + 31 - 8));
    }
    to[i * step] = static_cast<Stored>(clamp_to(value, range));
  }
}

/// Calls body(first element of the slice, step, state) for every slice along the axis; each piece of work has its own copy
/// of `state`.
template <typename State, typename Body>
void for_slices(const OperationContext& context, size_t axis, const State& state, const Body& body) {
  const Dimensions& dims = context.inputs[0].dims;
  const size_t length = dims[axis], inner = extent_product(dims, axis + 1, dims.size()), outer = extent_product(dims, 0, axis);
  const size_t grain = std::max<size_t>(1, 4096 / length);
  context.parallel_for(outer * inner, grain, [&](size_t begin, size_t end) {
    State own = state;
    for (size_t slice = begin; slice < end; ++slice) body(slice / inner * inner * length + slice % inner, inner, own);
  });
}

template <typename Stored>
void execute_quantised(OperationContext& context, size_t axis, float beta) {
  const size_t length = context.input(0).dims[axis];
  const ExponentialTable empty(context.input(0).scale, beta);
  for_slices(context, axis, empty, [&](size_t first, size_t step, ExponentialTable& exponential) {
    softmax_quantised(context.in<Stored>(0) + first, context.out<Stored>(0) + first, length, step, exponential);
  });
}

Status execute(OperationContext& context) {
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(find_axis(context, &axis));
  const float beta = float_scalar(context, 1, 1.0f);
  const size_t length = context.input(0).dims[axis];
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: execute_quantised<uint8_t>(context, axis, beta); break;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: execute_quantised<int8_t>(context, axis, beta); break;
    default:
      for_slices(context, axis, nullptr, [&](size_t first, size_t step, auto) {
        softmax_float(context.in<float>(0) + first, context.out<float>(0) + first, length, step, beta);
      });
  }
  return {};
}

}  // namespace

constinit const Operation kSoftmax =
    operation<kSignature, infer, execute>(ANEURALNETWORKS_SOFTMAX, "SOFTMAX");

}  // namespace avocet::runtime
