// SPDX-License-Identifier: Apache-2.0
// ADD, SUB, MUL and DIV of two broadcast tensors, with a fused activation. Integer arithmetic on INT32 wraps.
#include <array>
#include <cstring>

#include "broadcast.hpp"
#include "output_stage.hpp"
#include "requantise.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input1", kColumnA, 1, 4), tensor("input2", kColumnA, 1, 4), activation()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA, 1, 4)};
constexpr Form kOutputs[] = {{.operands = kOutput}};

constexpr TypeRow kAddTypes[] = {{27, {kTensorFloat32}}, {27, {kQuant8}},      {29, {kTensorFloat16}},
                                 {30, {kQuant8Signed}},  {30, {kTensorInt32}}};
constexpr Signature kAddSignature{.level = 27, .types = kAddTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};
constexpr TypeRow kSubTypes[] = {{28, {kTensorFloat32}}, {29, {kTensorFloat16}}, {29, {kQuant8}},
                                 {30, {kQuant8Signed}},  {30, {kTensorInt32}}};
constexpr Signature kSubSignature{.level = 28, .types = kSubTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};
constexpr TypeRow kDivTypes[] = {{28, {kTensorFloat32}}, {29, {kTensorFloat16}}, {30, {kTensorInt32}}};
constexpr Signature kDivSignature{.level = 28, .types = kDivTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

Status check(const OperationContext& context) {
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_INT32 && context.scalar<int32_t>(2, 0) != ANEURALNETWORKS_FUSED_NONE) {
    return bad_data("TENSOR_INT32 takes no fused activation");
  }
  return {};
}

Status infer(OperationContext& context) {
  Status status = check(context);
  if (!status.ok()) return op_failed(status.message);
  return infer_broadcast(context);
}

Range<float> float_range(const OperationContext& context) { return float_activation_range(context.scalar<int32_t>(2, 0)); }

template <typename Function>
Status apply_float(OperationContext& context, const Function& function) {
  const Range<float> range = float_range(context);
  broadcast_apply(context, context.in<float>(0), context.in<float>(1), context.out<float>(0),
                  [&](float x, float y) { return clamp_to(function(x, y), range); });
  return {};
}

template <typename Function>
Status apply_int32(OperationContext& context, const Function& function) {
  broadcast_apply(context, context.in<int32_t>(0), context.in<int32_t>(1), context.out<int32_t>(0),
                  [&](int32_t x, int32_t y) { return static_cast<int32_t>(function(static_cast<uint32_t>(x), static_cast<uint32_t>(y))); });
  return {};
}

/// Sums of `combine(x, y)` over broadcast bytes, requantised with one multiplier for all.
template <typename Combine>
Status apply_quantised(OperationContext& context, QuantisedMultiplier multiplier, const Combine& combine) {
  constexpr size_t kChunk = OutputStage::kWidth;
  const OperandView& output = context.output(0);
  const OutputStage stage(kChunk, nullptr, {&multiplier, 1}, output.zero_point,
                          quantised_activation_range(context.scalar<int32_t>(2, 0), output));
  const uint8_t* x = context.in<uint8_t>(0);
  const uint8_t* y = context.in<uint8_t>(1);
  uint8_t* out = context.out<uint8_t>(0);
  const BroadcastPlan plan(context.input(0).dims, context.input(1).dims, output.dims);
  const auto run = [&](size_t x_at, size_t y_at, size_t out_at, size_t length) {
    alignas(32) int32_t sums[kChunk] = {};
    for (size_t i = 0; i < length; i += kChunk) {
      const size_t count = std::min(kChunk, length - i);
      for (size_t j = 0; j < count; ++j) {
        sums[j] = combine(x[x_at + (i + j) * plan.step_a()], y[y_at + (i + j) * plan.step_b()]);
      }
      stage.store(sums, 0, out + out_at + i, count);
    }
  };
  constexpr size_t kGrain = 8192;
  if (plan.rows() == 1) {
    context.parallel_for(plan.row_length(), kGrain, [&](size_t begin, size_t end) {
      run(begin * plan.step_a(), begin * plan.step_b(), begin, end - begin);
    });
  } else {
    const size_t grain = std::max<size_t>(1, kGrain / plan.row_length());
    context.parallel_for(plan.rows(), grain, [&](size_t begin, size_t end) { plan.for_rows(begin, end, run); });
  }
  return {};
}

