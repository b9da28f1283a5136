// SPDX-License-Identifier: Apache-2.0
// The naive evaluator itself against the published operation cases: it is no use as a second opinion where it is wrong.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "conformance/case_files.hpp"
#include "conformance/test_case.hpp"
#include "naive_evaluator.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::random_models {
namespace {

std::filesystem::path folder() {
  const char* shared = std::getenv("AVOCET_SHARED");
  return std::filesystem::path(shared ? shared : AVOCET_SOURCE_DIR "/../shared") / "conformance";
}

bool is_input(const tools::ModelDescription& graph, uint32_t index) {
  return graph.operands[index].lifetime == tools::Lifetime::input;
}

std::optional<tools::ActualOutput> published_output(const tools::Operand& operand) {
  if (operand.lifetime != tools::Lifetime::output || operand.ignored || !operand.value) return std::nullopt;
  return tools::ActualOutput{operand.dims, *operand.value};
}

/// Evaluates the operations in the order of the file; the first difference to a published output, or nothing.
std::optional<std::string> compare(const tools::TestCase& test) {
  const tools::ModelDescription& graph = test.main;
  const bool relaxed = tools::uses_relaxed_tolerance(test);
  std::vector<std::optional<Value>> values;
  for (uint32_t i = 0; i < graph.operands.size(); ++i) {
    const tools::Operand& operand = graph.operands[i];
    values.push_back(fixed_value(operand));
    if (!is_input(graph, i)) continue;
    values[i] = read_value(operand, operand.dims, *operand.value);
    values[i]->omitted = operand.value->empty();
  }
  for (const tools::OperationDescription& operation : graph.operations) {
    std::vector<Value> inputs;
    for (const uint32_t i : operation.inputs) inputs.push_back(values[i].value());
    const auto expected = evaluate_operation(graph, operation, std::move(inputs), test.referenced);
    std::vector<std::optional<tools::ActualOutput>> actual;
    for (const uint32_t i : operation.outputs) actual.push_back(published_output(graph.operands[i]));
    Accuracy accuracy = accuracy_of(operation.code);
    accuracy.exact = false;  // cases of several operations pass roundings on
    if (test.name.find("mobilenet") != std::string::npos) accuracy.quanta8 = 3;
    if (auto text = difference(expected, actual, accuracy, relaxed)) {
      return tools::operation_name(operation.code) + ": " + *text;
    }
    for (size_t o = 0; o < expected.size(); ++o) values[operation.outputs[o]] = rounded(expected[o]);
  }
  return std::nullopt;
}

TEST(NaiveEvaluator, AgreesWithThePublishedCases) {
  if (!std::filesystem::is_directory(folder())) GTEST_SKIP() << folder() << " is absent";
  const tools::CaseFiles files(folder().string());
  const char* filter = std::getenv("AVOCET_RANDOM_CASES");  // part of a name
  std::map<std::string, size_t> failures;
  size_t compared = 0;
  for (const auto& entry : files.cases()) {
    if (filter && entry.name.find(filter) == std::string::npos) continue;
    const tools::TestCase test = tools::parse_test_case(entry.json);
    if (test.expect_failure || test.multinomial_tolerance > 0) continue;
    ++compared;
    const auto text = compare(test);
    if (!text) continue;
    if (++failures[entry.spec] <= 2) ADD_FAILURE() << entry.spec << " " << test.name << ": " << *text;
  }
  for (const auto& [spec, count] : failures) std::printf("%s: %zu cases differ\n", spec.c_str(), count);
  std::printf("%zu cases compared\n", compared);
  EXPECT_GT(compared, filter ? 0u : 1000u);
}

}  // namespace
}  // namespace avocet::random_models
