// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element, and normalisations along an axis.
#include <android/NeuralNetworks.h>

#include <cstring>

#include "importer/operators.hpp"
#include "importer/requantise.hpp"

namespace avocet::tools {

void convert_unary(OperatorContext& context, int32_t nnapi) {
  context.graph().emit(nnapi, {context.read(0)}, {context.write(0)});
}

void convert_binary(OperatorContext& context, int32_t nnapi) {
  const uint32_t left = context.read(0);
  const uint32_t right = context.read(1);
  context.graph().emit(nnapi, {left, right}, {context.write(0)});
}

void convert_arithmetic(OperatorContext& context, int32_t nnapi) {
  tflite::Activation fused = tflite::Activation::NONE;
  switch (nnapi) {
    case ANEURALNETWORKS_ADD: fused = context.options<tflite::AddOptions>().fused_activation_function(); break;
    case ANEURALNETWORKS_SUB: fused = context.options<tflite::SubOptions>().fused_activation_function(); break;
    case ANEURALNETWORKS_MUL: fused = context.options<tflite::MulOptions>().fused_activation_function(); break;
    default: fused = context.options<tflite::DivOptions>().fused_activation_function(); break;
  }
  const uint32_t left = context.read(0);
  const uint32_t right = context.read(1);
  const uint32_t activation = context.activation(fused);
  context.graph().emit(nnapi, {left, right, activation}, {context.write(0)});
}

void convert_floor_div(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView result = context.out(0);
  const std::vector<uint32_t> inputs = {context.read(0), context.read(1), graph.int_scalar(ANEURALNETWORKS_FUSED_NONE)};
  if (result.type == ANEURALNETWORKS_TENSOR_INT32) {
    return graph.emit(nnapi, inputs, {context.write(0)});  // DIV of TENSOR_INT32 rounds down
  }
  const uint32_t quotient = graph.add_temporary(result.type, result.dims);
  graph.emit(nnapi, inputs, {quotient});
  graph.emit(ANEURALNETWORKS_FLOOR, {quotient}, {context.write(0)});
}

void convert_square(OperatorContext& context, int32_t nnapi) {
  const uint32_t input = context.read(0);
  context.graph().emit(nnapi, {input, input, context.graph().int_scalar(ANEURALNETWORKS_FUSED_NONE)},
                       {context.write(0)});
}

void convert_relu(OperatorContext& context, int32_t nnapi) {
  const TensorView from = context.in(0);
  const TensorView to = context.out(0);
  const bool same = from.scale == to.scale && from.zero_point == to.zero_point;
  if (same || !from.quantised()) return convert_unary(context, nnapi);
  // The API's activations keep the quantisation, the file's may change it.
  const int32_t fused = nnapi == ANEURALNETWORKS_RELU    ? ANEURALNETWORKS_FUSED_RELU
                        : nnapi == ANEURALNETWORKS_RELU1 ? ANEURALNETWORKS_FUSED_RELU1
                                                         : ANEURALNETWORKS_FUSED_RELU6;
  const uint32_t input = context.read(0);
  emit_requantise(context.graph(), input, context.write(0), context.graph().int_scalar(fused));
}

void convert_leaky_relu(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView data = context.in(0);
  const float alpha = context.options<tflite::LeakyReluOptions>().alpha();
  uint32_t slope = 0;
  if (data.type == ANEURALNETWORKS_TENSOR_FLOAT32) {
    std::vector<uint8_t> bytes(sizeof alpha);
    std::memcpy(bytes.data(), &alpha, sizeof alpha);
    slope = graph.add_constant(data.type, {1}, std::move(bytes));
  } else if (data.quantised() && alpha > 0) {
    slope = graph.add_constant(data.type, {1}, {1}, alpha, 0);  // the number 1 at a scale of alpha
  } else {
    context.refuse("this input type or slope has no form in the API");
  }
  graph.emit(nnapi, {context.read(0), slope}, {context.write(0)});
}

void convert_select(OperatorContext& context, int32_t nnapi) {
  const TensorView condition = context.in(0);
  if (condition.dims != context.in(1).dims || condition.dims != context.in(2).dims) {
    context.refuse("operands of different shapes");
  }
  const std::vector<uint32_t> inputs = {context.read(0), context.read(1), context.read(2)};
  context.graph().emit(nnapi, inputs, {context.write(0)});
}

void convert_softmax(OperatorContext& context, int32_t nnapi) {
  const float beta = context.options<tflite::SoftmaxOptions>().beta();
  context.graph().emit(nnapi, {context.read(0), context.graph().float_scalar(beta)}, {context.write(0)});
}

void convert_log_softmax(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  graph.emit(nnapi, {context.read(0), graph.float_scalar(1), graph.int_scalar(-1)}, {context.write(0)});
}

void convert_l2_normalization(OperatorContext& context, int32_t nnapi) {
  if (context.options<tflite::L2NormOptions>().fused_activation_function() != tflite::Activation::NONE) {
    context.refuse("a fused activation");
  }
  convert_unary(context, nnapi);
}

void convert_local_response_normalization(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const auto& options = context.options<tflite::LocalResponseNormalizationOptions>();
  graph.emit(nnapi,
             {context.read(0), graph.int_scalar(options.radius()), graph.float_scalar(options.bias()),
              graph.float_scalar(options.alpha()), graph.float_scalar(options.beta())},
             {context.write(0)});
}

}  // namespace avocet::tools
