// SPDX-License-Identifier: Apache-2.0
// Tensors to operands. A tensor has one operand; weights and biases, whose type depends on who reads them, get theirs
// from the converters.
#include "importer/graph_builder.hpp"

#include <android/NeuralNetworks.h>

#include <cstring>
#include <limits>
#include <stdexcept>

#include "input_error.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

/// Elements of a constant int32 or int64 tensor, in the range of int32.
std::vector<int32_t> ints_of(const TfliteFile& file, int tensor) {
  const std::span<const uint8_t> data = file.constant(tensor);
  std::vector<int32_t> values;
  if (file.tensor(tensor).type() == tflite::TensorType::INT64) {
    for (size_t at = 0; at + 8 <= data.size(); at += 8) {
      int64_t wide;
      std::memcpy(&wide, data.data() + at, 8);
      if (wide < std::numeric_limits<int32_t>::min() || wide > std::numeric_limits<int32_t>::max()) {
        throw std::runtime_error("an int64 constant of tensor " + std::to_string(tensor) + " does not fit 32 bits");
      }
      values.push_back(static_cast<int32_t>(wide));
    }
  } else {
    values.resize(data.size() / 4);
    if (!values.empty()) std::memcpy(values.data(), data.data(), values.size() * 4);
  }
  return values;
}

void set_quantisation(const tflite::Tensor& tensor, TensorView& view) {
  const auto* quantization = tensor.quantization();
  if (!quantization || !quantization->scale() || quantization->scale()->size() == 0) return;
  view.scale_count = quantization->scale()->size();
  view.scale = quantization->scale()->Get(0);
  const std::vector<int64_t> zero_points = zero_points_of(tensor);
  if (zero_points.empty()) return;
  const int64_t zero_point = zero_points.front();
  if (zero_point < -32768 || zero_point > 65535) throw std::runtime_error("zero point " + std::to_string(zero_point));
  view.zero_point = static_cast<int32_t>(zero_point);
}

}  // namespace

bool TensorView::quantised() const {
  return type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM || type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
}

TensorView GraphBuilder::view(int index) const {
  const tflite::Tensor& tensor = file_.tensor(index);
  TensorView view{.index = index, .file_type = tensor.type(), .dims = file_.shape(index)};
  if (view.dims.empty()) view.dims = {1};
  for (const uint32_t extent : view.dims) {
    if (extent == 0) throw std::runtime_error("tensor " + std::to_string(index) + " is empty");
  }
  view.constant = !file_.constant(index).empty();
  set_quantisation(tensor, view);
  switch (tensor.type()) {
    case tflite::TensorType::FLOAT32: view.type = ANEURALNETWORKS_TENSOR_FLOAT32; break;
    case tflite::TensorType::FLOAT16: view.type = ANEURALNETWORKS_TENSOR_FLOAT16; break;
    case tflite::TensorType::INT32:
    case tflite::TensorType::INT64: view.type = ANEURALNETWORKS_TENSOR_INT32; break;
    case tflite::TensorType::BOOL: view.type = ANEURALNETWORKS_TENSOR_BOOL8; break;
    case tflite::TensorType::UINT8: view.type = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM; break;
    case tflite::TensorType::INT8: view.type = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED; break;
    case tflite::TensorType::INT16: view.type = ANEURALNETWORKS_TENSOR_QUANT16_SYMM; break;
    default:
      throw std::runtime_error(std::string("tensors of type ") + tflite_type_info(tensor.type()).name +
                               " have no form in the API");
  }
  const bool has_scale = view.quantised() || view.type == ANEURALNETWORKS_TENSOR_QUANT16_SYMM;
  if (!has_scale) {
    view.scale = 0;  // an int32 bias gets its scale from its operation
    view.zero_point = 0;
  } else if (view.scale == 0) {
    view.scale = 1;  // plain numbers
  }
  return view;
}

uint32_t GraphBuilder::constant_operand(int tensor, const TensorView& view) {
  if (view.type == ANEURALNETWORKS_TENSOR_INT32) return int_tensor(ints_of(file_, tensor), view.dims);
  if (view.scale_count > 1) {
    throw std::runtime_error("tensor " + std::to_string(tensor) + " has a scale per channel, which is for weights only");
  }
  const auto data = file_.constant(tensor);
  return add_constant(view.type, view.dims, {data.begin(), data.end()}, view.scale, view.zero_point);
}

uint32_t GraphBuilder::read(int tensor) {
  if (const auto found = operands_.find(tensor); found != operands_.end()) return found->second;
  const TensorView view = this->view(tensor);
  if (file_.tensor(tensor).is_variable()) {
    throw std::runtime_error("tensor " + std::to_string(tensor) + " is state kept between inferences");
  }
  if (!view.constant) throw std::runtime_error("tensor " + std::to_string(tensor) + " is read before it is written");
  return operands_[tensor] = constant_operand(tensor, view);
}

