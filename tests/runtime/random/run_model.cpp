// SPDX-License-Identifier: Apache-2.0
#include "run_model.hpp"

#include <algorithm>
#include <avocet/runtime/introspection.hpp>
#include <cstring>

#include "conformance/case_execution.hpp"
#include "naive_evaluator.hpp"
#include "nnapi/model_builder.hpp"
#include "nnapi/operand_types.hpp"
#include "told_execution.hpp"

namespace avocet::random_models {
namespace {

using tools::ActualOutput;
using tools::DeviceChoice;
using tools::Lifetime;
using tools::ModelDescription;
using tools::TestCase;
using tools::Variation;

constexpr double kWild = 1e12;  // beyond it intermediate results of float32 arithmetic may overflow

size_t element_bytes(int32_t type) { return tools::operand_type_info(type)->element_bytes; }

/// Results of the main graph by operand.
using Results = std::map<uint32_t, ActualOutput>;

/// All results become outputs.
RandomModel exposed(RandomModel model) {
  ModelDescription& graph = model.test.main;
  for (const tools::OperationDescription& operation : graph.operations) {
    for (const uint32_t i : operation.outputs) {
      tools::Operand& operand = graph.operands[i];
      if (operand.lifetime != Lifetime::temporary) continue;
      operand.lifetime = Lifetime::output;
      operand.value.emplace(count_of(model.dims[i]) * element_bytes(operand.type));
      graph.outputs.push_back(i);
    }
  }
  return model;
}

/// Results without what stands behind them in buffers that were larger.
Results by_operand(const ModelDescription& graph, std::vector<ActualOutput> outputs) {
  Results results;
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const size_t bytes = count_of(outputs[i].dims) * element_bytes(graph.operands[graph.outputs[i]].type);
    if (bytes < outputs[i].bytes.size()) outputs[i].bytes.resize(bytes);
    results[graph.outputs[i]] = std::move(outputs[i]);
  }
  return results;
}

/// `accelerated` counts the operations that a program was made for, or will be at execution.
Results execute(const RandomModel& model, Way way, DeviceChoice device, size_t* accelerated) {
  const TestCase& test = model.test;
  const tools::BuiltModel built = tools::build_model(test.main, test.referenced);
  const tools::CompilationHandle compilation = tools::create_finished_compilation(built.get(), device);
  for (const auto& placement : runtime::placements(compilation.get())) {
    if (accelerated && placement.device == tools::kNpuDevice) ++*accelerated;
  }
  if (way.told) return by_operand(test.main, execute_told(compilation.get(), model));
  return by_operand(test.main, tools::execute_case(compilation.get(), test, way.variation).back());
}

std::optional<Value> input_value(const RandomModel& model, const Results& results, uint32_t index) {
  const tools::Operand& operand = model.test.main.operands[index];
  if (operand.lifetime == Lifetime::input) {
    Value value = read_value(operand, model.dims[index], *operand.value);
    value.omitted = operand.value->empty();
    return value;
  }
  if (auto value = fixed_value(operand)) return value;
  const auto found = results.find(index);
  if (found == results.end()) return std::nullopt;
  return read_value(operand, found->second.dims, found->second.bytes);
}

bool is_wild(const Value& value) {
  return std::any_of(value.real.begin(), value.real.end(), [](double x) { return !(std::fabs(x) <= kWild); });
}

bool is_open(const std::vector<Expected>& expected) {
  return std::all_of(expected.begin(), expected.end(), [](const Expected& e) { return !e.values_known; });
}

/// Compares operation by operation. `open` receives the results whose values are nobody's business.
std::optional<std::string> judge(const RandomModel& model, const Results& results, Tally& tally, std::vector<uint32_t>& open) {
  const ModelDescription& graph = model.test.main;
  const bool relaxed = tools::uses_relaxed_tolerance(model.test);
  for (const tools::OperationDescription& operation : graph.operations) {
    std::vector<Value> inputs;
    for (const uint32_t i : operation.inputs) inputs.push_back(input_value(model, results, i).value());
    const Accuracy accuracy = accuracy_of(operation.code);
    const bool any_number = accuracy.exact && !accuracy.compares;
    if (!any_number && std::any_of(inputs.begin(), inputs.end(), is_wild)) {
      ++tally.wild_inputs[operation.code];
      continue;
    }
    const auto expected = evaluate_operation(graph, operation, std::move(inputs), model.test.referenced);
    std::vector<std::optional<ActualOutput>> actual;
    for (const uint32_t i : operation.outputs) actual.push_back(results.at(i));
    ++(is_open(expected) ? tally.open : tally.operations)[operation.code];
    for (size_t o = 0; o < expected.size(); ++o) {
      if (!expected[o].values_known) open.push_back(operation.outputs[o]);
      tally.empty += count_of(actual[o]->dims) == 0;
    }
    if (auto text = difference(expected, actual, accuracy, relaxed)) return tools::operation_name(operation.code) + ": " + *text;
  }
  return std::nullopt;
}

std::string producer(const ModelDescription& graph, uint32_t operand) {
  for (const tools::OperationDescription& operation : graph.operations) {
    if (std::find(operation.outputs.begin(), operation.outputs.end(), operand) != operation.outputs.end()) {
      return tools::operation_name(operation.code);
    }
  }
  return "nothing";
}

std::optional<std::string> first_unequal(const ModelDescription& graph, const Results& some, const Results& others,
                                         const std::vector<uint32_t>& open, const char* what) {
  for (const auto& [operand, output] : some) {
    if (std::find(open.begin(), open.end(), operand) != open.end()) continue;
    const ActualOutput& other = others.at(operand);
    const std::string where = producer(graph, operand) + ": operand " + std::to_string(operand) + " " + what + ": ";
    if (output.dims != other.dims) {
      return where + "dimensions " + tools::format_dimensions(output.dims) + " and " + tools::format_dimensions(other.dims);
    }
    const size_t size = element_bytes(graph.operands[operand].type);
    for (size_t i = 0; i < output.bytes.size(); i += size) {
      if (std::memcmp(&output.bytes[i], &other.bytes[i], size) == 0) continue;
      const auto number = [&](const ActualOutput& o) { return std::to_string(tools::read_element(graph.operands[operand].type, &o.bytes[i])); };
      return where + "element " + tools::format_position(i / size, output.dims) + " is " + number(output) + " and " + number(other);
    }
  }
  return std::nullopt;
}

bool fully_specified(const RandomModel& model) {
  const ModelDescription& graph = model.test.main;
  return std::all_of(graph.outputs.begin(), graph.outputs.end(), [&](uint32_t i) {
    const tools::Operand& operand = graph.operands[i];
    return !is_tensor_type(operand.type) || (!operand.dims.empty() && count_of(operand.dims) > 0);
  });
}

}  // namespace

