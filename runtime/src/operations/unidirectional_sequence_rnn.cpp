// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_RNN: a basic recurrent layer over a sequence.
#include "rnn_cell.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA, 3, 3),
                                  shaped("weights", kColumnA, "units,input_size"),
                                  shaped("recurrent_weights", kColumnA, "units,units"),
                                  shaped("bias", kColumnA, "units"),
                                  shaped("hidden_state_in", kColumnA, "batch,units"),
                                  activation(),
                                  int32("time_major").values(0b11)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 3, 3),
                                   shaped("hidden_state_out", kColumnA, "batch,units").optional().since(30)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

constexpr RnnPlaces kPlaces{.weights = 1, .recurrent_weights = 2, .bias = 3, .state = 4};
constexpr size_t kActivation = 5, kTimeMajor = 6;

Sequence sequence_in(const OperationContext& context) {
  return sequence_of(context.input(0).dims, context.scalar<int32_t>(kTimeMajor, 0) != 0);
}

Status infer(OperationContext& context) {
  const Sequence sequence = sequence_in(context);
  AVOCET_RETURN_IF_FAILED(check_rnn(context, kPlaces, context.input(0).dims, sequence));
  context.output(0).dims = sequence_dims(sequence, context.input(kPlaces.weights).dims[0]);
  if (context.outputs.size() > 1) context.output(1).dims = context.input(kPlaces.state).dims;
  return {};
}

Status execute(OperationContext& context) {
  run_rnn(context, kPlaces, static_cast<const PreparedRnn*>(context.prepared),
          {.input = context.in<float>(0),
           .sequence = sequence_in(context),
           .activation = context.scalar<int32_t>(kActivation, ANEURALNETWORKS_FUSED_NONE),
           .output = context.out<float>(0),
           .output_stride = context.input(kPlaces.weights).dims[0],
           .state = context.outputs.size() > 1 ? context.out<float>(1) : nullptr});
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) { return prepare_rnn(context, kPlaces); }

}  // namespace

constinit const Operation kUnidirectionalSequenceRnn = operation<kSignature, infer, execute, Halves::kWidened, prepare>(
    ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN, "UNIDIRECTIONAL_SEQUENCE_RNN");

}  // namespace avocet::runtime
