// SPDX-License-Identifier: Apache-2.0
// Operations with sliding windows, the fully connected layer, and resizing.
#include <algorithm>
#include <cmath>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {
namespace {

/// One side of a window: stride, dilation and padding are drawn by the row, the filter here.
struct Side {
  int64_t input, stride, dilation, before, after;
  int64_t filter = 1;

  int64_t reach() const { return (filter - 1) * dilation + 1; }
  int64_t output(bool same) const {
    return same ? (input + stride - 1) / stride : (input + before + after - reach()) / stride + 1;
  }
};

constexpr size_t kMostElements = 3000;

bool is_same(OperationDraw& d) { return static_cast<int64_t>(d.scalar("padding_scheme", 0)) == ANEURALNETWORKS_PADDING_SAME; }

Side read_side(OperationDraw& d, bool height) {
  const auto number = [&](const char* name, double absent) { return static_cast<int64_t>(d.scalar(name, absent)); };
  return {.input = d.symbol(height ? "height" : "width"),
          .stride = number(height ? "stride_height" : "stride_width", 1),
          .dilation = number(height ? "dilation_height" : "dilation_width", 1),
          .before = number(height ? "padding_top" : "padding_left", 0),
          .after = number(height ? "padding_bottom" : "padding_right", 0)};
}

/// Filters that fit, and the output's extent.
bool draw_window(OperationDraw& d) {
  d.shape_input(0);
  for (const bool height : {true, false}) {
    Side side = read_side(d, height);
    side.filter = d.random.extent(1, 4);
    const int64_t room = is_same(d) ? std::max<int64_t>(side.input, 4) : side.input + side.before + side.after;
    while (side.filter > 1 && side.reach() > room) --side.filter;
    const int64_t out = side.output(is_same(d));
    if (out < 1 || side.input < 1) return false;
    d.set(height ? "filter_height" : "filter_width", static_cast<uint32_t>(side.filter));
    d.set(height ? "out_height" : "out_width", static_cast<uint32_t>(out));
  }
  return true;
}

/// Bias of the scale that belongs to it, and an output scale for sums of `terms` products. False: too much work for the
/// evaluator.
bool quantise_sums(OperationDraw& d, double terms) {
  OperandDraw &input = d.in[0], &filter = d.in[1], &bias = d.in[2], &out = d.out[0];
  d.shape_input(1);
  const double product = d.magnitude(0) * d.magnitude(1);
  filter.fresh = bias.fresh = true;
  if (is_quantised_type(input.type)) {
    bias.scale = filter.channel_scales.empty() ? input.scale * filter.scale : 0;
    bias.shape({d.symbol(d.has_symbol("units") ? "units" : "depth_out")});
    for (uint32_t i = 0; i < bias.dims[0]; ++i) bias.stored.push_back(static_cast<double>(d.random.between(-3000, 3000)));
  }
  d.quantise_for(out, product * std::sqrt(terms) / 2);
  return terms <= 700 && count_of(input.dims) <= kMostElements && count_of(filter.dims) <= kMostElements;
}

}  // namespace

bool conv_2d(OperationDraw& d) {
  if (!draw_window(d)) return false;
  return quantise_sums(d, double(d.symbol("filter_height")) * d.symbol("filter_width") * d.symbol("depth_in"));
}

bool depthwise_conv_2d(OperationDraw& d) {
  if (!draw_window(d)) return false;
  d.set("depth_out", d.symbol("depth_in") * static_cast<uint32_t>(d.scalar("multiplier", 1)));
  return quantise_sums(d, double(d.symbol("filter_height")) * d.symbol("filter_width"));
}

bool grouped_conv_2d(OperationDraw& d) {
  uint32_t groups = d.random.extent(1, 4);
  if (d.has_symbol("depth_in")) {
    while (d.symbol("depth_in") % groups != 0) --groups;
  } else {
    d.set("depth_in", groups * d.random.extent(1, 3));
  }
  d.set_scalar("num_groups", groups);
  d.set("depth_group", d.symbol("depth_in") / groups);
  d.set("depth_out", groups * d.random.extent(1, 3));
  if (!draw_window(d)) return false;
  return quantise_sums(d, double(d.symbol("filter_height")) * d.symbol("filter_width") * d.symbol("depth_group"));
}

