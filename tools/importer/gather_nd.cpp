// SPDX-License-Identifier: Apache-2.0
// GATHER_ND, which the API lacks: the coordinates become one linear index in int32 arithmetic, and a GATHER along the
// first dimension of the flattened data does the rest. Exact; an index outside fails the execution, as GATHER's would.
#include <android/NeuralNetworks.h>

#include "importer/operators.hpp"

namespace avocet::tools {
namespace {

/// Emits column * stride, and its sum with `sum` when there is one. Both are int32 tensors of shape [rows].
uint32_t add_coordinate(GraphBuilder& graph, uint32_t column, uint32_t rows, int32_t stride, const uint32_t* sum) {
  const uint32_t none = graph.int_scalar(ANEURALNETWORKS_FUSED_NONE);
  const uint32_t scaled = graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {rows});
  graph.emit(ANEURALNETWORKS_MUL, {column, graph.int_tensor(std::vector<int32_t>{stride}), none}, {scaled});
  if (!sum) return scaled;
  const uint32_t total = graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {rows});
  graph.emit(ANEURALNETWORKS_ADD, {*sum, scaled, none}, {total});
  return total;
}

/// [rows, coordinates] -> [rows] of positions in the flattened leading dimensions.
uint32_t linear_index(GraphBuilder& graph, uint32_t indices, uint32_t rows, std::span<const uint32_t> extents) {
  const auto coordinates = static_cast<uint32_t>(extents.size());
  const uint32_t table = graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {rows, coordinates});
  graph.emit_reshape(indices, table);
  std::vector<uint32_t> columns;
  for (uint32_t i = 0; i < coordinates; ++i) columns.push_back(graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {rows, 1}));
  graph.emit(ANEURALNETWORKS_SPLIT, {table, graph.int_scalar(1), graph.int_scalar(static_cast<int32_t>(coordinates))}, columns);
  int32_t stride = 1;
  uint32_t sum = 0;
  for (uint32_t i = coordinates; i-- > 0;) {
    const uint32_t column = graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {rows});
    graph.emit_reshape(columns[i], column);
    sum = add_coordinate(graph, column, rows, stride, i + 1 == coordinates ? nullptr : &sum);
    stride *= static_cast<int32_t>(extents[i]);
  }
  return sum;
}

}  // namespace

void convert_gather_nd(OperatorContext& context, int32_t nnapi) {
  GraphBuilder& graph = context.graph();
  const TensorView data = context.in(0), indices = context.in(1);
  const size_t coordinates = indices.dims.back();
  if (indices.type != ANEURALNETWORKS_TENSOR_INT32) context.refuse("indices that are not int32");
  if (coordinates == 0 || coordinates > data.dims.size()) context.refuse("indices of another rank than the data");
  uint64_t rows = 1, cells = 1;
  for (size_t i = 0; i + 1 < indices.dims.size(); ++i) rows *= indices.dims[i];
  for (size_t i = 0; i < coordinates; ++i) cells *= data.dims[i];
  constexpr uint64_t kMost = 1 << 24;  // what int32 reshapes keep exact
  if (rows > INT32_MAX || cells > kMost) context.refuse("more than 2^24 positions to gather from");

  std::vector<uint32_t> flat_dims{static_cast<uint32_t>(cells)}, picked_dims{static_cast<uint32_t>(rows)};
  flat_dims.insert(flat_dims.end(), data.dims.begin() + static_cast<ptrdiff_t>(coordinates), data.dims.end());
  picked_dims.insert(picked_dims.end(), data.dims.begin() + static_cast<ptrdiff_t>(coordinates), data.dims.end());
  const uint32_t flat = graph.add_temporary(data.type, flat_dims, data.scale, data.zero_point);
  graph.emit_reshape(context.read(0), flat);
  const uint32_t index = linear_index(graph, context.read(1), static_cast<uint32_t>(rows), std::span(data.dims).first(coordinates));
  const uint32_t picked = graph.add_temporary(data.type, picked_dims, data.scale, data.zero_point);
  graph.emit(nnapi, {flat, graph.int_scalar(0), index}, {picked});
  graph.emit_reshape(picked, context.write(0));
}

}  // namespace avocet::tools
