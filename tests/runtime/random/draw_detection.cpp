// SPDX-License-Identifier: Apache-2.0
// Boxes and regions of interest: corners in order and inside of their images, scores that differ.
#include <algorithm>
#include <cmath>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {
namespace {

/// Real numbers as elements of the operand, whose scale is the row's.
void store(OperandDraw& operand, const std::vector<double>& real) {
  Value like;
  like.type = operand.type;
  if (is_quantised_type(operand.type)) like.scale = 0.125;
  operand.stored.clear();
  for (const double x : real) operand.stored.push_back(to_stored(like, x));
  operand.fresh = true;
}

/// `count` boxes [x1, y1, x2, y2] inside width x height, at least half a unit wide and high.
std::vector<double> boxes(Random& random, size_t count, double width, double height) {
  std::vector<double> list;
  const auto side = [&](double extent, double* low, double* high) {
    *low = random.real(0, extent - 1);
    *high = random.real(*low + 0.75, extent);
  };
  for (size_t i = 0; i < count; ++i) {
    double x1, y1, x2, y2;
    side(width, &x1, &x2);
    side(height, &y1, &y2);
    list.insert(list.end(), {x1, y1, x2, y2});
  }
  return list;
}

/// Ascending batch numbers.
std::vector<double> batch_numbers(Random& random, size_t count, uint32_t batches) {
  std::vector<double> list;
  for (size_t i = 0; i < count; ++i) list.push_back(random.below(batches));
  std::sort(list.begin(), list.end());
  return list;
}

/// Scores of which no two are equal, in (0, 1).
void draw_scores(OperandDraw& scores) {
  scores.fill(0.01, 0.99);
  scores.distinct = true;
  if (is_quantised_type(scores.type)) {
    const StoredRange range = stored_range(scores.type);
    scores.quantise(1.0f / 256, static_cast<int32_t>(range.low));
  }
}

/// Regions for ROI_ALIGN and ROI_POOLING.
bool draw_regions(OperationDraw& d) {
  d.shape_input(0);
  static constexpr double kRatios[] = {1, 2, 4, 0.5, 1.5};
  const double height_ratio = d.random.pick(kRatios), width_ratio = d.random.pick(kRatios);
  d.set_scalar("height_ratio", height_ratio);
  d.set_scalar("width_ratio", width_ratio);
  d.set("out_height", static_cast<uint32_t>(d.scalar("out_height", 1)));
  d.set("out_width", static_cast<uint32_t>(d.scalar("out_width", 1)));
  OperandDraw &rois = d.input("rois"), &batch = d.input("batch_index");
  if (rois.fed) return true;
  const double width = d.symbol("width") * width_ratio, height = d.symbol("height") * height_ratio;
  if (width < 1.5 || height < 1.5 || d.symbol("batches") == 0) return false;
  const uint32_t count = d.symbol("num_rois");
  rois.shape({count, 4});
  store(rois, boxes(d.random, count, width, height));
  batch.values(batch_numbers(d.random, count, d.symbol("batches")));
  return true;
}

}  // namespace

bool roi_align(OperationDraw& d) {
  for (const char* name : {"height_samples", "width_samples"}) d.set_scalar(name, d.random.below(4));
  if (!draw_regions(d)) return false;
  d.quantise_for(d.out[0], d.magnitude(0));
  return true;
}

bool roi_pooling(OperationDraw& d) { return draw_regions(d); }

bool axis_aligned_bbox_transform(OperationDraw& d) {
  const uint32_t count = d.symbol("num_rois"), batches = d.symbol("batches");
  std::vector<double> info;
  for (uint32_t b = 0; b < batches; ++b) info.insert(info.end(), {d.random.real(10, 40), d.random.real(10, 40)});
  d.input("rois").shape({count, 4});
  store(d.input("rois"), boxes(d.random, count, 10, 10));
  d.input("batch_index").values(batch_numbers(d.random, count, batches));
  d.input("image_info").shape({batches, 2});
  store(d.input("image_info"), info);
  OperandDraw& deltas = d.input("deltas");
  if (is_quantised_type(deltas.type)) {
    deltas.quantise(1.0f / 64, static_cast<int32_t>(d.random.between(-5, 5)) + (deltas.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM ? 128 : 0));
  } else {
    deltas.fill(-1, 1);
  }
  return true;
}

