// SPDX-License-Identifier: Apache-2.0
// PRELU: x where x >= 0, alpha * x elsewhere, with broadcasting. Quantised: one multiplier for each side, both made from
// scales multiplied and divided in float32, as TensorFlow Lite does.
#include "broadcast.hpp"
#include "rescale.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("input", kColumnA), tensor("alpha", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};

template <typename Stored>
Status execute_quantised(OperationContext& context) {
  const OperandView& input = context.input(0);
  const OperandView& alpha = context.input(1);
  const OperandView& output = context.output(0);
  const Rescale positive(real_multiplier(input.scale, 1.0f, output.scale), output);
  const Rescale negative(real_multiplier(input.scale, alpha.scale, output.scale), output);
  broadcast_apply(context, context.in<Stored>(0), context.in<Stored>(1), context.out<Stored>(0), [&](Stored x, Stored slope) {
    const int32_t centred = x - input.zero_point;
    return static_cast<Stored>(centred >= 0 ? positive(centred) : negative(centred * (slope - alpha.zero_point)));
  });
  return {};
}

Status execute(OperationContext& context) {
  switch (context.input(0).type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return execute_quantised<uint8_t>(context);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return execute_quantised<int8_t>(context);
    default:
      broadcast_apply(context, context.in<float>(0), context.in<float>(1), context.out<float>(0),
                      [](float x, float slope) { return x >= 0.0f ? x : x * slope; });
      return {};
  }
}

}  // namespace

constinit const Operation kPrelu = operation<kSignature, infer_broadcast, execute>(ANEURALNETWORKS_PRELU, "PRELU");

}  // namespace avocet::runtime
