// SPDX-License-Identifier: Apache-2.0
// The rules between optional inputs of an LSTM cell: see lstm_rules.hpp.
#include "lstm_rules.hpp"

namespace avocet::runtime {
namespace {

/// Inputs that are there together or not at all.
Status all_or_none(const OperationContext& context, std::initializer_list<size_t> places, const char* what, bool* present) {
  *present = context.has_input(*places.begin());
  for (size_t place : places) {
    if (context.has_input(place) != *present) {
      return op_failed(what, ": input ", *places.begin(), *present ? " has a value" : " has no value", " and input ", place,
                       *present ? " has none" : " has one");
    }
  }
  return {};
}

/// Three inputs together, and the one of the input gate with them unless the gates are coupled.
Status of_each_gate(const OperationContext& context, bool coupled, size_t input_gate, size_t second, size_t third, size_t fourth,
                    const char* what, bool* present) {
  AVOCET_RETURN_IF_FAILED(all_or_none(context, {second, third, fourth}, what, present));
  if (context.has_input(input_gate) == (*present && !coupled)) return {};
  if (coupled) return op_failed(what, ": input ", input_gate, " has a value, but the cell has no input gate");
  return op_failed(what, ": input ", input_gate,
                   *present ? " has no value, the other ones have" : " has a value, the other ones have none");
}

}  // namespace

Status read_lstm_shape(const OperationContext& context, const LstmPlaces& places, LstmShape* shape) {
  const Dimensions& input_weights = context.input(places.input_weights(kOutputGate)).dims;
  shape->units = input_weights[0];
  shape->input_size = input_weights[1];
  shape->output_size = context.input(places.recurrent_weights(kOutputGate)).dims[1];

  bool has_input_gate = false;
  AVOCET_RETURN_IF_FAILED(all_or_none(
      context, {places.input_weights(kInputGate), places.recurrent_weights(kInputGate), places.bias(kInputGate)},
      "weights and bias of the input gate", &has_input_gate));
  shape->coupled = !has_input_gate;
  AVOCET_RETURN_IF_FAILED(of_each_gate(context, shape->coupled, places.peephole(kInputGate), places.peephole(kForgetGate),
                                       places.peephole(kOutputGate), places.peephole(kOutputGate), "peephole weights",
                                       &shape->peephole));
  AVOCET_RETURN_IF_FAILED(of_each_gate(context, shape->coupled, places.norm + kInputGate, places.norm + kForgetGate,
                                       places.norm + kCellGate, places.norm + kOutputGate, "layer normalisation weights",
                                       &shape->normalised));
  if (places.auxiliary) {
    bool has_auxiliary = false;
    AVOCET_RETURN_IF_FAILED(of_each_gate(context, shape->coupled, places.auxiliary + kInputGate, places.auxiliary + kForgetGate,
                                         places.auxiliary + kCellGate, places.auxiliary + kOutputGate, "auxiliary weights",
                                         &has_auxiliary));
    shape->auxiliary_size = has_auxiliary ? context.input(places.auxiliary + kOutputGate).dims[1] : 0;
  }
  shape->projected = context.has_input(places.projection());
  if (!shape->projected && context.has_input(places.projection_bias())) {
    return op_failed("projection: input ", places.projection_bias(), " (the bias) has a value without weights");
  }
  if (!shape->projected && shape->units != shape->output_size) {
    return op_failed("without projection the output size must be the number of units; they are ", shape->output_size, " and ",
                     shape->units);
  }
  return {};
}

}  // namespace avocet::runtime
