// SPDX-License-Identifier: Apache-2.0
// ELU and HARD_SWISH activations.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kEluInput[] = {tensor("input", kColumnA), scalar("alpha", kColumnB)};
constexpr Form kEluInputs[] = {{.operands = kEluInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kEluSignature{
    .level = 30, .types = kFloatsWithScalars, .inputs = kEluInputs, .outputs = kOutputs, .zero_sized = true};

constexpr OperandRule kSwishInput[] = {tensor("input", kColumnA)};
constexpr Form kSwishInputs[] = {{.operands = kSwishInput}};
constexpr Signature kSwishSignature{
    .level = 30, .types = kFloatsAndQuant8, .inputs = kSwishInputs, .outputs = kOutputs, .zero_sized = true};

}  // namespace

constinit const Operation kElu = unimplemented<kEluSignature>(ANEURALNETWORKS_ELU, "ELU");
constinit const Operation kHardSwish = unimplemented<kSwishSignature>(ANEURALNETWORKS_HARD_SWISH, "HARD_SWISH");

}  // namespace avocet::runtime
