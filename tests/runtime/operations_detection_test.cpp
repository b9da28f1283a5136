// SPDX-License-Identifier: Apache-2.0
// AXIS_ALIGNED_BBOX_TRANSFORM, BOX_WITH_NMS_LIMIT, GENERATE_PROPOSALS, DETECTION_POSTPROCESSING and HEATMAP_MAX_KEYPOINT by
// hand: kernels of suppression, order, limits, empty results, data that must be refused, NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kInt = ANEURALNETWORKS_TENSOR_INT32;
constexpr int32_t kQuant16 = ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, kQuant16Symm = ANEURALNETWORKS_TENSOR_QUANT16_SYMM;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;

void expect_near(const Floats& actual, const Floats& expected, float tolerance = 1e-5f) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

// ---- AXIS_ALIGNED_BBOX_TRANSFORM ------------------------------------------------------------------------------------

TEST(BboxTransform, MovesScalesAndClips) {
  OperationCall call(ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM);
  call.in_pieces().floats({2, 4}, {10, 20, 30, 60, 0, 0, 10, 10});
  // Class 0: the centre 20, 40 moves by half the width and a quarter of the height. Class 1: twice as wide, half as high.
  call.floats({2, 8}, {0.5f, 0.25f, 0, 0, 0, 0, std::log(2.0f), std::log(0.5f), 0, 0, 0, 0, 1, 1, 0, 0});
  call.ints({2}, {1, 0}).floats({2, 2}, {12, 13, 64, 35}).output(kFloat);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(), (Dimensions{2, 8}));
  expect_near(call.values<float>(), {20, 30, 35, 64, 0, 30, 35, 50, 0, 0, 10, 10, 10, 10, 13, 12});
}

TEST(BboxTransform, QuantisedCoordinatesAreEighths) {
  for (bool is_signed : {false, true}) {
    OperationCall call(ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM);
    call.input<uint16_t>(kQuant16, {1, 4}, {80, 160, 240, 480}, 0.125f, 0);
    if (is_signed) call.input<int8_t>(kInt8, {1, 4}, {10, 5, 0, 0}, 0.05f, 0);
    else call.input<uint8_t>(kUint8, {1, 4}, {138, 133, 128, 128}, 0.05f, 128);
    call.ints({1}, {0}).input<uint16_t>(kQuant16, {1, 2}, {512, 280}, 0.125f, 0).output(kQuant16, 0.125f, 0);
    const Status status = call.run();
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(call.values<uint16_t>(), (std::vector<uint16_t>{160, 240, 280, 512}));
  }
}

Status transform(Dimensions rois, Floats corners, Dimensions deltas, Ints image, Dimensions* dims) {
  OperationCall call(ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM);
  call.floats(rois, corners).floats(deltas, Floats(extent_product(deltas, 0, 2))).ints({rois[0]}, image);
  call.floats({1, 2}, {100, 100}).output(kFloat);
  const Status status = call.run();
  *dims = call.dims();
  return status;
}

