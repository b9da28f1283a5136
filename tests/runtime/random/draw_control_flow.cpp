// SPDX-License-Identifier: Apache-2.0
// IF and WHILE with small models of their own: chains of operations that keep type, shape and quantisation of their value.
#include "model_draft.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::random_models {
namespace {

using tools::Lifetime;
using tools::ModelDescription;
using tools::Operand;

Operand operand_like(const Operand& like, Lifetime lifetime) {
  Operand operand;
  operand.type = like.type;
  operand.dims = like.dims;
  operand.scale = like.scale;
  operand.zero_point = like.zero_point;
  operand.lifetime = lifetime;
  return operand;
}

Operand tensor_of(int32_t type, Dims dims, Lifetime lifetime) {
  Operand operand;
  operand.type = type;
  operand.dims = std::move(dims);
  operand.lifetime = lifetime;
  return operand;
}

uint32_t add(ModelDescription& graph, Operand operand) {
  const auto index = static_cast<uint32_t>(graph.operands.size());
  if (operand.lifetime == Lifetime::input) graph.inputs.push_back(index);
  if (operand.lifetime == Lifetime::output) graph.outputs.push_back(index);
  graph.operands.push_back(std::move(operand));
  return index;
}

uint32_t add_constant(ModelDescription& graph, int32_t type, Dims dims, double stored) {
  Operand operand = tensor_of(type, dims, Lifetime::constant_copy);
  operand.value.emplace();
  for (size_t i = 0; i < count_of(dims); ++i) tools::append_element(type, stored, *operand.value);
  return add(graph, std::move(operand));
}

uint32_t add_model(ModelDescription& graph, uint32_t referenced) {
  Operand operand = tensor_of(ANEURALNETWORKS_MODEL, {}, Lifetime::subgraph);
  operand.subgraph = referenced;
  return add(graph, std::move(operand));
}

}  // namespace

/// Makes the referenced models of one IF or WHILE.
class ControlFlowDraft {
 public:
  ControlFlowDraft(Random& random, std::vector<ModelDescription>& referenced) : random_(random), referenced_(referenced) {}

  /// A model of these inputs whose outputs are chains on its first `outputs` inputs.
  uint32_t branch(const std::vector<Operand>& inputs, size_t outputs, int depth) {
    ModelDescription graph;
    for (const Operand& input : inputs) add(graph, operand_like(input, Lifetime::input));
    for (size_t o = 0; o < outputs; ++o) {
      uint32_t value = static_cast<uint32_t>(o);
      for (uint32_t left = random_.extent(1, 3); left > 0; --left) {
        const uint32_t result = add(graph, operand_like(inputs[o], left == 1 ? Lifetime::output : Lifetime::temporary));
        if (depth < 2 && random_.chance(10)) {
          add_if(graph, value, result, inputs[o], depth + 1);
        } else {
          add_step(graph, value, result);
        }
        value = result;
      }
    }
    return keep(std::move(graph));
  }

  /// counter < limit, of the inputs (data, counter, limit).
  uint32_t condition(const std::vector<Operand>& inputs) {
    ModelDescription graph;
    for (const Operand& input : inputs) add(graph, operand_like(input, Lifetime::input));
    const uint32_t result = add(graph, tensor_of(ANEURALNETWORKS_TENSOR_BOOL8, {1}, Lifetime::output));
    graph.operations.push_back({ANEURALNETWORKS_LESS, {1, 2}, {result}});
    return keep(std::move(graph));
  }

  /// (data, counter, limit) -> (a chain on data, counter + 1).
  uint32_t body(const std::vector<Operand>& inputs) {
    ModelDescription graph;
    for (const Operand& input : inputs) add(graph, operand_like(input, Lifetime::input));
    const uint32_t data = add(graph, operand_like(inputs[0], Lifetime::output));
    const uint32_t counter = add(graph, operand_like(inputs[1], Lifetime::output));
    add_step(graph, 0, data);
    const uint32_t one = add_constant(graph, ANEURALNETWORKS_TENSOR_INT32, {1}, 1);
    graph.operations.push_back({ANEURALNETWORKS_ADD, {1, one, add_constant(graph, ANEURALNETWORKS_INT32, {}, 0)}, {counter}});
    return keep(std::move(graph));
  }

 private:
  uint32_t keep(ModelDescription graph) {
    referenced_.push_back(std::move(graph));
    return static_cast<uint32_t>(referenced_.size() - 1);
  }

