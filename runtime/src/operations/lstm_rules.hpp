// SPDX-License-Identifier: Apache-2.0
// What the LSTM family shares, float and quantised: where the inputs of a cell stand, and the rules between its optional inputs.
#pragma once

#include "failure.hpp"
#include "signature.hpp"

namespace avocet::runtime {

/// None, Relu, Relu6, Tanh, Sigmoid.
constexpr OperandRule lstm_activation() { return int32("activation").values((1u << 0) | (1u << 1) | (1u << 3) | (1u << 4) | (1u << 6)); }

/// The gates of a cell, in the order of its inputs.
enum LstmGate : size_t { kInputGate, kForgetGate, kCellGate, kOutputGate, kLstmGates };

/// Where the inputs of one cell stand in the operation's list. Seventeen weights and biases stand together from `first` on.
struct LstmPlaces {
  size_t first;
  size_t output_state, cell_state;
  size_t norm;           // four layer normalisation weights
  size_t auxiliary = 0;  // four auxiliary input weights; 0: the operation has none

  constexpr size_t input_weights(size_t gate) const { return first + gate; }
  constexpr size_t recurrent_weights(size_t gate) const { return first + 4 + gate; }
  /// Peephole weights; the cell gate has none.
  constexpr size_t peephole(size_t gate) const { return first + 8 + (gate == kOutputGate ? 2 : gate); }
  constexpr size_t bias(size_t gate) const { return first + 11 + gate; }
  constexpr size_t projection() const { return first + 15; }
  constexpr size_t projection_bias() const { return first + 16; }
};

/// What a cell is made of.
struct LstmShape {
  uint32_t units = 0, input_size = 0, output_size = 0;
  uint32_t auxiliary_size = 0;  // 0 without auxiliary weights
  bool coupled = false;         // input and forget gate (CIFG): there is no input gate
  bool peephole = false;
  bool projected = false;
  bool normalised = false;

  size_t first_gate() const { return coupled ? kForgetGate : kInputGate; }
  size_t gates() const { return kLstmGates - first_gate(); }
};

/// Reads the cell from inputs whose symbolic extents agree, and checks the rules between optional inputs: OP_FAILED.
Status read_lstm_shape(const OperationContext& context, const LstmPlaces& places, LstmShape* shape);

}  // namespace avocet::runtime