TEST(BboxTransform, NoBoxesAndBadBoxes) {
  Dimensions dims;
  EXPECT_TRUE(transform({0, 4}, {}, {0, 12}, {}, &dims).ok());
  EXPECT_EQ(dims, (Dimensions{0, 12}));
  EXPECT_TRUE(transform({1, 4}, {0, 0, 1, 1}, {1, 4}, {0}, &dims).ok());
  EXPECT_EQ(transform({1, 4}, {0, 0, 1, 1}, {1, 6}, {0}, &dims).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(transform({1, 4}, {0, 0, 1, 1}, {1, 0}, {0}, &dims).code, ANEURALNETWORKS_OP_FAILED);
  for (int32_t image : {-1, 1, 2147483647, std::numeric_limits<int32_t>::min()}) {
    EXPECT_EQ(transform({1, 4}, {0, 0, 1, 1}, {1, 4}, {image}, &dims).code, ANEURALNETWORKS_OP_FAILED) << image;
  }
  for (const Floats& box : {Floats{2, 0, 1, 1}, {0, 2, 1, 1}, {kNan, 0, 1, 1}, {0, 0, 1, kNan}}) {
    EXPECT_EQ(transform({1, 4}, box, {1, 4}, {0}, &dims).code, ANEURALNETWORKS_OP_FAILED);
  }
}

// ---- BOX_WITH_NMS_LIMIT ---------------------------------------------------------------------------------------------

struct NmsInput {
  uint32_t classes = 2;
  Floats scores;
  Floats boxes;
  Ints images;
  float score_threshold = 0.1f;
  int32_t most = -1, kernel = 0;
  float overlap = 0.4f, sigma = 0.5f, nms_score_threshold = 0.1f;
};

OperationCall nms_call(const NmsInput& in, bool half = false) {
  OperationCall call(ANEURALNETWORKS_BOX_WITH_NMS_LIMIT);
  const uint32_t rows = static_cast<uint32_t>(in.images.size());
  const int32_t type = half ? ANEURALNETWORKS_TENSOR_FLOAT16 : kFloat;
  call.in_pieces();
  if (half) call.halves({rows, in.classes}, in.scores).halves({rows, 4 * in.classes}, in.boxes);
  else call.floats({rows, in.classes}, in.scores).floats({rows, 4 * in.classes}, in.boxes);
  const auto number = [&](float value) {
    if (half) call.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(value)});
    else call.float32(value);
  };
  call.ints({rows}, in.images);
  number(in.score_threshold);
  call.int32(in.most).int32(in.kernel);
  number(in.overlap);
  number(in.sigma);
  number(in.nms_score_threshold);
  call.output(type).output(type).output(kInt).output(kInt);
  return call;
}

/// Three boxes of one class: the second covers 2/3 of the union with the first, the third stands alone. Class 0 is ignored.
NmsInput three_boxes() {
  NmsInput in;
  in.scores = {1, 0.9f, 1, 0.8f, 1, 0.7f};
  in.boxes = {0, 0, 0, 0, 0, 0, 10, 10, 0, 0, 0, 0, 0, 2, 10, 12, 0, 0, 0, 0, 20, 20, 30, 30};
  in.images = {0, 0, 0};
  return in;
}

TEST(BoxWithNmsLimit, HardLinearAndGaussian) {
  const float overlap = 80.0f / 120.0f;
  NmsInput in = three_boxes();
  OperationCall hard = nms_call(in);
  Status status = hard.run();
  ASSERT_TRUE(status.ok()) << status.message;
  expect_near(hard.values<float>(0), {0.9f, 0.7f});
  EXPECT_EQ(hard.values<float>(1), (Floats{0, 0, 10, 10, 20, 20, 30, 30}));
  EXPECT_EQ(hard.values<int32_t>(2), (Ints{1, 1}));
  EXPECT_EQ(hard.values<int32_t>(3), (Ints{0, 0}));

  in.kernel = 1;
  OperationCall linear = nms_call(in);
  ASSERT_TRUE(linear.run().ok());
  expect_near(linear.values<float>(0), {0.9f, 0.7f, 0.8f * (1 - overlap)});

  in.kernel = 2;
  OperationCall gaussian = nms_call(in);
  ASSERT_TRUE(gaussian.run().ok());
  expect_near(gaussian.values<float>(0), {0.9f, 0.7f, 0.8f * std::exp(-overlap * overlap / 0.5f)});
  EXPECT_EQ(gaussian.values<float>(1), (Floats{0, 0, 10, 10, 20, 20, 30, 30, 0, 2, 10, 12}));

  in.nms_score_threshold = 0.4f;  // above what is left of the second box
  OperationCall dropped = nms_call(in, true);
  ASSERT_TRUE(dropped.run().ok());
  expect_near(dropped.half_values(0), {0.9f, 0.7f}, 1e-3f);
}

