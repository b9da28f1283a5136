// SPDX-License-Identifier: Apache-2.0
// SELECT: elements of one of two tensors by a tensor of booleans.
#include <algorithm>
#include <cmath>

#include "byte_table.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {tensor("condition", kTensorBool8), tensor("input1", kColumnA), tensor("input2", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnA)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsInt32AndQuant8, .inputs = kInputs, .outputs = kOutputs};

constexpr size_t kGrain = 16384;  // elements worth a thread

Status infer(OperationContext& context) {
  const Dimensions& dims = context.input(1).dims;
  for (size_t i : {0, 2}) {
    if (context.input(i).dims == dims) continue;
    return op_failed("input ", i, " has the shape ", dims_text(context.input(i).dims), ", input 1 has ", dims_text(dims));
  }
  context.output(0).dims = dims;
  return {};
}

template <typename T>
Status select(OperationContext& context) {
  const uint8_t* condition = context.in<uint8_t>(0);
  const T *first = context.in<T>(1), *second = context.in<T>(2);
  T* to = context.out<T>(0);
  context.parallel_for(count_of(context.output(0)), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = condition[i] ? first[i] : second[i];
  });
  return {};
}

/// Each stored byte of `input` as the output stores the same number: nearest, halves away from zero.
ByteTable requantise_table(const OperandView& input, const OperandView& output) {
  const bool is_signed = output.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  const int32_t low = is_signed ? -128 : 0, high = low + 255;
  ByteTable table{};
  for (int32_t value = low; value <= high; ++value) {
    const double real = static_cast<double>(static_cast<float>(value - input.zero_point) * input.scale);
    const double stored = real / static_cast<double>(output.scale) + output.zero_point;
    const double fitting = std::isnan(stored) ? output.zero_point : std::clamp<double>(std::round(stored), low, high);
    table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(static_cast<int32_t>(fitting));
  }
  return table;
}

Status select_quantised(OperationContext& context) {
  const uint8_t* condition = context.in<uint8_t>(0);
  const uint8_t *first = context.in<uint8_t>(1), *second = context.in<uint8_t>(2);
  uint8_t* to = context.out<uint8_t>(0);
  const ByteTable of_first = requantise_table(context.input(1), context.output(0));
  const ByteTable of_second = requantise_table(context.input(2), context.output(0));
  context.parallel_for(count_of(context.output(0)), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) to[i] = condition[i] ? of_first[first[i]] : of_second[second[i]];
  });
  return {};
}

bool is_stored_alike(const OperandView& a, const OperandView& b) { return a.scale == b.scale && a.zero_point == b.zero_point; }

Status execute(OperationContext& context) {
  const OperandView& output = context.output(0);
  switch (element_size(output.type)) {
    case 2: return select<uint16_t>(context);
    case 4: return select<uint32_t>(context);
    default: break;
  }
  const bool alike = is_stored_alike(context.input(1), output) && is_stored_alike(context.input(2), output);
  return alike ? select<uint8_t>(context) : select_quantised(context);
}

}  // namespace

constinit const Operation kSelect = operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_SELECT, "SELECT");

}  // namespace avocet::runtime
