// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic of two broadcast tensors, with a TENSOR_BOOL8 result: EQUAL, GREATER, ..., LOGICAL_AND, LOGICAL_OR.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input1", kColumnA), tensor("input2", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kTensorBool8)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kBoolsNumbersAndQuant8, .inputs = kInputs, .outputs = kOutputs};

constexpr TypeRow kBools[] = {{29, {kTensorBool8}}};
constexpr Signature kLogicalSignature{.level = 29, .types = kBools, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kEqual = unimplemented<kSignature>(ANEURALNETWORKS_EQUAL, "EQUAL");
constinit const Operation kGreater = unimplemented<kSignature>(ANEURALNETWORKS_GREATER, "GREATER");
constinit const Operation kGreaterEqual = unimplemented<kSignature>(ANEURALNETWORKS_GREATER_EQUAL, "GREATER_EQUAL");
constinit const Operation kLess = unimplemented<kSignature>(ANEURALNETWORKS_LESS, "LESS");
constinit const Operation kLessEqual = unimplemented<kSignature>(ANEURALNETWORKS_LESS_EQUAL, "LESS_EQUAL");
constinit const Operation kNotEqual = unimplemented<kSignature>(ANEURALNETWORKS_NOT_EQUAL, "NOT_EQUAL");
constinit const Operation kLogicalAnd = unimplemented<kLogicalSignature>(ANEURALNETWORKS_LOGICAL_AND, "LOGICAL_AND");
constinit const Operation kLogicalOr = unimplemented<kLogicalSignature>(ANEURALNETWORKS_LOGICAL_OR, "LOGICAL_OR");

}  // namespace avocet::runtime
