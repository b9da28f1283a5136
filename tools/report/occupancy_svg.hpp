// SPDX-License-Identifier: Apache-2.0
// A picture of a program's memories over time: who holds which addresses of the SRAM and of the scratch DRAM.
#pragma once

#include <avocet/compiler/report.hpp>
#include <string>

namespace avocet::tools {

/// A self-contained SVG document; time runs to the right, addresses upwards, one colour for each layer; what came from DRAM is
/// paler than what was computed. Hovering over a block names it.
std::string occupancy_svg(const std::string& title, const compiler::Program& program, const compiler::ProgramReport& report);

}  // namespace avocet::tools
