// SPDX-License-Identifier: Apache-2.0
// Walks the nodes in order: what is known is folded, the rest goes through its row of the operator table.
#include "importer/onnx/onnx_importer.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/folding.hpp"
#include "importer/onnx/model_inputs.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/qlinear.hpp"
#include "importer/onnx/shapes.hpp"
#include "input_error.hpp"

namespace avocet::tools::onnx {
namespace {

class Importer {
 public:
  Importer(const Model& model, const ImportOptions& options) : model_(model), conversion_(model) {
    imported_.path = model.path;
    define_model_inputs(conversion_, options, imported_);
  }

  ImportedModel run() {
    std::vector<bool> absorbed(conversion_.order().size());
    for (size_t i = 0; i < conversion_.order().size(); ++i) {
      if (absorbed[i]) continue;
      const Node& node = conversion_.order().node(i);
      try {
        for (const size_t other : convert(i, node)) absorbed[other] = true;
      } catch (const InputError&) {
        throw;
      } catch (const std::runtime_error& error) {
        fail(model_, node.label() + ": " + error.what());
      }
    }
    try {
      for (const std::string& output : model_.outputs) add_output(output);
    } catch (const std::runtime_error& error) {
      fail(model_, error.what());
    }
    imported_.description = std::move(conversion_.builder().description());
    return std::move(imported_);
  }

 private:
  /// Returns the positions of the nodes that were converted too.
  std::vector<size_t> convert(size_t position, const Node& node) {
    if (!node.domain.empty()) refuse("the operators of " + node.domain + " have no form in the API");
    if (fold_node(conversion_, node)) return {};
    const OperatorRow* row = find_operator_row(node.op);
    if (!row) refuse("the Neural Networks API has no such operation");
    if (node.inputs.size() < row->min_inputs ||
        (row->max_inputs != kAllInputs && node.inputs.size() > row->max_inputs)) {
      refuse(std::to_string(node.inputs.size()) + " inputs");
    }
    if (node.outputs.empty() || node.outputs.front().empty()) refuse("its output has no name");
    if (node.has_input(0) && element_count_of(conversion_.value(node.inputs[0]).dims) == 0)
      refuse("an input without elements");
    try {
      return convert(node, *row, plan_form(conversion_, position, *row, true));
    } catch (const NeedsFloats&) {
      return convert(node, *row, plan_form(conversion_, position, *row, false));
    }
  }

  std::vector<size_t> convert(const Node& node, const OperatorRow& row, Form form) {
    const size_t first = conversion_.builder().description().operations.size();
    std::vector<size_t> absorbed = form.absorbed;
    NodeContext context(conversion_, node, row, std::move(form));
    row.convert(context, row.nnapi);
    context.finish();
    ImportedOperator imported;
    imported.name = node.op;
    imported.first_operation = static_cast<uint32_t>(first);
    imported.operation_count = static_cast<uint32_t>(conversion_.builder().description().operations.size() - first);
    for (const auto& [name, operand] : context.written()) {
      imported.outputs.push_back(conversion_.describe(conversion_.value(name), operand));
    }
    imported_.operators.push_back(std::move(imported));
    return absorbed;
  }

  void add_output(const std::string& name) {
    Value& value = conversion_.value(name);
    if (value.is_constant()) refuse("output '" + name + "' is a constant");
    uint32_t operand = conversion_.operand_of(value);
    auto& description = conversion_.builder().description();
    // An output that is an input, or another output too, is copied.
    if (description.operands[operand].lifetime != Lifetime::temporary) {
      const uint32_t copy = conversion_.builder().add_temporary_like(operand, Dims(description.operands[operand].dims));
      conversion_.builder().emit(ANEURALNETWORKS_CAST, {operand}, {copy});
      operand = copy;
    }
    description.operands[operand].lifetime = Lifetime::output;
    description.outputs.push_back(operand);
    imported_.outputs.push_back(conversion_.describe(value, operand));
  }

  const Model& model_;
  Conversion conversion_;
  ImportedModel imported_;
};

}  // namespace

ImportedModel import_onnx(Model model, const ImportOptions& options) {
  expand_qlinear_nodes(model);
  return Importer(model, options).run();
}

}  // namespace avocet::tools::onnx
