// SPDX-License-Identifier: Apache-2.0
// The basic recurrent cell: see rnn_cell.hpp.
#include "rnn_cell.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "shape.hpp"

namespace avocet::runtime {
namespace {

bool has_auxiliary_weights(const OperationContext& context, const RnnPlaces& places) {
  return places.auxiliary_weights && context.has_input(places.auxiliary_weights);
}

RowSizes row_sizes(const OperationContext& context, const RnnPlaces& places) {
  const Dimensions& weights = context.input(places.weights).dims;
  return {.input = weights[1],
          .auxiliary = has_auxiliary_weights(context, places) ? context.input(places.auxiliary_weights).dims[1] : size_t{0},
          .hidden = weights[0]};
}

PackedFloatWeights pack(const OperationContext& context, const RnnPlaces& places) {
  const GateWeights gate{.input = context.in<float>(places.weights),
                         .auxiliary = has_auxiliary_weights(context, places) ? context.in<float>(places.auxiliary_weights) : nullptr,
                         .recurrent = context.in<float>(places.recurrent_weights)};
  return pack_gates({&gate, 1}, context.input(places.weights).dims[0], row_sizes(context, places));
}

}  // namespace

Status check_rnn(const OperationContext& context, const RnnPlaces& places, const Dimensions& input, const Sequence& sequence) {
  const Dimensions &weights = context.input(places.weights).dims, &state = context.input(places.state).dims;
  if (input.back() != weights[1]) {
    return op_failed("rows of the input ", dims_text(input), " do not fit the weights (input ", places.weights, ") of shape ",
                     dims_text(weights));
  }
  if (sequence.batch != state[0]) {
    return op_failed("the hidden state (input ", places.state, ") has ", state[0], " batches, the input has ", sequence.batch);
  }
  return {};
}

void run_rnn(const OperationContext& context, const RnnPlaces& places, const PreparedRnn* prepared, const RnnRun& run) {
  std::optional<PackedFloatWeights> packed_now;
  const PackedFloatWeights& weights = prepared ? prepared->weights : packed_now.emplace(pack(context, places));
  const RowSizes sizes = row_sizes(context, places);
  const size_t batch = run.sequence.batch, units = sizes.hidden, depth = sizes.depth();
  const Range<float> range = float_activation_range(run.activation);
  std::vector<float> rows(batch * depth);
  std::vector<float> state(context.in<float>(places.state), context.in<float>(places.state) + batch * units);
  for (size_t step = 0; step < run.sequence.time; ++step) {
    const size_t time = run.reversed ? run.sequence.time - 1 - step : step;
    for (size_t b = 0; b < batch; ++b) {
      const size_t from = run.sequence.row(time, b);
      float* to = std::copy_n(run.input + from * sizes.input, sizes.input, rows.data() + b * depth);
      if (sizes.auxiliary) to = std::copy_n(run.auxiliary + from * sizes.auxiliary, sizes.auxiliary, to);
      std::copy_n(state.data() + b * units, units, to);
    }
    recurrent_product(context, rows.data(), batch, weights, context.in<float>(places.bias), range, state.data());
    for (size_t b = 0; b < batch; ++b) {
      std::copy_n(state.data() + b * units, units, run.output + run.sequence.row(time, b) * run.output_stride);
    }
  }
  if (run.state) std::copy(state.begin(), state.end(), run.state);
}

std::unique_ptr<PreparedRnn> prepare_rnn(const OperationContext& context, const RnnPlaces& places) {
  const Dimensions& weights = context.input(places.weights).dims;
  if (weights.size() != 2 || !is_constant_of_shape(context, places.weights, weights)) return nullptr;
  if (!is_constant_of_shape(context, places.recurrent_weights, {weights[0], weights[0]})) return nullptr;
  if (has_auxiliary_weights(context, places)) {
    const Dimensions& auxiliary = context.input(places.auxiliary_weights).dims;
    if (auxiliary.size() != 2 || !is_constant_of_shape(context, places.auxiliary_weights, {weights[0], auxiliary[1]})) {
      return nullptr;
    }
  }
  return std::make_unique<PreparedRnn>(pack(context, places));
}

}  // namespace avocet::runtime
