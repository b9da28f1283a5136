// SPDX-License-Identifier: Apache-2.0
// MAXIMUM and MINIMUM of two broadcast tensors.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input1", kColumnA), tensor("input2", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kMaximum = unimplemented<kSignature>(ANEURALNETWORKS_MAXIMUM, "MAXIMUM");
constinit const Operation kMinimum = unimplemented<kSignature>(ANEURALNETWORKS_MINIMUM, "MINIMUM");

}  // namespace avocet::runtime
