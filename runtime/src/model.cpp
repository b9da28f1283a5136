// SPDX-License-Identifier: Apache-2.0
// Building a model, and the ANeuralNetworksModel_* functions. Checks come in the order: null, state, index, data.
#include "model.hpp"

#include "api.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {

Status Model::check_building() const {
  if (finished_) return bad_state(invalid_ ? "the model is invalid: finish failed" : "the model is finished");
  return {};
}

Status Model::check_index(int32_t index) const {
  if (index < 0 || static_cast<size_t>(index) >= operands_.size()) {
    return bad_data("operand ", index, " of ", operands_.size(), " does not exist");
  }
  return {};
}

Status Model::add_operand(const ANeuralNetworksOperandType& type) {
  AVOCET_RETURN_IF_FAILED(check_building());
  if (Status status = check_operand_type(type); !status.ok()) {
    return failure(status.code, "operand ", operands_.size(), ": ", status.message);
  }
  Operand operand;
  operand.type = type.type;
  operand.dims = dims_of(type);
  operand.scale = type.scale;
  operand.zero_point = type.zeroPoint;
  operands_.push_back(std::move(operand));
  return {};
}

Status Model::set_value(int32_t index, const void* buffer, size_t length) {
  AVOCET_RETURN_IF_FAILED(check_building());
  AVOCET_RETURN_IF_FAILED(check_index(index));
  Operand& operand = operands_[index];
  if (!buffer) {
    if (length != 0) return bad_data("operand ", index, ": no buffer, but length ", length);
    operand.lifetime = Lifetime::kNoValue;
    operand.data = nullptr;
    operand.bytes = 0;
    return {};
  }
  if (!fully_specified(operand.type, operand.dims)) {
    return bad_data("operand ", index, " gets a value but has unknown dimensions");
  }
  if (operand.type == ANEURALNETWORKS_MODEL) return bad_data("operand ", index, " stands for a model");
  const std::optional<size_t> bytes = value_bytes(operand.type, operand.dims);
  if (operand.type != kOemScalar && bytes != length) {
    return bad_data("operand ", index, " has ", bytes.value_or(0), " bytes, the value ", length);
  }
  if (length > UINT32_MAX) return bad_data("operand ", index, ": a value of ", length, " bytes");
  operand.copy.clear();
  operand.data = buffer;
  operand.bytes = length;
  if (length <= ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES) {
    const auto* first = static_cast<const uint8_t*>(buffer);
    operand.copy.assign(first, first + length);
    operand.data = operand.copy.data();
  }
  operand.lifetime = Lifetime::kConstant;
  return {};
}

Status Model::set_channel_params(int32_t index, const ANeuralNetworksSymmPerChannelQuantParams& params) {
  AVOCET_RETURN_IF_FAILED(check_building());
  AVOCET_RETURN_IF_FAILED(check_index(index));
  Operand& operand = operands_[index];
  if (operand.type != ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) {
    return bad_data("operand ", index, " is a ", type_name(operand.type), ", which has no scales of channels");
  }
  if (params.channelDim >= operand.dims.size()) {
    return bad_data("operand ", index, ": channelDim ", params.channelDim, " of ", operand.dims.size(), " dimensions");
  }
  const uint32_t channels = operand.dims[params.channelDim];
  if (channels == 0 || params.scaleCount != channels) {
    return bad_data("operand ", index, ": ", params.scaleCount, " scales for ", channels, " channels");
  }
  if (!params.scales) return bad_data("operand ", index, ": the list of scales is null");
  for (uint32_t i = 0; i < params.scaleCount; ++i) {
    if (!(params.scales[i] > 0.0f) || params.scales[i] > 3.4028235e38f) {
      return bad_data("operand ", index, ": scale ", params.scales[i], " of channel ", i);
    }
  }
  operand.channel_dim = params.channelDim;
  operand.channel_scales.assign(params.scales, params.scales + params.scaleCount);
  return {};
}

