// SPDX-License-Identifier: Apache-2.0
#include "workload/run_workload.hpp"

#include <algorithm>

#include "inference/inference.hpp"
#include "inference/simulated_device.hpp"
#include "inputs/tensor_input.hpp"
#include "workload/workload.hpp"

namespace avocet::tools {
namespace {

void add_layer(const runtime::LayerProfile& from, runtime::LayerProfile& to) {
  to.macs += from.macs;
  to.cycles += from.cycles;
  to.mac_cycles += from.mac_cycles;
  to.dram_read_bytes += from.dram_read_bytes;
  to.dram_write_bytes += from.dram_write_bytes;
  to.host_seconds += from.host_seconds;
}

/// Totals, and the layers behind those that are there.
void add(const runtime::ExecutionProfile& from, runtime::ExecutionProfile& to) {
  to.cycles += from.cycles;
  to.simulated_seconds += from.simulated_seconds;
  to.npu_macs += from.npu_macs;
  to.mac_cycles += from.mac_cycles;
  to.dram_read_bytes += from.dram_read_bytes;
  to.dram_write_bytes += from.dram_write_bytes;
  to.npu_operations += from.npu_operations;
  to.cpu_operations += from.cpu_operations;
  to.host_seconds += from.host_seconds;
  to.layers.insert(to.layers.end(), from.layers.begin(), from.layers.end());
}

/// Runs of the same program: their layers become one row each.
void add_repetition(runtime::ExecutionProfile from, runtime::ExecutionProfile& to) {
  const std::vector<runtime::LayerProfile> layers = std::move(from.layers);
  from.layers.clear();
  from.npu_operations = from.cpu_operations = 0;
  add(from, to);
  for (size_t i = 0; i < std::min(layers.size(), to.layers.size()); ++i) add_layer(layers[i], to.layers[i]);
}

std::vector<TensorBytes> inputs_of(const ImportedModel& model, bool values, uint64_t seed) {
  if (values) return make_inputs(model, {}, seed);
  std::vector<TensorBytes> inputs;
  for (const ImportedTensor& tensor : model.inputs) inputs.emplace_back(tensor.operand_bytes());
  return inputs;
}

void run_part(WorkloadPart& part, const DeviceSettings& settings, bool values, uint64_t seed, WorkloadRun& run) {
  Inference inference(std::move(part.model), settings.device);
  const std::vector<TensorBytes> inputs = inputs_of(inference.model(), values, seed);
  runtime::ExecutionProfile sum;
  for (uint32_t i = 0; i < part.repeat; ++i) {
    InferenceResult result = inference.run(inputs);
    run.host_seconds += result.host_seconds;
    if (i == 0)
      sum = std::move(result.profile);
    else
      add_repetition(std::move(result.profile), sum);
  }
  name_layers(inference.model(), sum);
  add(sum, run.profile);
}

/// From the sums over all parts.
void set_utilisation(runtime::ExecutionProfile& profile) {
  const double peak =
      double(configuration_number("array", "rows")) * configuration_number("array", "columns");
  if (peak == 0) return;
  uint64_t array_macs = 0;
  uint32_t cores = 1;
  for (runtime::LayerProfile& layer : profile.layers) {
    if (layer.mac_cycles) array_macs += layer.macs;
    cores = std::max(cores, layer.cores);
    const uint64_t span = std::max(layer.cycles, layer.mac_cycles / layer.cores);
    if (span && layer.mac_cycles) layer.mac_utilisation = double(layer.macs) / (double(span) * peak * layer.cores);
  }
  if (profile.cycles) profile.mac_utilisation = double(array_macs) / (double(profile.cycles) * peak * cores);
}

}  // namespace

WorkloadRun run_workload(const std::string& path, const DeviceSettings& settings, uint64_t seed) {
  const bool values = engine_moves_values(settings);
  Workload workload = read_workload(path, {.values = values,
                                           .array_rows = configuration_number("array", "rows"),
                                           .array_columns = configuration_number("array", "columns")});
  WorkloadRun run;
  for (WorkloadPart& part : workload.parts) run_part(part, settings, values, seed, run);
  set_utilisation(run.profile);
  return run;
}

void name_layers(const ImportedModel& model, runtime::ExecutionProfile& profile) {
  for (runtime::LayerProfile& layer : profile.layers) {
    std::string names;
    for (const ImportedOperator& op : model.operators) {
      const bool covered = std::any_of(layer.operations.begin(), layer.operations.end(), [&](uint32_t operation) {
        return operation >= op.first_operation && operation - op.first_operation < op.operation_count;
      });
      if (covered) names += (names.empty() ? "" : "+") + op.name;
    }
    if (!names.empty()) layer.name = names + " " + layer.name;
  }
}

}  // namespace avocet::tools
