// SPDX-License-Identifier: Apache-2.0
// GATHER: slices of a tensor along an axis, chosen by a tensor of indices.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), axis(), tensor("indices", kTensorInt32)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kGather = unimplemented<kSignature>(ANEURALNETWORKS_GATHER, "GATHER");

}  // namespace avocet::runtime
