// SPDX-License-Identifier: Apache-2.0
// The NNAPI graph of a .tflite file under construction, and the view that an operator's converter has of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "importer/importer.hpp"
#include "importer/operand_builder.hpp"
#include "importer/tflite_file.hpp"

namespace avocet::tools {

/// A tensor of the file as the API sees it: type, dimensions (never empty: a scalar has one of extent 1), quantisation.
struct TensorView {
  int index = -1;
  tflite::TensorType file_type = tflite::TensorType::FLOAT32;
  int32_t type = 0;
  std::vector<uint32_t> dims;
  float scale = 0;
  int32_t zero_point = 0;
  size_t scale_count = 0;
  bool constant = false;
  bool quantised() const;  // 8 bit asymmetric
};

class GraphBuilder : public OperandBuilder {
 public:
  explicit GraphBuilder(const TfliteFile& file) : file_(file) {}

  const TfliteFile& file() const { return file_; }

  /// Throws std::runtime_error when the API has no such tensor; callers add where it was met.
  TensorView view(int tensor) const;

  /// The operand that stands for a tensor which is read: a constant, a model input, or an earlier operator's output.
  uint32_t read(int tensor);
  /// The operand for a tensor that is written here; a tensor is written once.
  uint32_t write(int tensor);
  uint32_t write(int tensor, const std::vector<uint32_t>& dims);
  /// Lets an existing operand stand for `tensor`.
  void bind(int tensor, uint32_t operand);
  uint32_t add_model_input(int tensor);
  bool has_operand(int tensor) const { return operands_.contains(tensor); }
  ImportedTensor describe(int tensor) const;

 private:
  uint32_t constant_operand(int tensor, const TensorView& view);

  const TfliteFile& file_;
  std::map<int, uint32_t> operands_;  // by tensor
};

/// One operator while it is converted.
class OperatorContext {
 public:
  OperatorContext(GraphBuilder& graph, const tflite::Operator& op, uint32_t index)
      : graph_(graph), op_(op), index_(index) {}

  GraphBuilder& graph() { return graph_; }
  const tflite::Operator& op() const { return op_; }
  /// Throws InputError "PATH: operator 37 (NAME): `reason`".
  [[noreturn]] void refuse(const std::string& reason) const;

  size_t input_count() const { return op_.inputs()->size(); }
  size_t output_count() const { return op_.outputs()->size(); }
  bool has_input(size_t i) const { return i < input_count() && op_.inputs()->Get(static_cast<uint32_t>(i)) >= 0; }
  int input_tensor(size_t i) const;
  int output_tensor(size_t i) const;
  TensorView in(size_t i) const { return view(input_tensor(i)); }
  TensorView out(size_t i) const { return view(output_tensor(i)); }
  uint32_t read(size_t i);
  uint32_t write(size_t i);

  /// The operator's options, or the defaults of their table where the file leaves them out.
  template <typename Options>
  const Options& options() const {
    if (const auto* options = op_.template builtin_options_as<Options>()) return *options;
    if (op_.builtin_options_type() != tflite::BuiltinOptions::NONE) refuse("options of another operator");
    return default_options<Options>();
  }
  /// The values of a constant int32 or int64 tensor; refuses any other.
  std::vector<int32_t> constant_ints(size_t input) const;
  int32_t constant_int(size_t input) const;
  /// A fused activation as the API's code; refuses those that it does not have.
  uint32_t activation(tflite::Activation activation) const;
  uint32_t padding(tflite::Padding padding) const;
  /// `axis` counted from the front; refuses one outside the rank.
  int32_t axis(int32_t axis, size_t rank) const;

 private:
  TensorView view(int tensor) const;
  template <typename Options>
  static const Options& default_options() {
    // An empty table: every field reads as its default.
    static const flatbuffers::DetachedBuffer buffer = [] {
      flatbuffers::FlatBufferBuilder builder;
      const auto start = builder.StartTable();
      builder.Finish(flatbuffers::Offset<Options>(builder.EndTable(start)));
      return builder.Release();
    }();
    return *flatbuffers::GetRoot<Options>(buffer.data());
  }

  GraphBuilder& graph_;
  const tflite::Operator& op_;
  uint32_t index_;
};

}  // namespace avocet::tools
