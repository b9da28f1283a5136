// SPDX-License-Identifier: Apache-2.0
// TILE: a tensor repeated along each of its axes.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), shaped("multiples", kTensorInt32, "rank")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kTile = unimplemented<kSignature>(ANEURALNETWORKS_TILE, "TILE");

}  // namespace avocet::runtime
