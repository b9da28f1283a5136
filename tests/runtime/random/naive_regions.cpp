// SPDX-License-Identifier: Apache-2.0
// Regions of interest: pooled, aligned, transformed, and keypoints inside of them. Where the API gives no formula, that of the
// operation's published cases stands here, in numbered steps.
#include <algorithm>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

struct Box {
  double x1, y1, x2, y2;
};

Box box_of(const Value& boxes, size_t i) { return {boxes.real[4 * i], boxes.real[4 * i + 1], boxes.real[4 * i + 2], boxes.real[4 * i + 3]}; }

/// Whole numbers that floor or ceil of `x` may give in float32.
std::vector<int64_t> whole(double x, double (*round)(double), int64_t limit) {
  std::vector<int64_t> results;
  for (const double doubt : {0.0, -1e-5, 1e-5}) {
    const auto value = std::clamp<int64_t>(static_cast<int64_t>(round(x + doubt * std::max(1.0, std::fabs(x)))), 0, limit);
    if (std::find(results.begin(), results.end(), value) == results.end()) results.push_back(value);
  }
  return results;
}

struct RoiTarget {
  const Value& map;
  ImageView image;
  bool nchw;
  uint32_t height, width;
  double height_scale, width_scale;
};

RoiTarget open_target(Call& call, size_t layout_input) {
  const Value& map = call.in(0);
  const bool nchw = call.flag(layout_input);
  const RoiTarget target{map, {map.dims, nchw}, nchw, static_cast<uint32_t>(call.integer(3)), static_cast<uint32_t>(call.integer(4)),
                         1 / call.number(5), 1 / call.number(6)};
  call.out(0).resize(ImageView::dims_of(nchw, call.in(1).dims[0], target.height, target.width, target.image.channels()));
  return target;
}

}  // namespace

/// 1. Corners are scaled and rounded; the region covers both corner cells. 2. It is divided into equal bins, whose edges are
/// rounded outwards. 3. The largest value in the bin. Empty bins are open.
void roi_pooling(Call& call) {
  const RoiTarget t = open_target(call, 7);
  Expected& out = call.out(0);
  const ImageView result{out.dims, t.nchw};
  for (uint32_t r = 0; r < result.batches(); ++r) {
    const Box box = box_of(call.in(1), r);
    const auto n = static_cast<size_t>(call.in(2).real[r]);
    const double left = std::round(box.x1 * t.width_scale), top = std::round(box.y1 * t.height_scale);
    const double bin_width = std::max(std::round(box.x2 * t.width_scale) - left + 1, 1.0) / t.width;
    const double bin_height = std::max(std::round(box.y2 * t.height_scale) - top + 1, 1.0) / t.height;
    for (uint32_t y = 0; y < t.height; ++y) {
      for (uint32_t x = 0; x < t.width; ++x) {
        const auto h_from = whole(bin_height * y + top, std::floor, t.image.height());
        const auto h_to = whole(bin_height * (y + 1) + top, std::ceil, t.image.height());
        const auto w_from = whole(bin_width * x + left, std::floor, t.image.width());
        const auto w_to = whole(bin_width * (x + 1) + left, std::ceil, t.image.width());
        for (uint32_t c = 0; c < t.image.channels(); ++c) {
          const size_t i = result.index(r, y, x, c);
          std::vector<double> stored;  // for each way of rounding
          for (const int64_t h0 : h_from) for (const int64_t h1 : h_to) for (const int64_t w0 : w_from) for (const int64_t w1 : w_to) {
            double best = -std::numeric_limits<double>::infinity();
            size_t at = 0;
            for (int64_t h = h0; h < h1; ++h) {
              for (int64_t w = w0; w < w1; ++w) {
                const size_t cell = t.image.index(n, h, w, c);
                if (t.map.real[cell] > best) best = t.map.real[at = cell];
              }
            }
            if (std::isinf(best)) {
              out.leave_open(i);
            } else {
              stored.push_back(t.map.stored(at));
              if (stored.size() == 1) out.real[i] = best;
            }
          }
          if (stored.size() > 1) out.alternatives[i] = stored;
        }
      }
    }
  }
}

