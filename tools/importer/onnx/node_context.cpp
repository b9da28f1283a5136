// SPDX-License-Identifier: Apache-2.0
// In the quantised form inputs are brought to one signedness, and the output is written as the operation can write it
// and then turned into what the QuantizeLinear asks for.
#include "importer/onnx/node_context.hpp"

#include <android/NeuralNetworks.h>

#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/requantise.hpp"

namespace avocet::tools::onnx {
namespace {

Quantisation with_other_sign(Quantisation quantisation, ElementType to) {
  for (int32_t& zero_point : quantisation.zero_points) zero_point += to == ElementType::int8 ? -128 : 128;
  return quantisation;
}

uint8_t type_bit(ElementType type) {
  if (is_real(type)) return kReal;
  return type == ElementType::boolean ? kBoolean : kInteger;
}

}  // namespace

void refuse(const std::string& reason) { throw std::runtime_error(reason); }

size_t NodeContext::input_count() const {
  size_t count = node_.inputs.size();
  while (count > 0 && node_.inputs[count - 1].empty()) --count;
  return count;
}

Value& NodeContext::in(size_t i) {
  if (!has(i)) refuse("input " + std::to_string(i) + " is missing");
  return conversion_.value(node_.inputs[i]);
}

TensorPtr NodeContext::constant(size_t i) {
  TensorPtr tensor = conversion_.constant_of(in(i));
  if (!tensor) refuse("input " + std::to_string(i) + " ('" + node_.inputs[i] + "') must be a constant");
  return tensor;
}

std::vector<int64_t> NodeContext::integers(size_t i) { return integers_of(*constant(i)); }

int64_t NodeContext::integer(size_t i) {
  const std::vector<int64_t> values = integers(i);
  if (values.size() != 1) refuse("input " + std::to_string(i) + " must be one integer");
  return values.front();
}

std::vector<int64_t> NodeContext::integers(const char* attribute, size_t input) {
  std::vector<int64_t> values = attributes_.integers(attribute);
  if (!has(input)) return values;
  if (!values.empty()) refuse(std::string("'") + attribute + "' is an attribute and an input");
  return integers(input);
}

void NodeContext::check_type(const Value& value) const {
  const char* name = element_type_info(value.type).name;
  if (is_8bit(value.type)) {
    const bool bytes = row_.quantised == QuantisedForm::moves || row_.quantised == QuantisedForm::resizes;
    if (!bytes) refuse(std::string("plain ") + name + " numbers have no form in the API here");
  } else if ((row_.types & type_bit(value.type)) == 0) {
    refuse(std::string("inputs of type ") + name + " have no form in the API here");
  }
}

uint32_t NodeContext::read(size_t i) {
  Value& value = in(i);
  if (form_.mode != Mode::real && value.quantised && is_8bit(value.quantised->type)) return read_bytes(value);
  check_type(value);
  return conversion_.operand_of(value);
}

uint32_t NodeContext::read_bytes(Value& value) {
  const ElementType wanted = byte_type();
  if (form_.mode == Mode::moves || value.quantised->type == wanted) return conversion_.quantised_operand_of(value);
  const Quantisation quantisation = with_other_sign(*value.quantisation, wanted);
  if (const TensorPtr& bytes = value.quantised->constant) {
    return conversion_.add_constant({.type = wanted, .dims = bytes->dims, .bytes = onnx::with_other_sign(bytes->bytes)},
                                    quantisation);
  }
  const uint32_t flipped = conversion_.add_temporary(wanted, value.dims, quantisation);
  emit_requantise(builder(), conversion_.quantised_operand_of(value), flipped,
                  builder().int_scalar(ANEURALNETWORKS_FUSED_NONE));
  return flipped;
}

uint32_t NodeContext::read_as(size_t i, const Dims& dims) {
  const uint32_t operand = read(i);
  if (builder().description().operands[operand].dims == dims) return operand;
  const uint32_t shaped = builder().add_temporary_like(operand, operand_dims(dims));
  builder().emit_reshape(operand, shaped);
  return shaped;
}

uint32_t NodeContext::temporary(const Dims& dims) {
  if (form_.mode == Mode::real || !in(0).quantised) return conversion_.add_temporary(type(), dims, in(0).quantisation);
  return conversion_.add_temporary(byte_type(), dims, quantisation(0));
}

Value& NodeContext::define_output(size_t i, const Dims& dims, ElementType type) {
  const bool named = i < node_.outputs.size() && !node_.outputs[i].empty();
  if (!named) return conversion_.define_hidden(type, dims);
  return conversion_.define(i == 0 ? form_.output : node_.outputs[i], type, dims);
}

uint32_t NodeContext::write(size_t i, const Dims& dims) {
  if (form_.mode == Mode::quantised) return write_quantised(dims);
  Value& source = in(0);
  if (form_.mode == Mode::real || !source.quantised) return write(i, dims, source.type);
  // The bytes move; the output is their dequantised form again.
  Value& bytes = conversion_.define_hidden(source.quantised->type, dims);
  bytes.quantisation = source.quantisation;
  bytes.operand = conversion_.add_temporary(bytes.type, dims, bytes.quantisation);
  const bool named = i < node_.outputs.size() && !node_.outputs[i].empty();
  if (named) {
    const std::string& name = i == 0 ? form_.output : node_.outputs[i];
    conversion_.define_dequantised(name, bytes, *source.quantisation, source.type);
    written_.emplace_back(bytes.name, *bytes.operand);
  }
  return *bytes.operand;
}

uint32_t NodeContext::write(size_t i, const Dims& dims, ElementType type) {
  Value& value = define_output(i, dims, type);
  if (is_8bit(type)) value.quantisation = in(0).quantisation;
  value.operand = conversion_.add_temporary(type, dims, value.quantisation);
  if (i < node_.outputs.size()) written_.emplace_back(value.name, *value.operand);
  return *value.operand;
}

Quantisation NodeContext::native_quantisation() {
  const bool is_signed = byte_type() == ElementType::int8;
  switch (any_scale_ ? QuantisedForm::free : row_.quantised) {
    case QuantisedForm::keeps:
    case QuantisedForm::resizes: return quantisation(0);
    case QuantisedForm::sigmoid: return {.scales = {1.0f / 256}, .zero_points = {is_signed ? -128 : 0}, .axis = 0};
    case QuantisedForm::tanh: return {.scales = {1.0f / 128}, .zero_points = {is_signed ? 0 : 128}, .axis = 0};
    default: return byte_type() == form_.target_type ? form_.target : with_other_sign(form_.target, byte_type());
  }
}

uint32_t NodeContext::write_quantised(const Dims& dims) {
  Value& value = define_output(0, dims, form_.target_type);
  value.quantisation = form_.target;
  value.operand = conversion_.add_temporary(form_.target_type, dims, form_.target);
  written_.emplace_back(value.name, *value.operand);
  const Quantisation native = native_quantisation();
  if (byte_type() == form_.target_type && native == form_.target) return *value.operand;
  const uint32_t direct = conversion_.add_temporary(byte_type(), dims, native);
  adaptors_.push_back({.from = direct, .to = *value.operand, .reshape = false});
  return direct;
}

uint32_t NodeContext::write_as(const Dims& dims, const Dims& written) {
  const uint32_t output = write(dims);
  if (builder().description().operands[output].dims == written) return output;
  const uint32_t direct = builder().add_temporary_like(output, operand_dims(written));
  adaptors_.push_back({.from = direct, .to = output, .reshape = true});
  return direct;
}

void NodeContext::finish() {
  attributes_.require_all_read();
  const uint32_t none = builder().int_scalar(ANEURALNETWORKS_FUSED_NONE);
  while (!adaptors_.empty()) {
    const Adaptor adaptor = adaptors_.back();
    adaptors_.pop_back();
    if (adaptor.reshape) {
      builder().emit_reshape(adaptor.from, adaptor.to);
    } else {
      emit_requantise(builder(), adaptor.from, adaptor.to, none);
    }
  }
  for (const std::string& name : form_.same) conversion_.define_alias(name, conversion_.value(form_.output));
}

}  // namespace avocet::tools::onnx
