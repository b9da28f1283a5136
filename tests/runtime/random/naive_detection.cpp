// SPDX-License-Identifier: Apache-2.0
// Non-maximum suppression and the operations built on it. Their decisions are discontinuous: when scores tie, or a score or an
// overlap lies at its threshold, more than one result is right and only the types of the outputs are looked at.
#include <algorithm>
#include <numeric>

#include "naive_rows.hpp"

namespace avocet::random_models::naive {
namespace {

struct Box {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  double area() const { return (x2 - x1) * (y2 - y1); }
};

double overlap(const Box& a, const Box& b) {
  const double w = std::max(std::min(a.x2, b.x2) - std::max(a.x1, b.x1), 0.0);
  const double h = std::max(std::min(a.y2, b.y2) - std::max(a.y1, b.y1), 0.0);
  const double both = a.area() + b.area() - w * h;
  return both > 0 ? w * h / both : 0;
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (std::fabs(a) + std::fabs(b) + 1e-2); }

struct Candidate {
  double score = 0;
  Box box;
  size_t index = 0;  // the caller's
};

/// Descending scores; false when two are too close to tell.
bool sort_by_score(std::vector<Candidate>& list) {
  std::stable_sort(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  for (size_t i = 1; i < list.size(); ++i) {
    if (close(list[i - 1].score, list[i].score)) return false;
  }
  return true;
}

struct Suppression {
  int64_t kernel = 0;  // 0 hard, 1 linear, 2 gaussian
  double threshold = 0, sigma = 1, least_score = 0;
  bool drop_low = false;  // whether scores below least_score are dropped as they are lowered
};

/// Selects greedily; `certain` becomes false when a decision could have gone the other way.
std::vector<Candidate> suppress(std::vector<Candidate> pending, const Suppression& rule, size_t limit, bool* certain) {
  std::vector<Candidate> selected;
  while (!pending.empty() && selected.size() < limit) {
    *certain = sort_by_score(pending) && *certain;
    const Candidate best = pending.front();
    selected.push_back(best);
    std::vector<Candidate> rest;
    for (size_t i = 1; i < pending.size(); ++i) {
      Candidate c = pending[i];
      const double iou = overlap(best.box, c.box);
      if (rule.kernel == 2) {
        c.score *= std::exp(-iou * iou / rule.sigma);
      } else {
        if (close(iou, rule.threshold) || best.box.area() <= 0 || c.box.area() <= 0) *certain = false;
        if (iou >= rule.threshold) {
          if (rule.kernel == 0) continue;
          c.score *= 1 - iou;
        }
      }
      if (rule.drop_low) {
        if (close(c.score, rule.least_score)) *certain = false;
        if (c.score < rule.least_score) continue;
      }
      rest.push_back(c);
    }
    pending = rest;
  }
  return selected;
}

void leave_everything_open(Call& call) {
  for (size_t o = 0; o < call.output_count(); ++o) {
    call.out(o).dims_known = false;
    call.out(o).values_known = false;
  }
}

void append_box(std::vector<double>& real, const Box& box) { real.insert(real.end(), {box.x1, box.y1, box.x2, box.y2}); }

/// Rows that were appended to the outputs' real numbers become their dimension 0, in any order.
void close_rows(Call& call, size_t outputs, double error) {
  const auto rows = static_cast<uint32_t>(call.out(0).real.size());
  for (size_t o = 0; o < outputs; ++o) {
    Expected& out = call.out(o);
    out.dims = o == 1 ? Dims{rows, 4} : Dims{rows};
    out.any_order = true;
    if (o < 2) out.slack.assign(out.real.size(), o == 1 ? error : 0);
  }
}

}  // namespace

/// Class 0 is the background. Boxes of one image follow one another.
void box_with_nms_limit(Call& call) {
  const Value &scores = call.in(0), &rois = call.in(1);
  const size_t classes = scores.dims[1], count = scores.dims[0];
  const double threshold = call.number(3);
  const int64_t limit = call.integer(4);
  const Suppression rule{call.integer(5), call.number(6), call.number(7), call.number(8), true};
  bool certain = true;
  for (size_t first = 0; first < count;) {
    size_t end = first;
    while (end < count && call.in(2).real[end] == call.in(2).real[first]) ++end;
    std::vector<Candidate> image;
    for (size_t c = 1; c < classes; ++c) {
      std::vector<Candidate> candidates;
      for (size_t r = first; r < end; ++r) {
        const double score = scores.real[r * classes + c];
        if (close(score, threshold)) certain = false;
        const size_t at = 4 * (r * classes + c);
        if (score >= threshold) candidates.push_back({score, {rois.real[at], rois.real[at + 1], rois.real[at + 2], rois.real[at + 3]}, c});
      }
      for (const Candidate& chosen : suppress(candidates, rule, SIZE_MAX, &certain)) image.push_back(chosen);
    }
    if (limit >= 0 && image.size() > static_cast<size_t>(limit)) {
      certain = sort_by_score(image) && certain;
      image.resize(static_cast<size_t>(limit));
    }
    for (const Candidate& chosen : image) {
      call.out(0).real.push_back(chosen.score);
      append_box(call.out(1).real, chosen.box);
      call.out(2).real.push_back(static_cast<double>(chosen.index));
      call.out(3).real.push_back(call.in(2).real[first]);
    }
    first = end;
  }
  close_rows(call, 4, 0);
  if (!certain) leave_everything_open(call);
}

/// For each image: 1. the boxes of all anchors at all cells with the best scores; 2. moved by their deltas and clipped to the
/// image; 3. small ones left out; 4. non-maximum suppression.
void generate_proposals(Call& call) {
  const ImageView image{call.in(0).dims, call.flag(10)}, delta_image{call.in(1).dims, call.flag(10)};
  const double height_ratio = call.number(4), width_ratio = call.number(5), min_size = call.number(9);
  bool certain = true;
  double error = 1e-4;
  for (uint32_t n = 0; n < image.batches(); ++n) {
    const double height = call.in(3).real[2 * n], width = call.in(3).real[2 * n + 1];
    std::vector<Candidate> candidates;
    for (uint32_t h = 0; h < image.height(); ++h) {
      for (uint32_t w = 0; w < image.width(); ++w) {
        for (uint32_t a = 0; a < image.channels(); ++a) {
          const auto delta = [&](size_t k) { return call.in(1).real[delta_image.index(n, h, w, 4 * a + k)]; };
          const auto anchor = [&](size_t k) { return call.in(2).real[4 * a + k]; };
          const double w0 = anchor(2) - anchor(0), h0 = anchor(3) - anchor(1);
          const double x = (anchor(0) + anchor(2)) / 2 + w * width_ratio + delta(0) * w0;
          const double y = (anchor(1) + anchor(3)) / 2 + h * height_ratio + delta(1) * h0;
          const double half_w = w0 * std::exp(delta(2)) / 2, half_h = h0 * std::exp(delta(3)) / 2;
          error = std::max(error, (std::fabs(x) + std::fabs(y) + half_w + half_h) * 0x1p-20);
          const Box box{std::clamp(x - half_w, 0.0, width), std::clamp(y - half_h, 0.0, height), std::clamp(x + half_w, 0.0, width),
                        std::clamp(y + half_h, 0.0, height)};
          candidates.push_back({call.in(0).real[image.index(n, h, w, a)], box, 0});
        }
      }
    }
    certain = sort_by_score(candidates) && certain;
    const int64_t before = call.integer(6), after = call.integer(7);
    if (before > 0 && candidates.size() > static_cast<size_t>(before)) candidates.resize(static_cast<size_t>(before));
    std::vector<Candidate> large;
    for (const Candidate& c : candidates) {
      const double w = c.box.x2 - c.box.x1, h = c.box.y2 - c.box.y1;
      if (close(w, min_size) || close(h, min_size)) certain = false;
      if (w > min_size && h > min_size) large.push_back(c);
    }
    const Suppression rule{0, call.number(8), 1, 0, false};
    for (const Candidate& chosen : suppress(large, rule, after > 0 ? static_cast<size_t>(after) : SIZE_MAX, &certain)) {
      call.out(0).real.push_back(chosen.score);
      append_box(call.out(1).real, chosen.box);
      call.out(2).real.push_back(n);
    }
  }
  close_rows(call, 3, error);
  if (!certain) leave_everything_open(call);
}

namespace {

struct Detections {
  std::vector<Candidate> list;  // index: the class
  bool certain = true;
};

/// Suppression in each class of its own, then the best of all.
void detect_by_class(Call& call, size_t batch, const std::vector<Box>& boxes, Detections& found) {
  const Value& scores = call.in(0);
  const size_t classes = scores.dims[2];
  const double threshold = call.number(11);
  for (size_t c = 1; c < classes; ++c) {
    std::vector<Candidate> candidates;
    for (size_t a = 0; a < boxes.size(); ++a) {
      const double score = scores.real[(batch * boxes.size() + a) * classes + c];
      if (close(score, threshold)) found.certain = false;
      if (score > threshold) candidates.push_back({score, boxes[a], c});
    }
    const Suppression rule{0, call.number(12), 1, 0, false};
    for (const Candidate& chosen : suppress(candidates, rule, static_cast<size_t>(call.integer(10)), &found.certain)) {
      found.list.push_back(chosen);
    }
  }
  found.certain = sort_by_score(found.list) && found.certain;
}

/// One suppression by the best score of each anchor; each selected anchor then gives its best classes.
void detect_by_anchor(Call& call, size_t batch, const std::vector<Box>& boxes, Detections& found) {
  const Value& scores = call.in(0);
  const size_t classes = scores.dims[2];
  std::vector<Candidate> candidates;
  const auto score_of = [&](size_t anchor, size_t c) { return scores.real[(batch * boxes.size() + anchor) * classes + c]; };
  for (size_t a = 0; a < boxes.size(); ++a) {
    double best = score_of(a, 1);
    for (size_t c = 2; c < classes; ++c) best = std::max(best, score_of(a, c));
    if (close(best, call.number(11))) found.certain = false;
    if (best > call.number(11)) candidates.push_back({best, boxes[a], a});
  }
  const Suppression rule{0, call.number(12), 1, 0, false};
  for (const Candidate& chosen : suppress(candidates, rule, static_cast<size_t>(call.integer(8)), &found.certain)) {
    std::vector<Candidate> of_anchor;
    for (size_t c = 1; c < classes; ++c) of_anchor.push_back({score_of(chosen.index, c), chosen.box, c});
    found.certain = sort_by_score(of_anchor) && found.certain;
    of_anchor.resize(std::min(of_anchor.size(), static_cast<size_t>(call.integer(9))));
    found.list.insert(found.list.end(), of_anchor.begin(), of_anchor.end());
  }
}

}  // namespace

/// Boxes are [y1, x1, y2, x2]; what lies beyond the number of detections is open.
void detection_postprocessing(Call& call) {
  const Dims& dims = call.in(0).dims;
  const size_t anchors = dims[1], length = call.in(1).dims[2];
  const auto limit = static_cast<uint32_t>(call.integer(8));
  call.out(0).resize({dims[0], limit});
  call.out(1).resize({dims[0], limit, 4});
  call.out(2).resize({dims[0], limit});
  call.out(3).resize({dims[0]});
  bool certain = true;
  for (size_t b = 0; b < dims[0]; ++b) {
    std::vector<Box> boxes;
    for (size_t a = 0; a < anchors; ++a) {
      const auto delta = [&](size_t k) { return call.in(1).real[(b * anchors + a) * length + k] / call.number(3 + k); };
      const auto anchor = [&](size_t k) { return call.in(2).real[4 * a + k]; };
      const double y = delta(0) * anchor(2) + anchor(0), x = delta(1) * anchor(3) + anchor(1);
      const double h = std::exp(delta(2)) * anchor(2) / 2, w = std::exp(delta(3)) * anchor(3) / 2;
      boxes.push_back({x - w, y - h, x + w, y + h});
    }
    Detections found;
    (call.flag(7) ? detect_by_class : detect_by_anchor)(call, b, boxes, found);
    certain = certain && found.certain;
    call.out(3).real[b] = std::min<double>(static_cast<double>(found.list.size()), limit);
    for (size_t i = 0; i < limit; ++i) {
      const size_t at = b * limit + i;
      if (i < found.list.size()) {
        const Candidate& c = found.list[i];
        call.out(0).real[at] = c.score;
        const double corners[] = {c.box.y1, c.box.x1, c.box.y2, c.box.x2};
        for (size_t k = 0; k < 4; ++k) {
          call.out(1).real[4 * at + k] = corners[k];
          call.out(1).set_slack(4 * at + k, (std::fabs(corners[k]) + std::fabs(c.box.area()) + 1) * 0x1p-19);
        }
        call.out(2).real[at] = static_cast<double>(c.index) - (call.flag(13) ? 0 : 1);
      } else {
        call.out(0).leave_open(at);
        call.out(2).leave_open(at);
        for (size_t k = 0; k < 4; ++k) call.out(1).leave_open(4 * at + k);
      }
    }
  }
  if (!certain) {
    for (size_t o = 0; o < 4; ++o) call.out(o).values_known = false;
  }
}

}  // namespace avocet::random_models::naive
