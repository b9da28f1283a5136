// SPDX-License-Identifier: Apache-2.0
// DETECTION_POSTPROCESSING: boxes from anchors and deltas, limited by hard suppression.
#include <algorithm>
#include <cmath>
#include <limits>

#include "boxes.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("scores", kColumnA, "batches,num_anchors,num_classes"),
                                  shaped("deltas", kColumnA, "batches,num_anchors,box_encoding"),
                                  shaped("anchors", kColumnA, "num_anchors,4"),
                                  scalar("scale_y", kColumnB).range(kPositive),
                                  scalar("scale_x", kColumnB).range(kPositive),
                                  scalar("scale_h", kColumnB).range(kPositive),
                                  scalar("scale_w", kColumnB).range(kPositive),
                                  boolean("regular_nms"),
                                  int32("max_detections").range(1),
                                  int32("max_classes_per_detection"),
                                  int32("max_detections_per_class"),
                                  scalar("score_threshold", kColumnB),
                                  scalar("iou_threshold", kColumnB).range(0),
                                  boolean("background_in_labels")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "batches,max_detections"),
                                   shaped("out_boxes", kColumnA, "batches,max_detections,4"),
                                   shaped("out_classes", kTensorInt32, "batches,max_detections"),
                                   shaped("out_count", kTensorInt32, "batches")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloatsWithScalars, .inputs = kInputs, .outputs = kOutputs};

bool is_regular(const OperationContext& context) { return context.scalar<uint8_t>(7, 0) != 0; }

Status infer(OperationContext& context) {
  const Dimensions& scores = context.input(0).dims;
  const Dimensions& deltas = context.input(1).dims;
  if (scores[2] < 2) return op_failed("scores of shape ", dims_text(scores), " have no class beside the background");
  if (deltas[2] < 4) return op_failed("deltas of shape ", dims_text(deltas), " are fewer than four for a box");
  const size_t limit_input = is_regular(context) ? 10 : 9;
  const int32_t limit = context.scalar<int32_t>(limit_input, 1);
  if (limit < 1) return op_failed("input ", limit_input, " is ", limit, "; at least 1 is needed");
  const auto count = static_cast<uint32_t>(context.scalar<int32_t>(8, 1));
  context.output(0).dims = {scores[0], count};
  context.output(1).dims = {scores[0], count, 4};
  context.output(2).dims = {scores[0], count};
  context.output(3).dims = {scores[0]};
  return {};
}

/// One image: its boxes (y before x) and the detections written so far.
class Detector {
 public:
  Detector(OperationContext& context, size_t image) : context_(context), image_(image) {
    const float* deltas = context.in<float>(1) + image * anchors_ * context.input(1).dims[2];
    const float* anchor = context.in<float>(2);
    for (size_t a = 0; a < anchors_; ++a, anchor += 4, deltas += context.input(1).dims[2]) {
      const float y = anchor[0] + anchor[2] * deltas[0] / float_scalar(context, 3, 1);
      const float x = anchor[1] + anchor[3] * deltas[1] / float_scalar(context, 4, 1);
      const float half_height = anchor[2] * std::exp(deltas[2] / float_scalar(context, 5, 1)) / 2;
      const float half_width = anchor[3] * std::exp(deltas[3] / float_scalar(context, 6, 1)) / 2;
      boxes_.push_back({y - half_height, x - half_width, y + half_height, x + half_width});
    }
  }

  /// Suppression for each class on its own.
  void detect_by_class() {
    std::vector<Candidate> all;
    for (size_t c = 1; c < classes_; ++c) {
      std::vector<Candidate> candidates;
      for (size_t a = 0; a < anchors_; ++a) add_candidate(a, scores_[a * classes_ + c], a * classes_ + c, &candidates);
      suppress_hard(candidates, limit_of(context_.scalar<int32_t>(10, 1)), overlap_);
      all.insert(all.end(), candidates.begin(), candidates.end());
    }
    keep_best(all, most_);
    for (const Candidate& one : all) write(one.box, one.score, one.index % classes_);
  }

  /// One suppression by the best score of each anchor, then the best classes of each that is left, until the output is full.
  void detect_at_once() {
    std::vector<Candidate> candidates;
    for (size_t a = 0; a < anchors_; ++a) add_candidate(a, best_score(a), a, &candidates);
    suppress_hard(candidates, most_, overlap_);
    const size_t classes = std::min(classes_ - 1, limit_of(context_.scalar<int32_t>(9, 1)));
    for (const Candidate& one : candidates) {
      const float* scores = scores_ + one.index * classes_;
      std::vector<uint32_t> order;
      for (uint32_t c = 1; c < classes_; ++c) order.push_back(c);
      const auto key = [scores](uint32_t c) { return std::isnan(scores[c]) ? -std::numeric_limits<float>::infinity() : scores[c]; };
      std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) > key(b); });
      for (size_t i = 0; i < classes && written_ < capacity(); ++i) write(one.box, scores[order[i]], order[i]);
    }
  }

  /// The places that are left become zero.
  void finish() {
    context_.out<int32_t>(3)[image_] = static_cast<int32_t>(written_);
    std::fill(context_.out<float>(0) + place(), context_.out<float>(0) + end(), 0.0f);
    std::fill(context_.out<float>(1) + 4 * place(), context_.out<float>(1) + 4 * end(), 0.0f);
    std::fill(context_.out<int32_t>(2) + place(), context_.out<int32_t>(2) + end(), 0);
  }

 private:
  void add_candidate(size_t anchor, float score, size_t index, std::vector<Candidate>* candidates) const {
    if (score > threshold_) candidates->push_back({boxes_[anchor], score, static_cast<uint32_t>(index)});
  }
  float best_score(size_t anchor) const {
    float best = -std::numeric_limits<float>::infinity();
    for (size_t c = 1; c < classes_; ++c) {
      const float score = scores_[anchor * classes_ + c];
      if (score > best) best = score;
    }
    return best;
  }
  void write(const Box& box, float score, size_t c) {
    const float corners[] = {box.x1, box.y1, box.x2, box.y2};
    std::copy_n(corners, 4, context_.out<float>(1) + 4 * place());
    context_.out<float>(0)[place()] = score;
    context_.out<int32_t>(2)[place()] = static_cast<int32_t>(c) - (context_.scalar<uint8_t>(13, 0) ? 0 : 1);
    ++written_;
  }
  size_t capacity() const { return context_.outputs[0].dims[1]; }
  size_t place() const { return image_ * capacity() + written_; }
  size_t end() const { return (image_ + 1) * capacity(); }

  OperationContext& context_;
  size_t image_;
  size_t anchors_ = context_.input(0).dims[1], classes_ = context_.input(0).dims[2];
  const float* scores_ = context_.in<float>(0) + image_ * anchors_ * classes_;
  size_t most_ = limit_of(context_.scalar<int32_t>(8, 1));
  float threshold_ = float_scalar(context_, 11, 0), overlap_ = float_scalar(context_, 12, 0);
  std::vector<Box> boxes_;
  size_t written_ = 0;
};

Status execute(OperationContext& context) {
  context.parallel_for(context.input(0).dims[0], 1, [&](size_t begin, size_t end) {
    for (size_t image = begin; image < end; ++image) {
      Detector detector(context, image);
      is_regular(context) ? detector.detect_by_class() : detector.detect_at_once();
      detector.finish();
    }
  });
  return {};
}

}  // namespace

constinit const Operation kDetectionPostprocessing =
    operation<kSignature, infer, execute>(ANEURALNETWORKS_DETECTION_POSTPROCESSING, "DETECTION_POSTPROCESSING");

}  // namespace avocet::runtime
