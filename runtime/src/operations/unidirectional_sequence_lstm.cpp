// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM: an LSTM cell over a sequence.
#include "lstm_cell.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 3, 3),
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
                                  boolean("time_major"),
                                  shaped("input_layer_norm_weights", kColumnA, "units").omittable(),
                                  shaped("forget_layer_norm_weights", kColumnA, "units").omittable(),
                                  shaped("cell_layer_norm_weights", kColumnA, "units").omittable(),
                                  shaped("output_layer_norm_weights", kColumnA, "units").omittable()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 3, 3),
                                   shaped("output_state_out", kColumnA, "batch,output_size").optional().since(30),
                                   shaped("cell_state_out", kColumnA, "batch,units").optional().joined().since(30)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

constexpr LstmPlaces kPlaces{.first = 1, .output_state = 18, .cell_state = 19, .norm = 24};
constexpr size_t kActivation = 20, kTimeMajor = 23;

Sequence sequence_in(const OperationContext& context) {
  return sequence_of(context.input(0).dims, context.scalar<uint8_t>(kTimeMajor, 0) != 0);
}

Status infer(OperationContext& context) {
  LstmShape shape;
  const Sequence sequence = sequence_in(context);
  AVOCET_RETURN_IF_FAILED(check_lstm(context, kPlaces, context.input(0).dims, sequence, &shape));
  context.output(0).dims = sequence_dims(sequence, shape.output_size);
  if (context.outputs.size() > 1) {
    context.output(1).dims = context.input(kPlaces.output_state).dims;
    context.output(2).dims = context.input(kPlaces.cell_state).dims;
  }
  return {};
}

Status execute(OperationContext& context) {
  LstmShape shape;
  AVOCET_RETURN_IF_FAILED(read_lstm_shape(context, kPlaces, &shape));
  const bool has_states = context.outputs.size() > 1;
  run_lstm(context, kPlaces, shape, static_cast<const PreparedLstm*>(context.prepared),
           {.input = context.in<float>(0),
            .sequence = sequence_in(context),
            .activation = kActivation,
            .output = context.out<float>(0),
            .output_stride = shape.output_size,
            .output_state = has_states ? context.out<float>(1) : nullptr,
            .cell_state = has_states ? context.out<float>(2) : nullptr});
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) { return prepare_lstm(context, kPlaces); }

}  // namespace

constinit const Operation kUnidirectionalSequenceLstm = operation<kSignature, infer, execute, Halves::kWidened, prepare>(
    ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_LSTM, "UNIDIRECTIONAL_SEQUENCE_LSTM");

}  // namespace avocet::runtime
