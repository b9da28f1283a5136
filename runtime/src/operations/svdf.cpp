// SPDX-License-Identifier: Apache-2.0
// SVDF: a densely connected layer over time, factored into feature and time filters.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("input", kColumnA, "batch,input_size"),
                                  shaped("weights_feature", kColumnA, "filters,input_size"),
                                  shaped("weights_time", kColumnA, "filters,memory_size"),
                                  shaped("bias", kColumnA, "units").omittable(),
                                  shaped("state_in", kColumnA, "batch,state_size"),
                                  int32("rank").range(1),
                                  activation().omittable()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("state_out", kColumnA, "batch,state_size"), shaped("output", kColumnA, "batch,units")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kSvdf = unimplemented<kSignature>(ANEURALNETWORKS_SVDF, "SVDF");

}  // namespace avocet::runtime
