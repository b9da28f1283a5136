// SPDX-License-Identifier: Apache-2.0
// Operators that join, cut, repeat and pick elements.
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "importer/onnx/broadcasting.hpp"
#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools::onnx {
namespace {

std::vector<int32_t> narrow(const Dims& dims) { return {dims.begin(), dims.end()}; }

void emit_slice(NodeContext& context, uint32_t input, const std::vector<int32_t>& begin, const Dims& size,
                uint32_t output) {
  OperandBuilder& builder = context.builder();
  context.emit(ANEURALNETWORKS_SLICE, {input, builder.int_tensor(begin), builder.int_tensor(narrow(size))}, {output});
}

/// The extents of the outputs of a Split along its axis.
std::vector<uint32_t> split_sizes(NodeContext& context, uint32_t extent) {
  std::vector<int64_t> sizes = context.integers("split", 1);
  const int64_t count = context.attributes().integer("num_outputs", static_cast<int64_t>(context.output_count()));
  if (count != static_cast<int64_t>(context.output_count())) refuse("num_outputs is not the number of outputs");
  if (sizes.empty()) {
    // Equal parts; the last may be smaller.
    const int64_t each = (extent + count - 1) / count;
    for (int64_t left = extent; sizes.size() < context.output_count(); left -= each)
      sizes.push_back(std::min(each, left));
  }
  int64_t sum = 0;
  for (const int64_t size : sizes) {
    if (size < 1 || size > extent) refuse("a part of " + std::to_string(size) + " elements");
    sum += size;
  }
  if (sizes.size() != context.output_count() || sum != extent) refuse("the parts do not make up the whole");
  return {sizes.begin(), sizes.end()};
}

/// begin and end before and behind each dimension of a Pad.
struct Padding {
  std::vector<int64_t> before, after;
};

Padding read_padding(NodeContext& context, size_t rank) {
  const std::vector<int64_t> pads = context.integers("pads", 1);
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (context.has(3)) axes = context.integers(3);
  axis_mask(axes, rank);
  if (pads.size() != 2 * axes.size())
    refuse(std::to_string(pads.size()) + " paddings for " + std::to_string(axes.size()) + " axes");
  Padding padding{.before = std::vector<int64_t>(rank), .after = std::vector<int64_t>(rank)};
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t axis = normal_axis(axes[i], rank);
    padding.before[axis] = pads[i];
    padding.after[axis] = pads[axes.size() + i];
  }
  for (const auto* side : {&padding.before, &padding.after}) {
    for (const int64_t pad : *side) {
      if (pad < 0 || pad > INT32_MAX) refuse("a padding of " + std::to_string(pad));
    }
  }
  return padding;
}

/// The value as PAD_V2's scalar: for bytes the nearest one, which has to be exact when nothing quantises behind it.
uint32_t pad_scalar(NodeContext& context, double value) {
  if (context.form().mode == Mode::real || !context.in(0).quantised) return context.real_scalar(value);
  const Quantisation& quantisation = context.quantisation(0);
  const double step = std::round(value / quantisation.scale()) + quantisation.zero_point();
  const bool is_signed = context.byte_type() == ElementType::int8;
  const bool inside = step >= (is_signed ? -128 : 0) && step <= (is_signed ? 127 : 255);
  const auto real = inside ? static_cast<float>(step - quantisation.zero_point()) * quantisation.scale() : 0.0f;
  if (!inside || real != static_cast<float>(value)) throw NeedsFloats{};
  return context.builder().int_scalar(static_cast<int32_t>(step));
}

}  // namespace

void convert_concat(NodeContext& context, int32_t nnapi) {
  Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", 1), dims.size());
  uint64_t extent = 0;
  std::vector<uint32_t> inputs;
  for (size_t i = 0; i < context.input_count(); ++i) {
    Dims other = context.dims(i);
    if (other.size() != dims.size() || context.in(i).type != context.type())
      refuse("inputs of different ranks or types");
    extent += other[axis];
    other[axis] = dims[axis];
    if (other != dims) refuse("inputs of shapes " + dims_text(dims) + " and " + dims_text(context.dims(i)));
    inputs.push_back(context.read(i));
  }
  if (extent > INT32_MAX) refuse("dimension " + std::to_string(extent));
  if (inputs.size() == 1 && !context.quantised()) return convert_identity(context, 0);
  dims[axis] = static_cast<uint32_t>(extent);
  inputs.push_back(context.builder().int_scalar(static_cast<int32_t>(axis)));
  context.builder().emit_movement(nnapi, context.input_count(), std::move(inputs), context.write(dims));
}

