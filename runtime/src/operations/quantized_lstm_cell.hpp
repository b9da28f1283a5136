// SPDX-License-Identifier: Apache-2.0
// The integer LSTM cell, bit for bit as TensorFlow Lite's 8x8_16 reference and NNAPI's CPU path: int8 weights and states, gates
// in Q3.12 before and Q0.15 after their activation, an int16 cell state with a power of two as scale.
//
// Where the two differ, or the API's text decides: the variance guard is NNAPI's; without layer normalisation gates are brought to
// Q3.12 and biases added, as in TensorFlow Lite (NNAPI's CPU path drops them); the projection clip is in units of the output.
#pragma once

#include "lstm_rules.hpp"

namespace avocet::runtime {

/// Places of the scalar inputs.
struct QuantisedLstmScalars {
  size_t cell_clip, projection_clip;
  size_t intermediate_scale;  // of four, in the order of the gates
  size_t hidden_zero_point, hidden_scale;
};

/// Scales that the arithmetic cannot work with: OP_FAILED.
Status check_quantised_lstm(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape,
                            const QuantisedLstmScalars& scalars);

/// One time step: `output` [batch, output_size], `cell_state` [batch, units].
void run_quantised_lstm(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape,
                        const QuantisedLstmScalars& scalars, int8_t* output, int16_t* cell_state);

}  // namespace avocet::runtime
