// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX: logarithm of the softmax along an axis.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), scalar("beta", kColumnB).range(kPositive), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kLogSoftmax = unimplemented<kSignature>(ANEURALNETWORKS_LOG_SOFTMAX, "LOG_SOFTMAX");

}  // namespace avocet::runtime
