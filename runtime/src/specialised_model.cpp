// SPDX-License-Identifier: Apache-2.0
#include "specialised_model.hpp"

#include <algorithm>

#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

class Specialising {
 public:
  Specialising(const SubModel& group, const std::vector<uint32_t>& constants, Frame& frame)
      : group_(group), from_(*group.model), constants_(constants), frame_(frame), views_(from_.operands().size()),
        known_(from_.operands().size()) {}

  Status run(Reference<Model>* model, std::vector<uint32_t>* operand_of) {
    for (uint32_t operation : group_.operations) AVOCET_RETURN_IF_FAILED(infer(from_.operations()[operation]));
    operand_of->assign(from_.operands().size(), kNone);
    Model* made = new Model;
    *model = Reference<Model>(made);
    made->release();  // the reference keeps it
    return build(*made, *operand_of);
  }

 private:
  bool is_constant(uint32_t operand) const {
    return std::find(constants_.begin(), constants_.end(), operand) != constants_.end();
  }

  /// What is known of an operand before the operation that reads it runs.
  OperandView& view(uint32_t operand) {
    OperandView& view = views_[operand];
    if (known_[operand]) return view;
    known_[operand] = true;
    view = view_of(from_.operand(operand));
    const bool given = std::find(group_.inputs.begin(), group_.inputs.end(), operand) != group_.inputs.end();
    if (!given) return view;
    const Frame::Cell& cell = frame_.cell(operand);
    view.dims = cell.dims;
    view.omitted = cell.omitted;
    if (!is_constant(operand)) return view;
    view.data = cell.data;
    view.bytes = cell.bytes;
    return view;
  }

  /// The extents of the operation's outputs. Kernels may ask for the value of everything but 8-bit and float tensors.
  Status infer(const ModelOperation& operation) {
    if (!operation.row || !operation.row->infer) return op_failed("there is no kernel");
    std::vector<OperandView> inputs, outputs;
    for (uint32_t operand : operation.inputs) {
      inputs.push_back(view(operand));
      const OperandView& input = inputs.back();
      const bool has_parameters = !is_quant8(input.type) && input.type != ANEURALNETWORKS_TENSOR_FLOAT32;
      if (!input.omitted && !input.data && has_parameters) {
        return op_failed("the value of operand ", operand, " is not known before ", operation.name(), " runs");
      }
    }
    for (uint32_t operand : operation.outputs) outputs.push_back(view_of(from_.operand(operand)));
    OperationContext context;
    context.inputs = inputs;
    context.outputs = outputs;
    AVOCET_RETURN_IF_FAILED(operation.row->infer(context));
    for (size_t i = 0; i < outputs.size(); ++i) {
      OperandView& output = view(operation.outputs[i]);
      if (!agrees(output.dims, outputs[i].dims)) {
        return op_failed("operand ", operation.outputs[i], " becomes ", dims_text(outputs[i].dims));
      }
      output.dims = outputs[i].dims;
    }
    return {};
  }

  Status build(Model& model, std::vector<uint32_t>& operand_of) {
    for (uint32_t operation : group_.operations) {
      for (const auto* list : {&from_.operations()[operation].inputs, &from_.operations()[operation].outputs}) {
        for (uint32_t operand : *list) {
          if (operand_of[operand] == kNone) AVOCET_RETURN_IF_FAILED(add(model, operand, operand_of));
        }
      }
    }
    const auto renamed = [&](const std::vector<uint32_t>& list) {
      std::vector<uint32_t> result;
      for (uint32_t operand : list) result.push_back(operand_of[operand]);
      return result;
    };
    for (uint32_t index : group_.operations) {
      const ModelOperation& operation = from_.operations()[index];
      AVOCET_RETURN_IF_FAILED(model.add_operation(operation.code, renamed(operation.inputs), renamed(operation.outputs)));
    }
    std::vector<uint32_t> inputs;
    for (uint32_t operand : group_.inputs) {
      if (!is_constant(operand)) inputs.push_back(operand_of[operand]);
    }
    AVOCET_RETURN_IF_FAILED(model.identify(inputs, renamed(group_.outputs)));
    return model.finish();
  }

  Status add(Model& model, uint32_t operand, std::vector<uint32_t>& operand_of) {
    const Operand& from = from_.operand(operand);
    const OperandView& now = view(operand);
    const auto index = static_cast<uint32_t>(model.operands().size());
    operand_of[operand] = index;
    if (!now.omitted && is_tensor(from.type) && !fully_specified(from.type, now.dims)) {
      return op_failed("operand ", operand, " is ", dims_text(now.dims));
    }
    const Dimensions& dims = now.omitted ? from.dims : now.dims;
    const ANeuralNetworksOperandType type{from.type, static_cast<uint32_t>(dims.size()), dims.data(), from.scale, from.zero_point};
    AVOCET_RETURN_IF_FAILED(model.add_operand(type));
    if (!from.channel_scales.empty()) {
      const ANeuralNetworksSymmPerChannelQuantParams params{from.channel_dim, static_cast<uint32_t>(from.channel_scales.size()),
                                                            from.channel_scales.data()};
      AVOCET_RETURN_IF_FAILED(model.set_channel_params(static_cast<int32_t>(index), params));
    }
    if (now.omitted) return model.set_value(static_cast<int32_t>(index), nullptr, 0);
    if (now.data) return model.set_value(static_cast<int32_t>(index), now.data, now.bytes);
    return {};
  }

  const SubModel& group_;
  const Model& from_;
  const std::vector<uint32_t>& constants_;
  Frame& frame_;
  std::vector<OperandView> views_;  // per operand of the group's model
  std::vector<bool> known_;
};

}  // namespace

Status specialise_model(const SubModel& group, const std::vector<uint32_t>& constants, Frame& frame,
                        Reference<Model>* model, std::vector<uint32_t>* operand_of) {
  return Specialising(group, constants, frame).run(model, operand_of);
}

}  // namespace avocet::runtime
