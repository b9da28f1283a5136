// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_RNN: a basic recurrent layer over a sequence.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 3, 3),
                                  shaped("weights", kColumnA, "units,input_size"),
                                  shaped("recurrent_weights", kColumnA, "units,units"),
                                  shaped("bias", kColumnA, "units"),
                                  shaped("hidden_state_in", kColumnA, "batch,units"),
                                  activation(),
                                  int32("time_major").values(0b11)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 3, 3),
                                   shaped("hidden_state_out", kColumnA, "batch,units").optional().since(30)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kUnidirectionalSequenceRnn =
    unimplemented<kSignature>(ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN, "UNIDIRECTIONAL_SEQUENCE_RNN");

}  // namespace avocet::runtime
