// SPDX-License-Identifier: Apache-2.0
// A node's attributes, remembering which have been asked for: one that nobody understands is refused, not skipped.
#pragma once

#include <optional>
#include <set>

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

class AttributeReader {
 public:
  /// `node` must outlive it.
  explicit AttributeReader(const Node& node) : node_(node) {}

  // Each throws std::runtime_error when the attribute is there with another kind of value.
  bool has(const char* name) { return find(name) != nullptr; }
  int64_t integer(const char* name, int64_t absent);
  float real(const char* name, float absent);
  std::string text(const char* name, const char* absent);
  /// Empty when absent.
  std::vector<int64_t> integers(const char* name);
  std::vector<float> reals(const char* name);
  /// Null when absent.
  TensorPtr tensor(const char* name);

  /// The first attribute that was never asked for.
  std::optional<std::string> unread() const;
  void require_all_read() const;

 private:
  const Attribute* find(const char* name);
  const Attribute* find(const char* name, Attribute::Kind kind, const char* what);

  const Node& node_;
  std::set<std::string> read_;
};

}  // namespace avocet::tools::onnx
