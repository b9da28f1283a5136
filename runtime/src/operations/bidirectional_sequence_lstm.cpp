// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_LSTM: an LSTM cell over a sequence in both directions, with an optional auxiliary input.
#include <algorithm>

#include "lstm_cell.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
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

constexpr LstmPlaces kForward{.first = 1, .output_state = 35, .cell_state = 36, .norm = 53, .auxiliary = 40};
constexpr LstmPlaces kBackward{.first = 18, .output_state = 37, .cell_state = 38, .norm = 57, .auxiliary = 44};
constexpr size_t kAuxiliary = 39, kActivation = 48, kMergeOutputs = 51, kTimeMajor = 52;

/// Everything that infer() and execute() want to know of the call.
struct Layer {
  Sequence sequence;
  BidirectionalOutputs outputs;
  Linking linking{};
  LstmShape forward, backward;
};

Status read_layer(const OperationContext& context, Layer* layer) {
  const Dimensions& input = context.input(0).dims;
  layer->sequence = sequence_of(input, context.scalar<uint8_t>(kTimeMajor, 0) != 0);
  layer->outputs = bidirectional_outputs(context, context.scalar<uint8_t>(kMergeOutputs, 0) != 0);
  AVOCET_RETURN_IF_FAILED(find_linking(context, kAuxiliary, context.has_input(kForward.auxiliary + kForgetGate),
                                       context.has_input(kBackward.auxiliary + kForgetGate), &layer->linking));
  AVOCET_RETURN_IF_FAILED(check_lstm(context, kForward, input, layer->sequence, &layer->forward));
  const Dimensions& backward_input = layer->linking == Linking::kParallel ? context.input(kAuxiliary).dims : input;
  AVOCET_RETURN_IF_FAILED(check_lstm(context, kBackward, backward_input, layer->sequence, &layer->backward));
  if (layer->linking == Linking::kCross && context.input(kAuxiliary).dims[2] != layer->forward.auxiliary_size) {
    return op_failed("rows of the auxiliary input have ", context.input(kAuxiliary).dims[2], " elements, its weights need ",
                     layer->forward.auxiliary_size);
  }
  return {};
}

Status infer(OperationContext& context) {
  Layer layer;
  AVOCET_RETURN_IF_FAILED(read_layer(context, &layer));
  AVOCET_RETURN_IF_FAILED(infer_bidirectional(context, layer.outputs, layer.sequence, layer.forward.output_size,
                                              layer.backward.output_size));
  if (layer.outputs.has_states) {
    size_t place = layer.outputs.first_state();
    for (size_t input : {kForward.output_state, kForward.cell_state, kBackward.output_state, kBackward.cell_state}) {
      context.output(place++).dims = context.input(input).dims;
    }
  }
  return {};
}

struct Prepared : PreparedState {
  std::unique_ptr<PreparedLstm> forward, backward;
};

Status execute(OperationContext& context) {
  Layer layer;
  AVOCET_RETURN_IF_FAILED(read_layer(context, &layer));
  const BidirectionalOutputs& outputs = layer.outputs;
  const auto* prepared = static_cast<const Prepared*>(context.prepared);
  const size_t forward_size = layer.forward.output_size, backward_size = layer.backward.output_size;
  const auto state_out = [&](size_t i) { return outputs.has_states ? context.out<float>(outputs.first_state() + i) : nullptr; };
  LstmRun run{.input = context.in<float>(0),
              .auxiliary = layer.linking == Linking::kCross ? context.in<float>(kAuxiliary) : nullptr,
              .sequence = layer.sequence,
              .activation = kActivation,
              .output = context.out<float>(0),
              .output_stride = outputs.merged ? forward_size + backward_size : forward_size,
              .output_state = state_out(0),
              .cell_state = state_out(1)};
  run_lstm(context, kForward, layer.forward, prepared ? prepared->forward.get() : nullptr, run);
  if (layer.linking == Linking::kParallel) run.input = context.in<float>(kAuxiliary);
  run.reversed = true;
  run.output = outputs.merged ? context.out<float>(0) + forward_size : context.out<float>(1);
  if (!outputs.merged) run.output_stride = backward_size;
  run.output_state = state_out(2);
  run.cell_state = state_out(3);
  run_lstm(context, kBackward, layer.backward, prepared ? prepared->backward.get() : nullptr, run);
  if (outputs.merged && outputs.has_backward) {  // unused, as the API says; cleared so that it does not show old memory
    std::fill_n(context.out<float>(1), count_of(context.output(1)), 0.0f);
  }
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  auto prepared = std::make_unique<Prepared>();
  prepared->forward = prepare_lstm(context, kForward);
  prepared->backward = prepare_lstm(context, kBackward);
  if (!prepared->forward && !prepared->backward) return nullptr;
  return prepared;
}

}  // namespace

constinit const Operation kBidirectionalSequenceLstm = operation<kSignature, infer, execute, Halves::kWidened, prepare>(
    ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_LSTM, "BIDIRECTIONAL_SEQUENCE_LSTM");

}  // namespace avocet::runtime
