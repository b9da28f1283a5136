// SPDX-License-Identifier: Apache-2.0
// Constants that are given, or moved without computing.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

Tensor with_dims(Tensor tensor, Dims dims) {
  tensor.dims = std::move(dims);
  return tensor;
}

Tensor int64_tensor(Dims dims, const std::vector<int64_t>& values) {
  return make_tensor(ElementType::int64, std::move(dims), std::span<const int64_t>(values));
}

const Dims& shape_of_input(FoldContext& context) {
  if (!context.has(0)) throw std::runtime_error("input 0 is missing");
  return context.conversion.value(context.node.inputs[0]).dims;
}

}  // namespace

const Tensor& FoldContext::in(size_t i) {
  if (i == 0 && data) return *data;
  if (!has(i)) throw std::runtime_error("input " + std::to_string(i) + " is missing");
  const TensorPtr constant = conversion.constant_of(node.inputs[i]);
  if (!constant) throw std::runtime_error("input " + std::to_string(i) + " must be a constant");
  return *constant;
}

std::vector<int64_t> FoldContext::integers(size_t i) { return integers_of(in(i)); }

std::vector<int64_t> FoldContext::integers(const char* attribute, size_t input) {
  std::vector<int64_t> values = attributes.integers(attribute);
  return has(input) ? integers(input) : values;
}

void check_folded_size(const Dims& dims) {
  if (element_count_of(dims) > (uint64_t{1} << 25)) {
    throw std::runtime_error("a constant of shape " + dims_text(dims) + " is too large to be computed at import");
  }
}

Tensor fold_constant(FoldContext& context) {
  if (const TensorPtr tensor = context.attributes.tensor("value")) return *tensor;
  if (context.attributes.has("value_float")) {
    const std::vector<double> value = {context.attributes.real("value_float", 0)};
    return make_tensor(ElementType::float32, {}, value);
  }
  if (context.attributes.has("value_int")) return int64_tensor({}, {context.attributes.integer("value_int", 0)});
  if (context.attributes.has("value_ints")) {
    const std::vector<int64_t> values = context.attributes.integers("value_ints");
    return int64_tensor({static_cast<uint32_t>(values.size())}, values);
  }
  if (context.attributes.has("value_floats")) {
    const std::vector<float> values = context.attributes.reals("value_floats");
    const std::vector<double> wide(values.begin(), values.end());
    return make_tensor(ElementType::float32, {static_cast<uint32_t>(values.size())}, wide);
  }
  throw std::runtime_error("a constant that is no tensor of numbers");
}

Tensor fold_constant_of_shape(FoldContext& context) {
  const std::vector<int64_t> shape = context.integers(0);
  if (shape.size() > 8) throw std::runtime_error("a shape of rank " + std::to_string(shape.size()));
  Dims dims;
  for (const int64_t extent : shape) {
    if (extent < 0 || extent > INT32_MAX) throw std::runtime_error("dimension " + std::to_string(extent));
    dims.push_back(static_cast<uint32_t>(extent));
  }
  check_folded_size(dims);
  const TensorPtr value = context.attributes.tensor("value");
  if (value && value->count() != 1) throw std::runtime_error("a value of more than one element");
  const std::vector<double> zero = {0};
  const Tensor one = value ? *value : make_tensor(ElementType::float32, {1}, zero);
  return rearranged(one, dims, 0, std::vector<int64_t>(dims.size()));
}

Tensor fold_shape(FoldContext& context) {
  const Dims& dims = shape_of_input(context);
  const auto rank = static_cast<int64_t>(dims.size());
  const auto bound = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? std::max(at, -rank) + rank : at, 0, rank); };
  const int64_t start = bound(context.attributes.integer("start", 0));
  const int64_t end = bound(context.attributes.integer("end", rank));
  std::vector<int64_t> values;
  for (int64_t i = start; i < end; ++i) values.push_back(dims[static_cast<size_t>(i)]);
  return int64_tensor({static_cast<uint32_t>(values.size())}, values);
}

Tensor fold_size(FoldContext& context) {
  const Dims& dims = shape_of_input(context);
  return int64_tensor({}, {static_cast<int64_t>(element_count_of(dims))});
}

Tensor fold_reshape(FoldContext& context) {
  const Tensor& data = context.in(0);
  if (context.node.op == "Reshape") {
    const bool allow_zero = context.attributes.integer("allowzero", 0) != 0;
    return with_dims(data, reshaped_dims(data.dims, context.integers(1), allow_zero));
  }
  if (context.node.op == "Flatten")
    return with_dims(data, flattened_dims(data.dims, context.attributes.integer("axis", 1)));
  const std::vector<int64_t> axes = context.integers("axes", 1);
  return with_dims(data,
                   context.node.op == "Squeeze" ? squeezed_dims(data.dims, axes) : unsqueezed_dims(data.dims, axes));
}

Tensor fold_transpose(FoldContext& context) {
  const Tensor& data = context.in(0);
  context.order = permutation(context.attributes.integers("perm"), data.dims.size());
  return transposed(data, context.order);
}