/// Stored byte minus the zero point.
int32_t centred(uint8_t byte, const OperandView& operand) {
  const bool is_signed = operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  return (is_signed ? int32_t{static_cast<int8_t>(byte)} : int32_t{byte}) - operand.zero_point;
}

/// The 256 values of an input of ADD or SUB on the common scale of both, with 20 bits of headroom.
std::array<int32_t, 256> rescaled(const OperandView& operand, double twice_larger_scale, int32_t sign) {
  const QuantisedMultiplier multiplier = quantise_multiplier(operand.scale / twice_larger_scale);
  std::array<int32_t, 256> values{};
  for (int byte = 0; byte < 256; ++byte) {
    const int32_t shifted = wrapping_shift_left(centred(static_cast<uint8_t>(byte), operand), 20);
    values[static_cast<size_t>(byte)] = sign * multiply_by_quantised_multiplier(shifted, multiplier);
  }
  return values;
}

/// Bit for bit as TensorFlow Lite: both inputs to the scale 2 * max(s1, s2) / 2^20, added, then to the output's scale.
Status add_quantised(OperationContext& context, int32_t sign_of_second) {
  const OperandView& a = context.input(0);
  const OperandView& b = context.input(1);
  const double twice_larger = 2.0 * std::max(double{a.scale}, double{b.scale});
  const std::array<int32_t, 256> x_values = rescaled(a, twice_larger, 1), y_values = rescaled(b, twice_larger, sign_of_second);
  const QuantisedMultiplier to_output = quantise_multiplier(twice_larger / ((1 << 20) * double{context.output(0).scale}));
  return apply_quantised(context, to_output, [&](uint8_t x, uint8_t y) { return x_values[x] + y_values[y]; });
}

Status execute_add(OperationContext& context) {
  if (is_quant8(context.input(0).type)) return add_quantised(context, 1);
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_INT32) {
    return apply_int32(context, [](uint32_t x, uint32_t y) { return x + y; });
  }
  return apply_float(context, [](float x, float y) { return x + y; });
}

Status execute_sub(OperationContext& context) {
  if (is_quant8(context.input(0).type)) return add_quantised(context, -1);
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_INT32) {
    return apply_int32(context, [](uint32_t x, uint32_t y) { return x - y; });
  }
  return apply_float(context, [](float x, float y) { return x - y; });
}

Status execute_mul(OperationContext& context) {
  const OperandView& a = context.input(0);
  const OperandView& b = context.input(1);
  if (is_quant8(a.type)) {
    const double real = double{a.scale} * double{b.scale} / double{context.output(0).scale};
    return apply_quantised(context, quantise_multiplier(real), [&](uint8_t x, uint8_t y) { return centred(x, a) * centred(y, b); });
  }
  if (a.type == ANEURALNETWORKS_TENSOR_INT32) {
    return apply_int32(context, [](uint32_t x, uint32_t y) { return x * y; });
  }
  return apply_float(context, [](float x, float y) { return x * y; });
}

int32_t floor_divide(int32_t x, int32_t y) {
  if (y == 0) return 0;  // the API leaves the value open, but the operation succeeds
  if (y == -1) return static_cast<int32_t>(0u - static_cast<uint32_t>(x));  // INT32_MIN / -1 wraps
  const int32_t quotient = x / y;
  return quotient - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

Status execute_div(OperationContext& context) {
  if (context.input(0).type != ANEURALNETWORKS_TENSOR_INT32) {
    return apply_float(context, [](float x, float y) { return x / y; });
  }
  broadcast_apply(context, context.in<int32_t>(0), context.in<int32_t>(1), context.out<int32_t>(0), floor_divide);
  return {};
}

}  // namespace

constinit const Operation kAdd = operation<kAddSignature, infer, execute_add>(ANEURALNETWORKS_ADD, "ADD", check);
constinit const Operation kMul = operation<kAddSignature, infer, execute_mul>(ANEURALNETWORKS_MUL, "MUL", check);
constinit const Operation kDiv = operation<kDivSignature, infer, execute_div>(ANEURALNETWORKS_DIV, "DIV", check);
constinit const Operation kSub = operation<kSubSignature, infer, execute_sub>(ANEURALNETWORKS_SUB, "SUB", check);

}  // namespace avocet::runtime