uint32_t GraphBuilder::write(int tensor) { return write(tensor, view(tensor).dims); }

uint32_t GraphBuilder::write(int tensor, const std::vector<uint32_t>& dims) {
  const TensorView view = this->view(tensor);
  if (view.constant) throw std::runtime_error("tensor " + std::to_string(tensor) + " is a constant and written");
  if (view.scale_count > 1) throw std::runtime_error("a scale per channel on tensor " + std::to_string(tensor));
  const uint32_t operand = add_temporary(view.type, dims, view.scale, view.zero_point);
  bind(tensor, operand);
  return operand;
}

void GraphBuilder::bind(int tensor, uint32_t operand) {
  if (!operands_.emplace(tensor, operand).second) {
    throw std::runtime_error("tensor " + std::to_string(tensor) + " is written twice");
  }
}

uint32_t GraphBuilder::add_model_input(int tensor) {
  const TensorView view = this->view(tensor);
  if (view.constant) throw std::runtime_error("model input " + std::to_string(tensor) + " is a constant");
  if (view.file_type == tflite::TensorType::INT64) throw std::runtime_error("int64 model inputs have no form in the API");
  const uint32_t operand = write(tensor);
  description().operands[operand].lifetime = Lifetime::input;
  return operand;
}

ImportedTensor GraphBuilder::describe(int index) const {
  const tflite::Tensor& tensor = file_.tensor(index);
  const auto found = operands_.find(index);
  if (found == operands_.end()) throw std::runtime_error("tensor " + std::to_string(index) + " is never written");
  const Operand& operand = description().operands[found->second];
  const TfliteTypeInfo type = tflite_type_info(tensor.type());
  const TensorView view = this->view(index);
  return {
      .index = index,
      .name = tensor.name() ? tensor.name()->str() : "",
      .type = type.name,
      .dims = operand.dims,
      .scale = view.scale,
      .zero_point = view.zero_point,
      .operand = found->second,
      .element_bytes = type.element_bytes,
      .widened = tensor.type() == tflite::TensorType::INT64,
  };
}

void OperatorContext::refuse(const std::string& reason) const {
  throw InputError(graph_.file().path() + ": operator " + std::to_string(index_) + " (" +
                   graph_.file().operator_name(op_) + "): " + reason);
}

int OperatorContext::input_tensor(size_t i) const {
  if (!has_input(i)) refuse("input " + std::to_string(i) + " is missing");
  return op_.inputs()->Get(static_cast<uint32_t>(i));
}

int OperatorContext::output_tensor(size_t i) const {
  if (i >= output_count()) refuse("output " + std::to_string(i) + " is missing");
  return op_.outputs()->Get(static_cast<uint32_t>(i));
}

TensorView OperatorContext::view(int tensor) const { return graph_.view(tensor); }
uint32_t OperatorContext::read(size_t i) { return graph_.read(input_tensor(i)); }
uint32_t OperatorContext::write(size_t i) { return graph_.write(output_tensor(i)); }

std::vector<int32_t> OperatorContext::constant_ints(size_t input) const {
  const TensorView tensor = in(input);
  if (!tensor.constant || tensor.type != ANEURALNETWORKS_TENSOR_INT32) {
    refuse("input " + std::to_string(input) + " must be a constant of integers");
  }
  return ints_of(graph_.file(), tensor.index);
}

int32_t OperatorContext::constant_int(size_t input) const {
  const std::vector<int32_t> values = constant_ints(input);
  if (values.size() != 1) refuse("input " + std::to_string(input) + " must be one integer");
  return values.front();
}

uint32_t OperatorContext::activation(tflite::Activation activation) const {
  if (activation > tflite::Activation::RELU6 || activation < tflite::Activation::NONE) {
    refuse(std::string("fused activation ") + tflite::EnumNameActivation(activation) + " has no form in the API");
  }
  return graph_.int_scalar(static_cast<int32_t>(activation));  // the codes of the two formats agree up to RELU6
}

uint32_t OperatorContext::padding(tflite::Padding padding) const {
  if (padding != tflite::Padding::SAME && padding != tflite::Padding::VALID) refuse("unknown padding");
  return graph_.int_scalar(padding == tflite::Padding::SAME ? ANEURALNETWORKS_PADDING_SAME : ANEURALNETWORKS_PADDING_VALID);
}

int32_t OperatorContext::axis(int32_t axis, size_t rank) const {
  const auto extent = static_cast<int32_t>(rank);
  if (axis < -extent || axis >= extent) refuse("axis " + std::to_string(axis) + " of rank " + std::to_string(rank));
  return axis < 0 ? axis + extent : axis;
}

}  // namespace avocet::tools