TEST(BoxWithNmsLimit, LimitsAreForEachImageAndClassesAreSorted) {
  NmsInput in;
  in.classes = 3;
  in.images = {5, 5, 2, 2};
  in.scores = {0, 0.5f, 0.9f, 0, 0.6f, 0.3f, 0, 0.2f, 0.3f, 0, 0.8f, 0.05f};
  for (int row = 0; row < 4; ++row)
    for (int c = 0; c < 3; ++c) {
      const float x = static_cast<float>(100 * row + 20 * c);
      in.boxes.insert(in.boxes.end(), {x, 0, x + 10, 10});
    }
  in.most = 2;
  OperationCall call = nms_call(in);
  ASSERT_TRUE(call.run().ok());
  expect_near(call.values<float>(0), {0.6f, 0.9f, 0.8f, 0.3f});
  EXPECT_EQ(call.values<int32_t>(2), (Ints{1, 2, 1, 2}));
  EXPECT_EQ(call.values<int32_t>(3), (Ints{5, 5, 2, 2}));
  EXPECT_EQ(call.dims(1), (Dimensions{4, 4}));
  in.most = 0;
  OperationCall none = nms_call(in);
  ASSERT_TRUE(none.run().ok());
  EXPECT_EQ(none.dims(0), (Dimensions{0}));
  EXPECT_EQ(none.dims(1), (Dimensions{0, 4}));
}

TEST(BoxWithNmsLimit, QuantisedScoresAndBoxes) {
  for (bool is_signed : {false, true}) {
    OperationCall call(ANEURALNETWORKS_BOX_WITH_NMS_LIMIT);
    if (is_signed) call.input<int8_t>(kInt8, {3, 2}, {0, -38, 0, -48, 0, -58}, 0.01f, -128);
    else call.input<uint8_t>(kUint8, {3, 2}, {0, 90, 0, 80, 0, 70}, 0.01f, 0);
    call.input<uint16_t>(kQuant16, {3, 8}, {0, 0, 0, 0, 0, 0, 80, 80, 0, 0, 0, 0, 0, 16, 80, 96, 0, 0, 0, 0, 160, 160, 240, 240}, 0.125f, 0);
    call.ints({3}, {0, 0, 0}).float32(0.1f).int32(-1).int32(1).float32(0.4f).float32(1).float32(0.1f);
    const int32_t type = is_signed ? kInt8 : kUint8;
    call.output(type, 0.01f, is_signed ? -128 : 0).output(kQuant16, 0.125f, 0).output(kInt).output(kInt);
    const Status status = call.run();
    ASSERT_TRUE(status.ok()) << status.message;
    const int offset = is_signed ? -128 : 0, scores[] = {90, 70, 27};  // the last one is 80 / 3
    ASSERT_EQ(call.dims(), Dimensions{3});
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(is_signed ? int{call.values<int8_t>(0)[i]} : int{call.values<uint8_t>(0)[i]}, scores[i] + offset) << i;
    }
    EXPECT_EQ(call.values<uint16_t>(1), (std::vector<uint16_t>{0, 0, 80, 80, 160, 160, 240, 240, 0, 16, 80, 96}));
  }
}

