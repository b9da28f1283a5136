// SPDX-License-Identifier: Apache-2.0
#include "importer/onnx/batched_product.hpp"

#include <android/NeuralNetworks.h>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

constexpr uint64_t kMostBatches = 64;

/// Matrix i of a batch [count, rows, columns].
uint32_t emit_matrix(NodeContext& context, uint32_t batch, uint32_t i) {
  OperandBuilder& builder = context.builder();
  const Dims dims = builder.description().operands[batch].dims;
  const std::vector<int32_t> begin = {static_cast<int32_t>(i), 0, 0};
  const std::vector<int32_t> size = {1, static_cast<int32_t>(dims[1]), static_cast<int32_t>(dims[2])};
  const uint32_t slice = builder.add_temporary_like(batch, {1, dims[1], dims[2]});
  builder.emit(ANEURALNETWORKS_SLICE, {batch, builder.int_tensor(begin), builder.int_tensor(size)}, {slice});
  const uint32_t matrix = builder.add_temporary_like(batch, {dims[1], dims[2]});
  builder.emit_reshape(slice, matrix);
  return matrix;
}

}  // namespace

uint32_t emit_matrix_transpose(NodeContext& context, uint32_t operand) {
  OperandBuilder& builder = context.builder();
  const Dims dims = builder.description().operands[operand].dims;
  const uint32_t swapped = builder.add_temporary_like(operand, {dims[1], dims[0]});
  const std::vector<int32_t> order = {1, 0};
  builder.emit(ANEURALNETWORKS_TRANSPOSE, {operand, builder.int_tensor(order)}, {swapped});
  return swapped;
}

void emit_batched_product(NodeContext& context, const Dims& left, const Dims& right) {
  OperandBuilder& builder = context.builder();
  const Dims batch(right.begin(), right.end() - 2);
  if (left.size() != right.size() || !std::equal(batch.begin(), batch.end(), left.begin())) {
    refuse("batches of shapes " + dims_text(left) + " and " + dims_text(right));
  }
  const auto count = static_cast<uint32_t>(element_count_of(batch));
  if (count > kMostBatches) refuse("a batch of " + std::to_string(count) + " products; the API has no such operation");
  const uint32_t rows = left[left.size() - 2];
  const uint32_t units = right.back();
  const uint32_t first = context.read_as(0, {count, rows, left.back()});
  const uint32_t second = context.read_as(1, {count, left.back(), units});
  check_folded_size({units});
  const std::vector<double> zeros(units);
  const uint32_t bias = context.conversion().add_constant(make_tensor(context.type(), {units}, zeros));
  std::vector<uint32_t> products;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t product = builder.add_temporary_like(first, {rows, units});
    const uint32_t weights = emit_matrix_transpose(context, emit_matrix(context, second, i));
    builder.emit(ANEURALNETWORKS_FULLY_CONNECTED, {emit_matrix(context, first, i), weights, bias, context.activation()},
                 {product});
    products.push_back(builder.add_temporary_like(first, {1, rows, units}));
    builder.emit_reshape(product, products.back());
  }
  products.push_back(builder.int_scalar(0));
  Dims result = left;
  result.back() = units;
  builder.emit(ANEURALNETWORKS_CONCATENATION, std::move(products), {context.write_as(result, {count, rows, units})});
}

}  // namespace avocet::tools::onnx
