// SPDX-License-Identifier: Apache-2.0
// Pools and resizing.
#include "naive_window.hpp"

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

/// The real numbers that one output element of a pool sees.
using Cells = std::vector<double>;

void pool(Call& call, const std::function<double(const Cells&)>& combine) {
  const bool is_explicit = call.input_count() >= 10;
  Window window = read_window(call, 1, is_explicit, true, false);
  const Value& input = call.in(0);
  const ImageView image{input.dims, window.nchw};
  window.place(image.height(), image.width());
  const auto out_height = static_cast<uint32_t>(window.height.output(image.height()));
  const auto out_width = static_cast<uint32_t>(window.width.output(image.width()));
  Expected& out = call.out(0);
  out.resize(ImageView::dims_of(window.nchw, image.batches(), out_height, out_width, image.channels()));
  const ImageView result{out.dims, window.nchw};
  for (uint32_t n = 0; n < image.batches(); ++n) {
    for (uint32_t y = 0; y < out_height; ++y) {
      for (uint32_t x = 0; x < out_width; ++x) {
        for (uint32_t c = 0; c < image.channels(); ++c) {
          Cells cells;
          for (int64_t h = y * window.height.stride - window.height.before, i = 0; i < window.height.filter; ++i, ++h) {
            for (int64_t w = x * window.width.stride - window.width.before, j = 0; j < window.width.filter; ++j, ++w) {
              if (h < 0 || w < 0 || h >= image.height() || w >= image.width()) continue;
              cells.push_back(input.real[image.index(n, h, w, c)]);
            }
          }
          const size_t at = result.index(n, y, x, c);
          if (cells.empty()) {
            out.leave_open(at);  // the API does not say what a window wholly in the padding gives
            continue;
          }
          out.real[at] = activate(window.activation, combine(cells));
          ErrorBoundedSum sum;
          for (const double cell : cells) sum.add(cell);
          if (is_float_type(out.type)) out.set_slack(at, sum.slack());
        }
      }
    }
  }
}

/// Where output positions lie in the input, along one side.
struct Resampling {
  double in = 0, out = 0;
  bool align_corners = false, half_pixel = false;

  double scale() const { return align_corners && out > 1 ? (in - 1) / (out - 1) : in / out; }
};

struct Resize {
  Resampling height, width;
  bool nchw = false;
};

Resize read_resize(Call& call) {
  const Value& input = call.in(0);
  Resize resize;
  resize.nchw = call.flag(3);
  const ImageView image{input.dims, resize.nchw};
  const auto side = [&](size_t scalar, uint32_t in) {
    Resampling r{.in = static_cast<double>(in), .out = call.number(scalar), .align_corners = call.flag(4), .half_pixel = call.flag(5)};
    if (call.in(scalar).type != ANEURALNETWORKS_INT32) r.out = std::floor(r.in * r.out);
    return r;
  };
  resize.width = side(1, image.width());
  resize.height = side(2, image.height());
  call.out(0).resize(ImageView::dims_of(resize.nchw, image.batches(), static_cast<uint32_t>(resize.height.out),
                                        static_cast<uint32_t>(resize.width.out), image.channels()));
  return resize;
}

/// The two cells around a position and the share of the second.
struct Neighbours {
  size_t low = 0, high = 0;
  double share = 0;
};

Neighbours neighbours(const Resampling& side, uint32_t position) {
  const double at = side.half_pixel ? (position + 0.5) * side.scale() - 0.5 : position * side.scale();
  const double low = std::max(std::floor(at), 0.0);
  Neighbours n;
  n.low = static_cast<size_t>(std::min(low, side.in - 1));
  n.high = static_cast<size_t>(std::min(std::max(std::ceil(at), 0.0), side.in - 1));
  if (!side.half_pixel) n.high = static_cast<size_t>(std::min(low + 1, side.in - 1));
  n.share = at - low;
  return n;
}

