// SPDX-License-Identifier: Apache-2.0
// An operation is supported when its rules hold and the smallest tile of its nodes fits the device's SRAM.
#include <avocet/compiler/compiler.hpp>

#include <map>

#include "box_tile.hpp"
#include "check_program.hpp"
#include "legalise.hpp"
#include "movement_tiles.hpp"
#include "operation_rules.hpp"
#include "passes.hpp"
#include "schedule.hpp"

namespace avocet::compiler {
namespace {

/// A graph of this operation alone.
Graph cut_out(const Graph& graph, uint32_t index) {
  Graph alone;
  Operation operation = graph.operations[index];
  const auto take = [&](uint32_t& tensor) {
    alone.tensors.push_back(graph.tensors[tensor]);
    tensor = static_cast<uint32_t>(alone.tensors.size() - 1);
  };
  std::map<uint32_t, uint32_t> taken;  // an input may be given twice
  for (uint32_t& tensor : operation.inputs) {
    const uint32_t original = tensor;
    if (const auto known = taken.find(original); known != taken.end()) {
      tensor = known->second;
      continue;
    }
    take(tensor);
    taken[original] = tensor;
    if (!alone.tensors[tensor].data) alone.inputs.push_back(tensor);
  }
  for (uint32_t& tensor : operation.outputs) take(tensor);
  alone.outputs = operation.outputs;
  alone.operations = {std::move(operation)};
  return alone;
}

/// Only then can the number of tiles be a problem.
bool is_huge(const Network& network, const Node& node, const DeviceConfig& device) {
  const uint64_t weights = network.output(node).channels * uint64_t{network.input(node).channels} *
                           node.geometry.kernel_height * node.geometry.kernel_width;
  return network.input(node).bytes() + network.output(node).bytes() + weights > uint64_t{device.sram_bytes} << 12;
}

Support no(std::string reason) { return {false, std::move(reason)}; }

}  // namespace

Support supports(const Graph& graph, uint32_t index, const DeviceConfig& device) {
  try {
    check_device(device);
  } catch (const CompileError& error) {
    return no(error.what());
  }
  if (index >= graph.operations.size()) return no("there is no operation " + std::to_string(index));
  if (auto obstacle = operation_obstacle(graph, index)) return no(*obstacle);
  Network network = legalise(cut_out(graph, index));
  choose_units(network, device);
  choose_layouts(network);
  for (const Node& node : network.nodes) {
    if (node.kind == NodeKind::kMovement) {
      if (movement_cost(network, node, {}, device, device.sram_bytes).pieces > kSlotsMax)
        return no("its pieces need a command stream of more than 64 MiB");
      continue;
    }
    const uint64_t bytes = box_bytes(network, node, device, smallest_box(network, node, device));
    if (bytes <= device.sram_bytes && is_huge(network, node, device)) {
      const auto box = choose_box(network, node, device, device.sram_bytes);
      if (!box || box->loads > kSlotsMax) return no("its tiles need a command stream of more than 64 MiB");
    }
    if (bytes > device.sram_bytes)
      return no("its smallest tile needs " + std::to_string(bytes) + " bytes of SRAM and the device has " +
                std::to_string(device.sram_bytes));
  }
  return {true, {}};
}

}  // namespace avocet::compiler
