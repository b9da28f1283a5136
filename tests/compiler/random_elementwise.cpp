// SPDX-License-Identifier: Apache-2.0
// Operations of the vector unit without windows, with random parameters.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "avocet_softmax.h"
#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

using Dims = std::vector<uint32_t>;

uint32_t product(const Dims& dims, size_t begin, size_t end) {
  uint32_t count = 1;
  for (size_t i = begin; i < end; ++i) count *= dims[i];
  return count;
}

/// Of the exponentials of differences with about this spread.
Bytes exponentials(uint32_t multiplier) {
  int32_t table[AVOCET_SOFTMAX_EXPONENTIALS];
  avocet_softmax_exponentials(static_cast<int32_t>(multiplier), 0, 255, table);
  Bytes bytes;
  for (int32_t entry : table)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(static_cast<uint32_t>(entry) >> shift));
  return bytes;
}

}  // namespace

uint32_t GraphBuilder::add(uint32_t a, uint32_t b) { return binary(OperationType::kAdd, a, b); }

uint32_t GraphBuilder::binary(OperationType type, uint32_t a, uint32_t b, bool subtract) {
  const Tensor first = graph_.tensors[a], second = graph_.tensors[b];
  Dims dims = first.dims.size() >= second.dims.size() ? first.dims : second.dims;
  for (const Tensor* tensor : {&first, &second})
    for (size_t back = 1; back <= tensor->dims.size(); ++back)
      dims[dims.size() - back] = std::max(dims[dims.size() - back], tensor->dims[tensor->dims.size() - back]);
  Attributes attributes;
  attributes.activation = random_activation();
  const bool chooses = type == OperationType::kMaximum || type == OperationType::kMinimum;
  if (chooses) return add_operation(type, {a, b}, add_tensor(dims, first.type, first.scale, first.zero_point), attributes);
  double spread = 128.0 * (double{first.scale} + double{second.scale});
  if (type == OperationType::kMultiply) spread = 8000.0 * double{first.scale} * double{second.scale};
  if (type == OperationType::kPrelu) spread = 128.0 * double{first.scale};
  attributes.subtract = subtract;
  return add_operation(type, {a, b}, add_output(dims, first.type, spread), attributes);
}

uint32_t GraphBuilder::broadcast_partner(uint32_t a, bool same_scale) {
  const Tensor first = graph_.tensors[a];
  Dims dims = first.dims;
  if (dims.size() <= 4) {
    for (uint32_t& dim : dims)
      if (chance(30)) dim = 1;
    if (chance(30)) dims.erase(dims.begin(), dims.begin() + between(0, static_cast<uint32_t>(dims.size()) - 1));
  }
  const uint32_t partner = chance(50) ? constant(dims, first.type) : input(dims, first.type);
  if (same_scale) {
    graph_.tensors[partner].scale = first.scale;
    graph_.tensors[partner].zero_point = first.zero_point;
  }
  return partner;
}

uint32_t GraphBuilder::random_binary(uint32_t a) {
  constexpr OperationType kTypes[] = {OperationType::kAdd, OperationType::kMultiply, OperationType::kMaximum,
                                      OperationType::kMinimum, OperationType::kPrelu};
  const OperationType type = kTypes[between(0, 4)];
  const uint32_t b = broadcast_partner(a, type == OperationType::kMaximum || type == OperationType::kMinimum);
  const bool subtract = type == OperationType::kAdd && chance(50);
  return type != OperationType::kPrelu && chance(30) ? binary(type, b, a, subtract) : binary(type, a, b, subtract);
}

uint32_t GraphBuilder::look_up(uint32_t input, std::vector<uint8_t> table, ElementType type) {
  const Tensor in = graph_.tensors[input];
  const uint32_t output = type == in.type ? add_tensor(in.dims, type, in.scale, in.zero_point)
                                          : add_tensor(in.dims, type, 0.25f, type == ElementType::kUint8 ? 100 : -5);
  add_operation(OperationType::kTable, {input}, output, {});
  graph_.operations.back().table = std::move(table);
  return output;
}

