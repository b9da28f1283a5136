// SPDX-License-Identifier: Apache-2.0
#include "npu/lowering.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "operations/failure.hpp"
#include "operations/signature.hpp"

namespace avocet::runtime::npu {
namespace {

using compiler::Activation;
using compiler::Attributes;
using compiler::ElementType;
using compiler::OperationType;

/// The operands of one operation, by the names of its signature row.
class NamedOperands {
 public:
  Status open(const Model& model, const ModelOperation& operation) {
    model_ = &model;
    operation_ = &operation;
    for (uint32_t operand : operation.inputs) inputs_.push_back(view_of(model.operand(operand)));
    for (uint32_t operand : operation.outputs) outputs_.push_back(view_of(model.operand(operand)));
    context_.inputs = inputs_;
    context_.outputs = outputs_;
    match_ = match_signature(operation.name(), *operation.row->signature, context_);
    return match_.status;
  }

  /// Position of the input called `name`, when this form has it and the model gives it.
  std::optional<size_t> position(std::string_view name) const {
    const std::span<const OperandRule> rules = match_.inputs->operands;
    for (size_t i = 0; i < rules.size() && i < inputs_.size(); ++i) {
      if (name == rules[i].name && !inputs_[i].omitted) return i;
    }
    return std::nullopt;
  }
  bool has(std::string_view name) const { return position(name).has_value(); }

  /// The scalar called `name`; `absent` when it is not there. Fails when its value is not a constant.
  Status scalar(std::string_view name, int32_t absent, int32_t* value) const {
    *value = absent;
    const std::optional<size_t> at = position(name);
    if (!at) return {};
    const OperandView& input = inputs_[*at];
    if (!input.data) return op_failed("its ", name, " is not a constant");
    *value = input.type == ANEURALNETWORKS_BOOL ? *input.as<uint8_t>() : *input.as<int32_t>();
    return {};
  }

  const OperandView& input(size_t i) const { return inputs_[i]; }
  const OperandView& output(size_t i) const { return outputs_[i]; }
  const ModelOperation& operation() const { return *operation_; }

 private:
  const Model* model_ = nullptr;
  const ModelOperation* operation_ = nullptr;
  std::vector<OperandView> inputs_, outputs_;
  OperationContext context_;
  Match match_;
};

/// Cells of padding before the input. Extents are at least 1.
uint32_t pad_before(uint32_t in, uint32_t out, uint32_t window, uint32_t stride, uint32_t dilation) {
  const int64_t needed = int64_t{out - 1} * stride + int64_t{window - 1} * dilation + 1 - in;
  return static_cast<uint32_t>(std::max<int64_t>(0, needed) / 2);
}

/// Strides, dilation, padding and activation of convolutions and pools.
Status read_geometry(const NamedOperands& named, uint32_t window_x, uint32_t window_y, Attributes* a) {
  int32_t nchw, stride_x, stride_y, dilation_x, dilation_y, activation, scheme, left, top;
  AVOCET_RETURN_IF_FAILED(named.scalar("nchw", 0, &nchw));
  if (nchw) return op_failed("its layout is NCHW");
  AVOCET_RETURN_IF_FAILED(named.scalar("stride_width", 1, &stride_x));
  AVOCET_RETURN_IF_FAILED(named.scalar("stride_height", 1, &stride_y));
  AVOCET_RETURN_IF_FAILED(named.scalar("dilation_width", 1, &dilation_x));
  AVOCET_RETURN_IF_FAILED(named.scalar("dilation_height", 1, &dilation_y));
  AVOCET_RETURN_IF_FAILED(named.scalar("activation", 0, &activation));
  AVOCET_RETURN_IF_FAILED(named.scalar("padding_scheme", ANEURALNETWORKS_PADDING_VALID, &scheme));
  AVOCET_RETURN_IF_FAILED(named.scalar("padding_left", 0, &left));
  AVOCET_RETURN_IF_FAILED(named.scalar("padding_top", 0, &top));
  a->stride_x = stride_x;
  a->stride_y = stride_y;
  a->dilation_x = dilation_x;
  a->dilation_y = dilation_y;
  a->activation = static_cast<Activation>(activation);
  a->pad_left = left;
  a->pad_top = top;
  if (named.has("padding_scheme") && scheme == ANEURALNETWORKS_PADDING_SAME) {
    const Dimensions& in = named.input(0).dims;
    const Dimensions& out = named.output(0).dims;
    a->pad_left = pad_before(in[2], out[2], window_x, a->stride_x, a->dilation_x);
    a->pad_top = pad_before(in[1], out[1], window_y, a->stride_y, a->dilation_y);
  }
  return {};
}

Status read_convolution(const NamedOperands& named, Attributes* a) {
  const Dimensions& filter = named.input(1).dims;
  return read_geometry(named, filter[2], filter[1], a);
}

Status read_pool(const NamedOperands& named, Attributes* a) {
  int32_t width, height;
  AVOCET_RETURN_IF_FAILED(named.scalar("filter_width", 1, &width));
  AVOCET_RETURN_IF_FAILED(named.scalar("filter_height", 1, &height));
  a->window_x = width;
  a->window_y = height;
  return read_geometry(named, width, height, a);
}

Status read_activation(const NamedOperands& named, Attributes* a) {
  int32_t activation;
  AVOCET_RETURN_IF_FAILED(named.scalar("activation", 0, &activation));
  a->activation = static_cast<Activation>(activation);
  return {};
}

Status read_nothing(const NamedOperands&, Attributes*) { return {}; }

/// One operation the compiler knows: how many inputs are tensors of its graph, and its attributes.
struct LoweringRow {
  int32_t code;
  OperationType type;
  size_t tensors;    // leading inputs that become inputs of the graph's operation
  size_t constants;  // of those, how many at the end have to be constants
  Status (*read)(const NamedOperands&, Attributes*);
};

constexpr LoweringRow kRows[] = {
    {ANEURALNETWORKS_CONV_2D, OperationType::kConv2d, 3, 2, read_convolution},
    {ANEURALNETWORKS_DEPTHWISE_CONV_2D, OperationType::kDepthwiseConv2d, 3, 2, read_convolution},
    {ANEURALNETWORKS_FULLY_CONNECTED, OperationType::kFullyConnected, 3, 2, read_activation},
    {ANEURALNETWORKS_AVERAGE_POOL_2D, OperationType::kAveragePool2d, 1, 0, read_pool},
    {ANEURALNETWORKS_MAX_POOL_2D, OperationType::kMaxPool2d, 1, 0, read_pool},
    {ANEURALNETWORKS_ADD, OperationType::kAdd, 2, 0, read_activation},
    {ANEURALNETWORKS_RESHAPE, OperationType::kReshape, 1, 0, read_nothing},
};

std::optional<ElementType> element_type(int32_t type) {
  switch (type) {
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM: return ElementType::kUint8;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL: return ElementType::kInt8;
    case ANEURALNETWORKS_TENSOR_INT32: return ElementType::kInt32;
    default: return std::nullopt;
  }
}

class Lowering {
 public:
  Lowering(const Model& model, compiler::Graph* graph) : model_(model), graph_(graph) {}

