// SPDX-License-Identifier: Apache-2.0
// Operations that move elements of tensors of any rank. infer() of the CPU path has seen all parameters before they are
// used, and agreed with the output's extents.
#include <algorithm>
#include <numeric>

#include "npu/lowering_rows.hpp"
#include "npu/tables.hpp"
#include "operations/failure.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime::npu {
namespace {

namespace movements = compiler::movements;
using movements::Extents;

std::string name_of(const OperationLowering& op) { return op.operation().name(); }

/// Checks the parameters and gives input 0.
Status open(OperationLowering& op, uint32_t* input) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  return op.input(0, input);
}

Status emit(OperationLowering& op, movements::MaybeMovement movement, uint32_t input) {
  if (!movement) return op_failed("it falls into more than ", movements::kBoxesMax, " pieces");
  return op.emit(std::move(*movement), {input});
}

Status read_axis(const OperationLowering& op, size_t rank, size_t* axis) {
  int32_t given = 0;
  AVOCET_RETURN_IF_FAILED(op.named().scalar("axis", 0, &given));
  const auto index = normalise_axis(given, rank);
  if (!index) return op_failed("axis ", given, " is outside of a tensor of rank ", rank);
  *axis = *index;
  return {};
}

}  // namespace

Status lower_reshape(OperationLowering& op) {
  // The shape may be known at execution alone: the declared extents are known, and nothing else counts.
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(op.input(0, &input));
  const OperandView &in = op.named().input(0), &out = op.named().output(0);
  if (in.scale != out.scale || in.zero_point != out.zero_point) return op_failed("its input and output differ in scale or zero point");
  const auto from = element_count(in.dims), to = element_count(out.dims);
  if (!from || from != to) return op_failed("its input and output differ in size");
  return op.emit(movements::reshape(name_of(op), *from), {input});
}

Status lower_transpose(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const Extents& dims = op.named().input(0).dims;
  std::vector<int32_t> order;
  bool given = false;
  AVOCET_RETURN_IF_FAILED(op.named().values("perm", &order, &given));
  std::vector<uint32_t> permutation(dims.size());
  std::iota(permutation.rbegin(), permutation.rend(), 0u);
  for (size_t i = 0; given && i < permutation.size(); ++i) permutation[i] = static_cast<uint32_t>(order[i]);
  return op.emit(movements::transpose(name_of(op), dims, permutation), {input});
}

Status lower_concatenation(OperationLowering& op) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  const OperandView& out = op.named().output(0);
  std::vector<uint32_t> inputs;
  std::vector<Extents> shapes;
  for (size_t i = 0; i + 1 < op.named().input_count(); ++i) {
    const OperandView& in = op.named().input(i);
    AVOCET_RETURN_IF_FAILED(op.input(i, &inputs.emplace_back()));
    shapes.push_back(in.dims);
    if (in.scale == out.scale && in.zero_point == out.zero_point) continue;
    std::vector<uint8_t> table;
    AVOCET_RETURN_IF_FAILED(concatenation_table(op.named(), i, &table));
    AVOCET_RETURN_IF_FAILED(emit_table(op, std::move(table), inputs.back(), op.operation().outputs[0], &inputs.back()));
  }
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(read_axis(op, shapes[0].size(), &axis));
  return op.emit(movements::concatenate(name_of(op), shapes, axis), inputs);
}

Status lower_split(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const Extents& dims = op.named().input(0).dims;
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(read_axis(op, dims.size(), &axis));
  return op.emit_all(movements::split(name_of(op), dims, axis, static_cast<uint32_t>(op.operation().outputs.size())), {input});
}

Status lower_slice(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const Extents &dims = op.named().input(0).dims, &counts = op.named().output(0).dims;
  std::vector<int32_t> begin;
  AVOCET_RETURN_IF_FAILED(op.named().values("begin", &begin));
  const std::vector<int64_t> first(begin.begin(), begin.end()), step(dims.size(), 1);
  return emit(op, movements::slice(name_of(op), dims, first, step, counts), input);
}

