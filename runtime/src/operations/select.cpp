// SPDX-License-Identifier: Apache-2.0
// SELECT: elements of one of two tensors by a tensor of booleans.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("condition", kTensorBool8), tensor("input1", kColumnA), tensor("input2", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kSelect = unimplemented<kSignature>(ANEURALNETWORKS_SELECT, "SELECT");

}  // namespace avocet::runtime
