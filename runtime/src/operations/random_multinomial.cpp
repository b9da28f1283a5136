// SPDX-License-Identifier: Apache-2.0
// RANDOM_MULTINOMIAL: samples of a distribution given by its logarithms.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("log_probabilities", kColumnA, "batches,classes"), int32("samples").range(1),
                                  shaped("seeds", kTensorInt32, "2")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output", kTensorInt32, "batches,samples")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs, .random = true};

}  // namespace

constinit const Operation kRandomMultinomial = unimplemented<kSignature>(ANEURALNETWORKS_RANDOM_MULTINOMIAL, "RANDOM_MULTINOMIAL");

}  // namespace avocet::runtime
