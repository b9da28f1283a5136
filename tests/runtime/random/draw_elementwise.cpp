// SPDX-License-Identifier: Apache-2.0
// Operations that work element by element, or along one axis without changing the shape.
#include <algorithm>
#include <cmath>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {
namespace {

/// A shape that can be broadcast against `dims`: leading extents left out, others 1.
Dims narrower(Random& random, const Dims& dims) {
  if (random.chance(50)) return dims;
  Dims result = dims;
  if (random.chance(40)) result.erase(result.begin(), result.begin() + random.below(result.size()));
  for (uint32_t& extent : result) {
    if (random.chance(40)) extent = 1;
  }
  return result;
}

/// Shapes of inputs `a` and `b` and the output. What is not fed may also be the larger one.
void draw_pair(OperationDraw& d, size_t a, size_t b) {
  const Dims first = d.shape_input(a);
  Dims second = narrower(d.random, first);
  const uint32_t highest = d.in[b].rule->max_rank == runtime::kAnyRank ? 6 : d.in[b].rule->max_rank;
  if (first.size() < highest && d.random.chance(10)) {
    second = first;
    second.insert(second.begin(), d.random.extent(1, 3));
  }
  for (uint32_t& extent : second) {
    if (extent == 1 && d.random.chance(15)) {
      const size_t from_end = static_cast<size_t>(second.data() + second.size() - &extent);
      const bool free = from_end > first.size() || first[first.size() - from_end] == 1;
      if (free) extent = d.random.extent(1, 4);
    }
  }
  d.in[b].shape(second);
  Dims result(std::max(first.size(), second.size()), 1);
  for (size_t i = 1; i <= result.size(); ++i) {
    const uint32_t x = i <= first.size() ? first[first.size() - i] : 1, y = i <= second.size() ? second[second.size() - i] : 1;
    result[result.size() - i] = x == 1 ? y : x;
  }
  d.out[0].shape(result);
}

}  // namespace

bool same_shape(OperationDraw& d) {
  d.out[0].shape(d.shape_input(0));
  d.quantise_for(d.out[0], d.magnitude(0));
  return true;
}

bool hard_swish(OperationDraw& d) {
  d.out[0].shape(d.shape_input(0));
  d.quantise_for(d.out[0], std::max(1.0, d.magnitude(0)));
  return true;
}

/// The new type's scale and zero point mean nothing; those of an identity must be kept.
bool cast(OperationDraw& d) {
  d.out[0].shape(d.shape_input(0));
  d.magnitude(0);
  if (d.in[0].type == d.out[0].type) d.out[0].quantise(d.in[0].scale, d.in[0].zero_point);
  return true;
}

bool positive(OperationDraw& d) {
  if (!d.in[0].fed) d.in[0].fill(0.05, 6);
  return same_shape(d);
}

/// INT32 takes no activation. A product's scale is larger than that of its factors' steps.
bool broadcast(OperationDraw& d) {
  draw_pair(d, 0, 1);
  if (d.in[0].type == ANEURALNETWORKS_TENSOR_INT32 && d.find("activation")) d.set_scalar("activation", 0);
  if (d.code() != ANEURALNETWORKS_MUL) {
    d.quantise_for(d.out[0], d.magnitude(0) + d.magnitude(1));
    return true;
  }
  d.quantise_for(d.out[0], d.magnitude(0) * d.magnitude(1));
  return !is_quantised_type(d.out[0].type) || d.out[0].scale > d.in[0].scale * d.in[1].scale;
}

bool quotient(OperationDraw& d) {
  d.in[1].fill(0.5, 5);
  if (d.in[0].type == ANEURALNETWORKS_TENSOR_INT32) d.in[1].fill(1, 7);
  if (d.random.chance(50)) d.in[1].fill(-*d.in[1].high, -*d.in[1].low);
  return broadcast(d);
}

bool power(OperationDraw& d) {
  d.in[0].fill(0.1, 3);
  d.in[1].fill(-3, 3);
  return broadcast(d);
}

bool compare(OperationDraw& d) {
  draw_pair(d, 0, 1);
  return true;
}

bool select(OperationDraw& d) {
  const Dims dims = d.shape_input(1);
  d.in[0].shape(dims);
  d.in[2].shape(dims);
  d.out[0].shape(dims);
  d.quantise_for(d.out[0], std::max(d.magnitude(1), d.magnitude(2)));
  return true;
}

bool prelu(OperationDraw& d) {
  draw_pair(d, 0, 1);
  const double largest = d.magnitude(0) * std::max(1.0, d.magnitude(1));
  d.quantise_for(d.out[0], largest);
  return true;
}

bool along_axis(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  if (d.find("axis")) d.set_scalar("axis", d.random.chance(20) ? -1 : d.axis(dims.size()));
  d.out[0].shape(dims);
  return true;
}

bool local_response(OperationDraw& d) {
  d.set_scalar("bias", d.random.real(0.5, 4));
  d.set_scalar("alpha", d.random.real(0, 2));
  d.set_scalar("beta", d.random.real(0.2, 1.5));
  return along_axis(d);
}

bool instance_normalization(OperationDraw& d) {
  d.set_scalar("epsilon", d.random.real(0.01, 0.5));
  return same_shape(d);
}

}  // namespace avocet::random_models::draw
