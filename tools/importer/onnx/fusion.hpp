// SPDX-License-Identifier: Apache-2.0
// What an operator does together with the nodes behind it: Relu and Clip, BatchNormalization and the like, an added
// bias, and the QuantizeLinear that makes it a quantised operation.
#pragma once

#include "importer/onnx/conversion.hpp"
#include "importer/onnx/operator_table.hpp"

namespace avocet::tools::onnx {

/// x * scale + offset, for each channel.
struct ChannelAffine {
  std::vector<double> scales, offsets;
};

enum class Mode { real, moves, quantised };

struct Form {
  Mode mode = Mode::real;
  int32_t activation = 0;           // a fuse code of the API
  std::vector<size_t> absorbed{};   // positions of the nodes that the operator does too
  std::string output{};             // the value that output 0 then stands for
  std::vector<std::string> same{};  // further names of it
  Quantisation target{};            // quantised: of the output
  ElementType target_type = ElementType::undefined;
  std::optional<ChannelAffine> affine{};  // done to the channels behind a convolution, before the activation
  std::string bias{};                     // the constant that an Add behind a MatMul adds
  bool hard_swish = false;                // a HardSigmoid multiplied with its own input
};

/// What the node at `position` can do at once; `allow_quantised` false asks for the float form.
Form plan_form(Conversion& conversion, size_t position, const OperatorRow& row, bool allow_quantised);

/// Scale and zero point of a QuantizeLinear or DequantizeLinear, which have to be constants.
struct NodeQuantisation {
  Quantisation quantisation{};
  ElementType type = ElementType::undefined;  // of the bytes, as far as the zero point tells; uint8 without one
  std::string problem{};                      // why there is none; empty: there is
};
NodeQuantisation quantisation_of(Conversion& conversion, const Node& node, size_t rank);

struct Bounds {
  double low, high;
};
/// The bounds of a Clip (or Relu), when they are constants.
std::optional<Bounds> bounds_of(Conversion& conversion, const Node& node);
/// The API's fuse code that is exactly this clipping.
std::optional<int32_t> activation_code(const Bounds& bounds);

/// What a BatchNormalization does. Nullopt unless its parameters are constants and it is for inference.
std::optional<ChannelAffine> channel_affine_of(Conversion& conversion, const Node& node);

}  // namespace avocet::tools::onnx
