// SPDX-License-Identifier: Apache-2.0
#include "report/program_report.hpp"

#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

std::string or_dash(uint64_t value) { return value ? with_separators(value) : "-"; }

nlohmann::ordered_json memory_to_json(const compiler::MemoryOccupancy& memory) {
  return {{"bytes", memory.bytes}, {"lower_bound_bytes", memory.live_bytes}};
}

}  // namespace

double array_utilisation(const compiler::Program& program, const compiler::ProgramReport& report) {
  uint64_t macs = 0;
  for (size_t i = 0; i < program.layers.size(); ++i) {
    if (report.layers[i].array_cycles > 0) macs += program.layers[i].macs;
  }
  const double peak = static_cast<double>(report.cycles) * program.device.array_rows * program.device.array_cols;
  return peak > 0 ? static_cast<double>(macs) / peak : 0;
}

std::string format_program_report(const compiler::Program& program, const compiler::ProgramReport& report) {
  std::vector<std::vector<std::string>> rows = {{"layer", "shape", "tile", "loops", "group", "bound", "MACs", "cycles", "array", "vector",
                                                 "DRAM", "DRAM read", "DRAM write", "SRAM"}};
  uint64_t macs = 0, read = 0, written = 0;
  for (size_t i = 0; i < program.layers.size(); ++i) {
    const compiler::Layer& layer = program.layers[i];
    const compiler::LayerReport& cost = report.layers[i];
    rows.push_back({std::to_string(i) + " " + layer.name, shape_text(layer.shape), cost.tile.empty() ? "-" : shape_text(cost.tile),
                    cost.loop_order, std::to_string(cost.group), name(cost.bound), or_dash(layer.macs), with_separators(cost.cycles),
                    or_dash(cost.array_cycles), or_dash(cost.vector_cycles), or_dash(cost.dram_cycles),
                    or_dash(cost.dram_read_bytes), or_dash(cost.dram_write_bytes), with_separators(cost.sram_bytes)});
    macs += layer.macs;
    read += cost.dram_read_bytes;
    written += cost.dram_write_bytes;
  }
  rows.push_back({"total", "", "", "", "", "", with_separators(macs), with_separators(report.cycles), "", "", "", with_separators(read),
                  with_separators(written), with_separators(report.sram.bytes)});
  std::string text = format_table(rows, 6);
  text += "\npredicted " + with_separators(report.cycles) + " cycles, MAC use " + percent(array_utilisation(program, report)) +
          "; SRAM " + with_separators(report.sram.bytes) + " of " + with_separators(program.device.sram_bytes) +
          " bytes (no placement needs fewer than " + with_separators(report.sram.live_bytes) + "); scratch DRAM " +
          with_separators(report.scratch.bytes) + " bytes (lower bound " + with_separators(report.scratch.live_bytes) + ")\n";
  return text;
}

nlohmann::ordered_json program_report_to_json(const compiler::Program& program, const compiler::ProgramReport& report) {
  auto layers = nlohmann::ordered_json::array();
  for (size_t i = 0; i < program.layers.size(); ++i) {
    const compiler::LayerReport& cost = report.layers[i];
    layers.push_back({{"name", program.layers[i].name},
                      {"operations", program.layers[i].sources},
                      {"shape", program.layers[i].shape},
                      {"macs", program.layers[i].macs},
                      {"tile", cost.tile},
                      {"loop_order", cost.loop_order},
                      {"group", cost.group},
                      {"bound", name(cost.bound)},
                      {"first_cycle", cost.first_cycle},
                      {"last_cycle", cost.last_cycle},
                      {"cycles", cost.cycles},
                      {"commands", cost.commands},
                      {"array_cycles", cost.array_cycles},
                      {"requant_cycles", cost.requant_cycles},
                      {"vector_cycles", cost.vector_cycles},
                      {"dram_cycles", cost.dram_cycles},
                      {"dram_read_bytes", cost.dram_read_bytes},
                      {"dram_write_bytes", cost.dram_write_bytes},
                      {"sram_bytes", cost.sram_bytes}});
  }
  return {{"predicted_cycles", report.cycles},
          {"mac_utilisation", array_utilisation(program, report)},
          {"stream_bytes", program.stream.size() * 4},
          {"constant_bytes", program.constant_bytes},
          {"sram", memory_to_json(report.sram)},
          {"scratch", memory_to_json(report.scratch)},
          {"layers", std::move(layers)}};
}

}  // namespace avocet::tools
