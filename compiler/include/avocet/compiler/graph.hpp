// SPDX-License-Identifier: Apache-2.0
// The compiler's input: a quantised graph in NHWC with every parameter explicit. Built by the runtime from an NNAPI model;
// knows neither NNAPI's codes nor optional inputs.
#pragma once

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
  kFullyConnected,   // inputs: activations (flattened to [batch, K]), weights [Co,K], bias int32 [Co]
  kAveragePool2d,
  kMaxPool2d,
  kAdd,  // equal shapes
  kReshape,
};
const char* name(OperationType);  // CONV_2D, ...

enum class Activation : uint8_t { kNone, kRelu, kRelu1, kRelu6 };

/// Geometry of convolutions and pools; unused ones keep their defaults. Bottom and right padding follow from the output's
/// dimensions: they may be anything (also cropping).
struct Attributes {
  uint32_t stride_x = 1, stride_y = 1;
  uint32_t dilation_x = 1, dilation_y = 1;
  uint32_t pad_left = 0, pad_top = 0;
  uint32_t window_x = 1, window_y = 1;  // pools
  Activation activation = Activation::kNone;
};

struct Operation {
  OperationType type;
  std::vector<uint32_t> inputs;   // tensor indices
  std::vector<uint32_t> outputs;  // tensor indices
  Attributes attributes;
  uint32_t source = 0;  // the caller's number for this operation, returned in Layer::sources
};

struct Graph {
  std::vector<Tensor> tensors;
  std::vector<Operation> operations;  // in an order in which they can run
  std::vector<uint32_t> inputs;       // tensor indices
  std::vector<uint32_t> outputs;
};

}  // namespace avocet::compiler
