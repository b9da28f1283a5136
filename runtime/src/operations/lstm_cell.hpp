// SPDX-License-Identifier: Apache-2.0
// The LSTM cell in float32, for LSTM and its sequence forms: coupled gates, peepholes, projection, layer normalisation, clipping
// and an auxiliary input, each as the inputs ask for it.
#pragma once

#include <optional>

#include "lstm_rules.hpp"
#include "recurrent_product.hpp"
#include "sequence.hpp"

namespace avocet::runtime {

/// read_lstm_shape(), and the input tensor and states against it; shapes of the other inputs are the row's business.
Status check_lstm(const OperationContext& context, const LstmPlaces& places, const Dimensions& input, const Sequence& sequence,
                  LstmShape* shape);

/// The packed weights of a cell.
struct PreparedLstm : PreparedState {
  explicit PreparedLstm(PackedFloatWeights packed) : gates(std::move(packed)) {}
  PackedFloatWeights gates;
  std::optional<PackedFloatWeights> projection;
};

/// Packs the weights when all of them are constants of matching shapes, else null.
std::unique_ptr<PreparedLstm> prepare_lstm(const OperationContext& context, const LstmPlaces& places);

/// One cell over one sequence.
struct LstmRun {
  const float* input;                // rows of the sequence
  const float* auxiliary = nullptr;  // rows of the sequence, or null
  Sequence sequence;
  bool reversed = false;  // from the last time step to the first
  size_t activation;      // place of the activation; the clips of cell and projection follow
  float* output;          // rows of the sequence, `output_stride` elements apart
  size_t output_stride;
  float* output_state = nullptr;  // [batch, output_size] after the last step, or null
  float* cell_state = nullptr;    // [batch, units] after the last step, or null
};

/// `prepared` may be null.
void run_lstm(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape, const PreparedLstm* prepared,
              const LstmRun& run);

}  // namespace avocet::runtime
