// SPDX-License-Identifier: Apache-2.0
// The LSTM cell in float32: see lstm_cell.hpp. A step is one product for all gates, then the cell row by row, then the projection.
#include "lstm_cell.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "float16.hpp"
#include "shape.hpp"

namespace avocet::runtime {
namespace {

RowSizes row_sizes(const LstmShape& shape) {
  return {.input = shape.input_size, .auxiliary = shape.auxiliary_size, .hidden = shape.output_size};
}

PreparedLstm pack(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape) {
  GateWeights gates[kLstmGates];
  for (size_t gate = shape.first_gate(); gate < kLstmGates; ++gate) {
    gates[gate] = {.input = context.in<float>(places.input_weights(gate)),
                   .auxiliary = shape.auxiliary_size ? context.in<float>(places.auxiliary + gate) : nullptr,
                   .recurrent = context.in<float>(places.recurrent_weights(gate))};
  }
  PreparedLstm packed(pack_gates({gates + shape.first_gate(), shape.gates()}, shape.units, row_sizes(shape)));
  if (shape.projected) packed.projection.emplace(context.in<float>(places.projection()), shape.output_size, shape.units);
  return packed;
}

float logistic(float x) { return 1.0f / (1.0f + std::exp(-x)); }

/// The activation g by its code in the API.
void activate(float* values, size_t count, int32_t code) {
  const auto apply = [&](const auto& function) {
    for (size_t i = 0; i < count; ++i) values[i] = function(values[i]);
  };
  switch (code) {
    case 1: return apply([](float x) { return std::max(x, 0.0f); });
    case 3: return apply([](float x) { return std::min(std::max(x, 0.0f), 6.0f); });
    case 4: return apply([](float x) { return std::tanh(x); });
    case 6: return apply(logistic);
    default: return;
  }
}

Range<float> clip_range(float threshold) {
  if (threshold > 0.0f) return {-threshold, threshold};
  return float_activation_range(ANEURALNETWORKS_FUSED_NONE);
}

/// (x - mean) / standard deviation * weight + bias. The small number is that of TensorFlow Lite.
void normalise(float* values, size_t count, const float* weights, const float* bias) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < count; ++i) sum += values[i];
  const double mean = sum / static_cast<double>(count);
  for (size_t i = 0; i < count; ++i) squares += (values[i] - mean) * (values[i] - mean);
  const double scale = 1.0 / std::sqrt(squares / static_cast<double>(count) + 1e-8);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>((values[i] - mean) * scale) * weights[i] + bias[i];
  }
}

/// The part of a step that is the same for every row of the batch: what happens between the products.
class Cell {
 public:
  Cell(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape, size_t activation)
      : shape_(shape),
        activation_(context.scalar<int32_t>(activation, 0)),
        cell_range_(clip_range(float_scalar(context, activation + 1, 0.0f))) {
    for (size_t gate = shape.first_gate(); gate < kLstmGates; ++gate) {
      bias_[gate] = context.in<float>(places.bias(gate));
      if (shape.normalised) norm_[gate] = context.in<float>(places.norm + gate);
      if (shape.peephole && gate != kCellGate) peephole_[gate] = context.in<float>(places.peephole(gate));
    }
  }

  /// The bias of the product: of all gates, or zeros when it is added after normalisation.
  std::vector<float> product_bias() const {
    std::vector<float> all(shape_.gates() * shape_.units, 0.0f);
    if (shape_.normalised) return all;
    for (size_t i = 0; i < shape_.gates(); ++i) {
      std::copy_n(bias_[shape_.first_gate() + i], shape_.units, all.data() + i * shape_.units);
    }
    return all;
  }

  /// From the product's row to the cell's new state and its output before projection.
  void update(float* product, float* state, float* hidden) const {
    const size_t units = shape_.units;
    float* const forget = product + (shape_.coupled ? 0 : units);
    float* const candidate = forget + units;
    float* const output = candidate + units;
    if (!shape_.coupled) open_gate(kInputGate, product, state);
    open_gate(kForgetGate, forget, state);
    if (shape_.normalised) normalise(candidate, units, norm_[kCellGate], bias_[kCellGate]);
    activate(candidate, units, activation_);
    for (size_t i = 0; i < units; ++i) {
      const float input = shape_.coupled ? 1.0f - forget[i] : product[i];
      state[i] = clamp_to(forget[i] * state[i] + input * candidate[i], cell_range_);
    }
    open_gate(kOutputGate, output, state);
    std::copy_n(state, units, hidden);
    activate(hidden, units, activation_);
    for (size_t i = 0; i < units; ++i) hidden[i] *= output[i];
  }

 private:
  void open_gate(LstmGate gate, float* values, const float* state) const {
    const size_t units = shape_.units;
    if (shape_.peephole) {
      for (size_t i = 0; i < units; ++i) values[i] += peephole_[gate][i] * state[i];
    }
    if (shape_.normalised) normalise(values, units, norm_[gate], bias_[gate]);
    for (size_t i = 0; i < units; ++i) values[i] = logistic(values[i]);
  }

