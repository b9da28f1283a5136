// SPDX-License-Identifier: Apache-2.0
// Tables behind operand_types.hpp, in the order of the codes in NeuralNetworks.h.
#include "nnapi/operand_types.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace avocet::tools {
namespace {

constexpr std::array<OperandTypeInfo, 16> kTypes = {{
    {"FLOAT32", 4, false},
    {"INT32", 4, false},
    {"UINT32", 4, false},
    {"TENSOR_FLOAT32", 4, true},
    {"TENSOR_INT32", 4, true},
    {"TENSOR_QUANT8_ASYMM", 1, true},
    {"BOOL", 1, false},
    {"TENSOR_QUANT16_SYMM", 2, true},
    {"TENSOR_FLOAT16", 2, true},
    {"TENSOR_BOOL8", 1, true},
    {"FLOAT16", 2, false},
    {"TENSOR_QUANT8_SYMM_PER_CHANNEL", 1, true},
    {"TENSOR_QUANT16_ASYMM", 2, true},
    {"TENSOR_QUANT8_SYMM", 1, true},
    {"TENSOR_QUANT8_ASYMM_SIGNED", 1, true},
    {"MODEL", 0, false},
}};

constexpr std::array kOperations = {
    "ADD", "AVERAGE_POOL_2D", "CONCATENATION", "CONV_2D", "DEPTHWISE_CONV_2D", "DEPTH_TO_SPACE", "DEQUANTIZE",
    "EMBEDDING_LOOKUP", "FLOOR", "FULLY_CONNECTED", "HASHTABLE_LOOKUP", "L2_NORMALIZATION", "L2_POOL_2D",
    "LOCAL_RESPONSE_NORMALIZATION", "LOGISTIC", "LSH_PROJECTION", "LSTM", "MAX_POOL_2D", "MUL", "RELU", "RELU1", "RELU6",
    "RESHAPE", "RESIZE_BILINEAR", "RNN", "SOFTMAX", "SPACE_TO_DEPTH", "SVDF", "TANH", "BATCH_TO_SPACE_ND", "DIV", "MEAN",
    "PAD", "SPACE_TO_BATCH_ND", "SQUEEZE", "STRIDED_SLICE", "SUB", "TRANSPOSE", "ABS", "ARGMAX", "ARGMIN",
    "AXIS_ALIGNED_BBOX_TRANSFORM", "BIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN", "BOX_WITH_NMS_LIMIT",
    "CAST", "CHANNEL_SHUFFLE", "DETECTION_POSTPROCESSING", "EQUAL", "EXP", "EXPAND_DIMS", "GATHER", "GENERATE_PROPOSALS",
    "GREATER", "GREATER_EQUAL", "GROUPED_CONV_2D", "HEATMAP_MAX_KEYPOINT", "INSTANCE_NORMALIZATION", "LESS", "LESS_EQUAL",
    "LOG", "LOGICAL_AND", "LOGICAL_NOT", "LOGICAL_OR", "LOG_SOFTMAX", "MAXIMUM", "MINIMUM", "NEG", "NOT_EQUAL", "PAD_V2",
    "POW", "PRELU", "QUANTIZE", "QUANTIZED_16BIT_LSTM", "RANDOM_MULTINOMIAL", "REDUCE_ALL", "REDUCE_ANY", "REDUCE_MAX",
    "REDUCE_MIN", "REDUCE_PROD", "REDUCE_SUM", "ROI_ALIGN", "ROI_POOLING", "RSQRT", "SELECT", "SIN", "SLICE", "SPLIT",
    "SQRT", "TILE", "TOPK_V2", "TRANSPOSE_CONV_2D", "UNIDIRECTIONAL_SEQUENCE_LSTM", "UNIDIRECTIONAL_SEQUENCE_RNN",
    "RESIZE_NEAREST_NEIGHBOR", "QUANTIZED_LSTM", "IF", "WHILE", "ELU", "HARD_SWISH", "FILL", "RANK"};
static_assert(kOperations.size() == ANEURALNETWORKS_RANK + 1);

template <typename T>
T load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <typename T>
void store(T value, std::vector<uint8_t>& bytes) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

const OperandTypeInfo* operand_type_info(int32_t type) {
  return type >= 0 && static_cast<size_t>(type) < kTypes.size() ? &kTypes[static_cast<size_t>(type)] : nullptr;
}

std::optional<int32_t> operand_type_code(std::string_view name) {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (name == kTypes[i].name) return static_cast<int32_t>(i);
  }
  return std::nullopt;
}