TEST(BoxWithNmsLimit, NoBoxesNanScoresAndBadData) {
  NmsInput none;
  OperationCall empty = nms_call(none);
  const Status status = empty.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(empty.dims(3), (Dimensions{0}));

  NmsInput in = three_boxes();
  in.scores[1] = kNan;
  OperationCall without = nms_call(in);
  ASSERT_TRUE(without.run().ok());
  expect_near(without.values<float>(0), {0.8f, 0.7f});

  in = three_boxes();
  in.boxes = Floats(24, 5.0f);  // no area: nothing overlaps
  OperationCall points = nms_call(in);
  ASSERT_TRUE(points.run().ok());
  EXPECT_EQ(points.dims(0), (Dimensions{3}));

  in = three_boxes();
  in.boxes[4] = 11;  // x1 of class 1 beyond x2
  EXPECT_EQ(nms_call(in).run().code, ANEURALNETWORKS_OP_FAILED);
  in = three_boxes();
  in.kernel = 2;
  for (float sigma : {0.0f, -1.0f, kNan}) {
    in.sigma = sigma;
    EXPECT_EQ(nms_call(in).run().code, ANEURALNETWORKS_OP_FAILED) << sigma;
  }
  in.kernel = 3;
  EXPECT_EQ(nms_call(in).run().code, ANEURALNETWORKS_BAD_DATA);
}

// ---- GENERATE_PROPOSALS ---------------------------------------------------------------------------------------------

/// Two by one places, two anchors: small ones around the place and tall ones.
struct ProposalInput {
  Floats scores = {0.2f, 0.9f, 0.8f, 0.7f};  // place 0: anchors 0 and 1, place 1: the same
  Floats deltas = Floats(16, 0.0f);
  int32_t before = 0, after = 0;
  float overlap = 0.5f, min_size = 0;
};

OperationCall proposal_call(const ProposalInput& in, bool nchw = false) {
  OperationCall call(ANEURALNETWORKS_GENERATE_PROPOSALS);
  const auto planes = [&](const Floats& v, size_t channels) {
    if (!nchw) return v;
    Floats out;
    for (size_t c = 0; c < channels; ++c)
      for (size_t p = 0; p < 2; ++p) out.push_back(v[p * channels + c]);
    return out;
  };
  call.floats(nchw ? Dimensions{1, 2, 2, 1} : Dimensions{1, 2, 1, 2}, planes(in.scores, 2));
  call.floats(nchw ? Dimensions{1, 8, 2, 1} : Dimensions{1, 2, 1, 8}, planes(in.deltas, 8));
  call.floats({2, 4}, {0, 0, 4, 4, 0, 0, 4, 8}).floats({1, 2}, {20, 10}).float32(6).float32(100);
  call.int32(in.before).int32(in.after).float32(in.overlap).float32(in.min_size).boolean(nchw);
  call.output(kFloat).output(kFloat).output(kInt);
  return call;
}

TEST(GenerateProposals, BothLayoutsByHand) {
  // Boxes: place 0 (0, 0, 4, 4) and (0, 0, 4, 8); place 1 (0, 6, 4, 10) and (0, 6, 4, 14), moved by a quarter of the width.
  ProposalInput in;
  in.deltas[12] = 0.25f;  // dx of place 1, anchor 1
  for (bool nchw : {false, true}) {
    OperationCall call = proposal_call(in, nchw);
    const Status status = call.run();
    ASSERT_TRUE(status.ok()) << status.message;
    // 16 of 32 drop the first box; 8 of 40, 6 of 58 and 12 of 36 are below the threshold.
    expect_near(call.values<float>(0), {0.9f, 0.8f, 0.7f});
    expect_near(call.values<float>(1), {0, 0, 4, 8, 0, 6, 4, 10, 1, 6, 5, 14});
    EXPECT_EQ(call.values<int32_t>(2), (Ints{0, 0, 0}));
  }
}

TEST(GenerateProposals, LimitsSizesAndNan) {
  ProposalInput in;
  in.before = 2;
  OperationCall before = proposal_call(in);
  ASSERT_TRUE(before.run().ok());
  expect_near(before.values<float>(0), {0.9f, 0.8f});
  in = {};
  in.after = 1;
  OperationCall after = proposal_call(in);
  ASSERT_TRUE(after.run().ok());
  expect_near(after.values<float>(0), {0.9f});
  in = {};
  in.min_size = 4;  // widths are 4
  OperationCall large = proposal_call(in);
  ASSERT_TRUE(large.run().ok());
  EXPECT_EQ(large.dims(0), (Dimensions{0}));
  EXPECT_EQ(large.dims(1), (Dimensions{0, 4}));
  in = {};
  in.scores = {0.2f, kNan, kNan, 0.7f};
  in.deltas[0] = kNan;
  OperationCall without = proposal_call(in);
  ASSERT_TRUE(without.run().ok());
  expect_near(without.values<float>(0), {0.7f});
  in = {};
  in.deltas = Floats(16, kInfinity);
  EXPECT_TRUE(proposal_call(in).run().ok());
}

