// SPDX-License-Identifier: Apache-2.0
// Operations that move bytes, with random parameters.
#include <algorithm>
#include <numeric>

#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

using Dims = std::vector<uint32_t>;

uint32_t count_of(const Dims& dims) { return std::accumulate(dims.begin(), dims.end(), 1u, std::multiplies<>()); }

}  // namespace

std::vector<uint32_t> GraphBuilder::move(std::vector<uint32_t> inputs, Movement movement, std::vector<Dims> outputs) {
  const Tensor in = graph_.tensors[inputs[0]];
  Operation operation{OperationType::kMovement, std::move(inputs), {}, {}, std::move(movement), {}, {},
                      static_cast<uint32_t>(graph_.operations.size() + 100), {}};
  for (Dims& dims : outputs) operation.outputs.push_back(add_tensor(std::move(dims), in.type, in.scale, in.zero_point));
  graph_.operations.push_back(std::move(operation));
  return graph_.operations.back().outputs;
}

uint32_t GraphBuilder::reshape(uint32_t input, Dims dims) {
  return move({input}, movements::reshape("RESHAPE", count_of(dims)), {dims})[0];
}

uint32_t GraphBuilder::concatenate(const std::vector<uint32_t>& inputs, uint32_t axis) {
  std::vector<Dims> shapes;
  for (uint32_t input : inputs) shapes.push_back(graph_.tensors[input].dims);
  Dims dims = shapes[0];
  for (size_t i = 1; i < shapes.size(); ++i) dims[axis] += shapes[i][axis];
  return move(inputs, movements::concatenate("CONCATENATION", shapes, axis), {dims})[0];
}

std::vector<uint32_t> GraphBuilder::split(uint32_t input, uint32_t axis, uint32_t parts) {
  Dims dims = graph_.tensors[input].dims;
  Movement movement = movements::split("SPLIT", dims, axis, parts);
  dims[axis] /= parts;
  return move({input}, std::move(movement), std::vector<Dims>(parts, dims));
}

uint32_t GraphBuilder::pad(uint32_t input, const std::vector<movements::Padding>& paddings) {
  Dims dims = graph_.tensors[input].dims;
  Movement movement = movements::pad("PAD", dims, paddings, static_cast<uint8_t>(graph_.tensors[input].zero_point));
  for (size_t a = 0; a < dims.size(); ++a) dims[a] += paddings[a].before + paddings[a].after;
  return move({input}, std::move(movement), {dims})[0];
}

/// Moves a factor from one dimension to another, or changes the rank.
uint32_t GraphBuilder::random_reshape(uint32_t input) {
  const Dims dims = graph_.tensors[input].dims;
  Dims shape = dims;
  const uint32_t from = between(0, static_cast<uint32_t>(shape.size()) - 1),
                 to = between(0, static_cast<uint32_t>(shape.size()) - 1);
  for (uint32_t factor : {2u, 3u, 5u})
    if (from != to && shape[from] % factor == 0) {
      shape[from] /= factor;
      shape[to] *= factor;
      break;
    }
  const uint32_t count = count_of(dims);
  if (chance(20)) shape = {count};
  if (chance(20) && dims.size() > 1) shape = {1, dims[0], count / dims[0] / dims.back(), dims.back()};
  return reshape(input, shape);
}

uint32_t GraphBuilder::random_slice(uint32_t input) {
  const Dims dims = graph_.tensors[input].dims;
  Dims counts;
  std::vector<int64_t> begin, step;
  for (uint32_t dim : dims) {
    const uint32_t first = chance(50) ? 0 : between(0, dim - 1), stride = chance(70) ? 1 : between(1, 3);
    const uint32_t most = (dim - first + stride - 1) / stride, count = chance(50) ? most : between(1, most);
    const bool backwards = chance(10);
    counts.push_back(count);
    begin.push_back(backwards ? first + (count - 1) * stride : first);
    step.push_back(backwards ? -int64_t{stride} : stride);
  }
  return move({input}, *movements::slice("STRIDED_SLICE", dims, begin, step, counts), {counts})[0];
}