Status Model::set_value_from_memory(int32_t index, const Memory& memory, size_t offset, size_t length) {
  AVOCET_RETURN_IF_FAILED(check_building());
  AVOCET_RETURN_IF_FAILED(check_index(index));
  Operand& operand = operands_[index];
  if (!fully_specified(operand.type, operand.dims)) {
    return bad_data("operand ", index, " gets a value but has unknown dimensions");
  }
  if (operand.type == ANEURALNETWORKS_MODEL) return bad_data("operand ", index, " stands for a model");
  const std::optional<size_t> bytes = value_bytes(operand.type, operand.dims);
  if (operand.type != kOemScalar && bytes != length) {
    return bad_data("operand ", index, " has ", bytes.value_or(0), " bytes, the value ", length);
  }
  AVOCET_RETURN_IF_FAILED(memory.check_use(MemoryUse::kConstant, nullptr, 0, offset, length));
  if (const size_t element = element_bytes(operand.type); element > 1 && offset % element != 0) {
    return bad_data("operand ", index, ": offset ", offset, " is not a multiple of ", element);
  }
  if (!memory.readable()) return failure(ANEURALNETWORKS_UNMAPPABLE, "the memory is not mapped for reading");
  memories_.emplace_back(&memory);
  operand.copy.clear();
  operand.data = memory.data() + offset;
  operand.bytes = length;
  operand.lifetime = Lifetime::kConstant;
  return {};
}

Status Model::set_value_from_model(int32_t index, const Model& value) {
  AVOCET_RETURN_IF_FAILED(check_building());
  if (!value.valid()) return bad_state("the referenced model is not finished");
  AVOCET_RETURN_IF_FAILED(check_index(index));
  Operand& operand = operands_[index];
  if (operand.type != ANEURALNETWORKS_MODEL) {
    return bad_data("operand ", index, " is a ", type_name(operand.type), ", not a MODEL");
  }
  models_.emplace_back(&value);
  operand.model = &value;
  operand.lifetime = Lifetime::kModel;
  return {};
}

namespace {

/// The row's checks on what is known when an operation is added. Values of scalars are not: a wrong one is an error of
/// the execution (OP_FAILED), as clients of Android's runtime know it; they may also be set later.
Status check_row(const Operation& row, const std::vector<Operand>& operands, ModelOperation& operation) {
  std::vector<OperandView> inputs, outputs;
  inputs.reserve(operation.inputs.size());
  outputs.reserve(operation.outputs.size());
  for (uint32_t i : operation.inputs) {
    inputs.push_back(view_of(operands[i]));
    if (!is_tensor(operands[i].type) && operands[i].type != ANEURALNETWORKS_BOOL) inputs.back().data = nullptr;
  }
  for (uint32_t i : operation.outputs) {
    outputs.push_back(view_of(operands[i]));
    outputs.back().data = nullptr;
  }
  OperationContext context;
  context.inputs = inputs;
  context.outputs = outputs;
  return validate_operation(row, context, &operation.feature_level);
}

}  // namespace

Status Model::add_operation(int32_t code, std::span<const uint32_t> inputs, std::span<const uint32_t> outputs) {
  AVOCET_RETURN_IF_FAILED(check_building());
  ModelOperation operation;
  operation.code = code;
  operation.row = find_operation(code);
  if (!operation.row && code != kOemOperation) return bad_data("operation code ", code, " is unknown");
  for (std::span<const uint32_t> list : {inputs, outputs}) {
    for (uint32_t index : list) {
      if (index >= operands_.size()) {
        return bad_data(operation.name(), ": operand ", index, " of ", operands_.size(), " does not exist");
      }
    }
  }
  operation.inputs.assign(inputs.begin(), inputs.end());
  operation.outputs.assign(outputs.begin(), outputs.end());
  if (operation.row) {
    AVOCET_RETURN_IF_FAILED(check_row(*operation.row, operands_, operation));
    AVOCET_RETURN_IF_FAILED(check_control_flow(*this, operation, false));
  }
  operations_.push_back(std::move(operation));
  return {};
}

