// SPDX-License-Identifier: Apache-2.0
// An ONNX model as plain data: what is left of a file once its protobuf messages have been checked. Everything after
// onnx_file.cpp works on this.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace avocet::tools::onnx {

/// The format's codes; those without a name here have no form in the importer.
enum class ElementType : int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
};

struct ElementTypeInfo {
  const char* name;      // "int8"
  size_t element_bytes;  // 0: not handled
};
ElementTypeInfo element_type_info(ElementType type);

using Dims = std::vector<uint32_t>;

/// A constant; `bytes` has exactly the size that type and dimensions ask for, little-endian.
struct Tensor {
  ElementType type = ElementType::undefined;
  Dims dims;
  std::vector<uint8_t> bytes;
  size_t count() const;
};
using TensorPtr = std::shared_ptr<const Tensor>;

struct Attribute {
  enum class Kind { integer, real, text, integers, reals, tensor, other };
  Kind kind = Kind::other;
  int64_t integer = 0;
  float real = 0;
  std::string text{};
  std::vector<int64_t> integers{};
  std::vector<float> reals{};
  TensorPtr tensor{};
};

struct Node {
  size_t number = 0;  // position in the file
  std::string name;
  std::string op;
  std::string domain;               // empty: the standard operators
  std::vector<std::string> inputs;  // an empty name is an omitted input
  std::vector<std::string> outputs;
  std::map<std::string, Attribute> attributes;
  std::string written_as{};  // the operator in the file, where this node is part of its expansion

  bool is(const char* standard_op) const { return domain.empty() && op == standard_op; }
  bool has_input(size_t i) const { return i < inputs.size() && !inputs[i].empty(); }
  /// "node 12 (Conv 'stem')"
  std::string label() const;
};

/// One dimension of a model input: its extent, or -1 and perhaps a name.
struct SymbolicExtent {
  int64_t extent = -1;
  std::string name;
};

struct ModelInput {
  std::string name;
  ElementType type = ElementType::undefined;
  std::vector<SymbolicExtent> dims;
};

struct Model {
  std::string path;
  int64_t opset = 0;  // of the standard operators
  std::vector<Node> nodes;
  std::map<std::string, TensorPtr> initialisers;
  std::vector<ModelInput> inputs;  // without those that only give an initialiser's type
  std::vector<std::string> outputs;
};

/// Throws InputError "PATH: `what`"; names of the file in it keep to one line.
[[noreturn]] void fail(const Model& model, const std::string& what);

}  // namespace avocet::tools::onnx
