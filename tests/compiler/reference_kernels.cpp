// SPDX-License-Identifier: Apache-2.0
#include "reference_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "avocet_l2_normalise.h"
#include "avocet_requantise.h"
#include "avocet_softmax.h"

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
      for (uint32_t tensor : op.outputs)
        tensors_[tensor].assign(elements(graph_.tensors[tensor]) * (graph_.tensors[tensor].type == ElementType::kInt32 ? 4 : 1), 0);
      switch (op.type) {
        case OperationType::kConv2d:
          convolution(op, false);
          break;
        case OperationType::kDepthwiseConv2d:
          convolution(op, true);
          break;
        case OperationType::kGroupedConv2d:
          convolution(op, false);
          break;
        case OperationType::kTransposeConv2d:
          transposed(op);
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
        case OperationType::kMultiply:
        case OperationType::kMaximum:
        case OperationType::kMinimum:
        case OperationType::kPrelu:
          binary(op);
          break;
        case OperationType::kTable:
          for (size_t i = 0; i < tensors_[op.outputs[0]].size(); ++i)
            tensors_[op.outputs[0]][i] = op.table[tensors_[op.inputs[0]][i]];
          break;
        case OperationType::kReduceSum:
        case OperationType::kReduceMaximum:
        case OperationType::kReduceMinimum:
          reduce(op);
          break;
        case OperationType::kArgMaximum:
        case OperationType::kArgMinimum:
          find(op);
          break;
        case OperationType::kSoftmax:
        case OperationType::kL2Normalise:
          slices(op);
          break;
        case OperationType::kResizeBilinear:
          resize(op);
          break;
        case OperationType::kMovement:
          for (const MovementBox& box : op.movement.boxes) move(op, box, 0, box.from, box.to);
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
    const uint32_t kh = w.dims[1], kw = w.dims[2], ci = in.dims[3], co = out.dims[3];
    // Output channel c reads `depth` input channels, from its group's first on.
    const uint32_t multiplier = depthwise ? co / ci : co / a.groups, depth = depthwise ? 1 : ci / a.groups;
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
                for (uint32_t k = 0; k < depth; ++k) {
                  const uint64_t weight =
                      depthwise ? (uint64_t{ky} * kw + kx) * co + c : ((uint64_t{c} * kh + ky) * kw + kx) * depth + k;
                  sum += static_cast<uint32_t>((value(in, cell[c / multiplier * depth + k]) - in.zero_point) *
                                               (value(w, tensors_[op.inputs[1]][weight]) - w.zero_point));
                }
              }
            result[at] = requantised(op, c, sum, in_double, b);
          }
  }

  /// Every input spreads over the outputs.
  void transposed(const Operation& op) {
    const Tensor &in = input(op), &w = input(op, 1), &out = output(op);
    const Attributes& a = op.attributes;
    const uint32_t kh = w.dims[1], kw = w.dims[2], ci = in.dims[3], co = out.dims[3];
    std::vector<uint32_t> sums(elements(out));
    for (uint32_t n = 0; n < in.dims[0]; ++n)
      for (uint32_t y = 0; y < in.dims[1]; ++y)
        for (uint32_t x = 0; x < in.dims[2]; ++x)
          for (uint32_t ky = 0; ky < kh; ++ky)
            for (uint32_t kx = 0; kx < kw; ++kx) {
              const int64_t row = int64_t{y} * a.stride_y + ky - a.pad_top, column = int64_t{x} * a.stride_x + kx - a.pad_left;
              if (row < 0 || row >= out.dims[1] || column < 0 || column >= out.dims[2]) continue;
              for (uint32_t c = 0; c < co; ++c)
                for (uint32_t k = 0; k < ci; ++k) {
                  const uint8_t cell = tensors_[op.inputs[0]][((uint64_t{n} * in.dims[1] + y) * in.dims[2] + x) * ci + k];
                  const uint8_t weight = tensors_[op.inputs[1]][((uint64_t{c} * kh + ky) * kw + kx) * ci + k];
                  sums[((uint64_t{n} * out.dims[1] + static_cast<uint64_t>(row)) * out.dims[2] + static_cast<uint64_t>(column)) * co + c] +=
                      static_cast<uint32_t>((value(in, cell) - in.zero_point) * (value(w, weight) - w.zero_point));
                }
            }
    const Bounds b = bounds(a.activation, out);
    const bool in_double = in.type == ElementType::kInt8 || !w.channel_scales.empty();
    for (size_t i = 0; i < sums.size(); ++i)
      tensors_[op.outputs[0]][i] = requantised(op, static_cast<uint32_t>(i % co), sums[i], in_double, b);
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

  /// Element of input i for element `at` of the output: extents of 1 and missing axes in front repeat.
  int32_t operand(const Operation& op, size_t i, size_t at) const {
    const Tensor &t = input(op, i), &out = output(op);
    size_t index = 0, stride = 1;
    for (size_t back = 1; back <= out.dims.size(); ++back) {
      const size_t place = at % out.dims[out.dims.size() - back];
      at /= out.dims[out.dims.size() - back];
      if (back > t.dims.size()) continue;
      const uint32_t extent = t.dims[t.dims.size() - back];
      if (extent > 1) index += place * stride;
      stride *= extent;
    }
    return value(t, tensors_[op.inputs[i]][index]);
  }

  void add(const Operation& op) {
    const Tensor &a = input(op, 0), &b = input(op, 1), &out = output(op);
    const Bounds limits = bounds(op.attributes.activation, out);
    const double twice = 2.0 * std::max(double{a.scale}, double{b.scale});
    const Multiplier ma = multiplier_of(a.scale / twice), mb = multiplier_of(b.scale / twice);
    const Multiplier mo = multiplier_of(twice / (1048576.0 * out.scale));
    for (size_t i = 0; i < tensors_[op.outputs[0]].size(); ++i) {
      const int32_t va = avocet_requantise((operand(op, 0, i) - a.zero_point) * 1048576, ma.q, ma.shift);
      const int32_t vb = avocet_requantise((operand(op, 1, i) - b.zero_point) * 1048576, mb.q, mb.shift);
      const int32_t sum = op.attributes.subtract ? va - vb : va + vb;
      tensors_[op.outputs[0]][i] = clamped(avocet_requantise(sum, mo.q, mo.shift) + out.zero_point, limits);
    }
  }

  void binary(const Operation& op) {
    const Tensor &a = input(op, 0), &b = input(op, 1), &out = output(op);
    const Bounds limits = bounds(op.attributes.activation, out);
    const Multiplier product = multiplier_of(double{a.scale} * double{b.scale} / double{out.scale});
    const float in_float = a.scale * 1.0f, slopes_in_float = a.scale * b.scale;
    const Multiplier positive = multiplier_of(in_float / out.scale), negative = multiplier_of(slopes_in_float / out.scale);
    for (size_t i = 0; i < tensors_[op.outputs[0]].size(); ++i) {
      const int32_t x = operand(op, 0, i), y = operand(op, 1, i), cx = x - a.zero_point, cy = y - b.zero_point;
      int32_t result = 0;
      switch (op.type) {
        case OperationType::kMultiply:
          result = avocet_requantise(cx * cy, product.q, product.shift) + out.zero_point;
          break;
        case OperationType::kMaximum:
          result = std::max(x, y);
          break;
        case OperationType::kMinimum:
          result = std::min(x, y);
          break;
        default:
          result = out.zero_point + (cx >= 0 ? avocet_requantise(cx, positive.q, positive.shift)
                                             : avocet_requantise(cx * cy, negative.q, negative.shift));
      }
      tensors_[op.outputs[0]][i] = clamped(result, limits);
    }
  }

  /// Calls body(elements of a run along axis 1 of input 0, or its last one across channels; where each of them lies).
  template <typename Body>
  void for_runs(const Operation& op, Body body) const {
    std::vector<uint32_t> dims = input(op).dims;
    if (op.attributes.across_channels) dims = {static_cast<uint32_t>(elements(input(op)) / dims.back()), dims.back(), 1};
    for (uint32_t o = 0; o < dims[0]; ++o)
      for (uint32_t i = 0; i < dims[2]; ++i) {
        std::vector<size_t> places;
        std::vector<int32_t> values;
        for (uint32_t a = 0; a < dims[1]; ++a) {
          places.push_back((size_t{o} * dims[1] + a) * dims[2] + i);
          values.push_back(value(input(op), tensors_[op.inputs[0]][places.back()]));
        }
        body(values, places, size_t{o} * dims[2] + i);
      }
  }

  void reduce(const Operation& op) {
    const Tensor &in = input(op), &out = output(op);
    const FixedScale& scale = op.attributes.scale;
    for_runs(op, [&](const std::vector<int32_t>& values, const std::vector<size_t>&, size_t run) {
      int32_t result = 0, sum = 0;
      for (int32_t v : values) sum += v - in.zero_point;
      if (op.type == OperationType::kReduceSum) result = avocet_requantise(sum, scale.multiplier, scale.shift) + out.zero_point;
      if (op.type == OperationType::kReduceMaximum) result = *std::max_element(values.begin(), values.end());
      if (op.type == OperationType::kReduceMinimum) result = *std::min_element(values.begin(), values.end());
      tensors_[op.outputs[0]][run] = clamped(result, {lowest(out), highest(out)});
    });
  }

  void find(const Operation& op) {
    for_runs(op, [&](const std::vector<int32_t>& values, const std::vector<size_t>&, size_t run) {
      int32_t index = 0;
      for (int32_t i = 0; i < static_cast<int32_t>(values.size()); ++i) {
        const int32_t here = values[static_cast<size_t>(i)], best = values[static_cast<size_t>(index)];
        if (op.type == OperationType::kArgMaximum ? here > best : here < best) index = i;
      }
      std::memcpy(&tensors_[op.outputs[0]][run * sizeof index], &index, sizeof index);
    });
  }

  void slices(const Operation& op) {
    const Tensor &in = input(op), &out = output(op);
    const Bounds limits{lowest(out), highest(out)};
    for_runs(op, [&](const std::vector<int32_t>& values, const std::vector<size_t>& places, size_t) {
      if (op.type == OperationType::kSoftmax) {
        const int32_t top = *std::max_element(values.begin(), values.end());
        const auto exponential = [&](int32_t v) {
          int32_t e;
          std::memcpy(&e, op.table.data() + size_t{4} * static_cast<size_t>(top - v), 4);
          return e;
        };
        int64_t sum = 0;
        for (int32_t v : values) sum += avocet_softmax_term(exponential(v));
        const avocet_softmax_divisor divisor = avocet_softmax_divide(sum);
        for (size_t i = 0; i < values.size(); ++i)
          tensors_[op.outputs[0]][places[i]] =
              clamped(out.zero_point + avocet_softmax_quotient(exponential(values[i]), &divisor), limits);
        return;
      }
      int64_t squares = 0;
      for (int32_t v : values) squares += int64_t{v - in.zero_point} * (v - in.zero_point);
      const avocet_inverse_square_root root = avocet_inverse_square_root_of(squares);
      for (size_t i = 0; i < values.size(); ++i) {
        const int32_t centred = (values[i] - in.zero_point) * (1 << op.attributes.left_shift);
        tensors_[op.outputs[0]][places[i]] =
            clamped(out.zero_point + avocet_requantise(centred, root.multiplier, avocet_l2_normalise_shift(root, op.attributes.out_shift)), limits);
      }
    });
  }

  void resize(const Operation& op) {
    const Tensor &in = input(op), &out = output(op);
    const Resampling& r = op.attributes.resampling;
    const auto cell = [&](uint32_t n, int64_t y, int64_t x, uint32_t c) {
      return int64_t{value(in, tensors_[op.inputs[0]][((size_t{n} * in.dims[1] + static_cast<size_t>(y)) * in.dims[2] + static_cast<size_t>(x)) * in.dims[3] + c])};
    };
    size_t at = 0;
    for (uint32_t n = 0; n < out.dims[0]; ++n)
      for (uint32_t y = 0; y < out.dims[1]; ++y)
        for (uint32_t x = 0; x < out.dims[2]; ++x)
          for (uint32_t c = 0; c < out.dims[3]; ++c, ++at) {
            const int64_t py = std::clamp<int64_t>(r.y_start + int64_t{y} * r.y_step, 0, (int64_t{in.dims[1]} - 1) * 1024);
            const int64_t px = std::clamp<int64_t>(r.x_start + int64_t{x} * r.x_step, 0, (int64_t{in.dims[2]} - 1) * 1024);
            const int64_t y0 = py / 1024, x0 = px / 1024, fy = py % 1024, fx = px % 1024;
            const int64_t y1 = std::min<int64_t>(y0 + 1, in.dims[1] - 1), x1 = std::min<int64_t>(x0 + 1, in.dims[2] - 1);
            const int64_t sum = cell(n, y0, x0, c) * (1024 - fy) * (1024 - fx) + cell(n, y1, x0, c) * fy * (1024 - fx) +
                                cell(n, y0, x1, c) * (1024 - fy) * fx + cell(n, y1, x1, c) * fy * fx;
            tensors_[op.outputs[0]][at] = static_cast<uint8_t>((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
          }
  }

  void move(const Operation& op, const MovementBox& box, size_t dim, uint64_t from, uint64_t to) {
    if (dim < box.dims.size()) {
      for (uint64_t i = 0; i < box.dims[dim].count; ++i)
        move(op, box, dim + 1, from + i * box.dims[dim].from_stride, to + i * box.dims[dim].to_stride);
      return;
    }
    for (uint64_t i = 0; i < box.run; ++i)
      tensors_[op.outputs[box.output]].at(to + i) = box.input == MovementBox::kFill
                                                        ? op.movement.fill_value
                                                        : tensors_[op.inputs[box.input]].at(from + i);
  }

  const Graph& graph_;
  std::vector<Bytes> tensors_;
};

}  // namespace

std::vector<Bytes> run_reference(const Graph& graph, const std::vector<Bytes>& inputs) {
  return Reference(graph, inputs).run();
}

}  // namespace avocet::compiler::test
