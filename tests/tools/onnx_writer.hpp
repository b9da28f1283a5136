// SPDX-License-Identifier: Apache-2.0
// Builds small ONNX models, and runs them through the importer and the C API. protobuf stays in onnx_writer.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "importer/importer.hpp"
#include "importer/onnx/model.hpp"

namespace avocet::tools::test {

using onnx::ElementType;

using AttributeValue = std::variant<int64_t, float, std::string, std::vector<int64_t>, std::vector<float>>;
using Attributes = std::map<std::string, AttributeValue>;
using Names = std::vector<std::string>;
using Shape = std::vector<int64_t>;
using Bytes = std::vector<uint8_t>;

class OnnxWriter {
 public:
  explicit OnnxWriter(int64_t opset = 13);
  OnnxWriter(OnnxWriter&& other) noexcept;
  ~OnnxWriter();

  OnnxWriter& input(const std::string& name, ElementType type, const Shape& shape);
  /// Extents by name instead of numbers; an empty name leaves them open.
  OnnxWriter& symbolic_input(const std::string& name, ElementType type, const Names& dims);
  OnnxWriter& output(const std::string& name);
  OnnxWriter& floats(const std::string& name, const Shape& shape, const std::vector<float>& values);
  /// Any integer type, as raw bytes.
  OnnxWriter& integers(const std::string& name, ElementType type, const Shape& shape,
                       const std::vector<int64_t>& values);
  /// Scale and zero point called `name`_scale and `name`_zero; several scales need as many zero points.
  OnnxWriter& quantisation(const std::string& name, ElementType type, const std::vector<float>& scales,
                           const std::vector<int64_t>& zero_points);
  OnnxWriter& raw(const std::string& name, ElementType type, const Shape& shape, const Bytes& bytes);
  OnnxWriter& external(const std::string& name, const Shape& shape, const std::string& location);
  OnnxWriter& node(const std::string& op, const Names& inputs, const Names& outputs, const Attributes& attributes = {},
                   const std::string& domain = "", const std::string& name = "");
  /// DequantizeLinear and QuantizeLinear by the names that quantisation() made.
  OnnxWriter& dequantise(const std::string& from, const std::string& to, const std::string& quantisation,
                         int64_t axis = 0);
  OnnxWriter& quantise(const std::string& from, const std::string& to, const std::string& quantisation);

  Bytes bytes() const;

 private:
  struct Proto;
  std::unique_ptr<Proto> proto_;
};

ImportedModel import_bytes(const Bytes& bytes, const ImportOptions& options = {});
inline ImportedModel import_writer(const OnnxWriter& writer) { return import_bytes(writer.bytes()); }
/// The error's text, or "accepted".
std::string refusal(const Bytes& bytes, const ImportOptions& options = {});
inline std::string refusal(const OnnxWriter& writer) { return refusal(writer.bytes()); }
/// Names of the API's operations, in order.
Names operation_names(const ImportedModel& model);

/// Runs on the CPU path.
std::vector<Bytes> run(const OnnxWriter& writer, const std::vector<Bytes>& inputs);
Bytes bytes_of(const std::vector<float>& values);
std::vector<float> floats_of(const Bytes& bytes);
/// Float inputs, the first output as floats.
std::vector<float> run_floats(const OnnxWriter& writer, const std::vector<std::vector<float>>& inputs);

/// A serialised TensorProto: its elements, little-endian.
struct StoredTensor {
  ElementType type = ElementType::undefined;
  Shape shape;
  Bytes bytes;
};
/// Throws std::runtime_error.
StoredTensor read_stored_tensor(const std::string& path);
/// The model with these of its inputs made constants.
Bytes with_constants(const Bytes& model, const std::map<std::string, StoredTensor>& constants);

}  // namespace avocet::tools::test
