// SPDX-License-Identifier: Apache-2.0
// Arithmetic on constants: floats in double, rounded once; integers in int64, where an overflow is refused.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/fusion.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

[[noreturn]] void overflow() { throw std::runtime_error("an integer constant overflows"); }

int64_t divided(int64_t left, int64_t right) {
  if (right == 0) throw std::runtime_error("a constant division by zero");
  if (right == -1 && left == std::numeric_limits<int64_t>::min()) overflow();
  return left / right;  // towards zero, as the format has it
}

int64_t integer_result(const std::string& op, int64_t left, int64_t right) {
  int64_t result = 0;
  if (op == "Add") {
    if (__builtin_add_overflow(left, right, &result)) overflow();
  } else if (op == "Sub") {
    if (__builtin_sub_overflow(left, right, &result)) overflow();
  } else if (op == "Mul") {
    if (__builtin_mul_overflow(left, right, &result)) overflow();
  } else if (op == "Div") {
    result = divided(left, right);
  } else if (op == "Mod") {  // the sign of the divisor
    const int64_t rest = left - divided(left, right) * right;
    result = rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest;
  } else if (op == "Max") {
    result = std::max(left, right);
  } else if (op == "Min") {
    result = std::min(left, right);
  } else {
    throw std::runtime_error("integer constants have no such operation");
  }
  return result;
}

double real_result(const std::string& op, double left, double right) {
  if (op == "Add") return left + right;
  if (op == "Sub") return left - right;
  if (op == "Mul") return left * right;
  if (op == "Div") return left / right;
  if (op == "Max") return std::max(left, right);
  if (op == "Min") return std::min(left, right);
  if (op == "Pow") return std::pow(left, right);
  throw std::runtime_error("real constants have no such operation");
}

bool truth(const std::string& op, double left, double right) {
  if (op == "Equal") return left == right;
  if (op == "Less") return left < right;
  if (op == "Greater") return left > right;
  if (op == "And") return left != 0 && right != 0;
  return left != 0 || right != 0;  // Or
}

bool is_predicate(const std::string& op) {
  return op == "Equal" || op == "Less" || op == "Greater" || op == "And" || op == "Or";
}

Tensor broadcast(const Tensor& tensor, const Dims& dims) {
  return rearranged(tensor, dims, 0, broadcast_steps(tensor.dims, dims));
}

template <typename T, typename Compute>
std::vector<T> zipped(const std::vector<T>& left, const std::vector<T>& right, const Compute& compute) {
  std::vector<T> results(left.size());
  for (size_t i = 0; i < results.size(); ++i) results[i] = compute(left[i], right[i]);
  return results;
}

Tensor combined(const std::string& op, const Tensor& left, const Tensor& right) {
  const Dims dims = broadcast_dims(left.dims, right.dims);
  check_folded_size(dims);
  const Tensor l = broadcast(left, dims);
  const Tensor r = broadcast(right, dims);
  if (is_predicate(op)) {
    const auto compute = [&](double x, double y) { return truth(op, x, y) ? 1.0 : 0.0; };
    return make_tensor(ElementType::boolean, dims, zipped(reals_of(l), reals_of(r), compute));
  }
  if (is_real(left.type) || is_real(right.type)) {
    const auto compute = [&](double x, double y) { return real_result(op, x, y); };
    return make_tensor(left.type, dims, zipped(reals_of(l), reals_of(r), compute));
  }
  const auto compute = [&](int64_t x, int64_t y) { return integer_result(op, x, y); };
  const std::vector<int64_t> results = zipped(integers_of(l), integers_of(r), compute);
  return make_tensor(left.type, dims, std::span<const int64_t>(results));
}

double unary_result(const std::string& op, double x) {
  if (op == "Not") return x == 0;
  if (op == "Neg") return -x;
  if (op == "Abs") return std::fabs(x);
  if (op == "Sqrt") return std::sqrt(x);
  if (op == "Exp") return std::exp(x);
  if (op == "Log") return std::log(x);
  if (op == "Floor") return std::floor(x);
  if (op == "Ceil") return std::ceil(x);
  return 1.0 / x;  // Reciprocal
}

/// Half to even, as QuantizeLinear rounds.
double half_to_even(double x) {
  const double floor = std::floor(x);
  const double rest = x - floor;
  if (rest != 0.5) return rest < 0.5 ? floor : floor + 1;
  return std::fmod(floor, 2) == 0 ? floor : floor + 1;
}

}  // namespace

Tensor fold_binary(FoldContext& context) {
  const std::string& op = context.node.op;
  if (op == "Mod" && context.attributes.integer("fmod", 0) != 0) throw std::runtime_error("fmod of constants");
  Tensor result = context.in(0);
  const bool variadic = op == "Max" || op == "Min";
  if (!variadic && context.node.inputs.size() != 2) throw std::runtime_error("needs two inputs");
  for (size_t i = 1; i < context.node.inputs.size(); ++i) result = combined(op, result, context.in(i));
  return result;
}

Tensor fold_unary(FoldContext& context) {
  const Tensor& data = context.in(0);
  std::vector<double> values = reals_of(data);
  for (double& value : values) value = unary_result(context.node.op, value);
  return make_tensor(data.type, data.dims, values);
}

