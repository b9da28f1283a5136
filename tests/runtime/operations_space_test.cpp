// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE, SPACE_TO_DEPTH, BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND, PAD and PAD_V2 against the naive evaluator, in both
// layouts, and their refusals.
#include <cstring>
#include <limits>

#include "naive_move.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32;

/// The formulas below are written for NHWC; for NCHW indices and dimensions are turned there and back.
Dimensions stored(const Dimensions& d, bool nchw) { return nchw ? Dimensions{d[0], d[3], d[1], d[2]} : d; }
Index stored(const Index& i, bool nchw) { return nchw ? Index{i[0], i[3], i[1], i[2]} : i; }
Index as_nhwc(const Index& i, bool nchw) { return nchw ? Index{i[0], i[2], i[3], i[1]} : i; }

template <typename T, typename Source>
std::vector<T> moved_image(const std::vector<T>& from, const Dimensions& from_dims, const Dimensions& to_dims, bool nchw,
                           const Source& source, T outside = T{}) {
  return moved(
      from, stored(from_dims, nchw), stored(to_dims, nchw),
      [&](const Index& i) { return stored(source(as_nhwc(i, nchw)), nchw); }, outside);
}

template <typename T>
void rearrange_depth(MovedType type) {
  for (bool nchw : {false, true}) {
    for (uint32_t block : {1u, 2u, 3u}) {
      const Dimensions deep{2, 3, 5, 4 * block * block}, wide{2, 3 * block, 5 * block, 4};
      // Pixel (y, x) of the wide image is element (y % block, x % block) of its block; blocks are rows of the depth.
      const auto in_deep = [&](const Index& i) {
        return Index{i[0], i[1] / block, i[2] / block, (i[1] % block * block + i[2] % block) * 4 + i[3]};
      };
      const auto in_wide = [&](const Index& i) {
        return Index{i[0], i[1] * block + i[3] / 4 / block, i[2] * block + i[3] / 4 % block, i[3] % 4};
      };
      for (bool to_space : {true, false}) {
        const Dimensions &before = to_space ? deep : wide, &after = to_space ? wide : deep;
        const std::vector<T> from = counted<T>(before);
        OperationCall call(to_space ? ANEURALNETWORKS_DEPTH_TO_SPACE : ANEURALNETWORKS_SPACE_TO_DEPTH);
        call.in_pieces().input(type.code, stored(before, nchw), from, type.scale, type.zero_point);
        call.int32(static_cast<int32_t>(block)).boolean(nchw).output(type.code, type.scale, type.zero_point);
        ASSERT_TRUE(call.run().ok());
        EXPECT_EQ(call.dims(), stored(after, nchw));
        EXPECT_EQ(call.values<T>(), to_space ? moved_image(from, before, after, nchw, in_deep)
                                             : moved_image(from, before, after, nchw, in_wide));
      }
    }
  }
}

TEST(DepthSpace, EveryTypeInBothLayouts) {
  rearrange_depth<uint32_t>(kMovedFloat);
  rearrange_depth<uint16_t>(kMovedHalf);
  rearrange_depth<uint8_t>(kMovedUint8);
  rearrange_depth<uint8_t>(kMovedInt8);
}

int with_block(int32_t code, const Dimensions& dims, int32_t block) {
  OperationCall call(code);
  call.input(kFloat, dims, counted<uint32_t>(dims)).int32(block).output(kFloat);
  return call.run().code;
}

