// SPDX-License-Identifier: Apache-2.0
// SLICE, STRIDED_SLICE, SPLIT, TILE, TRANSPOSE and CHANNEL_SHUFFLE against the naive evaluator, and their refusals.
#include <algorithm>
#include <limits>

#include "naive_move.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();

uint32_t length(size_t n) { return static_cast<uint32_t>(n); }

// ---- SLICE -------------------------------------------------------------------------------------------------------

template <typename T>
void slice_at_random(MovedType type, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const Dimensions dims = random_dims(random, 1 + random() % 6, 6);
    std::vector<int32_t> begin, size;
    Dimensions wanted;
    for (uint32_t extent : dims) {
      const uint32_t first = static_cast<uint32_t>(random()) % extent, rest = extent - first;
      const uint32_t count = 1 + static_cast<uint32_t>(random()) % rest;
      begin.push_back(static_cast<int32_t>(first));
      wanted.push_back(random() % 3 == 0 ? rest : count);
      size.push_back(wanted.back() == rest && random() % 2 ? -1 : static_cast<int32_t>(wanted.back()));
    }
    const std::vector<T> from = counted<T>(dims);
    OperationCall call(ANEURALNETWORKS_SLICE);
    call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).ints({length(dims.size())}, begin);
    call.ints({length(dims.size())}, size).output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    EXPECT_EQ(call.dims(), wanted);
    EXPECT_EQ(call.values<T>(), moved(from, dims, wanted, [&](Index i) {
      for (size_t d = 0; d < i.size(); ++d) i[d] += begin[d];
      return i;
    }));
  }
}

TEST(Slice, EveryTypeAndRank) {
  slice_at_random<uint32_t>(kMovedFloat, 1);
  slice_at_random<uint16_t>(kMovedHalf, 2);
  slice_at_random<uint8_t>(kMovedUint8, 3);
  slice_at_random<uint8_t>(kMovedInt8, 4);
  slice_at_random<uint32_t>({ANEURALNETWORKS_TENSOR_INT32, 0, 0}, 5);
}

Status slice(const Dimensions& dims, const std::vector<int32_t>& begin, const std::vector<int32_t>& size, Dimensions* result = nullptr) {
  OperationCall call(ANEURALNETWORKS_SLICE);
  call.input(ANEURALNETWORKS_TENSOR_FLOAT32, dims, counted<uint32_t>(dims)).ints({length(begin.size())}, begin);
  call.ints({length(size.size())}, size).output(ANEURALNETWORKS_TENSOR_FLOAT32);
  Status status = call.run();
  if (result) *result = call.dims();
  return status;
}

TEST(Slice, EmptyInputsAndEmptyResults) {
  Dimensions dims;
  EXPECT_TRUE(slice({0, 3}, {0, 1}, {-1, 2}, &dims).ok());
  EXPECT_EQ(dims, (Dimensions{0, 2}));
  EXPECT_TRUE(slice({4, 3}, {4, 0}, {-1, -1}, &dims).ok());  // nothing is left behind the last element
  EXPECT_EQ(dims, (Dimensions{0, 3}));
  EXPECT_TRUE(slice({4, 3}, {1, 1}, {2, 0}, &dims).ok());
  EXPECT_EQ(dims, (Dimensions{2, 0}));
}

