// SPDX-License-Identifier: Apache-2.0
// Greedy: exhaust what one device can do, then go on with another. Which device begins decides how many groups come
// out, so each possible beginner is tried.
#include "partition.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

namespace avocet::runtime {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

struct Graph {
  std::vector<uint32_t> waiting;               // per operation: inputs not yet computed
  std::vector<std::vector<uint32_t>> readers;  // per operation: those that read its outputs
};

Graph graph_of(const Model& model) {
  const auto& operations = model.operations();
  Graph graph{std::vector<uint32_t>(operations.size()), std::vector<std::vector<uint32_t>>(operations.size())};
  std::vector<uint32_t> writer(model.operands().size(), kNone);
  for (uint32_t i = 0; i < operations.size(); ++i) {
    for (uint32_t operand : operations[i].outputs) writer[operand] = i;
  }
  for (uint32_t i = 0; i < operations.size(); ++i) {
    for (uint32_t operand : operations[i].inputs) {
      if (writer[operand] == kNone) continue;
      graph.readers[writer[operand]].push_back(i);
      ++graph.waiting[i];
    }
  }
  return graph;
}

using Ready = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;  // smallest rank first

std::vector<OperationGroup> partition_from(uint32_t first, const Model& model, const Graph& graph,
                                           std::span<const uint32_t> device_of,
                                           std::span<const std::vector<uint32_t>> before) {
  // Ranks are places in the model's order: ready operations run in that order.
  std::vector<uint32_t> rank(model.order().size());
  for (uint32_t i = 0; i < model.order().size(); ++i) rank[model.order()[i]] = i;

  std::vector<uint32_t> waiting = graph.waiting;
  std::map<uint32_t, Ready> ready;
  for (uint32_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) ready[device_of[i]].push(rank[i]);
  }
  std::vector<OperationGroup> groups;
  std::vector<size_t> made_by(model.operands().size());  // number of groups when an operand had been written; 0: given
  const auto needs_another_group = [&](uint32_t operation) {
    if (before.empty()) return false;
    return std::any_of(before[operation].begin(), before[operation].end(),
                       [&](uint32_t operand) { return made_by[operand] == groups.size() && made_by[operand] > 0; });
  };
  uint32_t device = first;
  while (!ready.empty()) {
    auto queue = ready.find(device);
    if (queue == ready.end()) {
      // Another device: the one whose next operation comes first.
      queue = ready.begin();
      for (auto it = ready.begin(); it != ready.end(); ++it) {
        if (it->second.top() < queue->second.top()) queue = it;
      }
      device = queue->first;
    }
    const uint32_t operation = model.order()[queue->second.top()];
    if (groups.empty() || groups.back().device != device || needs_another_group(operation)) groups.push_back({device, {}});
    for (uint32_t operand : model.operations()[operation].outputs) made_by[operand] = groups.size();
    queue->second.pop();
    if (queue->second.empty()) ready.erase(queue);
    groups.back().operations.push_back(operation);
    for (uint32_t reader : graph.readers[operation]) {
      if (--waiting[reader] == 0) ready[device_of[reader]].push(rank[reader]);
    }
  }
  return groups;
}

}  // namespace

std::vector<OperationGroup> partition(const Model& model, std::span<const uint32_t> device_of,
                                      std::span<const std::vector<uint32_t>> before) {
  const Graph graph = graph_of(model);
  std::map<uint32_t, bool> beginners;
  for (uint32_t i = 0; i < graph.waiting.size(); ++i) {
    if (graph.waiting[i] == 0) beginners[device_of[i]] = true;
  }
  std::vector<OperationGroup> best;
  for (const auto& [device, unused] : beginners) {
    std::vector<OperationGroup> groups = partition_from(device, model, graph, device_of, before);
    if (best.empty() || groups.size() < best.size()) best = std::move(groups);
  }
  return best;
}

}  // namespace avocet::runtime
