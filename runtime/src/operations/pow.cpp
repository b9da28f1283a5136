// SPDX-License-Identifier: Apache-2.0
// POW: base to the exponent, with broadcasting.
#include <cmath>

#include "broadcast.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("base", kColumnA), tensor("exponent", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

Status execute(OperationContext& context) {
  broadcast_apply(context, context.in<float>(0), context.in<float>(1), context.out<float>(0),
                  [](float base, float exponent) { return std::pow(base, exponent); });
  return {};
}

}  // namespace

constinit const Operation kPow = operation<kSignature, infer_broadcast, execute>(ANEURALNETWORKS_POW, "POW");

}  // namespace avocet::runtime
