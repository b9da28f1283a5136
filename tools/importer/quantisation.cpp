// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE, floats and 8 bit integers.
#include <android/NeuralNetworks.h>

#include "importer/operators.hpp"
#include "importer/requantise.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools {

void convert_quantize(OperatorContext& context, int32_t nnapi) {
  const TensorView from = context.in(0);
  const TensorView to = context.out(0);
  if (!to.quantised()) context.refuse("a result that is not 8 bit has no form in the API");
  if (from.type == ANEURALNETWORKS_TENSOR_FLOAT32) {
    return context.graph().emit(nnapi, {context.read(0)}, {context.write(0)});
  }
  if (!from.quantised()) context.refuse("an input that is neither float32 nor 8 bit has no form in the API");
  const uint32_t input = context.read(0);
  emit_requantise(context.graph(), input, context.write(0), context.graph().int_scalar(ANEURALNETWORKS_FUSED_NONE));
}

void convert_dequantize(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView from = context.in(0);
  if (from.quantised()) return graph.emit(nnapi, {context.read(0)}, {context.write(0)});
  if (from.type != ANEURALNETWORKS_TENSOR_FLOAT16) context.refuse("this input type has no form in the API");
  if (!from.constant) return graph.emit(ANEURALNETWORKS_CAST, {context.read(0)}, {context.write(0)});
  // float16 weights: widened here once.
  const auto halves = graph.file().constant(from.index);
  std::vector<uint8_t> floats;
  for (size_t at = 0; at + 2 <= halves.size(); at += 2) {
    append_element(ANEURALNETWORKS_TENSOR_FLOAT32, read_element(ANEURALNETWORKS_TENSOR_FLOAT16, halves.data() + at),
                   floats);
  }
  graph.bind(context.output_tensor(0), graph.add_constant(ANEURALNETWORKS_TENSOR_FLOAT32, from.dims, std::move(floats)));
}

}  // namespace avocet::tools