TEST(GenerateProposals, QuantisedImagesAndCoordinates) {
  OperationCall call(ANEURALNETWORKS_GENERATE_PROPOSALS);
  call.input<int8_t>(kInt8, {1, 1, 1, 2}, {-28, 2}, 0.01f, -128).input<int8_t>(kInt8, {1, 1, 1, 8}, {0, 0, 0, 0, 5, 0, 0, 0}, 0.1f, 0);
  call.input<int16_t>(kQuant16Symm, {2, 4}, {0, 0, 32, 32, -16, 0, 16, 64}, 0.125f, 0).input<uint16_t>(kQuant16, {1, 2}, {80, 80}, 0.125f, 0);
  call.float32(1).float32(1).int32(-1).int32(-1).float32(0.9f).float32(0).boolean(false);
  call.output(kInt8, 0.01f, -128).output(kQuant16, 0.125f, 0).output(kInt);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.values<int8_t>(0), (std::vector<int8_t>{2, -28}));
  EXPECT_EQ(call.values<uint16_t>(1), (std::vector<uint16_t>{0, 0, 32, 64, 0, 0, 32, 32}));
}

TEST(GenerateProposals, AnchorsInsideOutAreRefused) {
  OperationCall call(ANEURALNETWORKS_GENERATE_PROPOSALS);
  call.floats({1, 1, 1, 1}, {1}).floats({1, 1, 1, 4}, {0, 0, 0, 0}).floats({1, 4}, {3, 0, 2, 1}).floats({1, 2}, {9, 9});
  call.float32(1).float32(1).int32(0).int32(0).float32(0.5f).float32(0).boolean(false).output(kFloat).output(kFloat).output(kInt);
  EXPECT_EQ(call.run().code, ANEURALNETWORKS_OP_FAILED);
}

/// execute() has to work on a context that infer() never saw.
TEST(DataDependentOutputs, ExecuteWorksWithoutTheStateOfInfer) {
  for (bool nchw : {false, true}) {
    OperationCall call = proposal_call({}, nchw);
    ASSERT_TRUE(call.forgetting().run().ok());
    expect_near(call.values<float>(0), {0.9f, 0.8f});
    expect_near(call.values<float>(1), {0, 0, 4, 8, 0, 6, 4, 10});
  }
  OperationCall call = nms_call(three_boxes());
  ASSERT_TRUE(call.forgetting().run().ok());
  expect_near(call.values<float>(0), {0.9f, 0.7f});
}

// ---- DETECTION_POSTPROCESSING ---------------------------------------------------------------------------------------

struct DetectionInput {
  Floats scores = {0, 0.9f, 0.8f, 0, 0.7f, 0.85f, 0, 0.3f, 0.2f};
  Floats deltas = Floats(15, 0.0f);
  bool regular = true;
  int32_t most = 4, classes_each = 1, each_class = 10;
  float score_threshold = 0.25f, overlap = 0.5f;
  bool background = false;
};

