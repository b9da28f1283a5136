// SPDX-License-Identifier: Apache-2.0
#include "npu/graph_lowering.hpp"

#include <optional>

#include "operations/failure.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime::npu {
namespace {

using compiler::ElementType;
using compiler::movements::Extents;

constexpr uint32_t kToNhwc[] = {0, 2, 3, 1}, kToNchw[] = {0, 3, 1, 2};

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

Extents permuted(const Extents& dims, std::span<const uint32_t> order) {
  Extents result;
  for (uint32_t axis : order) result.push_back(dims[axis]);
  return result;
}

}  // namespace

Status GraphLowering::tensor_of(uint32_t operand_index, uint32_t* tensor) {
  if (const auto known = tensors_.find(operand_index); known != tensors_.end()) {
    *tensor = known->second;
    return {};
  }
  const Operand& operand = model_.operand(operand_index);
  AVOCET_RETURN_IF_FAILED(new_tensor(operand_index, operand.dims, tensor));
  if (operand.lifetime == Lifetime::kConstant) graph_->tensors[*tensor].data = operand.data;
  tensors_.emplace(operand_index, *tensor);
  return {};
}

Status GraphLowering::new_tensor(uint32_t like, Extents dims, uint32_t* index) {
  const Operand& operand = model_.operand(like);
  const std::optional<ElementType> type = element_type(operand.type);
  if (!type) return op_failed("operand ", like, " is a ", type_name(operand.type));
  compiler::Tensor tensor;
  tensor.name = "operand " + std::to_string(like);
  tensor.type = *type;
  tensor.dims = std::move(dims);
  tensor.scale = operand.scale;
  tensor.zero_point = operand.zero_point;
  tensor.channel_scales = operand.channel_scales;
  *index = static_cast<uint32_t>(graph_->tensors.size());
  graph_->tensors.push_back(std::move(tensor));
  return {};
}

Status OperationLowering::layout(bool* nchw) const {
  int32_t flag = 0;
  AVOCET_RETURN_IF_FAILED(named_.scalar("nchw", 0, &flag));
  *nchw = flag != 0;
  return {};
}

Status OperationLowering::image(size_t i, bool nchw, uint32_t* image) {
  const uint32_t operand = operation().inputs[i];
  if (!nchw) return input(i, image);
  if (lowering_.model().operand(operand).dims.size() != 4) return op_failed("its input ", i, " is not of rank 4");
  *image = lowering_.twin_of(operand);
  if (*image != GraphLowering::kNone) return {};
  uint32_t given = 0;
  AVOCET_RETURN_IF_FAILED(input(i, &given));
  const Extents dims = tensor(given).dims;
  emit_between(compiler::movements::transpose("TRANSPOSE", dims, kToNhwc), given, permuted(dims, kToNhwc), image);
  lowering_.set_twin(operand, *image);
  return {};
}

Status OperationLowering::constant(size_t i, uint32_t* tensor) {
  if (!named_.input(i).data) return op_failed("its input ", i, " is not a constant");
  return input(i, tensor);
}

Extents OperationLowering::output_dims(bool nchw) const {
  const Extents& dims = named_.output(0).dims;
  return nchw && dims.size() == 4 ? permuted(dims, kToNhwc) : dims;
}

void OperationLowering::add(compiler::Operation lowered) {
  lowered.source = index_;
  lowering_.graph().operations.push_back(std::move(lowered));
}

Status OperationLowering::emit(compiler::Operation lowered, bool nchw) {
  const uint32_t operand = operation().outputs[0];
  uint32_t output = 0;
  if (!nchw) {
    AVOCET_RETURN_IF_FAILED(lowering_.tensor_of(operand, &output));
    lowered.outputs = {output};
    add(std::move(lowered));
    return {};
  }
  if (lowering_.model().operand(operand).dims.size() != 4) return op_failed("its output is not of rank 4");
  uint32_t twin = 0;
  AVOCET_RETURN_IF_FAILED(lowering_.new_tensor(operand, output_dims(true), &twin));
  lowered.outputs = {twin};
  add(std::move(lowered));
  lowering_.set_twin(operand, twin);
  // For those who read it as the model has it; if there are none, the compiler drops this.
  AVOCET_RETURN_IF_FAILED(lowering_.tensor_of(operand, &output));
  compiler::Operation back;
  back.type = compiler::OperationType::kMovement;
  back.inputs = {twin};
  back.outputs = {output};
  back.movement = compiler::movements::transpose("TRANSPOSE", output_dims(true), kToNchw);
  add(std::move(back));
  return {};
}

Status OperationLowering::emit(compiler::OperationType type, std::vector<uint32_t> inputs, const compiler::Attributes& attributes,
                               bool nchw) {
  compiler::Operation lowered;
  lowered.type = type;
  lowered.inputs = std::move(inputs);
  lowered.attributes = attributes;
  return emit(std::move(lowered), nchw);
}

Status OperationLowering::emit(compiler::Movement movement, std::vector<uint32_t> inputs, bool nchw) {
  compiler::Operation lowered;
  lowered.type = compiler::OperationType::kMovement;
  lowered.inputs = std::move(inputs);
  lowered.movement = std::move(movement);
  return emit(std::move(lowered), nchw);
}

Status OperationLowering::emit_all(compiler::Movement movement, std::vector<uint32_t> inputs) {
  compiler::Operation lowered;
  lowered.type = compiler::OperationType::kMovement;
  lowered.inputs = std::move(inputs);
  lowered.movement = std::move(movement);
  for (uint32_t operand : operation().outputs) {
    uint32_t output = 0;
    AVOCET_RETURN_IF_FAILED(lowering_.tensor_of(operand, &output));
    lowered.outputs.push_back(output);
  }
  add(std::move(lowered));
  return {};
}

Status OperationLowering::emit_like(compiler::Operation lowered, uint32_t like, Extents dims, uint32_t* output) {
  AVOCET_RETURN_IF_FAILED(lowering_.new_tensor(like, std::move(dims), output));
  lowered.outputs = {*output};
  add(std::move(lowered));
  return {};
}

void OperationLowering::emit_between(compiler::Operation lowered, uint32_t like, Extents dims, uint32_t* output) {
  compiler::Tensor made = tensor(like);
  made.dims = std::move(dims);
  made.data = nullptr;
  *output = static_cast<uint32_t>(lowering_.graph().tensors.size());
  lowering_.graph().tensors.push_back(std::move(made));
  lowered.outputs = {*output};
  add(std::move(lowered));
}

void OperationLowering::emit_between(compiler::Movement movement, uint32_t input, Extents dims, uint32_t* output) {
  compiler::Operation lowered;
  lowered.type = compiler::OperationType::kMovement;
  lowered.inputs = {input};
  lowered.movement = std::move(movement);
  emit_between(std::move(lowered), input, std::move(dims), output);
}

}  // namespace avocet::runtime::npu
