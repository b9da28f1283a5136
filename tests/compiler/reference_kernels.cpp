// SPDX-License-Identifier: Apache-2.0
#include "reference_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "avocet_requantise.h"

namespace avocet::compiler::test {
namespace {

struct Multiplier {
  int32_t q = 0;
  int shift = 0;
};

Multiplier multiplier_of(double real) {
  if (real == 0.0) return {};
  int exponent = 0;
  auto q = static_cast<int64_t>(std::round(std::frexp(real, &exponent) * 2147483648.0));
  if (q == int64_t{1} << 31) {
    q = int64_t{1} << 30;
    ++exponent;
  }
  if (exponent < -31) return {};
  return {static_cast<int32_t>(q), exponent};
}

int32_t lowest(const Tensor& t) { return t.type == ElementType::kUint8 ? 0 : -128; }
int32_t highest(const Tensor& t) { return t.type == ElementType::kUint8 ? 255 : 127; }

int32_t value(const Tensor& t, uint8_t byte) {
  return t.type == ElementType::kUint8 ? byte : static_cast<int8_t>(byte);
}

struct Bounds {
  int32_t min, max;
};

Bounds bounds(Activation activation, const Tensor& t) {
  Bounds b{lowest(t), highest(t)};
  const auto level = [&](float real) { return t.zero_point + static_cast<int32_t>(std::round(real / t.scale)); };
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kRelu:
      b.min = std::max(b.min, level(0));
      break;
    case Activation::kRelu1:
      b = {std::max(b.min, level(-1)), std::min(b.max, level(1))};
      break;
    case Activation::kRelu6:
      b = {std::max(b.min, level(0)), std::min(b.max, level(6))};
      break;
  }
  return b;
}

uint8_t clamped(int32_t v, const Bounds& b) { return static_cast<uint8_t>(std::clamp(v, b.min, b.max)); }

class Reference {
 public:
  Reference(const Graph& graph, const std::vector<Bytes>& inputs) : graph_(graph), tensors_(graph.tensors.size()) {
    for (size_t i = 0; i < graph.tensors.size(); ++i) {
      const Tensor& t = graph.tensors[i];
      if (!t.data) continue;
      tensors_[i].resize(elements(t) * (t.type == ElementType::kInt32 ? 4 : 1));
      std::memcpy(tensors_[i].data(), t.data, tensors_[i].size());
    }
    for (size_t i = 0; i < inputs.size(); ++i) tensors_[graph.inputs[i]] = inputs[i];
  }

  std::vector<Bytes> run() {
    for (const Operation& op : graph_.operations) {
      tensors_[op.outputs[0]].assign(elements(output(op)), 0);
      switch (op.type) {
        case OperationType::kConv2d:
          convolution(op, false);
          break;
        case OperationType::kDepthwiseConv2d:
          convolution(op, true);
          break;
        case OperationType::kFullyConnected:
          fully_connected(op);
          break;
        case OperationType::kAveragePool2d:
          pool(op, true);
          break;
        case OperationType::kMaxPool2d:
          pool(op, false);
          break;
        case OperationType::kAdd:
          add(op);
          break;
        case OperationType::kReshape:
          tensors_[op.outputs[0]] = tensors_[op.inputs[0]];
          break;
      }
    }
    return std::move(tensors_);
  }

 private:
  static size_t elements(const Tensor& t) {
    size_t n = 1;
    for (uint32_t d : t.dims) n *= d;
    return n;
  }
  const Tensor& input(const Operation& op, size_t i = 0) const { return graph_.tensors[op.inputs[i]]; }
  const Tensor& output(const Operation& op) const { return graph_.tensors[op.outputs[0]]; }

  int32_t bias(const Operation& op, uint32_t channel) const {
    int32_t b;
    std::memcpy(&b, tensors_[op.inputs[2]].data() + size_t{channel} * 4, 4);
    return b;
  }

  Multiplier weight_multiplier(const Operation& op, uint32_t channel, bool in_double) const {
    const Tensor& w = input(op, 1);
    const float scale = w.channel_scales.empty() ? w.scale : w.channel_scales[channel];
    if (in_double) return multiplier_of(double{input(op).scale} * double{scale} / double{output(op).scale});
    const float product = input(op).scale * scale;
    return multiplier_of(double{product} / double{output(op).scale});
  }

  uint8_t requantised(const Operation& op, uint32_t channel, uint32_t sum, bool in_double, const Bounds& b) const {
    const Multiplier m = weight_multiplier(op, channel, in_double);
    const auto biased = static_cast<int32_t>(sum + static_cast<uint32_t>(bias(op, channel)));
    const int64_t scaled = int64_t{avocet_requantise(biased, m.q, m.shift)} + output(op).zero_point;
    return clamped(static_cast<int32_t>(std::clamp<int64_t>(scaled, -1000000, 1000000)), b);
  }

