// SPDX-License-Identifier: Apache-2.0
// The option --dim, the same in every subcommand that takes a model which may leave extents open.
#include <CLI/CLI.hpp>
#include <charconv>

#include "commands/command.hpp"

namespace avocet::tools {

void add_import_options(CLI::App& command, ImportOptions& options) {
  const auto add = [&options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const size_t equals = text.rfind('=');
      uint32_t extent = 0;
      const char* end = text.data() + text.size();
      const auto parsed = std::from_chars(equals == std::string::npos ? end : text.data() + equals + 1, end, extent);
      if (equals == 0 || parsed.ec != std::errc() || parsed.ptr != end || extent == 0 || extent > INT32_MAX) {
        throw CLI::ValidationError("--dim", text + ": expected NAME=N with a positive number");
      }
      options.dimensions[text.substr(0, equals)] = extent;
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--dim", add,
          "Extent of a dimension that an ONNX model leaves open, by its name or as INPUT.AXIS (repeatable); the first "
          "dimension of an input is 1 otherwise")
      ->type_name("NAME=N")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace avocet::tools
