// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION: each slice along an axis divided by its Euclidean length.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4).rank_before_29(1 << 4), axis().optional(-1).since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as(1.0f / 128, 128, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloatsAndLaterQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kL2Normalization = unimplemented<kSignature>(ANEURALNETWORKS_L2_NORMALIZATION, "L2_NORMALIZATION");

}  // namespace avocet::runtime
