// SPDX-License-Identifier: Apache-2.0
// Reductions, positions of extremes, the k largest, and samples.
#include <algorithm>
#include <numeric>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {

/// Some axes, from either end, rarely one of them twice.
bool reduce(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  d.random.shuffle(order);
  order.resize(d.random.extent(1, static_cast<uint32_t>(order.size())));
  if (d.random.chance(5)) order.push_back(order[0]);
  std::vector<double> axes;
  for (const size_t axis : order) axes.push_back(static_cast<double>(axis) - (d.random.chance(30) ? static_cast<double>(dims.size()) : 0));
  d.input("axes").values(axes);
  if (d.input("keep_dims").type == ANEURALNETWORKS_INT32) d.set_scalar("keep_dims", d.random.below(2));
  Dims result;
  for (size_t i = 0; i < dims.size(); ++i) {
    const bool reduced = std::find(order.begin(), order.end(), i) != order.end();
    if (!reduced || d.scalar("keep_dims", 0) != 0) result.push_back(reduced ? 1 : dims[i]);
  }
  if (result.empty()) result.push_back(1);
  d.out[0].shape(result);
  return true;
}

bool extreme_position(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  const double axis = d.axis(dims.size());
  d.set_scalar("axis", axis);
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(Call::axis_of(static_cast<int64_t>(axis), dims.size())));
  if (dims.empty()) dims.push_back(1);
  d.out[0].shape(dims);
  return true;
}

bool topk_v2(OperationDraw& d) {
  Dims dims = d.shape_input(0);
  dims.back() = d.random.extent(1, dims.back());
  d.set_scalar("k", dims.back());
  d.out[0].shape(dims);
  d.out[1].shape(dims);
  return true;
}

/// Finite log-probabilities; a seed of zeros would give other samples in each run.
bool random_multinomial(OperationDraw& d) {
  d.in[0].fill(-4, 3);
  d.set("samples", static_cast<uint32_t>(d.scalar("samples", 1)));
  d.input("seeds").values({double(d.random.below(1000)), double(1 + d.random.below(1000))});
  return true;
}

}  // namespace avocet::random_models::draw
