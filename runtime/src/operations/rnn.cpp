// SPDX-License-Identifier: Apache-2.0
// RNN: one time step of a basic recurrent layer.
#include "rnn_cell.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("input", kColumnA, "batch,input_size"), shaped("weights", kColumnA, "units,input_size"),
                                  shaped("recurrent_weights", kColumnA, "units,units"), shaped("bias", kColumnA, "units"),
                                  shaped("hidden_state_in", kColumnA, "batch,units"), activation().omittable()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("hidden_state_out", kColumnA, "batch,units"), shaped("output", kColumnA, "batch,units")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

constexpr RnnPlaces kPlaces{.weights = 1, .recurrent_weights = 2, .bias = 3, .state = 4};
constexpr size_t kActivation = 5;
constexpr size_t kStateOut = 0, kOutputPlace = 1;

Status infer(OperationContext& context) {
  context.output(kStateOut).dims = context.input(kPlaces.state).dims;
  context.output(kOutputPlace).dims = context.input(kPlaces.state).dims;
  return {};
}

Status execute(OperationContext& context) {
  const Dimensions& state = context.input(kPlaces.state).dims;
  run_rnn(context, kPlaces, static_cast<const PreparedRnn*>(context.prepared),
          {.input = context.in<float>(0),
           .sequence = {.batch = state[0]},
           .activation = context.scalar<int32_t>(kActivation, ANEURALNETWORKS_FUSED_NONE),
           .output = context.out<float>(kOutputPlace),
           .output_stride = state[1],
           .state = context.out<float>(kStateOut)});
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) { return prepare_rnn(context, kPlaces); }

}  // namespace

constinit const Operation kRnn =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_RNN, "RNN");

}  // namespace avocet::runtime
