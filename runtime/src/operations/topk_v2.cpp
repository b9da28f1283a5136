// SPDX-License-Identifier: Apache-2.0
// TOPK_V2: the k largest elements of each last-axis slice, and where they were.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), int32("k").range(1)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("values", kColumnA).quantised_as_input(0), tensor("indices", kTensorInt32)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kTopkV2 = unimplemented<kSignature>(ANEURALNETWORKS_TOPK_V2, "TOPK_V2");

}  // namespace avocet::runtime
