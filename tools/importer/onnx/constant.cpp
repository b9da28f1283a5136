// SPDX-License-Identifier: Apache-2.0
// double holds every value of the types that matter exactly: float arithmetic in double and one rounding gives the same
// results as arithmetic in float, and int64 values beyond 2^53 go through integers_of() instead.
#include "importer/onnx/constant.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "importer/onnx/shapes.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools::onnx {
namespace {

template <typename T, typename Result>
std::vector<Result> converted(const Tensor& tensor) {
  std::vector<Result> values(tensor.bytes.size() / sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, tensor.bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<Result>(value);
  }
  return values;
}

template <typename T, typename Value>
void store(std::span<const Value> values, std::vector<uint8_t>& bytes) {
  bytes.resize(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<T>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

struct Range {
  int64_t low, high;
};

Range range_of(ElementType type) {
  switch (type) {
    case ElementType::boolean: return {0, 1};
    case ElementType::uint8: return {0, 255};
    case ElementType::int8: return {-128, 127};
    case ElementType::uint16: return {0, 65535};
    case ElementType::int16: return {-32768, 32767};
    case ElementType::int32: return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case ElementType::uint32: return {0, std::numeric_limits<uint32_t>::max()};
    case ElementType::uint64: return {0, std::numeric_limits<int64_t>::max()};
    default: return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  }
}

int64_t saturated(double value, Range range) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(range.low)) return range.low;
  if (value >= static_cast<double>(range.high)) return range.high;
  return std::llround(value);
}

}  // namespace

bool is_real(ElementType type) {
  return type == ElementType::float16 || type == ElementType::float32 || type == ElementType::float64;
}

bool is_8bit(ElementType type) { return type == ElementType::int8 || type == ElementType::uint8; }

bool is_integer(ElementType type) {
  return !is_real(type) && type != ElementType::boolean && element_type_info(type).element_bytes != 0;
}

std::vector<int64_t> integers_of(const Tensor& tensor) {
  switch (tensor.type) {
    case ElementType::boolean:
    case ElementType::uint8: return converted<uint8_t, int64_t>(tensor);
    case ElementType::int8: return converted<int8_t, int64_t>(tensor);
    case ElementType::uint16: return converted<uint16_t, int64_t>(tensor);
    case ElementType::int16: return converted<int16_t, int64_t>(tensor);
    case ElementType::int32: return converted<int32_t, int64_t>(tensor);
    case ElementType::uint32: return converted<uint32_t, int64_t>(tensor);
    case ElementType::int64: return converted<int64_t, int64_t>(tensor);
    case ElementType::uint64: {
      std::vector<int64_t> values = converted<uint64_t, int64_t>(tensor);
      if (std::any_of(values.begin(), values.end(), [](int64_t v) { return v < 0; })) {
        throw std::runtime_error("a uint64 constant beyond the range of int64");
      }
      return values;
    }
    default:
      throw std::runtime_error("a constant that must be integers has the type " +
                               std::string(element_type_info(tensor.type).name));
  }
}

std::vector<double> reals_of(const Tensor& tensor) {
  switch (tensor.type) {
    case ElementType::float32: return converted<float, double>(tensor);
    case ElementType::float64: return converted<double, double>(tensor);
    case ElementType::float16: {
      std::vector<double> values;
      for (const uint16_t bits : converted<uint16_t, uint16_t>(tensor)) values.push_back(double_from_half(bits));
      return values;
    }
    default: {
      const std::vector<int64_t> integers = integers_of(tensor);
      return {integers.begin(), integers.end()};
    }
  }
}

Tensor make_tensor(ElementType type, Dims dims, std::span<const double> values) {
  Tensor tensor{.type = type, .dims = std::move(dims), .bytes = {}};
  if (type == ElementType::float32) {
    store<float>(values, tensor.bytes);
  } else if (type == ElementType::float64) {
    store<double>(values, tensor.bytes);
  } else if (type == ElementType::float16) {
    std::vector<uint16_t> halves;
    for (const double value : values) halves.push_back(half_from_double(value));
    store<uint16_t>(std::span<const uint16_t>(halves), tensor.bytes);
  } else {
    std::vector<int64_t> integers;
    for (const double value : values) integers.push_back(saturated(value, range_of(type)));
    return make_tensor(type, std::move(tensor.dims), std::span<const int64_t>(integers));
  }
  return tensor;
}

Tensor make_tensor(ElementType type, Dims dims, std::span<const int64_t> values) {
  const Range range = range_of(type);
  for (const int64_t value : values) {
    if (value < range.low || value > range.high) {
      throw std::runtime_error("the value " + std::to_string(value) + " does not fit " + element_type_info(type).name);
    }
  }
  Tensor tensor{.type = type, .dims = std::move(dims), .bytes = {}};
  switch (element_type_info(type).element_bytes) {
    case 1: store<uint8_t>(values, tensor.bytes); break;
    case 2: store<uint16_t>(values, tensor.bytes); break;
    case 4: store<uint32_t>(values, tensor.bytes); break;
    default: store<uint64_t>(values, tensor.bytes); break;
  }
  return tensor;
}

std::vector<int64_t> dense_steps(const Dims& dims) {
  std::vector<int64_t> steps(dims.size());
  int64_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    steps[i] = step;
    step *= dims[i];
  }
  return steps;
}

std::vector<int64_t> broadcast_steps(const Dims& from, const Dims& to) {
  const std::vector<int64_t> dense = dense_steps(from);
  std::vector<int64_t> steps(to.size());
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) steps[to.size() - from.size() + i] = dense[i];
  }
  return steps;
}

Tensor rearranged(const Tensor& tensor, const Dims& dims, int64_t offset, std::span<const int64_t> steps) {
  const size_t element = element_type_info(tensor.type).element_bytes;
  Tensor result{.type = tensor.type, .dims = dims, .bytes = {}};
  const uint64_t count = element_count_of(dims);
  result.bytes.resize(count * element);
  std::vector<uint32_t> index(dims.size());
  int64_t from = offset;
  for (uint64_t i = 0; i < count; ++i) {
    std::memcpy(result.bytes.data() + i * element, tensor.bytes.data() + static_cast<size_t>(from) * element, element);
    for (size_t axis = dims.size(); axis-- > 0;) {
      from += steps[axis];
      if (++index[axis] < dims[axis]) break;
      from -= steps[axis] * dims[axis];
      index[axis] = 0;
    }
  }
  return result;
}

Tensor transposed(const Tensor& tensor, std::span<const size_t> order) {
  const std::vector<int64_t> dense = dense_steps(tensor.dims);
  Dims dims;
  std::vector<int64_t> steps;
  for (const size_t axis : order) {
    dims.push_back(tensor.dims[axis]);
    steps.push_back(dense[axis]);
  }
  return rearranged(tensor, dims, 0, steps);
}

std::vector<uint8_t> with_other_sign(std::vector<uint8_t> bytes) {
  for (uint8_t& byte : bytes) byte ^= 0x80;
  return bytes;
}

}  // namespace avocet::tools::onnx
