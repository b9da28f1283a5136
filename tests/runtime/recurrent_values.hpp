// SPDX-License-Identifier: Apache-2.0
// Values for tests of recurrent operations: reproducible numbers, float operands of either precision, and comparison with a
// reference in double.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "operation_call.hpp"

namespace avocet::runtime {

using Floats = std::vector<float>;

/// Reproducible numbers in [-limit, limit] which float16 holds exactly, so that both precisions start from the same values.
class Numbers {
 public:
  explicit Numbers(uint32_t seed) : state_(seed * 2654435761u + 12345u) {}
  Floats take(size_t count, float limit = 1.0f) {
    Floats values(count);
    for (float& value : values) value = static_cast<float>(integer(-64, 64)) / 64.0f * limit;
    return values;
  }
  int32_t integer(int32_t low, int32_t high) {
    state_ = state_ * 1664525u + 1013904223u;
    return low + static_cast<int32_t>((state_ >> 8) % static_cast<uint32_t>(high - low + 1));
  }
  template <typename Stored>
  std::vector<Stored> integers(size_t count, int32_t low, int32_t high) {
    std::vector<Stored> values(count);
    for (Stored& value : values) value = static_cast<Stored>(integer(low, high));
    return values;
  }

 private:
  uint32_t state_;
};

inline Floats ones(const Dimensions& dims) { return Floats(element_count(dims).value_or(0), 1.0f); }

/// How a test gives the float operands of a call.
struct Precision {
  bool half = false;
  bool constant_weights = false;
  int32_t tensor() const { return half ? ANEURALNETWORKS_TENSOR_FLOAT16 : ANEURALNETWORKS_TENSOR_FLOAT32; }

  void add(OperationCall& call, const Dimensions& dims, const Floats& values, bool weights = true) const {
    if (half) {
      call.halves(dims, values, weights && constant_weights);
    } else {
      call.floats(dims, values, weights && constant_weights);
    }
  }
  /// Values when there are any, an omitted operand otherwise.
  void add_optional(OperationCall& call, const Dimensions& dims, const Floats& values) const {
    if (values.empty()) {
      call.omitted(tensor());
    } else {
      add(call, dims, values);
    }
  }
  void add_scalar(OperationCall& call, float value) const {
    if (half) {
      call.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(value)}, 0, 0, true);
    } else {
      call.float32(value);
    }
  }
  Floats result(const OperationCall& call, size_t i) const { return half ? call.half_values(i) : call.values<float>(i); }
  double tolerance() const { return half ? 2e-3 : 3e-6; }
};

inline void expect_near(const Floats& is, const std::vector<double>& wanted, double tolerance, const std::string& what) {
  ASSERT_EQ(is.size(), wanted.size()) << what;
  for (size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i], wanted[i], tolerance) << what << ", element " << i;
}

/// Row `index` of a matrix [.., size] times `values`.
inline double dot(const Floats& matrix, size_t index, const double* values, size_t size) {
  double sum = 0;
  for (size_t i = 0; i < size; ++i) sum += matrix[index * size + i] * values[i];
  return sum;
}

/// [batch][time][size] from [time][batch][size], or back with the first two extents exchanged.
template <typename T>
std::vector<T> exchange_first_two(const std::vector<T>& from, size_t first, size_t second) {
  const size_t size = from.size() / (first * second);
  std::vector<T> to(from.size());
  for (size_t i = 0; i < first; ++i) {
    for (size_t j = 0; j < second; ++j) {
      for (size_t k = 0; k < size; ++k) to[(j * first + i) * size + k] = from[(i * second + j) * size + k];
    }
  }
  return to;
}

inline void expect_failure(OperationCall& call, int code, const std::string& words) {
  const Status status = call.run();
  EXPECT_EQ(status.code, code) << status.message;
  EXPECT_NE(status.message.find(words), std::string::npos) << status.message;
}

}  // namespace avocet::runtime
