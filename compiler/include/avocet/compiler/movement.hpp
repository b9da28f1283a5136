// SPDX-License-Identifier: Apache-2.0
// Operations that only move bytes, as lists of boxes: one function for each operation says where every byte of the output
// comes from. The functions expect parameters that fit the shapes (shape inference has seen them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace avocet::compiler {

/// `run` contiguous bytes, repeated along `dims` (outermost first), from one tensor to another. Offsets and strides are
/// bytes of the dense row-major tensors.
struct MovementBox {
  static constexpr uint32_t kFill = UINT32_MAX;
  struct Dim {
    uint64_t count = 1, from_stride = 0, to_stride = 0;
    bool operator==(const Dim&) const = default;
  };
  uint32_t input = 0;   // of the operation; kFill: the movement's fill value
  uint32_t output = 0;  // of the operation
  uint64_t from = 0, to = 0;
  uint64_t run = 1;
  std::vector<Dim> dims;

  uint64_t bytes() const;
  /// From the first byte to the last, on each side.
  uint64_t from_extent() const;
  uint64_t to_extent() const;
  /// The same bytes with as few dimensions and as long runs as possible, outputs rising.
  void simplify();
};

/// Every byte of every output is written by exactly one box.
struct Movement {
  std::string name;  // of the operation
  std::vector<MovementBox> boxes;
  uint8_t fill_value = 0;
};

namespace movements {

using Extents = std::vector<uint32_t>;

/// More boxes than this make no sensible command stream: then the functions return nullopt.
constexpr size_t kBoxesMax = size_t{1} << 14;
using MaybeMovement = std::optional<Movement>;

/// RESHAPE, SQUEEZE, EXPAND_DIMS: all bytes as they are.
Movement reshape(std::string name, uint64_t bytes);

Movement transpose(std::string name, const Extents& dims, std::span<const uint32_t> permutation);

/// Axis a takes count[a] elements from begin[a] on, step[a] apart (step may be negative).
MaybeMovement slice(std::string name, const Extents& dims, std::span<const int64_t> begin,
                    std::span<const int64_t> step, const Extents& count);

/// Input i to the part of the output that is its own.
Movement concatenate(std::string name, std::span<const Extents> inputs, size_t axis);
/// Equal parts.
Movement split(std::string name, const Extents& dims, size_t axis, uint32_t parts);

struct Padding {
  uint32_t before = 0, after = 0;
};
Movement pad(std::string name, const Extents& dims, std::span<const Padding> paddings, uint8_t value);

Movement tile(std::string name, const Extents& dims, std::span<const uint32_t> multiples);

/// Output position i of the axis holds input position indices[i].
MaybeMovement gather(std::string name, const Extents& dims, size_t axis, std::span<const uint32_t> indices);

Movement channel_shuffle(std::string name, const Extents& dims, size_t axis, uint32_t groups);

// Images [batch, height, width, depth].
Movement space_to_depth(std::string name, const Extents& dims, uint32_t block);
Movement depth_to_space(std::string name, const Extents& dims, uint32_t block);
MaybeMovement space_to_batch(std::string name, const Extents& dims, uint32_t block_height, uint32_t block_width,
                             Padding rows, Padding columns, uint8_t value);
MaybeMovement batch_to_space(std::string name, const Extents& dims, uint32_t block_height, uint32_t block_width);

}  // namespace movements
}  // namespace avocet::compiler
