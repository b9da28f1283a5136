// SPDX-License-Identifier: Apache-2.0
// Most operations say for each axis on its own which output positions take which input positions; their boxes are the
// products of those.
#include <algorithm>
#include <avocet/compiler/movement.hpp>

namespace avocet::compiler::movements {
namespace {

/// Positions of one axis: to + sum of index * to_step takes from + sum of index * from_step.
struct Segment {
  struct Step {
    uint64_t count, from_step, to_step;
  };
  uint64_t from = 0, to = 0;
  std::vector<Step> steps;
};
using Axis = std::vector<Segment>;

Axis whole(uint64_t count, uint64_t from = 0, uint64_t to = 0) { return {{from, to, {{count, 1, 1}}}}; }

std::vector<uint64_t> strides(const Extents& dims) {
  std::vector<uint64_t> result(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) result[i - 1] = result[i] * dims[i];
  return result;
}

/// Adds all combinations of the axes' segments; false when they are too many.
bool add_products(Movement& movement, uint32_t input, uint32_t output, const Extents& from_dims, const Extents& to_dims,
                  const std::vector<Axis>& axes) {
  size_t count = 1;
  for (const Axis& axis : axes) {
    count *= axis.size();
    if (movement.boxes.size() + count > kBoxesMax) return false;
  }
  const std::vector<uint64_t> from_strides = strides(from_dims), to_strides = strides(to_dims);
  for (size_t number = 0; number < count; ++number) {
    MovementBox box;
    box.input = input;
    box.output = output;
    size_t rest = number;
    for (size_t a = 0; a < axes.size(); ++a) {
      const Segment& segment = axes[a][rest % axes[a].size()];
      rest /= axes[a].size();
      box.from += segment.from * from_strides[a];
      box.to += segment.to * to_strides[a];
      for (const Segment::Step& step : segment.steps)
        box.dims.push_back({step.count, step.from_step * from_strides[a], step.to_step * to_strides[a]});
    }
    box.simplify();
    movement.boxes.push_back(std::move(box));
  }
  return true;
}

/// Fills what lies outside [begin, end) of each axis of a tensor that begins at `base`.
void add_fills(Movement& movement, const Extents& dims, const std::vector<uint64_t>& begin,
               const std::vector<uint64_t>& end, uint64_t base = 0) {
  const std::vector<uint64_t> to_strides = strides(dims);
  const auto add = [&](size_t axis, uint64_t from, uint64_t to) {
    if (from >= to) return;
    MovementBox box;
    box.input = MovementBox::kFill;
    box.to = base;
    for (size_t a = 0; a < dims.size(); ++a) {
      const uint64_t first = a < axis ? begin[a] : a == axis ? from : 0;
      const uint64_t last = a < axis ? end[a] : a == axis ? to : dims[a];
      if (first >= last) return;
      box.to += first * to_strides[a];
      box.dims.push_back({last - first, 0, to_strides[a]});
    }
    box.simplify();
    movement.boxes.push_back(std::move(box));
  };
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    add(axis, 0, begin[axis]);
    add(axis, end[axis], dims[axis]);
  }
}

std::vector<Axis> whole_axes(const Extents& dims) {
  std::vector<Axis> axes;
  for (uint32_t dim : dims) axes.push_back(whole(dim));
  return axes;
}

/// Runs of indices with a constant step, each index once or each the same number of times.
Axis runs_of(std::span<const uint32_t> indices) {
  const size_t count = indices.size();
  Axis axis;
  for (size_t at = 0; at < count;) {
    const auto same_from = [&](size_t first, uint64_t value, size_t limit) {
      size_t same = 0;
      while (same < limit && first + same < count && indices[first + same] == value) ++same;
      return same;
    };
    const size_t repeats = same_from(at, indices[at], count);
    const size_t second = at + repeats;
    uint64_t step = 0;
    size_t blocks = 1;
    if (second < count && indices[second] > indices[at]) {
      step = indices[second] - indices[at];
      while (same_from(at + blocks * repeats, indices[at] + blocks * step, repeats) == repeats) ++blocks;
    }
    axis.push_back({indices[at], at, {{blocks, step, repeats}, {repeats, 0, 1}}});
    at += blocks * repeats;
  }
  return axis;
}

}  // namespace

Movement reshape(std::string name, uint64_t bytes) {
  MovementBox box;
  box.run = bytes;
  return {std::move(name), {box}, 0};
}

