// SPDX-License-Identifier: Apache-2.0
// QUANTIZED_LSTM: one time step on int8 with a 16 bit cell state, given intermediate scales. See quantized_lstm_cell.hpp.
#include <algorithm>

#include "quantized_lstm_cell.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
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
                                  float32("cell_clip").range(0).omittable(),
                                  float32("projection_clip").range(0).omittable(),
                                  float32("input_intermediate_scale"),
                                  float32("forget_intermediate_scale"),
                                  float32("cell_intermediate_scale"),
                                  float32("output_intermediate_scale"),
                                  int32("hidden_state_zero_point").range(-128, 127),
                                  float32("hidden_state_scale").range(kPositive)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output_state_out", kQuant8Signed, "batch,output_size"),
                                   shaped("cell_state_out", kQuant16Symm, "batch,units"),
                                   shaped("output", kQuant8Signed, "batch,output_size")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 30, .inputs = kInputs, .outputs = kOutputs};

constexpr LstmPlaces kPlaces{.first = 1, .output_state = 18, .cell_state = 19, .norm = 20};
constexpr QuantisedLstmScalars kScalars{
    .cell_clip = 24, .projection_clip = 25, .intermediate_scale = 26, .hidden_zero_point = 30, .hidden_scale = 31};

Status infer(OperationContext& context) {
  LstmShape shape;
  AVOCET_RETURN_IF_FAILED(read_lstm_shape(context, kPlaces, &shape));
  AVOCET_RETURN_IF_FAILED(check_quantised_lstm(context, kPlaces, shape, kScalars));
  context.output(0).dims = context.input(kPlaces.output_state).dims;
  context.output(1).dims = context.input(kPlaces.cell_state).dims;
  context.output(2).dims = context.input(kPlaces.output_state).dims;
  return {};
}

Status execute(OperationContext& context) {
  LstmShape shape;
  AVOCET_RETURN_IF_FAILED(read_lstm_shape(context, kPlaces, &shape));
  run_quantised_lstm(context, kPlaces, shape, kScalars, context.out<int8_t>(2), context.out<int16_t>(1));
  std::copy_n(context.out<int8_t>(2), count_of(context.output(2)), context.out<int8_t>(0));
  return {};
}

}  // namespace

constinit const Operation kQuantizedLstm =
    operation<kSignature, infer, execute>(ANEURALNETWORKS_QUANTIZED_LSTM, "QUANTIZED_LSTM");

}  // namespace avocet::runtime
