// SPDX-License-Identifier: Apache-2.0
#include "tensor_shape.hpp"

#include "operation_rules.hpp"

namespace avocet::compiler {

namespace {

Shape shape_of(const std::vector<uint32_t>& dims) {
  Shape shape;
  const size_t rank = dims.size();
  if (rank >= 1) shape.channels = dims[rank - 1];
  if (rank == 2) shape.height = dims[0];
  if (rank >= 3) shape.width = dims[rank - 2];
  for (size_t i = 0; i + 2 < rank; ++i) (rank == 4 && i == 0 ? shape.batch : shape.height) *= dims[i];
  return shape;
}

}  // namespace

Shape natural_shape(const Tensor& tensor) {
  Shape shape = shape_of(tensor.dims);
  if (tensor.type == ElementType::kInt32) shape.channels *= 4;
  return shape;
}

Shape aligned_shape(const Tensor& tensor, size_t rank) {
  std::vector<uint32_t> dims(rank - tensor.dims.size(), 1);
  dims.insert(dims.end(), tensor.dims.begin(), tensor.dims.end());
  return shape_of(dims);
}

Shape matrix_shape(const Tensor& tensor, uint32_t columns) {
  return {1, static_cast<uint32_t>(element_count(tensor) / columns), 1, columns};
}

uint64_t byte_count(const Tensor& tensor) {
  return element_count(tensor) * (tensor.type == ElementType::kInt32 ? 4 : 1);
}

}  // namespace avocet::compiler
