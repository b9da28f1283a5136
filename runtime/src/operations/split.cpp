// SPDX-License-Identifier: Apache-2.0
// SPLIT: equal pieces of a tensor along an axis, one output each.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), axis(), int32("num_splits").range(1)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("outputs", kColumnA).quantised_as_input(0).repeated()};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kSplit = unimplemented<kSignature>(ANEURALNETWORKS_SPLIT, "SPLIT");

}  // namespace avocet::runtime
