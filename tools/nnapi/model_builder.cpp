// SPDX-License-Identifier: Apache-2.0
// The calls that put a model together, in the order: operands and their values, operations, inputs and outputs, finish.
#include "nnapi/model_builder.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

constexpr size_t kConstantAlignment = 16;

/// Offsets of the constants given by reference in the one memory that holds them.
std::map<uint32_t, size_t> place_constants(const ModelDescription& description, size_t& total) {
  std::map<uint32_t, size_t> offsets;
  total = 0;
  for (uint32_t i = 0; i < description.operands.size(); ++i) {
    const Operand& operand = description.operands[i];
    if (operand.lifetime != Lifetime::constant_reference) continue;
    offsets[i] = total;
    total += (operand.value->size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
  }
  return offsets;
}

std::unique_ptr<SharedMemory> fill_constants(const ModelDescription& description,
                                             const std::map<uint32_t, size_t>& offsets, size_t total) {
  if (offsets.empty()) return nullptr;
  auto memory = std::make_unique<SharedMemory>(total);
  for (const auto& [index, offset] : offsets) {
    const std::vector<uint8_t>& value = *description.operands[index].value;
    if (!value.empty()) std::memcpy(memory->bytes().data() + offset, value.data(), value.size());
  }
  return memory;
}

/// Bytes of a constant of which only the shape is told; 0 for every other operand.
size_t placeholder_bytes(const Operand& operand) {
  if (operand.lifetime != Lifetime::constant_copy || operand.value) return 0;
  return element_count(operand.dims).value() * operand_type_info(operand.type)->element_bytes;
}

/// Enough for the largest placeholder: they all share the same zeros.
std::unique_ptr<ZeroPages> make_placeholders(const ModelDescription& description) {
  size_t most = 0;
  for (const Operand& operand : description.operands) most = std::max(most, placeholder_bytes(operand));
  return most > 0 ? std::make_unique<ZeroPages>(most) : nullptr;
}

void add_operand(ANeuralNetworksModel* model, uint32_t index, const Operand& operand) {
  const std::string where = "operand " + std::to_string(index);
  const ANeuralNetworksOperandType type = {
      .type = operand.type,
      .dimensionCount = static_cast<uint32_t>(operand.dims.size()),
      .dimensions = operand.dims.empty() ? nullptr : operand.dims.data(),
      .scale = operand.scale,
      .zeroPoint = operand.zero_point,
  };
  check(ANeuralNetworksModel_addOperand(model, &type), "Model_addOperand", where);
  if (operand.type != ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) return;
  const ANeuralNetworksSymmPerChannelQuantParams channels = {
      .channelDim = operand.channel_dim,
      .scaleCount = static_cast<uint32_t>(operand.channel_scales.size()),
      .scales = operand.channel_scales.data(),
  };
  check(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(model, static_cast<int32_t>(index), &channels),
        "Model_setOperandSymmPerChannelQuantParams", where);
}

void set_value(ANeuralNetworksModel* model, uint32_t index, const void* data, size_t bytes) {
  check(ANeuralNetworksModel_setOperandValue(model, static_cast<int32_t>(index), bytes ? data : nullptr, bytes),
        "Model_setOperandValue", "operand " + std::to_string(index));
}

void add_operations(const ModelDescription& description, ANeuralNetworksModel* model) {
  for (size_t i = 0; i < description.operations.size(); ++i) {
    const OperationDescription& operation = description.operations[i];
    check(ANeuralNetworksModel_addOperation(model, operation.code, static_cast<uint32_t>(operation.inputs.size()),
                                            operation.inputs.data(), static_cast<uint32_t>(operation.outputs.size()),
                                            operation.outputs.data()),
          "Model_addOperation", "operation " + std::to_string(i) + " (" + operation_name(operation.code) + ")");
  }
  check(ANeuralNetworksModel_identifyInputsAndOutputs(
            model, static_cast<uint32_t>(description.inputs.size()), description.inputs.data(),
            static_cast<uint32_t>(description.outputs.size()), description.outputs.data()),
        "Model_identifyInputsAndOutputs");
  if (description.relaxed) {
    check(ANeuralNetworksModel_relaxComputationFloat32toFloat16(model, true),
          "Model_relaxComputationFloat32toFloat16");
  }
}

}  // namespace

BuiltModel build_model(const ModelDescription& description, std::span<const ModelDescription> referenced, int depth) {
  if (depth > 16) throw std::invalid_argument("referenced graphs nest more than 16 deep");
  BuiltModel built;
  size_t total = 0;
  const auto offsets = place_constants(description, total);
  built.constants_ = fill_constants(description, offsets, total);
  built.placeholders_ = make_placeholders(description);
  ANeuralNetworksModel* model = nullptr;
  check(ANeuralNetworksModel_create(&model), "Model_create");
  built.model_.reset(model);
  for (uint32_t i = 0; i < description.operands.size(); ++i) {
    const Operand& operand = description.operands[i];
    const auto index = static_cast<int32_t>(i);
    const std::string where = "operand " + std::to_string(i);
    add_operand(model, i, operand);
    switch (operand.lifetime) {
      case Lifetime::constant_copy:
        if (operand.value)
          set_value(model, i, operand.value->data(), operand.value->size());
        else
          set_value(model, i, built.placeholders_->data(), placeholder_bytes(operand));
        break;
      case Lifetime::no_value: set_value(model, i, nullptr, 0); break;
      case Lifetime::constant_reference:
        check(ANeuralNetworksModel_setOperandValueFromMemory(model, index, built.constants_->memory(), offsets.at(i),
                                                             operand.value->size()),
              "Model_setOperandValueFromMemory", where);
        break;
      case Lifetime::subgraph:
        built.referenced_.push_back(build_model(referenced[operand.subgraph], referenced, depth + 1));
        check(ANeuralNetworksModel_setOperandValueFromModel(model, index, built.referenced_.back().get()),
              "Model_setOperandValueFromModel", where);
        break;
      default: break;
    }
  }
  add_operations(description, model);
  check(ANeuralNetworksModel_finish(model), "Model_finish");
  return built;
}

}  // namespace avocet::tools