TEST(DepthSpace, RefusesBlocksThatDoNotDivide) {
  EXPECT_EQ(with_block(ANEURALNETWORKS_DEPTH_TO_SPACE, {1, 1, 1, 8}, 2), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(with_block(ANEURALNETWORKS_DEPTH_TO_SPACE, {1, 1, 1, 6}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(with_block(ANEURALNETWORKS_DEPTH_TO_SPACE, {1, 1, 1, 6}, kMax), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(with_block(ANEURALNETWORKS_DEPTH_TO_SPACE, {1, 1, 1, 4}, 0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(with_block(ANEURALNETWORKS_DEPTH_TO_SPACE, {0, 1, 1, 4}, 2), ANEURALNETWORKS_OP_FAILED);  // empty: not documented
  EXPECT_EQ(with_block(ANEURALNETWORKS_SPACE_TO_DEPTH, {1, 4, 2, 3}, 2), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(with_block(ANEURALNETWORKS_SPACE_TO_DEPTH, {1, 4, 3, 3}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(with_block(ANEURALNETWORKS_SPACE_TO_DEPTH, {1, 3, 4, 3}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(with_block(ANEURALNETWORKS_SPACE_TO_DEPTH, {1, 4, 2, 3}, kMax), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(with_block(ANEURALNETWORKS_SPACE_TO_DEPTH, {1, 4, 2, 3}, -1), ANEURALNETWORKS_BAD_DATA);
}

template <typename T>
void batches_to_space(MovedType type) {
  const int32_t kHeight = 3, kWidth = 2;
  for (bool nchw : {false, true}) {
    const Dimensions before{kHeight * kWidth * 2, 2, 4, 3}, after{2, 2 * kHeight, 4 * kWidth, 3};
    const std::vector<T> from = counted<T>(before);
    OperationCall call(ANEURALNETWORKS_BATCH_TO_SPACE_ND);
    call.in_pieces().input(type.code, stored(before, nchw), from, type.scale, type.zero_point).ints({2}, {kHeight, kWidth});
    call.boolean(nchw).output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    EXPECT_EQ(call.dims(), stored(after, nchw));
    EXPECT_EQ(call.values<T>(), moved_image(from, before, after, nchw, [&](const Index& i) {
      return Index{(i[1] % kHeight * kWidth + i[2] % kWidth) * 2 + i[0], i[1] / kHeight, i[2] / kWidth, i[3]};
    }));
  }
}

TEST(BatchToSpace, EveryTypeInBothLayouts) {
  batches_to_space<uint32_t>(kMovedFloat);
  batches_to_space<uint16_t>(kMovedHalf);
  batches_to_space<uint8_t>(kMovedUint8);
  batches_to_space<uint8_t>(kMovedInt8);
}

TEST(BatchToSpace, Refusals) {
  const auto run = [](const std::vector<int32_t>& blocks) {
    OperationCall call(ANEURALNETWORKS_BATCH_TO_SPACE_ND);
    call.floats({4, 1, 1, 1}, {1, 2, 3, 4}).ints({static_cast<uint32_t>(blocks.size())}, blocks).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(run({2, 2}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({3, 1}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({4, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({0, 2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({2, -2}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({kMax, kMax}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({2, 2, 1}), ANEURALNETWORKS_OP_FAILED);
}

template <typename T>
void space_to_batches(MovedType type, T outside) {
  struct Case {
    Dimensions dims;
    int32_t height, width, top, bottom, left, right;
  };
  for (const Case& c : {Case{{2, 4, 6, 3}, 2, 3, 0, 0, 0, 0}, Case{{1, 5, 2, 2}, 3, 2, 1, 0, 2, 2}, Case{{2, 1, 1, 5}, 4, 4, 7, 0, 0, 11},
                        Case{{1, 3, 3, 1}, 1, 5, 0, 2, 1, 1}}) {
    for (bool nchw : {false, true}) {
      const uint32_t height = (c.dims[1] + static_cast<uint32_t>(c.top + c.bottom)) / static_cast<uint32_t>(c.height);
      const uint32_t width = (c.dims[2] + static_cast<uint32_t>(c.left + c.right)) / static_cast<uint32_t>(c.width);
      const Dimensions after{c.dims[0] * static_cast<uint32_t>(c.height * c.width), height, width, c.dims[3]};
      const std::vector<T> from = counted<T>(c.dims);
      OperationCall call(ANEURALNETWORKS_SPACE_TO_BATCH_ND);
      call.in_pieces().input(type.code, stored(c.dims, nchw), from, type.scale, type.zero_point).ints({2}, {c.height, c.width});
      call.ints({2, 2}, {c.top, c.bottom, c.left, c.right}).boolean(nchw).output(type.code, type.scale, type.zero_point);
      ASSERT_TRUE(call.run().ok());
      EXPECT_EQ(call.dims(), stored(after, nchw));
      const auto source = [&](const Index& i) {
        const int64_t cell = i[0] / c.dims[0];
        return Index{i[0] % c.dims[0], i[1] * c.height + cell / c.width - c.top, i[2] * c.width + cell % c.width - c.left, i[3]};
      };
      EXPECT_EQ(call.values<T>(), moved_image(from, c.dims, after, nchw, source, outside)) << dims_text(c.dims);
    }
  }
}

TEST(SpaceToBatch, EveryTypeInBothLayoutsPadsWithTheLogicalZero) {
  space_to_batches<uint32_t>(kMovedFloat, 0);
  space_to_batches<uint16_t>(kMovedHalf, 0);
  space_to_batches<uint8_t>(kMovedUint8, 7);
  space_to_batches<uint8_t>(kMovedInt8, static_cast<uint8_t>(-3));
}

TEST(SpaceToBatch, Refusals) {
  const auto run = [](const std::vector<int32_t>& blocks, const std::vector<int32_t>& paddings) {
    OperationCall call(ANEURALNETWORKS_SPACE_TO_BATCH_ND);
    call.floats({1, 2, 2, 1}, {1, 2, 3, 4}).ints({2}, blocks).ints({2, 2}, paddings).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(run({2, 2}, {0, 0, 0, 0}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(run({2, 2}, {1, 0, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({2, 2}, {-1, 1, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({0, 2}, {0, 0, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({2, kMin}, {0, 0, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({1, 1}, {kMax, kMax, kMax, kMax}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run({kMax, kMax}, {kMax - 2, 0, kMax - 2, 0}), ANEURALNETWORKS_OP_FAILED);  // one cell, 2^62 batches
  EXPECT_EQ(run({1 << 16, 1 << 16}, {(1 << 16) - 2, 0, (1 << 16) - 2, 0}), ANEURALNETWORKS_OP_FAILED);
}

// ---- PAD and PAD_V2 ----------------------------------------------------------------------------------------------

template <typename T>
void pad_at_random(int32_t code, MovedType type, T outside, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 40; ++round) {
    const Dimensions dims = random_dims(random, 1 + random() % 4, 6);
    const uint32_t rank = static_cast<uint32_t>(dims.size());
    std::vector<int32_t> paddings;
    Dimensions wanted;
    for (uint32_t extent : dims) {
      for (int side = 0; side < 2; ++side) paddings.push_back(static_cast<int32_t>(random() % 4) * static_cast<int32_t>(random() % 2));
      wanted.push_back(extent + static_cast<uint32_t>(paddings[paddings.size() - 2] + paddings.back()));
    }
    const std::vector<T> from = counted<T>(dims);
    OperationCall call(code);
    call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).ints({rank, 2}, paddings);
    if (code == ANEURALNETWORKS_PAD_V2) {
      if constexpr (sizeof(T) == 1) call.int32(type.code == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM ? int32_t{outside} : int32_t{static_cast<int8_t>(outside)});
      if constexpr (sizeof(T) == 2) call.input<T>(ANEURALNETWORKS_FLOAT16, {}, {outside}, 0, 0, true);
      if constexpr (sizeof(T) == 4) call.input<T>(ANEURALNETWORKS_FLOAT32, {}, {outside}, 0, 0, true);
    }
    call.output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    ASSERT_EQ(call.dims(), wanted);
    EXPECT_EQ(call.values<T>(), moved(
                                    from, dims, wanted,
                                    [&](Index i) {
                                      for (size_t d = 0; d < i.size(); ++d) i[d] -= paddings[2 * d];
                                      return i;
                                    },
                                    outside));
  }
}

TEST(Pad, EveryTypeWithItsZero) {
  pad_at_random<uint32_t>(ANEURALNETWORKS_PAD, kMovedFloat, 0, 1);
  pad_at_random<uint16_t>(ANEURALNETWORKS_PAD, kMovedHalf, 0, 2);
  pad_at_random<uint8_t>(ANEURALNETWORKS_PAD, kMovedUint8, 7, 3);
  pad_at_random<uint8_t>(ANEURALNETWORKS_PAD, kMovedInt8, static_cast<uint8_t>(-3), 4);
}

TEST(PadV2, EveryTypeWithAGivenValue) {
  pad_at_random<uint32_t>(ANEURALNETWORKS_PAD_V2, kMovedFloat, 0x7FC01234, 5);  // a NaN keeps its payload
  pad_at_random<uint16_t>(ANEURALNETWORKS_PAD_V2, kMovedHalf, 0x3C01, 6);
  pad_at_random<uint8_t>(ANEURALNETWORKS_PAD_V2, kMovedUint8, 255, 7);
  pad_at_random<uint8_t>(ANEURALNETWORKS_PAD_V2, kMovedInt8, static_cast<uint8_t>(-128), 8);
}

TEST(Pad, Refusals) {
  const auto pad = [](const Dimensions& paddings_dims, const std::vector<int32_t>& paddings) {
    OperationCall call(ANEURALNETWORKS_PAD);
    call.floats({2, 3}, std::vector<float>(6)).ints(paddings_dims, paddings).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(pad({2, 2}, {0, 0, 0, 0}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(pad({2, 2}, {0, 0, -1, 1}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad({2, 2}, {kMin, 0, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad({1, 2}, {0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad({3, 2}, {0, 0, 0, 0, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad({2, 2}, {kMax, kMax, 0, 0}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad({2, 2}, {kMax, 0, kMax, 0}), ANEURALNETWORKS_OP_FAILED);
}

TEST(PadV2, TheValueMustBeAnElement) {
  const auto pad = [](MovedType type, int32_t value) {
    OperationCall call(ANEURALNETWORKS_PAD_V2);
    call.input<uint8_t>(type.code, {1}, {1}, type.scale, type.zero_point).ints({1, 2}, {1, 1}).int32(value);
    call.output(type.code, type.scale, type.zero_point);
    return call.run().code;
  };
  EXPECT_EQ(pad(kMovedUint8, 0), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(pad(kMovedUint8, 256), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad(kMovedUint8, -1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad(kMovedInt8, 127), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(pad(kMovedInt8, 128), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(pad(kMovedInt8, kMin), ANEURALNETWORKS_OP_FAILED);
}

TEST(Pad, PaddingsThatChangeMidwayAreSeen) {
  std::vector<float> data(4);
  std::vector<int32_t> paddings{1, 1};
  OperandView output;
  output.type = kFloat;
  const Status status =
      run_with_change(ANEURALNETWORKS_PAD, {view_of(kFloat, {4}, data), view_of(ANEURALNETWORKS_TENSOR_INT32, {1, 2}, paddings)},
                      {output}, [&] { paddings = {1000, 0}; });
  EXPECT_EQ(status.code, ANEURALNETWORKS_OP_FAILED);
}

TEST(SpaceToBatch, BlocksThatChangeMidwayAreSeen) {
  std::vector<float> data(4);
  std::vector<int32_t> blocks{1, 1}, paddings{0, 0, 0, 0};
  OperandView output;
  output.type = kFloat;
  const Status status = run_with_change(ANEURALNETWORKS_SPACE_TO_BATCH_ND,
                                        {view_of(kFloat, {1, 2, 2, 1}, data), view_of(ANEURALNETWORKS_TENSOR_INT32, {2}, blocks),
                                         view_of(ANEURALNETWORKS_TENSOR_INT32, {2, 2}, paddings)},
                                        {output}, [&] { blocks = {2, 2}; });
  EXPECT_EQ(status.code, ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
