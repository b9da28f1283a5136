// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_LSTM: an LSTM cell over a sequence in both directions, with an optional auxiliary input.
#include "lstm_rules.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {
    tensor("input", kColumnA, 3, 3),
    shaped("fw_input_to_input_weights", kColumnA, "fw_units,input_size").omittable(),
    shaped("fw_input_to_forget_weights", kColumnA, "fw_units,input_size"),
    shaped("fw_input_to_cell_weights", kColumnA, "fw_units,input_size"),
    shaped("fw_input_to_output_weights", kColumnA, "fw_units,input_size"),
    shaped("fw_recurrent_to_input_weights", kColumnA, "fw_units,fw_output_size").omittable(),
    shaped("fw_recurrent_to_forget_weights", kColumnA, "fw_units,fw_output_size"),
    shaped("fw_recurrent_to_cell_weights", kColumnA, "fw_units,fw_output_size"),
    shaped("fw_recurrent_to_output_weights", kColumnA, "fw_units,fw_output_size"),
    shaped("fw_cell_to_input_weights", kColumnA, "fw_units").omittable(),
    shaped("fw_cell_to_forget_weights", kColumnA, "fw_units").omittable(),
    shaped("fw_cell_to_output_weights", kColumnA, "fw_units").omittable(),
    shaped("fw_input_gate_bias", kColumnA, "fw_units").omittable(),
    shaped("fw_forget_gate_bias", kColumnA, "fw_units"),
    shaped("fw_cell_bias", kColumnA, "fw_units"),
    shaped("fw_output_gate_bias", kColumnA, "fw_units"),
    shaped("fw_projection_weights", kColumnA, "fw_output_size,fw_units").omittable(),
    shaped("fw_projection_bias", kColumnA, "fw_output_size").omittable(),
    shaped("bw_input_to_input_weights", kColumnA, "bw_units,bw_input_size").omittable(),
    shaped("bw_input_to_forget_weights", kColumnA, "bw_units,bw_input_size"),
    shaped("bw_input_to_cell_weights", kColumnA, "bw_units,bw_input_size"),
    shaped("bw_input_to_output_weights", kColumnA, "bw_units,bw_input_size"),
    shaped("bw_recurrent_to_input_weights", kColumnA, "bw_units,bw_output_size").omittable(),
    shaped("bw_recurrent_to_forget_weights", kColumnA, "bw_units,bw_output_size"),
    shaped("bw_recurrent_to_cell_weights", kColumnA, "bw_units,bw_output_size"),
    shaped("bw_recurrent_to_output_weights", kColumnA, "bw_units,bw_output_size"),
    shaped("bw_cell_to_input_weights", kColumnA, "bw_units").omittable(),
    shaped("bw_cell_to_forget_weights", kColumnA, "bw_units").omittable(),
    shaped("bw_cell_to_output_weights", kColumnA, "bw_units").omittable(),
    shaped("bw_input_gate_bias", kColumnA, "bw_units").omittable(),
    shaped("bw_forget_gate_bias", kColumnA, "bw_units"),
    shaped("bw_cell_bias", kColumnA, "bw_units"),
    shaped("bw_output_gate_bias", kColumnA, "bw_units"),
    shaped("bw_projection_weights", kColumnA, "bw_output_size,bw_units").omittable(),
    shaped("bw_projection_bias", kColumnA, "bw_output_size").omittable(),
    shaped("fw_output_state_in", kColumnA, "batch,fw_output_size"),
    shaped("fw_cell_state_in", kColumnA, "batch,fw_units"),
    shaped("bw_output_state_in", kColumnA, "batch,bw_output_size"),
    shaped("bw_cell_state_in", kColumnA, "batch,bw_units"),
    tensor("aux_input", kColumnA, 3, 3).omittable(),
    shaped("fw_aux_input_to_input_weights", kColumnA, "fw_units,aux_input_size").omittable(),
    shaped("fw_aux_input_to_forget_weights", kColumnA, "fw_units,aux_input_size").omittable(),
    shaped("fw_aux_input_to_cell_weights", kColumnA, "fw_units,aux_input_size").omittable(),
    shaped("fw_aux_input_to_output_weights", kColumnA, "fw_units,aux_input_size").omittable(),
    shaped("bw_aux_input_to_input_weights", kColumnA, "bw_units,aux_input_size").omittable(),
    shaped("bw_aux_input_to_forget_weights", kColumnA, "bw_units,aux_input_size").omittable(),
    shaped("bw_aux_input_to_cell_weights", kColumnA, "bw_units,aux_input_size").omittable(),
    shaped("bw_aux_input_to_output_weights", kColumnA, "bw_units,aux_input_size").omittable(),
    lstm_activation(),
    scalar("cell_clip", kColumnB).range(0),
    scalar("projection_clip", kColumnB).range(0),
    boolean("merge_outputs"),
    boolean("time_major"),
    shaped("fw_input_layer_norm_weights", kColumnA, "fw_units").omittable(),
    shaped("fw_forget_layer_norm_weights", kColumnA, "fw_units").omittable(),
    shaped("fw_cell_layer_norm_weights", kColumnA, "fw_units").omittable(),
    shaped("fw_output_layer_norm_weights", kColumnA, "fw_units").omittable(),
    shaped("bw_input_layer_norm_weights", kColumnA, "bw_units").omittable(),
    shaped("bw_forget_layer_norm_weights", kColumnA, "bw_units").omittable(),
    shaped("bw_cell_layer_norm_weights", kColumnA, "bw_units").omittable(),
    shaped("bw_output_layer_norm_weights", kColumnA, "bw_units").omittable()};
constexpr Form kInputs[] = {{.operands = kInput}};

constexpr OperandRule kFwState = shaped("fw_output_state_out", kColumnA, "batch,fw_output_size");
constexpr OperandRule kFwCell = shaped("fw_cell_state_out", kColumnA, "batch,fw_units");
constexpr OperandRule kBwState = shaped("bw_output_state_out", kColumnA, "batch,bw_output_size");
constexpr OperandRule kBwCell = shaped("bw_cell_state_out", kColumnA, "batch,bw_units");
constexpr OperandRule kMerged[] = {tensor("output", kColumnA, 3, 3)};
constexpr OperandRule kSeparate[] = {tensor("fw_output", kColumnA, 3, 3), tensor("bw_output", kColumnA, 3, 3)};
constexpr OperandRule kMergedAndStates[] = {tensor("output", kColumnA, 3, 3), kFwState, kFwCell, kBwState, kBwCell};
constexpr OperandRule kSeparateAndStates[] = {
    tensor("fw_output", kColumnA, 3, 3), tensor("bw_output", kColumnA, 3, 3), kFwState, kFwCell, kBwState, kBwCell};
constexpr Form kOutputs[] = {{.name = "merged", .operands = kMerged},
                             {.name = "separate", .operands = kSeparate},
                             {.name = "merged with states", .level = 30, .operands = kMergedAndStates},
                             {.name = "separate with states", .level = 30, .operands = kSeparateAndStates}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kBidirectionalSequenceLstm =
    unimplemented<kSignature>(ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_LSTM, "BIDIRECTIONAL_SEQUENCE_LSTM");

}  // namespace avocet::runtime