bool transpose_conv_2d(OperationDraw& d) {
  d.shape_input(0);
  for (const bool height : {true, false}) {
    Side side = read_side(d, height);
    side.filter = d.random.extent(1, 4);
    const int64_t spread = (side.input - 1) * side.stride + side.filter;
    int64_t out = spread - side.before - side.after;
    if (d.find("output_shape")) {
      out = is_same(d) ? d.random.between((side.input - 1) * side.stride + 1, side.input * side.stride) : spread;
    }
    if (out < 1) return false;
    d.set(height ? "filter_height" : "filter_width", static_cast<uint32_t>(side.filter));
    d.set(height ? "out_height" : "out_width", static_cast<uint32_t>(out));
  }
  if (OperandDraw* shape = d.find("output_shape")) {
    const Dims dims = ImageView::dims_of(d.nchw(), d.symbol("batches"), d.symbol("out_height"), d.symbol("out_width"), d.symbol("depth_out"));
    shape->values({dims.begin(), dims.end()});
  }
  const double cells = std::max(1.0, d.symbol("filter_height") / d.scalar("stride_height", 1) * d.symbol("filter_width") / d.scalar("stride_width", 1));
  return quantise_sums(d, cells * d.symbol("depth_in"));
}

bool fully_connected(OperationDraw& d) {
  const Dims& dims = d.shape_input(0);
  size_t first = d.random.extent(1, static_cast<uint32_t>(dims.size() - 1));  // the dimensions from here on are one row
  if (count_of(dims) == 0) first = 1;
  const auto row = static_cast<uint32_t>(count_of(Dims(dims.begin() + static_cast<std::ptrdiff_t>(first), dims.end())));
  if (row == 0 || row > 600) return false;
  d.set("input_size", row);
  d.set("units", d.random.extent(1, 9));
  d.out[0].shape({static_cast<uint32_t>(count_of(dims) / row), d.symbol("units")});
  return quantise_sums(d, row);
}

/// Padding stays smaller than the filter: every window sees the input.
bool pool_2d(OperationDraw& d) {
  d.shape_input(0);
  for (const bool height : {true, false}) {
    Side side = read_side(d, height);
    side.filter = d.random.extent(1, 5);
    const char* before = height ? "padding_top" : "padding_left";
    const char* after = height ? "padding_bottom" : "padding_right";
    if (d.find(before)) {
      side.before = std::min(side.before, side.filter - 1);
      side.after = std::min(side.after, side.filter - 1);
      d.set_scalar(before, static_cast<double>(side.before));
      d.set_scalar(after, static_cast<double>(side.after));
    }
    if (!is_same(d) && side.filter > side.input + side.before + side.after) return false;
    d.set_scalar(height ? "filter_height" : "filter_width", static_cast<double>(side.filter));
    d.set(height ? "out_height" : "out_width", static_cast<uint32_t>(side.output(is_same(d))));
  }
  return true;
}

/// The scale forms get factors whose products are far from whole numbers.
bool resize(OperationDraw& d) {
  d.shape_input(0);
  const char* const names[] = {"width", "height"};
  for (const std::string side : names) {
    const uint32_t in = d.symbol(side), out = d.random.extent(1, 12);
    if (in == 0) return false;
    d.set("out_" + side, out);
    if (d.find("out_" + side)) {
      d.set_scalar("out_" + side, out);
    } else {
      d.set_scalar(side + "_scale", (out + 0.5) / in);
    }
  }
  if (d.scalar("align_corners", 0) != 0 && d.find("half_pixel_centers")) d.set_scalar("half_pixel_centers", 0);
  return true;
}

}  // namespace avocet::random_models::draw
