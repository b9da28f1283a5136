// SPDX-License-Identifier: Apache-2.0
// One row per ONNX operator that the API can express: how it becomes NNAPI operations.
#pragma once

#include <cstdint>
#include <string>

namespace avocet::tools::onnx {

class NodeContext;

/// What an operator can do with the bytes of dequantised inputs, when a QuantizeLinear stands behind it (or without
/// one).
enum class QuantisedForm : uint8_t {
  never,    // works on floats
  moves,    // selects or moves elements, or compares them: needs no QuantizeLinear, the bytes stay what they are
  joins,    // moves, where all inputs are quantised alike; free otherwise
  resizes,  // moves in the mode "nearest", keeps in the others
  keeps,    // the result has the scale and zero point of input 0
  free,     // the result has any scale and zero point
  sigmoid,  // the result has 1/256 and 0 (int8: -128)
  tanh,     // the result has 1/128 and 128 (int8: 0)
};

/// Element types of the inputs that an operator reads as they are; 8 bit ones depend on the quantised form instead.
enum Types : uint8_t { kReal = 1, kInteger = 2, kBoolean = 4, kAnyType = 7 };

inline constexpr uint8_t kAllInputs = 255;

struct OperatorRow {
  const char* op;
  void (*convert)(NodeContext&, int32_t nnapi);
  int32_t nnapi;  // the operation that `convert` emits, where one function serves several rows
  uint8_t min_inputs;
  uint8_t max_inputs;  // kAllInputs: any number
  uint8_t types = kReal;
  QuantisedForm quantised = QuantisedForm::never;
  uint8_t data_inputs = 1;  // so many leading inputs have to be dequantised for the quantised form
  bool weights = false;     // input 1 may be a constant with a scale per channel
  bool activation = false;  // a Relu or Clip behind it can be fused
};

/// Null for an operator without a row.
const OperatorRow* find_operator_row(const std::string& op);

// The converters, by the file that defines them. They throw std::runtime_error with a sentence.

// convolution.cpp
void convert_conv(NodeContext&, int32_t);
// transposed_convolution.cpp
void convert_conv_transpose(NodeContext&, int32_t);
// dense.cpp
void convert_gemm(NodeContext&, int32_t);
void convert_matmul(NodeContext&, int32_t);
// elementwise.cpp
void convert_unary(NodeContext&, int32_t);
void convert_binary(NodeContext&, int32_t);      // without a fused activation
void convert_arithmetic(NodeContext&, int32_t);  // with one
void convert_division(NodeContext&, int32_t);
void convert_chain(NodeContext&, int32_t);  // any number of inputs
void convert_pow(NodeContext&, int32_t);
void convert_comparison(NodeContext&, int32_t);
void convert_reciprocal(NodeContext&, int32_t);
void convert_ceil(NodeContext&, int32_t);
void convert_where(NodeContext&, int32_t);
void convert_expand(NodeContext&, int32_t);
void convert_cast(NodeContext&, int32_t);
// activation.cpp
void convert_clip(NodeContext&, int32_t);
void convert_leaky_relu(NodeContext&, int32_t);
void convert_prelu(NodeContext&, int32_t);
void convert_elu(NodeContext&, int32_t);
void convert_hard_sigmoid(NodeContext&, int32_t);
void convert_softmax(NodeContext&, int32_t);  // also LogSoftmax
// normalisation.cpp
void convert_lrn(NodeContext&, int32_t);
void convert_instance_normalization(NodeContext&, int32_t);
void convert_batch_normalization(NodeContext&, int32_t);
void convert_lp_normalization(NodeContext&, int32_t);
// pooling.cpp
void convert_pool(NodeContext&, int32_t);
void convert_global_pool(NodeContext&, int32_t);
// reduction.cpp
void convert_reduce(NodeContext&, int32_t);
void convert_arg(NodeContext&, int32_t);
void convert_top_k(NodeContext&, int32_t);
// reshaping.cpp
void convert_reshape(NodeContext&, int32_t);
void convert_flatten(NodeContext&, int32_t);
void convert_squeeze(NodeContext&, int32_t);
void convert_unsqueeze(NodeContext&, int32_t);
void convert_transpose(NodeContext&, int32_t);
void convert_identity(NodeContext&, int32_t);
void convert_dropout(NodeContext&, int32_t);
// layout.cpp
void convert_concat(NodeContext&, int32_t);
void convert_split(NodeContext&, int32_t);
void convert_slice(NodeContext&, int32_t);
void convert_pad(NodeContext&, int32_t);
void convert_gather(NodeContext&, int32_t);
void convert_tile(NodeContext&, int32_t);
void convert_depth_to_space(NodeContext&, int32_t);
void convert_space_to_depth(NodeContext&, int32_t);
// resizing.cpp
void convert_resize(NodeContext&, int32_t);
// quantisation.cpp
void convert_quantize(NodeContext&, int32_t);
void convert_dequantize(NodeContext&, int32_t);

}  // namespace avocet::tools::onnx
