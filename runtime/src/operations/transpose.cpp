// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE: the dimensions in another order.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4), shaped("perm", kTensorInt32, "rank").optional()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 28, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

}  // namespace

constinit const Operation kTranspose = unimplemented<kSignature>(ANEURALNETWORKS_TRANSPOSE, "TRANSPOSE");

}  // namespace avocet::runtime
