// SPDX-License-Identifier: Apache-2.0
#include "report/area.hpp"

#include <cstdio>
#include <vector>

namespace avocet::tools {
namespace {

struct Part {
  const char* name;
  bool synthesised;  // its price is what `avocet synth` counted, else an estimate
  double um2;
};

/// Of all cores. Control (sequencer, DMA channels, IOMMU, management core) has no price and is left out.
std::vector<Part> parts_of(const std::string& configuration) {
  const auto config = nlohmann::json::parse(configuration, nullptr, false);
  if (!config.is_object() || !config.contains("area")) return {};
  const auto number = [&](const char* group, const char* key) { return config.at(group).at(key).get<double>(); };
  const double cores = config.at("cores").get<double>(), gate = number("area", "nand2_um2");
  const double columns = number("array", "columns");
  const double accumulator_kib = number("array", "accumulator_rows") * columns * sizeof(int32_t) / 1024;
  return {{"array", true, cores * number("array", "rows") * columns * number("area", "pe_gates") * gate},
          {"requant", true, cores * columns * number("area", "requant_lane_gates") * gate},
          {"vector", false, cores * number("vector", "lanes") * number("area", "vector_lane_gates") * gate},
          {"SRAM", false, cores * number("sram", "kib") * number("area", "sram_um2_per_kib")},
          {"accumulators", false, cores * accumulator_kib * number("area", "accumulator_um2_per_kib")}};
}

double sum(const std::vector<Part>& parts) {
  double total = 0;
  for (const Part& part : parts) total += part.um2;
  return total;
}

std::string mm2(double um2) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", um2 * 1e-6);
  return text;
}

std::string list(const std::vector<Part>& parts, bool synthesised) {
  std::string text;
  for (const Part& part : parts)
    if (part.synthesised == synthesised) text += (text.empty() ? "" : ", ") + std::string(part.name) + " " + mm2(part.um2);
  return text;
}

}  // namespace

std::string format_area(const std::string& configuration) {
  const std::vector<Part> parts = parts_of(configuration);
  if (parts.empty()) return "";
  return "area " + mm2(sum(parts)) + " mm2, unplaced and without control: synthesised " + list(parts, true) + "; estimated " +
         list(parts, false) + "\n";
}

nlohmann::ordered_json area_to_json(const std::string& configuration) {
  const std::vector<Part> parts = parts_of(configuration);
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Part& part : parts) json["area_um2"][part.name == std::string("SRAM") ? "sram" : part.name] = part.um2;
  if (!parts.empty()) json["area_um2"]["total"] = sum(parts);
  return json;
}

}  // namespace avocet::tools
