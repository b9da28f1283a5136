// SPDX-License-Identifier: Apache-2.0
// From real scales to the integers that the device computes with. The roundings are those of the reference kernels.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <cstdint>
#include <vector>

namespace avocet::compiler {

using Scale = FixedScale;

struct Clamp {
  int32_t min = -128, max = 127;
};

struct AddScales {
  static constexpr uint32_t kLeftShift = 20;
  Scale a, b, output;
};

/// Mantissa rounded half away from zero: 0, or 2^30 to 2^31 - 1. Below 2^-32 the result is 0; above 2^30 it is the largest scale.
Scale scale_of(double real);

/// Smallest and largest output that the element type and the activation leave.
Clamp clamp_of(Activation activation, const Tensor& output);
/// And then the attributes' own bounds.
Clamp clamp_of(const Attributes& attributes, const Tensor& output);

/// One scale for each output channel of a convolution or FULLY_CONNECTED.
std::vector<Scale> convolution_scales(OperationType type, const Tensor& input, const Tensor& weights,
                                      const Tensor& output, uint32_t channels);

/// Of MUL, in double.
Scale product_scale(const Tensor& a, const Tensor& b, const Tensor& output);
/// Of PRELU where the input is not negative, and of its products with the slopes; in float where that can hold it.
Scale prelu_scale(const Tensor& input, const Tensor& output);
Scale prelu_scale(const Tensor& input, const Tensor& slopes, const Tensor& output);

AddScales add_scales(const Tensor& a, const Tensor& b, const Tensor& output);

}  // namespace avocet::compiler
