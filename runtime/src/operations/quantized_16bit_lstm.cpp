// SPDX-License-Identifier: Apache-2.0
// QUANTIZED_16BIT_LSTM: one time step on uint8 with a 16 bit cell state, all scales fixed, bit for bit as TensorFlow Lite's
// reference: gates are Q3.12 before and Q0.15 after their activation, the cell state is Q4.11.
#include <algorithm>
#include <vector>

#include "fixed_point_16.hpp"
#include "lstm_rules.hpp"
#include "output_stage.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule input_weights(const char* name) { return shaped(name, kQuant8, "output_size,input_size"); }
constexpr OperandRule recurrent_weights(const char* name) { return shaped(name, kQuant8, "output_size,output_size"); }
constexpr OperandRule bias(const char* name) { return shaped(name, kTensorInt32, "output_size"); }
constexpr float kStateScale = 16.0f / 32768;  // the cell state covers [-16, 16)

constexpr OperandRule kInput[] = {shaped("input", kQuant8, "batch,input_size").quantised_as(1.0f / 128, 128, 0),
                                  input_weights("input_to_input_weights"),
                                  input_weights("input_to_forget_weights"),
                                  input_weights("input_to_cell_weights"),
                                  input_weights("input_to_output_weights"),
                                  recurrent_weights("recurrent_to_input_weights"),
                                  recurrent_weights("recurrent_to_forget_weights"),
                                  recurrent_weights("recurrent_to_cell_weights"),
                                  recurrent_weights("recurrent_to_output_weights"),
                                  bias("input_gate_bias"),
                                  bias("forget_gate_bias"),
                                  bias("cell_bias"),
                                  bias("output_gate_bias"),
                                  shaped("cell_state_in", kQuant16Symm, "batch,output_size").quantised_as(kStateScale, 0, 0),
                                  shaped("output_in", kQuant8, "batch,output_size").quantised_as(1.0f / 128, 128, 0)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("cell_state_out", kQuant16Symm, "batch,output_size").quantised_as(kStateScale, 0, 0),
                                   shaped("output", kQuant8, "batch,output_size").quantised_as(1.0f / 128, 128, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .inputs = kInputs, .outputs = kOutputs};

constexpr size_t kInputWeights = 1, kRecurrentWeights = 5, kBias = 9, kCellStateIn = 13, kOutputIn = 14;
constexpr size_t kCellStateOut = 0, kOutputPlace = 1;

Status infer(OperationContext& context) {
  const OperandView& first = context.input(kInputWeights);
  for (size_t i = kInputWeights; i < kBias; ++i) {
    const OperandView& weights = context.input(i);
    if (weights.scale == first.scale && weights.zero_point == first.zero_point) continue;
    return op_failed("weights ", i, " have scale ", weights.scale, " and zero point ", weights.zero_point, ", weights ",
                     kInputWeights, " have ", first.scale, " and ", first.zero_point, "; they must be the same");
  }
  for (size_t i = kBias; i < kCellStateIn; ++i) {
    AVOCET_RETURN_IF_FAILED(check_bias_scale(context.input(0), first, context.input(i)));
  }
  context.output(kCellStateOut).dims = context.input(kCellStateIn).dims;
  context.output(kOutputPlace).dims = context.input(kOutputIn).dims;
  return {};
}

/// Sum of products with the zero points taken off; wraps as the reference's int32 does.
uint32_t dot(const uint8_t* values, const uint8_t* weights, size_t count, int32_t weights_zero_point) {
  constexpr int32_t kZeroPoint = 128;
  uint32_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    sum += static_cast<uint32_t>((int32_t{values[i]} - kZeroPoint) * (int32_t{weights[i]} - weights_zero_point));
  }
  return sum;
}

/// The fully connected part of the four gates: rows [input | previous output] times [recurrent weights | input weights]. The two
/// are put together in different orders on Android, where conformance was recorded, and models are trained for that.
class Gates {
 public:
  explicit Gates(const OperationContext& context)
      : context_(context),
        input_size_(context.input(0).dims[1]),
        output_size_(context.input(kOutputIn).dims[1]),
        rows_(context.input(0).dims[0] * depth()),
        zero_point_(context.input(kInputWeights).zero_point),
        to_q3_(quantise_multiplier(4096.0 * context.input(kBias).scale)) {
    uint8_t* to = rows_.data();
    for (size_t b = 0; b < context.input(0).dims[0]; ++b) {
      to = std::copy_n(context.in<uint8_t>(0) + b * input_size_, input_size_, to);
      to = std::copy_n(context.in<uint8_t>(kOutputIn) + b * output_size_, output_size_, to);
    }
  }

  size_t depth() const { return input_size_ + output_size_; }

  /// One unit of one gate before its activation, Q3.12.
  int16_t operator()(size_t gate, size_t batch, size_t unit) const {
    const uint8_t* row = rows_.data() + batch * depth();
    const uint8_t* input_weights = context_.in<uint8_t>(kInputWeights + gate) + unit * input_size_;
    const uint8_t* recurrent_weights = context_.in<uint8_t>(kRecurrentWeights + gate) + unit * output_size_;
    const uint32_t sum = static_cast<uint32_t>(context_.in<int32_t>(kBias + gate)[unit]) +
                         dot(row, recurrent_weights, output_size_, zero_point_) +
                         dot(row + output_size_, input_weights, input_size_, zero_point_);
    return fixed_point_16::saturate(multiply_by_quantised_multiplier(static_cast<int32_t>(sum), to_q3_));
  }

 private:
  const OperationContext& context_;
  size_t input_size_, output_size_;
  std::vector<uint8_t> rows_;
  int32_t zero_point_;
  QuantisedMultiplier to_q3_;
};

Status execute(OperationContext& context) {
  using namespace fixed_point_16;
  const Gates gates(context);
  const size_t units = context.input(kOutputIn).dims[1];
  const int16_t* state_in = context.in<int16_t>(kCellStateIn);
  int16_t* state_out = context.out<int16_t>(kCellStateOut);
  uint8_t* output = context.out<uint8_t>(kOutputPlace);
  const size_t grain = std::max<size_t>(1, 65536 / (kLstmGates * gates.depth()));
  context.parallel_for(context.input(kOutputIn).dims[0] * units, grain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t batch = i / units, unit = i % units;
      const int16_t input_gate = logistic(gates(kInputGate, batch, unit), 3);
      const int16_t forget_gate = logistic(gates(kForgetGate, batch, unit), 3);
      const int16_t modulation = tanh(gates(kCellGate, batch, unit), 3);
      const int16_t output_gate = logistic(gates(kOutputGate, batch, unit), 3);
      const int16_t added = scale_by_power_of_two(multiply(input_gate, modulation), -4);  // Q0.15 to Q4.11
      const int16_t state = saturate(added + multiply(forget_gate, state_in[i]));
      const int16_t result = multiply(output_gate, tanh(scale_by_power_of_two(state, 1), 3));
      state_out[i] = state;
      output[i] = static_cast<uint8_t>(128 + std::clamp<int32_t>(rounding_shift_right(result, 8), -128, 127));
    }
  });
  return {};
}

}  // namespace

constinit const Operation kQuantized16bitLstm =
    operation<kSignature, infer, execute>(ANEURALNETWORKS_QUANTIZED_16BIT_LSTM, "QUANTIZED_16BIT_LSTM");

}  // namespace avocet::runtime
