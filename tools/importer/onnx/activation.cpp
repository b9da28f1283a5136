// SPDX-License-Identifier: Apache-2.0
// Activations with parameters, and normalisations to probabilities.
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/requantise.hpp"

namespace avocet::tools::onnx {
namespace {

/// One number of the computation's type; in the quantised form in steps of the output's scale.
uint32_t add_bound(NodeContext& context, double bound) {
  if (!context.quantised()) {
    const std::vector<double> values = {bound};
    return context.conversion().add_constant(make_tensor(context.type(), {1}, values));
  }
  Quantisation quantisation = context.form().target;
  if (context.byte_type() != context.form().target_type) {
    quantisation.zero_points[0] += context.byte_type() == ElementType::int8 ? -128 : 128;
  }
  const std::vector<double> steps = {std::round(bound / quantisation.scale()) + quantisation.zero_point()};
  return context.conversion().add_constant(make_tensor(context.byte_type(), {1}, steps), quantisation);
}

void emit_bounds(NodeContext& context, const Bounds& bounds) {
  const Dims dims = context.dims(0);
  const uint32_t input = context.read(0);
  const uint32_t output = context.write(dims);
  const bool below = !std::isinf(bounds.low);
  const bool above = !std::isinf(bounds.high);
  uint32_t middle = output;
  if (below && above) middle = context.builder().add_temporary_like(output, operand_dims(dims));
  if (below) context.emit(ANEURALNETWORKS_MAXIMUM, {input, add_bound(context, bounds.low)}, {middle});
  if (above) context.emit(ANEURALNETWORKS_MINIMUM, {below ? middle : input, add_bound(context, bounds.high)}, {output});
}

/// RELU6 and its like keep scale and zero point; other ones are reached by requantising with the activation fused.
void emit_activation(NodeContext& context, int32_t code) {
  const Dims dims = context.dims(0);
  const uint32_t input = context.read(0);
  const uint32_t output = context.write(dims);
  const Operand& from = context.builder().description().operands[input];
  const Operand& to = context.builder().description().operands[output];
  if (context.quantised() && (from.scale != to.scale || from.zero_point != to.zero_point)) {
    return emit_requantise(context.builder(), input, output, context.builder().int_scalar(code));
  }
  const int32_t operation = code == ANEURALNETWORKS_FUSED_RELU    ? ANEURALNETWORKS_RELU
                            : code == ANEURALNETWORKS_FUSED_RELU1 ? ANEURALNETWORKS_RELU1
                                                                  : ANEURALNETWORKS_RELU6;
  context.emit(operation, {input}, {output});
}

}  // namespace

namespace {

/// Bounds that are computed, one number each.
void emit_computed_bounds(NodeContext& context) {
  if (context.quantised()) throw NeedsFloats{};
  const Dims dims = context.dims(0);
  uint32_t result = context.read(0);
  for (size_t i = 1; i < context.input_count(); ++i) {
    if (!context.has(i)) continue;
    if (element_count_of(context.dims(i)) != 1 || context.in(i).type != context.type())
      refuse("a bound that is not one number");
    const uint32_t bound = context.read(i);
    const uint32_t next = i + 1 == context.input_count() ? context.write(dims) : context.temporary(dims);
    context.emit(i == 1 ? ANEURALNETWORKS_MAXIMUM : ANEURALNETWORKS_MINIMUM, {result, bound}, {next});
    result = next;
  }
}

}  // namespace

void convert_clip(NodeContext& context, int32_t) {
  context.attributes().has("min");
  context.attributes().has("max");
  const std::optional<Bounds> bounds = bounds_of(context.conversion(), context.node());
  if (!bounds) return emit_computed_bounds(context);
  const std::optional<int32_t> code = activation_code(*bounds);
  if (code && *code == ANEURALNETWORKS_FUSED_NONE) {
    if (context.quantised()) throw NeedsFloats{};
    return convert_identity(context, 0);
  }
  if (!code || !is_real(context.type())) return emit_bounds(context, *bounds);
  emit_activation(context, *code);
}

void convert_leaky_relu(NodeContext& context, int32_t nnapi) {
  const float alpha = context.attributes().real("alpha", 0.01f);
  if (!std::isfinite(alpha)) refuse("a slope that is not finite");
  const Dims dims = context.dims(0);
  uint32_t slope = 0;
  if (context.quantised()) {
    // The number 1, or -1, at a scale of the slope's size.
    if (alpha == 0) throw NeedsFloats{};
    const ElementType type = context.byte_type();
    const std::vector<int64_t> one = {alpha > 0 ? 1 : 0};
    const Quantisation quantisation{.scales = {std::fabs(alpha)}, .zero_points = {alpha > 0 ? 0 : 1}, .axis = 0};
    slope = context.conversion().add_constant(make_tensor(type, {1}, std::span<const int64_t>(one)), quantisation);
  } else {
    const std::vector<double> values = {alpha};
    slope = context.conversion().add_constant(make_tensor(context.type(), {1}, values));
  }
  const uint32_t input = context.read(0);
  context.emit(nnapi, {input, slope}, {context.write(dims)});
}

void convert_prelu(NodeContext& context, int32_t nnapi) {
  if (broadcast_dims(context.dims(0), context.dims(1)) != context.dims(0))
    refuse("a slope of shape " + dims_text(context.dims(1)));
  const uint32_t input = context.read(0);
  const uint32_t slope = context.read(1);
  context.emit(nnapi, {input, slope}, {context.write(context.dims(0))});
}

void convert_elu(NodeContext& context, int32_t nnapi) {
  const uint32_t alpha = context.real_scalar(context.attributes().real("alpha", 1));
  const uint32_t input = context.read(0);
  context.emit(nnapi, {input, alpha}, {context.write(context.dims(0))});
}

void convert_hard_sigmoid(NodeContext& context, int32_t nnapi) {
  const double alpha = context.attributes().real("alpha", 0.2f);
  const double beta = context.attributes().real("beta", 0.5f);
  const Dims dims = context.dims(0);
  if (context.form().hard_swish) {
    const uint32_t input = context.read(0);
    return context.emit(nnapi, {input}, {context.write(dims)});
  }
  if (context.quantised()) throw NeedsFloats{};
  // max(0, min(1, alpha * x + beta))
  const uint32_t none = context.builder().int_scalar(ANEURALNETWORKS_FUSED_NONE);
  const uint32_t relu = context.builder().int_scalar(ANEURALNETWORKS_FUSED_RELU);
  const uint32_t scaled = context.temporary(dims);
  const uint32_t moved = context.temporary(dims);
  context.emit(ANEURALNETWORKS_MUL, {context.read(0), add_bound(context, alpha), none}, {scaled});
  context.emit(ANEURALNETWORKS_ADD, {scaled, add_bound(context, beta), relu}, {moved});
  context.emit(ANEURALNETWORKS_MINIMUM, {moved, add_bound(context, 1)}, {context.write(dims)});
}

void convert_softmax(NodeContext& context, int32_t nnapi) {
  const int64_t opset = context.attributes().integer("opset", context.opset());  // said by QLinearSoftmax
  const Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", opset < 13 ? 1 : -1), dims.size());
  // Before operator set 13 all dimensions from the axis on were one.
  Dims computed = dims;
  size_t along = axis;
  if (opset < 13) {
    computed = flattened_dims(dims, static_cast<int64_t>(axis));
    along = 1;
  }
  const uint32_t input = context.read_as(0, computed);
  const uint32_t beta = context.real_scalar(1);
  context.emit(nnapi, {input, beta, context.builder().int_scalar(static_cast<int32_t>(along))},
               {context.write_as(dims, computed)});
}

}  // namespace avocet::tools::onnx