uint32_t GraphBuilder::random_table(uint32_t input) {
  const ElementType type = graph_.tensors[input].type;
  std::vector<uint8_t> table = random_bytes(256);
  if (chance(50)) {  // a clamp, as RELU6 is one
    const int32_t low = type == ElementType::kUint8 ? 0 : -128;
    const int32_t min = low + static_cast<int32_t>(between(0, 255)), max = std::max(min, low + static_cast<int32_t>(between(0, 255)));
    for (int32_t value = low; value < low + 256; ++value)
      table[static_cast<uint8_t>(value)] = static_cast<uint8_t>(std::clamp(value, min, max));
  }
  return look_up(input, std::move(table), type);
}

uint32_t GraphBuilder::random_arg(uint32_t input) {
  Dims dims = graph_.tensors[input].dims;
  const uint32_t axis = between(0, static_cast<uint32_t>(dims.size()) - 1);
  Attributes attributes;
  attributes.across_channels = axis + 1 == dims.size() && chance(80);
  const Dims seen{product(dims, 0, axis), dims[axis], product(dims, axis + 1, dims.size())};
  const uint32_t from = attributes.across_channels || dims == seen ? input : reshape(input, seen);
  dims.erase(dims.begin() + axis);
  return add_operation(chance(50) ? OperationType::kArgMaximum : OperationType::kArgMinimum, {from},
                       add_tensor(dims, ElementType::kInt32, 0.0f, 0), attributes);
}

uint32_t GraphBuilder::random_along_axis(uint32_t input) {
  if (chance(20)) return random_arg(input);
  const Dims dims = graph_.tensors[input].dims;
  const uint32_t axis = between(0, static_cast<uint32_t>(dims.size()) - 1);
  const Dims seen{product(dims, 0, axis), dims[axis], product(dims, axis + 1, dims.size())};
  const uint32_t from = dims == seen ? input : reshape(input, seen);
  const Tensor in = graph_.tensors[from];
  Attributes attributes;
  const uint32_t kind = between(0, 4);
  if (kind < 3) {
    const OperationType types[] = {OperationType::kReduceSum, OperationType::kReduceMaximum, OperationType::kReduceMinimum};
    attributes.scale = {static_cast<int32_t>((1u << 30) + between(0, (1u << 30) - 1)),
                        -static_cast<int32_t>(std::log2(seen[1])) + (chance(20) ? 1 : 0)};
    const int32_t zero = types[kind] == OperationType::kReduceSum && chance(50) ? in.zero_point / 2 : in.zero_point;
    return add_operation(types[kind], {from}, add_tensor({seen[0], seen[2]}, in.type, in.scale, zero), attributes);
  }
  const bool is_unsigned = in.type == ElementType::kUint8;
  if (kind == 3) {
    const uint32_t output = add_tensor(seen, in.type, 1.0f / 256, is_unsigned ? 0 : -128);
    add_operation(OperationType::kSoftmax, {from}, output, attributes);
    graph_.operations.back().table = exponentials(between(1000, 1u << 24));
    return output;
  }
  attributes.left_shift = is_unsigned ? 7 : 0;
  attributes.out_shift = is_unsigned ? 0 : 7;
  return add_operation(OperationType::kL2Normalise, {from}, add_tensor(seen, in.type, 1.0f / 128, is_unsigned ? 128 : 0), attributes);
}

uint32_t GraphBuilder::resize(uint32_t input, uint32_t height, uint32_t width) {
  const Tensor in = graph_.tensors[input];
  Attributes attributes;
  Resampling& r = attributes.resampling;
  const bool centers = chance(40);
  const auto series = [&](uint32_t from, uint32_t to, int32_t* start, int32_t* step) {
    *step = static_cast<int32_t>((from * 1024 + to / 2) / to);
    *start = centers ? *step / 2 - 512 : 0;
  };
  series(in.dims[1], height, &r.y_start, &r.y_step);
  series(in.dims[2], width, &r.x_start, &r.x_step);
  return add_operation(OperationType::kResizeBilinear, {input},
                       add_tensor({in.dims[0], height, width, in.dims[3]}, in.type, in.scale, in.zero_point), attributes);
}

}  // namespace avocet::compiler::test
