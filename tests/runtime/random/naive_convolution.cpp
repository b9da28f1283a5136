// SPDX-License-Identifier: Apache-2.0
// Convolutions and the fully connected layer: real inputs times real weights, added up in double.
#include "naive_rows.hpp"
#include "naive_window.hpp"

namespace avocet::random_models::naive {
namespace {

bool is_int32(const Call& call, size_t i) { return i < call.input_count() && call.in(i).type == ANEURALNETWORKS_INT32; }

/// Real value of the bias of an output channel. A bias without a scale belongs to a filter quantised per channel.
double bias_of(const Call& call, size_t channel) {
  const Value &input = call.in(0), &filter = call.in(1), &bias = call.in(2);
  if (filter.channel_scales.empty()) return bias.real[channel];
  return bias.real[channel] / bias.scale * input.scale * double{filter.channel_scales[channel]};
}

void store(Expected& out, size_t i, const ErrorBoundedSum& sum, int64_t activation) {
  out.real[i] = activate(activation, sum.value());
  if (is_float_type(out.type)) out.set_slack(i, sum.slack());
}

/// Where the channels of a filter stand: conv(out, h, w, in) or depthwise(1, h, w, out).
struct Channels {
  uint32_t out = 0;
  uint32_t in_each = 1;                             // channels of the input that one output channel sees
  std::function<size_t(uint32_t)> first_in;         // the first of them
  std::function<size_t(size_t, size_t, size_t, size_t)> filter_index;  // out, h, w, number of the input channel
};

void convolve(Call& call, Window window, const Channels& channels) {
  const Value &input = call.in(0), &filter = call.in(1);
  const ImageView image{input.dims, window.nchw};
  window.height.filter = filter.dims[1];
  window.width.filter = filter.dims[2];
  window.place(image.height(), image.width());
  const auto out_height = static_cast<uint32_t>(window.height.output(image.height()));
  const auto out_width = static_cast<uint32_t>(window.width.output(image.width()));
  Expected& out = call.out(0);
  out.resize(ImageView::dims_of(window.nchw, image.batches(), out_height, out_width, channels.out));
  const ImageView result{out.dims, window.nchw};
  for (uint32_t n = 0; n < image.batches(); ++n) {
    for (uint32_t y = 0; y < out_height; ++y) {
      for (uint32_t x = 0; x < out_width; ++x) {
        for (uint32_t c = 0; c < channels.out; ++c) {
          ErrorBoundedSum sum;
          for (uint32_t fy = 0; fy < filter.dims[1]; ++fy) {
            for (uint32_t fx = 0; fx < filter.dims[2]; ++fx) {
              const int64_t h = y * window.height.stride + fy * window.height.dilation - window.height.before;
              const int64_t w = x * window.width.stride + fx * window.width.dilation - window.width.before;
              if (h < 0 || w < 0 || h >= image.height() || w >= image.width()) continue;
              for (uint32_t k = 0; k < channels.in_each; ++k) {
                sum.add(input.real[image.index(n, h, w, channels.first_in(c) + k)] *
                        filter.real[channels.filter_index(c, fy, fx, k)]);
              }
            }
          }
          sum.add(bias_of(call, c));
          store(out, result.index(n, y, x, c), sum, window.activation);
        }
      }
    }
  }
}

Channels grouped_channels(const Value& filter, uint32_t groups) {
  const Dims& dims = filter.dims;
  return {.out = dims[0],
          .in_each = dims[3],
          .first_in = [=](uint32_t c) { return size_t{c / (dims[0] / groups)} * dims[3]; },
          .filter_index = [=](size_t c, size_t h, size_t w, size_t k) { return ((c * dims[1] + h) * dims[2] + w) * dims[3] + k; }};
}

}  // namespace

void conv_2d(Call& call) {
  convolve(call, read_window(call, 3, is_int32(call, 7), false, false), grouped_channels(call.in(1), 1));
}

void grouped_conv_2d(Call& call) {
  const Window window = read_window(call, 3, call.input_count() == 12, false, true);
  convolve(call, window, grouped_channels(call.in(1), static_cast<uint32_t>(window.extra)));
}

void depthwise_conv_2d(Call& call) {
  const Window window = read_window(call, 3, is_int32(call, 8), false, true);
  const Dims& dims = call.in(1).dims;
  const auto multiplier = static_cast<uint32_t>(window.extra);
  convolve(call, window,
           {.out = dims[3],
            .in_each = 1,
            .first_in = [=](uint32_t c) { return size_t{c / multiplier}; },
            .filter_index = [=](size_t c, size_t h, size_t w, size_t) { return (h * dims[2] + w) * dims[3] + c; }});
}

/// Each input pixel spreads its filter over the output; the padding cuts off the border.
void transpose_conv_2d(Call& call) {
  const Value &input = call.in(0), &filter = call.in(1);
  const bool is_explicit = call.input_count() == 11;
  Window window = read_window(call, is_explicit ? 3 : 4, is_explicit, false, false);
  const ImageView image{input.dims, window.nchw};
  window.height.filter = filter.dims[1];
  window.width.filter = filter.dims[2];
  const auto side = [&](WindowSide& s, int64_t in, size_t shape_index) {
    const int64_t spread = (in - 1) * s.stride + s.filter;
    if (is_explicit) return spread - s.before - s.after;
    const int64_t wanted = call.integers(3)[shape_index];
    s.before = window.same ? std::max<int64_t>(0, spread - wanted) / 2 : 0;
    return wanted;
  };
  const int64_t height = side(window.height, image.height(), window.nchw ? 2 : 1);
  const int64_t width = side(window.width, image.width(), window.nchw ? 3 : 2);
  Expected& out = call.out(0);
  const uint32_t depth_out = filter.dims[0];
  out.resize(ImageView::dims_of(window.nchw, image.batches(), static_cast<uint32_t>(height), static_cast<uint32_t>(width), depth_out));
  const ImageView result{out.dims, window.nchw};
  std::vector<ErrorBoundedSum> sums(out.real.size());
  for (uint32_t n = 0; n < image.batches(); ++n) {
    for (uint32_t h = 0; h < image.height(); ++h) {
      for (uint32_t w = 0; w < image.width(); ++w) {
        for (uint32_t fy = 0; fy < filter.dims[1]; ++fy) {
          for (uint32_t fx = 0; fx < filter.dims[2]; ++fx) {
            const int64_t y = h * window.height.stride + fy - window.height.before;
            const int64_t x = w * window.width.stride + fx - window.width.before;
            if (y < 0 || x < 0 || y >= height || x >= width) continue;
            for (uint32_t c = 0; c < depth_out; ++c) {
              for (uint32_t k = 0; k < image.channels(); ++k) {
                sums[result.index(n, y, x, c)].add(input.real[image.index(n, h, w, k)] *
                                                   filter.real[flat_index(filter.dims, {c, fy, fx, k})]);
              }
            }
          }
        }
      }
    }
  }
  for (uint32_t n = 0; n < image.batches(); ++n) {
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        for (uint32_t c = 0; c < depth_out; ++c) {
          const size_t i = result.index(n, y, x, c);
          sums[i].add(bias_of(call, c));
          store(out, i, sums[i], window.activation);
        }
      }
    }
  }
}

void fully_connected(Call& call) {
  const Value &input = call.in(0), &weights = call.in(1);
  const uint32_t units = weights.dims[0], depth = weights.dims[1];
  const auto batch = static_cast<uint32_t>(input.count() / depth);
  Expected& out = call.out(0);
  out.resize({batch, units});
  for (uint32_t b = 0; b < batch; ++b) {
    for (uint32_t u = 0; u < units; ++u) {
      ErrorBoundedSum sum;
      for (uint32_t k = 0; k < depth; ++k) sum.add(input.real[size_t{b} * depth + k] * weights.real[size_t{u} * depth + k]);
      sum.add(bias_of(call, u));
      store(out, size_t{b} * units + u, sum, call.integer(3));
    }
  }
}

}  // namespace avocet::random_models::naive
