// SPDX-License-Identifier: Apache-2.0
// QUANTIZED_LSTM: one time step on int8 with a 16 bit cell state, given intermediate scales.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule input_weights(const char* name) { return shaped(name, kQuant8Symm, "units,input_size"); }
constexpr OperandRule recurrent_weights(const char* name) { return shaped(name, kQuant8Symm, "units,output_size"); }
constexpr OperandRule per_unit(const char* name, Type type) { return shaped(name, type, "units"); }

constexpr OperandRule kInput[] = {shaped("input", kQuant8Signed, "batch,input_size"),
                                  input_weights("input_to_input_weights").omittable(),
                                  input_weights("input_to_forget_weights"),
                                  input_weights("input_to_cell_weights"),
                                  input_weights("input_to_output_weights"),
                                  recurrent_weights("recurrent_to_input_weights").omittable(),
                                  recurrent_weights("recurrent_to_forget_weights"),
                                  recurrent_weights("recurrent_to_cell_weights"),
                                  recurrent_weights("recurrent_to_output_weights"),
                                  per_unit("cell_to_input_weights", kQuant16Symm).omittable(),
                                  per_unit("cell_to_forget_weights", kQuant16Symm).omittable(),
                                  per_unit("cell_to_output_weights", kQuant16Symm).omittable(),
                                  per_unit("input_gate_bias", kTensorInt32).omittable(),
                                  per_unit("forget_gate_bias", kTensorInt32),
                                  per_unit("cell_bias", kTensorInt32),
                                  per_unit("output_gate_bias", kTensorInt32),
                                  shaped("projection_weights", kQuant8Symm, "output_size,units").omittable(),
                                  shaped("projection_bias", kTensorInt32, "output_size").omittable(),
                                  shaped("output_state_in", kQuant8Signed, "batch,output_size"),
                                  shaped("cell_state_in", kQuant16Symm, "batch,units"),
                                  per_unit("input_layer_norm_weights", kQuant16Symm).omittable(),
                                  per_unit("forget_layer_norm_weights", kQuant16Symm).omittable(),
                                  per_unit("cell_layer_norm_weights", kQuant16Symm).omittable(),
                                  per_unit("output_layer_norm_weights", kQuant16Symm).omittable(),
                                  float32("cell_clip").omittable(),
                                  float32("projection_clip").omittable(),
                                  float32("input_intermediate_scale"),
                                  float32("forget_intermediate_scale"),
                                  float32("cell_intermediate_scale"),
                                  float32("output_intermediate_scale"),
                                  int32("hidden_state_zero_point"),
                                  float32("hidden_state_scale")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output_state_out", kQuant8Signed, "batch,output_size"),
                                   shaped("cell_state_out", kQuant16Symm, "batch,units"),
                                   shaped("output", kQuant8Signed, "batch,output_size")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 30, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kQuantizedLstm = unimplemented<kSignature>(ANEURALNETWORKS_QUANTIZED_LSTM, "QUANTIZED_LSTM");

}  // namespace avocet::runtime
