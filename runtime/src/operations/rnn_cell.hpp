// SPDX-License-Identifier: Apache-2.0
// The basic recurrent cell in float32, for RNN and its sequence forms: state = activation(input * weights + auxiliary input *
// auxiliary weights + state * recurrent weights + bias).
#pragma once

#include "recurrent_product.hpp"
#include "sequence.hpp"

namespace avocet::runtime {

/// Where the inputs of a cell stand in the operation's list.
struct RnnPlaces {
  size_t weights, recurrent_weights, bias, state;
  size_t auxiliary_weights = 0;  // 0: the operation has none
};

/// Checks the input tensor against weights and state; shapes of the other inputs are the row's business.
Status check_rnn(const OperationContext& context, const RnnPlaces& places, const Dimensions& input, const Sequence& sequence);

/// One cell over one sequence.
struct RnnRun {
  const float* input;                // rows of the sequence
  const float* auxiliary = nullptr;  // rows of the sequence, or null
  Sequence sequence;
  bool reversed = false;  // from the last time step to the first
  int32_t activation = 0;
  float* output;          // rows of the sequence, `output_stride` elements apart
  size_t output_stride;
  float* state = nullptr;  // [batch, units] after the last step, or null
};

/// The packed weights of a cell.
struct PreparedRnn : PreparedState {
  explicit PreparedRnn(PackedFloatWeights packed) : weights(std::move(packed)) {}
  PackedFloatWeights weights;
};

/// Packs the weights when all of them are constants of matching shapes, else null.
std::unique_ptr<PreparedRnn> prepare_rnn(const OperationContext& context, const RnnPlaces& places);

/// `prepared` may be null.
void run_rnn(const OperationContext& context, const RnnPlaces& places, const PreparedRnn* prepared, const RnnRun& run);

}  // namespace avocet::runtime
