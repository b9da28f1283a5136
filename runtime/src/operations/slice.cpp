// SPDX-License-Identifier: Apache-2.0
// SLICE by begin and size, and STRIDED_SLICE by begin, end and stride with masks.
#include <algorithm>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kSliceInput[] = {tensor("input", kColumnA), shaped("begin", kTensorInt32, "rank"), shaped("size", kTensorInt32, "rank")};
constexpr Form kSliceInputs[] = {{.operands = kSliceInput}};
constexpr OperandRule kSliceOutput[] = {tensor("output", kColumnA).quantised_as_input(0)};
constexpr Form kSliceOutputs[] = {{.operands = kSliceOutput}};
constexpr Signature kSliceSignature{
    .level = 29, .types = kFloatsInt32AndQuant8, .inputs = kSliceInputs, .outputs = kSliceOutputs, .zero_sized = true};

constexpr OperandRule kStridedInput[] = {tensor("input", kColumnA, 1, 4),
                                         shaped("begin", kTensorInt32, "rank"),
                                         shaped("end", kTensorInt32, "rank"),
                                         shaped("strides", kTensorInt32, "rank"),
                                         int32("begin_mask"),
                                         int32("end_mask"),
                                         int32("shrink_axis_mask")};
constexpr Form kStridedInputs[] = {{.operands = kStridedInput}};
constexpr OperandRule kStridedOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kStridedOutputs[] = {{.operands = kStridedOutput}};
constexpr Signature kStridedSignature{
    .level = 28, .types = kFloatsAndQuant8, .inputs = kStridedInputs, .outputs = kStridedOutputs};

/// What is taken along one axis: indices first, first + step, ... lie inside the input, `count` of them.
struct AxisRange {
  int64_t first = 0;
  int64_t step = 1;
  uint32_t count = 0;
  bool shrunk = false;  // the axis does not appear in the output
};

Dimensions output_shape(const std::vector<AxisRange>& ranges) {
  Dimensions dims;
  for (const AxisRange& range : ranges) {
    if (!range.shrunk) dims.push_back(range.count);
  }
  if (dims.empty()) dims.push_back(1);
  return dims;
}

Status plan_slice(const OperationContext& context, std::vector<AxisRange>* ranges) {
  const Dimensions& from = context.input(0).dims;
  std::vector<int32_t> begin, size;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, from.size(), "begin", &begin));
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 2, from.size(), "size", &size));
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t rest = int64_t{from[i]} - begin[i];
    if (begin[i] < 0 || rest < 0) {
      return op_failed("begin[", i, "] = ", begin[i], " lies outside of the input of shape ", dims_text(from));
    }
    if (size[i] < -1 || size[i] > rest) {
      return op_failed("size[", i, "] = ", size[i], " from ", begin[i], " on does not fit the input of shape ", dims_text(from));
    }
    ranges->push_back({.first = begin[i], .count = static_cast<uint32_t>(size[i] == -1 ? rest : size[i])});
  }
  return {};
}

/// A begin or end of a strided slice: negative values count from the back, those outside are moved to the border.
int64_t clamp_index(int64_t index, int64_t extent, bool forwards) {
  if (index < 0) index += extent;
  return forwards ? std::clamp<int64_t>(index, 0, extent) : std::clamp<int64_t>(index, -1, extent - 1);
}

Status plan_axis(size_t axis, int64_t begin, int64_t end, int64_t step, int64_t extent, const OperationContext& context,
                 AxisRange* range) {
  const auto in_mask = [&](size_t input) { return ((static_cast<uint32_t>(context.scalar<int32_t>(input, 0)) >> axis) & 1) != 0; };
  if (step == 0) return op_failed("strides[", axis, "] is 0");
  const bool forwards = step > 0, whole_begin = in_mask(4), whole_end = in_mask(5);
  range->shrunk = in_mask(6);
  const int64_t first = whole_begin ? (forwards ? 0 : extent - 1) : clamp_index(begin, extent, forwards);
  int64_t last = whole_end ? (forwards ? extent : -1) : clamp_index(end, extent, forwards);
  // The documented "begin = x, end = x + 1" of a removed axis also means one element when x is -1.
  if (range->shrunk && !whole_begin && !whole_end && begin == -1 && end == 0) last = extent;
  const int64_t distance = forwards ? last - first : first - last, stride = forwards ? step : -step;
  const int64_t count = distance <= 0 ? 0 : (distance + stride - 1) / stride;
  if (range->shrunk && (!forwards || count != 1)) {
    return op_failed("axis ", axis, " is to be removed but its slice from ", begin, " to ", end, " by ", step, " of ", extent,
                     " elements is not a single one");
  }
  range->first = first;
  range->step = count > 1 ? step : 1;  // a step that is not taken may be out of all proportion
  range->count = static_cast<uint32_t>(count);
  return {};
}

Status plan_strided_slice(const OperationContext& context, std::vector<AxisRange>* ranges) {
  const Dimensions& from = context.input(0).dims;
  std::vector<int32_t> begin, end, strides;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, from.size(), "begin", &begin));
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 2, from.size(), "end", &end));
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 3, from.size(), "strides", &strides));
  for (size_t i = 0; i < from.size(); ++i) {
    AVOCET_RETURN_IF_FAILED(plan_axis(i, begin[i], end[i], strides[i], from[i], context, &ranges->emplace_back()));
  }
  return {};
}

using Plan = Status (*)(const OperationContext&, std::vector<AxisRange>*);

template <Plan kPlan>
Status infer(OperationContext& context) {
  std::vector<AxisRange> ranges;
  AVOCET_RETURN_IF_FAILED(kPlan(context, &ranges));
  context.output(0).dims = output_shape(ranges);
  return {};
}

template <Plan kPlan>
Status execute(OperationContext& context) {
  std::vector<AxisRange> ranges;
  AVOCET_RETURN_IF_FAILED(kPlan(context, &ranges));
  AVOCET_RETURN_IF_FAILED(check_unchanged(output_shape(ranges), context.output(0)));
  const std::vector<ptrdiff_t> steps = dense_steps(context.input(0).dims);
  std::vector<CopyAxis> axes(ranges.size());
  ptrdiff_t offset = 0, to = 1;
  for (size_t i = ranges.size(); i-- > 0;) {
    offset += ranges[i].first * steps[i];
    axes[i] = {ranges[i].count, ranges[i].step * steps[i], to};
    to *= static_cast<ptrdiff_t>(ranges[i].count);
  }
  const size_t element = element_size(context.output(0).type);
  copy_strided(context, context.in<uint8_t>(0) + offset * static_cast<ptrdiff_t>(element), context.out<void>(0), std::move(axes), element);
  return {};
}

}  // namespace

constinit const Operation kSlice =
    operation<kSliceSignature, infer<plan_slice>, execute<plan_slice>, Halves::kAsTheyAre>(ANEURALNETWORKS_SLICE, "SLICE");
constinit const Operation kStridedSlice =
    operation<kStridedSignature, infer<plan_strided_slice>, execute<plan_strided_slice>, Halves::kAsTheyAre>(
        ANEURALNETWORKS_STRIDED_SLICE, "STRIDED_SLICE");

}  // namespace avocet::runtime
