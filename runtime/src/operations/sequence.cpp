// SPDX-License-Identifier: Apache-2.0
// Sequences of recurrent layers: see sequence.hpp.
#include "sequence.hpp"

#include <algorithm>
#include <limits>

#include "shape.hpp"

namespace avocet::runtime {

Sequence sequence_of(const Dimensions& dims, bool time_major) {
  return {.time = dims[time_major ? 0 : 1], .batch = dims[time_major ? 1 : 0], .time_major = time_major};
}

Dimensions sequence_dims(const Sequence& sequence, uint32_t size) {
  const auto time = static_cast<uint32_t>(sequence.time), batch = static_cast<uint32_t>(sequence.batch);
  return sequence.time_major ? Dimensions{time, batch, size} : Dimensions{batch, time, size};
}

Status find_linking(const OperationContext& context, size_t auxiliary_input, bool forward_weights, bool backward_weights,
                    Linking* linking) {
  if (forward_weights != backward_weights) {
    return op_failed("auxiliary weights are given for the ", forward_weights ? "forward" : "backward", " cell alone");
  }
  if (!context.has_input(auxiliary_input)) {
    if (forward_weights) return op_failed("auxiliary weights are given without the auxiliary input ", auxiliary_input);
    *linking = Linking::kNone;
    return {};
  }
  const Dimensions &input = context.input(0).dims, &auxiliary = context.input(auxiliary_input).dims;
  if (input[0] != auxiliary[0] || input[1] != auxiliary[1]) {
    return op_failed("input and auxiliary input have the shapes ", dims_text(input), " and ", dims_text(auxiliary),
                     ", which differ in time steps or batches");
  }
  *linking = forward_weights ? Linking::kCross : Linking::kParallel;
  return {};
}

BidirectionalOutputs bidirectional_outputs(const OperationContext& context, bool merged) {
  const size_t count = context.outputs.size();
  return {.merged = merged, .has_backward = count % 2 == 0, .has_states = count > 2};
}

Status infer_bidirectional(OperationContext& context, const BidirectionalOutputs& outputs, const Sequence& sequence,
                           uint32_t forward_size, uint32_t backward_size) {
  if (!outputs.merged && !outputs.has_backward) {
    return op_failed("merge_outputs is false, but there is no output for the backward cell");
  }
  if (outputs.merged && forward_size > std::numeric_limits<uint32_t>::max() - backward_size) {
    return op_failed("merged outputs of ", forward_size, " and ", backward_size, " elements are too large");
  }
  context.output(0).dims = sequence_dims(sequence, outputs.merged ? forward_size + backward_size : forward_size);
  if (!outputs.has_backward) return {};
  Dimensions& backward = context.output(1).dims;
  // An output that nothing is computed for keeps the shape the client gave it.
  const bool is_declared = !backward.empty() && std::find(backward.begin(), backward.end(), 0u) == backward.end();
  if (!outputs.merged || !is_declared) backward = sequence_dims(sequence, backward_size);
  return {};
}

}  // namespace avocet::runtime