Tensor fold_where(FoldContext& context) {
  const Dims dims = broadcast_dims(broadcast_dims(context.in(0).dims, context.in(1).dims), context.in(2).dims);
  check_folded_size(dims);
  const std::vector<int64_t> condition = integers_of(broadcast(context.in(0), dims));
  Tensor result = broadcast(context.in(1), dims);
  const Tensor other = broadcast(context.in(2), dims);
  if (other.type != result.type) throw std::runtime_error("inputs of different types");
  const size_t element = element_type_info(result.type).element_bytes;
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] == 0)
      std::copy_n(other.bytes.begin() + static_cast<std::ptrdiff_t>(i * element), element,
                  result.bytes.begin() + static_cast<std::ptrdiff_t>(i * element));
  }
  return result;
}

Tensor fold_cast(FoldContext& context) {
  const Tensor& data = context.in(0);
  const auto to = static_cast<ElementType>(context.attributes.integer("to", 0));
  context.attributes.integer("saturate", 1);
  if (element_type_info(to).element_bytes == 0)
    throw std::runtime_error(std::string("a cast to ") + element_type_info(to).name);
  if (!is_real(data.type) && !is_real(to) && to != ElementType::boolean) {
    const std::vector<int64_t> values = integers_of(data);
    return make_tensor(to, data.dims, std::span<const int64_t>(values));
  }
  std::vector<double> values = reals_of(data);
  for (double& value : values) {
    if (to == ElementType::boolean) value = value != 0;
    if (!is_real(to)) value = std::trunc(value);
  }
  return make_tensor(to, data.dims, values);
}

Tensor fold_range(FoldContext& context) {
  if (context.in(0).count() != 1 || context.in(1).count() != 1 || context.in(2).count() != 1) {
    throw std::runtime_error("start, limit and step must be one number each");
  }
  const double start = reals_of(context.in(0)).front();
  const double limit = reals_of(context.in(1)).front();
  const double step = reals_of(context.in(2)).front();
  const double count = std::max(0.0, std::ceil((limit - start) / step));
  if (!(count <= static_cast<double>(uint64_t{1} << 26))) throw std::runtime_error("a range that is too long");
  std::vector<double> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = start + static_cast<double>(i) * step;
  return make_tensor(context.in(0).type, {static_cast<uint32_t>(values.size())}, values);
}

Tensor fold_reduce(FoldContext& context) {
  const Tensor& data = context.in(0);
  const std::vector<int64_t> axes = context.integers("axes", 1);
  const bool keep = context.attributes.integer("keepdims", 1) != 0;
  const bool nothing = context.attributes.integer("noop_with_empty_axes", 0) != 0 && axes.empty();
  if (nothing) return data;
  std::vector<bool> reduced = axis_mask(axes, data.dims.size());
  if (axes.empty()) reduced.assign(data.dims.size(), true);
  static const std::map<std::string, const char*> kSteps = {
      {"ReduceProd", "Mul"}, {"ReduceSum", "Add"}, {"ReduceMax", "Max"}, {"ReduceMin", "Min"}};
  Tensor result = data;
  for (size_t axis = 0; axis < reduced.size(); ++axis) {
    if (!reduced[axis]) continue;
    if (result.dims[axis] == 0) throw std::runtime_error("a reduction of nothing");
    const std::vector<int64_t> steps = dense_steps(result.dims);
    Dims dims = result.dims;
    dims[axis] = 1;
    Tensor sum = rearranged(result, dims, 0, steps);
    for (uint32_t i = 1; i < result.dims[axis]; ++i) {
      sum = combined(kSteps.at(context.node.op), sum, rearranged(result, dims, i * steps[axis], steps));
    }
    result = std::move(sum);
  }
  if (keep) return result;
  Dims dims;
  for (size_t axis = 0; axis < reduced.size(); ++axis) {
    if (!reduced[axis]) dims.push_back(result.dims[axis]);
  }
  result.dims = std::move(dims);
  return result;
}

Tensor fold_quantize(FoldContext& context) {
  const Tensor& data = context.in(0);
  const NodeQuantisation found = quantisation_of(context.conversion, context.node, data.dims.size());
  if (!found.problem.empty()) throw std::runtime_error(found.problem);
  for (const char* checked : {"axis", "block_size", "saturate", "precision", "output_dtype"})
    context.attributes.has(checked);
  const Quantisation& quantisation = found.quantisation;
  const bool fits = quantisation.axis < data.dims.size() && data.dims[quantisation.axis] == quantisation.scales.size();
  if (!quantisation.per_tensor() && !fits) {
    throw std::runtime_error(std::to_string(quantisation.scales.size()) + " scales for shape " + dims_text(data.dims));
  }
  size_t inner = 1;
  for (size_t i = quantisation.axis + 1; i < data.dims.size(); ++i) inner *= data.dims[i];
  std::vector<double> values = reals_of(data);
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t channel = quantisation.per_tensor() ? 0 : i / inner % quantisation.scales.size();
    const auto scaled = static_cast<float>(values[i]) / quantisation.scales[channel];
    values[i] = half_to_even(scaled) + quantisation.zero_points[channel];
  }
  return make_tensor(found.type, data.dims, values);
}

}  // namespace avocet::tools::onnx
