// SPDX-License-Identifier: Apache-2.0
// MAXIMUM and MINIMUM of two broadcast tensors. Quantised inputs are first brought to the scale of the output.
#include "broadcast.hpp"
#include "rescale.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input1", kColumnA), tensor("input2", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

template <typename T, typename Choose>
Status choose_numbers(OperationContext& context, const Choose& choose) {
  broadcast_apply(context, context.in<T>(0), context.in<T>(1), context.out<T>(0), choose);
  return {};
}

template <typename T, typename Choose>
Status choose_quantised(OperationContext& context, const Choose& choose) {
  const ByteTable x_table = make_rescaling_table(context.input(0), context.output(0));
  const ByteTable y_table = make_rescaling_table(context.input(1), context.output(0));
  broadcast_apply(context, context.in<uint8_t>(0), context.in<uint8_t>(1), context.out<uint8_t>(0), [&](uint8_t x, uint8_t y) {
    return static_cast<uint8_t>(choose(static_cast<T>(x_table[x]), static_cast<T>(y_table[y])));
  });
  return {};
}

template <typename Choose>
Status execute(OperationContext& context, const Choose& choose) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return choose_quantised<uint8_t>(context, choose);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return choose_quantised<int8_t>(context, choose);
    case ANEURALNETWORKS_TENSOR_INT32: return choose_numbers<int32_t>(context, choose);
    default: return choose_numbers<float>(context, choose);
  }
}

Status execute_maximum(OperationContext& context) {
  return execute(context, [](auto x, auto y) { return x > y ? x : y; });
}

Status execute_minimum(OperationContext& context) {
  return execute(context, [](auto x, auto y) { return x < y ? x : y; });
}

}  // namespace

constinit const Operation kMaximum = operation<kSignature, infer_broadcast, execute_maximum>(ANEURALNETWORKS_MAXIMUM, "MAXIMUM");
constinit const Operation kMinimum = operation<kSignature, infer_broadcast, execute_minimum>(ANEURALNETWORKS_MINIMUM, "MINIMUM");

}  // namespace avocet::runtime
