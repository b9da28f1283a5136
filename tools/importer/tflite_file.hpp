// SPDX-License-Identifier: Apache-2.0
// A .tflite file in memory whose structure has been checked: after construction every index that the accessors and the
// converters follow is in range, so no content of the file can lead outside it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tflite_generated.h"

namespace avocet::tools {

/// What one element of a file's tensor is, as far as the tools handle it.
struct TfliteTypeInfo {
  const char* name;      // "int8"
  size_t element_bytes;  // 0: not handled
};
TfliteTypeInfo tflite_type_info(tflite::TensorType type);

/// The zero points of a tensor. Read byte by byte: the flatbuffers verifier leaves 8-byte elements misaligned.
std::vector<int64_t> zero_points_of(const tflite::Tensor& tensor);

class TfliteFile {
 public:
  /// Throws InputError ("PATH: ...") when the file cannot be read or is no well-formed model.
  static TfliteFile read(const std::string& path);
  /// `path` is only for messages.
  TfliteFile(std::vector<uint8_t> bytes, std::string path);

  const std::string& path() const { return path_; }
  const tflite::SubGraph& graph() const { return *graph_; }
  const tflite::Tensor& tensor(int index) const { return *graph_->tensors()->Get(static_cast<uint32_t>(index)); }
  size_t tensor_count() const { return graph_->tensors()->size(); }

  /// The tensor's shape; empty for a scalar or a tensor without static shape.
  std::vector<uint32_t> shape(int tensor) const;
  /// The bytes of a constant, exactly its size; empty for any other tensor.
  std::span<const uint8_t> constant(int tensor) const;

  tflite::BuiltinOperator operator_code(const tflite::Operator& op) const;
  /// "CONV_2D"; "CUSTOM:Name" for a custom operator; the number for an unknown one.
  std::string operator_name(const tflite::Operator& op) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void check_tensors() const;
  void check_tensor(int index) const;
  void check_operators() const;

  std::vector<uint8_t> bytes_;
  std::string path_;
  const tflite::Model* model_ = nullptr;
  const tflite::SubGraph* graph_ = nullptr;
};

}  // namespace avocet::tools
