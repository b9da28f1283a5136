// SPDX-License-Identifier: Apache-2.0
// Equal integer scalars share one operand: most operations have several small ones.
#include "importer/operand_builder.hpp"

#include <android/NeuralNetworks.h>

#include <cstring>

namespace avocet::tools {
namespace {

template <typename T>
std::vector<uint8_t> bytes_of(std::span<const T> values) {
  std::vector<uint8_t> bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

uint32_t OperandBuilder::add(Operand operand) {
  description_.operands.push_back(std::move(operand));
  return static_cast<uint32_t>(description_.operands.size() - 1);
}

uint32_t OperandBuilder::add_constant(int32_t type, std::vector<uint32_t> dims, std::vector<uint8_t> bytes, float scale,
                                      int32_t zero_point) {
  Operand operand;
  operand.type = type;
  operand.dims = std::move(dims);
  operand.scale = scale;
  operand.zero_point = zero_point;
  operand.lifetime = Lifetime::constant_copy;
  operand.value = std::move(bytes);
  return add(std::move(operand));
}

uint32_t OperandBuilder::add_temporary(int32_t type, std::vector<uint32_t> dims, float scale, int32_t zero_point) {
  Operand operand;
  operand.type = type;
  operand.dims = std::move(dims);
  operand.scale = scale;
  operand.zero_point = zero_point;
  return add(std::move(operand));
}

uint32_t OperandBuilder::add_temporary_like(uint32_t operand, std::vector<uint32_t> dims) {
  const Operand& like = description_.operands[operand];
  return add_temporary(like.type, std::move(dims), like.scale, like.zero_point);
}

uint32_t OperandBuilder::int_scalar(int32_t value) {
  const auto [entry, added] = int_scalars_.try_emplace(value, 0);
  if (added) entry->second = add_constant(ANEURALNETWORKS_INT32, {}, bytes_of(std::span<const int32_t>(&value, 1)));
  return entry->second;
}

uint32_t OperandBuilder::float_scalar(float value) {
  return add_constant(ANEURALNETWORKS_FLOAT32, {}, bytes_of(std::span<const float>(&value, 1)));
}

uint32_t OperandBuilder::bool_scalar(bool value) {
  return add_constant(ANEURALNETWORKS_BOOL, {}, {static_cast<uint8_t>(value)});
}

uint32_t OperandBuilder::int_tensor(std::span<const int32_t> values, std::vector<uint32_t> dims) {
  if (dims.empty()) dims = {static_cast<uint32_t>(values.size())};
  return add_constant(ANEURALNETWORKS_TENSOR_INT32, std::move(dims), bytes_of(values));
}

void OperandBuilder::emit(int32_t code, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
  description_.operations.push_back({.code = code, .inputs = std::move(inputs), .outputs = std::move(outputs)});
}

void OperandBuilder::emit_movement(int32_t code, size_t data_inputs, std::vector<uint32_t> inputs, uint32_t output) {
  const std::vector<uint32_t> dims = description_.operands[output].dims;
  if (description_.operands[output].type != ANEURALNETWORKS_TENSOR_INT32)
    return emit(code, std::move(inputs), {output});
  for (size_t i = 0; i < data_inputs; ++i) {
    const uint32_t as_float = add_temporary(ANEURALNETWORKS_TENSOR_FLOAT32, description_.operands[inputs[i]].dims);
    emit(ANEURALNETWORKS_CAST, {inputs[i]}, {as_float});
    inputs[i] = as_float;
  }
  const uint32_t moved = add_temporary(ANEURALNETWORKS_TENSOR_FLOAT32, dims);
  emit(code, std::move(inputs), {moved});
  emit(ANEURALNETWORKS_CAST, {moved}, {output});
}

void OperandBuilder::emit_reshape(uint32_t input, uint32_t output) {
  const std::vector<uint32_t>& dims = description_.operands[output].dims;
  const std::vector<int32_t> shape(dims.begin(), dims.end());
  emit_movement(ANEURALNETWORKS_RESHAPE, 1, {input, int_tensor(shape)}, output);
}

}  // namespace avocet::tools
