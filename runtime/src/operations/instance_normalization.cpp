// SPDX-License-Identifier: Apache-2.0
// INSTANCE_NORMALIZATION: each channel of each image to mean 0 and variance 1, then scaled and moved.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {image("input", kColumnA, "batches,height,width,depth"), scalar("gamma", kColumnB),
                                  scalar("beta", kColumnB), scalar("epsilon", kColumnB), layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,height,width,depth")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kInstanceNormalization =
    unimplemented<kSignature>(ANEURALNETWORKS_INSTANCE_NORMALIZATION, "INSTANCE_NORMALIZATION");

}  // namespace avocet::runtime