TEST(Slice, RefusesWhatLiesOutside) {
  EXPECT_EQ(slice({4}, {-1}, {1}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({4}, {5}, {-1}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({4}, {2}, {3}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({4}, {0}, {-2}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({4}, {kMax}, {kMax}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({4}, {kMin}, {kMin}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({0}, {1}, {-1}).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(slice({4, 2}, {0}, {1}).code, ANEURALNETWORKS_OP_FAILED);           // a begin for each dimension
  EXPECT_EQ(slice({4, 2}, {0, 0}, {1, 1, 1}).code, ANEURALNETWORKS_OP_FAILED);  // and a size
}

TEST(Slice, ValuesThatChangeMidwayAreSeen) {
  std::vector<float> data(8);
  std::vector<int32_t> begin{0}, size{4};
  const auto run = [&](int32_t new_begin, int32_t new_size) {
    begin[0] = 0, size[0] = 4;
    OperandView output;
    output.type = ANEURALNETWORKS_TENSOR_FLOAT32;
    return run_with_change(ANEURALNETWORKS_SLICE,
                           {view_of(output.type, {8}, data), view_of(ANEURALNETWORKS_TENSOR_INT32, {1}, begin),
                            view_of(ANEURALNETWORKS_TENSOR_INT32, {1}, size)},
                           {output}, [&] { begin[0] = new_begin, size[0] = new_size; });
  };
  EXPECT_TRUE(run(4, 4).ok());
  EXPECT_EQ(run(0, 8).code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(run(100000, 4).code, ANEURALNETWORKS_OP_FAILED);
}

// ---- STRIDED_SLICE -----------------------------------------------------------------------------------------------

/// The indices that Python's slicing of `extent` elements visits, found by walking.
std::vector<int64_t> visited(int64_t begin, int64_t end, int64_t stride, bool no_begin, bool no_end, int64_t extent) {
  if (begin < 0) begin += extent;
  if (end < 0) end += extent;
  std::vector<int64_t> indices;
  if (stride > 0) {
    const int64_t stop = no_end ? extent : std::min(end, extent);
    for (int64_t i = no_begin ? 0 : std::max<int64_t>(begin, 0); i < stop; i += stride) indices.push_back(i);
  } else {
    const int64_t stop = no_end ? -1 : std::max<int64_t>(end, -1);
    for (int64_t i = no_begin ? extent - 1 : std::min(begin, extent - 1); i > stop; i += stride) indices.push_back(i);
  }
  return indices;
}

struct Strided {
  std::vector<int32_t> begin, end, strides;
  int32_t begin_mask = 0, end_mask = 0, shrink_mask = 0;

  template <typename T>
  Status run(const Dimensions& dims, MovedType type, const std::vector<T>& from, Dimensions* shape, std::vector<T>* values) const {
    OperationCall call(ANEURALNETWORKS_STRIDED_SLICE);
    call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).ints({length(begin.size())}, begin);
    call.ints({length(end.size())}, end).ints({length(strides.size())}, strides).int32(begin_mask).int32(end_mask).int32(shrink_mask);
    call.output(type.code, type.scale, type.zero_point);
    Status status = call.run();
    if (!status.ok()) return status;
    *shape = call.dims();
    *values = call.values<T>();
    return status;
  }
};

template <typename T>
void stride_at_random(MovedType type, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    const Dimensions dims = random_dims(random, 1 + random() % 4, 9);
    Strided strided;
    strided.begin_mask = static_cast<int32_t>(random() % 16);
    strided.end_mask = static_cast<int32_t>(random() % 16);
    std::vector<std::vector<int64_t>> indices;
    Dimensions wanted;
    for (size_t d = 0; d < dims.size(); ++d) {
      strided.begin.push_back(static_cast<int32_t>(random() % 25) - 12);
      strided.end.push_back(static_cast<int32_t>(random() % 25) - 12);
      const int32_t stride = 1 + static_cast<int32_t>(random() % 3);
      strided.strides.push_back(random() % 2 ? stride : -stride);
      indices.push_back(visited(strided.begin[d], strided.end[d], strided.strides[d], (strided.begin_mask >> d) & 1,
                                (strided.end_mask >> d) & 1, dims[d]));
      wanted.push_back(length(indices[d].size()));
    }
    const std::vector<T> from = counted<T>(dims);
    Dimensions shape;
    std::vector<T> values;
    ASSERT_TRUE(strided.run(dims, type, from, &shape, &values).ok());
    ASSERT_EQ(shape, wanted);
    EXPECT_EQ(values, moved(from, dims, wanted, [&](Index i) {
      for (size_t d = 0; d < i.size(); ++d) i[d] = indices[d][static_cast<size_t>(i[d])];
      return i;
    }));
  }
}

TEST(StridedSlice, EveryTypeAsPythonSlices) {
  stride_at_random<uint32_t>(kMovedFloat, 1);
  stride_at_random<uint16_t>(kMovedHalf, 2);
  stride_at_random<uint8_t>(kMovedUint8, 3);
  stride_at_random<uint8_t>(kMovedInt8, 4);
}

std::pair<Status, Dimensions> strided(const Dimensions& dims, const Strided& how, std::vector<uint32_t>* values = nullptr) {
  Dimensions shape;
  std::vector<uint32_t> unused;
  Status status = how.run(dims, kMovedFloat, counted<uint32_t>(dims), &shape, values ? values : &unused);
  return {status, shape};
}

TEST(StridedSlice, RemovedAxesLeaveTheShape) {
  std::vector<uint32_t> values;
  EXPECT_EQ(strided({2, 3}, {{1, 0}, {2, 3}, {1, 1}, 0, 0, 1}, &values).second, (Dimensions{3}));
  EXPECT_EQ(values, (std::vector<uint32_t>{4, 5, 6}));
  EXPECT_EQ(strided({2, 3}, {{1, 2}, {2, 3}, {1, 1}, 0, 0, 3}, &values).second, (Dimensions{1}));  // never a scalar
  EXPECT_EQ(values, (std::vector<uint32_t>{6}));
  EXPECT_EQ(strided({2, 3}, {{0, -1}, {2, 0}, {1, 1}, 0, 0, 2}, &values).second, (Dimensions{2}));  // begin = x, end = x + 1
  EXPECT_EQ(values, (std::vector<uint32_t>{3, 6}));
  EXPECT_EQ(strided({2, 3}, {{0, 0}, {2, 3}, {1, 3}, 0, 0, 2}, &values).second, (Dimensions{2}));  // one element by its stride
}

TEST(StridedSlice, RemovedAxesMustHaveOneElement) {
  EXPECT_EQ(strided({2, 3}, {{0, 0}, {2, 3}, {1, 1}, 0, 0, 1}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({2, 3}, {{1, 0}, {1, 3}, {1, 1}, 0, 0, 1}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({2, 3}, {{5, 0}, {6, 3}, {1, 1}, 0, 0, 1}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({2, 3}, {{1, 0}, {0, 3}, {-1, 1}, 0, 0, 1}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({2, 3}, {{0, 0}, {1, 3}, {1, 1}, 0, 1, 1}).first.code, ANEURALNETWORKS_OP_FAILED);  // the mask takes two
}

TEST(StridedSlice, HostileValues) {
  EXPECT_EQ(strided({4}, {{0}, {4}, {0}}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({4}, {{kMin}, {kMax}, {kMax}}).second, (Dimensions{1}));
  EXPECT_EQ(strided({4}, {{kMax}, {kMin}, {kMin}}).second, (Dimensions{1}));
  EXPECT_EQ(strided({4}, {{kMax}, {kMin}, {1}}).second, (Dimensions{0}));
  EXPECT_EQ(strided({4}, {{kMin}, {kMin}, {-1}}).second, (Dimensions{0}));
  EXPECT_EQ(strided({4}, {{1}, {2}, {1}, kMin, -1, kMin}).second, (Dimensions{3}));  // masks beyond the rank mean nothing
  EXPECT_EQ(strided({4, 4}, {{0}, {1}, {1}}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({4, 4}, {{0, 0}, {1, 1}, {1}}).first.code, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(strided({0}, {{0}, {1}, {1}}).first.code, ANEURALNETWORKS_OP_FAILED);  // empty inputs are not documented
}

// ---- SPLIT -------------------------------------------------------------------------------------------------------

template <typename T>
void split_along_all_axes(MovedType type) {
  const Dimensions dims{4, 6, 2, 8, 2};
  const std::vector<T> from = counted<T>(dims);
  for (int32_t axis = -5; axis < 5; ++axis) {
    OperationCall call(ANEURALNETWORKS_SPLIT);
    call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).int32(axis).int32(2);
    call.output(type.code, type.scale, type.zero_point).output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    const size_t at = static_cast<size_t>((axis + 5) % 5);
    Dimensions half = dims;
    half[at] /= 2;
    for (size_t piece = 0; piece < 2; ++piece) {
      EXPECT_EQ(call.dims(piece), half);
      EXPECT_EQ(call.values<T>(piece), moved(from, dims, half, [&](Index i) {
        i[at] += static_cast<int64_t>(piece * half[at]);
        return i;
      }));
    }
  }
}

TEST(Split, EveryTypeAlongEveryAxis) {
  split_along_all_axes<uint32_t>(kMovedFloat);
  split_along_all_axes<uint16_t>(kMovedHalf);
  split_along_all_axes<uint8_t>(kMovedUint8);
  split_along_all_axes<uint8_t>(kMovedInt8);
  split_along_all_axes<uint32_t>({ANEURALNETWORKS_TENSOR_INT32, 0, 0});
}

TEST(Split, Refusals) {
  const auto split = [](int32_t axis, int32_t pieces, int outputs) {
    OperationCall call(ANEURALNETWORKS_SPLIT);
    call.floats({2, 6}, std::vector<float>(12)).int32(axis).int32(pieces);
    for (int i = 0; i < outputs; ++i) call.output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run().code;
  };
  EXPECT_EQ(split(1, 1, 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(split(2, 1, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(split(-3, 1, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(split(1, 4, 4), ANEURALNETWORKS_OP_FAILED);  // 6 is not divisible
  EXPECT_EQ(split(1, 3, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(split(1, 7, 7), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(split(1, 0, 1), ANEURALNETWORKS_BAD_DATA);
}

// ---- TILE --------------------------------------------------------------------------------------------------------

template <typename T>
void tile_at_random(MovedType type, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const Dimensions dims = random_dims(random, 1 + random() % 5, 5);
    std::vector<int32_t> multiples;
    Dimensions wanted;
    for (uint32_t extent : dims) {
      multiples.push_back(static_cast<int32_t>(1 + random() % 3));
      wanted.push_back(extent * static_cast<uint32_t>(multiples.back()));
    }
    const std::vector<T> from = counted<T>(dims);
    OperationCall call(ANEURALNETWORKS_TILE);
    call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).ints({length(dims.size())}, multiples);
    call.output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    ASSERT_EQ(call.dims(), wanted);
    EXPECT_EQ(call.values<T>(), moved(from, dims, wanted, [&](Index i) {
      for (size_t d = 0; d < i.size(); ++d) i[d] %= dims[d];
      return i;
    }));
  }
}

TEST(Tile, EveryTypeAndRank) {
  tile_at_random<uint32_t>(kMovedFloat, 1);
  tile_at_random<uint16_t>(kMovedHalf, 2);
  tile_at_random<uint8_t>(kMovedUint8, 3);
  tile_at_random<uint8_t>(kMovedInt8, 4);
  tile_at_random<uint32_t>({ANEURALNETWORKS_TENSOR_INT32, 0, 0}, 5);
}

TEST(Tile, MultiplesAreChecked) {
  const auto tile = [](const std::vector<int32_t>& multiples) {
    OperationCall call(ANEURALNETWORKS_TILE);
    call.floats({2, 3}, std::vector<float>(6)).ints({length(multiples.size())}, multiples).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    const Status status = call.run();
    return std::pair(status.code, call.dims());
  };
  EXPECT_EQ(tile({0, 2}), std::pair(int{ANEURALNETWORKS_NO_ERROR}, Dimensions{0, 6}));
  EXPECT_EQ(tile({-1, 2}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(tile({2}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(tile({1, kMax}).first, ANEURALNETWORKS_OP_FAILED);  // an extent beyond 32 bits
  EXPECT_EQ(tile({65536, 65536}).first, ANEURALNETWORKS_OP_FAILED);  // and a product
}

// ---- TRANSPOSE ---------------------------------------------------------------------------------------------------

template <typename T>
void check_transpose(MovedType type, const Dimensions& dims, const std::vector<int32_t>& perm) {
  const std::vector<T> from = counted<T>(dims);
  Dimensions wanted;
  for (int32_t p : perm) wanted.push_back(dims[static_cast<size_t>(p)]);
  OperationCall call(ANEURALNETWORKS_TRANSPOSE);
  call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).ints({length(perm.size())}, perm);
  call.output(type.code, type.scale, type.zero_point);
  ASSERT_TRUE(call.run().ok());
  ASSERT_EQ(call.dims(), wanted);
  EXPECT_EQ(call.values<T>(), moved(from, dims, wanted, [&](const Index& i) {
    Index source(i.size());
    for (size_t d = 0; d < i.size(); ++d) source[static_cast<size_t>(perm[d])] = i[d];
    return source;
  })) << dims_text(dims);
}

template <typename T>
void transpose_everything(MovedType type, unsigned seed) {
  std::mt19937 random(seed);
  for (size_t rank = 1; rank <= 4; ++rank) {
    std::vector<int32_t> perm(rank);
    std::iota(perm.begin(), perm.end(), 0);
    do {
      check_transpose<T>(type, random_dims(random, rank, 9), perm);
      check_transpose<T>(type, random_dims(random, rank, rank == 4 ? 24 : 70), perm);
    } while (std::next_permutation(perm.begin(), perm.end()));
  }
}

TEST(Transpose, EveryTypeAndPermutation) {
  transpose_everything<uint32_t>(kMovedFloat, 1);
  transpose_everything<uint16_t>(kMovedHalf, 2);
  transpose_everything<uint8_t>(kMovedUint8, 3);
  transpose_everything<uint8_t>(kMovedInt8, 4);
}

TEST(Transpose, WithoutPermTheDimensionsAreReversed) {
  for (bool absent : {false, true}) {
    OperationCall call(ANEURALNETWORKS_TRANSPOSE);
    call.floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
    if (!absent) call.omitted(ANEURALNETWORKS_TENSOR_INT32);
    call.output(ANEURALNETWORKS_TENSOR_FLOAT32);
    ASSERT_TRUE(call.run().ok());
    EXPECT_EQ(call.dims(), (Dimensions{3, 2, 1}));
    EXPECT_EQ(call.values<float>(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  }
}

TEST(Transpose, EmptyTensorsAndBadPermutations) {
  const auto transpose = [](const Dimensions& dims, const std::vector<int32_t>& perm, Dimensions* shape = nullptr) {
    OperationCall call(ANEURALNETWORKS_TRANSPOSE);
    call.input(ANEURALNETWORKS_TENSOR_FLOAT32, dims, counted<uint32_t>(dims)).ints({length(perm.size())}, perm);
    call.output(ANEURALNETWORKS_TENSOR_FLOAT32);
    const Status status = call.run();
    if (shape) *shape = call.dims();
    return status.code;
  };
  Dimensions shape;
  EXPECT_EQ(transpose({0, 2, 5}, {2, 0, 1}, &shape), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(shape, (Dimensions{5, 0, 2}));
  for (const std::vector<int32_t>& perm : {std::vector<int32_t>{0}, {0, 1, 2}, {0, 0}, {0, 2}, {-1, 0}, {kMin, kMax}}) {
    EXPECT_EQ(transpose({2, 3}, perm), ANEURALNETWORKS_OP_FAILED);
  }
}

// ---- CHANNEL_SHUFFLE ---------------------------------------------------------------------------------------------

template <typename T>
void shuffle_along_all_axes(MovedType type) {
  const Dimensions dims{6, 12, 4, 18};
  const std::vector<T> from = counted<T>(dims);
  for (int32_t axis = -4; axis < 4; ++axis) {
    const size_t at = static_cast<size_t>((axis + 4) % 4);
    for (uint32_t groups : {1u, 2u, dims[at]}) {
      OperationCall call(ANEURALNETWORKS_CHANNEL_SHUFFLE);
      call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).int32(static_cast<int32_t>(groups)).int32(axis);
      call.output(type.code, type.scale, type.zero_point);
      ASSERT_TRUE(call.run().ok());
      // output[k * groups + g] = input[g * group_size + k]
      EXPECT_EQ(call.values<T>(), moved(from, dims, dims, [&](Index i) {
        i[at] = i[at] % groups * (dims[at] / groups) + i[at] / groups;
        return i;
      }));
    }
  }
}

TEST(ChannelShuffle, EveryTypeAlongEveryAxis) {
  shuffle_along_all_axes<uint32_t>(kMovedFloat);
  shuffle_along_all_axes<uint16_t>(kMovedHalf);
  shuffle_along_all_axes<uint8_t>(kMovedUint8);
  shuffle_along_all_axes<uint8_t>(kMovedInt8);
}

TEST(ChannelShuffle, Refusals) {
  const auto shuffle = [](int32_t groups, int32_t axis) {
    OperationCall call(ANEURALNETWORKS_CHANNEL_SHUFFLE);
    call.floats({2, 6}, std::vector<float>(12)).int32(groups).int32(axis).output(ANEURALNETWORKS_TENSOR_FLOAT32);
    return call.run().code;
  };
  EXPECT_EQ(shuffle(3, -1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(shuffle(4, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(shuffle(7, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(shuffle(kMax, 1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(shuffle(2, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(shuffle(2, -3), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(shuffle(0, 1), ANEURALNETWORKS_BAD_DATA);
}

}  // namespace
}  // namespace avocet::runtime