void convert_split(NodeContext& context, int32_t nnapi) {
  Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", 0), dims.size());
  const std::vector<uint32_t> sizes = split_sizes(context, dims[axis]);
  const uint32_t input = context.read(0);
  const bool equal = std::all_of(sizes.begin(), sizes.end(), [&](uint32_t size) { return size == sizes.front(); });
  std::vector<uint32_t> outputs;
  std::vector<int32_t> begin(dims.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    dims[axis] = sizes[i];
    outputs.push_back(context.write(i, dims));
    if (equal) continue;
    emit_slice(context, input, begin, dims, outputs.back());
    begin[axis] += static_cast<int32_t>(sizes[i]);
  }
  if (!equal) return;
  OperandBuilder& builder = context.builder();
  context.emit(
      nnapi,
      {input, builder.int_scalar(static_cast<int32_t>(axis)), builder.int_scalar(static_cast<int32_t>(sizes.size()))},
      std::move(outputs));
}

void convert_slice(NodeContext& context, int32_t) {
  const Dims dims = context.dims(0);
  const auto starts = context.integers("starts", 1);
  const auto ends = context.integers("ends", 2);
  const auto axes = context.integers("axes", 3);
  const auto steps = context.has(4) ? context.integers(4) : std::vector<int64_t>();
  const std::vector<AxisSlice> slices = sliced_axes(dims, starts, ends, axes, steps);
  Dims result;
  std::vector<int32_t> begin, end, step;
  int32_t end_mask = 0;
  for (size_t i = 0; i < slices.size(); ++i) {
    result.push_back(slices[i].extent);
    begin.push_back(static_cast<int32_t>(slices[i].begin));
    step.push_back(static_cast<int32_t>(slices[i].step));
    const int64_t last = slices[i].begin + slices[i].step * slices[i].extent;
    // An end before the first element cannot be written: it counts from the back.
    if (last < 0) end_mask |= 1 << i;
    end.push_back(static_cast<int32_t>(std::clamp<int64_t>(last, 0, dims[i])));
  }
  if (result == dims && std::all_of(step.begin(), step.end(), [](int32_t s) { return s == 1; }))
    return convert_identity(context, 0);
  const uint32_t input = context.read(0);
  const uint32_t output = context.write(result);
  if (std::all_of(step.begin(), step.end(), [](int32_t s) { return s == 1; }))
    return emit_slice(context, input, begin, result, output);
  OperandBuilder& builder = context.builder();
  builder.emit_movement(ANEURALNETWORKS_STRIDED_SLICE, 1,
                        {input, builder.int_tensor(begin), builder.int_tensor(end), builder.int_tensor(step),
                         builder.int_scalar(0), builder.int_scalar(end_mask), builder.int_scalar(0)},
                        output);
}

void convert_pad(NodeContext& context, int32_t nnapi) {
  const std::string mode = context.attributes().text("mode", "constant");
  if (mode != "constant") refuse("mode '" + mode + "'");
  Dims dims = context.dims(0);
  const Padding padding = read_padding(context, dims.size());
  double value = context.attributes().real("value", 0);
  if (context.has(2)) {
    const std::vector<double> values = reals_of(*context.constant(2));
    if (values.size() != 1) refuse("a value of more than one element");
    value = values.front();
  }
  std::vector<int32_t> pairs;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t extent = dims[i] + padding.before[i] + padding.after[i];
    if (extent > INT32_MAX) refuse("dimension " + std::to_string(extent));
    dims[i] = static_cast<uint32_t>(extent);
    pairs.push_back(static_cast<int32_t>(padding.before[i]));
    pairs.push_back(static_cast<int32_t>(padding.after[i]));
  }
  if (dims == context.dims(0)) return convert_identity(context, 0);
  if (is_8bit(context.type())) refuse("a padding of plain bytes");
  std::vector<uint32_t> inputs = {0, context.builder().int_tensor(pairs, {static_cast<uint32_t>(dims.size()), 2})};
  if (value != 0) inputs.push_back(pad_scalar(context, value));
  inputs[0] = context.read(0);
  context.emit(value != 0 ? ANEURALNETWORKS_PAD_V2 : nnapi, std::move(inputs), {context.write(dims)});
}

