// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "npu/lowering_rows.hpp"
#include "npu/tables.hpp"
#include "operations/failure.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime::npu {
namespace {

constexpr uint32_t kBytes = 256;

/// Runs the operation on all bytes in a row as input `which`; the rest of `inputs` stays as it is.
Status run_on_all_bytes(const Operation& row, std::vector<OperandView> inputs, size_t which, OperandView output,
                        std::vector<uint8_t>* table) {
  std::vector<uint8_t> bytes(kBytes);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  table->assign(kBytes, 0);
  OperandView& input = inputs[which];
  input.dims = output.dims = {kBytes};
  input.data = bytes.data();
  input.bytes = output.bytes = kBytes;
  input.constant = false;
  void* buffer = table->data();
  OperationContext context;
  context.inputs = inputs;
  context.outputs = {&output, 1};
  context.output_buffers = {&buffer, 1};
  AVOCET_RETURN_IF_FAILED(row.infer(context));
  if (output.dims != Dimensions{kBytes}) return op_failed("it is no function of one value");
  return row.execute(context);
}

}  // namespace

Status unary_table(const NamedOperands& named, std::vector<uint8_t>* table) {
  return run_on_all_bytes(*named.operation().row, {named.inputs().begin(), named.inputs().end()}, 0, named.output(0), table);
}

Status concatenation_table(const NamedOperands& named, size_t i, std::vector<uint8_t>* table) {
  // This input alone, along the only axis.
  static constexpr int32_t kAxis = 0;
  OperandView axis = named.input(named.input_count() - 1);
  axis.data = &kAxis;
  return run_on_all_bytes(*named.operation().row, {named.input(i), axis}, 0, named.output(0), table);
}

Status emit_table(OperationLowering& op, std::vector<uint8_t> table, uint32_t input, uint32_t like, uint32_t* output) {
  compiler::Operation lowered;
  lowered.type = compiler::OperationType::kTable;
  lowered.inputs = {input};
  lowered.table = std::move(table);
  lowered.label = op.operation().name();
  return op.emit_like(std::move(lowered), like, op.tensor(input).dims, output);
}

namespace {

bool is_listed(const std::vector<uint32_t>& list, uint32_t operand) { return std::find(list.begin(), list.end(), operand) != list.end(); }

/// The DEQUANTIZE whose result is read by nothing but QUANTIZE: together they are a function of one stored value.
const ModelOperation* dequantize_before(const Model& model, uint32_t floats) {
  if (model.operand(floats).lifetime != Lifetime::kTemporary) return nullptr;
  const ModelOperation* maker = nullptr;
  for (const ModelOperation& operation : model.operations()) {
    if (is_listed(operation.outputs, floats)) maker = &operation;
    if (is_listed(operation.inputs, floats) && operation.code != ANEURALNETWORKS_QUANTIZE) return nullptr;
  }
  const bool fits = maker && maker->code == ANEURALNETWORKS_DEQUANTIZE && is_quant8(model.operand(maker->inputs[0]).type);
  return fits ? maker : nullptr;
}

Status requantising_table(const NamedOperands& dequantize, const NamedOperands& quantize, std::vector<uint8_t>* table) {
  std::vector<uint8_t> bytes(kBytes), floats(kBytes * sizeof(float));
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  table->assign(kBytes, 0);
  const auto run = [](const NamedOperands& named, void* from, size_t from_bytes, void* to, size_t to_bytes) -> Status {
    OperandView input = named.input(0), output = named.output(0);
    input.dims = output.dims = {kBytes};
    input.data = from;
    input.bytes = from_bytes;
    output.bytes = to_bytes;
    OperationContext context;
    context.inputs = {&input, 1};
    context.outputs = {&output, 1};
    context.output_buffers = {&to, 1};
    AVOCET_RETURN_IF_FAILED(named.operation().row->infer(context));
    return named.operation().row->execute(context);
  };
  AVOCET_RETURN_IF_FAILED(run(dequantize, bytes.data(), bytes.size(), floats.data(), floats.size()));
  return run(quantize, floats.data(), floats.size(), table->data(), table->size());
}

}  // namespace

std::vector<uint32_t> lowered_with(const Model& model, uint32_t index) {
  const ModelOperation& operation = model.operations()[index];
  uint32_t floats;
  if (operation.code == ANEURALNETWORKS_DEQUANTIZE)
    floats = operation.outputs[0];
  else if (operation.code == ANEURALNETWORKS_QUANTIZE)
    floats = operation.inputs[0];
  else
    return {index};
  const ModelOperation* maker = dequantize_before(model, floats);
  if (!maker) return {index};
  std::vector<uint32_t> together{static_cast<uint32_t>(maker - model.operations().data())};
  for (uint32_t i = 0; i < model.operations().size(); ++i)
    if (is_listed(model.operations()[i].inputs, floats)) together.push_back(i);
  return together;
}

/// Nothing by itself; the QUANTIZE behind it does both.
Status lower_dequantize(OperationLowering& op) {
  const uint32_t floats = op.operation().outputs[0];
  if (op.model().operand(floats).type != ANEURALNETWORKS_TENSOR_FLOAT32 || !dequantize_before(op.model(), floats)) {
    return op_failed("its result is not for QUANTIZE alone");
  }
  return {};
}

Status lower_quantize(OperationLowering& op) {
  const uint32_t floats = op.operation().inputs[0];
  const bool widened = op.model().operand(floats).type == ANEURALNETWORKS_TENSOR_FLOAT32;
  const ModelOperation* before = widened ? dequantize_before(op.model(), floats) : nullptr;
  if (!before) return op_failed("its input is not a DEQUANTIZE for QUANTIZE alone");
  NamedOperands dequantize;
  AVOCET_RETURN_IF_FAILED(dequantize.open(op.model(), *before));
  compiler::Operation lowered;
  lowered.type = compiler::OperationType::kTable;
  AVOCET_RETURN_IF_FAILED(op.operand(before->inputs[0], &lowered.inputs.emplace_back()));
  AVOCET_RETURN_IF_FAILED(requantising_table(dequantize, op.named(), &lowered.table));
  lowered.label = op.operation().name();
  return op.emit(std::move(lowered));
}

Status lower_unary(OperationLowering& op) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  compiler::Operation lowered;
  lowered.type = compiler::OperationType::kTable;
  AVOCET_RETURN_IF_FAILED(op.input(0, &lowered.inputs.emplace_back()));
  if (op.named().input(0).dims != op.named().output(0).dims) return op_failed("its input and output differ in shape");
  AVOCET_RETURN_IF_FAILED(unary_table(op.named(), &lowered.table));
  lowered.label = op.operation().name();
  return op.emit(std::move(lowered));
}

}  // namespace avocet::runtime::npu
