// SPDX-License-Identifier: Apache-2.0
// The integer LSTM cell: see quantized_lstm_cell.hpp.
#include "quantized_lstm_cell.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fixed_point_16.hpp"
#include "integer_layer_norm.hpp"

namespace avocet::runtime {
namespace {

using fixed_point_16::saturate;

/// Exponent of a scale that is a power of two (to a part in a thousand of an octave, as scales come rounded).
bool power_of_two(float scale, int* exponent) {
  const float logarithm = std::log(scale) * (1.0f / std::log(2.0f));
  if (!std::isfinite(logarithm)) return false;
  const float rounded = std::round(logarithm);
  *exponent = static_cast<int>(rounded);
  return std::abs(logarithm - rounded) < 1e-3;
}

/// A matrix of int8 weights with what brings its products to the next scale. Sums wrap as the reference's int32 do.
struct Matrix {
  const int8_t* weights = nullptr;
  size_t columns = 0;
  int32_t offset = 0;  // added to the values
  QuantisedMultiplier multiplier;

  int32_t row(size_t index, const int8_t* values, int32_t bias) const {
    const int8_t* row = weights + index * columns;
    uint32_t sum = static_cast<uint32_t>(bias);
    for (size_t i = 0; i < columns; ++i) sum += static_cast<uint32_t>((int32_t{values[i]} + offset) * row[i]);
    return multiply_by_quantised_multiplier(static_cast<int32_t>(sum), multiplier);
  }
};

int16_t saturating_add(int16_t a, int32_t b) {
  return static_cast<int16_t>(std::clamp<int64_t>(int64_t{a} + b, -32768, 32767));
}

/// Product of int16 numbers by 2^-shift; wraps as the reference does, which no cell scale it takes can lead to.
int16_t product(int16_t a, int16_t b, int shift) {
  return static_cast<int16_t>(rounding_shift_right(int32_t{a} * b, shift));
}

class Cell {
 public:
  Cell(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape, const QuantisedLstmScalars& scalars)
      : context_(context), shape_(shape) {
    const OperandView& input = context.input(0);
    const OperandView &output = context.input(places.output_state), &state = context.input(places.cell_state);
    power_of_two(state.scale, &cell_exponent_);
    for (size_t gate = shape.first_gate(); gate < kLstmGates; ++gate) {
      // Without normalisation products go to Q3.12 directly.
      const float scale = shape.normalised ? context.scalar<float>(scalars.intermediate_scale + gate, 1.0f) : 1.0f / 4096;
      const OperandView &input_weights = context.input(places.input_weights(gate)),
                        &recurrent_weights = context.input(places.recurrent_weights(gate));
      Gate& to = gates_[gate];
      to.input = {input_weights.as<int8_t>(), shape.input_size, -input.zero_point,
                  quantise_multiplier(input_weights.scale * input.scale / scale)};
      to.recurrent = {recurrent_weights.as<int8_t>(), shape.output_size, -output.zero_point,
                      quantise_multiplier(recurrent_weights.scale * output.scale / scale)};
      to.bias = context.in<int32_t>(places.bias(gate));
      if (shape.peephole && gate != kCellGate) {
        const OperandView& peephole = context.input(places.peephole(gate));
        to.peephole = peephole.as<int16_t>();
        to.peephole_multiplier =
            quantise_multiplier(static_cast<float>(std::ldexp(1.0, cell_exponent_) * peephole.scale / scale));
      }
      if (shape.normalised) {
        const OperandView& norm = context.input(places.norm + gate);
        to.norm = norm.as<int16_t>();
        to.norm_multiplier = quantise_multiplier(norm.scale);
      }
    }
    hidden_zero_point_ = context.scalar<int32_t>(scalars.hidden_zero_point, 0);
    const float hidden_scale = context.scalar<float>(scalars.hidden_scale, 1.0f);
    to_hidden_ = quantise_multiplier(static_cast<float>(std::ldexp(1.0, -15) / hidden_scale * std::ldexp(1.0, -15)));
    if (shape.projected) {
      const OperandView& weights = context.input(places.projection());
      projection_ = {weights.as<int8_t>(), shape.units, hidden_zero_point_,
                     quantise_multiplier(weights.scale * hidden_scale / output.scale)};
      projection_bias_ = context.in<int32_t>(places.projection_bias());
      projection_clip_ = clip(context.scalar<float>(scalars.projection_clip, 0.0f), output.scale, 127.0f);
    }
    output_zero_point_ = output.zero_point;
    cell_clip_ = clip(context.scalar<float>(scalars.cell_clip, 0.0f), state.scale, 32767.0f);
  }