std::optional<int32_t> operation_code(std::string_view name) {
  const auto found = std::find(kOperations.begin(), kOperations.end(), name);
  if (found == kOperations.end()) return std::nullopt;
  return static_cast<int32_t>(found - kOperations.begin());
}

std::string operation_name(int32_t code) {
  if (code < 0 || static_cast<size_t>(code) >= kOperations.size()) return "operation " + std::to_string(code);
  return kOperations[static_cast<size_t>(code)];
}

double read_element(int32_t type, const uint8_t* element) {
  switch (type) {
    case ANEURALNETWORKS_FLOAT32:
    case ANEURALNETWORKS_TENSOR_FLOAT32: return load<float>(element);
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_INT32: return load<int32_t>(element);
    case ANEURALNETWORKS_UINT32: return load<uint32_t>(element);
    case ANEURALNETWORKS_FLOAT16:
    case ANEURALNETWORKS_TENSOR_FLOAT16: return double_from_half(load<uint16_t>(element));
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: return load<int16_t>(element);
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: return load<uint16_t>(element);
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL:
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED: return static_cast<int8_t>(*element);
    default: return *element;  // BOOL, TENSOR_BOOL8, TENSOR_QUANT8_ASYMM
  }
}

void append_element(int32_t type, double value, std::vector<uint8_t>& bytes) {
  switch (type) {
    case ANEURALNETWORKS_FLOAT32:
    case ANEURALNETWORKS_TENSOR_FLOAT32: return store(static_cast<float>(value), bytes);
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_INT32: return store(static_cast<int32_t>(value), bytes);
    case ANEURALNETWORKS_UINT32: return store(static_cast<uint32_t>(value), bytes);
    case ANEURALNETWORKS_FLOAT16:
    case ANEURALNETWORKS_TENSOR_FLOAT16: return store(half_from_double(value), bytes);
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM:
      return store(static_cast<uint16_t>(static_cast<int32_t>(value)), bytes);
    default: bytes.push_back(static_cast<uint8_t>(static_cast<int32_t>(value)));
  }
}

std::optional<size_t> element_count(std::span<const uint32_t> dims) {
  uint64_t count = 1;
  for (const uint32_t d : dims) {
    count *= d;
    if (count > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  }
  return static_cast<size_t>(count);
}

std::string format_dimensions(std::span<const uint32_t> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}

std::string format_position(size_t index, std::span<const uint32_t> dims) {
  std::vector<uint32_t> position(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    const uint32_t extent = std::max(dims[i], 1u);
    position[i] = static_cast<uint32_t>(index % extent);
    index /= extent;
  }
  return format_dimensions(position);
}

uint16_t half_from_double(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  if (std::isnan(value)) return sign | 0x7e00;
  if (magnitude >= 65520.0) return sign | 0x7c00;  // halfway between the largest half and the next power
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent with f in [0.5, 1)
  const int ulp_exponent = std::max(exponent - 11, -24);
  const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -ulp_exponent)));
  // `steps` has at most 11 bits plus a carry: adding it to the biased exponent lets the carry ripple into place.
  const uint32_t biased = static_cast<uint32_t>(ulp_exponent + 24);
  return static_cast<uint16_t>(sign | ((biased << 10) + steps));
}

double double_from_half(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

}  // namespace avocet::tools
