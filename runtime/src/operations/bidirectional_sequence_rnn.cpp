// SPDX-License-Identifier: Apache-2.0
// BIDIRECTIONAL_SEQUENCE_RNN: a basic recurrent layer over a sequence in both directions, with an optional auxiliary input.
#include "rnn_cell.hpp"
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

constexpr RnnPlaces kForward{.weights = 1, .recurrent_weights = 2, .bias = 3, .state = 4, .auxiliary_weights = 10};
constexpr RnnPlaces kBackward{.weights = 5, .recurrent_weights = 6, .bias = 7, .state = 8, .auxiliary_weights = 11};
constexpr size_t kAuxiliary = 9, kActivation = 12, kTimeMajor = 13, kMergeOutputs = 14;

Sequence sequence_in(const OperationContext& context) {
  return sequence_of(context.input(0).dims, context.scalar<uint8_t>(kTimeMajor, 0) != 0);
}

BidirectionalOutputs outputs_of(const OperationContext& context) {
  return bidirectional_outputs(context, context.scalar<uint8_t>(kMergeOutputs, 0) != 0);
}

Status linking_of(const OperationContext& context, Linking* linking) {
  return find_linking(context, kAuxiliary, context.has_input(kForward.auxiliary_weights),
                      context.has_input(kBackward.auxiliary_weights), linking);
}

Status infer(OperationContext& context) {
  const BidirectionalOutputs outputs = outputs_of(context);
  if (outputs.merged && outputs.has_backward) return op_failed("merge_outputs is true, but there is an output for the backward cell");
  Linking linking{};
  AVOCET_RETURN_IF_FAILED(linking_of(context, &linking));
  const Sequence sequence = sequence_in(context);
  const Dimensions& input = context.input(0).dims;
  AVOCET_RETURN_IF_FAILED(check_rnn(context, kForward, input, sequence));
  AVOCET_RETURN_IF_FAILED(
      check_rnn(context, kBackward, linking == Linking::kParallel ? context.input(kAuxiliary).dims : input, sequence));
  if (linking == Linking::kCross) {
    const uint32_t wanted = context.input(kForward.auxiliary_weights).dims[1], is = context.input(kAuxiliary).dims[2];
    if (is != wanted) return op_failed("rows of the auxiliary input have ", is, " elements, its weights need ", wanted);
  }
  AVOCET_RETURN_IF_FAILED(infer_bidirectional(context, outputs, sequence, context.input(kForward.weights).dims[0],
                                              context.input(kBackward.weights).dims[0]));
  if (outputs.has_states) {
    context.output(outputs.first_state()).dims = context.input(kForward.state).dims;
    context.output(outputs.first_state() + 1).dims = context.input(kBackward.state).dims;
  }
  return {};
}

struct Prepared : PreparedState {
  std::unique_ptr<PreparedRnn> forward, backward;
};

Status execute(OperationContext& context) {
  Linking linking{};
  AVOCET_RETURN_IF_FAILED(linking_of(context, &linking));
  const BidirectionalOutputs outputs = outputs_of(context);
  const auto* prepared = static_cast<const Prepared*>(context.prepared);
  const size_t forward_units = context.input(kForward.weights).dims[0], backward_units = context.input(kBackward.weights).dims[0];
  RnnRun run{.input = context.in<float>(0),
             .auxiliary = linking == Linking::kCross ? context.in<float>(kAuxiliary) : nullptr,
             .sequence = sequence_in(context),
             .activation = context.scalar<int32_t>(kActivation, ANEURALNETWORKS_FUSED_NONE),
             .output = context.out<float>(0),
             .output_stride = outputs.merged ? forward_units + backward_units : forward_units,
             .state = outputs.has_states ? context.out<float>(outputs.first_state()) : nullptr};
  run_rnn(context, kForward, prepared ? prepared->forward.get() : nullptr, run);
  if (linking == Linking::kParallel) run.input = context.in<float>(kAuxiliary);
  run.reversed = true;
  run.output = outputs.merged ? context.out<float>(0) + forward_units : context.out<float>(1);
  if (!outputs.merged) run.output_stride = backward_units;
  if (outputs.has_states) run.state = context.out<float>(outputs.first_state() + 1);
  run_rnn(context, kBackward, prepared ? prepared->backward.get() : nullptr, run);
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  auto prepared = std::make_unique<Prepared>();
  prepared->forward = prepare_rnn(context, kForward);
  prepared->backward = prepare_rnn(context, kBackward);
  if (!prepared->forward && !prepared->backward) return nullptr;
  return prepared;
}

}  // namespace

constinit const Operation kBidirectionalSequenceRnn = operation<kSignature, infer, execute, Halves::kWidened, prepare>(
    ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN, "BIDIRECTIONAL_SEQUENCE_RNN");

}  // namespace avocet::runtime
