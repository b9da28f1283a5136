// SPDX-License-Identifier: Apache-2.0
// Rows of IF and WHILE. They have no kernel: the executor runs the referenced models.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kIfInput[] = {shaped("condition", kTensorBool8, "1"), scalar("then_model", kModel), scalar("else_model", kModel),
                                    scalar("inputs", kAny).rank(0, kAnyRank).repeated().optional()};
constexpr Form kIfInputs[] = {{.operands = kIfInput}};
constexpr OperandRule kWhileInput[] = {scalar("condition_model", kModel), scalar("body_model", kModel), scalar("inputs", kAny).rank(0, kAnyRank).repeated()};
constexpr Form kWhileInputs[] = {{.operands = kWhileInput}};
constexpr OperandRule kOutput[] = {scalar("outputs", kAny).rank(0, kAnyRank).repeated()};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kIfSignature{.level = 30, .inputs = kIfInputs, .outputs = kOutputs, .zero_sized = true};
constexpr Signature kWhileSignature{.level = 30, .inputs = kWhileInputs, .outputs = kOutputs, .zero_sized = true};

Status check_condition(const OperationContext& context) {
  const Dimensions& dims = context.input(0).dims;
  if (dims.size() != 1 || dims[0] != 1) return bad_data("the condition must have the fully specified shape [1]");
  return {};
}

}  // namespace

constinit const Operation kIf{.code = ANEURALNETWORKS_IF, .name = "IF", .signature = &kIfSignature, .check = check_condition};
constinit const Operation kWhile{.code = ANEURALNETWORKS_WHILE, .name = "WHILE", .signature = &kWhileSignature};

}  // namespace avocet::runtime
