// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX: logarithm of the softmax along an axis.
#include <cmath>

#include "row.hpp"
#include "rows.hpp"
#include "slices.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), scalar("beta", kColumnB).range(kPositive), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};
constexpr size_t kAxis = 2;  // input

/// One slice. The largest logit is taken off first, so that no exponential overflows.
void log_softmax(const float* from, float* to, const Slices& slices, float beta) {
  const size_t length = slices.length, step = slices.step;
  float highest = from[0];
  for (size_t i = 1; i < length; ++i) highest = std::max(highest, from[i * step]);
  float sum = 0.0f;
  for (size_t i = 0; i < length; ++i) sum += std::exp((from[i * step] - highest) * beta);
  const float logarithm = std::log(sum);
  for (size_t i = 0; i < length; ++i) to[i * step] = (from[i * step] - highest) * beta - logarithm;
}

Status execute(OperationContext& context) {
  Slices slices;
  AVOCET_RETURN_IF_FAILED(find_slices(context, kAxis, &slices));
  const float beta = float_scalar(context, 1, 1.0f);
  slices.for_each(context, nullptr, [&](size_t first, auto) {
    log_softmax(context.in<float>(0) + first, context.out<float>(0) + first, slices, beta);
  });
  return {};
}

}  // namespace

constinit const Operation kLogSoftmax =
    operation<kSignature, infer_along_axis<kAxis>, execute>(ANEURALNETWORKS_LOG_SOFTMAX, "LOG_SOFTMAX");

}  // namespace avocet::runtime
