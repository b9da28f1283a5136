// SPDX-License-Identifier: Apache-2.0
// Values get their operands when somebody reads them, so that what is never read (weights that are transposed, scales,
// shapes) leaves nothing behind.
#include "importer/onnx/conversion.hpp"

#include <android/NeuralNetworks.h>

#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/shapes.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools::onnx {
namespace {

constexpr size_t kMaxConstantBytes = size_t{4} << 30;

Quantisation plain_numbers() { return {.scales = {1.0f}, .zero_points = {0}, .axis = 0}; }

/// Position along the quantised axis of each element in turn.
size_t channel_at(size_t element, const Dims& dims, const Quantisation& quantisation) {
  if (quantisation.per_tensor()) return 0;
  size_t inner = 1;
  for (size_t i = quantisation.axis + 1; i < dims.size(); ++i) inner *= dims[i];
  return element / inner % dims[quantisation.axis];
}

Tensor dequantised(const Tensor& source, const Quantisation& quantisation, ElementType type) {
  const std::vector<int64_t> bytes = integers_of(source);
  std::vector<double> values(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t channel = channel_at(i, source.dims, quantisation);
    values[i] = static_cast<float>(bytes[i] - quantisation.zero_points[channel]) * quantisation.scales[channel];
  }
  return make_tensor(type, source.dims, values);
}

}  // namespace

int32_t operand_type(ElementType type) {
  switch (type) {
    case ElementType::float32: return ANEURALNETWORKS_TENSOR_FLOAT32;
    case ElementType::float16: return ANEURALNETWORKS_TENSOR_FLOAT16;
    case ElementType::int32:
    case ElementType::int64: return ANEURALNETWORKS_TENSOR_INT32;
    case ElementType::boolean: return ANEURALNETWORKS_TENSOR_BOOL8;
    case ElementType::uint8: return ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
    case ElementType::int8: return ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
    default:
      throw std::runtime_error(std::string("tensors of type ") + element_type_info(type).name +
                               " have no form in the API");
  }
}

Dims operand_dims(const Dims& dims) {
  if (dims.size() > 4)
    throw std::runtime_error("a tensor of shape " + dims_text(dims) + ": the API has four dimensions");
  if (element_count_of(dims) == 0) throw std::runtime_error("a tensor of shape " + dims_text(dims) + " is empty");
  return dims.empty() ? Dims{1} : dims;
}

Value* Conversion::find(const std::string& name) {
  if (const auto found = values_.find(name); found != values_.end()) return &found->second;
  const auto initialiser = model_.initialisers.find(name);
  if (initialiser == model_.initialisers.end()) return nullptr;
  Value& value = define(name, initialiser->second->type, initialiser->second->dims);
  value.constant = initialiser->second;
  return &value;
}

Value& Conversion::value(const std::string& name) {
  if (Value* found = find(name)) return *found;
  throw std::runtime_error("'" + name + "' is read before it is written");
}

Value& Conversion::define(const std::string& name, ElementType type, Dims dims) {
  const auto [entry, added] = values_.try_emplace(name);
  if (!added) throw std::runtime_error("'" + name + "' is written twice");
  Value& value = entry->second;
  value.index = values_.size() - 1;
  value.name = name;
  value.type = type;
  value.dims = std::move(dims);
  return value;
}

Value& Conversion::define_hidden(ElementType type, Dims dims) {
  // Names of the file are texts: none begins with a zero byte and goes on with a number that is not taken.
  std::string name(1, '\0');
  return define(name + std::to_string(values_.size()), type, std::move(dims));
}

Value& Conversion::define_constant(const std::string& name, Tensor tensor) {
  charge(tensor.bytes.size());
  Value& value = define(name, tensor.type, tensor.dims);
  value.constant = std::make_shared<const Tensor>(std::move(tensor));
  return value;
}

Value& Conversion::define_alias(const std::string& name, const Value& value) {
  Value& alias = define(name, value.type, value.dims);
  const size_t index = alias.index;
  alias = value;
  alias.index = index;
  alias.name = name;
  return alias;
}

Value& Conversion::define_dequantised(const std::string& name, Value& source, Quantisation quantisation,
                                      ElementType type) {
  Value& value = define(name, type, source.dims);
  value.quantised = &source;
  value.quantisation = std::move(quantisation);
  return value;
}

