// SPDX-License-Identifier: Apache-2.0
// Gemm and MatMul as FULLY_CONNECTED, whose weights are [units, input size]; with a scale per channel as a 1x1
// convolution, the only form that has such weights.
#include <android/NeuralNetworks.h>

#include <algorithm>

#include "importer/onnx/batched_product.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/onnx/weights.hpp"

namespace avocet::tools::onnx {
namespace {

/// A product [rows, depth] x [depth, units], however the operator says it.
struct Product {
  uint32_t rows = 1;
  uint32_t depth = 1;
  uint32_t units = 1;
  bool swap_left = false;   // input 0 is [depth, rows]
  bool swap_right = false;  // input 1 is [units, depth], as the API wants it
  Value* bias = nullptr;
};

constexpr size_t kSwapped[] = {1, 0};

uint32_t read_left(NodeContext& context, const Product& product) {
  if (!product.swap_left) return context.read_as(0, {product.rows, product.depth});
  return emit_matrix_transpose(context, context.read(0));
}

/// The product with weights [units, depth] as a 1x1 convolution.
void emit_convolution(NodeContext& context, const Product& product, Weights weights, const Dims& result) {
  OperandBuilder& builder = context.builder();
  weights.tensor.dims = {product.units, 1, 1, product.depth};
  const Filter filter = add_filter(context, std::move(weights), 0);
  const uint32_t bias = add_bias(context, product.bias, product.units, filter);
  const uint32_t input = read_left(context, product);
  const uint32_t pixels = builder.add_temporary_like(input, {product.rows, 1, 1, product.depth});
  builder.emit_reshape(input, pixels);
  context.emit(ANEURALNETWORKS_CONV_2D,
               {pixels, filter.operand, bias, builder.int_scalar(ANEURALNETWORKS_PADDING_VALID), builder.int_scalar(1),
                builder.int_scalar(1), context.activation()},
               {context.write_as(result, {product.rows, 1, 1, product.units})});
}

/// Weights as a constant [units, depth], or the operand of a second factor that is computed too.
Filter second_factor(NodeContext& context, const Product& product, const std::optional<Weights>& weights) {
  if (weights) return add_matching_weights(context, *weights);
  Filter filter;
  const Dims dims = product.swap_right ? Dims{product.units, product.depth} : Dims{product.depth, product.units};
  filter.operand = context.read_as(1, dims);
  if (!product.swap_right) filter.operand = emit_matrix_transpose(context, filter.operand);
  if (context.quantised()) filter.scales = {context.quantisation(1).scale()};
  return filter;
}

/// Constant weights as [units, depth], times `alpha`.
std::optional<Weights> constant_weights(NodeContext& context, const Product& product, double alpha) {
  if (!context.in(1).is_constant()) return std::nullopt;
  Weights weights = read_weights(context, 1);
  const uint32_t first = product.swap_right ? product.units : product.depth;
  const uint32_t second = product.swap_right ? product.depth : product.units;
  if (weights.tensor.dims.size() != 2) {  // leading extents of 1, or a vector
    weights.tensor.dims = {first, second};
    if (weights.quantisation && !weights.quantisation->per_tensor()) throw NeedsFloats{};
  }
  if (!product.swap_right) weights = transposed(weights, kSwapped);
  if (alpha == 1) return weights;
  std::vector<double> values = reals_of(weights.tensor);
  for (double& value : values) value *= alpha;
  weights.tensor = make_tensor(weights.tensor.type, weights.tensor.dims, values);
  return weights;
}

void emit_product(NodeContext& context, const Product& product, const std::optional<Weights>& weights,
                  const Dims& result) {
  const bool per_channel = weights && weights->quantisation && !weights->quantisation->per_tensor();
  if (per_channel) return emit_convolution(context, product, *weights, result);
  const Filter filter = second_factor(context, product, weights);
  const uint32_t bias = add_bias(context, product.bias, product.units, filter);
  const uint32_t input = read_left(context, product);
  context.emit(ANEURALNETWORKS_FULLY_CONNECTED, {input, filter.operand, bias, context.activation()},
               {context.write_as(result, {product.rows, product.units})});
}

/// Whether C of a Gemm can be the bias: one number per unit, or one for all.
bool is_bias(const Value& value, uint32_t units) {
  const uint64_t count = element_count_of(value.dims);
  const bool last = !value.dims.empty() && value.dims.back() == units && count == units;
  return value.is_constant() && (count == 1 || last);
}

uint32_t emit_scaled(NodeContext& context, uint32_t operand, double factor) {
  if (factor == 1) return operand;
  const uint32_t result =
      context.builder().add_temporary_like(operand, Dims(context.builder().description().operands[operand].dims));
  const std::vector<double> values = {factor};
  const uint32_t constant = context.conversion().add_constant(make_tensor(context.type(), {1}, values));
  context.emit(ANEURALNETWORKS_MUL, {operand, constant, context.builder().int_scalar(ANEURALNETWORKS_FUSED_NONE)},
               {result});
  return result;
}

/// A constant row times `beta`.
Value* scaled_bias(NodeContext& context, double beta) {
  if (beta == 1) return &context.in(2);
  const Dims dims = context.dims(2);
  std::vector<double> values = reals_of(*context.constant(2));
  for (double& value : values) value *= beta;
  Value& bias = context.conversion().define_hidden(context.type(), dims);
  bias.constant = std::make_shared<const Tensor>(make_tensor(context.type(), dims, values));
  return &bias;
}

/// The product without bias, scaled, plus a matrix: floats only.
void emit_product_and_sum(NodeContext& context, const Product& product, double alpha, double beta) {
  const Filter filter = second_factor(context, product, constant_weights(context, product, 1));
  const uint32_t bias = add_bias(context, nullptr, product.units, filter);
  const Dims dims = {product.rows, product.units};
  const uint32_t direct = context.conversion().add_temporary(context.type(), dims, {});
  const uint32_t none = context.builder().int_scalar(ANEURALNETWORKS_FUSED_NONE);
  context.emit(ANEURALNETWORKS_FULLY_CONNECTED, {read_left(context, product), filter.operand, bias, none}, {direct});
  const uint32_t scaled = emit_scaled(context, direct, alpha);
  const Dims other = context.has(2) ? context.dims(2) : Dims{};
  if (broadcast_dims(dims, other) != dims) refuse("a third input of shape " + dims_text(other));
  const uint32_t summand =
      context.has(2) ? emit_scaled(context, context.read(2), beta)
                     : context.conversion().add_constant(make_tensor(context.type(), {}, std::vector<double>{0}));
  context.emit(ANEURALNETWORKS_ADD, {scaled, summand, context.activation()}, {context.write(dims)});
}

}  // namespace

void convert_gemm(NodeContext& context, int32_t) {
  const double alpha = context.attributes().real("alpha", 1);
  const double beta = context.attributes().real("beta", 1);
  context.attributes().integer("broadcast", 1);  // of the third input, in old operator sets
  const Dims left = context.dims(0);
  const Dims right = context.dims(1);
  if (left.size() != 2 || right.size() != 2) refuse("matrices have two dimensions");
  Product product;
  product.swap_left = context.attributes().integer("transA", 0) != 0;
  product.swap_right = context.attributes().integer("transB", 0) != 0;
  product.rows = left[product.swap_left ? 1 : 0];
  product.depth = left[product.swap_left ? 0 : 1];
  product.units = right[product.swap_right ? 0 : 1];
  if (right[product.swap_right ? 1 : 0] != product.depth) refuse("factors of shapes that do not fit");
  const Dims result = {product.rows, product.units};
  if (element_count_of(right) == 0) refuse("a factor without elements");
  element_count_of(result);
  const bool as_bias = !context.has(2) || is_bias(context.in(2), product.units);
  const bool after = !as_bias || (alpha != 1 && !context.in(1).is_constant());
  if (context.quantised() && (after || alpha != 1 || beta != 1)) throw NeedsFloats{};  // bytes cannot be scaled
  if (after) return emit_product_and_sum(context, product, alpha, beta);
  product.bias = context.has(2) ? scaled_bias(context, beta) : nullptr;
  emit_product(context, product, constant_weights(context, product, alpha), result);
}

void convert_matmul(NodeContext& context, int32_t) {
  Dims left = context.dims(0);
  Dims right = context.dims(1);
  const bool vector_left = left.size() == 1;
  const bool vector_right = right.size() == 1;
  if (left.empty() || right.empty()) refuse("a factor that is a scalar");
  if (vector_left) left.insert(left.begin(), 1);
  if (vector_right) right.push_back(1);
  if (left.back() != right[right.size() - 2])
    refuse("factors of shapes " + dims_text(left) + " and " + dims_text(right));
  if (element_count_of(right) == 0) refuse("a factor without elements");
  const uint64_t batches = element_count_of({right.begin(), right.end() - 2});
  Dims result(std::max(left.size(), right.size()) - left.size(), 1);
  result.insert(result.end(), left.begin(), left.end());
  result.back() = right.back();
  if (vector_left) result.erase(result.end() - 2);
  if (vector_right) result.pop_back();
  element_count_of(result);
  if (batches > 1) {
    if (context.quantised()) throw NeedsFloats{};
    return emit_batched_product(context, left, right);
  }
  // Leading extents of 1 in the second factor repeat it for all of the first.
  const Product product{
      .rows = static_cast<uint32_t>(element_count_of(left) / left.back()),
      .depth = left.back(),
      .units = right.back(),
      .bias = context.form().bias.empty() ? nullptr : &context.conversion().value(context.form().bias)};
  emit_product(context, product, constant_weights(context, product, 1), result);
}

}  // namespace avocet::tools::onnx
