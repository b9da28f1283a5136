// SPDX-License-Identifier: Apache-2.0
// The published cases without control flow, executed operation by operation through the seam and judged by the published
// rules. OPERATION in the environment keeps to the cases that use that operation and lists every failure.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "published_cases.hpp"

namespace avocet::runtime {
namespace {

using nlohmann::json;

struct Tolerance {
  double absolute;
  double relative;
};

Tolerance tolerance_of(int32_t type, bool relaxed, bool mobilenet) {
  constexpr double kHalf = 5 * 0.0009765625;
  switch (type) {
    case ANEURALNETWORKS_TENSOR_FLOAT32:
      return relaxed ? Tolerance{kHalf, kHalf} : Tolerance{static_cast<double>(1e-5f), 5 * 1.1920928955078125e-7};
    case ANEURALNETWORKS_TENSOR_FLOAT16: return {kHalf, kHalf};
    case ANEURALNETWORKS_TENSOR_BOOL8: return {0, 0};
    case ANEURALNETWORKS_TENSOR_INT32:
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: return {1, 0};
    default: return {mobilenet ? 3.0 : 1.0, 0};
  }
}

/// Runs one operation; empty sentence on success.
std::string run(const Operation& operation, published::Graph& graph, const json& op) {
  std::vector<OperandView> inputs, outputs;
  for (size_t i : op.at("inputs")) inputs.push_back(graph.view(i));
  for (size_t i : op.at("outputs")) outputs.push_back(graph.view(i));
  OperationContext context;
  context.inputs = inputs;
  context.outputs = outputs;
  int level = 0;
  if (Status status = validate_operation(operation, context, &level); !status.ok()) return "validate: " + status.message;
  const std::unique_ptr<PreparedState> prepared = operation.prepare ? operation.prepare(context) : nullptr;
  context.prepared = prepared.get();
  if (Status status = operation.infer(context); !status.ok()) return "infer: " + status.message;
  std::vector<void*> buffers;
  size_t k = 0;
  for (size_t i : op.at("outputs")) {
    graph.view(i).dims = outputs[k].dims;
    buffers.push_back(graph.allocate(i));
    outputs[k].bytes = graph.view(i).bytes;
    ++k;
  }
  context.output_buffers = buffers;
  const Status status = operation.execute(context);
  return status.ok() ? "" : "execute: " + status.message;
}

std::string compare(const OperandView& actual, const json& expected, Tolerance tolerance) {
  if (actual.dims != expected.value("dims", Dimensions{})) return "has the shape " + dims_text(actual.dims);
  const std::vector<uint8_t> wanted = published::bytes_of(actual.type, expected.at("data"));
  if (wanted.size() != actual.bytes) return "has " + std::to_string(actual.bytes) + " bytes";
  for (size_t i = 0; i < wanted.size() / element_size(actual.type); ++i) {
    const double is = published::element(actual, actual.as<uint8_t>(), i), should = published::element(actual, wanted.data(), i);
    if (!(std::abs(is - should) <= tolerance.absolute + tolerance.relative * std::abs(should))) {
      return "element " + std::to_string(i) + " is " + std::to_string(is) + ", expected " + std::to_string(should);
    }
  }
  return "";
}

/// Empty when the case passes.
std::string judge(const json& one) {
  published::Graph graph(one.at("main"));
  const bool must_fail = one.value("expect_failure", false);
  bool relaxed = one.value("relaxed", false);
  for (const json& operand : one.at("main").at("operands")) relaxed |= operand.at("type") == "TENSOR_FLOAT16";
  for (const json& op : one.at("main").at("operations")) {
    const std::string failure = run(*published::operation_named(op.at("op")), graph, op);
    if (!failure.empty()) return must_fail ? "" : failure;
  }
  if (must_fail) return "succeeded but must fail";
  const bool mobilenet = one.at("name").get<std::string>().find("mobilenet") != std::string::npos;
  for (size_t i : one.at("main").at("outputs")) {
    const json& expected = one.at("main").at("operands")[i];
    if (expected.value("ignored", false)) continue;
    const std::string difference = compare(graph.view(i), expected, tolerance_of(graph.view(i).type, relaxed, mobilenet));
    if (!difference.empty()) return "output operand " + std::to_string(i) + " " + difference;
  }
  return "";
}

bool is_runnable(const json& one) {
  if (one.value("multinomial_tolerance", 0.0) > 0) return false;
  for (const json& op : one.at("main").at("operations")) {
    const Operation* operation = published::operation_named(op.at("op"));
    if (!operation->execute) return false;  // IF and WHILE
    OperationContext nothing;
    const Status status = operation->execute(nothing);
    if (status.message.find("no kernel") != std::string::npos) return false;
  }
  return true;
}

bool uses(const json& one, const std::string& name) {
  for (const json& op : one.at("main").at("operations")) {
    if (op.at("op") == name) return true;
  }
  return false;
}

TEST(PublishedCases, PassThroughTheSeam) {
  if (!std::filesystem::exists(published::folder())) GTEST_SKIP() << published::folder() << " is not there; set AVOCET_SHARED";
  const char* only = std::getenv("OPERATION");
  size_t run_count = 0, skipped = 0;
  std::map<std::string, std::pair<size_t, std::string>> failures;  // by operation: how many, and one sentence
  for (const auto& entry : std::filesystem::recursive_directory_iterator(published::folder())) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const json document = json::parse(file);
    for (const json& one : document.at("cases")) {
      if (only && !uses(one, only)) continue;
      if (!is_runnable(one)) {
        ++skipped;
        continue;
      }
      ++run_count;
      const std::string failure = judge(one);
      if (failure.empty()) continue;
      const std::string sentence = one.at("name").get<std::string>() + ": " + failure;
      if (only) ADD_FAILURE() << sentence;
      auto& [count, first] = failures[one.at("main").at("operations")[0].at("op")];
      if (count++ == 0) first = sentence;
    }
  }
  for (const auto& [name, failure] : failures) {
    ADD_FAILURE() << failure.first << " cases that begin with " << name << " fail; one is " << failure.second;
  }
  std::printf("%zu cases run, %zu skipped (control flow, random, or without a kernel)\n", run_count, skipped);
}

}  // namespace
}  // namespace avocet::runtime
