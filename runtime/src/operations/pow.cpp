// SPDX-License-Identifier: Apache-2.0
// POW: base to the exponent, with broadcasting.
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

}  // namespace

constinit const Operation kPow = unimplemented<kSignature>(ANEURALNETWORKS_POW, "POW");

}  // namespace avocet::runtime
