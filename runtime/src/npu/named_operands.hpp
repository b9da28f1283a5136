// SPDX-License-Identifier: Apache-2.0
// The operands of one operation by the names of its signature row. Scalars and int32 constants are copied at once, so that
// a client's buffer that changes meanwhile cannot slip past the checks of infer().
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "model.hpp"
#include "operations/signature.hpp"

namespace avocet::runtime::npu {

class NamedOperands {
 public:
  Status open(const Model& model, const ModelOperation& operation);

  /// Position of the input called `name`, when this form has it and the model gives it.
  std::optional<size_t> position(std::string_view name) const;
  bool has(std::string_view name) const { return position(name).has_value(); }

  /// The scalar called `name`; `absent` when it is not there. Fails when its value is not a constant.
  Status scalar(std::string_view name, int32_t absent, int32_t* value) const;
  /// A tensor of int32 constants; `*given` tells whether it is there.
  Status values(std::string_view name, std::vector<int32_t>* values, bool* given = nullptr) const;

  /// Shape inference of the CPU path, which checks all parameters; the outputs must come out as the model declares them.
  /// Every input but 8-bit tensors must be a constant.
  Status infer() const;

  const OperandView& input(size_t i) const { return inputs_[i]; }
  const OperandView& output(size_t i) const { return outputs_[i]; }
  size_t input_count() const { return inputs_.size(); }
  const ModelOperation& operation() const { return *operation_; }
  /// For calling functions of the operation's row.
  std::span<const OperandView> inputs() const { return inputs_; }
  std::span<const OperandView> outputs() const { return outputs_; }

 private:
  const Model* model_ = nullptr;
  const ModelOperation* operation_ = nullptr;
  std::vector<OperandView> inputs_, outputs_;
  std::deque<std::vector<uint8_t>> copies_;
  OperationContext context_;
  Match match_;
};

}  // namespace avocet::runtime::npu
