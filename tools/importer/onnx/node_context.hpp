// SPDX-License-Identifier: Apache-2.0
// The view that an operator's converter has of its node: the same reads and writes in float, on moved bytes, and
// quantised.
#pragma once

#include "importer/onnx/attributes.hpp"
#include "importer/onnx/fusion.hpp"

namespace avocet::tools::onnx {

/// Thrown by a converter that cannot do the quantised form, before it has written anything: it is then called again for
/// the float form.
struct NeedsFloats {};

[[noreturn]] void refuse(const std::string& reason);

class NodeContext {
 public:
  NodeContext(Conversion& conversion, const Node& node, const OperatorRow& row, Form form)
      : conversion_(conversion), node_(node), row_(row), form_(std::move(form)), attributes_(node) {}

  Conversion& conversion() { return conversion_; }
  OperandBuilder& builder() { return conversion_.builder(); }
  const Node& node() const { return node_; }
  const Form& form() const { return form_; }
  AttributeReader& attributes() { return attributes_; }
  int64_t opset() const { return conversion_.model().opset; }
  bool quantised() const { return form_.mode == Mode::quantised; }

  size_t input_count() const;
  size_t output_count() const { return node_.outputs.size(); }
  bool has(size_t i) const { return node_.has_input(i); }
  Value& in(size_t i);
  const Dims& dims(size_t i) { return in(i).dims; }
  /// Real type of the computation: that of input 0, dequantised.
  ElementType type() { return in(0).type; }
  /// Type of the bytes in the quantised form.
  ElementType byte_type() { return in(0).quantised->type; }
  const Quantisation& quantisation(size_t i) { return *in(i).quantisation; }

  /// Refuses an input that is computed.
  TensorPtr constant(size_t i);
  std::vector<int64_t> integers(size_t i);
  int64_t integer(size_t i);
  /// A list that older operator sets have as an attribute and newer ones as an input; empty when neither is there.
  std::vector<int64_t> integers(const char* attribute, size_t input);

  /// The operand of input i in the form of the computation.
  uint32_t read(size_t i);
  /// The same, reshaped.
  uint32_t read_as(size_t i, const Dims& dims);
  /// The operand for output 0, of the computation's type, or of `type`.
  uint32_t write(const Dims& dims) { return write(0, dims); }
  uint32_t write(size_t i, const Dims& dims);
  uint32_t write(size_t i, const Dims& dims, ElementType type);
  /// An operand of dimensions `written`, from which output 0 of dimensions `dims` is made behind the operation.
  uint32_t write_as(const Dims& dims, const Dims& written);
  /// The operation written next has no rule for its output's scale, whatever the row says.
  void allow_any_scale() { any_scale_ = true; }
  /// A temporary of the type and quantisation that read(0) has.
  uint32_t temporary(const Dims& dims);

  uint32_t activation() { return builder().int_scalar(form_.activation); }
  uint32_t real_scalar(double value) { return conversion_.real_scalar(value, type()); }
  void emit(int32_t code, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
    builder().emit(code, std::move(inputs), std::move(outputs));
  }

  /// Emits what follows the operation and names its outputs; refuses attributes that nobody read.
  void finish();
  /// The values written, with their operands.
  const std::vector<std::pair<std::string, uint32_t>>& written() const { return written_; }

 private:
  uint32_t read_bytes(Value& value);
  uint32_t write_quantised(const Dims& dims);
  Quantisation native_quantisation();
  Value& define_output(size_t i, const Dims& dims, ElementType type);
  void check_type(const Value& value) const;

  struct Adaptor {
    uint32_t from, to;
    bool reshape;  // otherwise requantise
  };

  Conversion& conversion_;
  const Node& node_;
  const OperatorRow& row_;
  Form form_;
  AttributeReader attributes_;
  bool any_scale_ = false;
  std::vector<Adaptor> adaptors_;  // the last one comes first
  std::vector<std::pair<std::string, uint32_t>> written_;
};

}  // namespace avocet::tools::onnx