  void run(const int8_t* input, const int8_t* output_in, const int16_t* state_in, size_t batch, int8_t* output,
           int16_t* state) const {
    const size_t count = batch * shape_.units;
    std::vector<int16_t> input_gate(count), forget_gate(count), modulation(count), output_gate(count);
    const Step step{input, output_in, batch};
    compute(kForgetGate, step, state_in, forget_gate);
    compute(kCellGate, step, state_in, modulation);
    if (!shape_.coupled) compute(kInputGate, step, state_in, input_gate);
    for (size_t i = 0; i < count; ++i) {
      const int16_t from_input = shape_.coupled ? static_cast<int16_t>(32767 - forget_gate[i]) : input_gate[i];
      const int16_t kept = product(forget_gate[i], state_in[i], 15);
      const int16_t sum = saturating_add(kept, product(from_input, modulation[i], 30 + cell_exponent_));
      state[i] = cell_clip_ > 0 ? static_cast<int16_t>(std::clamp<int32_t>(sum, -cell_clip_, cell_clip_)) : sum;
    }
    compute(kOutputGate, step, state, output_gate);
    std::vector<int8_t> hidden(count);
    for (size_t i = 0; i < count; ++i) {
      const int16_t activated = fixed_point_16::tanh(state[i], 15 + cell_exponent_);
      const int32_t scaled = multiply_by_quantised_multiplier(int32_t{output_gate[i]} * activated, to_hidden_);
      // The reference takes the zero point off here and adds it before the projection.
      hidden[i] = static_cast<int8_t>(std::clamp<int64_t>(int64_t{scaled} - hidden_zero_point_, -128, 127));
    }
    if (!shape_.projected) {
      std::copy(hidden.begin(), hidden.end(), output);
    } else {
      project(hidden, batch, output);
    }
  }

 private:
  struct Gate {
    Matrix input, recurrent;
    const int32_t* bias = nullptr;
    const int16_t* peephole = nullptr;
    QuantisedMultiplier peephole_multiplier;
    const int16_t* norm = nullptr;
    QuantisedMultiplier norm_multiplier;
  };
  struct Step {
    const int8_t *input, *output_in;
    size_t batch;
  };

  /// A threshold in steps of a scale; 0 for none.
  static int32_t clip(float threshold, float scale, float largest) {
    return threshold > 0.0f ? static_cast<int32_t>(std::min(threshold / scale, largest)) : 0;
  }

  static size_t grain(size_t depth) { return std::max<size_t>(1, 65536 / std::max<size_t>(1, depth)); }

  /// All units of a gate, after the activation.
  void compute(LstmGate which, const Step& step, const int16_t* state, std::vector<int16_t>& values) const {
    const Gate& gate = gates_[which];
    const size_t units = shape_.units;
    context_.parallel_for(values.size(), grain(gate.input.columns + gate.recurrent.columns), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const size_t batch = i / units, unit = i % units;
        const int32_t from_input = gate.input.row(unit, step.input + batch * shape_.input_size, gate.norm ? 0 : gate.bias[unit]);
        int16_t value = saturate(from_input);
        value = saturating_add(value, gate.recurrent.row(unit, step.output_in + batch * shape_.output_size, 0));
        if (gate.peephole) {
          const int32_t seen = int32_t{gate.peephole[unit]} * state[i];
          value = saturating_add(value, multiply_by_quantised_multiplier(seen, gate.peephole_multiplier));
        }
        values[i] = value;
      }
    });
    if (gate.norm) {
      for (size_t b = 0; b < step.batch; ++b) {
        integer_layer_norm(values.data() + b * units, units, gate.norm, gate.bias, gate.norm_multiplier);
      }
    }
    for (int16_t& value : values) {
      value = which == kCellGate ? fixed_point_16::tanh(value, 3) : fixed_point_16::logistic(value, 3);
    }
  }

  void project(const std::vector<int8_t>& hidden, size_t batch, int8_t* output) const {
    const size_t width = shape_.output_size;
    context_.parallel_for(batch * width, grain(shape_.units), [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const int32_t bias = projection_bias_ ? projection_bias_[i % width] : 0;
        const int32_t sum = projection_.row(i % width, hidden.data() + i / width * shape_.units, bias);
        const int64_t value = int64_t{sum} + output_zero_point_;
        const int32_t stored = static_cast<int32_t>(std::clamp<int64_t>(value, -128, 127));
        output[i] = static_cast<int8_t>(projection_clip_ > 0 ? std::clamp(stored, -projection_clip_, projection_clip_) : stored);
      }
    });
  }

  const OperationContext& context_;
  const LstmShape& shape_;
  int cell_exponent_ = 0;
  Gate gates_[kLstmGates];
  QuantisedMultiplier to_hidden_;
  int32_t hidden_zero_point_ = 0, output_zero_point_ = 0;
  Matrix projection_;
  const int32_t* projection_bias_ = nullptr;
  int32_t cell_clip_ = 0, projection_clip_ = 0;
};

}  // namespace

Status check_quantised_lstm(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape,
                            const QuantisedLstmScalars& scalars) {
  const float cell_scale = context.input(places.cell_state).scale;
  int exponent = 0;
  if (!power_of_two(cell_scale, &exponent) || exponent < -15 || exponent > -9) {
    return op_failed("the cell state has scale ", cell_scale, "; it must be a power of two from 2^-15 to 2^-9");
  }
  for (size_t gate = shape.first_gate(); shape.normalised && gate < kLstmGates; ++gate) {
    const float scale = context.scalar<float>(scalars.intermediate_scale + gate, 0.0f);
    if (!(scale > 0.0f) || !std::isfinite(scale)) {
      return op_failed("input ", scalars.intermediate_scale + gate, " (an intermediate scale) is ", scale, "; it must be positive");
    }
  }
  return {};
}

void run_quantised_lstm(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape,
                        const QuantisedLstmScalars& scalars, int8_t* output, int16_t* cell_state) {
  const Cell cell(context, places, shape, scalars);
  cell.run(context.in<int8_t>(0), context.in<int8_t>(places.output_state), context.in<int16_t>(places.cell_state),
           context.input(0).dims[0], output, cell_state);
}

}  // namespace avocet::runtime
