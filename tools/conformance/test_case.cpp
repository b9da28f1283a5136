// SPDX-License-Identifier: Apache-2.0
// JSON to TestCase. Unknown keys and values out of their type's range are errors: a case is never half understood.
#include "conformance/test_case.hpp"

#include <android/NeuralNetworks.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

Lifetime parse_lifetime(const std::string& name) {
  if (name == "SUBGRAPH_INPUT") return Lifetime::input;
  if (name == "SUBGRAPH_OUTPUT") return Lifetime::output;
  if (name == "TEMPORARY_VARIABLE") return Lifetime::temporary;
  if (name == "CONSTANT_COPY") return Lifetime::constant_copy;
  if (name == "CONSTANT_REFERENCE") return Lifetime::constant_reference;
  if (name == "NO_VALUE") return Lifetime::no_value;
  if (name == "SUBGRAPH") return Lifetime::subgraph;
  fail("unknown lifetime " + name);
}

double parse_number(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  fail("an element is not a number: " + value.dump());
}

void parse_data(const json& data, Operand& operand) {
  if (operand.lifetime == Lifetime::subgraph) {
    operand.subgraph = data.at(0).get<uint32_t>();
    return;
  }
  auto& bytes = operand.value.emplace();
  bytes.reserve(data.size() * operand_type_info(operand.type)->element_bytes);
  for (const json& element : data) append_element(operand.type, parse_number(element), bytes);
}

Operand parse_operand(const json& object) {
  Operand operand;
  const json* data = nullptr;
  for (const auto& [key, value] : object.items()) {
    if (key == "type") {
      const auto& name = value.get_ref<const std::string&>();
      const auto code = name == "SUBGRAPH" ? ANEURALNETWORKS_MODEL : operand_type_code(name);
      if (!code) fail("unknown operand type " + value.dump());
      operand.type = *code;
    } else if (key == "dims") {
      operand.dims = value.get<std::vector<uint32_t>>();
    } else if (key == "scale") {
      operand.scale = static_cast<float>(value.get<double>());
    } else if (key == "zero_point") {
      operand.zero_point = value.get<int32_t>();
    } else if (key == "lifetime") {
      operand.lifetime = parse_lifetime(value.get_ref<const std::string&>());
    } else if (key == "ignored") {
      operand.ignored = value.get<bool>();
    } else if (key == "channel_quant") {
      operand.channel_dim = value.at("dim").get<uint32_t>();
      for (const json& scale : value.at("scales")) operand.channel_scales.push_back(static_cast<float>(scale.get<double>()));
    } else if (key == "data") {
      data = &value;
    } else {
      fail("unknown key of an operand: " + key);
    }
  }
  if (data && !data->is_null()) parse_data(*data, operand);
  const bool constant = operand.lifetime == Lifetime::constant_copy || operand.lifetime == Lifetime::constant_reference;
  if (constant && !operand.value) fail("a constant without data");
  return operand;
}

void check_indexes(const std::vector<uint32_t>& indexes, size_t count) {
  for (const uint32_t i : indexes) {
    if (i >= count) fail("operand index " + std::to_string(i) + " of " + std::to_string(count));
  }
}

ModelDescription parse_graph(const json& object) {
  ModelDescription graph;
  for (const json& operand : object.at("operands")) graph.operands.push_back(parse_operand(operand));
  for (const json& operation : object.at("operations")) {
    const auto code = operation_code(operation.at("op").get_ref<const std::string&>());
    if (!code) fail("unknown operation " + operation.at("op").dump());
    graph.operations.push_back({.code = *code,
                                .inputs = operation.at("inputs").get<std::vector<uint32_t>>(),
                                .outputs = operation.at("outputs").get<std::vector<uint32_t>>()});
  }
  graph.inputs = object.at("inputs").get<std::vector<uint32_t>>();
  graph.outputs = object.at("outputs").get<std::vector<uint32_t>>();
  for (const auto& operation : graph.operations) {
    check_indexes(operation.inputs, graph.operands.size());
    check_indexes(operation.outputs, graph.operands.size());
  }
  check_indexes(graph.inputs, graph.operands.size());
  check_indexes(graph.outputs, graph.operands.size());
  return graph;
}

void check_main_graph(const TestCase& test) {
  for (const auto* list : {&test.main.inputs, &test.main.outputs}) {
    for (const uint32_t i : *list) {
      if (!test.main.operands[i].value) fail("input or output operand " + std::to_string(i) + " has no data");
    }
  }
  const auto check_subgraphs = [&](const ModelDescription& graph) {
    for (const Operand& operand : graph.operands) {
      if (operand.lifetime == Lifetime::subgraph && operand.subgraph >= test.referenced.size()) {
        fail("referenced graph " + std::to_string(operand.subgraph) + " is missing");
      }
    }
  };
  check_subgraphs(test.main);
  for (const ModelDescription& graph : test.referenced) check_subgraphs(graph);
}

}  // namespace

TestCase parse_test_case(std::string_view text) {
  try {
    const json object = json::parse(text);
    TestCase test;
    bool relaxed = false;
    for (const auto& [key, value] : object.items()) {
      if (key == "name") {
        test.name = value.get<std::string>();
      } else if (key == "min_feature_level") {
        test.min_feature_level = value.get<int>();
      } else if (key == "relaxed") {
        relaxed = value.get<bool>();
      } else if (key == "expect_failure") {
        test.expect_failure = value.get<bool>();
      } else if (key == "multinomial_tolerance") {
        test.multinomial_tolerance = value.get<double>();
      } else if (key == "main") {
        test.main = parse_graph(value);
      } else if (key == "referenced") {
        for (const json& graph : value) test.referenced.push_back(parse_graph(graph));
      } else if (key != "level_inferred") {
        fail("unknown key of a case: " + key);
      }
    }
    test.main.relaxed = relaxed;
    check_main_graph(test);
    return test;
  } catch (const json::exception& error) {
    fail(error.what());
  }
}

std::string parse_test_case_name(std::string_view text) {
  // The parser is stopped by its callback once the name has been read.
  struct NameReader : nlohmann::json_sax<json> {
    std::string name;
    int depth = 0;
    bool at_name = false;
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t& value) override {
      if (at_name) name = value;
      return !at_name;
    }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return ++depth, true; }
    bool key(string_t& value) override {
      at_name = depth == 1 && value == "name";
      return true;
    }
    bool end_object() override { return --depth, true; }
    bool start_array(std::size_t) override { return ++depth, true; }
    bool end_array() override { return --depth, true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }
  } reader;
  json::sax_parse(text, &reader);
  if (reader.name.empty()) fail("a case without a name");
  return reader.name;
}

}  // namespace avocet::tools
