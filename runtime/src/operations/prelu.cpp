// SPDX-License-Identifier: Apache-2.0
// PRELU: x where x >= 0, alpha * x elsewhere, with broadcasting.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), tensor("alpha", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kPrelu = unimplemented<kSignature>(ANEURALNETWORKS_PRELU, "PRELU");

}  // namespace avocet::runtime
