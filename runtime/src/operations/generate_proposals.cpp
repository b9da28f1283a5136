// SPDX-License-Identifier: Apache-2.0
// GENERATE_PROPOSALS: boxes from anchors at each place of a feature map, limited by hard suppression.
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

/// Column A: scores and deltas; B: anchors; C: image sizes and boxes; D: float scalars.
constexpr TypeRow kTypes[] = {{29, {kTensorFloat32, kTensorFloat32, kTensorFloat32, kFloat32}},
                              {29, {kTensorFloat16, kTensorFloat16, kTensorFloat16, kFloat16}},
                              {29, {kQuant8, kQuant16Symm, kQuant16, kFloat32}},
                              {30, {kQuant8Signed, kQuant16Symm, kQuant16, kFloat32}}};
constexpr OperandRule kInput[] = {image("scores", kColumnA, "batches,height,width,num_anchors"),
                                  image("deltas", kColumnA, "batches,height,width,4*num_anchors"),
                                  shaped("anchors", kColumnB, "num_anchors,4").quantised_as(0.125f, 0, 0),
                                  shaped("image_info", kColumnC, "batches,2").quantised_as(0.125f, 0, 0),
                                  scalar("height_ratio", kColumnD),
                                  scalar("width_ratio", kColumnD),
                                  int32("max_before_nms"),
                                  int32("max_after_nms"),
                                  scalar("iou_threshold", kColumnD),
                                  scalar("min_size", kColumnD),
                                  layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "num_output_rois").quantised_as_input(0),
                                   shaped("out_rois", kColumnC, "num_output_rois,4").quantised_as(0.125f, 0, 0),
                                   shaped("out_batch_index", kTensorInt32, "num_output_rois")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

/// The boxes of all images, by score within each; a candidate's index is that of its image.
struct Proposals : InferredState {
  std::vector<Candidate> boxes;
};

/// Image tensors as real values with their dimensions in NHWC order and their elements in either.
struct Image {
  Image(const OperandView& tensor, bool is_nchw)
      : values(real_values(tensor)), pixels(extent_product(tensor.dims, 1, 3)), channels(tensor.dims[3]), nchw(is_nchw) {}
  float at(size_t image, size_t pixel, size_t channel) const {
    const size_t inside = nchw ? channel * pixels + pixel : pixel * channels + channel;
    return values[image * pixels * channels + inside];
  }
  std::vector<float> values;
  size_t pixels, channels;
  bool nchw;
};

class Proposer {
 public:
  Proposer(const OperationContext& context, bool nchw)
      : scores_(context.inputs[0], nchw),
        deltas_(context.inputs[1], nchw),
        anchors_(real_values(context.inputs[2])),
        sizes_(real_values(context.inputs[3])),
        width_(context.inputs[0].dims[2]),
        step_y_(float_scalar(context, 4, 1)),
        step_x_(float_scalar(context, 5, 1)),
        before_(context.scalar<int32_t>(6, 0)),
        after_(context.scalar<int32_t>(7, 0)),
        overlap_(float_scalar(context, 8, 0)),
        min_size_(float_scalar(context, 9, 0)) {}

  Status check() const {
    for (size_t a = 0; a < anchors_.size() / 4; ++a) {
      const Box box = box_at(anchors_, a);
      if (!box.is_ordered()) return op_failed("anchor ", a, " reaches from ", box.x1, ", ", box.y1, " to ", box.x2, ", ", box.y2);
    }
    return {};
  }

  std::vector<Candidate> propose(size_t image) const {
    std::vector<Candidate> candidates;
    const size_t count = scores_.pixels * scores_.channels;
    for (size_t i = 0; i < count; ++i) {
      const float score = scores_.at(image, i / scores_.channels, i % scores_.channels);
      if (!std::isnan(score)) candidates.push_back({{}, score, static_cast<uint32_t>(i)});
    }
    if (before_ > 0 && static_cast<size_t>(before_) < candidates.size()) keep_best(candidates, limit_of(before_));
    const float height = sizes_[2 * image], width = sizes_[2 * image + 1];
    std::erase_if(candidates, [&](Candidate& candidate) {
      candidate.box = moved_anchor(image, candidate.index, height, width);
      candidate.index = static_cast<uint32_t>(image);
      return !is_large_enough(candidate.box, height, width);
    });
    suppress_hard(candidates, after_ > 0 ? limit_of(after_) : limit_of(-1), overlap_);
    return candidates;
  }

