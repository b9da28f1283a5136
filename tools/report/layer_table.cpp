// SPDX-License-Identifier: Apache-2.0
// Columns as wide as their widest cell; numbers to the right.
#include "report/layer_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "nnapi/device_choice.hpp"

namespace avocet::tools {
namespace {

constexpr size_t kColumns = 8;
using Row = std::array<std::string, kColumns>;

std::string with_separators(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string percent(double fraction) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", fraction * 100);
  return text;
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds * 1e3);
  return text;
}

std::string shape_text(const std::vector<uint32_t>& shape) {
  std::string text;
  for (const uint32_t extent : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
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
  std::array<size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - row[c].size(), ' ');
      if (c > 0) line += "  ";
      if (c >= 3) line += padding;
      line += row[c];
      if (c < 3) line += padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
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
