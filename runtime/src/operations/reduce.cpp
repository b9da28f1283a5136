// SPDX-License-Identifier: Apache-2.0
// MEAN and REDUCE_ALL, ANY, MAX, MIN, PROD, SUM: one value for the elements along the given axes. Floats are added and
// multiplied in float64. MEAN takes an output of any scale, which converted networks have, although the API asks for the
// input's.
#include <limits>

#include "quantised_mean.hpp"
#include "reduce_plan.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kMeanInput[] = {tensor("input", kColumnA, 1, 4), shaped("axes", kTensorInt32, "axis_count"), int32("keep_dims")};
constexpr Form kMeanInputs[] = {{.operands = kMeanInput}};
constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4), shaped("axes", kTensorInt32, "axis_count"), boolean("keep_dims")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr OperandRule kMeanOutput[] = {tensor("output", kColumnA, 1, 4)};
constexpr Form kMeanOutputs[] = {{.operands = kMeanOutput}};

constexpr Signature kMeanSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kMeanInputs, .outputs = kMeanOutputs};
constexpr Signature kExtremeSignature{.level = 29, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};
constexpr Signature kSumSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};
constexpr TypeRow kBools[] = {{29, {kTensorBool8}}};
constexpr Signature kLogicalSignature{.level = 29, .types = kBools, .inputs = kInputs, .outputs = kOutputs};

Status infer_kept(OperationContext& context, bool keep_dims) {
  const Dimensions& dims = context.input(0).dims;
  uint32_t mask = 0;
  AVOCET_RETURN_IF_FAILED(find_reduced_axes(context.input(1), dims.size(), &mask));
  context.output(0).dims = reduced_dims(dims, mask, keep_dims);
  return {};
}

Status infer(OperationContext& context) { return infer_kept(context, context.scalar<uint8_t>(2, 0) != 0); }
Status infer_mean(OperationContext& context) { return infer_kept(context, context.scalar<int32_t>(2, 0) > 0); }

template <typename T, typename Sum, typename Join, typename Finish>
Status reduce(OperationContext& context, Sum initial, const Join& join, const Finish& finish) {
  const Dimensions& dims = context.input(0).dims;
  uint32_t mask = 0;
  AVOCET_RETURN_IF_FAILED(find_reduced_axes(context.input(1), dims.size(), &mask));
  const ReducePlan plan(dims, mask);
  const size_t count = plan.reduced_count();
  plan.run(context, context.in<T>(0), context.out<T>(0), initial, join, [&](Sum sum) { return finish(sum, count); });
  return {};
}

constexpr auto kJoinBySum = [](auto sum, auto x) { return sum + x; };
constexpr auto kJoinByProduct = [](double product, double x) { return product * x; };
constexpr auto kAsFloat = [](double result, size_t) { return static_cast<float>(result); };

template <typename T, typename Sum>
Status mean_quantised(OperationContext& context, size_t count) {
  const QuantisedMean mean(context.input(0), context.output(0), count);
  return reduce<T>(context, Sum{0}, kJoinBySum, [&](Sum sum, size_t) { return static_cast<T>(mean(sum)); });
}

template <typename T>
Status mean_quantised(OperationContext& context) {
  const size_t outputs = count_of(context.output(0));
  const size_t count = count_of(context.input(0)) / outputs;
  constexpr size_t kCellsIn32Bits = std::numeric_limits<int32_t>::max() / 256;
  return count <= kCellsIn32Bits ? mean_quantised<T, int32_t>(context, count) : mean_quantised<T, int64_t>(context, count);
}

Status execute_mean(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return mean_quantised<uint8_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return mean_quantised<int8_t>(context);
    default:
      return reduce<float>(context, 0.0, kJoinBySum,
                           [](double sum, size_t count) { return static_cast<float>(sum / static_cast<double>(count)); });
  }
}

Status execute_sum(OperationContext& context) { return reduce<float>(context, 0.0, kJoinBySum, kAsFloat); }
Status execute_prod(OperationContext& context) { return reduce<float>(context, 1.0, kJoinByProduct, kAsFloat); }

/// `choose` takes one of two numbers; `worst` is the number that it never takes before another.
template <typename T, typename Choose>
Status extreme(OperationContext& context, T worst, const Choose& choose) {
  return reduce<T>(context, worst, choose, [](T result, size_t) { return result; });
}

Status execute_max(OperationContext& context) {
  constexpr auto kLarger = [](auto x, auto y) { return y > x ? y : x; };
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return extreme<uint8_t>(context, 0, kLarger);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return extreme<int8_t>(context, -128, kLarger);
    default: return extreme<float>(context, -std::numeric_limits<float>::infinity(), kLarger);
  }
}

Status execute_min(OperationContext& context) {
  constexpr auto kSmaller = [](auto x, auto y) { return y < x ? y : x; };
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return extreme<uint8_t>(context, 255, kSmaller);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return extreme<int8_t>(context, 127, kSmaller);
    default: return extreme<float>(context, std::numeric_limits<float>::infinity(), kSmaller);
  }
}

Status execute_all(OperationContext& context) {
  return extreme<uint8_t>(context, 1, [](uint8_t x, uint8_t y) { return static_cast<uint8_t>((x != 0) & (y != 0)); });
}

Status execute_any(OperationContext& context) {
  return extreme<uint8_t>(context, 0, [](uint8_t x, uint8_t y) { return static_cast<uint8_t>((x | y) != 0); });
}

}  // namespace

constinit const Operation kMean = operation<kMeanSignature, infer_mean, execute_mean>(ANEURALNETWORKS_MEAN, "MEAN");
constinit const Operation kReduceAll = operation<kLogicalSignature, infer, execute_all>(ANEURALNETWORKS_REDUCE_ALL, "REDUCE_ALL");
constinit const Operation kReduceAny = operation<kLogicalSignature, infer, execute_any>(ANEURALNETWORKS_REDUCE_ANY, "REDUCE_ANY");
constinit const Operation kReduceMax = operation<kExtremeSignature, infer, execute_max>(ANEURALNETWORKS_REDUCE_MAX, "REDUCE_MAX");
constinit const Operation kReduceMin = operation<kExtremeSignature, infer, execute_min>(ANEURALNETWORKS_REDUCE_MIN, "REDUCE_MIN");
constinit const Operation kReduceProd = operation<kSumSignature, infer, execute_prod>(ANEURALNETWORKS_REDUCE_PROD, "REDUCE_PROD");
constinit const Operation kReduceSum = operation<kSumSignature, infer, execute_sum>(ANEURALNETWORKS_REDUCE_SUM, "REDUCE_SUM");

}  // namespace avocet::runtime