 private:
  Box moved_anchor(size_t image, size_t index, float height, float width) const {
    const size_t pixel = index / scores_.channels, a = index % scores_.channels;
    const float x = static_cast<float>(pixel % width_) * step_x_, y = static_cast<float>(pixel / width_) * step_y_;
    const Box anchor = box_at(anchors_, a);
    float deltas[4];
    for (size_t d = 0; d < 4; ++d) deltas[d] = deltas_.at(image, pixel, 4 * a + d);
    return transformed({anchor.x1 + x, anchor.y1 + y, anchor.x2 + x, anchor.y2 + y}, deltas, width, height);
  }
  /// Also refuses boxes with their centre at the far edges, where clipping puts those outside, and NaN.
  bool is_large_enough(const Box& box, float height, float width) const {
    return box.width() > min_size_ && box.height() > min_size_ && box.x1 + box.width() / 2 < width &&
           box.y1 + box.height() / 2 < height;
  }

  Image scores_, deltas_;
  std::vector<float> anchors_, sizes_;
  size_t width_;
  float step_y_, step_x_;
  int32_t before_, after_;
  float overlap_, min_size_;
};

Status propose(const OperationContext& context, bool nchw, Proposals* proposals) {
  const Proposer proposer(context, nchw);
  AVOCET_RETURN_IF_FAILED(proposer.check());
  const size_t images = context.input(0).dims[0];
  std::vector<std::vector<Candidate>> by_image(images);
  context.parallel_for(images, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) by_image[i] = proposer.propose(i);
  });
  for (const auto& of_image : by_image) proposals->boxes.insert(proposals->boxes.end(), of_image.begin(), of_image.end());
  return {};
}

template <bool nchw>
Status infer(OperationContext& context) {
  const Dimensions& scores = context.input(0).dims;
  const Dimensions& deltas = context.input(1).dims;
  if (deltas[3] != uint64_t{4} * scores[3]) {
    return op_failed(scores[3], " anchors do not go with deltas of ", deltas[3], " channels");
  }
  auto proposals = std::make_shared<Proposals>();
  AVOCET_RETURN_IF_FAILED(propose(context, nchw, proposals.get()));
  const uint32_t count = static_cast<uint32_t>(proposals->boxes.size());
  context.inferred = std::move(proposals);
  context.output(0).dims = {count};
  context.output(1).dims = {count, 4};
  context.output(2).dims = {count};
  return {};
}

Status execute(OperationContext& context) {
  const auto* proposals = static_cast<const Proposals*>(context.inferred.get());
  Proposals proposed_now;
  if (!proposals) {
    AVOCET_RETURN_IF_FAILED(propose(context, false, &proposed_now));  // images are in NHWC here
    proposals = &proposed_now;
  }
  std::vector<float> scores, corners;
  for (size_t i = 0; i < proposals->boxes.size(); ++i) {
    const Candidate& one = proposals->boxes[i];
    scores.push_back(one.score);
    corners.insert(corners.end(), {one.box.x1, one.box.y1, one.box.x2, one.box.y2});
    context.out<int32_t>(2)[i] = static_cast<int32_t>(one.index);
  }
  store_real_values(context.output(0), context.output_buffers[0], scores);
  store_real_values(context.output(1), context.output_buffers[1], corners);
  return {};
}

constexpr Operation row() {
  Operation row = operation<kSignature, infer<false>, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_GENERATE_PROPOSALS,
                                                                                "GENERATE_PROPOSALS");
  // infer() reads the images, whose elements are still in the order they were given in.
  row.infer = [](OperationContext& context) {
    return infer_checked(kSignature, context, context.scalar<uint8_t>(10, 0) ? infer<true> : infer<false>);
  };
  return row;
}

}  // namespace

constinit const Operation kGenerateProposals = row();

}  // namespace avocet::runtime
