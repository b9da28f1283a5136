// SPDX-License-Identifier: Apache-2.0
// Kahn's algorithm, taking the earliest node of the file that is ready: a file in order stays as it is.
#include "importer/onnx/node_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace avocet::tools::onnx {
namespace {

using Writers = std::map<std::string, size_t>;  // by value: index of the node that writes it

Writers find_writers(const Model& model, std::set<std::string>& given) {
  for (const auto& [name, tensor] : model.initialisers) given.insert(name);
  for (const ModelInput& input : model.inputs) {
    if (!given.insert(input.name).second) fail(model, "input '" + input.name + "' is there twice");
  }
  Writers writers;
  for (size_t i = 0; i < model.nodes.size(); ++i) {
    for (const std::string& output : model.nodes[i].outputs) {
      if (output.empty()) continue;
      if (given.contains(output) || !writers.emplace(output, i).second) {
        fail(model, model.nodes[i].label() + ": '" + output + "' is written twice");
      }
    }
  }
  return writers;
}

/// Indices of the nodes so that writers come before readers.
std::vector<size_t> sorted(const Model& model, const Writers& writers, const std::set<std::string>& given) {
  std::vector<size_t> missing(model.nodes.size());  // inputs whose writer has not been taken yet
  std::vector<std::vector<size_t>> dependents(model.nodes.size());
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < model.nodes.size(); ++i) {
    for (const std::string& input : model.nodes[i].inputs) {
      if (input.empty() || given.contains(input)) continue;
      const auto writer = writers.find(input);
      if (writer == writers.end()) fail(model, model.nodes[i].label() + ": '" + input + "' is never written");
      dependents[writer->second].push_back(i);
      ++missing[i];
    }
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const size_t dependent : dependents[i]) {
      if (--missing[dependent] == 0) ready.push(dependent);
    }
  }
  if (order.size() != model.nodes.size()) {
    const auto stuck = std::find_if(missing.begin(), missing.end(), [](size_t count) { return count > 0; });
    fail(model, model.nodes[static_cast<size_t>(stuck - missing.begin())].label() + ": depends on itself (a cycle)");
  }
  return order;
}

void move_constant_nodes_first(const Model& model, std::vector<size_t>& order) {
  std::set<std::string> constant;
  for (const auto& [name, tensor] : model.initialisers) constant.insert(name);
  std::vector<bool> first(model.nodes.size());
  for (const size_t i : order) {
    const Node& node = model.nodes[i];
    const auto known = [&](const std::string& input) { return input.empty() || constant.contains(input); };
    first[i] = std::all_of(node.inputs.begin(), node.inputs.end(), known);
    if (first[i]) constant.insert(node.outputs.begin(), node.outputs.end());
  }
  std::stable_partition(order.begin(), order.end(), [&](size_t i) { return first[i]; });
}

}  // namespace

NodeOrder::NodeOrder(const Model& model) : outputs_(model.outputs.begin(), model.outputs.end()) {
  std::set<std::string> given;
  const Writers writers = find_writers(model, given);
  for (const std::string& output : model.outputs) {
    if (!writers.contains(output) && !given.contains(output)) fail(model, "output '" + output + "' is never written");
  }
  std::vector<size_t> order = sorted(model, writers, given);
  move_constant_nodes_first(model, order);
  for (const size_t i : order) {
    for (const std::string& input : model.nodes[i].inputs) {
      if (!input.empty()) readers_[input].push_back(order_.size());
    }
    order_.push_back(&model.nodes[i]);
  }
}

const std::vector<size_t>& NodeOrder::readers(const std::string& value) const {
  static const std::vector<size_t> kNone;
  const auto found = readers_.find(value);
  return found == readers_.end() ? kNone : found->second;
}

size_t NodeOrder::only_reader(const std::string& value) const {
  const std::vector<size_t>& all = readers(value);
  return all.size() == 1 && !is_output(value) ? all.front() : size();
}

}  // namespace avocet::tools::onnx
