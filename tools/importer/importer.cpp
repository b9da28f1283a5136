// SPDX-License-Identifier: Apache-2.0
// Walks the operators of a file in their order and lets each row of the operator table emit its operations.
#include "importer/importer.hpp"

#include <algorithm>
#include <set>

#include "importer/operators.hpp"
#include "input_error.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

void convert_operator(GraphBuilder& graph, uint32_t index, ImportedModel& model) {
  const tflite::Operator& op = *graph.file().graph().operators()->Get(index);
  OperatorContext context(graph, op, index);
  const OperatorRow* row = find_operator_row(graph.file().operator_code(op));
  if (!row) context.refuse("the Neural Networks API has no such operation");
  const size_t first = graph.description().operations.size();
  try {
    row->convert(context, row->nnapi);
    ImportedOperator imported;
    imported.name = graph.file().operator_name(op);
    imported.first_operation = static_cast<uint32_t>(first);
    imported.operation_count = static_cast<uint32_t>(graph.description().operations.size() - first);
    for (const int32_t tensor : *op.outputs()) imported.outputs.push_back(graph.describe(tensor));
    model.operators.push_back(std::move(imported));
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    context.refuse(error.what());
  }
}

void identify_output(ModelDescription& description, uint32_t operand, const std::string& where) {
  Operand& output = description.operands[operand];
  if (output.lifetime == Lifetime::input) throw std::runtime_error(where + " is a model input");
  if (output.lifetime == Lifetime::constant_copy) throw std::runtime_error(where + " is a constant");
  output.lifetime = Lifetime::output;
  description.outputs.push_back(operand);
}

}  // namespace

size_t ImportedTensor::elements() const { return element_count(dims).value(); }

size_t ImportedTensor::operand_bytes() const { return elements() * (widened ? 4 : element_bytes); }

ImportedModel import_tflite(const TfliteFile& file) {
  ImportedModel model{.path = file.path(), .description = {}, .inputs = {}, .outputs = {}, .operators = {}};
  GraphBuilder graph(file);
  try {
    for (const int32_t tensor : *file.graph().inputs()) {
      graph.description().inputs.push_back(graph.add_model_input(tensor));
      model.inputs.push_back(graph.describe(tensor));
    }
    for (uint32_t i = 0; i < file.graph().operators()->size(); ++i) convert_operator(graph, i, model);
    for (const int32_t tensor : *file.graph().outputs()) {
      model.outputs.push_back(graph.describe(tensor));
      identify_output(graph.description(), model.outputs.back().operand, "output tensor " + std::to_string(tensor));
    }
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw InputError(file.path() + ": " + error.what());
  }
  if (model.inputs.empty() || model.outputs.empty()) throw InputError(file.path() + ": no inputs or no outputs");
  model.description = std::move(graph.description());
  return model;
}

ImportedModel import_tflite(const std::string& path) { return import_tflite(TfliteFile::read(path)); }

void expose_all_operators(ImportedModel& model) {
  model.outputs.clear();
  model.description.outputs.clear();
  std::set<uint32_t> seen;
  for (const ImportedOperator& op : model.operators) {
    for (const ImportedTensor& tensor : op.outputs) {
      Operand& operand = model.description.operands[tensor.operand];
      const bool written = operand.lifetime == Lifetime::temporary || operand.lifetime == Lifetime::output;
      if (!written || !seen.insert(tensor.operand).second) continue;
      operand.lifetime = Lifetime::output;
      model.outputs.push_back(tensor);
      model.description.outputs.push_back(tensor.operand);
    }
  }
}

}  // namespace avocet::tools