TensorPtr Conversion::constant_of(Value& value) {
  if (value.constant || !value.is_constant()) return value.constant;
  Tensor real = dequantised(*value.quantised->constant, *value.quantisation, value.type);
  charge(real.bytes.size());
  value.constant = std::make_shared<const Tensor>(std::move(real));
  return value.constant;
}

TensorPtr Conversion::constant_of(const std::string& name) {
  Value* found = find(name);
  return found ? constant_of(*found) : nullptr;
}

uint32_t Conversion::operand_of(Value& value) {
  if (value.operand && !value.reshaped) return *value.operand;
  const Dims dims = operand_dims(value.dims);
  if (value.reshaped) {
    const uint32_t shaped = builder_.add_temporary_like(*value.operand, dims);
    builder_.emit_reshape(*value.operand, shaped);
    value.operand = shaped;
    value.reshaped = false;
    return shaped;
  }
  if (const TensorPtr constant = constant_of(value)) {
    value.operand = add_constant(*constant, value.quantised ? std::nullopt : value.quantisation);
  } else if (value.quantised) {
    const uint32_t bytes = operand_of(*value.quantised);
    value.operand = add_temporary(value.type, value.dims, {});
    builder_.emit(ANEURALNETWORKS_DEQUANTIZE, {bytes}, {*value.operand});
  } else {
    throw std::runtime_error("'" + value.name + "' has no value");
  }
  return *value.operand;
}

uint32_t Conversion::quantised_operand_of(Value& value) {
  if (!value.quantised->constant) return operand_of(*value.quantised);
  if (!value.quantised_operand) value.quantised_operand = add_constant(*value.quantised->constant, value.quantisation);
  return *value.quantised_operand;
}

uint32_t Conversion::unshaped_operand_of(Value& value) { return value.reshaped ? *value.operand : operand_of(value); }

uint32_t Conversion::add_temporary(ElementType type, const Dims& dims,
                                   const std::optional<Quantisation>& quantisation) {
  const Quantisation& bytes = quantisation ? *quantisation : plain_numbers();
  if (!is_8bit(type)) return builder_.add_temporary(operand_type(type), operand_dims(dims));
  return builder_.add_temporary(operand_type(type), operand_dims(dims), bytes.scale(), bytes.zero_point());
}

uint32_t Conversion::add_constant(const Tensor& tensor, const std::optional<Quantisation>& quantisation) {
  const Quantisation& bytes = quantisation ? *quantisation : plain_numbers();
  if (!bytes.per_tensor()) throw std::runtime_error("a scale per channel, which is for weights only");
  charge(tensor.bytes.size());
  if (tensor.type == ElementType::int64) {
    const std::vector<int64_t> values = integers_of(tensor);
    const Tensor narrow = make_tensor(ElementType::int32, tensor.dims, std::span<const int64_t>(values));
    return builder_.add_constant(ANEURALNETWORKS_TENSOR_INT32, operand_dims(tensor.dims), narrow.bytes);
  }
  const int32_t type = operand_type(tensor.type);
  if (!is_8bit(tensor.type)) return builder_.add_constant(type, operand_dims(tensor.dims), tensor.bytes);
  return builder_.add_constant(type, operand_dims(tensor.dims), tensor.bytes, bytes.scale(), bytes.zero_point());
}

uint32_t Conversion::real_scalar(double value, ElementType type) {
  if (type != ElementType::float16) return builder_.float_scalar(static_cast<float>(value));
  std::vector<uint8_t> bytes;
  append_element(ANEURALNETWORKS_FLOAT16, value, bytes);
  return builder_.add_constant(ANEURALNETWORKS_FLOAT16, {}, std::move(bytes));
}

void Conversion::charge(size_t bytes) {
  constant_bytes_ += bytes;
  if (constant_bytes_ > kMaxConstantBytes) throw std::runtime_error("the constants, with their copies, exceed 4 GiB");
}

ImportedTensor Conversion::describe(const Value& value, uint32_t operand) const {
  const Operand& described = builder_.description().operands[operand];
  const bool wide = value.type == ElementType::int64;
  return {
      .index = static_cast<int>(value.index),
      .name = value.name,
      .type = element_type_info(value.type).name,
      .dims = described.dims,
      .scale = described.scale,
      .zero_point = described.zero_point,
      .operand = operand,
      .element_bytes = element_type_info(value.type).element_bytes,
      .widened = wide,
  };
}

}  // namespace avocet::tools::onnx