  void add_step(ModelDescription& graph, uint32_t from, uint32_t to) {
    const int32_t type = graph.operands[from].type;
    static constexpr int32_t kUnary[] = {ANEURALNETWORKS_RELU, ANEURALNETWORKS_RELU1, ANEURALNETWORKS_RELU6};
    if (type != ANEURALNETWORKS_TENSOR_INT32 && random_.chance(40)) {
      graph.operations.push_back({random_.pick(kUnary), {from}, {to}});
      return;
    }
    uint32_t second = from;
    if (!is_quantised_type(type) && random_.chance(60)) {
      second = add_constant(graph, type, {1}, static_cast<double>(random_.between(-2, 2)));
    }
    const uint32_t none = add_constant(graph, ANEURALNETWORKS_INT32, {}, 0);
    const int32_t code = random_.chance(50) ? ANEURALNETWORKS_ADD : ANEURALNETWORKS_SUB;
    graph.operations.push_back({code, {from, second, none}, {to}});
  }

  void add_if(ModelDescription& graph, uint32_t from, uint32_t to, const Operand& like, int depth) {
    const uint32_t condition = add_constant(graph, ANEURALNETWORKS_TENSOR_BOOL8, {1}, random_.below(2));
    const uint32_t then_model = add_model(graph, branch({like}, 1, depth)), else_model = add_model(graph, branch({like}, 1, depth));
    graph.operations.push_back({ANEURALNETWORKS_IF, {condition, then_model, else_model, from}, {to}});
  }

  Random& random_;
  std::vector<ModelDescription>& referenced_;
};

bool ModelDraft::add_control_flow(int32_t code) {
  if (profile_.quantised_only) return false;
  ControlFlowDraft draft(random_, test_.referenced);
  const auto pick_data = [&]() -> uint32_t {
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < tensors_.size(); ++i) {
      const Operand& operand = test_.main.operands[i];
      const bool fits = operand.type == ANEURALNETWORKS_TENSOR_FLOAT32 || operand.type == ANEURALNETWORKS_TENSOR_INT32 ||
                        operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
      // Models must declare the same dimensions; rank 4 is the most that ADD takes.
      const bool declared = operand.dims == tensors_[i].dims && operand.dims.size() <= 4 && count_of(operand.dims) > 0;
      if (fits && declared && operand.scale < 1e3f && tensors_[i].usable && !tensors_[i].data_dependent && !tensors_[i].wild) list.push_back(i);
    }
    if (!list.empty() && random_.chance(70)) return random_.pick(list);
    OperandDraw fresh;
    fresh.type = random_.chance(60) ? ANEURALNETWORKS_TENSOR_FLOAT32 : ANEURALNETWORKS_TENSOR_INT32;
    fresh.shape({random_.extent(1, 3), random_.extent(1, 4)});
    for (size_t i = 0; i < count_of(fresh.dims); ++i) fresh.stored.push_back(static_cast<double>(random_.between(-4, 4)));
    return add_fresh(fresh);
  };
  const auto small = [&](int32_t type, double value) {
    OperandDraw fresh;
    fresh.type = type;
    fresh.shape({1});
    fresh.values({value});
    return add_fresh(fresh);
  };
  tools::OperationDescription operation{code, {}, {}};
  std::vector<uint32_t> arguments = {pick_data()};
  size_t outputs = 1;
  if (code == ANEURALNETWORKS_IF) {
    if (random_.chance(50)) arguments.push_back(pick_data());
    outputs = random_.extent(1, static_cast<uint32_t>(arguments.size()));
    operation.inputs.push_back(small(ANEURALNETWORKS_TENSOR_BOOL8, random_.below(2)));
  } else {
    arguments.push_back(small(ANEURALNETWORKS_TENSOR_INT32, 0));
    arguments.push_back(small(ANEURALNETWORKS_TENSOR_INT32, random_.below(5)));
    outputs = random_.extent(1, 2);  // the counter is an output or state alone
  }
  std::vector<Operand> like;
  for (const uint32_t argument : arguments) like.push_back(test_.main.operands[argument]);
  const bool is_if = code == ANEURALNETWORKS_IF;
  for (int model = 0; model < 2; ++model) {
    const uint32_t referenced = is_if ? draft.branch(like, outputs, 0) : model == 0 ? draft.condition(like) : draft.body(like);
    Operand operand = tensor_of(ANEURALNETWORKS_MODEL, {}, Lifetime::subgraph);
    operand.subgraph = referenced;
    operation.inputs.push_back(add_operand(std::move(operand), {}));
  }
  operation.inputs.insert(operation.inputs.end(), arguments.begin(), arguments.end());
  for (const uint32_t argument : arguments) ++tensors_[argument].uses;
  for (size_t o = 0; o < outputs; ++o) {
    Tensor tensor;
    tensor.dims = tensors_[arguments[o]].dims;
    tensor.usable = true;
    operation.outputs.push_back(add_operand(operand_like(like[o], Lifetime::temporary), std::move(tensor)));
  }
  test_.main.operations.push_back(std::move(operation));
  return true;
}

}  // namespace avocet::random_models
