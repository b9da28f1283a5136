// SPDX-License-Identifier: Apache-2.0
// Operations on the elements of one tensor: activations, elementary functions, conversions between types.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

void map(Call& call, const std::function<double(double)>& function) {
  Expected& out = call.out(0);
  out.resize(call.in(0).dims);
  for (size_t i = 0; i < out.real.size(); ++i) out.real[i] = function(call.in(0).real[i]);
}

}  // namespace

void relu(Call& call) { map(call, [](double x) { return activate(ANEURALNETWORKS_FUSED_RELU, x); }); }
void relu1(Call& call) { map(call, [](double x) { return activate(ANEURALNETWORKS_FUSED_RELU1, x); }); }
void relu6(Call& call) { map(call, [](double x) { return activate(ANEURALNETWORKS_FUSED_RELU6, x); }); }
void logistic(Call& call) { map(call, [](double x) { return 1 / (1 + std::exp(-x)); }); }
void tanh(Call& call) { map(call, [](double x) { return std::tanh(x); }); }
void floor(Call& call) { map(call, [](double x) { return std::floor(x); }); }
void exp(Call& call) { map(call, [](double x) { return std::exp(x); }); }
void log(Call& call) { map(call, [](double x) { return std::log(x); }); }
void rsqrt(Call& call) { map(call, [](double x) { return 1 / std::sqrt(x); }); }
void sqrt(Call& call) { map(call, [](double x) { return std::sqrt(x); }); }
void logical_not(Call& call) { map(call, [](double x) { return x == 0 ? 1.0 : 0.0; }); }

/// Beyond some millions float32 arguments are coarser than the result's tolerance, but they are exact inputs: the sine of
/// the number that is stored is the answer.
void sin(Call& call) { map(call, [](double x) { return std::sin(x); }); }

void elu(Call& call) {
  const double alpha = call.number(1);
  map(call, [&](double x) { return std::max(0.0, x) + std::min(0.0, alpha * (std::exp(x) - 1)); });
}

void hard_swish(Call& call) {
  map(call, [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; });
}

void abs(Call& call) {
  map(call, [](double x) { return std::fabs(x); });
  for (size_t i = 0; i < call.out(0).real.size(); ++i) {
    if (call.in(0).type == ANEURALNETWORKS_TENSOR_INT32 && call.in(0).real[i] == -2147483648.0) call.out(0).leave_open(i);
  }
}

void neg(Call& call) {
  map(call, [](double x) { return -x; });
  for (size_t i = 0; i < call.out(0).real.size(); ++i) {
    if (call.in(0).type == ANEURALNETWORKS_TENSOR_INT32 && call.in(0).real[i] == -2147483648.0) call.out(0).leave_open(i);
  }
}

/// Scale and zero point are ignored. Real numbers lose their fraction; numbers that the new type cannot hold are open, except
/// that TENSOR_QUANT8_ASYMM saturates.
void cast(Call& call) {
  const Value& in = call.in(0);
  Expected& out = call.out(0);
  out.resize(in.dims);
  Value like;
  like.type = out.type;
  like.scale = out.scale;
  like.zero_point = out.zero_point;
  for (size_t i = 0; i < out.real.size(); ++i) {
    const double stored = in.stored(i);
    if (is_float_type(out.type)) {
      out.real[i] = stored;
      continue;
    }
    const StoredRange range = stored_range(out.type);
    const double whole = std::trunc(stored);
    if (out.type == ANEURALNETWORKS_TENSOR_INT32 && (whole < range.low || whole > range.high)) out.leave_open(i);
    out.real[i] = to_real(like, std::clamp(whole, range.low, range.high));
  }
}

void quantize(Call& call) { map(call, [](double x) { return x; }); }
void dequantize(Call& call) { map(call, [](double x) { return x; }); }

}  // namespace avocet::random_models::naive