Movement transpose(std::string name, const Extents& dims, std::span<const uint32_t> permutation) {
  Extents to_dims;
  for (uint32_t axis : permutation) to_dims.push_back(dims[axis]);
  const std::vector<uint64_t> from_strides = strides(dims), to_strides = strides(to_dims);
  MovementBox box;
  for (size_t i = 0; i < permutation.size(); ++i)
    box.dims.push_back({to_dims[i], from_strides[permutation[i]], to_strides[i]});
  box.simplify();
  return {std::move(name), {box}, 0};
}

MaybeMovement slice(std::string name, const Extents& dims, std::span<const int64_t> begin,
                    std::span<const int64_t> step, const Extents& count) {
  Movement movement{std::move(name), {}, 0};
  std::vector<Axis> axes;
  for (size_t a = 0; a < dims.size(); ++a) {
    if (step[a] > 0) {
      axes.push_back({{static_cast<uint64_t>(begin[a]), 0, {{count[a], static_cast<uint64_t>(step[a]), 1}}}});
      continue;
    }
    if (count[a] > kBoxesMax) return std::nullopt;
    Axis backwards;
    for (uint32_t i = 0; i < count[a]; ++i)
      backwards.push_back({static_cast<uint64_t>(begin[a] + int64_t{i} * step[a]), i, {}});
    axes.push_back(std::move(backwards));
  }
  if (!add_products(movement, 0, 0, dims, count, axes)) return std::nullopt;
  return movement;
}

Movement concatenate(std::string name, std::span<const Extents> inputs, size_t axis) {
  Movement movement{std::move(name), {}, 0};
  Extents to_dims = inputs[0];
  for (size_t i = 1; i < inputs.size(); ++i) to_dims[axis] += inputs[i][axis];
  uint64_t at = 0;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    std::vector<Axis> axes = whole_axes(inputs[i]);
    axes[axis] = whole(inputs[i][axis], 0, at);
    at += inputs[i][axis];
    add_products(movement, i, 0, inputs[i], to_dims, axes);
  }
  return movement;
}

Movement split(std::string name, const Extents& dims, size_t axis, uint32_t parts) {
  Movement movement{std::move(name), {}, 0};
  Extents to_dims = dims;
  to_dims[axis] /= parts;
  for (uint32_t i = 0; i < parts; ++i) {
    std::vector<Axis> axes = whole_axes(to_dims);
    axes[axis] = whole(to_dims[axis], uint64_t{i} * to_dims[axis], 0);
    add_products(movement, 0, i, dims, to_dims, axes);
  }
  return movement;
}

Movement pad(std::string name, const Extents& dims, std::span<const Padding> paddings, uint8_t value) {
  Movement movement{std::move(name), {}, value};
  Extents to_dims;
  std::vector<Axis> axes;
  std::vector<uint64_t> begin, end;
  for (size_t a = 0; a < dims.size(); ++a) {
    to_dims.push_back(paddings[a].before + dims[a] + paddings[a].after);
    axes.push_back(whole(dims[a], 0, paddings[a].before));
    begin.push_back(paddings[a].before);
    end.push_back(begin.back() + dims[a]);
  }
  add_products(movement, 0, 0, dims, to_dims, axes);
  add_fills(movement, to_dims, begin, end);
  return movement;
}

Movement tile(std::string name, const Extents& dims, std::span<const uint32_t> multiples) {
  Movement movement{std::move(name), {}, 0};
  Extents to_dims;
  std::vector<Axis> axes;
  for (size_t a = 0; a < dims.size(); ++a) {
    to_dims.push_back(dims[a] * multiples[a]);
    axes.push_back({{0, 0, {{multiples[a], 0, dims[a]}, {dims[a], 1, 1}}}});
  }
  add_products(movement, 0, 0, dims, to_dims, axes);
  return movement;
}

MaybeMovement gather(std::string name, const Extents& dims, size_t axis, std::span<const uint32_t> indices) {
  Movement movement{std::move(name), {}, 0};
  Extents to_dims = dims;
  to_dims[axis] = static_cast<uint32_t>(indices.size());
  std::vector<Axis> axes = whole_axes(dims);
  axes[axis] = runs_of(indices);
  if (!add_products(movement, 0, 0, dims, to_dims, axes)) return std::nullopt;
  return movement;
}

Movement channel_shuffle(std::string name, const Extents& dims, size_t axis, uint32_t groups) {
  Movement movement{std::move(name), {}, 0};
  std::vector<Axis> axes = whole_axes(dims);
  const uint32_t size = dims[axis] / groups;
  axes[axis] = {{0, 0, {{size, 1, groups}, {groups, size, 1}}}};
  add_products(movement, 0, 0, dims, dims, axes);
  return movement;
}

