// SPDX-License-Identifier: Apache-2.0
// LOCAL_RESPONSE_NORMALIZATION: each element divided by a power of the squares around it.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4).rank_before_29(1 << 4),
                                  int32("radius").range(0),
                                  scalar("bias", kColumnB),
                                  scalar("alpha", kColumnB),
                                  scalar("beta", kColumnB),
                                  axis().optional(-1).since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kLocalResponseNormalization =
    unimplemented<kSignature>(ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION, "LOCAL_RESPONSE_NORMALIZATION");

}  // namespace avocet::runtime
