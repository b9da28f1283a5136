// SPDX-License-Identifier: Apache-2.0
// The table of operators. An operator without a row is refused by name.
#include "importer/onnx/operator_table.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <array>

namespace avocet::tools::onnx {
namespace {

using enum QuantisedForm;

constexpr uint8_t kNumber = kReal | kInteger;

constexpr auto kRows = std::to_array<OperatorRow>({
    // operator, converter, operation, inputs from and to, element types, quantised form, data inputs, weights,
    // activation
    {"Conv", convert_conv, ANEURALNETWORKS_CONV_2D, 2, 3, kReal, free, 2, true, true},
    {"ConvTranspose", convert_conv_transpose, ANEURALNETWORKS_TRANSPOSE_CONV_2D, 2, 3, kReal, free, 2, true, true},
    {"Gemm", convert_gemm, ANEURALNETWORKS_FULLY_CONNECTED, 2, 3, kReal, free, 2, true, true},
    {"MatMul", convert_matmul, ANEURALNETWORKS_FULLY_CONNECTED, 2, 2, kReal, free, 2, true, true},

    {"Add", convert_arithmetic, ANEURALNETWORKS_ADD, 2, 2, kNumber, free, 2, false, true},
    {"Sub", convert_arithmetic, ANEURALNETWORKS_SUB, 2, 2, kNumber, free, 2, false, true},
    {"Mul", convert_arithmetic, ANEURALNETWORKS_MUL, 2, 2, kNumber, free, 2, false, true},
    {"Div", convert_division, ANEURALNETWORKS_DIV, 2, 2, kReal, never, 0, false, true},
    {"Pow", convert_pow, ANEURALNETWORKS_POW, 2, 2, kReal},
    {"Max", convert_chain, ANEURALNETWORKS_MAXIMUM, 1, kAllInputs, kNumber, free, kAllInputs},
    {"Min", convert_chain, ANEURALNETWORKS_MINIMUM, 1, kAllInputs, kNumber, free, kAllInputs},
    {"Sum", convert_chain, ANEURALNETWORKS_ADD, 1, kAllInputs, kReal, free, kAllInputs},
    {"Reciprocal", convert_reciprocal, ANEURALNETWORKS_DIV, 1, 1, kReal, never, 0, false, true},

    {"Abs", convert_unary, ANEURALNETWORKS_ABS, 1, 1, kNumber},
    {"Neg", convert_unary, ANEURALNETWORKS_NEG, 1, 1, kNumber},
    {"Exp", convert_unary, ANEURALNETWORKS_EXP, 1, 1},
    {"Log", convert_unary, ANEURALNETWORKS_LOG, 1, 1},
    {"Sqrt", convert_unary, ANEURALNETWORKS_SQRT, 1, 1},
    {"Sin", convert_unary, ANEURALNETWORKS_SIN, 1, 1},
    {"Floor", convert_unary, ANEURALNETWORKS_FLOOR, 1, 1},
    {"Ceil", convert_ceil, ANEURALNETWORKS_FLOOR, 1, 1},
    {"Not", convert_unary, ANEURALNETWORKS_LOGICAL_NOT, 1, 1, kBoolean},
    {"Cast", convert_cast, ANEURALNETWORKS_CAST, 1, 1, kAnyType},

    {"Equal", convert_comparison, ANEURALNETWORKS_EQUAL, 2, 2, kAnyType},
    {"Less", convert_comparison, ANEURALNETWORKS_LESS, 2, 2, kNumber},
    {"LessOrEqual", convert_comparison, ANEURALNETWORKS_LESS_EQUAL, 2, 2, kNumber},
    {"Greater", convert_comparison, ANEURALNETWORKS_GREATER, 2, 2, kNumber},
    {"GreaterOrEqual", convert_comparison, ANEURALNETWORKS_GREATER_EQUAL, 2, 2, kNumber},
    {"And", convert_comparison, ANEURALNETWORKS_LOGICAL_AND, 2, 2, kBoolean},
    {"Or", convert_comparison, ANEURALNETWORKS_LOGICAL_OR, 2, 2, kBoolean},
    {"Xor", convert_comparison, ANEURALNETWORKS_NOT_EQUAL, 2, 2, kBoolean},
    {"Where", convert_where, ANEURALNETWORKS_SELECT, 3, 3, kAnyType},

    {"Relu", convert_clip, ANEURALNETWORKS_RELU, 1, 1, kReal, free},
    {"Clip", convert_clip, ANEURALNETWORKS_RELU6, 1, 3, kNumber, free},
    {"LeakyRelu", convert_leaky_relu, ANEURALNETWORKS_PRELU, 1, 1, kReal, free},
    {"PRelu", convert_prelu, ANEURALNETWORKS_PRELU, 2, 2, kReal, free, 2},
    {"Elu", convert_elu, ANEURALNETWORKS_ELU, 1, 1},
    {"Sigmoid", convert_unary, ANEURALNETWORKS_LOGISTIC, 1, 1, kReal, sigmoid},
    {"Tanh", convert_unary, ANEURALNETWORKS_TANH, 1, 1, kReal, tanh},
    {"HardSwish", convert_unary, ANEURALNETWORKS_HARD_SWISH, 1, 1, kReal, free},
    {"HardSigmoid", convert_hard_sigmoid, ANEURALNETWORKS_HARD_SWISH, 1, 1, kReal, free},
    {"Softmax", convert_softmax, ANEURALNETWORKS_SOFTMAX, 1, 1, kReal, sigmoid},
    {"LogSoftmax", convert_softmax, ANEURALNETWORKS_LOG_SOFTMAX, 1, 1},

    {"LRN", convert_lrn, ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION, 1, 1},
    {"InstanceNormalization", convert_instance_normalization, ANEURALNETWORKS_INSTANCE_NORMALIZATION, 3, 3},
    {"BatchNormalization", convert_batch_normalization, ANEURALNETWORKS_MUL, 5, 5, kReal, never, 0, false, true},
    {"LpNormalization", convert_lp_normalization, ANEURALNETWORKS_L2_NORMALIZATION, 1, 1},

    {"MaxPool", convert_pool, ANEURALNETWORKS_MAX_POOL_2D, 1, 1, kReal, moves, 1, false, true},
    {"AveragePool", convert_pool, ANEURALNETWORKS_AVERAGE_POOL_2D, 1, 1, kReal, keeps, 1, false, true},
    {"GlobalAveragePool", convert_global_pool, ANEURALNETWORKS_MEAN, 1, 1, kReal, free},
    {"GlobalMaxPool", convert_global_pool, ANEURALNETWORKS_REDUCE_MAX, 1, 1, kReal, moves},
    {"ReduceMean", convert_reduce, ANEURALNETWORKS_MEAN, 1, 2, kReal, free},
    {"ReduceSum", convert_reduce, ANEURALNETWORKS_REDUCE_SUM, 1, 2},
    {"ReduceProd", convert_reduce, ANEURALNETWORKS_REDUCE_PROD, 1, 2},
    {"ReduceMax", convert_reduce, ANEURALNETWORKS_REDUCE_MAX, 1, 2, kReal, moves},
    {"ReduceMin", convert_reduce, ANEURALNETWORKS_REDUCE_MIN, 1, 2, kReal, moves},
    {"ArgMax", convert_arg, ANEURALNETWORKS_ARGMAX, 1, 1, kNumber, moves},
    {"ArgMin", convert_arg, ANEURALNETWORKS_ARGMIN, 1, 1, kNumber, moves},
    {"TopK", convert_top_k, ANEURALNETWORKS_TOPK_V2, 1, 2, kNumber, moves},

    {"Reshape", convert_reshape, ANEURALNETWORKS_RESHAPE, 2, 2, kAnyType, moves},
    {"Flatten", convert_flatten, ANEURALNETWORKS_RESHAPE, 1, 1, kAnyType, moves},
    {"Squeeze", convert_squeeze, ANEURALNETWORKS_RESHAPE, 1, 2, kAnyType, moves},
    {"Unsqueeze", convert_unsqueeze, ANEURALNETWORKS_RESHAPE, 1, 2, kAnyType, moves},
    {"Transpose", convert_transpose, ANEURALNETWORKS_TRANSPOSE, 1, 1, kNumber, moves},
    {"Identity", convert_identity, 0, 1, 1, kAnyType, moves},
    {"Dropout", convert_dropout, 0, 1, 3, kAnyType, moves},

    {"Concat", convert_concat, ANEURALNETWORKS_CONCATENATION, 1, kAllInputs, kNumber, joins, kAllInputs},
    {"Split", convert_split, ANEURALNETWORKS_SPLIT, 1, 2, kNumber, moves},
    {"Slice", convert_slice, ANEURALNETWORKS_SLICE, 1, 5, kNumber, moves},
    {"Pad", convert_pad, ANEURALNETWORKS_PAD, 1, 4, kReal, moves},
    {"Gather", convert_gather, ANEURALNETWORKS_GATHER, 2, 2, kNumber, moves},
    {"Tile", convert_tile, ANEURALNETWORKS_TILE, 2, 2, kNumber, moves},
    {"Expand", convert_expand, ANEURALNETWORKS_TILE, 2, 2, kNumber, moves},
    {"DepthToSpace", convert_depth_to_space, ANEURALNETWORKS_DEPTH_TO_SPACE, 1, 1, kReal, moves},
    {"SpaceToDepth", convert_space_to_depth, ANEURALNETWORKS_SPACE_TO_DEPTH, 1, 1, kReal, moves},
    {"Resize", convert_resize, ANEURALNETWORKS_RESIZE_BILINEAR, 1, 4, kReal, resizes},
    {"Upsample", convert_resize, ANEURALNETWORKS_RESIZE_BILINEAR, 1, 2, kReal, resizes},

    {"QuantizeLinear", convert_quantize, ANEURALNETWORKS_QUANTIZE, 2, 3},
    {"DequantizeLinear", convert_dequantize, ANEURALNETWORKS_DEQUANTIZE, 2, 3},
});

}  // namespace

const OperatorRow* find_operator_row(const std::string& op) {
  const auto* found = std::find_if(kRows.begin(), kRows.end(), [&](const OperatorRow& row) { return op == row.op; });
  return found == kRows.end() ? nullptr : found;
}

}  // namespace avocet::tools::onnx
