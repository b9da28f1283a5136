// SPDX-License-Identifier: Apache-2.0
// MEAN and REDUCE_ALL, ANY, MAX, MIN, PROD, SUM: one value for the elements along the given axes.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kMeanInput[] = {tensor("input", kColumnA, 1, 4), shaped("axes", kTensorInt32, "axis_count"), int32("keep_dims")};
constexpr Form kMeanInputs[] = {{.operands = kMeanInput}};
constexpr OperandRule kInput[] = {tensor("input", kColumnA, 1, 4), shaped("axes", kTensorInt32, "axis_count"), boolean("keep_dims")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};

constexpr Signature kMeanSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kMeanInputs, .outputs = kOutputs};
constexpr Signature kExtremeSignature{.level = 29, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};
constexpr Signature kSumSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};
constexpr TypeRow kBools[] = {{29, {kTensorBool8}}};
constexpr Signature kLogicalSignature{.level = 29, .types = kBools, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kMean = unimplemented<kMeanSignature>(ANEURALNETWORKS_MEAN, "MEAN");
constinit const Operation kReduceAll = unimplemented<kLogicalSignature>(ANEURALNETWORKS_REDUCE_ALL, "REDUCE_ALL");
constinit const Operation kReduceAny = unimplemented<kLogicalSignature>(ANEURALNETWORKS_REDUCE_ANY, "REDUCE_ANY");
constinit const Operation kReduceMax = unimplemented<kExtremeSignature>(ANEURALNETWORKS_REDUCE_MAX, "REDUCE_MAX");
constinit const Operation kReduceMin = unimplemented<kExtremeSignature>(ANEURALNETWORKS_REDUCE_MIN, "REDUCE_MIN");
constinit const Operation kReduceProd = unimplemented<kSumSignature>(ANEURALNETWORKS_REDUCE_PROD, "REDUCE_PROD");
constinit const Operation kReduceSum = unimplemented<kSumSignature>(ANEURALNETWORKS_REDUCE_SUM, "REDUCE_SUM");

}  // namespace avocet::runtime