/// The mean of sampling points, spread evenly over each bin; each is interpolated between the four cells around it. Beyond the
/// last cell its value goes on.
void roi_align(Call& call) {
  const RoiTarget t = open_target(call, 9);
  Expected& out = call.out(0);
  const ImageView result{out.dims, t.nchw};
  const auto sample = [&](size_t n, double y, double x, size_t c) {
    const auto split = [](double at, double extent, size_t* low, size_t* high) {
      *low = static_cast<size_t>(std::min(std::floor(at), extent - 1));
      *high = static_cast<size_t>(std::min(std::floor(at) + 1, extent - 1));
      return *low == *high ? 0.0 : at - std::floor(at);
    };
    size_t h0, h1, w0, w1;
    const double v = split(y, t.image.height(), &h0, &h1), u = split(x, t.image.width(), &w0, &w1);
    const auto cell = [&](size_t h, size_t w) { return t.map.real[t.image.index(n, h, w, c)]; };
    return (cell(h0, w0) * (1 - u) + cell(h0, w1) * u) * (1 - v) + (cell(h1, w0) * (1 - u) + cell(h1, w1) * u) * v;
  };
  double largest = 0;
  for (const double v : t.map.real) largest = std::max(largest, std::fabs(v));
  for (uint32_t r = 0; r < result.batches(); ++r) {
    const Box box = box_of(call.in(1), r);
    const auto n = static_cast<size_t>(call.in(2).real[r]);
    const double left = box.x1 * t.width_scale, top = box.y1 * t.height_scale;
    const double bin_width = std::max(box.x2 * t.width_scale - left, 1.0) / t.width;
    const double bin_height = std::max(box.y2 * t.height_scale - top, 1.0) / t.height;
    bool adaptive_in_doubt = false;
    const auto samples = [&](int64_t given, double bin) {
      if (given > 0) return static_cast<double>(given);
      adaptive_in_doubt |= std::fabs(bin - std::round(bin)) < 1e-5;
      return std::ceil(bin);
    };
    const double rows = samples(call.integer(7), bin_height), columns = samples(call.integer(8), bin_width);
    for (uint32_t y = 0; y < t.height; ++y) {
      for (uint32_t x = 0; x < t.width; ++x) {
        for (uint32_t c = 0; c < t.image.channels(); ++c) {
          double sum = 0;
          for (double i = 0; i < rows; ++i) {
            for (double j = 0; j < columns; ++j) {
              sum += sample(n, top + bin_height * (y + (i + 0.5) / rows), left + bin_width * (x + (j + 0.5) / columns), c);
            }
          }
          const size_t i = result.index(r, y, x, c);
          out.real[i] = sum / (rows * columns);
          const double size = std::max({1.0, std::fabs(left), std::fabs(top), double{t.image.dims[1] + 0.0}, double{t.image.dims[2] + 0.0}});
          out.set_slack(i, largest * (size + rows * columns) * 0x1p-20);
          if (adaptive_in_doubt) out.leave_open(i);
        }
      }
    }
  }
}

namespace {

/// The extreme of the quadratic function through a 3 x 3 neighbourhood: offset from its middle, and value.
struct Peak {
  double dx = 0, dy = 0, score = 0;
  bool in_doubt = false;
};

Peak refine(const double grid[3][3]) {
  Peak peak;
  peak.score = grid[1][1];
  // 1. Slope and curvature.
  const double bx = -(grid[1][2] - grid[1][0]) / 2, by = -(grid[2][1] - grid[0][1]) / 2;
  const double xx = grid[1][0] - 2 * grid[1][1] + grid[1][2], yy = grid[0][1] - 2 * grid[1][1] + grid[2][1];
  const double xy = (grid[2][2] - grid[2][0] - grid[0][2] + grid[0][0]) / 4;
  // 2. Newton's step, where the curvature allows one.
  const double determinant = xx * yy - xy * xy, least = 1e-5 + 1e-5 * xx * yy;
  peak.in_doubt = std::fabs(determinant) < 1e-3 * (1 + std::fabs(xx * yy)) && std::fabs(determinant) > least / 10;
  if (std::fabs(determinant) < least) return peak;
  peak.dx = (yy * bx - xy * by) / determinant;
  peak.dy = (xx * by - xy * bx) / determinant;
  // 3. No further than one and a half cells.
  const double longest = std::max(std::fabs(peak.dx), std::fabs(peak.dy));
  if (longest > 1.5) {
    peak.dx *= 1.5 / longest;
    peak.dy *= 1.5 / longest;
  }
  peak.score = grid[1][1] - bx * peak.dx - by * peak.dy +
               ((xx * peak.dx + xy * peak.dy) * peak.dx + (xy * peak.dx + yy * peak.dy) * peak.dy) / 2;
  return peak;
}

}  // namespace

