// SPDX-License-Identifier: Apache-2.0
// The kinds of layers a workload may have: one row each.
#pragma once

#include <span>
#include <string>

#include "workload/layer_context.hpp"

namespace avocet::tools {

struct LayerType {
  const char* name;
  uint32_t inputs_min, inputs_max;
  /// Reads the layer's keys and adds its operations; returns the operand of its output.
  uint32_t (*build)(LayerContext& layer);
};

std::span<const LayerType> layer_types();
const LayerType* find_layer_type(const std::string& name);

// window_layers.cpp
uint32_t build_convolution(LayerContext& layer);
uint32_t build_depthwise(LayerContext& layer);
uint32_t build_transposed_convolution(LayerContext& layer);
uint32_t build_fully_connected(LayerContext& layer);
uint32_t build_average_pool(LayerContext& layer);
uint32_t build_max_pool(LayerContext& layer);
uint32_t build_global_average_pool(LayerContext& layer);

// element_layers.cpp
uint32_t build_add(LayerContext& layer);
uint32_t build_subtract(LayerContext& layer);
uint32_t build_multiply(LayerContext& layer);
uint32_t build_scale(LayerContext& layer);
uint32_t build_shift(LayerContext& layer);
uint32_t build_relu(LayerContext& layer);
uint32_t build_relu6(LayerContext& layer);
uint32_t build_logistic(LayerContext& layer);
uint32_t build_tanh(LayerContext& layer);
uint32_t build_hard_swish(LayerContext& layer);
uint32_t build_softmax(LayerContext& layer);
uint32_t build_mean(LayerContext& layer);
uint32_t build_l2_normalise(LayerContext& layer);

// movement_layers.cpp
uint32_t build_reshape(LayerContext& layer);
uint32_t build_transpose(LayerContext& layer);
uint32_t build_concatenate(LayerContext& layer);
uint32_t build_slice(LayerContext& layer);
uint32_t build_pad(LayerContext& layer);
uint32_t build_resize_bilinear(LayerContext& layer);
uint32_t build_resize_nearest(LayerContext& layer);

}  // namespace avocet::tools
