// SPDX-License-Identifier: Apache-2.0
// What the naive evaluator computes with: tensors as real numbers in double, whatever their type. Nothing here or in the
// other naive_*.cpp files knows the kernels under test; they are written from the API's text.
#pragma once

#include <android/NeuralNetworks.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "nnapi/model_description.hpp"

namespace avocet::random_models {

using Dims = std::vector<uint32_t>;

inline size_t count_of(const Dims& dims) {
  size_t count = 1;
  for (const uint32_t extent : dims) count *= extent;
  return count;
}

bool is_tensor_type(int32_t type);
bool is_float_type(int32_t type);
bool is_half_type(int32_t type);
/// Types whose stored numbers are steps of a scale.
bool is_quantised_type(int32_t type);
/// Least and largest stored number of an integer type.
struct StoredRange {
  double low = 0;
  double high = 0;
};
StoredRange stored_range(int32_t type);

/// One operand with its value.
struct Value {
  int32_t type = 0;
  Dims dims;
  double scale = 1;  // 1 for types without one, so that real = (stored - zero_point) * scale holds for all
  double zero_point = 0;
  std::vector<float> channel_scales;
  uint32_t channel_dim = 0;
  bool omitted = false;
  std::vector<double> real;

  size_t count() const { return count_of(dims); }
  double stored(size_t i) const;
  /// True when all numbers are finite.
  bool finite() const;
};

/// The value `bytes` has as an operand of this type and these (actual) dimensions.
Value read_value(const tools::Operand& operand, const Dims& dims, std::span<const uint8_t> bytes);
/// The nearest stored number, halves away from zero, clamped to the type; floats are rounded to their type.
double to_stored(const Value& like, double real);
double to_real(const Value& like, double stored);
std::vector<uint8_t> stored_bytes(const Value& value);

/// What an operation should give for one output.
struct Expected {
  int32_t type = 0;
  double scale = 1, zero_point = 0;
  Dims dims;
  bool dims_known = true;    // false: any dimensions are right (a decision depends on more than the inputs say)
  bool values_known = true;  // false: any values are right
  std::vector<double> real;
  /// Absolute error in real numbers that float32 arithmetic may add to the usual tolerance; empty: none. Infinite where the
  /// API leaves the element open.
  std::vector<double> slack;
  /// Elements for which several stored numbers are right (ties).
  std::map<size_t, std::vector<double>> alternatives;
  /// The order of the entries along dimension 0 is open; all outputs of the operation with this mark are sorted together.
  bool any_order = false;

  void resize(Dims new_dims) {
    dims = std::move(new_dims);
    real.assign(count_of(dims), 0.0);
  }
  void set_slack(size_t i, double error) {
    if (slack.empty()) slack.assign(real.size(), 0.0);
    slack[i] = error;
  }
  void leave_open(size_t i) { set_slack(i, std::numeric_limits<double>::infinity()); }
};

/// A sum with the error that adding its terms in float32, in any order, can make.
class ErrorBoundedSum {
 public:
  void add(double term) {
    value_ += term;
    magnitude_ += std::fabs(term);
    ++terms_;
  }
  double value() const { return value_; }
  double slack() const { return magnitude_ * static_cast<double>(terms_ + 2) * 0x1p-24; }

 private:
  double value_ = 0, magnitude_ = 0;
  size_t terms_ = 0;
};

/// One operation to evaluate. Inputs beyond those given read as omitted.
class Call {
 public:
  Call(std::vector<Value> inputs, std::vector<Expected>& outputs) : inputs_(std::move(inputs)), outputs_(outputs) {}

  size_t input_count() const { return inputs_.size(); }
  bool has(size_t i) const { return i < inputs_.size() && !inputs_[i].omitted; }
  const Value& in(size_t i) const { return inputs_[i]; }
  Expected& out(size_t i) { return outputs_[i]; }
  size_t output_count() const { return outputs_.size(); }
  /// Scalars; `absent` when omitted or not there.
  double number(size_t i, double absent = 0) const { return has(i) && !inputs_[i].real.empty() ? inputs_[i].real[0] : absent; }
  int64_t integer(size_t i, int64_t absent = 0) const { return static_cast<int64_t>(number(i, static_cast<double>(absent))); }
  bool flag(size_t i, bool absent = false) const { return number(i, absent ? 1 : 0) != 0; }
  /// Elements of a TENSOR_INT32.
  std::vector<int64_t> integers(size_t i) const;
  /// `axis` counted from the front.
  static size_t axis_of(int64_t axis, size_t rank) { return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis); }

 private:
  std::vector<Value> inputs_;
  std::vector<Expected>& outputs_;
};

/// Calls body(position, flat index) for each element in row-major order.
void for_each_position(const Dims& dims, const std::function<void(const Dims&, size_t)>& body);
/// Row-major index; positions outside are the caller's mistake.
size_t flat_index(const Dims& dims, const Dims& position);

/// A rank 4 tensor seen as batch, height, width, channels, whatever its layout.
struct ImageView {
  const Dims& dims;
  bool nchw;
  uint32_t batches() const { return dims[0]; }
  uint32_t height() const { return nchw ? dims[2] : dims[1]; }
  uint32_t width() const { return nchw ? dims[3] : dims[2]; }
  uint32_t channels() const { return nchw ? dims[1] : dims[3]; }
  size_t index(size_t n, size_t h, size_t w, size_t c) const {
    return nchw ? ((n * dims[1] + c) * dims[2] + h) * dims[3] + w : ((n * dims[1] + h) * dims[2] + w) * dims[3] + c;
  }
  static Dims dims_of(bool nchw, uint32_t n, uint32_t h, uint32_t w, uint32_t c) {
    return nchw ? Dims{n, c, h, w} : Dims{n, h, w, c};
  }
};

/// The fused activations by FuseCode.
double activate(int64_t fuse_code, double x);

}  // namespace avocet::random_models
