// SPDX-License-Identifier: Apache-2.0
#include "importer/onnx/broadcasting.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <numeric>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

/// Positions in `to` where an extent of 1 has to be put into `from`; nullopt when that does not lead there.
std::optional<std::vector<size_t>> insertions(const Dims& from, const Dims& to) {
  std::vector<size_t> places;
  size_t next = 0;
  for (size_t i = 0; i < to.size(); ++i) {
    if (next < from.size() && from[next] == to[i]) {
      ++next;
    } else if (to[i] == 1) {
      places.push_back(i);
    } else {
      return std::nullopt;
    }
  }
  if (next != from.size()) return std::nullopt;
  return places;
}

void emit_insertions(NodeContext& context, uint32_t input, const std::vector<size_t>& places, uint32_t output) {
  OperandBuilder& builder = context.builder();
  Dims dims = builder.description().operands[input].dims;
  for (size_t i = 0; i < places.size(); ++i) {
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(places[i]), 1);
    const uint32_t expanded = i + 1 == places.size() ? output : builder.add_temporary_like(input, dims);
    builder.emit(ANEURALNETWORKS_EXPAND_DIMS, {input, builder.int_scalar(static_cast<int32_t>(places[i]))}, {expanded});
    input = expanded;
  }
}

}  // namespace

void emit_shape_change(NodeContext& context, uint32_t input, uint32_t output) {
  OperandBuilder& builder = context.builder();
  const Dims from = builder.description().operands[input].dims;
  const Dims to = builder.description().operands[output].dims;
  const int32_t type = builder.description().operands[input].type;
  if (type != ANEURALNETWORKS_TENSOR_INT32 && type != ANEURALNETWORKS_TENSOR_BOOL8)
    return builder.emit_reshape(input, output);
  if (from == to) return builder.emit(ANEURALNETWORKS_CAST, {input}, {output});
  const auto places = insertions(from, to);
  if (places && type == ANEURALNETWORKS_TENSOR_INT32) return emit_insertions(context, input, *places, output);
  if (type == ANEURALNETWORKS_TENSOR_BOOL8) {
    refuse("bools of shape " + dims_text(from) + " cannot become " + dims_text(to) + ": the API reshapes no bools");
  }
  if (from.size() != 1) return builder.emit_reshape(input, output);
  check_folded_size(from);
  std::vector<int32_t> all(from[0]);
  std::iota(all.begin(), all.end(), 0);
  context.conversion().charge(all.size() * sizeof(int32_t));
  builder.emit(ANEURALNETWORKS_GATHER, {input, builder.int_scalar(0), builder.int_tensor(all, to)}, {output});
}

uint32_t emit_aligned(NodeContext& context, uint32_t operand, size_t rank) {
  Dims dims = context.builder().description().operands[operand].dims;
  if (dims.size() >= rank) return operand;
  dims.insert(dims.begin(), rank - dims.size(), 1);
  const uint32_t aligned = context.builder().add_temporary_like(operand, operand_dims(dims));
  emit_shape_change(context, operand, aligned);
  return aligned;
}

void emit_tile(NodeContext& context, uint32_t input, const Dims& dims, uint32_t output) {
  const Dims from = context.builder().description().operands[input].dims;
  std::vector<int32_t> multiples;
  for (size_t i = 0; i < from.size(); ++i) multiples.push_back(static_cast<int32_t>(dims[i] / from[i]));
  context.emit(ANEURALNETWORKS_TILE, {input, context.builder().int_tensor(multiples)}, {output});
}

uint32_t read_broadcast(NodeContext& context, size_t i, const Dims& dims) {
  if (context.dims(i) == dims) return context.read(i);
  if (context.in(i).is_constant()) {
    const TensorPtr constant = context.constant(i);
    check_folded_size(dims);
    return context.conversion().add_constant(rearranged(*constant, dims, 0, broadcast_steps(constant->dims, dims)));
  }
  if (context.in(i).type == ElementType::boolean) {
    refuse("a computed condition of shape " + dims_text(context.dims(i)) + " for " + dims_text(dims) +
           ": the API repeats no bools");
  }
  const uint32_t aligned = emit_aligned(context, context.read(i), dims.size());
  const uint32_t tiled = context.builder().add_temporary_like(aligned, operand_dims(dims));
  emit_tile(context, aligned, dims, tiled);
  return tiled;
}

}  // namespace avocet::tools::onnx