Tensor fold_slice(FoldContext& context) {
  const Tensor& data = context.in(0);
  const auto starts = context.integers("starts", 1);
  const auto ends = context.integers("ends", 2);
  const auto axes = context.integers("axes", 3);
  const auto steps = context.has(4) ? context.integers(4) : std::vector<int64_t>();
  const std::vector<AxisSlice> slices = sliced_axes(data.dims, starts, ends, axes, steps);
  std::vector<int64_t> element_steps = dense_steps(data.dims);
  int64_t offset = 0;
  Dims dims;
  for (size_t i = 0; i < slices.size(); ++i) {
    dims.push_back(slices[i].extent);
    if (slices[i].extent == 0) continue;
    offset += slices[i].begin * element_steps[i];
    element_steps[i] *= slices[i].extent > 1 ? slices[i].step : 0;
  }
  return rearranged(data, dims, offset, element_steps);
}

Tensor fold_expand(FoldContext& context) {
  const Tensor& data = context.in(0);
  Dims shape;
  const std::vector<int64_t> wanted = context.integers(1);
  if (wanted.size() > 8) throw std::runtime_error("a shape of rank " + std::to_string(wanted.size()));
  for (const int64_t extent : wanted) {
    if (extent < 0 || extent > INT32_MAX) throw std::runtime_error("dimension " + std::to_string(extent));
    shape.push_back(static_cast<uint32_t>(extent));
  }
  const Dims dims = broadcast_dims(data.dims, shape);
  check_folded_size(dims);
  return rearranged(data, dims, 0, broadcast_steps(data.dims, dims));
}

Tensor fold_gather(FoldContext& context) {
  const Tensor& data = context.in(0);
  const Tensor& indices = context.in(1);
  const size_t axis = normal_axis(context.attributes.integer("axis", 0), data.dims.size());
  const size_t element = element_type_info(data.type).element_bytes;
  size_t outer = 1;
  size_t inner = element;
  Tensor result{.type = data.type, .dims = {}, .bytes = {}};
  for (size_t i = 0; i < data.dims.size(); ++i) {
    if (i == axis) {
      result.dims.insert(result.dims.end(), indices.dims.begin(), indices.dims.end());
      continue;
    }
    result.dims.push_back(data.dims[i]);
    (i < axis ? outer : inner) *= data.dims[i];
  }
  check_folded_size(result.dims);
  if (element_count_of(result.dims) == 0) return result;
  const std::vector<int64_t> positions = integers_of(indices);
  const auto extent = static_cast<int64_t>(data.dims[axis]);
  for (size_t o = 0; o < outer; ++o) {
    for (int64_t index : positions) {
      if (index < -extent || index >= extent) throw std::runtime_error("index " + std::to_string(index));
      if (index < 0) index += extent;
      const auto at =
          data.bytes.begin() + static_cast<std::ptrdiff_t>((o * data.dims[axis] + static_cast<size_t>(index)) * inner);
      result.bytes.insert(result.bytes.end(), at, at + static_cast<std::ptrdiff_t>(inner));
    }
  }
  return result;
}

Tensor fold_concat(FoldContext& context) {
  if (context.node.inputs.empty()) throw std::runtime_error("no inputs");
  const size_t axis = normal_axis(context.attributes.integer("axis", 0), context.in(0).dims.size());
  Tensor result{.type = context.in(0).type, .dims = context.in(0).dims, .bytes = {}};
  uint64_t extent = 0;
  for (size_t i = 0; i < context.node.inputs.size(); ++i) {
    Dims dims = context.in(i).dims;
    if (dims.size() != result.dims.size() || context.in(i).type != result.type) {
      throw std::runtime_error("input " + std::to_string(i) + " has another rank or type");
    }
    extent += dims[axis];
    dims[axis] = result.dims[axis];
    if (dims != result.dims) throw std::runtime_error("input " + std::to_string(i) + " has other extents");
  }
  if (extent > INT32_MAX) throw std::runtime_error("dimension " + std::to_string(extent));
  result.dims[axis] = static_cast<uint32_t>(extent);
  check_folded_size(result.dims);
  size_t outer = 1;
  for (size_t i = 0; i < axis; ++i) outer *= result.dims[i];
  std::vector<const std::vector<uint8_t>*> parts;
  for (size_t i = 0; i < context.node.inputs.size(); ++i) {
    if (!context.in(i).bytes.empty()) parts.push_back(&context.in(i).bytes);
  }
  for (size_t o = 0; !parts.empty() && o < outer; ++o) {
    for (const auto* bytes : parts) {
      const size_t run = bytes->size() / outer;
      const auto at = bytes->begin() + static_cast<std::ptrdiff_t>(o * run);
      result.bytes.insert(result.bytes.end(), at, at + static_cast<std::ptrdiff_t>(run));
    }
  }
  return result;
}

}  // namespace avocet::tools::onnx
