// SPDX-License-Identifier: Apache-2.0
// LSTM: one time step, with optional coupling of input and forget gate, peepholes, projection and layer normalisation.
#include <algorithm>
#include <limits>

#include "lstm_cell.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
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

constexpr LstmPlaces kPlaces{.first = 1, .output_state = 18, .cell_state = 19, .norm = 23};
constexpr size_t kActivation = 20;
constexpr size_t kScratch = 0, kOutputStateOut = 1, kCellStateOut = 2, kOutputPlace = 3;

Status infer(OperationContext& context) {
  LstmShape shape;
  const Dimensions& input = context.input(0).dims;
  AVOCET_RETURN_IF_FAILED(check_lstm(context, kPlaces, input, {.batch = input[0]}, &shape));
  if (shape.units > std::numeric_limits<uint32_t>::max() / kLstmGates) return op_failed(shape.units, " units are too many");
  context.output(kScratch).dims = {input[0], shape.units * static_cast<uint32_t>(shape.gates())};
  context.output(kOutputStateOut).dims = context.input(kPlaces.output_state).dims;
  context.output(kCellStateOut).dims = context.input(kPlaces.cell_state).dims;
  context.output(kOutputPlace).dims = context.input(kPlaces.output_state).dims;
  return {};
}

Status execute(OperationContext& context) {
  LstmShape shape;
  AVOCET_RETURN_IF_FAILED(read_lstm_shape(context, kPlaces, &shape));
  // The scratch output means nothing to clients; it is cleared so that it does not show old memory.
  std::fill_n(context.out<float>(kScratch), count_of(context.output(kScratch)), 0.0f);
  run_lstm(context, kPlaces, shape, static_cast<const PreparedLstm*>(context.prepared),
           {.input = context.in<float>(0),
            .sequence = {.batch = context.input(0).dims[0]},
            .activation = kActivation,
            .output = context.out<float>(kOutputPlace),
            .output_stride = shape.output_size,
            .output_state = context.out<float>(kOutputStateOut),
            .cell_state = context.out<float>(kCellStateOut)});
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) { return prepare_lstm(context, kPlaces); }

}  // namespace

constinit const Operation kLstm =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_LSTM, "LSTM");

}  // namespace avocet::runtime
