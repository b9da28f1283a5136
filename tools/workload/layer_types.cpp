// SPDX-License-Identifier: Apache-2.0
// The table of layer kinds; traces/README.md lists their keys.
#include "workload/layer_types.hpp"

namespace avocet::tools {
namespace {

constexpr LayerType kTypes[] = {
    {"conv2d", 1, 1, build_convolution},
    {"depthwise_conv2d", 1, 1, build_depthwise},
    {"transpose_conv2d", 1, 1, build_transposed_convolution},
    {"fully_connected", 1, 1, build_fully_connected},
    {"average_pool", 1, 1, build_average_pool},
    {"max_pool", 1, 1, build_max_pool},
    {"global_average_pool", 1, 1, build_global_average_pool},
    {"add", 2, 2, build_add},
    {"subtract", 2, 2, build_subtract},
    {"multiply", 2, 2, build_multiply},
    {"scale_channels", 1, 1, build_scale},
    {"shift_channels", 1, 1, build_shift},
    {"relu", 1, 1, build_relu},
    {"relu6", 1, 1, build_relu6},
    {"logistic", 1, 1, build_logistic},
    {"tanh", 1, 1, build_tanh},
    {"hard_swish", 1, 1, build_hard_swish},
    {"softmax", 1, 1, build_softmax},
    {"mean", 1, 1, build_mean},
    {"l2_normalise", 1, 1, build_l2_normalise},
    {"reshape", 1, 1, build_reshape},
    {"transpose", 1, 1, build_transpose},
    {"concatenate", 2, 256, build_concatenate},
    {"slice", 1, 1, build_slice},
    {"pad", 1, 1, build_pad},
    {"resize_bilinear", 1, 1, build_resize_bilinear},
    {"resize_nearest", 1, 1, build_resize_nearest},
};

}  // namespace

std::span<const LayerType> layer_types() { return kTypes; }

const LayerType* find_layer_type(const std::string& name) {
  for (const LayerType& type : kTypes)
    if (name == type.name) return &type;
  return nullptr;
}

}  // namespace avocet::tools
