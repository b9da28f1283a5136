// SPDX-License-Identifier: Apache-2.0
// The compiler's input: a quantised graph in NHWC with every parameter explicit. Built by the runtime from an NNAPI model;
// knows neither NNAPI's codes nor optional inputs.
#pragma once

#include <avocet/compiler/movement.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace avocet::compiler {

enum class ElementType : uint8_t { kInt8, kUint8, kInt32 };

struct Tensor {
  std::string name;
  ElementType type = ElementType::kInt8;
  std::vector<uint32_t> dims;  // row-major, all known, none 0; activations NHWC
  float scale = 0.0f;
  int32_t zero_point = 0;
  std::vector<float> channel_scales;  // per-channel weights: one for each output channel, else empty
  const void* data = nullptr;         // constants; must stay valid while compile() runs
};

enum class OperationType : uint8_t {
  kConv2d,           // inputs: activations [N,H,W,Ci], weights [Co,Kh,Kw,Ci], bias int32 [Co]
  kDepthwiseConv2d,  // inputs: activations [N,H,W,Ci], weights [1,Kh,Kw,Co], bias int32 [Co]; Co = Ci * multiplier
  kGroupedConv2d,    // as kConv2d with weights [Co,Kh,Kw,Ci/groups]: group g of the outputs reads group g of the channels
  kTransposeConv2d,  // as kConv2d; input (y, x) adds to outputs y * stride - pad + (0 .. Kh - 1)
  kFullyConnected,   // inputs: activations (flattened to [batch, K]), weights [Co,K], bias int32 [Co]
  kAveragePool2d,
  kMaxPool2d,
  // Two inputs, of which one may be repeated along axes where it has extent 1, or lacks leading axes.
  kAdd,  // or the difference, with Attributes::subtract
  kMultiply,
  kMaximum,  // of stored values; all scales are equal
  kMinimum,
  kPrelu,  // inputs: activations, slopes
  kTable,  // output byte = Operation::table[input byte]; any function of one value. Types may differ
  // Along axis 1 of inputs [outer, axis, inner].
  kReduceSum,      // sum of (value - zero point), scaled by Attributes::scale, plus the output's zero point
  kReduceMaximum,  // of stored values
  kReduceMinimum,
  // Int32: where the first largest or smallest stored value stands along axis 1 of inputs [outer, axis, inner], or, with
  // Attributes::across_channels, along the last axis of inputs of any rank.
  kArgMaximum,
  kArgMinimum,
  kSoftmax,         // Operation::table: 256 int32, as the contract's SOFTMAX takes them
  kL2Normalise,     // Attributes::left_shift and out_shift, as the contract's L2_NORMALISE takes them
  kResizeBilinear,  // Attributes::resampling
  kMovement,  // any number of inputs and outputs, as Operation::movement says; their scales are not looked at
};

/// multiplier * 2^(shift - 31): multiplier 0 to 2^31 - 1, shift -31 to 30.
struct FixedScale {
  int32_t multiplier = 0, shift = 0;
};

/// Where the outputs of a resized image lie in the input, with 10 fraction bits: start + index * step.
struct Resampling {
  int32_t x_start = 0, x_step = 1 << 10;
  int32_t y_start = 0, y_step = 1 << 10;
};

enum class Activation : uint8_t { kNone, kRelu, kRelu1, kRelu6 };

/// Geometry of convolutions and pools; unused ones keep their defaults. Bottom and right padding follow from the output's
/// dimensions: they may be anything (also cropping).
struct Attributes {
  uint32_t stride_x = 1, stride_y = 1;
  uint32_t dilation_x = 1, dilation_y = 1;
  uint32_t pad_left = 0, pad_top = 0;
  uint32_t window_x = 1, window_y = 1;  // pools
  uint32_t groups = 1;                  // kGroupedConv2d
  bool subtract = false;                // kAdd
  FixedScale scale;                     // kReduceSum
  bool across_channels = false;         // kArgMaximum, kArgMinimum
  uint32_t left_shift = 0;              // kL2Normalise
  int32_t out_shift = 0;                // kL2Normalise
  Resampling resampling;                // kResizeBilinear
  Activation activation = Activation::kNone;
  /// Stored outputs are clamped to this behind the activation.
  int32_t clamp_min = -128, clamp_max = 255;
};

struct Operation {
  OperationType type;
  std::vector<uint32_t> inputs;   // tensor indices
  std::vector<uint32_t> outputs;  // tensor indices
  Attributes attributes;
  Movement movement;           // kMovement
  std::string label;           // kTable and kReduceSum: the name to show, when not empty
  std::vector<uint8_t> table;  // kTable: 256 bytes; kSoftmax: 1024
  uint32_t source = 0;  // the caller's number for this operation, returned in Layer::sources
  std::vector<uint32_t> folded_sources;  // of operations that became part of this one
};

/// CONV_2D, ..., TRANSPOSE.
const char* name(const Operation& operation);

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Operation> operations;  // in an order in which they can run
  std::vector<uint32_t> inputs;       // tensor indices
  std::vector<uint32_t> outputs;
};

}  // namespace avocet::compiler