namespace {

/// From an image [batch, height * block, width * block, depth] to one whose cells are its blocks:
/// [batch, height, width, block * block * depth].
MovementBox blocks(uint64_t batch, uint64_t height, uint64_t width, uint64_t depth, uint64_t block) {
  const uint64_t cell = block * block * depth, row = width * block * depth;
  MovementBox box;
  box.run = depth;
  box.dims = {{batch, height * block * row, height * width * cell},
              {height, block * row, width * cell},
              {block, row, block * depth},
              {width, block * depth, cell},
              {block, depth, depth}};
  return box;
}

}  // namespace

Movement space_to_depth(std::string name, const Extents& dims, uint32_t block) {
  MovementBox box = blocks(dims[0], dims[1] / block, dims[2] / block, dims[3], block);
  box.simplify();
  return {std::move(name), {box}, 0};
}

Movement depth_to_space(std::string name, const Extents& dims, uint32_t block) {
  MovementBox box = blocks(dims[0], dims[1], dims[2], dims[3] / block / block, block);
  for (MovementBox::Dim& dim : box.dims) std::swap(dim.from_stride, dim.to_stride);
  box.simplify();
  return {std::move(name), {box}, 0};
}

MaybeMovement space_to_batch(std::string name, const Extents& dims, uint32_t block_height, uint32_t block_width,
                             Padding rows, Padding columns, uint8_t value) {
  Movement movement{std::move(name), {}, value};
  const uint32_t height = (dims[1] + rows.before + rows.after) / block_height;
  const uint32_t width = (dims[2] + columns.before + columns.after) / block_width;
  const Extents image{dims[0], height, width, dims[3]};
  const uint64_t image_bytes = uint64_t{dims[0]} * height * width * dims[3];
  constexpr uint64_t kBoxesOfPhase = 5;
  if (uint64_t{block_height} * block_width > kBoxesMax / kBoxesOfPhase) return std::nullopt;
  // Output positions [first, last) whose input position i * block + phase - before lies inside.
  const auto inside = [](uint64_t size, uint64_t block, uint64_t phase, uint64_t before, uint64_t out) {
    const uint64_t first = before > phase ? (before - phase + block - 1) / block : 0;
    const uint64_t last = size + before > phase ? (size + before - phase + block - 1) / block : 0;
    return std::pair(std::min(first, out), std::min(last, out));
  };
  for (uint32_t y = 0; y < block_height; ++y)
    for (uint32_t x = 0; x < block_width; ++x) {
      const auto [top, bottom] = inside(dims[1], block_height, y, rows.before, height);
      const auto [left, right] = inside(dims[2], block_width, x, columns.before, width);
      const uint64_t base = (uint64_t{y} * block_width + x) * image_bytes;
      if (top >= bottom || left >= right) {  // nothing but padding
        add_fills(movement, image, {0, height, 0, 0}, {dims[0], height, width, dims[3]}, base);
        continue;
      }
      std::vector<Axis> axes = whole_axes({dims[0], 1, 1, dims[3]});
      axes[1] = {{top * block_height + y - rows.before, top, {{bottom - top, block_height, 1}}}};
      axes[2] = {{left * block_width + x - columns.before, left, {{right - left, block_width, 1}}}};
      add_products(movement, 0, 0, dims, image, axes);
      movement.boxes.back().to += base;
      add_fills(movement, image, {0, top, left, 0}, {dims[0], bottom, right, dims[3]}, base);
    }
  return movement;
}

MaybeMovement batch_to_space(std::string name, const Extents& dims, uint32_t block_height, uint32_t block_width) {
  Movement movement{std::move(name), {}, 0};
  const uint64_t batch = dims[0] / (uint64_t{block_height} * block_width);
  const Extents to_dims{static_cast<uint32_t>(batch), dims[1] * block_height, dims[2] * block_width, dims[3]};
  if (uint64_t{block_height} * block_width > kBoxesMax) return std::nullopt;
  for (uint32_t y = 0; y < block_height; ++y)
    for (uint32_t x = 0; x < block_width; ++x) {
      const std::vector<Axis> axes = {whole(batch, (uint64_t{y} * block_width + x) * batch, 0),
                                      {{0, y, {{dims[1], 1, block_height}}}},
                                      {{0, x, {{dims[2], 1, block_width}}}},
                                      whole(dims[3])};
      add_products(movement, 0, 0, dims, to_dims, axes);
    }
  return movement;
}

}  // namespace avocet::compiler::movements
