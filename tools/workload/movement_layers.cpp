// SPDX-License-Identifier: Apache-2.0
// Layers that move values, and resizing.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "nnapi/operand_types.hpp"
#include "workload/layer_types.hpp"

namespace avocet::tools {
namespace {

std::vector<int32_t> numbers_of(const std::vector<uint32_t>& values) { return {values.begin(), values.end()}; }

uint32_t build_resize(LayerContext& layer, int32_t code) {
  const std::vector<uint32_t> dims = layer.dims_of_rank(4);
  const std::vector<uint32_t> size = layer.keys().list("size", 2, 2, 1, kExtentMax);
  const uint32_t output = layer.output_like(layer.inputs()[0], {dims[0], size[0], size[1], dims[3]});
  OperandBuilder& builder = layer.builder();
  builder.emit(code,
               {layer.inputs()[0], builder.int_scalar(static_cast<int32_t>(size[1])),
                builder.int_scalar(static_cast<int32_t>(size[0])), builder.bool_scalar(false)},
               {output});
  return output;
}

}  // namespace

uint32_t build_reshape(LayerContext& layer) {
  const std::vector<uint32_t> shape = layer.keys().list("shape", 1, 4, 1, INT32_MAX);
  if (checked_elements(shape, layer.keys().place()) != checked_elements(layer.dims(), layer.keys().place()))
    layer.keys().refuse("shape", shape, "as many elements as its input " + format_dimensions(layer.dims()));
  const uint32_t output = layer.output_like(layer.inputs()[0], shape);
  layer.builder().emit_reshape(layer.inputs()[0], output);
  return output;
}

uint32_t build_transpose(LayerContext& layer) {
  const std::vector<uint32_t> dims = layer.dims();
  const uint32_t rank = static_cast<uint32_t>(dims.size());
  const std::vector<uint32_t> order = layer.keys().list("order", rank, rank, 0, rank - 1);
  std::vector<uint32_t> sorted = order, turned;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t axis = 0; axis < rank; ++axis) {
    if (sorted[axis] != axis) layer.keys().refuse("order", order, "every axis once");
    turned.push_back(dims[order[axis]]);
  }
  const uint32_t output = layer.output_like(layer.inputs()[0], std::move(turned));
  layer.builder().emit(ANEURALNETWORKS_TRANSPOSE, {layer.inputs()[0], layer.builder().int_tensor(numbers_of(order))}, {output});
  return output;
}

uint32_t build_concatenate(LayerContext& layer) {
  std::vector<uint32_t> dims = layer.dims();
  const uint32_t last = static_cast<uint32_t>(dims.size() - 1), axis = layer.keys().whole_or("axis", 0, last, last);
  dims[axis] = 0;
  for (size_t i = 0; i < layer.inputs().size(); ++i) {
    std::vector<uint32_t> other = layer.dims(i);
    const uint64_t sum = uint64_t{dims[axis]} + (axis < other.size() ? other[axis] : 0);
    if (other.size() == dims.size()) other[axis] = dims[axis];
    if (other != dims || sum > INT32_MAX)
      layer.refuse("its inputs " + format_dimensions(layer.dims()) + " and " + format_dimensions(layer.dims(i)) +
                   " do not go together along axis " + std::to_string(axis));
    dims[axis] = static_cast<uint32_t>(sum);
  }
  const uint32_t output = layer.output_like(layer.inputs()[0], std::move(dims));
  std::vector<uint32_t> inputs = layer.inputs();
  inputs.push_back(layer.builder().int_scalar(static_cast<int32_t>(axis)));
  layer.builder().emit(ANEURALNETWORKS_CONCATENATION, std::move(inputs), {output});
  return output;
}

uint32_t build_slice(LayerContext& layer) {
  const std::vector<uint32_t> dims = layer.dims();
  const std::vector<uint32_t> begin = layer.keys().list("begin", dims.size(), dims.size(), 0, INT32_MAX);
  const std::vector<uint32_t> size = layer.keys().list("size", dims.size(), dims.size(), 1, INT32_MAX);
  for (size_t axis = 0; axis < dims.size(); ++axis)
    if (uint64_t{begin[axis]} + size[axis] > dims[axis])
      layer.keys().refuse("size", size, "begin + size within the input " + format_dimensions(dims));
  const uint32_t output = layer.output_like(layer.inputs()[0], size);
  OperandBuilder& builder = layer.builder();
  builder.emit(ANEURALNETWORKS_SLICE,
               {layer.inputs()[0], builder.int_tensor(numbers_of(begin)), builder.int_tensor(numbers_of(size))}, {output});
  return output;
}

uint32_t build_pad(LayerContext& layer) {
  std::vector<uint32_t> dims = layer.dims();
  const std::vector<uint32_t> padding = layer.keys().list("paddings", 2 * dims.size(), 2 * dims.size(), 0, 32767);
  for (size_t axis = 0; axis < dims.size(); ++axis) dims[axis] += padding[2 * axis] + padding[2 * axis + 1];
  const uint32_t rank = static_cast<uint32_t>(dims.size());
  const uint32_t output = layer.output_like(layer.inputs()[0], std::move(dims));
  layer.builder().emit(ANEURALNETWORKS_PAD,
                       {layer.inputs()[0], layer.builder().int_tensor(numbers_of(padding), {rank, 2})}, {output});
  return output;
}

uint32_t build_resize_bilinear(LayerContext& layer) { return build_resize(layer, ANEURALNETWORKS_RESIZE_BILINEAR); }
uint32_t build_resize_nearest(LayerContext& layer) { return build_resize(layer, ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR); }

}  // namespace avocet::tools
