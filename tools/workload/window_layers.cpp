// SPDX-License-Identifier: Apache-2.0
// Layers with a window or a weight matrix. Padding is always told in numbers.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "nnapi/operand_types.hpp"
#include "workload/layer_types.hpp"

namespace avocet::tools {
namespace {

struct Window {
  uint32_t kernel[2], stride[2], dilation[2];
  uint32_t before[2] = {0, 0}, after[2] = {0, 0};  // padding
  uint32_t out[2] = {0, 0};
};

constexpr uint32_t kPadMax = 32767;
constexpr char kPaddingForms[] = "same, valid, a whole number, or [top, bottom, left, right], 0 to 32767 each";

void read_padding(LayerContext& layer, const std::vector<uint32_t>& dims, Window& window) {
  const Json* value = layer.keys().find("padding");
  if (!value || *value == "valid") return;
  if (*value == "same") {
    for (int axis = 0; axis < 2; ++axis) {
      const uint64_t in = dims[1 + axis], reach = uint64_t{window.kernel[axis] - 1} * window.dilation[axis] + 1;
      const uint64_t last = (in - 1) / window.stride[axis] * window.stride[axis];
      const uint64_t total = last + reach > in ? last + reach - in : 0;
      window.before[axis] = static_cast<uint32_t>(total / 2);
      window.after[axis] = static_cast<uint32_t>(total - total / 2);
    }
    return;
  }
  if (value->is_string() || (value->is_array() && value->size() != 4)) layer.keys().refuse("padding", *value, kPaddingForms);
  const std::vector<uint32_t> numbers = layer.keys().wholes_or("padding", 4, 0, kPadMax, 0);
  for (int axis = 0; axis < 2; ++axis) {
    window.before[axis] = numbers[2 * axis];
    window.after[axis] = numbers[2 * axis + 1];
  }
}

void set_outputs(LayerContext& layer, const std::vector<uint32_t>& dims, Window& window) {
  for (int axis = 0; axis < 2; ++axis) {
    const uint64_t in = uint64_t{dims[1 + axis]} + window.before[axis] + window.after[axis];
    const uint64_t reach = uint64_t{window.kernel[axis] - 1} * window.dilation[axis] + 1;
    if (reach > in)
      layer.refuse(std::string("its kernel covers ") + std::to_string(reach) + (axis ? " columns" : " rows") +
                   ", its padded input has " + std::to_string(in));
    window.out[axis] = static_cast<uint32_t>((in - reach) / window.stride[axis] + 1);
  }
}

/// The keys kernel, stride, dilation and padding; pairs are [height, width].
Window read_window(LayerContext& layer, bool dilates, uint32_t kernel_absent = 0) {
  const std::vector<uint32_t>& dims = layer.dims_of_rank(4);
  StrictObject& keys = layer.keys();
  Window window{};
  if (kernel_absent == 0) keys.required("kernel", "[height, width], 1 to 65535 each");
  const auto kernel = keys.wholes_or("kernel", 2, 1, kExtentMax, kernel_absent);
  const auto stride = keys.wholes_or("stride", 2, 1, kExtentMax, 1);
  const auto dilation = dilates ? keys.wholes_or("dilation", 2, 1, kExtentMax, 1) : std::vector<uint32_t>{1, 1};
  for (int axis = 0; axis < 2; ++axis) {
    window.kernel[axis] = kernel[axis];
    window.stride[axis] = stride[axis];
    window.dilation[axis] = dilation[axis];
  }
  read_padding(layer, dims, window);
  set_outputs(layer, dims, window);
  return window;
}

uint32_t scalar(LayerContext& layer, uint32_t value) { return layer.builder().int_scalar(static_cast<int32_t>(value)); }

/// left, right, top, bottom, stride width, stride height.
void append_geometry(LayerContext& layer, const Window& window, std::vector<uint32_t>& inputs) {
  for (uint32_t value : {window.before[1], window.after[1], window.before[0], window.after[0], window.stride[1], window.stride[0]})
    inputs.push_back(scalar(layer, value));
}

void append_dilation(LayerContext& layer, const Window& window, std::vector<uint32_t>& inputs) {
  if (window.dilation[0] == 1 && window.dilation[1] == 1) return;
  inputs.push_back(layer.builder().bool_scalar(false));
  inputs.push_back(scalar(layer, window.dilation[1]));
  inputs.push_back(scalar(layer, window.dilation[0]));
}

uint32_t build_pool(LayerContext& layer, int32_t code, const Window& window) {
  const std::vector<uint32_t> dims = layer.dims();
  const uint32_t output = layer.output_like(layer.inputs()[0], {dims[0], window.out[0], window.out[1], dims[3]});
  std::vector<uint32_t> inputs = {layer.inputs()[0]};
  append_geometry(layer, window, inputs);
  for (uint32_t value : {window.kernel[1], window.kernel[0], layer.activation()}) inputs.push_back(scalar(layer, value));
  layer.builder().emit(code, std::move(inputs), {output});
  return output;
}

}  // namespace

uint32_t build_convolution(LayerContext& layer) {
  const std::vector<uint32_t> dims = layer.dims_of_rank(4);
  const uint32_t filters = layer.keys().whole("filters", 1, kExtentMax);
  const uint32_t groups = layer.keys().whole_or("groups", 1, kExtentMax, 1);
  const Window window = read_window(layer, true, 1);
  if (dims[3] % groups != 0 || filters % groups != 0)
    layer.keys().refuse("groups", groups, "a divisor of " + std::to_string(dims[3]) + " channels and of " +
                                              std::to_string(filters) + " filters");
  if (groups > 1 && window.dilation[0] * window.dilation[1] != 1) layer.refuse("groups and dilation do not go together");
  const uint32_t depth = dims[3] / groups;
  const uint32_t output = layer.output({dims[0], window.out[0], window.out[1], filters});
  const auto weights = layer.weights({filters, window.kernel[0], window.kernel[1], depth}, 0,
                                     uint64_t{window.kernel[0]} * window.kernel[1] * depth, true, output);
  std::vector<uint32_t> inputs = {layer.inputs()[0], weights.weights, weights.bias};
  append_geometry(layer, window, inputs);
  if (groups > 1) inputs.push_back(scalar(layer, groups));
  inputs.push_back(scalar(layer, layer.activation()));
  if (groups > 1)
    inputs.push_back(layer.builder().bool_scalar(false));
  else
    append_dilation(layer, window, inputs);
  layer.builder().emit(groups > 1 ? ANEURALNETWORKS_GROUPED_CONV_2D : ANEURALNETWORKS_CONV_2D, std::move(inputs), {output});
  return output;
}

uint32_t build_depthwise(LayerContext& layer) {
  const std::vector<uint32_t> dims = layer.dims_of_rank(4);
  const uint32_t multiplier = layer.keys().whole_or("multiplier", 1, 1024, 1);
  const Window window = read_window(layer, true);
  const uint32_t channels = dims[3] * multiplier;
  const uint32_t output = layer.output({dims[0], window.out[0], window.out[1], channels});
  const auto weights = layer.weights({1, window.kernel[0], window.kernel[1], channels}, 3,
                                     uint64_t{window.kernel[0]} * window.kernel[1], true, output);
  std::vector<uint32_t> inputs = {layer.inputs()[0], weights.weights, weights.bias};
  append_geometry(layer, window, inputs);
  for (uint32_t value : {multiplier, layer.activation()}) inputs.push_back(scalar(layer, value));
  append_dilation(layer, window, inputs);
  layer.builder().emit(ANEURALNETWORKS_DEPTHWISE_CONV_2D, std::move(inputs), {output});
  return output;
}

uint32_t build_transposed_convolution(LayerContext& layer) {
  const std::vector<uint32_t> dims = layer.dims_of_rank(4);
  StrictObject& keys = layer.keys();
  const uint32_t filters = keys.whole("filters", 1, kExtentMax);
  keys.required("kernel", "[height, width], 1 to 65535 each");
  const auto kernel = keys.wholes_or("kernel", 2, 1, kExtentMax, 1), stride = keys.wholes_or("stride", 2, 1, 255, 1);
  std::vector<uint32_t> out;
  for (int axis = 0; axis < 2; ++axis) {
    const uint64_t extent = uint64_t{dims[1 + axis] - 1} * stride[axis] + kernel[axis];
    if (extent > kExtentMax) layer.refuse("its output has a side of " + std::to_string(extent) + " (at most 65535)");
    out.push_back(static_cast<uint32_t>(extent));
  }
  const uint32_t output = layer.output({dims[0], out[0], out[1], filters});
  const auto weights = layer.weights({filters, kernel[0], kernel[1], dims[3]}, 0,
                                     std::max<uint64_t>(1, uint64_t{kernel[0]} * kernel[1] * dims[3] / (stride[0] * stride[1])),
                                     true, output);
  std::vector<uint32_t> inputs = {layer.inputs()[0], weights.weights, weights.bias};
  for (uint32_t value : {0u, 0u, 0u, 0u, stride[1], stride[0], layer.activation()}) inputs.push_back(scalar(layer, value));
  inputs.push_back(layer.builder().bool_scalar(false));
  layer.builder().emit(ANEURALNETWORKS_TRANSPOSE_CONV_2D, std::move(inputs), {output});
  return output;
}

uint32_t build_fully_connected(LayerContext& layer) {
  const uint32_t units = layer.keys().whole("units", 1, kExtentMax);
  const uint64_t elements = checked_elements(layer.dims(), layer.keys().place());
  // Leading dimensions are the batch, unless the layer takes the whole input as one vector.
  const bool flat = layer.keys().flag_or("flatten", layer.dims().size() != 2);
  const uint32_t depth = flat ? static_cast<uint32_t>(elements / layer.dims()[0]) : layer.dims().back();
  const uint32_t output = layer.output({static_cast<uint32_t>(elements / depth), units});
  const auto weights = layer.weights({units, depth}, 0, depth, false, output);
  layer.builder().emit(ANEURALNETWORKS_FULLY_CONNECTED,
                       {layer.inputs()[0], weights.weights, weights.bias, scalar(layer, layer.activation())}, {output});
  return output;
}

uint32_t build_average_pool(LayerContext& layer) {
  return build_pool(layer, ANEURALNETWORKS_AVERAGE_POOL_2D, read_window(layer, false));
}

uint32_t build_max_pool(LayerContext& layer) {
  return build_pool(layer, ANEURALNETWORKS_MAX_POOL_2D, read_window(layer, false));
}

uint32_t build_global_average_pool(LayerContext& layer) {
  const std::vector<uint32_t>& dims = layer.dims_of_rank(4);
  Window window{};
  for (int axis = 0; axis < 2; ++axis) {
    window.kernel[axis] = dims[1 + axis];
    window.stride[axis] = window.dilation[axis] = window.out[axis] = 1;
  }
  return build_pool(layer, ANEURALNETWORKS_AVERAGE_POOL_2D, window);
}

}  // namespace avocet::tools