/// Three anchors, the first two at one place; five numbers for each box, the last of which means nothing.
OperationCall detection_call(const DetectionInput& in, bool half = false) {
  OperationCall call(ANEURALNETWORKS_DETECTION_POSTPROCESSING);
  const auto tensor = [&](Dimensions dims, const Floats& v) { half ? call.halves(dims, v) : call.floats(dims, v); };
  const auto number = [&](float value) {
    if (half) call.input<_Float16>(ANEURALNETWORKS_FLOAT16, {}, {static_cast<_Float16>(value)});
    else call.float32(value);
  };
  tensor({1, 3, 3}, in.scores);
  tensor({1, 3, 5}, in.deltas);
  tensor({3, 4}, {1, 1, 2, 2, 1, 1, 2, 2, 11, 1, 2, 4});
  for (float scale : {10.0f, 10.0f, 5.0f, 5.0f}) number(scale);
  call.boolean(in.regular).int32(in.most).int32(in.classes_each).int32(in.each_class);
  number(in.score_threshold);
  number(in.overlap);
  call.boolean(in.background);
  const int32_t type = half ? ANEURALNETWORKS_TENSOR_FLOAT16 : kFloat;
  call.output(type).output(type).output(kInt).output(kInt);
  return call;
}

TEST(DetectionPostprocessing, RegularSuppressesEachClass) {
  DetectionInput in;
  in.deltas[10] = 10;  // the third box moves down by one height of 2
  OperationCall call = detection_call(in);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  expect_near(call.values<float>(0), {0.9f, 0.85f, 0.3f, 0});
  expect_near(call.values<float>(1), {0, 0, 2, 2, 0, 0, 2, 2, 12, -1, 14, 3, 0, 0, 0, 0});
  EXPECT_EQ(call.values<int32_t>(2), (Ints{0, 1, 0, 0}));
  EXPECT_EQ(call.values<int32_t>(3), (Ints{3}));
  in.each_class = 1;
  in.most = 1;
  OperationCall one = detection_call(in, true);
  ASSERT_TRUE(one.run().ok());
  expect_near(one.half_values(0), {0.9f}, 1e-3f);
  EXPECT_EQ(one.values<int32_t>(3), (Ints{1}));
}

TEST(DetectionPostprocessing, FastSuppressesOnceAndListsClasses) {
  DetectionInput in;
  in.regular = false;
  in.classes_each = 2;
  in.background = true;
  OperationCall call = detection_call(in);
  const Status status = call.run();
  ASSERT_TRUE(status.ok()) << status.message;
  EXPECT_EQ(call.dims(0), (Dimensions{1, 4}));
  expect_near(call.values<float>(0), {0.9f, 0.8f, 0.3f, 0.2f});
  EXPECT_EQ(call.values<int32_t>(2), (Ints{1, 2, 1, 2}));
  EXPECT_EQ(call.values<int32_t>(3), (Ints{4}));
  in.most = 3;  // classes count as detections
  OperationCall full = detection_call(in);
  ASSERT_TRUE(full.run().ok());
  expect_near(full.values<float>(0), {0.9f, 0.8f, 0.3f});
  EXPECT_EQ(full.values<int32_t>(3), (Ints{3}));
  in.scores = {0, kNan, 0.8f, 0, kNan, kNan, 0, 0.1f, 0.2f};
  OperationCall without = detection_call(in);
  ASSERT_TRUE(without.run().ok());
  EXPECT_EQ(without.values<int32_t>(3), (Ints{2}));
  EXPECT_FLOAT_EQ(without.values<float>(0)[0], 0.8f);
  EXPECT_EQ(without.values<int32_t>(2), (Ints{2, 1, 0}));
}

TEST(DetectionPostprocessing, ImpossibleLimitsAreRefused) {
  DetectionInput in;
  in.each_class = 0;
  EXPECT_EQ(detection_call(in).run().code, ANEURALNETWORKS_OP_FAILED);
  in = {};
  in.regular = false;
  in.classes_each = -1;
  EXPECT_EQ(detection_call(in).run().code, ANEURALNETWORKS_OP_FAILED);
  in.classes_each = in.most = 2147483647;
  EXPECT_EQ(detection_call(in).run().code, ANEURALNETWORKS_OP_FAILED);
  in = {};
  in.overlap = -0.5f;
  EXPECT_EQ(detection_call(in).run().code, ANEURALNETWORKS_BAD_DATA);
  in = {};
  in.most = 0;
  EXPECT_EQ(detection_call(in).run().code, ANEURALNETWORKS_BAD_DATA);
}

