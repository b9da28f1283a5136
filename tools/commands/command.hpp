// SPDX-License-Identifier: Apache-2.0
// What every subcommand of `avocet` shares: how it registers, how it fails, and the options that choose the device.
// Exit status: 0 done, 1 done but something failed (a case, a sample), 2 bad input.
#pragma once

#include <functional>
#include <string>

#include "importer/importer.hpp"
#include "input_error.hpp"
#include "nnapi/device_choice.hpp"

namespace CLI {
class App;
}

namespace avocet::tools {

/// Set by the subcommand that was chosen; returns the exit status.
using Action = std::function<int()>;

void add_compile_command(CLI::App& app, Action& action);
void add_conformance_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action);
void add_verify_command(CLI::App& app, Action& action);
void add_devices_command(CLI::App& app, Action& action);
void add_disasm_command(CLI::App& app, Action& action);
void add_demo_command(CLI::App& app, Action& action);
void add_docs_command(CLI::App& app, Action& action);
void add_fault_command(CLI::App& app, Action& action);
void add_kmd_test_command(CLI::App& app, Action& action);
void add_status_command(CLI::App& app, Action& action);
void add_record_command(CLI::App& app, Action& action);
void add_replay_command(CLI::App& app, Action& action);
void add_sweep_command(CLI::App& app, Action& action);
void add_synth_command(CLI::App& app, Action& action);

/// --device, --engine and --config.
void add_device_options(CLI::App& command, DeviceSettings& settings);

/// --dim.
void add_import_options(CLI::App& command, ImportOptions& options);

/// Number of processors, at least 1.
unsigned processor_count();

}  // namespace avocet::tools