/// Between space, depth and batch.
uint32_t GraphBuilder::random_blocks(uint32_t input) {
  const Dims d = graph_.tensors[input].dims;
  const auto value = static_cast<uint8_t>(graph_.tensors[input].zero_point);
  for (uint32_t block : {3u, 2u}) {
    if (chance(50) && d[1] % block == 0 && d[2] % block == 0)
      return move({input}, movements::space_to_depth("SPACE_TO_DEPTH", d, block),
                  {{d[0], d[1] / block, d[2] / block, d[3] * block * block}})[0];
    if (chance(50) && d[3] % (block * block) == 0)
      return move({input}, movements::depth_to_space("DEPTH_TO_SPACE", d, block),
                  {{d[0], d[1] * block, d[2] * block, d[3] / block / block}})[0];
    if (d[0] % (block * 2) == 0)
      return move({input}, *movements::batch_to_space("BATCH_TO_SPACE_ND", d, block, 2),
                  {{d[0] / block / 2, d[1] * block, d[2] * 2, d[3]}})[0];
  }
  const uint32_t by = between(1, 3), bx = between(1, 3);
  movements::Padding rows{between(0, 3), 0}, columns{between(0, 3), 0};
  while ((d[1] + rows.before + rows.after) % by != 0) ++rows.after;
  while ((d[2] + columns.before + columns.after) % bx != 0) ++columns.after;
  return move({input}, *movements::space_to_batch("SPACE_TO_BATCH_ND", d, by, bx, rows, columns, value),
              {{d[0] * by * bx, (d[1] + rows.before + rows.after) / by, (d[2] + columns.before + columns.after) / bx,
                d[3]}})[0];
}

uint32_t GraphBuilder::random_movement(uint32_t input) {
  const Dims dims = graph_.tensors[input].dims;
  const auto rank = static_cast<uint32_t>(dims.size()), axis = between(0, rank - 1);
  switch (between(0, 9)) {
    case 0:
      return random_reshape(input);
    case 1: {
      Dims order(rank), to;
      std::iota(order.begin(), order.end(), 0u);
      std::shuffle(order.begin(), order.end(), random_);
      for (uint32_t from : order) to.push_back(dims[from]);
      return move({input}, movements::transpose("TRANSPOSE", dims, order), {to})[0];
    }
    case 2:
    case 3:
      return random_slice(input);
    case 4: {
      std::vector<movements::Padding> paddings;
      for (uint32_t a = 0; a < rank; ++a)
        paddings.push_back(chance(50) ? movements::Padding{} : movements::Padding{between(0, 2), between(0, 2)});
      return pad(input, paddings);
    }
    case 5: {
      Dims multiples, to = dims;
      for (uint32_t& dim : to) dim *= multiples.emplace_back(chance(60) ? 1 : between(1, 3));
      return move({input}, movements::tile("TILE", dims, multiples), {to})[0];
    }
    case 6: {
      Dims indices, to = dims;
      const uint32_t repeats = chance(50) ? 1 : between(1, 3);
      for (uint32_t i = between(1, 8); i > 0; --i)
        indices.insert(indices.end(), repeats, chance(50) ? i % dims[axis] : between(0, dims[axis] - 1));
      to[axis] = static_cast<uint32_t>(indices.size());
      return move({input}, *movements::gather("GATHER", dims, axis, indices), {to})[0];
    }
    case 7: {
      uint32_t groups = between(1, 4);
      while (dims[axis] % groups != 0) --groups;
      return move({input}, movements::channel_shuffle("CHANNEL_SHUFFLE", dims, axis, groups), {dims})[0];
    }
    case 8: {
      uint32_t parts = between(1, 4);
      while (dims[axis] % parts != 0) --parts;
      return split(input, axis, parts)[0];
    }
    default:
      return rank == 4 ? random_blocks(input) : random_reshape(input);
  }
}

}  // namespace avocet::compiler::test