void convert_gather(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const size_t axis = normal_axis(context.attributes().integer("axis", 0), dims.size());
  const Value& index_value = context.in(1);
  const Dims index_dims = index_value.dims;
  const auto at = dims.begin() + static_cast<std::ptrdiff_t>(axis);
  Dims result(dims.begin(), at);
  result.insert(result.end(), index_dims.begin(), index_dims.end());
  result.insert(result.end(), at + 1, dims.end());
  uint32_t indices = 0;
  if (index_value.is_constant()) {
    std::vector<int64_t> values = context.integers(1);
    const auto extent = static_cast<int64_t>(dims[axis]);
    for (int64_t& value : values) {
      if (value < -extent || value >= extent)
        refuse("index " + std::to_string(value) + " of " + std::to_string(extent));
      if (value < 0) value += extent;
    }
    indices = context.conversion().add_constant(
        make_tensor(ElementType::int32, index_dims, std::span<const int64_t>(values)));
  } else {
    if (!is_integer(index_value.type) || is_8bit(index_value.type)) refuse("indices that are no integers");
    indices = context.conversion().operand_of(context.in(1));
  }
  const uint32_t input = context.read(0);
  OperandBuilder& builder = context.builder();
  const uint32_t axis_scalar = builder.int_scalar(static_cast<int32_t>(axis));
  const uint32_t output = context.write(result);
  if (!index_dims.empty()) return context.emit(nnapi, {input, axis_scalar, indices}, {output});
  // One index takes the dimension away; the API leaves an extent of 1.
  Dims direct_dims = dims;
  direct_dims[axis] = 1;
  const uint32_t direct = builder.add_temporary_like(output, direct_dims);
  context.emit(nnapi, {input, axis_scalar, indices}, {direct});
  emit_shape_change(context, direct, output);
}

void convert_tile(NodeContext& context, int32_t nnapi) {
  Dims dims = context.dims(0);
  const std::vector<int64_t> repeats = context.integers(1);
  if (repeats.size() != dims.size()) refuse(std::to_string(repeats.size()) + " repeats for shape " + dims_text(dims));
  std::vector<int32_t> multiples;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (repeats[i] < 1 || repeats[i] > INT32_MAX / int64_t{dims[i]}) refuse(std::to_string(repeats[i]) + " repeats");
    dims[i] *= static_cast<uint32_t>(repeats[i]);
    multiples.push_back(static_cast<int32_t>(repeats[i]));
  }
  const uint32_t input = context.read(0);
  context.emit(nnapi, {input, context.builder().int_tensor(multiples)}, {context.write(dims)});
}

void convert_depth_to_space(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const int64_t block = context.attributes().integer("blocksize", 0);
  const std::string mode = context.attributes().text("mode", "DCR");
  if (dims.size() != 4 || block < 1 || block > 65535 || dims[1] % (block * block) != 0) {
    refuse("blocks of " + std::to_string(block) + " for shape " + dims_text(dims));
  }
  if (mode != "DCR" && mode != "CRD") refuse("mode '" + mode + "'");
  OperandBuilder& builder = context.builder();
  const auto size = static_cast<uint32_t>(block);
  const uint32_t depth = dims[1] / (size * size);
  uint32_t input = context.read(0);
  if (mode == "CRD" && depth > 1 && size > 1) {  // channels from [depth, block] to [block, depth]
    check_folded_size({dims[1]});
    std::vector<int32_t> order;
    for (uint32_t i = 0; i < dims[1]; ++i) order.push_back(static_cast<int32_t>(i % depth * size * size + i / depth));
    const uint32_t ordered = builder.add_temporary_like(input, dims);
    context.emit(ANEURALNETWORKS_GATHER, {input, builder.int_scalar(1), builder.int_tensor(order)}, {ordered});
    input = ordered;
  }
  const uint32_t output = context.write({dims[0], depth, dims[2] * size, dims[3] * size});
  context.emit(nnapi, {input, builder.int_scalar(static_cast<int32_t>(block)), builder.bool_scalar(true)}, {output});
}

void convert_space_to_depth(NodeContext& context, int32_t nnapi) {
  const Dims dims = context.dims(0);
  const int64_t block = context.attributes().integer("blocksize", 0);
  if (dims.size() != 4 || block < 1 || dims[2] % block != 0 || dims[3] % block != 0) {
    refuse("blocks of " + std::to_string(block) + " for shape " + dims_text(dims));
  }
  OperandBuilder& builder = context.builder();
  const auto size = static_cast<uint32_t>(block);
  const uint32_t input = context.read(0);
  const uint32_t output = context.write({dims[0], dims[1] * size * size, dims[2] / size, dims[3] / size});
  context.emit(nnapi, {input, builder.int_scalar(static_cast<int32_t>(block)), builder.bool_scalar(true)}, {output});
}

}  // namespace avocet::tools::onnx
