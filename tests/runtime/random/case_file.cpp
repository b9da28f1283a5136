// SPDX-License-Identifier: Apache-2.0
// A random model as a file of operation cases: `avocet conformance FILE` runs it again. Outputs hold what the naive evaluator
// makes of the whole graph; where operations follow one another its roundings may differ from the library's.
#include <nlohmann/json.hpp>

#include "naive_evaluator.hpp"
#include "nnapi/operand_types.hpp"
#include "run_model.hpp"

namespace avocet::random_models {
namespace {

using nlohmann::json;
using tools::Lifetime;

const char* lifetime_name(Lifetime lifetime) {
  switch (lifetime) {
    case Lifetime::input: return "SUBGRAPH_INPUT";
    case Lifetime::output: return "SUBGRAPH_OUTPUT";
    case Lifetime::constant_copy: return "CONSTANT_COPY";
    case Lifetime::constant_reference: return "CONSTANT_REFERENCE";
    case Lifetime::no_value: return "NO_VALUE";
    case Lifetime::subgraph: return "SUBGRAPH";
    default: return "TEMPORARY_VARIABLE";
  }
}

json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

json elements(int32_t type, const std::vector<uint8_t>& bytes) {
  json list = json::array();
  const size_t size = tools::operand_type_info(type)->element_bytes;
  for (size_t i = 0; i + size <= bytes.size(); i += size) {
    const double value = tools::read_element(type, bytes.data() + i);
    list.push_back(is_float_type(type) ? number(value) : json(static_cast<int64_t>(value)));
  }
  return list;
}

json to_json(const tools::Operand& operand, const std::optional<Value>& expected) {
  const bool is_model = operand.type == ANEURALNETWORKS_MODEL;
  const tools::OperandTypeInfo* info = tools::operand_type_info(operand.type);  // none for some mutated models
  json object = {{"type", is_model ? "SUBGRAPH" : info ? info->name : std::to_string(operand.type)},
                 {"lifetime", lifetime_name(operand.lifetime)}};
  if (!operand.dims.empty()) object["dims"] = operand.dims;
  if (operand.scale != 0) object["scale"] = operand.scale;
  if (operand.zero_point != 0) object["zero_point"] = operand.zero_point;
  if (!operand.channel_scales.empty()) object["channel_quant"] = {{"dim", operand.channel_dim}, {"scales", operand.channel_scales}};
  if (is_model) {
    object["data"] = {operand.subgraph};
  } else if (expected) {
    object["data"] = elements(operand.type, stored_bytes(*expected));
    if (!expected->dims.empty()) object["dims"] = expected->dims;
  } else if (operand.value && info) {
    object["data"] = elements(operand.type, *operand.value);
  }
  return object;
}

json to_json(const tools::ModelDescription& graph, const std::map<uint32_t, Value>& outputs) {
  json object = {{"operands", json::array()}, {"operations", json::array()}, {"inputs", graph.inputs}, {"outputs", graph.outputs}};
  for (uint32_t i = 0; i < graph.operands.size(); ++i) {
    const auto found = outputs.find(i);
    object["operands"].push_back(to_json(graph.operands[i], found == outputs.end() ? std::nullopt : std::optional(found->second)));
  }
  for (const tools::OperationDescription& operation : graph.operations) {
    object["operations"].push_back({{"op", tools::operation_name(operation.code)}, {"inputs", operation.inputs}, {"outputs", operation.outputs}});
  }
  return object;
}

}  // namespace

std::string to_case_file(const RandomModel& model) {
  const tools::ModelDescription& graph = model.test.main;
  std::vector<Value> inputs;
  for (const uint32_t i : graph.inputs) {
    inputs.push_back(read_value(graph.operands[i], model.dims[i], *graph.operands[i].value));
    inputs.back().omitted = graph.operands[i].value->empty();
  }
  const std::vector<Value> outputs = evaluate_graph(graph, std::move(inputs), model.test.referenced);
  std::map<uint32_t, Value> by_operand;
  for (size_t i = 0; i < outputs.size(); ++i) by_operand[graph.outputs[i]] = outputs[i];
  return to_case_file(model.test, by_operand);
}

std::string to_case_file(const tools::TestCase& test, const std::map<uint32_t, Value>& outputs) {
  json object = {{"name", test.name}, {"min_feature_level", 30}, {"relaxed", test.main.relaxed}, {"main", to_json(test.main, outputs)}};
  for (const auto& referenced : test.referenced) object["referenced"].push_back(to_json(referenced, {}));
  return "{\"spec\": \"random/" + test.name + "\", \"cases\": [\n" + object.dump() + "\n]}\n";
}

}  // namespace avocet::random_models
