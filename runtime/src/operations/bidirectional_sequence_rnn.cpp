// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_RNN: a basic recurrent layer over a sequence in both directions, with an optional auxiliary input.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 3, 3),
                                  shaped("fw_weights", kColumnA, "fw_units,input_size"),
                                  shaped("fw_recurrent_weights", kColumnA, "fw_units,fw_units"),
                                  shaped("fw_bias", kColumnA, "fw_units"),
                                  shaped("fw_hidden_state_in", kColumnA, "batch,fw_units"),
                                  shaped("bw_weights", kColumnA, "bw_units,bw_input_size"),
                                  shaped("bw_recurrent_weights", kColumnA, "bw_units,bw_units"),
                                  shaped("bw_bias", kColumnA, "bw_units"),
                                  shaped("bw_hidden_state_in", kColumnA, "batch,bw_units"),
                                  tensor("aux_input", kColumnA, 3, 3).omittable(),
                                  shaped("fw_aux_weights", kColumnA, "fw_units,aux_input_size").omittable(),
                                  shaped("bw_aux_weights", kColumnA, "bw_units,aux_input_size").omittable(),
                                  activation(),
                                  boolean("time_major"),
                                  boolean("merge_outputs")};
constexpr Form kInputs[] = {{.operands = kInput}};

constexpr OperandRule kFwState = shaped("fw_hidden_state_out", kColumnA, "batch,fw_units");
constexpr OperandRule kBwState = shaped("bw_hidden_state_out", kColumnA, "batch,bw_units");
constexpr OperandRule kMerged[] = {tensor("output", kColumnA, 3, 3)};
constexpr OperandRule kSeparate[] = {tensor("fw_output", kColumnA, 3, 3), tensor("bw_output", kColumnA, 3, 3)};
constexpr OperandRule kMergedAndStates[] = {tensor("output", kColumnA, 3, 3), kFwState, kBwState};
constexpr OperandRule kSeparateAndStates[] = {tensor("fw_output", kColumnA, 3, 3), tensor("bw_output", kColumnA, 3, 3), kFwState, kBwState};
constexpr Form kOutputs[] = {{.name = "merged", .operands = kMerged},
                             {.name = "separate", .operands = kSeparate},
                             {.name = "merged with states", .level = 30, .operands = kMergedAndStates},
                             {.name = "separate with states", .level = 30, .operands = kSeparateAndStates}};
constexpr Signature kSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kBidirectionalSequenceRnn =
    unimplemented<kSignature>(ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN, "BIDIRECTIONAL_SEQUENCE_RNN");

}  // namespace avocet::runtime
