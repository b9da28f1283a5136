// SPDX-License-Identifier: Apache-2.0
// What is known of a named value of the graph while it is converted.
#pragma once

#include <optional>

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

/// real = scale * (byte - zero point), with one pair, or one pair per extent of `axis`.
struct Quantisation {
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  uint32_t axis = 0;

  bool per_tensor() const { return scales.size() == 1; }
  float scale() const { return scales.front(); }
  int32_t zero_point() const { return zero_points.front(); }
  bool operator==(const Quantisation&) const = default;
};

/// A value has a constant, or an operand, or is the dequantised form of another value. The last is how the QDQ form is
/// read: DequantizeLinear emits nothing; an operator that can work on the bytes takes `quantised`, any other makes the
/// importer emit a DEQUANTIZE, or dequantise the constant.
struct Value {
  size_t index = 0;  // in order of definition
  std::string name{};
  ElementType type = ElementType::undefined;
  Dims dims{};
  TensorPtr constant{};
  std::optional<uint32_t> operand{};
  bool reshaped = false;  // `dims` have more dimensions than the API allows: the operand has others
  std::optional<Quantisation> quantisation{};  // of an 8 bit value's bytes; of a dequantised value, that of its source
  Value* quantised = nullptr;
  std::optional<uint32_t> quantised_operand{};  // of a dequantised constant

  bool is_constant() const { return constant || (quantised && quantised->constant); }
};

}  // namespace avocet::tools::onnx