/// At most as many rows as there are boxes of classes.
bool box_with_nms_limit(OperationDraw& d) {
  d.set("num_rois", d.random.extent(1, 6));
  d.set("num_classes", d.random.extent(2, 4));
  const uint32_t count = d.symbol("num_rois"), classes = d.symbol("num_classes");
  draw_scores(d.input("scores"));
  OperandDraw& rois = d.input("rois");
  rois.shape({count, 4 * classes});
  store(rois, boxes(d.random, size_t{count} * classes, 12, 12));
  d.input("batch_index").values(batch_numbers(d.random, count, 2));
  d.set_scalar("score_threshold", d.random.real(0.05, 0.6));
  d.set_scalar("max_boxes", d.random.chance(50) ? -1 : d.random.extent(1, 6));
  d.set_scalar("iou_threshold", d.random.real(0.2, 0.7));
  d.set_scalar("sigma", d.random.real(0.3, 1));
  d.set_scalar("nms_score_threshold", d.random.real(0.05, 0.4));
  const uint32_t most = count * (classes - 1);
  d.out[0].shape({most});
  d.out[1].shape({most, 4});
  d.out[2].shape({most});
  d.out[3].shape({most});
  for (OperandDraw& out : d.out) out.data_dependent = true;
  return true;
}

/// A threshold that no score reaches: all outputs are empty. The only way for a model to get tensors without elements.
bool no_boxes(OperationDraw& d) {
  if (!box_with_nms_limit(d)) return false;
  d.set_scalar("score_threshold", 5);
  for (OperandDraw& out : d.out) {
    out.data_dependent = false;
    out.dims[0] = 0;
  }
  return true;
}

bool generate_proposals(OperationDraw& d) {
  d.set("height", d.random.extent(1, 4));
  d.set("width", d.random.extent(1, 4));
  d.set("num_anchors", d.random.extent(1, 3));
  const uint32_t batches = d.symbol("batches"), anchors = d.symbol("num_anchors");
  draw_scores(d.input("scores"));
  OperandDraw& deltas = d.input("deltas");
  if (is_quantised_type(deltas.type)) {
    deltas.quantise(1.0f / 128, deltas.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM ? 128 : 0);
  } else {
    deltas.fill(-0.6, 0.6);
  }
  std::vector<double> shapes, info;
  for (uint32_t a = 0; a < anchors; ++a) {
    const double w = d.random.real(2, 8), h = d.random.real(2, 8);
    shapes.insert(shapes.end(), {-w / 2, -h / 2, w / 2, h / 2});
  }
  for (uint32_t b = 0; b < batches; ++b) info.insert(info.end(), {d.random.real(12, 30), d.random.real(12, 30)});
  d.input("anchors").shape({anchors, 4});
  store(d.input("anchors"), shapes);
  d.input("image_info").shape({batches, 2});
  store(d.input("image_info"), info);
  d.set_scalar("height_ratio", 4);
  d.set_scalar("width_ratio", 4);
  d.set_scalar("max_before_nms", d.random.chance(50) ? -1 : d.random.extent(1, 20));
  d.set_scalar("max_after_nms", d.random.chance(50) ? -1 : d.random.extent(1, 6));
  d.set_scalar("iou_threshold", d.random.real(0.2, 0.7));
  d.set_scalar("min_size", d.random.real(1.05, 3));
  const uint32_t most = batches * d.symbol("height") * d.symbol("width") * anchors;
  d.out[0].shape({most});
  d.out[1].shape({most, 4});
  d.out[2].shape({most});
  for (OperandDraw& out : d.out) out.data_dependent = true;
  return true;
}

/// Without regular suppression an anchor gives one class: for more, implementations differ in the outputs' length.
bool detection_postprocessing(OperationDraw& d) {
  d.set("num_classes", d.random.extent(2, 4));
  d.set("box_encoding", d.random.extent(4, 6));
  draw_scores(d.input("scores"));
  d.input("deltas").fill(-2, 2);
  const uint32_t anchors = d.symbol("num_anchors");
  std::vector<double> centres;
  for (uint32_t a = 0; a < anchors; ++a) {
    centres.insert(centres.end(), {d.random.real(0, 6), d.random.real(0, 6), d.random.real(1, 4), d.random.real(1, 4)});
  }
  d.input("anchors").shape({anchors, 4});
  store(d.input("anchors"), centres);
  for (const char* name : {"scale_y", "scale_x", "scale_h", "scale_w"}) d.set_scalar(name, d.random.real(2, 10));
  d.set_scalar("max_classes_per_detection", 1);
  d.set_scalar("max_detections_per_class", d.random.extent(1, 4));
  const uint32_t most = d.random.extent(1, 6);
  d.set_scalar("max_detections", most);
  d.set("max_detections", most);
  d.set_scalar("score_threshold", d.random.real(0.05, 0.6));
  d.set_scalar("iou_threshold", d.random.real(0.2, 0.7));
  return true;
}

bool heatmap_max_keypoint(OperationDraw& d) {
  d.set("heatmap_size", d.random.extent(2, 6));
  d.shape_input(0);
  const uint32_t count = d.symbol("num_boxes");
  d.input("boxes").shape({count, 4});
  store(d.input("boxes"), boxes(d.random, count, 30, 30));
  d.input("heatmaps").distinct = true;
  d.quantise_for(d.out[0], d.magnitude(0) * 2);
  return true;
}

}  // namespace avocet::random_models::draw
