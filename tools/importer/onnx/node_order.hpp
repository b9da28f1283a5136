// SPDX-License-Identifier: Apache-2.0
// The nodes in an order in which everything is written before it is read, and who reads what.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

class NodeOrder {
 public:
  /// Throws InputError for a value that is written twice or never, and for a cycle. Nodes that depend on constants
  /// alone come first, so that whoever looks ahead finds their values. `model` must outlive it.
  explicit NodeOrder(const Model& model);

  size_t size() const { return order_.size(); }
  const Node& node(size_t position) const { return *order_[position]; }
  bool is_output(const std::string& value) const { return outputs_.contains(value); }
  /// Positions of the nodes that read the value, once for each time they do.
  const std::vector<size_t>& readers(const std::string& value) const;
  /// The position of the only reader of a value that is no model output; size() when there is none or more than one.
  size_t only_reader(const std::string& value) const;

 private:
  std::vector<const Node*> order_;
  std::map<std::string, std::vector<size_t>> readers_;
  std::set<std::string> outputs_;
};

}  // namespace avocet::tools::onnx