  Status add_operation(uint32_t index) {
    const ModelOperation& operation = model_.operations()[index];
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const LoweringRow& r) { return r.code == operation.code; });
    if (row == std::end(kRows)) return op_failed(operation.name(), " is not among the operations the NPU runs");
    NamedOperands named;
    AVOCET_RETURN_IF_FAILED(named.open(model_, operation));
    compiler::Operation lowered{.type = row->type, .inputs = {}, .outputs = {}, .attributes = {}, .source = index};
    for (size_t i = 0; i < row->tensors; ++i) {
      const bool must_be_constant = i >= row->tensors - row->constants;
      if (must_be_constant && !named.input(i).data) return op_failed("its input ", i, " is not a constant");
      AVOCET_RETURN_IF_FAILED(add_tensor(operation.inputs[i], &lowered.inputs));
    }
    AVOCET_RETURN_IF_FAILED(add_tensor(operation.outputs[0], &lowered.outputs));
    AVOCET_RETURN_IF_FAILED(row->read(named, &lowered.attributes));
    graph_->operations.push_back(std::move(lowered));
    return {};
  }

  Status add_tensor(uint32_t operand_index, std::vector<uint32_t>* list) {
    if (const auto known = tensors_.find(operand_index); known != tensors_.end()) {
      list->push_back(known->second);
      return {};
    }
    const Operand& operand = model_.operand(operand_index);
    const std::optional<ElementType> type = element_type(operand.type);
    if (!type) return op_failed("operand ", operand_index, " is a ", type_name(operand.type));
    compiler::Tensor tensor;
    tensor.name = "operand " + std::to_string(operand_index);
    tensor.type = *type;
    tensor.dims = operand.dims;
    tensor.scale = operand.scale;
    tensor.zero_point = operand.zero_point;
    tensor.channel_scales = operand.channel_scales;
    tensor.data = operand.lifetime == Lifetime::kConstant ? operand.data : nullptr;
    const auto index = static_cast<uint32_t>(graph_->tensors.size());
    graph_->tensors.push_back(std::move(tensor));
    tensors_.emplace(operand_index, index);
    list->push_back(index);
    return {};
  }

 private:
  const Model& model_;
  compiler::Graph* graph_;
  std::unordered_map<uint32_t, uint32_t> tensors_;  // operand -> tensor
};

}  // namespace

Status lower(const Model& model, std::span<const uint32_t> operations, std::span<const uint32_t> inputs,
             std::span<const uint32_t> outputs, compiler::Graph* graph) {
  Lowering lowering(model, graph);
  for (uint32_t operation : operations) AVOCET_RETURN_IF_FAILED(lowering.add_operation(operation));
  for (uint32_t operand : inputs) AVOCET_RETURN_IF_FAILED(lowering.add_tensor(operand, &graph->inputs));
  for (uint32_t operand : outputs) AVOCET_RETURN_IF_FAILED(lowering.add_tensor(operand, &graph->outputs));
  return {};
}

Status lower_one(const Model& model, uint32_t index, compiler::Graph* graph) {
  Lowering lowering(model, graph);
  AVOCET_RETURN_IF_FAILED(lowering.add_operation(index));
  for (uint32_t tensor : graph->operations[0].inputs) {
    const bool listed = std::find(graph->inputs.begin(), graph->inputs.end(), tensor) != graph->inputs.end();
    if (!graph->tensors[tensor].data && !listed) graph->inputs.push_back(tensor);
  }
  graph->outputs = graph->operations[0].outputs;
  return {};
}

}  // namespace avocet::runtime::npu
