// SPDX-License-Identifier: Apache-2.0
// What recurrent layers over sequences share: where the rows of a time step lie, how a bidirectional layer links its inputs and
// where its outputs stand.
#pragma once

#include "failure.hpp"
#include "operation.hpp"

namespace avocet::runtime {

/// A tensor [time, batch, size] or [batch, time, size] as rows of `size` elements.
struct Sequence {
  size_t time = 1;
  size_t batch = 1;
  bool time_major = true;

  size_t row(size_t step, size_t b) const { return time_major ? step * batch + b : b * time + step; }
};

/// The sequence in a tensor of rank 3.
Sequence sequence_of(const Dimensions& dims, bool time_major);

/// Shape of a sequence with rows of `size` elements.
Dimensions sequence_dims(const Sequence& sequence, uint32_t size);

/// How a bidirectional layer uses its auxiliary input: not at all; as the input of the backward cell; or as a second input of
/// both cells with weights of its own.
enum class Linking : uint8_t { kNone, kParallel, kCross };

/// The linking that the presence of auxiliary input and weights asks for. Checks that the auxiliary input has the time steps
/// and batches of input 0.
Status find_linking(const OperationContext& context, size_t auxiliary_input, bool forward_weights, bool backward_weights,
                    Linking* linking);

/// The outputs of a bidirectional layer: [forward or merged], [backward], [states of both], by their number.
struct BidirectionalOutputs {
  bool merged = false;
  bool has_backward = false;  // there is an output 1 for the backward cell; when merged nothing is computed for it
  bool has_states = false;
  size_t first_state() const { return has_backward ? 2 : 1; }
};
BidirectionalOutputs bidirectional_outputs(const OperationContext& context, bool merged);

/// Writes the shapes of outputs 0 and 1. Fails when separate outputs are asked for and the second is not there.
Status infer_bidirectional(OperationContext& context, const BidirectionalOutputs& outputs, const Sequence& sequence,
                           uint32_t forward_size, uint32_t backward_size);

}  // namespace avocet::runtime