  const LstmShape& shape_;
  int32_t activation_;
  Range<float> cell_range_;
  const float* bias_[kLstmGates] = {};
  const float* norm_[kLstmGates] = {};
  const float* peephole_[kLstmGates] = {};
};

std::vector<float> state_in(const OperationContext& context, size_t place) {
  return {context.in<float>(place), context.in<float>(place) + count_of(context.input(place))};
}

}  // namespace

Status check_lstm(const OperationContext& context, const LstmPlaces& places, const Dimensions& input, const Sequence& sequence,
                  LstmShape* shape) {
  AVOCET_RETURN_IF_FAILED(read_lstm_shape(context, places, shape));
  if (input.back() != shape->input_size) {
    return op_failed("rows of the input ", dims_text(input), " do not fit the weights (input ", places.input_weights(kOutputGate),
                     ") of shape ", dims_text(context.input(places.input_weights(kOutputGate)).dims));
  }
  const uint32_t batch = context.input(places.cell_state).dims[0];
  if (sequence.batch != batch) {
    return op_failed("the cell state (input ", places.cell_state, ") has ", batch, " batches, the input has ", sequence.batch);
  }
  return {};
}

void run_lstm(const OperationContext& context, const LstmPlaces& places, const LstmShape& shape, const PreparedLstm* prepared,
              const LstmRun& run) {
  std::optional<PreparedLstm> packed_now;
  const PreparedLstm& packed = prepared ? *prepared : packed_now.emplace(pack(context, places, shape));
  const Cell cell(context, places, shape, run.activation);
  const std::vector<float> bias = cell.product_bias();
  const Range<float> everything = float_activation_range(ANEURALNETWORKS_FUSED_NONE);
  const Range<float> projection_range = clip_range(float_scalar(context, run.activation + 2, 0.0f));
  const RowSizes sizes = row_sizes(shape);
  const size_t batch = run.sequence.batch, units = shape.units, depth = sizes.depth(), columns = packed.gates.columns();
  std::vector<float> rows(batch * depth), products(batch * columns), hidden(shape.projected ? batch * units : 0);
  std::vector<float> output = state_in(context, places.output_state), state = state_in(context, places.cell_state);
  const size_t grain = std::max<size_t>(1, 1024 / units);
  for (size_t step = 0; step < run.sequence.time; ++step) {
    const size_t time = run.reversed ? run.sequence.time - 1 - step : step;
    for (size_t b = 0; b < batch; ++b) {
      const size_t from = run.sequence.row(time, b);
      float* to = std::copy_n(run.input + from * sizes.input, sizes.input, rows.data() + b * depth);
      if (sizes.auxiliary) to = std::copy_n(run.auxiliary + from * sizes.auxiliary, sizes.auxiliary, to);
      std::copy_n(output.data() + b * sizes.hidden, sizes.hidden, to);
    }
    recurrent_product(context, rows.data(), batch, packed.gates, bias.data(), everything, products.data());
    float* const unprojected = shape.projected ? hidden.data() : output.data();
    context.parallel_for(batch, grain, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        cell.update(products.data() + b * columns, state.data() + b * units, unprojected + b * units);
      }
    });
    if (shape.projected) {
      recurrent_product(context, hidden.data(), batch, *packed.projection, context.in<float>(places.projection_bias()),
                        projection_range, output.data());
    }
    for (size_t b = 0; b < batch; ++b) {
      std::copy_n(output.data() + b * sizes.hidden, sizes.hidden, run.output + run.sequence.row(time, b) * run.output_stride);
    }
  }
  if (run.output_state) std::copy(output.begin(), output.end(), run.output_state);
  if (run.cell_state) std::copy(state.begin(), state.end(), run.cell_state);
}

std::unique_ptr<PreparedLstm> prepare_lstm(const OperationContext& context, const LstmPlaces& places) {
  const auto is_constant_matrix = [&](size_t i) {
    return context.input(i).dims.size() == 2 && is_constant_of_shape(context, i, context.input(i).dims);
  };
  if (!is_constant_matrix(places.input_weights(kOutputGate)) || !is_constant_matrix(places.recurrent_weights(kOutputGate))) {
    return nullptr;
  }
  const size_t auxiliary = places.auxiliary + kOutputGate;
  if (places.auxiliary && context.has_input(auxiliary) && !is_constant_matrix(auxiliary)) return nullptr;
  LstmShape shape;
  if (!read_lstm_shape(context, places, &shape).ok()) return nullptr;  // infer() says why
  for (size_t gate = shape.first_gate(); gate < kLstmGates; ++gate) {
    if (!is_constant_of_shape(context, places.input_weights(gate), {shape.units, shape.input_size})) return nullptr;
    if (!is_constant_of_shape(context, places.recurrent_weights(gate), {shape.units, shape.output_size})) return nullptr;
    if (shape.auxiliary_size && !is_constant_of_shape(context, places.auxiliary + gate, {shape.units, shape.auxiliary_size})) {
      return nullptr;
    }
  }
  if (shape.projected && !is_constant_of_shape(context, places.projection(), {shape.output_size, shape.units})) return nullptr;
  return std::make_unique<PreparedLstm>(pack(context, places, shape));
}

}  // namespace avocet::runtime
