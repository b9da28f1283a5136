// SPDX-License-Identifier: Apache-2.0
// QUANTIZED_16BIT_LSTM: one time step on uint8 with a 16 bit cell state, all scales fixed.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule input_weights(const char* name) { return shaped(name, kQuant8, "output_size,input_size"); }
constexpr OperandRule recurrent_weights(const char* name) { return shaped(name, kQuant8, "output_size,output_size"); }
constexpr OperandRule bias(const char* name) { return shaped(name, kTensorInt32, "output_size"); }
constexpr float kStateScale = 16.0f / 32768;  // the cell state covers [-16, 16)

constexpr OperandRule kInput[] = {shaped("input", kQuant8, "batch,input_size").quantised_as(1.0f / 128, 128, 0),
                                  input_weights("input_to_input_weights"),
                                  input_weights("input_to_forget_weights"),
                                  input_weights("input_to_cell_weights"),
                                  input_weights("input_to_output_weights"),
                                  recurrent_weights("recurrent_to_input_weights"),
                                  recurrent_weights("recurrent_to_forget_weights"),
                                  recurrent_weights("recurrent_to_cell_weights"),
                                  recurrent_weights("recurrent_to_output_weights"),
                                  bias("input_gate_bias"),
                                  bias("forget_gate_bias"),
                                  bias("cell_bias"),
                                  bias("output_gate_bias"),
                                  shaped("cell_state_in", kQuant16Symm, "batch,output_size").quantised_as(kStateScale, 0, 0),
                                  shaped("output_in", kQuant8, "batch,output_size").quantised_as(1.0f / 128, 128, 0)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("cell_state_out", kQuant16Symm, "batch,output_size").quantised_as(kStateScale, 0, 0),
                                   shaped("output", kQuant8, "batch,output_size").quantised_as(1.0f / 128, 128, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kQuantized16bitLstm =
    unimplemented<kSignature>(ANEURALNETWORKS_QUANTIZED_16BIT_LSTM, "QUANTIZED_16BIT_LSTM");

}  // namespace avocet::runtime