/// The largest cell, refined by the neighbours (mirrored at the border), in the coordinates of the box.
void heatmap_max_keypoint(Call& call) {
  const Value &heatmaps = call.in(0), &boxes = call.in(1);
  const ImageView image{heatmaps.dims, call.flag(2)};
  Expected &scores = call.out(0), &keypoints = call.out(1);
  scores.resize({image.batches(), image.channels()});
  keypoints.resize({image.batches(), image.channels(), 2});
  const int64_t size = image.height();
  for (uint32_t n = 0; n < image.batches(); ++n) {
    const Box box = box_of(boxes, n);
    for (uint32_t k = 0; k < image.channels(); ++k) {
      const auto cell = [&](int64_t h, int64_t w) { return heatmaps.real[image.index(n, h, w, k)]; };
      int64_t best_h = 0, best_w = 0;
      size_t equals = 0;
      for (int64_t h = 0; h < size; ++h) {
        for (int64_t w = 0; w < size; ++w) {
          if (cell(h, w) > cell(best_h, best_w)) {
            best_h = h;
            best_w = w;
            equals = 0;
          }
          equals += cell(h, w) == cell(best_h, best_w);
        }
      }
      const auto mirrored = [&](int64_t p) { return p < 0 ? 1 : p >= size ? size - 2 : p; };
      double grid[3][3];
      for (int64_t dh = -1; dh <= 1; ++dh) {
        for (int64_t dw = -1; dw <= 1; ++dw) grid[dh + 1][dw + 1] = cell(mirrored(best_h + dh), mirrored(best_w + dw));
      }
      const Peak peak = refine(grid);
      const size_t i = size_t{n} * image.channels() + k;
      scores.real[i] = peak.score;
      keypoints.real[2 * i] = box.x1 + (box.x2 - box.x1) / static_cast<double>(size) * (static_cast<double>(best_w) + peak.dx + 0.5);
      keypoints.real[2 * i + 1] = box.y1 + (box.y2 - box.y1) / static_cast<double>(size) * (static_cast<double>(best_h) + peak.dy + 0.5);
      scores.set_slack(i, 1e-4);
      for (size_t d = 0; d < 2; ++d) {
        keypoints.set_slack(2 * i + d, 1e-4 * (std::fabs(box.x2 - box.x1) + std::fabs(box.y2 - box.y1) + 1));
        if (equals > 1 || peak.in_doubt) keypoints.leave_open(2 * i + d);
      }
      if (equals > 1 || peak.in_doubt) scores.leave_open(i);
    }
  }
}

void axis_aligned_bbox_transform(Call& call) {
  const Value &rois = call.in(0), &deltas = call.in(1), &info = call.in(3);
  const size_t classes = deltas.dims[1] / 4;
  Expected& out = call.out(0);
  out.resize(deltas.dims);
  for (size_t r = 0; r < rois.dims[0]; ++r) {
    const Box box = box_of(rois, r);
    const auto batch = static_cast<size_t>(call.in(2).real[r]);
    const double height = info.real[2 * batch], width = info.real[2 * batch + 1];
    for (size_t c = 0; c < classes; ++c) {
      const size_t i = 4 * (r * classes + c);
      const double w = box.x2 - box.x1, h = box.y2 - box.y1;
      const double x = (box.x1 + box.x2) / 2 + deltas.real[i] * w, y = (box.y1 + box.y2) / 2 + deltas.real[i + 1] * h;
      const double half_w = w * std::exp(deltas.real[i + 2]) / 2, half_h = h * std::exp(deltas.real[i + 3]) / 2;
      const double corners[] = {std::clamp(x - half_w, 0.0, width), std::clamp(y - half_h, 0.0, height),
                                std::clamp(x + half_w, 0.0, width), std::clamp(y + half_h, 0.0, height)};
      const double size = std::fabs(x) + std::fabs(y) + std::fabs(half_w) + std::fabs(half_h);
      for (size_t k = 0; k < 4; ++k) {
        out.real[i + k] = corners[k];
        out.set_slack(i + k, size * 0x1p-20);
      }
    }
  }
}

}  // namespace avocet::random_models::naive
