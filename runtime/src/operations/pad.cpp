// SPDX-License-Identifier: Apache-2.0
// PAD with the logical zero, and PAD_V2 with a given value.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kPadInput[] = {tensor("input", kColumnA, 1, 4), shaped("paddings", kTensorInt32, "rank,2")};
constexpr Form kPadInputs[] = {{.operands = kPadInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kPadSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kPadInputs, .outputs = kOutputs};

constexpr TypeRow kPadV2Types[] = {{29, {kTensorFloat32, kFloat32}},
                                   {29, {kTensorFloat16, kFloat16}},
                                   {29, {kQuant8, kInt32}},
                                   {30, {kQuant8Signed, kInt32}}};
constexpr OperandRule kPadV2Input[] = {tensor("input", kColumnA, 1, 4), shaped("paddings", kTensorInt32, "rank,2"),
                                       scalar("pad_value", kColumnB)};
constexpr Form kPadV2Inputs[] = {{.operands = kPadV2Input}};
constexpr Signature kPadV2Signature{.level = 29, .types = kPadV2Types, .inputs = kPadV2Inputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kPad = unimplemented<kPadSignature>(ANEURALNETWORKS_PAD, "PAD");
constinit const Operation kPadV2 = unimplemented<kPadV2Signature>(ANEURALNETWORKS_PAD_V2, "PAD_V2");

}  // namespace avocet::runtime
