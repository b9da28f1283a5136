// SPDX-License-Identifier: Apache-2.0
// Puts models for measuring together: seeded constants, scalars, tensors of float32 or int8.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstring>
#include <random>

#include "nnapi/model_description.hpp"

namespace avocet::bench {

class DescriptionBuilder {
 public:
  /// `type`: TENSOR_FLOAT32, or TENSOR_QUANT8_ASYMM_SIGNED with a scale of 1/16 and zero point 0.
  explicit DescriptionBuilder(int32_t type = ANEURALNETWORKS_TENSOR_FLOAT32) : type_(type) {}

  uint32_t tensor(std::vector<uint32_t> dims, tools::Lifetime lifetime = tools::Lifetime::temporary) {
    const uint32_t index = push({.type = type_, .dims = std::move(dims), .scale = scale(), .lifetime = lifetime});
    if (lifetime == tools::Lifetime::input) model_.inputs.push_back(index);
    return index;
  }
  uint32_t input(std::vector<uint32_t> dims) { return tensor(std::move(dims), tools::Lifetime::input); }

  /// Random values: normal with this deviation, or any int8.
  uint32_t weights(std::vector<uint32_t> dims, float deviation) {
    size_t count = 1;
    for (uint32_t extent : dims) count *= extent;
    tools::Operand operand{.type = type_, .dims = std::move(dims), .scale = scale(), .lifetime = tools::Lifetime::constant_copy};
    if (quantised()) {
      operand.value.emplace(count);
      for (uint8_t& value : *operand.value) value = static_cast<uint8_t>(random_());
    } else {
      std::vector<float> values(count);
      std::normal_distribution<float> normal(0.0f, deviation);
      for (float& value : values) value = normal(random_);
      operand.value.emplace(count * sizeof(float));
      std::memcpy(operand.value->data(), values.data(), operand.value->size());
    }
    return push(std::move(operand));
  }
  /// Of a convolution or fully connected layer: int32 beside int8 weights.
  uint32_t bias(uint32_t count, float deviation) {
    if (!quantised()) return weights({count}, deviation);
    tools::Operand operand{.type = ANEURALNETWORKS_TENSOR_INT32, .dims = {count}, .scale = scale() * scale(),
                           .lifetime = tools::Lifetime::constant_copy};
    operand.value.emplace(count * sizeof(int32_t), uint8_t{0});
    return push(std::move(operand));
  }
  uint32_t scalar(int32_t value) { return constant(ANEURALNETWORKS_INT32, &value, sizeof value); }
  uint32_t scalar(float value) { return constant(ANEURALNETWORKS_FLOAT32, &value, sizeof value); }

  void emit(int32_t code, std::vector<uint32_t> inputs, uint32_t output) {
    model_.operations.push_back({code, std::move(inputs), {output}});
  }
  /// The model with `output` as its only output.
  tools::ModelDescription finish(uint32_t output) {
    model_.operands[output].lifetime = tools::Lifetime::output;
    model_.outputs = {output};
    return std::move(model_);
  }
  tools::Operand& operand(uint32_t index) { return model_.operands[index]; }

 private:
  bool quantised() const { return type_ != ANEURALNETWORKS_TENSOR_FLOAT32; }
  float scale() const { return quantised() ? 1.0f / 16 : 0.0f; }
  uint32_t push(tools::Operand operand) {
    model_.operands.push_back(std::move(operand));
    return static_cast<uint32_t>(model_.operands.size() - 1);
  }
  uint32_t constant(int32_t type, const void* value, size_t bytes) {
    tools::Operand operand{.type = type, .lifetime = tools::Lifetime::constant_copy};
    operand.value.emplace(bytes);
    std::memcpy(operand.value->data(), value, bytes);
    return push(std::move(operand));
  }

  const int32_t type_;
  tools::ModelDescription model_;
  std::mt19937 random_{1};
};

}  // namespace avocet::bench