// ---- HEATMAP_MAX_KEYPOINT -------------------------------------------------------------------------------------------

TEST(HeatmapMaxKeypoint, TopOfAParaboloid) {
  // 10 - (x - 1.25)^2 - 2 (y - 2.5)^2 sampled at whole numbers: the top is found exactly.
  Floats map;
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 5; ++x) map.push_back(10 - (static_cast<float>(x) - 1.25f) * (static_cast<float>(x) - 1.25f) - 2 * (static_cast<float>(y) - 2.5f) * (static_cast<float>(y) - 2.5f));
  Floats two;  // the second keypoint is flat: its first element counts
  for (float v : map) two.insert(two.end(), {v, 3.0f});
  for (bool nchw : {false, true}) {
    OperationCall call(ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT);
    Floats planes = map;
    planes.insert(planes.end(), 25, 3.0f);
    call.in_pieces().floats(nchw ? Dimensions{1, 2, 5, 5} : Dimensions{1, 5, 5, 2}, nchw ? planes : two);
    call.floats({1, 4}, {100, 200, 150, 300}).boolean(nchw).output(kFloat).output(kFloat);
    const Status status = call.run();
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(call.dims(1), (Dimensions{1, 2, 2}));
    expect_near(call.values<float>(0), {10, 3});
    expect_near(call.values<float>(1), {100 + 50 * 1.75f / 5, 200 + 100 * 3.0f / 5, 100 + 50 * 0.5f / 5, 200 + 100 * 0.5f / 5}, 1e-3f);
  }
}

TEST(HeatmapMaxKeypoint, CornersAreMirroredAndQuantised) {
  // The largest element is in the corner; its mirrored neighbours are equal, so that the top is the element itself.
  for (bool is_signed : {false, true}) {
    OperationCall call(ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT);
    if (is_signed) call.input<int8_t>(kInt8, {1, 2, 2, 1}, {-100, -90, -80, 72}, 0.01f, -128);
    else call.input<uint8_t>(kUint8, {1, 2, 2, 1}, {28, 38, 48, 200}, 0.01f, 0);
    call.input<uint16_t>(kQuant16, {1, 4}, {80, 160, 120, 240}, 0.125f, 0).boolean(false);
    call.output(is_signed ? kInt8 : kUint8, 0.02f, is_signed ? -28 : 100).output(kQuant16, 0.125f, 0);
    const Status status = call.run();
    ASSERT_TRUE(status.ok()) << status.message;
    EXPECT_EQ(is_signed ? int{call.values<int8_t>(0)[0]} : int{call.values<uint8_t>(0)[0]}, is_signed ? 72 : 200);
    EXPECT_EQ(call.values<uint16_t>(1), (std::vector<uint16_t>{110, 220}));  // three quarters of the box
  }
}

TEST(HeatmapMaxKeypoint, NanAndBadBoxes) {
  const auto run = [](Dimensions dims, Floats box, float value) {
    OperationCall call(ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT);
    call.floats(dims, Floats(extent_product(dims, 0, 4), value)).floats({1, 4}, box).boolean(false).output(kFloat).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(run({1, 2, 2, 1}, {0, 0, 1, 1}, kNan), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({1, 2, 2, 1}, {0, 0, 1, 1}, -kInfinity), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({1, 2, 2, 1}, {2, 0, 1, 1}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({1, 2, 2, 1}, {0, 0, 1, kNan}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({1, 1, 1, 1}, {0, 0, 1, 1}, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({1, 2, 3, 1}, {0, 0, 1, 1}, 1), ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
