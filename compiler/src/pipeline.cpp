// SPDX-License-Identifier: Apache-2.0
// The compiler as the list of its passes.
#include <algorithm>
#include <avocet/compiler/compiler.hpp>

#include "check_program.hpp"
#include "graph_passes.hpp"
#include "legalise.hpp"
#include "operation_rules.hpp"
#include "passes.hpp"
#include "search_plans.hpp"
#include "split_cores.hpp"

namespace avocet::compiler {

Program compile(const Graph& graph, const DeviceConfig& device, ConstantBytes constants, uint32_t cores) {
  check_device(device);
  check_graph(graph);
  Graph simplified = graph;
  fold_padding(simplified);
  fuse_tables(simplified);
  drop_dead_operations(simplified);
  Network network = legalise(simplified);
  verify_network(network, "legalise");
  drop_dead_nodes(network);
  verify_network(network, "drop_dead_nodes");
  choose_units(network, device);
  verify_network(network, "choose_units");
  cores = std::min(cores, device.cores);
  std::optional<CoresDraft> shared = cores > 1 ? split_cores(network, device, cores) : std::nullopt;
  choose_layouts(network);
  verify_network(network, "choose_layouts");
  Draft alone = search_plans(network, device);
  Draft& draft = shared && shared->draft.estimate.cycles < alone.estimate.cycles ? shared->draft : alone;

  Program program;
  program.stream = std::move(draft.stream);
  program.scratch_bytes = draft.scratch_bytes;
  program.constant_bytes = draft.constants.bytes();
  if (constants == ConstantBytes::kPacked) program.constants = draft.constants.pack();
  program.input_bytes = network.input_bytes;
  program.output_bytes = network.output_bytes;
  program.inputs = std::move(network.inputs);
  program.outputs = std::move(network.outputs);
  program.layers = std::move(network.layers);
  program.device = device;
  program.predicted_cycles = draft.estimate.cycles;
  check_program(program, device);
  return program;
}

}  // namespace avocet::compiler
