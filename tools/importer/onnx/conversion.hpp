// SPDX-License-Identifier: Apache-2.0
// The graph under conversion: the values by name, and the operands and operations that they have become.
#pragma once

#include "importer/importer.hpp"
#include "importer/onnx/node_order.hpp"
#include "importer/onnx/value.hpp"
#include "importer/operand_builder.hpp"

namespace avocet::tools::onnx {

/// The API's tensor type; throws std::runtime_error for a type that it does not have.
int32_t operand_type(ElementType type);
/// The dimensions of an operand: a scalar has one of extent 1. Throws for more than four dimensions, or none left.
Dims operand_dims(const Dims& dims);

class Conversion {
 public:
  /// `model` must outlive it.
  explicit Conversion(const Model& model) : model_(model), order_(model) {}

  const Model& model() const { return model_; }
  const NodeOrder& order() const { return order_; }
  OperandBuilder& builder() { return builder_; }

  /// Throws std::runtime_error for a value that does not exist (yet).
  Value& value(const std::string& name);
  Value* find(const std::string& name);
  /// A new value; throws when there is one of that name.
  Value& define(const std::string& name, ElementType type, Dims dims);
  Value& define_constant(const std::string& name, Tensor tensor);
  /// Another name for what `value` stands for.
  Value& define_alias(const std::string& name, const Value& value);
  /// The real form of `source`, whose bytes mean what `quantisation` says.
  Value& define_dequantised(const std::string& name, Value& source, Quantisation quantisation, ElementType type);
  /// A value of its own that no node of the file can name.
  Value& define_hidden(ElementType type, Dims dims);

  /// The value as a constant, or null when it is computed.
  TensorPtr constant_of(Value& value);
  TensorPtr constant_of(const std::string& name);

  /// The operand that stands for the value as it is: real, integer, bool, or bytes.
  uint32_t operand_of(Value& value);
  /// The operand that holds the bytes of a dequantised value.
  uint32_t quantised_operand_of(Value& value);
  /// The operand whose elements are those of the value, in whatever shape.
  uint32_t unshaped_operand_of(Value& value);

  /// A temporary operand for a value of this type and quantisation.
  uint32_t add_temporary(ElementType type, const Dims& dims, const std::optional<Quantisation>& quantisation);
  uint32_t add_constant(const Tensor& tensor, const std::optional<Quantisation>& quantisation = {});
  /// A scalar of the float type that goes with tensors of `type`.
  uint32_t real_scalar(double value, ElementType type);
  /// Counts what constants take, over all copies; throws past the limit.
  void charge(size_t bytes);

  ImportedTensor describe(const Value& value, uint32_t operand) const;

 private:
  const Model& model_;
  NodeOrder order_;
  OperandBuilder builder_;
  std::map<std::string, Value> values_;
  size_t constant_bytes_ = 0;
};

}  // namespace avocet::tools::onnx