  void convolution(const Operation& op, bool depthwise) {
    const Tensor &in = input(op), &w = input(op, 1), &out = output(op);
    const Attributes& a = op.attributes;
    const Bounds b = bounds(a.activation, out);
    const bool in_double = in.type == ElementType::kInt8 || !w.channel_scales.empty();
    const uint32_t kh = w.dims[1], kw = w.dims[2], ci = in.dims[3], co = out.dims[3], multiplier = co / ci;
    Bytes& result = tensors_[op.outputs[0]];
    size_t at = 0;
    for (uint32_t n = 0; n < out.dims[0]; ++n)
      for (uint32_t y = 0; y < out.dims[1]; ++y)
        for (uint32_t x = 0; x < out.dims[2]; ++x)
          for (uint32_t c = 0; c < co; ++c, ++at) {
            uint32_t sum = 0;
            for (uint32_t ky = 0; ky < kh; ++ky)
              for (uint32_t kx = 0; kx < kw; ++kx) {
                const int64_t row = int64_t{y} * a.stride_y + int64_t{ky} * a.dilation_y - a.pad_top;
                const int64_t column = int64_t{x} * a.stride_x + int64_t{kx} * a.dilation_x - a.pad_left;
                if (row < 0 || row >= in.dims[1] || column < 0 || column >= in.dims[2]) continue;
                const uint8_t* cell =
                    &tensors_[op.inputs[0]][((uint64_t{n} * in.dims[1] + static_cast<uint64_t>(row)) * in.dims[2] +
                                             static_cast<uint64_t>(column)) *
                                            ci];
                for (uint32_t k = depthwise ? c / multiplier : 0; k < (depthwise ? c / multiplier + 1 : ci); ++k) {
                  const uint64_t weight =
                      depthwise ? (uint64_t{ky} * kw + kx) * co + c : ((uint64_t{c} * kh + ky) * kw + kx) * ci + k;
                  sum += static_cast<uint32_t>((value(in, cell[k]) - in.zero_point) *
                                               (value(w, tensors_[op.inputs[1]][weight]) - w.zero_point));
                }
              }
            result[at] = requantised(op, c, sum, in_double, b);
          }
  }

  void fully_connected(const Operation& op) {
    const Tensor &in = input(op), &w = input(op, 1);
    const Bounds b = bounds(op.attributes.activation, output(op));
    const uint32_t units = w.dims[0], k = w.dims[1];
    const size_t batch = elements(in) / k;
    for (size_t n = 0; n < batch; ++n)
      for (uint32_t c = 0; c < units; ++c) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < k; ++i)
          sum += static_cast<uint32_t>((value(in, tensors_[op.inputs[0]][n * k + i]) - in.zero_point) *
                                       (value(w, tensors_[op.inputs[1]][size_t{c} * k + i]) - w.zero_point));
        tensors_[op.outputs[0]][n * units + c] = requantised(op, c, sum, !w.channel_scales.empty(), b);
      }
  }

  void pool(const Operation& op, bool average) {
    const Tensor &in = input(op), &out = output(op);
    const Attributes& a = op.attributes;
    const Bounds b = bounds(a.activation, out);
    size_t at = 0;
    for (uint32_t n = 0; n < out.dims[0]; ++n)
      for (uint32_t y = 0; y < out.dims[1]; ++y)
        for (uint32_t x = 0; x < out.dims[2]; ++x)
          for (uint32_t c = 0; c < out.dims[3]; ++c, ++at) {
            int32_t sum = 0, cells = 0, largest = -128;
            for (uint32_t ky = 0; ky < a.window_y; ++ky)
              for (uint32_t kx = 0; kx < a.window_x; ++kx) {
                const int64_t row = int64_t{y} * a.stride_y + ky - a.pad_top,
                              column = int64_t{x} * a.stride_x + kx - a.pad_left;
                if (row < 0 || row >= in.dims[1] || column < 0 || column >= in.dims[2]) continue;
                const int32_t v = value(
                    in, tensors_[op.inputs[0]][((uint64_t{n} * in.dims[1] + static_cast<uint64_t>(row)) * in.dims[2] +
                                                static_cast<uint64_t>(column)) *
                                                   in.dims[3] +
                                               c]);
                sum += v;
                largest = std::max(largest, v);
                ++cells;
              }
            const int32_t mean = sum > 0 ? (sum + cells / 2) / cells : (sum - cells / 2) / cells;
            tensors_[op.outputs[0]][at] = clamped(average ? mean : largest, b);
          }
  }

  void add(const Operation& op) {
    const Tensor &a = input(op, 0), &b = input(op, 1), &out = output(op);
    const Bounds limits = bounds(op.attributes.activation, out);
    const double twice = 2.0 * std::max(double{a.scale}, double{b.scale});
    const Multiplier ma = multiplier_of(a.scale / twice), mb = multiplier_of(b.scale / twice);
    const Multiplier mo = multiplier_of(twice / (1048576.0 * out.scale));
    for (size_t i = 0; i < tensors_[op.outputs[0]].size(); ++i) {
      const int32_t va = (value(a, tensors_[op.inputs[0]][i]) - a.zero_point) * 1048576;
      const int32_t vb = (value(b, tensors_[op.inputs[1]][i]) - b.zero_point) * 1048576;
      const int32_t sum = avocet_requantise(va, ma.q, ma.shift) + avocet_requantise(vb, mb.q, mb.shift);
      tensors_[op.outputs[0]][i] = clamped(avocet_requantise(sum, mo.q, mo.shift) + out.zero_point, limits);
    }
  }

  const Graph& graph_;
  std::vector<Bytes> tensors_;
};

}  // namespace

std::vector<Bytes> run_reference(const Graph& graph, const std::vector<Bytes>& inputs) {
  return Reference(graph, inputs).run();
}

}  // namespace avocet::compiler::test
