// SPDX-License-Identifier: Apache-2.0
// `avocet docs`: the operations of the API as the runtime's own rows describe them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <avocet/runtime/introspection.hpp>
#include <cctype>
#include <cstdio>
#include <memory>

#include "commands/command.hpp"

namespace avocet::tools {
namespace {

int run(std::string operation) {
  std::transform(operation.begin(), operation.end(), operation.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string page = runtime::operations_reference(operation);
  if (page.empty()) throw InputError("the API has no operation '" + operation + "' (avocet docs lists all)");
  std::fwrite(page.data(), 1, page.size(), stdout);
  return 0;
}

}  // namespace

void add_docs_command(CLI::App& app, Action& action) {
  auto operation = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("docs", "Print the reference page of the API's operations (markdown)");
  command->add_option("OPERATION", *operation, "Only this operation, for example CONV_2D");
  command->footer("Example: avocet docs CONV_2D");
  command->callback([operation, &action] { action = [operation] { return run(*operation); }; });
}

}  // namespace avocet::tools