Way way_of(const RandomModel& model, uint64_t turn) {
  static constexpr Variation kWays[] = {Variation::plain, Variation::async,   Variation::burst, Variation::fenced,
                                        Variation::reuse, Variation::domains, Variation::plain};
  const size_t chosen = turn % std::size(kWays);
  const Variation way = kWays[chosen];
  const bool needs_dims = way == Variation::fenced || way == Variation::domains;
  if (needs_dims && !fully_specified(model)) return {};
  return {.variation = way, .told = chosen + 1 == std::size(kWays)};
}

const char* way_name(Way way) { return way.told ? "shapes told at execution" : tools::variation_name(way.variation); }

std::optional<std::string> check_on_cpu(const RandomModel& model, Way way, Tally& tally) {
  try {
    const RandomModel open_model = exposed(model);
    const Results results = execute(open_model, {}, DeviceChoice::cpu, nullptr);
    std::vector<uint32_t> open;
    if (auto text = judge(open_model, results, tally, open)) return text;
    const Results again = execute(way.told ? with_open_inputs(model) : model, way, DeviceChoice::cpu, nullptr);
    return first_unequal(model.test.main, again, results, open, "alone and among all results");
  } catch (const tools::ApiError& error) {
    return error.what();
  }
}

std::optional<std::string> check_on_npu(const RandomModel& model, Way way, Tally& tally) {
  try {
    const Results results = execute(way.told ? with_open_inputs(model) : model, way, DeviceChoice::npu, &tally.accelerated);
    const Results wanted = execute(model, {}, DeviceChoice::cpu, nullptr);
    return first_unequal(model.test.main, results, wanted, {}, "on the accelerator and on the CPU");
  } catch (const tools::ApiError& error) {
    return error.what();
  }
}

}  // namespace avocet::random_models
