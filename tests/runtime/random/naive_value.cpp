// SPDX-License-Identifier: Apache-2.0
#include "naive_value.hpp"

#include <algorithm>

#include "nnapi/operand_types.hpp"

namespace avocet::random_models {

bool is_tensor_type(int32_t type) { return tools::operand_type_info(type)->tensor; }

bool is_half_type(int32_t type) { return type == ANEURALNETWORKS_FLOAT16 || type == ANEURALNETWORKS_TENSOR_FLOAT16; }

bool is_float_type(int32_t type) {
  return is_half_type(type) || type == ANEURALNETWORKS_FLOAT32 || type == ANEURALNETWORKS_TENSOR_FLOAT32;
}

bool is_quantised_type(int32_t type) {
  switch (type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL:
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: return true;
    default: return false;
  }
}

StoredRange stored_range(int32_t type) {
  switch (type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return {0, 255};
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL: return {-128, 127};
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: return {-32768, 32767};
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: return {0, 65535};
    case ANEURALNETWORKS_BOOL:
    case ANEURALNETWORKS_TENSOR_BOOL8: return {0, 1};
    default: return {-2147483648.0, 2147483647.0};
  }
}

double Value::stored(size_t i) const {
  if (is_float_type(type)) return real[i];
  if (!channel_scales.empty()) {
    const size_t inner = count_of(Dims(dims.begin() + channel_dim + 1, dims.end()));
    return std::round(real[i] / double{channel_scales[i / inner % dims[channel_dim]]});
  }
  return std::round(real[i] / scale + zero_point);
}

bool Value::finite() const {
  return std::all_of(real.begin(), real.end(), [](double x) { return std::isfinite(x); });
}

Value read_value(const tools::Operand& operand, const Dims& dims, std::span<const uint8_t> bytes) {
  Value value;
  value.type = operand.type;
  value.dims = dims;
  if (operand.scale != 0) value.scale = double{operand.scale};
  value.zero_point = operand.zero_point;
  value.channel_scales = operand.channel_scales;
  value.channel_dim = operand.channel_dim;
  const size_t size = tools::operand_type_info(operand.type)->element_bytes;
  const size_t inner = value.channel_scales.empty() ? 1 : count_of(Dims(dims.begin() + value.channel_dim + 1, dims.end()));
  value.real.resize(size ? bytes.size() / size : 0);
  for (size_t i = 0; i < value.real.size(); ++i) {
    const double stored = tools::read_element(operand.type, bytes.data() + i * size);
    const double scale =
        value.channel_scales.empty() ? value.scale : double{value.channel_scales[i / inner % dims[value.channel_dim]]};
    value.real[i] = is_quantised_type(operand.type) ? (stored - value.zero_point) * scale : stored;
    if (is_quantised_type(operand.type) || is_float_type(operand.type)) continue;
    value.real[i] = stored * value.scale;  // TENSOR_INT32 may have a scale: a bias
  }
  return value;
}

double to_stored(const Value& like, double real) {
  if (is_half_type(like.type)) return tools::double_from_half(tools::half_from_double(real));
  if (is_float_type(like.type)) return static_cast<double>(static_cast<float>(real));
  const StoredRange range = stored_range(like.type);
  if (std::isnan(real)) return like.zero_point;
  return std::clamp(std::round(real / like.scale + like.zero_point), range.low, range.high);
}

double to_real(const Value& like, double stored) {
  return is_float_type(like.type) ? stored : (stored - like.zero_point) * like.scale;
}

std::vector<uint8_t> stored_bytes(const Value& value) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < value.real.size(); ++i) {
    tools::append_element(value.type, value.channel_scales.empty() ? to_stored(value, value.real[i]) : value.stored(i), bytes);
  }
  return bytes;
}

std::vector<int64_t> Call::integers(size_t i) const {
  return {inputs_[i].real.begin(), inputs_[i].real.end()};
}

void for_each_position(const Dims& dims, const std::function<void(const Dims&, size_t)>& body) {
  const size_t count = count_of(dims);
  Dims position(dims.size(), 0);
  for (size_t i = 0; i < count; ++i) {
    body(position, i);
    for (size_t d = dims.size(); d-- > 0;) {
      if (++position[d] < dims[d]) break;
      position[d] = 0;
    }
  }
}

size_t flat_index(const Dims& dims, const Dims& position) {
  size_t index = 0;
  for (size_t d = 0; d < dims.size(); ++d) index = index * dims[d] + position[d];
  return index;
}

double activate(int64_t fuse_code, double x) {
  switch (fuse_code) {
    case ANEURALNETWORKS_FUSED_RELU: return std::max(x, 0.0);
    case ANEURALNETWORKS_FUSED_RELU1: return std::clamp(x, -1.0, 1.0);
    case ANEURALNETWORKS_FUSED_RELU6: return std::clamp(x, 0.0, 6.0);
    default: return x;
  }
}

}  // namespace avocet::random_models
