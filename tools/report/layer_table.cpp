// SPDX-License-Identifier: Apache-2.0
#include "report/layer_table.hpp"

#include <cstdio>

#include "nnapi/device_choice.hpp"
#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

using Row = std::vector<std::string>;

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds * 1e3);
  return text;
}

/// `timed`: the engine counted cycles; a layer done in the shadow of others then has 0 of its own.
Row layer_row(const runtime::LayerProfile& layer, bool timed) {
  return {layer.name,
          shape_text(layer.shape),
          layer.device,
          layer.macs ? with_separators(layer.macs) : "-",
          timed ? with_separators(layer.cycles) : "-",
          timed && layer.mac_cycles ? percent(layer.mac_utilisation) : "-",
          layer.dram_read_bytes ? with_separators(layer.dram_read_bytes) : "-",
          layer.host_seconds > 0 ? milliseconds(layer.host_seconds) : "-"};
}

}  // namespace

std::string format_layer_table(const runtime::ExecutionProfile& profile, bool timed) {
  std::vector<Row> rows = {{"operation", "shape", "device", "MACs", "cycles", "MAC use", "DRAM read", "host ms"}};
  for (const auto& layer : profile.layers) {
    rows.push_back(layer_row(layer, timed && layer.device == kNpuDevice));
  }
  const std::string operations =
      std::to_string(profile.npu_operations) + " on NPU, " + std::to_string(profile.cpu_operations) + " on CPU";
  rows.push_back({"total", "", operations, with_separators(profile.npu_macs),
                  timed ? with_separators(profile.cycles) : "-", timed ? percent(profile.mac_utilisation) : "-",
                  with_separators(profile.dram_read_bytes), milliseconds(profile.host_seconds)});
  return format_table(rows, 3);
}

nlohmann::ordered_json totals_to_json(const runtime::ExecutionProfile& profile, double host_seconds) {
  return {{"npu_operations", profile.npu_operations},
          {"cpu_operations", profile.cpu_operations},
          {"cycles", profile.cycles},
          {"simulated_seconds", profile.simulated_seconds},
          {"host_seconds", host_seconds},
          {"macs", profile.npu_macs},
          {"mac_cycles", profile.mac_cycles},
          {"mac_utilisation", profile.mac_utilisation},
          {"dram_bytes", profile.dram_read_bytes + profile.dram_write_bytes},
          {"dram_read_bytes", profile.dram_read_bytes},
          {"dram_write_bytes", profile.dram_write_bytes}};
}

nlohmann::ordered_json layers_to_json(const runtime::ExecutionProfile& profile) {
  auto layers = nlohmann::ordered_json::array();
  for (const auto& layer : profile.layers) {
    layers.push_back({{"operation", layer.name},
                      {"operations", layer.operations},
                      {"shape", layer.shape},
                      {"device", layer.device},
                      {"macs", layer.macs},
                      {"cycles", layer.cycles},
                      {"mac_cycles", layer.mac_cycles},
                      {"mac_utilisation", layer.mac_utilisation},
                      {"dram_bytes", layer.dram_read_bytes},
                      {"dram_write_bytes", layer.dram_write_bytes},
                      {"host_seconds", layer.host_seconds}});
  }
  return layers;
}

std::string format_placements(const std::vector<runtime::Placement>& placements) {
  std::string text;
  for (const auto& placement : placements) {
    text += "operation " + std::to_string(placement.operation) + " " + placement.name + ": " + placement.device;
    if (!placement.reason.empty()) text += " because " + placement.reason;
    text += "\n";
  }
  return text;
}

}  // namespace avocet::tools
