// SPDX-License-Identifier: Apache-2.0
// ARGMAX and ARGMIN: the index of the first largest or smallest element along an axis.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kTensorInt32)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kArgmax = unimplemented<kSignature>(ANEURALNETWORKS_ARGMAX, "ARGMAX");
constinit const Operation kArgmin = unimplemented<kSignature>(ANEURALNETWORKS_ARGMIN, "ARGMIN");

}  // namespace avocet::runtime
