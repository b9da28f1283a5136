// SPDX-License-Identifier: Apache-2.0
// What the compiler made of a model, as a table and as JSON.
#pragma once

#include <avocet/compiler/report.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace avocet::tools {

/// A line per layer and the totals: predicted cycles, what bounds them, tile, traffic, SRAM.
std::string format_program_report(const compiler::Program& program, const compiler::ProgramReport& report);

nlohmann::ordered_json program_report_to_json(const compiler::Program& program, const compiler::ProgramReport& report);

/// Useful multiplications over what the array can do in the predicted cycles.
double array_utilisation(const compiler::Program& program, const compiler::ProgramReport& report);

}  // namespace avocet::tools
