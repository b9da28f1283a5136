// SPDX-License-Identifier: Apache-2.0
// BOX_WITH_NMS_LIMIT: boxes chosen by score, class by class, with hard, linear or gaussian suppression.
#include <algorithm>
#include <cstring>
#include <memory>

#include "boxes.hpp"
#include "real_values.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("scores", kColumnA, "num_rois,num_classes"),
                                  shaped("rois", kColumnB, "num_rois,4*num_classes").quantised_as(0.125f, 0, 0),
                                  shaped("batch_index", kTensorInt32, "num_rois"),
                                  scalar("score_threshold", kColumnC),
                                  int32("max_boxes"),
                                  int32("nms_kernel").values(0b111),
                                  scalar("iou_threshold", kColumnC),
                                  scalar("sigma", kColumnC),
                                  scalar("nms_score_threshold", kColumnC)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "num_output_rois").quantised_as_input(0),
                                   shaped("out_rois", kColumnB, "num_output_rois,4").quantised_as(0.125f, 0, 0),
                                   shaped("out_classes", kTensorInt32, "num_output_rois"),
                                   shaped("out_batch_index", kTensorInt32, "num_output_rois")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kRegionTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

/// The chosen boxes of all images; a candidate's index is that of its score among the scores.
struct Selection : InferredState {
  std::vector<Candidate> chosen;
};

struct SuppressionRule {
  int32_t kernel;  // 0 hard, 1 linear, 2 gaussian
  float overlap_threshold, sigma, score_threshold;

  float factor(float overlap) const {
    if (kernel == 2) return std::exp(-overlap * overlap / sigma);
    if (overlap < overlap_threshold) return 1.0f;
    return kernel == 1 ? 1.0f - overlap : 0.0f;
  }
  bool operator()(Candidate& candidate, float overlap) const {
    candidate.score *= factor(overlap);
    return candidate.score >= score_threshold;
  }
};

/// The boxes of rows [first, last), which belong to one image. Class 0 is background.
class ImageBoxes {
 public:
  ImageBoxes(const OperationContext& context, std::span<const float> scores, std::span<const float> rois)
      : scores_(scores),
        rois_(rois),
        classes_(context.inputs[0].dims[1]),
        threshold_(float_scalar(context, 3, 0)),
        most_(limit_of(context.scalar<int32_t>(4, -1))),
        rule_{context.scalar<int32_t>(5, 0), float_scalar(context, 6, 0), float_scalar(context, 7, 1),
              float_scalar(context, 8, 0)} {}

  /// Appends the chosen ones, sorted by class and falling score.
  void choose(const OperationContext& context, size_t first, size_t last, std::vector<Candidate>* chosen) const {
    std::vector<std::vector<Candidate>> by_class(classes_ - 1);
    const size_t grain = std::max<size_t>(1, 1024 / (last - first));
    context.parallel_for(classes_ - 1, grain, [&](size_t begin, size_t end) {
      for (size_t c = begin; c < end; ++c) {
        by_class[c] = candidates_of(c + 1, first, last);
        suppress(by_class[c], most_, rule_);
      }
    });
    std::vector<Candidate> best;
    for (const auto& of_class : by_class) best.insert(best.end(), of_class.begin(), of_class.end());
    keep_best(best, most_);
    std::stable_sort(best.begin(), best.end(),
                     [this](const Candidate& a, const Candidate& b) { return a.index % classes_ < b.index % classes_; });
    chosen->insert(chosen->end(), best.begin(), best.end());
  }

 private:
  std::vector<Candidate> candidates_of(size_t c, size_t first, size_t last) const {
    std::vector<Candidate> candidates;
    for (size_t row = first; row < last; ++row) {
      const size_t index = row * classes_ + c;
      if (scores_[index] > threshold_) candidates.push_back({box_at(rois_, index), scores_[index], static_cast<uint32_t>(index)});
    }
    return candidates;
  }

  std::span<const float> scores_, rois_;
  size_t classes_;
  float threshold_;
  size_t most_;
  SuppressionRule rule_;
};

Status check(const OperationContext& context, std::span<const float> rois) {
  const size_t classes = context.input(0).dims[1];
  for (size_t i = 0; i < rois.size() / 4; ++i) {
    const Box box = box_at(rois, i);
    if (i % classes != 0 && !box.is_ordered()) {
      return op_failed("box ", i / classes, " of class ", i % classes, " reaches from ", box.x1, ", ", box.y1, " to ", box.x2, ", ",
                       box.y2);
    }
  }
  const float sigma = float_scalar(context, 7, 1);
  if (context.scalar<int32_t>(5, 0) == 2 && !(sigma > 0.0f)) return op_failed("sigma is ", sigma, " with the gaussian kernel");
  return {};
}

Status select(const OperationContext& context, Selection* selection) {
  const std::vector<float> scores = real_values(context.input(0)), rois = real_values(context.input(1));
  AVOCET_RETURN_IF_FAILED(check(context, rois));
  const ImageBoxes boxes(context, scores, rois);
  const int32_t* image = context.in<int32_t>(2);
  const size_t rows = context.input(0).dims[0];
  for (size_t first = 0, last = 0; first < rows; first = last) {
    while (last < rows && image[last] == image[first]) ++last;
    boxes.choose(context, first, last, &selection->chosen);
  }
  return {};
}

Status infer(OperationContext& context) {
  const uint32_t classes = context.input(0).dims[1];
  const Dimensions& rois = context.input(1).dims;
  if (classes < 2 || rois[1] != uint64_t{4} * classes) {
    return op_failed("scores of ", classes, " classes, the first being background, do not go with boxes of shape ",
                     dims_text(rois));
  }
  auto selection = std::make_shared<Selection>();
  AVOCET_RETURN_IF_FAILED(select(context, selection.get()));
  const uint32_t count = static_cast<uint32_t>(selection->chosen.size());
  context.inferred = std::move(selection);
  context.output(0).dims = {count};
  context.output(1).dims = {count, 4};
  context.output(2).dims = {count};
  context.output(3).dims = {count};
  return {};
}

Status execute(OperationContext& context) {
  const auto* selection = static_cast<const Selection*>(context.inferred.get());
  Selection selected_now;
  if (!selection) {
    AVOCET_RETURN_IF_FAILED(select(context, &selected_now));
    selection = &selected_now;
  }
  const size_t classes = context.input(0).dims[1], box_bytes = 4 * element_size(context.input(1).type);
  std::vector<float> scores;
  for (size_t i = 0; i < selection->chosen.size(); ++i) {
    const Candidate& one = selection->chosen[i];
    scores.push_back(one.score);
    std::memcpy(context.out<uint8_t>(1) + i * box_bytes, context.in<uint8_t>(1) + one.index * box_bytes, box_bytes);
    context.out<int32_t>(2)[i] = static_cast<int32_t>(one.index % classes);
    context.out<int32_t>(3)[i] = context.in<int32_t>(2)[one.index / classes];
  }
  store_real_values(context.output(0), context.output_buffers[0], scores);
  return {};
}

}  // namespace

constinit const Operation kBoxWithNmsLimit =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_BOX_WITH_NMS_LIMIT, "BOX_WITH_NMS_LIMIT");

}  // namespace avocet::runtime
