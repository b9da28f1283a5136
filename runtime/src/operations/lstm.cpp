// SPDX-License-Identifier: Apache-2.0
// LSTM: one time step, with optional coupling of input and forget gate, peepholes, projection and layer normalisation.
#include "lstm_rules.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("input", kColumnA, "batch,input_size"),
                                  shaped("input_to_input_weights", kColumnA, "units,input_size").omittable(),
                                  shaped("input_to_forget_weights", kColumnA, "units,input_size"),
                                  shaped("input_to_cell_weights", kColumnA, "units,input_size"),
                                  shaped("input_to_output_weights", kColumnA, "units,input_size"),
                                  shaped("recurrent_to_input_weights", kColumnA, "units,output_size").omittable(),
                                  shaped("recurrent_to_forget_weights", kColumnA, "units,output_size"),
                                  shaped("recurrent_to_cell_weights", kColumnA, "units,output_size"),
                                  shaped("recurrent_to_output_weights", kColumnA, "units,output_size"),
                                  shaped("cell_to_input_weights", kColumnA, "units").omittable(),
                                  shaped("cell_to_forget_weights", kColumnA, "units").omittable(),
                                  shaped("cell_to_output_weights", kColumnA, "units").omittable(),
                                  shaped("input_gate_bias", kColumnA, "units").omittable(),
                                  shaped("forget_gate_bias", kColumnA, "units"),
                                  shaped("cell_bias", kColumnA, "units"),
                                  shaped("output_gate_bias", kColumnA, "units"),
                                  shaped("projection_weights", kColumnA, "output_size,units").omittable(),
                                  shaped("projection_bias", kColumnA, "output_size").omittable(),
                                  shaped("output_state_in", kColumnA, "batch,output_size"),
                                  shaped("cell_state_in", kColumnA, "batch,units"),
                                  lstm_activation(),
                                  scalar("cell_clip", kColumnB).range(0),
                                  scalar("projection_clip", kColumnB).range(0),
                                  shaped("input_layer_norm_weights", kColumnA, "units").optional().since(29),
                                  shaped("forget_layer_norm_weights", kColumnA, "units").optional().joined().since(29),
                                  shaped("cell_layer_norm_weights", kColumnA, "units").optional().joined().since(29),
                                  shaped("output_layer_norm_weights", kColumnA, "units").optional().joined().since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("scratch", kColumnA, "batch,scratch_size"), shaped("output_state_out", kColumnA, "batch,output_size"),
                                   shaped("cell_state_out", kColumnA, "batch,units"), shaped("output", kColumnA, "batch,output_size")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kLstm = unimplemented<kSignature>(ANEURALNETWORKS_LSTM, "LSTM");

}  // namespace avocet::runtime
