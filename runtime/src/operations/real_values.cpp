// SPDX-License-Identifier: Apache-2.0
// Whole tensors as float32 and back: see real_values.hpp.
#include "real_values.hpp"

#include <algorithm>

#include "float16.hpp"
#include "requantise.hpp"
#include "shape.hpp"

namespace avocet::runtime {
namespace {

template <typename Stored>
void dequantise_all(const OperandView& tensor, std::vector<float>* values) {
  const Stored* stored = tensor.as<Stored>();
  for (size_t i = 0; i < values->size(); ++i) {
    (*values)[i] = static_cast<float>(int32_t{stored[i]} - tensor.zero_point) * tensor.scale;
  }
}

template <typename Stored>
void quantise_all(const OperandView& tensor, void* buffer, std::span<const float> values) {
  Stored* stored = static_cast<Stored*>(buffer);
  for (size_t i = 0; i < values.size(); ++i) stored[i] = quantise<Stored>(values[i], tensor.scale, tensor.zero_point);
}

}  // namespace

std::vector<float> real_values(const OperandView& tensor) {
  std::vector<float> values(count_of(tensor));
  if (values.empty()) return values;
  switch (tensor.type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: dequantise_all<uint8_t>(tensor, &values); break;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: dequantise_all<int8_t>(tensor, &values); break;
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: dequantise_all<uint16_t>(tensor, &values); break;
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: dequantise_all<int16_t>(tensor, &values); break;
    case ANEURALNETWORKS_TENSOR_FLOAT16: widen(tensor.as<Float16>(), values.data(), values.size()); break;
    default: std::copy_n(tensor.as<float>(), values.size(), values.data());
  }
  return values;
}

void store_real_values(const OperandView& tensor, void* buffer, std::span<const float> values) {
  if (values.empty()) return;
  switch (tensor.type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return quantise_all<uint8_t>(tensor, buffer, values);
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return quantise_all<int8_t>(tensor, buffer, values);
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: return quantise_all<uint16_t>(tensor, buffer, values);
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: return quantise_all<int16_t>(tensor, buffer, values);
    case ANEURALNETWORKS_TENSOR_FLOAT16: return narrow(values.data(), static_cast<Float16*>(buffer), values.size());
    default: std::copy(values.begin(), values.end(), static_cast<float*>(buffer));
  }
}

}  // namespace avocet::runtime
