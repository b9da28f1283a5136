// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear and DequantizeLinear where no operator between them took them along.
#include <android/NeuralNetworks.h>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/requantise.hpp"

namespace avocet::tools::onnx {
namespace {

NodeQuantisation read_quantisation(NodeContext& context) {
  for (const char* name : {"axis", "block_size", "saturate", "precision", "output_dtype"})
    context.attributes().has(name);
  NodeQuantisation found = quantisation_of(context.conversion(), context.node(), context.dims(0).size());
  if (!found.problem.empty()) refuse(found.problem);
  return found;
}

/// An int32 tensor that is computed, times its scale.
void emit_scaled_integers(NodeContext& context, const Quantisation& quantisation) {
  if (!quantisation.per_tensor() || quantisation.zero_point() != 0)
    refuse("int32 with a zero point or a scale per channel");
  Conversion& conversion = context.conversion();
  const Dims dims = context.dims(0);
  const uint32_t real = conversion.add_temporary(ElementType::float32, dims, {});
  const uint32_t input = conversion.operand_of(context.in(0));
  context.emit(ANEURALNETWORKS_CAST, {input}, {real});
  const std::vector<double> scale = {quantisation.scale()};
  const uint32_t factor = conversion.add_constant(make_tensor(ElementType::float32, {1}, scale));
  context.emit(ANEURALNETWORKS_MUL, {real, factor, context.activation()},
               {context.write(0, dims, ElementType::float32)});
}

}  // namespace

void convert_dequantize(NodeContext& context, int32_t) {
  Value& source = context.in(0);
  const NodeQuantisation found = read_quantisation(context);
  if (context.has(2) && found.type != source.type) refuse("input and zero point of different types");
  const ElementType real = context.in(1).type;
  const bool known = is_8bit(source.type) || source.constant;
  if (!known && source.type == ElementType::int32) return emit_scaled_integers(context, found.quantisation);
  if (!is_integer(source.type) || !known)
    refuse(std::string("an input of type ") + element_type_info(source.type).name);
  if (source.constant) {
    const Quantisation& quantisation = found.quantisation;
    const bool fits =
        quantisation.axis < source.dims.size() && source.dims[quantisation.axis] == quantisation.scales.size();
    if (!quantisation.per_tensor() && !fits)
      refuse(std::to_string(quantisation.scales.size()) + " scales for shape " + dims_text(source.dims));
  } else {
    if (!found.quantisation.per_tensor()) refuse("a scale per channel, which is for constants only");
    const Quantisation plain{.scales = {1.0f}, .zero_points = {0}, .axis = 0};
    if (found.quantisation != source.quantisation.value_or(plain)) {
      refuse("scale and zero point differ from those that '" + source.name + "' was made with");
    }
  }
  context.conversion().define_dequantised(context.form().output, source, found.quantisation, real);
}

void convert_quantize(NodeContext& context, int32_t nnapi) {
  Value& value = context.in(0);
  const NodeQuantisation found = read_quantisation(context);
  if (!is_8bit(found.type))
    refuse(std::string("a result of type ") + element_type_info(found.type).name + " has no form in the API");
  if (!found.quantisation.per_tensor()) refuse("a scale per channel, which is for constants only");
  if (!is_real(value.type)) refuse(std::string("an input of type ") + element_type_info(value.type).name);
  Conversion& conversion = context.conversion();
  const bool bytes = value.quantised && !value.quantised->constant && is_8bit(value.quantised->type);
  if (bytes && value.quantised->type == found.type && *value.quantisation == found.quantisation) {
    conversion.define_alias(context.form().output, *value.quantised);
    return;
  }
  const uint32_t input = bytes ? conversion.quantised_operand_of(value) : conversion.operand_of(value);
  Value& result = conversion.define(context.form().output, found.type, value.dims);
  result.quantisation = found.quantisation;
  result.operand = conversion.add_temporary(found.type, value.dims, found.quantisation);
  if (!bytes) return context.emit(nnapi, {input}, {*result.operand});
  emit_requantise(context.builder(), input, *result.operand, context.activation());
}

}  // namespace avocet::tools::onnx