Status Model::identify(std::span<const uint32_t> inputs, std::span<const uint32_t> outputs) {
  AVOCET_RETURN_IF_FAILED(check_building());
  if (identified_) return bad_state("inputs and outputs are identified already");
  std::vector<bool> taken(operands_.size());
  for (std::span<const uint32_t> list : {inputs, outputs}) {
    for (uint32_t index : list) {
      if (index >= operands_.size()) return bad_data("operand ", index, " of ", operands_.size(), " does not exist");
      if (taken[index]) return bad_data("operand ", index, " is identified twice");
      if (operands_[index].lifetime != Lifetime::kTemporary) {
        return bad_data("operand ", index, " has a value and cannot be an input or output");
      }
      taken[index] = true;
    }
  }
  inputs_.assign(inputs.begin(), inputs.end());
  outputs_.assign(outputs.begin(), outputs.end());
  for (uint32_t index : inputs_) operands_[index].lifetime = Lifetime::kInput;
  for (uint32_t index : outputs_) operands_[index].lifetime = Lifetime::kOutput;
  identified_ = true;
  return {};
}

Status Model::relax(bool allow) {
  AVOCET_RETURN_IF_FAILED(check_building());
  relaxed_ = allow;
  return {};
}

}  // namespace avocet::runtime

using avocet::runtime::api_call;
using avocet::runtime::Memory;
using avocet::runtime::Model;
using avocet::runtime::null_argument;
using avocet::runtime::Status;

AVOCET_API int ANeuralNetworksModel_create(ANeuralNetworksModel** model) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    *model = nullptr;
    *model = (new Model)->handle();
    return {};
  });
}

AVOCET_API void ANeuralNetworksModel_free(ANeuralNetworksModel* model) {
  if (model) Model::of(model)->release();
}

AVOCET_API int ANeuralNetworksModel_finish(ANeuralNetworksModel* model) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    return Model::of(model)->finish();
  });
}

AVOCET_API int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model, const ANeuralNetworksOperandType* type) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!type) return null_argument("type");
    return Model::of(model)->add_operand(*type);
  });
}

AVOCET_API int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index, const void* buffer,
                                                    size_t length) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!buffer && length != 0) return null_argument("buffer");
    return Model::of(model)->set_value(index, buffer, length);
  });
}

AVOCET_API int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
    ANeuralNetworksModel* model, int32_t index, const ANeuralNetworksSymmPerChannelQuantParams* channelQuant) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!channelQuant) return null_argument("channelQuant");
    return Model::of(model)->set_channel_params(index, *channelQuant);
  });
}

AVOCET_API int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                              const ANeuralNetworksMemory* memory, size_t offset,
                                                              size_t length) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!memory) return null_argument("memory");
    return Model::of(model)->set_value_from_memory(index, *Memory::of(memory), offset, length);
  });
}

AVOCET_API int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                             const ANeuralNetworksModel* value) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!value) return null_argument("value");
    return Model::of(model)->set_value_from_model(index, *Model::of(value));
  });
}

AVOCET_API int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model, ANeuralNetworksOperationType type,
                                                 uint32_t inputCount, const uint32_t* inputs, uint32_t outputCount,
                                                 const uint32_t* outputs) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!inputs) return null_argument("inputs");
    if (!outputs) return null_argument("outputs");
    return Model::of(model)->add_operation(type, {inputs, inputCount}, {outputs, outputCount});
  });
}

AVOCET_API int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                             const uint32_t* inputs, uint32_t outputCount,
                                                             const uint32_t* outputs) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    if (!inputs) return null_argument("inputs");
    if (!outputs) return null_argument("outputs");
    return Model::of(model)->identify({inputs, inputCount}, {outputs, outputCount});
  });
}

AVOCET_API int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow) {
  return api_call(__func__, [&]() -> Status {
    if (!model) return null_argument("model");
    return Model::of(model)->relax(allow);
  });
}
