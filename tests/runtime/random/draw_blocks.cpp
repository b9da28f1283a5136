// SPDX-License-Identifier: Apache-2.0
// Rearrangements by blocks, and look-ups with indices that exist.
#include <algorithm>
#include <set>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {
namespace {

/// A block size that divides the extent, which is given or drawn as a multiple.
uint32_t divide(OperationDraw& d, const std::string& name, uint32_t power) {
  const auto raised = [&](uint32_t block) { return power == 2 ? block * block : block; };
  uint32_t block = d.random.extent(1, 3);
  if (d.has_symbol(name)) {
    while (d.symbol(name) % raised(block) != 0) --block;
  } else {
    d.set(name, raised(block) * d.random.extent(1, 3));
  }
  return block;
}

std::vector<double> indices(Random& random, size_t count, uint32_t below) {
  std::vector<double> list;
  for (size_t i = 0; i < count; ++i) list.push_back(random.below(below));
  return list;
}

}  // namespace

bool depth_to_space(OperationDraw& d) {
  const uint32_t block = divide(d, "depth", 2);
  d.set_scalar("block_size", block);
  d.set("out_height", d.symbol("height") * block);
  d.set("out_width", d.symbol("width") * block);
  d.set("out_depth", d.symbol("depth") / (block * block));
  return true;
}

bool space_to_depth(OperationDraw& d) {
  uint32_t block = divide(d, "height", 1);
  if (d.has_symbol("width")) {
    while (d.symbol("width") % block != 0 || d.symbol("height") % block != 0) --block;
  } else {
    d.set("width", block * d.random.extent(1, 3));
  }
  d.set_scalar("block_size", block);
  d.set("out_height", d.symbol("height") / block);
  d.set("out_width", d.symbol("width") / block);
  d.set("out_depth", d.symbol("depth") * block * block);
  return true;
}

bool batch_to_space_nd(OperationDraw& d) {
  uint32_t blocks[2] = {d.random.extent(1, 3), d.random.extent(1, 2)};
  if (d.has_symbol("batches")) {
    while (d.symbol("batches") % (blocks[0] * blocks[1]) != 0) --blocks[blocks[0] > 1 ? 0 : 1];
  } else {
    d.set("batches", blocks[0] * blocks[1] * d.random.extent(1, 2));
  }
  d.input("block_shape").values({double(blocks[0]), double(blocks[1])});
  d.set("out_batches", d.symbol("batches") / (blocks[0] * blocks[1]));
  d.set("out_height", d.symbol("height") * blocks[0]);
  d.set("out_width", d.symbol("width") * blocks[1]);
  return true;
}

bool space_to_batch_nd(OperationDraw& d) {
  std::vector<double> blocks, paddings;
  uint32_t batches = d.symbol("batches");
  const char* const names[] = {"height", "width"};
  for (const std::string side : names) {
    const uint32_t block = d.random.extent(1, 3), before = d.random.below(3);
    uint32_t after = d.random.below(2);
    while ((d.symbol(side) + before + after) % block != 0) ++after;
    blocks.push_back(block);
    paddings.insert(paddings.end(), {double(before), double(after)});
    d.set("out_" + side, (d.symbol(side) + before + after) / block);
    batches *= block;
  }
  d.input("block_shape").values(blocks);
  d.input("paddings").shape({2, 2});
  d.input("paddings").values(paddings);
  d.set("out_batches", batches);
  return true;
}

bool channel_shuffle(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  const double axis = d.axis(dims.size());
  uint32_t& extent = dims[Call::axis_of(static_cast<int64_t>(axis), dims.size())];
  uint32_t groups = d.random.extent(1, 4);
  if (d.in[0].fed) {
    while (extent % groups != 0) --groups;
  } else {
    extent *= groups;
    d.in[0].shape(dims);
  }
  d.set_scalar("axis", axis);
  d.set_scalar("num_groups", groups);
  return true;
}

bool gather(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  const double axis = d.axis(dims.size());
  const auto at = static_cast<std::ptrdiff_t>(Call::axis_of(static_cast<int64_t>(axis), dims.size()));
  Dims shape(d.random.chance(70) ? 1 : 2);
  for (uint32_t& extent : shape) extent = d.random.extent(1, 4);
  d.input("indices").shape(shape);
  d.input("indices").values(indices(d.random, count_of(shape), dims[static_cast<size_t>(at)]));
  d.set_scalar("axis", axis);
  Dims result(dims.begin(), dims.begin() + at);
  result.insert(result.end(), shape.begin(), shape.end());
  result.insert(result.end(), dims.begin() + at + 1, dims.end());
  d.out[0].shape(result);
  return true;
}

bool embedding_lookup(OperationDraw& d) {
  Dims dims = d.shape_input(1);
  d.input("lookups").values(indices(d.random, d.symbol("lookup_count"), dims[0]));
  dims[0] = d.symbol("lookup_count");
  d.out[0].shape(dims);
  return true;
}

/// Keys ascend; about half of the look-ups miss.
bool hashtable_lookup(OperationDraw& d) {
  Dims dims = d.shape_input(2);
  std::set<double> keys;
  if (dims[0] > 200) return false;
  while (keys.size() < dims[0]) keys.insert(static_cast<double>(d.random.between(-200, 200)));
  d.set("key_count", dims[0]);
  std::vector<double> sorted(keys.begin(), keys.end()), lookups;
  for (uint32_t i = 0; i < d.symbol("lookup_count"); ++i) {
    lookups.push_back(d.random.chance(60) ? d.random.pick(sorted) : static_cast<double>(d.random.between(-250, 250)));
  }
  d.input("keys").values(sorted);
  d.input("lookups").values(lookups);
  dims[0] = d.symbol("lookup_count");
  d.out[0].shape(dims);
  return true;
}

/// The input may have any type; 60 bytes an item are hashed by the evaluator.
bool lsh_projection(OperationDraw& d) {
  static constexpr int32_t kTypes[] = {ANEURALNETWORKS_TENSOR_FLOAT32, ANEURALNETWORKS_TENSOR_INT32, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM,
                                       ANEURALNETWORKS_TENSOR_FLOAT16};
  OperandDraw& input = d.input("input");
  input.type = d.random.pick(kTypes);
  Dims dims = {d.random.extent(1, 4)};
  if (d.random.chance(60)) dims.push_back(d.random.extent(1, 10));
  input.shape(dims);
  d.set("input_count", dims[0]);
  d.input("hash").fresh = true;
  const bool dense = d.scalar("projection_type", 0) == 2;
  d.set("signature_size", d.symbol("hash_count") * (dense ? d.symbol("bits") : 1));
  return true;
}

}  // namespace avocet::random_models::draw