Status lower_strided_slice(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const NamedOperands& named = op.named();
  const Extents& dims = named.input(0).dims;
  std::vector<int32_t> begin, strides;
  int32_t begin_mask, shrink_mask;
  AVOCET_RETURN_IF_FAILED(named.values("begin", &begin));
  AVOCET_RETURN_IF_FAILED(named.values("strides", &strides));
  AVOCET_RETURN_IF_FAILED(named.scalar("begin_mask", 0, &begin_mask));
  AVOCET_RETURN_IF_FAILED(named.scalar("shrink_axis_mask", 0, &shrink_mask));
  // How many elements are taken is in the output's extents, where they begin follows from the parameters.
  std::vector<int64_t> first, step;
  Extents counts;
  size_t at = 0;
  for (size_t a = 0; a < dims.size(); ++a) {
    const bool forwards = strides[a] > 0;
    const int64_t extent = dims[a], from_back = begin[a] < 0 ? begin[a] + extent : begin[a];
    const int64_t clamped = forwards ? std::clamp<int64_t>(from_back, 0, extent) : std::clamp<int64_t>(from_back, -1, extent - 1);
    const bool whole = (static_cast<uint32_t>(begin_mask) >> a & 1) != 0, shrunk = (static_cast<uint32_t>(shrink_mask) >> a & 1) != 0;
    first.push_back(whole ? (forwards ? 0 : extent - 1) : clamped);
    counts.push_back(shrunk ? 1 : named.output(0).dims[at++]);
    step.push_back(counts.back() > 1 ? strides[a] : 1);
  }
  return emit(op, movements::slice(name_of(op), dims, first, step, counts), input);
}

Status lower_pad(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const OperandView& in = op.named().input(0);
  std::vector<int32_t> given;
  int32_t value = 0;
  AVOCET_RETURN_IF_FAILED(op.named().values("paddings", &given));
  AVOCET_RETURN_IF_FAILED(op.named().scalar("pad_value", in.zero_point, &value));
  std::vector<movements::Padding> paddings;
  for (size_t a = 0; a < in.dims.size(); ++a)
    paddings.push_back({static_cast<uint32_t>(given[2 * a]), static_cast<uint32_t>(given[2 * a + 1])});
  return op.emit(movements::pad(name_of(op), in.dims, paddings, static_cast<uint8_t>(value)), {input});
}

Status lower_tile(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  std::vector<int32_t> given;
  AVOCET_RETURN_IF_FAILED(op.named().values("multiples", &given));
  const std::vector<uint32_t> multiples(given.begin(), given.end());
  return op.emit(movements::tile(name_of(op), op.named().input(0).dims, multiples), {input});
}

Status lower_gather(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const Extents& dims = op.named().input(0).dims;
  size_t axis = 0;
  AVOCET_RETURN_IF_FAILED(read_axis(op, dims.size(), &axis));
  std::vector<int32_t> given;
  AVOCET_RETURN_IF_FAILED(op.named().values("indices", &given));
  std::vector<uint32_t> indices;
  for (int32_t index : given) {
    if (index < 0 || static_cast<uint32_t>(index) >= dims[axis]) return op_failed("index ", index, " is outside of axis ", axis);
    indices.push_back(static_cast<uint32_t>(index));
  }
  return emit(op, movements::gather(name_of(op), dims, axis, indices), input);
}

Status lower_channel_shuffle(OperationLowering& op) {
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &input));
  const Extents& dims = op.named().input(0).dims;
  size_t axis = 0;
  int32_t groups = 0;
  AVOCET_RETURN_IF_FAILED(read_axis(op, dims.size(), &axis));
  AVOCET_RETURN_IF_FAILED(op.named().scalar("num_groups", 1, &groups));
  return op.emit(movements::channel_shuffle(name_of(op), dims, axis, static_cast<uint32_t>(groups)), {input});
}

}  // namespace avocet::runtime::npu
