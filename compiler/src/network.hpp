// SPDX-License-Identifier: Apache-2.0
// The compiler's own form of a graph. Batches are unrolled, movements that cost nothing are gone: a value is a run of
// bytes and a map is one way to see it, or a part of it, as [height][width][channels]. Nodes stand in the order in which
// they run.
#pragma once

#include <avocet/compiler/compiler.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "quantisation.hpp"

namespace avocet::compiler {

/// Where a value's bytes live outside the SRAM.
enum class Home : uint8_t { kScratch, kInput, kOutput, kConstant };

/// How a value that stays in the SRAM is laid out there when its readers need padding: as one map of these extents, with
/// gaps and margins as in Map. Values without (height 0) lie as in the DRAM.
struct Frame {
  uint32_t height = 0, width = 1, channels = 1;
  uint32_t gap = 0, margin_top = 0, margin_bottom = 0;
  int32_t zero_point = 0;  // of the padding

  uint64_t row_pitch() const { return (uint64_t{width} + gap) * channels; }
  uint64_t rows() const { return uint64_t{height} + margin_top + margin_bottom; }
  uint64_t bytes() const { return rows() * row_pitch() + uint64_t{gap} * channels; }
};

/// Several nodes may write a value, each its part.
struct Value {
  uint64_t bytes = 0;
  Home home = Home::kScratch;
  uint64_t offset = 0;         // in its home's region; of scratch values and constants once they are placed
  const void* data = nullptr;  // kConstant
  bool dram_only = false;      // seen through maps that no single SRAM layout serves
  Frame frame;

  uint64_t sram_bytes() const { return frame.height ? frame.bytes() : bytes; }
};

/// Rows of `channels` bytes a cell. In a window of its own in the SRAM, `gap` padding cells stand before the first row and
/// behind every row, so that a row's right padding is the next row's left padding; whole maps also have margin rows above
/// and below.
struct Map {
  uint32_t value = 0;
  uint64_t offset = 0;  // of cell (0, 0) in the value
  uint32_t height = 1, width = 1, channels = 1;
  uint64_t cell_stride = 1, row_stride = 1;  // bytes between neighbours in the value
  bool is_unsigned = false;
  int32_t zero_point = 0;
  uint32_t gap = 0, margin_top = 0, margin_bottom = 0;

  uint64_t row_bytes() const { return uint64_t{width} * channels; }
  uint64_t bytes() const { return row_bytes() * height; }
  /// From the first byte to the last.
  uint64_t extent() const { return (height - 1) * row_stride + (width - 1) * cell_stride + channels; }
  bool has_dense_cells() const { return width == 1 || cell_stride == channels; }
  bool is_dense() const { return has_dense_cells() && (height == 1 || row_stride == row_bytes()); }
  bool is_padded() const { return gap || margin_top || margin_bottom; }
  uint64_t row_pitch() const { return (uint64_t{width} + gap) * channels; }
};

/// A window over the input for each output cell of convolutions and pools; see reads.hpp for what nodes read.
struct Geometry {
  uint32_t kernel_height = 1, kernel_width = 1;
  uint32_t stride_y = 1, stride_x = 1;
  uint32_t dilation_y = 1, dilation_x = 1;
  int32_t pad_top = 0, pad_left = 0;  // negative: the first window begins inside

  // Input rows and columns [first, end) under the windows of outputs [begin, end); they may lie outside the input.
  int64_t first_row(uint32_t begin) const { return int64_t{begin} * stride_y - pad_top; }
  int64_t end_row(uint32_t end) const { return first_row(end - 1) + int64_t{kernel_height - 1} * dilation_y + 1; }
  int64_t first_column(uint32_t begin) const { return int64_t{begin} * stride_x - pad_left; }
  int64_t end_column(uint32_t end) const { return first_column(end - 1) + int64_t{kernel_width - 1} * dilation_x + 1; }
};

/// Constants of one convolution as the graph holds them; element (co, ky, kx, ci) lies at the sum of the strides.
struct Weights {
  const uint8_t* data = nullptr;
  bool is_unsigned = false;
  bool are_zero = false;   // no data: outputs that no tap reaches
  int32_t zero_point = 0;  // of the int8 form: of uint8 weights minus 128
  int64_t stride_co = 0, stride_y = 0, stride_x = 0, stride_ci = 0;
  const uint8_t* bias = nullptr;  // int32, any alignment
  std::vector<Scale> scales;      // one for each output channel

  const uint8_t* at(int64_t co, int64_t y, int64_t x, int64_t ci) const {
    return data + (co * stride_co + y * stride_y + x * stride_x + ci * stride_ci);
  }
};

constexpr uint32_t kIndexBytes = 4;  // of kArgReduce's output, which maps see as bytes

enum class NodeKind : uint8_t {
  kConvolution,  // on the MAC array; FULLY_CONNECTED too
  kDepthwise,    // vector unit
  kPool,
  kAdd,
  kBinary,  // other elementwise operations on two maps
  kTable,
  kReduce,     // along the columns of [outer, axis, inner]
  kSoftmax,    // likewise
  kNormalise,  // likewise
  kArgReduce,  // likewise, or over the channels of each cell
  kResize,
  kMovement,  // from one value to another; without an input where it only fills
};

/// What the vector unit's commands take besides maps and clamp; unused ones keep their defaults.
struct VectorParameters {
  uint32_t mode = 0;             // enum binary_mode, enum reduce_mode
  bool subtract = false;         // kAdd
  AddScales add;                 // kAdd
  Scale scale, negative_scale;   // kBinary, kReduce
  uint32_t left_shift = 0;       // kNormalise
  int32_t out_shift = 0;         // kNormalise
  Resampling resampling;         // kResize
  bool smallest = false;         // kArgReduce
  bool across_channels = false;  // kArgReduce: over the channels of each cell
};

/// What a movement node does; offsets and strides are those of its maps as if they were dense.
struct NodeMovement {
  std::vector<MovementBox> boxes;
  uint8_t fill_value = 0;
};

struct Node {
  NodeKind kind = NodeKind::kMovement;
  uint32_t tag = 0;              // of the program's layer
  std::vector<uint32_t> inputs;  // maps
  uint32_t output = 0;           // map
  Geometry geometry;
  uint32_t weights = 0;           // convolutions: index in Network::weights
  uint32_t table = 0;             // kTable, kSoftmax: index in Network::tables
  uint32_t movement = 0;          // kMovement: index in Network::movements
  uint32_t depth_multiplier = 1;  // output channels for each input channel: kDepthwise; kArgReduce: bytes of an index
  bool average = false;           // kPool
  VectorParameters vector;
  Clamp clamp;
};

struct Network {
  std::vector<Value> values;
  std::vector<Map> maps;
  std::vector<Node> nodes;
  std::vector<Weights> weights;
  std::vector<std::vector<uint8_t>> tables;
  std::vector<NodeMovement> movements;
  std::vector<Layer> layers;  // index = tag
  uint64_t input_bytes = 0, output_bytes = 0;
  std::vector<Binding> inputs, outputs;

  const Map& input(const Node& node, size_t i = 0) const { return maps[node.inputs[i]]; }
  const Map& output(const Node& node) const { return maps[node.output]; }
};

/// Throws CompileError when an index, an order or a size contradicts another: a fault of the pass named.
void verify_network(const Network& network, const char* after_pass);

}  // namespace avocet::compiler
