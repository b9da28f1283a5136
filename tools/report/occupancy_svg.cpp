// SPDX-License-Identifier: Apache-2.0
// Blocks narrower than a quarter of a pixel are joined with their neighbours of the same layer and place, so that the picture
// of a large network stays small.
#include "report/occupancy_svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

#include "report/text_table.hpp"

namespace avocet::tools {
namespace {

using compiler::MemoryBlock;
using compiler::MemoryOccupancy;

constexpr double kLeft = 110, kWidth = 1280, kRight = 20;
constexpr double kStripTop = 60, kStripHeight = 26, kPlotHeight = 300, kGap = 56;

std::string escape(const std::string& text) {
  std::string safe;
  for (char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

/// Neighbouring layers get hues far apart.
std::string colour(uint32_t tag, bool loaded) {
  const int hue = static_cast<int>(std::fmod(tag * 137.508, 360.0));
  return "hsl(" + std::to_string(hue) + (loaded ? ",45%,78%)" : ",60%,55%)");
}

class Picture {
 public:
  Picture(const compiler::Program& program, const compiler::ProgramReport& report)
      : program_(program), report_(report), cycles_(std::max<uint64_t>(report.cycles, 1)) {}

  std::string draw(const std::string& title) {
    const bool scratch = report_.scratch.bytes > 0;
    const double height = kStripTop + kStripHeight + (kGap + kPlotHeight) * (scratch ? 2 : 1) + 40;
    const std::string size = number(kLeft + kWidth + kRight) + "\" height=\"" + number(height);
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " + number(kLeft + kWidth + kRight) + " " +
           number(height) + "\" font-family=\"sans-serif\" font-size=\"12\">\n";
    svg_ += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text(kLeft, 24, escape(title), "font-size=\"16\"");
    text(kLeft, 44,
         with_separators(report_.cycles) + " cycles predicted; solid: computed, pale: loaded from DRAM; a colour is a layer");
    draw_layers();
    double top = kStripTop + kStripHeight + kGap;
    draw_memory("SRAM", report_.sram, program_.device.sram_bytes, top);
    if (scratch) draw_memory("scratch DRAM", report_.scratch, report_.scratch.bytes, top += kPlotHeight + kGap);
    draw_cycles(top + kPlotHeight + 18);
    return svg_ + "</svg>\n";
  }

 private:
  double x(uint64_t cycle) const { return kLeft + kWidth * static_cast<double>(cycle) / static_cast<double>(cycles_); }

  void text(double at_x, double at_y, const std::string& words, const std::string& style = "") {
    svg_ += "<text x=\"" + number(at_x) + "\" y=\"" + number(at_y) + "\" " + style + ">" + words + "</text>\n";
  }
  void block(double left, double top, double width, double height, const std::string& fill, const std::string& title) {
    svg_ += "<rect x=\"" + number(left) + "\" y=\"" + number(top) + "\" width=\"" + number(std::max(width, 0.25)) + "\" height=\"" +
            number(std::max(height, 0.25)) + "\" fill=\"" + fill + "\"><title>" + escape(title) + "</title></rect>\n";
  }

  void draw_layers() {
    text(kLeft - 8, kStripTop + 17, "layers", "text-anchor=\"end\"");
    for (uint32_t tag = 0; tag < report_.layers.size(); ++tag) {
      const compiler::LayerReport& layer = report_.layers[tag];
      if (layer.commands == 0) continue;
      // Layers overlap: the strip gives each the time in which it alone moved the end forward.
      const uint64_t first = layer.last_cycle - layer.cycles;
      if (layer.cycles == 0) continue;
      block(x(first), kStripTop, x(layer.last_cycle) - x(first), kStripHeight, colour(tag, false), name_of(tag));
    }
  }

  std::string name_of(uint32_t tag) const {
    return std::to_string(tag) + " " + (tag < program_.layers.size() ? program_.layers[tag].name : "?");
  }

  void draw_memory(const std::string& what, const MemoryOccupancy& memory, uint64_t capacity, double top) {
    const double scale = kPlotHeight / static_cast<double>(std::max<uint64_t>(capacity, 1));
    text(kLeft, top - 8,
         what + ": " + with_separators(memory.bytes) + " of " + with_separators(capacity) + " bytes; at one moment at most " +
             with_separators(memory.live_bytes) + " hold something");
    svg_ += "<rect x=\"" + number(kLeft) + "\" y=\"" + number(top) + "\" width=\"" + number(kWidth) + "\" height=\"" +
            number(kPlotHeight) + "\" fill=\"#f4f4f4\" stroke=\"#999\"/>\n";
    for (const MemoryBlock& b : joined(memory.blocks)) {
      const double y = top + kPlotHeight - static_cast<double>(b.address + b.bytes) * scale;
      block(x(b.first_cycle), y, x(b.last_cycle) - x(b.first_cycle), static_cast<double>(b.bytes) * scale, colour(b.tag, b.loaded),
            name_of(b.tag) + (b.loaded ? ", loaded" : "") + ": " + with_separators(b.bytes) + " bytes at " +
                with_separators(b.address) + ", cycles " + with_separators(b.first_cycle) + " to " + with_separators(b.last_cycle));
    }
    for (int part = 0; part <= 4; ++part) {
      const double y = top + kPlotHeight - kPlotHeight * part / 4;
      text(kLeft - 8, y + 4, with_separators(capacity * static_cast<uint64_t>(part) / 4), "text-anchor=\"end\" fill=\"#555\"");
    }
  }

  /// Blocks of one layer at one place with less than half a pixel between them become one.
  std::vector<MemoryBlock> joined(const std::vector<MemoryBlock>& blocks) const {
    const auto gap = static_cast<uint64_t>(static_cast<double>(cycles_) / kWidth / 2);
    std::vector<MemoryBlock> result;
    std::map<std::tuple<uint32_t, uint64_t, uint64_t, bool>, size_t> last;
    for (const MemoryBlock& b : blocks) {
      const auto [entry, made] = last.try_emplace({b.tag, b.address, b.bytes, b.loaded}, result.size());
      if (!made && b.first_cycle <= result[entry->second].last_cycle + gap) {
        MemoryBlock& before = result[entry->second];
        before.last_cycle = std::max(before.last_cycle, b.last_cycle);
        continue;
      }
      entry->second = result.size();
      result.push_back(b);
    }
    return result;
  }

  void draw_cycles(double y) {
    for (uint64_t part = 0; part <= 8; ++part) {
      const uint64_t cycle = report_.cycles * part / 8;
      text(x(cycle), y, with_separators(cycle), "text-anchor=\"middle\" fill=\"#555\"");
    }
  }

  const compiler::Program& program_;
  const compiler::ProgramReport& report_;
  const uint64_t cycles_;
  std::string svg_;
};

}  // namespace

std::string occupancy_svg(const std::string& title, const compiler::Program& program, const compiler::ProgramReport& report) {
  return Picture(program, report).draw(title);
}

}  // namespace avocet::tools
