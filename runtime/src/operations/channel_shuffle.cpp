// SPDX-License-Identifier: Apache-2.0
// CHANNEL_SHUFFLE: the slices along an axis dealt out in groups.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4), int32("num_groups").range(1), axis()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kChannelShuffle = unimplemented<kSignature>(ANEURALNETWORKS_CHANNEL_SHUFFLE, "CHANNEL_SHUFFLE");

}  // namespace avocet::runtime
