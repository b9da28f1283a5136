// SPDX-License-Identifier: Apache-2.0
// HEATMAP_MAX_KEYPOINT: the place and score of the largest value of each heatmap, refined by a quadratic.
#include <cmath>
#include <limits>

#include "boxes.hpp"
#include "real_values.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{29, {kTensorFloat32, kTensorFloat32}},
                              {29, {kTensorFloat16, kTensorFloat16}},
                              {29, {kQuant8, kQuant16}},
                              {30, {kQuant8Signed, kQuant16}}};
constexpr OperandRule kInput[] = {image("heatmaps", kColumnA, "num_boxes,heatmap_size,heatmap_size,num_keypoints"),
                                  shaped("boxes", kColumnB, "num_boxes,4").quantised_as(0.125f, 0, 0), layout()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("out_scores", kColumnA, "num_boxes,num_keypoints"),
                                   shaped("out_keypoints", kColumnB, "num_boxes,num_keypoints,2").quantised_as(0.125f, 0, 0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

Status infer(OperationContext& context) {
  const Dimensions& maps = context.input(0).dims;
  if (maps[1] < 2) return op_failed("heatmaps of shape ", dims_text(maps), " are smaller than 2 by 2");
  context.output(0).dims = {maps[0], maps[3]};
  context.output(1).dims = {maps[0], maps[3], 2};
  return {};
}

struct Peak {
  float score, x, y;  // x and y relative to the largest element
};

/// Top of the quadratic through nine neighbours: with gradient g and second derivatives H at the centre, the top is at
/// d = -inverse(H) g and has the value centre + g.d + d.Hd / 2. Where H is not invertible within `tolerance` the centre is
/// taken. The top is kept within one and a half elements of the centre.
Peak quadratic_top(const float grid[3][3], float tolerance) {
  const float gx = (grid[1][2] - grid[1][0]) / 2, gy = (grid[2][1] - grid[0][1]) / 2;
  const float hxx = grid[1][0] - 2 * grid[1][1] + grid[1][2], hyy = grid[0][1] - 2 * grid[1][1] + grid[2][1];
  const float hxy = (grid[2][2] - grid[2][0] - grid[0][2] + grid[0][0]) / 4;
  const float determinant = hxx * hyy - hxy * hxy;
  if (!(std::abs(determinant) >= tolerance + tolerance * (hxx * hyy))) return {grid[1][1], 0, 0};
  float x = (hxy * gy - hyy * gx) / determinant, y = (hxy * gx - hxx * gy) / determinant;
  constexpr float kFarthest = 1.5f;
  const float distance = std::max(std::abs(x), std::abs(y));
  if (distance > kFarthest) {
    x *= kFarthest / distance;
    y *= kFarthest / distance;
  }
  return {grid[1][1] + gx * x + gy * y + ((hxx * x + hxy * y) * x + (hxy * x + hyy * y) * y) / 2, x, y};
}

/// One heatmap: elements `step` apart, `size` by `size` of them.
class Heatmap {
 public:
  Heatmap(const float* values, size_t step, int64_t size) : values_(values), step_(step), size_(size) {}

  size_t largest() const {
    size_t best = 0;
    float highest = -std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < static_cast<size_t>(size_ * size_); ++i) {
      if (values_[i * step_] > highest) {
        highest = values_[i * step_];
        best = i;
      }
    }
    return best;
  }
  Peak top_near(size_t index, float tolerance) const {
    const int64_t x = static_cast<int64_t>(index) % size_, y = static_cast<int64_t>(index) / size_;
    float grid[3][3];
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        grid[dy + 1][dx + 1] = values_[static_cast<size_t>(mirrored(y + dy) * size_ + mirrored(x + dx)) * step_];
      }
    }
    const Peak top = quadratic_top(grid, tolerance);
    const float size = static_cast<float>(size_);
    return {top.score, (static_cast<float>(x) + top.x + 0.5f) / size, (static_cast<float>(y) + top.y + 0.5f) / size};
  }

 private:
  int64_t mirrored(int64_t at) const { return at < 0 ? 1 : at >= size_ ? size_ - 2 : at; }

  const float* values_;
  size_t step_;
  int64_t size_;
};

Status execute(OperationContext& context) {
  const Dimensions& dims = context.input(0).dims;
  const std::vector<float> maps = real_values(context.input(0)), boxes = real_values(context.input(1));
  for (size_t i = 0; i < dims[0]; ++i) {
    const Box box = box_at(boxes, i);
    if (!box.is_ordered()) return op_failed("box ", i, " reaches from ", box.x1, ", ", box.y1, " to ", box.x2, ", ", box.y2);
  }
  const size_t keypoints = dims[3], map_length = extent_product(dims, 1, 4);
  const float tolerance = context.input(0).type == ANEURALNETWORKS_TENSOR_FLOAT16 ? 1e-3f : 1e-5f;
  std::vector<float> scores(dims[0] * keypoints), places(2 * scores.size());
  context.parallel_for(scores.size(), std::max<size_t>(1, 32768 / (size_t{dims[1]} * dims[2])), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Box box = box_at(boxes, i / keypoints);
      const Heatmap map(&maps[i / keypoints * map_length + i % keypoints], keypoints, dims[1]);
      const Peak top = map.top_near(map.largest(), tolerance);
      scores[i] = top.score;
      places[2 * i] = top.x * box.width() + box.x1;
      places[2 * i + 1] = top.y * box.height() + box.y1;
    }
  });
  store_real_values(context.output(0), context.output_buffers[0], scores);
  store_real_values(context.output(1), context.output_buffers[1], places);
  return {};
}

}  // namespace

constinit const Operation kHeatmapMaxKeypoint =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT, "HEATMAP_MAX_KEYPOINT");

}  // namespace avocet::runtime
