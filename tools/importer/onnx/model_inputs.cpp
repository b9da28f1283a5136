// SPDX-License-Identifier: Apache-2.0
#include "importer/onnx/model_inputs.hpp"

#include <set>
#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fusion.hpp"
#include "importer/onnx/operator_table.hpp"

namespace avocet::tools::onnx {
namespace {

uint32_t extent_of(const ModelInput& input, size_t axis, const ImportOptions& options) {
  const SymbolicExtent& extent = input.dims[axis];
  if (extent.extent > 0) return static_cast<uint32_t>(extent.extent);
  const std::string position = input.name + "." + std::to_string(axis);
  for (const std::string& name : {position, extent.name}) {
    const auto told = options.dimensions.find(name);
    if (!name.empty() && told != options.dimensions.end()) return told->second;
  }
  if (axis == 0) return 1;  // the batch
  const std::string name = extent.name.empty() ? position : extent.name;
  throw std::runtime_error("dimension " + std::to_string(axis) + " is open: say what it is with --dim " + name + "=N");
}

/// Scale and zero point of the first DequantizeLinear that reads `value` or what is moved from it.
std::optional<Quantisation> find_quantisation(Conversion& conversion, const std::string& value) {
  std::set<std::string> seen = {value};
  std::vector<std::string> open = {value};
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    for (const size_t reader : conversion.order().readers(name)) {
      const Node& node = conversion.order().node(reader);
      if (node.is("DequantizeLinear")) {
        const NodeQuantisation found = quantisation_of(conversion, node, 0);
        if (found.problem.empty() && found.quantisation.per_tensor()) return found.quantisation;
        continue;
      }
      const OperatorRow* row = node.domain.empty() ? find_operator_row(node.op) : nullptr;
      if (!row || row->quantised != QuantisedForm::moves || node.inputs.front() != name) continue;
      for (const std::string& output : node.outputs) {
        if (seen.insert(output).second) open.push_back(output);
      }
    }
  }
  return std::nullopt;
}

void define_input(Conversion& conversion, const ModelInput& input, const ImportOptions& options,
                  ImportedModel& imported) {
  const ElementType type = input.type;
  operand_type(type);  // refuses what the API lacks
  Dims dims;
  for (size_t axis = 0; axis < input.dims.size(); ++axis) dims.push_back(extent_of(input, axis, options));
  Value& value = conversion.define(input.name, type, dims);
  if (is_8bit(type)) value.quantisation = find_quantisation(conversion, input.name);
  value.operand = conversion.add_temporary(type, dims, value.quantisation);
  auto& description = conversion.builder().description();
  description.operands[*value.operand].lifetime = Lifetime::input;
  description.inputs.push_back(*value.operand);
  ImportedTensor described = conversion.describe(value, *value.operand);
  if (type == ElementType::int64) {
    described.type = "int32";
    described.element_bytes = 4;
    described.widened = false;
  }
  imported.inputs.push_back(std::move(described));
}

}  // namespace

void define_model_inputs(Conversion& conversion, const ImportOptions& options, ImportedModel& imported) {
  for (const ModelInput& input : conversion.model().inputs) {
    try {
      define_input(conversion, input, options, imported);
    } catch (const std::runtime_error& error) {
      fail(conversion.model(), "input '" + input.name + "': " + error.what());
    }
  }
}

}  // namespace avocet::tools::onnx
