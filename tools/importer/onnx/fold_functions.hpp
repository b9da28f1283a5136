// SPDX-License-Identifier: Apache-2.0
// The functions of the folding table. They throw std::runtime_error with a sentence.
#pragma once

#include "importer/onnx/attributes.hpp"
#include "importer/onnx/conversion.hpp"

namespace avocet::tools::onnx {

/// A node all of whose inputs are constants.
struct FoldContext {
  FoldContext(Conversion& c, const Node& n) : conversion(c), node(n), attributes(n) {}

  Conversion& conversion;
  const Node& node;
  AttributeReader attributes;
  TensorPtr data{};             // stands for input 0, where bytes are moved
  std::vector<size_t> order{};  // left by Transpose

  int64_t opset() const { return conversion.model().opset; }
  bool has(size_t i) const { return node.has_input(i); }
  /// Throws when the input is missing.
  const Tensor& in(size_t i);
  std::vector<int64_t> integers(size_t i);
  /// A list that is an attribute or an input, by operator set.
  std::vector<int64_t> integers(const char* attribute, size_t input);
};

/// Refuses to compute a constant of more than 2^25 elements: shapes can ask for anything.
void check_folded_size(const Dims& dims);

// fold_arithmetic.cpp
Tensor fold_binary(FoldContext&);
Tensor fold_unary(FoldContext&);
Tensor fold_where(FoldContext&);
Tensor fold_cast(FoldContext&);
Tensor fold_range(FoldContext&);
Tensor fold_reduce(FoldContext&);
Tensor fold_quantize(FoldContext&);
// fold_layout.cpp
Tensor fold_constant(FoldContext&);
Tensor fold_constant_of_shape(FoldContext&);
Tensor fold_shape(FoldContext&);
Tensor fold_size(FoldContext&);
Tensor fold_reshape(FoldContext&);  // also Flatten, Squeeze, Unsqueeze
Tensor fold_transpose(FoldContext&);
Tensor fold_slice(FoldContext&);
Tensor fold_expand(FoldContext&);
Tensor fold_gather(FoldContext&);
Tensor fold_concat(FoldContext&);

}  // namespace avocet::tools::onnx