/// The nearest cells; more than one where float32 arithmetic may fall on either side of an edge.
std::vector<size_t> nearest(const Resampling& side, uint32_t position) {
  const double at = (side.half_pixel ? position + 0.5 : position) * side.scale();
  std::vector<size_t> cells;
  for (const double doubt : {0.0, -1e-5, 1e-5}) {
    const double moved = at + doubt;
    const double cell = side.align_corners ? std::round(moved) : std::floor(moved);
    const auto index = static_cast<size_t>(std::clamp(cell, 0.0, side.in - 1));
    if (std::find(cells.begin(), cells.end(), index) == cells.end()) cells.push_back(index);
  }
  return cells;
}

}  // namespace

void average_pool_2d(Call& call) {
  pool(call, [](const Cells& cells) {
    double sum = 0;
    for (const double cell : cells) sum += cell;
    return sum / static_cast<double>(cells.size());
  });
}

void max_pool_2d(Call& call) {
  pool(call, [](const Cells& cells) { return *std::max_element(cells.begin(), cells.end()); });
}

void l2_pool_2d(Call& call) {
  pool(call, [](const Cells& cells) {
    double sum = 0;
    for (const double cell : cells) sum += cell * cell;
    return std::sqrt(sum / static_cast<double>(cells.size()));
  });
}

void resize_bilinear(Call& call) {
  const Resize resize = read_resize(call);
  const Value& input = call.in(0);
  Expected& out = call.out(0);
  const ImageView image{input.dims, resize.nchw}, result{out.dims, resize.nchw};
  double lowest = 0, highest = 0;
  for (const double v : input.real) {
    lowest = std::min(lowest, v);
    highest = std::max(highest, v);
  }
  for (uint32_t n = 0; n < result.batches(); ++n) {
    for (uint32_t y = 0; y < result.height(); ++y) {
      const Neighbours v = neighbours(resize.height, y);
      for (uint32_t x = 0; x < result.width(); ++x) {
        const Neighbours u = neighbours(resize.width, x);
        for (uint32_t c = 0; c < result.channels(); ++c) {
          const auto cell = [&](size_t h, size_t w) { return input.real[image.index(n, h, w, c)]; };
          const double top = cell(v.low, u.low) * (1 - u.share) + cell(v.low, u.high) * u.share;
          const double bottom = cell(v.high, u.low) * (1 - u.share) + cell(v.high, u.high) * u.share;
          const size_t i = result.index(n, y, x, c);
          out.real[i] = top * (1 - v.share) + bottom * v.share;
          const auto [least, most] = std::minmax({cell(v.low, u.low), cell(v.low, u.high), cell(v.high, u.low), cell(v.high, u.high)});
          const double largest = std::max(std::fabs(least), std::fabs(most));
          if (is_float_type(out.type)) out.set_slack(i, largest * (resize.height.in + resize.width.in + 4) * 0x1p-22);
          // Signed bytes are resized with scales of 10 fraction bits: each output position adds half a bit.
          if (out.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED) out.set_slack(i, (highest - lowest) * (y + x + 2) * 0x1p-11);
        }
      }
    }
  }
}

void resize_nearest_neighbor(Call& call) {
  const Resize resize = read_resize(call);
  const Value& input = call.in(0);
  Expected& out = call.out(0);
  const ImageView image{input.dims, resize.nchw}, result{out.dims, resize.nchw};
  for (uint32_t n = 0; n < result.batches(); ++n) {
    for (uint32_t y = 0; y < result.height(); ++y) {
      const std::vector<size_t> rows = nearest(resize.height, y);
      for (uint32_t x = 0; x < result.width(); ++x) {
        const std::vector<size_t> columns = nearest(resize.width, x);
        for (uint32_t c = 0; c < result.channels(); ++c) {
          const size_t i = result.index(n, y, x, c);
          out.real[i] = input.real[image.index(n, rows[0], columns[0], c)];
          if (rows.size() * columns.size() == 1) continue;
          for (const size_t h : rows) {
            for (const size_t w : columns) out.alternatives[i].push_back(input.stored(image.index(n, h, w, c)));
          }
        }
      }
    }
  }
}

}  // namespace avocet::random_models::naive
