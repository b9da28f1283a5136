// SPDX-License-Identifier: Apache-2.0
// Operations on two tensors, element by element.
#include <algorithm>

#include "npu/lowering_rows.hpp"
#include "npu/tables.hpp"
#include "operations/failure.hpp"
#include "operations/rescale.hpp"

namespace avocet::runtime::npu {
namespace {

using compiler::Attributes;
using compiler::OperationType;

Status read_inputs(OperationLowering& op, std::vector<uint32_t>* inputs) {
  inputs->resize(2);
  AVOCET_RETURN_IF_FAILED(op.input(0, &(*inputs)[0]));
  return op.input(1, &(*inputs)[1]);
}

Status lower_arithmetic(OperationLowering& op, OperationType type, bool subtract) {
  std::vector<uint32_t> inputs;
  AVOCET_RETURN_IF_FAILED(read_inputs(op, &inputs));
  int32_t activation;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("activation", 0, &activation));
  Attributes attributes;
  attributes.activation = static_cast<compiler::Activation>(activation);
  attributes.subtract = subtract;
  return op.emit(type, inputs, attributes);
}

/// The larger or smaller value is that of stored values once both inputs have the output's scale.
Status lower_choice(OperationLowering& op, OperationType type) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  std::vector<uint32_t> inputs;
  AVOCET_RETURN_IF_FAILED(read_inputs(op, &inputs));
  const OperandView& out = op.named().output(0);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const OperandView& in = op.named().input(i);
    if (in.scale == out.scale && in.zero_point == out.zero_point) continue;
    const ByteTable table = make_rescaling_table(in, out);
    AVOCET_RETURN_IF_FAILED(emit_table(op, {table.begin(), table.end()}, inputs[i], op.operation().outputs[0], &inputs[i]));
  }
  return op.emit(type, inputs, {});
}

}  // namespace

Status lower_add(OperationLowering& op) { return lower_arithmetic(op, OperationType::kAdd, false); }
Status lower_sub(OperationLowering& op) { return lower_arithmetic(op, OperationType::kAdd, true); }
Status lower_mul(OperationLowering& op) { return lower_arithmetic(op, OperationType::kMultiply, false); }
Status lower_prelu(OperationLowering& op) { return lower_arithmetic(op, OperationType::kPrelu, false); }
Status lower_maximum(OperationLowering& op) { return lower_choice(op, OperationType::kMaximum); }
Status lower_minimum(OperationLowering& op) { return lower_choice(op, OperationType::kMinimum); }

}  // namespace avocet::runtime::npu
