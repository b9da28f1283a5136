// SPDX-License-Identifier: Apache-2.0
// GATHER, SELECT, EMBEDDING_LOOKUP, HASHTABLE_LOOKUP, FILL and RANK: elements chosen by values, which are checked first.
#include <cmath>
#include <limits>

#include "naive_move.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kInt = ANEURALNETWORKS_TENSOR_INT32;
constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr MovedType kMovedInt{kInt, 0, 0};

// ---- GATHER ------------------------------------------------------------------------------------------------------

template <typename T>
void gather_at_random(MovedType type, unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 100; ++round) {
    const Dimensions dims = random_dims(random, 1 + random() % 5, 6), index_dims = random_dims(random, 1 + random() % 3, 4);
    const int32_t rank = static_cast<int32_t>(dims.size()), axis = static_cast<int32_t>(random() % (2 * dims.size())) - rank;
    const size_t at = static_cast<size_t>((axis + rank) % rank), index_rank = index_dims.size();
    std::vector<int32_t> indices(number_of(index_dims));
    for (int32_t& index : indices) index = static_cast<int32_t>(random() % dims[at]);
    Dimensions wanted(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(at));
    wanted.insert(wanted.end(), index_dims.begin(), index_dims.end());
    wanted.insert(wanted.end(), dims.begin() + static_cast<ptrdiff_t>(at) + 1, dims.end());
    const std::vector<T> from = counted<T>(dims);
    OperationCall call(ANEURALNETWORKS_GATHER);
    call.in_pieces().input(type.code, dims, from, type.scale, type.zero_point).int32(axis).ints(index_dims, indices);
    call.output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    ASSERT_EQ(call.dims(), wanted);
    EXPECT_EQ(call.values<T>(), moved(from, dims, wanted, [&](const Index& i) {
      const auto middle = i.begin() + static_cast<ptrdiff_t>(at), end = middle + static_cast<ptrdiff_t>(index_rank);
      Index source(i.begin(), middle);
      source.push_back(indices[static_cast<size_t>(position(Index(middle, end), index_dims))]);
      source.insert(source.end(), end, i.end());
      return source;
    }));
  }
}

TEST(Gather, EveryTypeAxisAndRank) {
  gather_at_random<uint32_t>(kMovedFloat, 1);
  gather_at_random<uint16_t>(kMovedHalf, 2);
  gather_at_random<uint8_t>(kMovedUint8, 3);
  gather_at_random<uint8_t>(kMovedInt8, 4);
  gather_at_random<uint32_t>(kMovedInt, 5);
}

TEST(Gather, LargeTensorsGoInPieces) {
  const Dimensions dims{40, 300, 50};
  const std::vector<uint32_t> from = counted<uint32_t>(dims);
  std::vector<int32_t> indices;
  for (int32_t i = 0; i < 700; ++i) indices.push_back(i * 37 % 300);
  OperationCall call(ANEURALNETWORKS_GATHER);
  call.in_pieces().input(kFloat, dims, from).int32(1).ints({700}, indices).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<uint32_t>(), moved(from, dims, {40, 700, 50}, [&](Index i) {
    i[1] = indices[static_cast<size_t>(i[1])];
    return i;
  }));
}

TEST(Gather, RefusesWhatLiesOutside) {
  const auto gather = [](int32_t axis, int32_t index) {
    OperationCall call(ANEURALNETWORKS_GATHER);
    call.floats({2, 3}, std::vector<float>(6)).int32(axis).ints({2}, {0, index}).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(gather(-1, 2), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(gather(-1, 3), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(gather(0, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(gather(0, -1), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(gather(0, kMin), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(gather(1, kMax), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(gather(2, 0), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(gather(-3, 0), ANEURALNETWORKS_OP_FAILED);
}

TEST(Gather, AnAxisThatChangesMidwayIsSeen) {
  std::vector<float> data(6);
  std::vector<int32_t> axis{0}, indices{1};
  OperandView output;
  output.type = kFloat;
  const Status status = run_with_change(
      ANEURALNETWORKS_GATHER,
      {view_of(kFloat, {2, 3}, data), view_of(ANEURALNETWORKS_INT32, {}, axis), view_of(kInt, {1}, indices)}, {output},
      [&] { axis[0] = 1; });
  EXPECT_EQ(status.code, ANEURALNETWORKS_OP_FAILED);
}

// ---- SELECT ------------------------------------------------------------------------------------------------------

template <typename T>
void select_elements(MovedType type) {
  const Dimensions dims{2, 1, 3, 1, 2};
  const std::vector<T> first = counted<T>(dims);
  std::vector<T> second, wanted;
  const std::vector<uint8_t> condition{0, 1, 255, 0, 2, 0, 1, 1, 0, 0, 1, 0};
  for (size_t i = 0; i < first.size(); ++i) {
    second.push_back(static_cast<T>(first[i] + 100));
    wanted.push_back(condition[i] ? first[i] : second[i]);
  }
  OperationCall call(ANEURALNETWORKS_SELECT);
  call.in_pieces().input(ANEURALNETWORKS_TENSOR_BOOL8, dims, condition).input(type.code, dims, first, type.scale, type.zero_point);
  call.input(type.code, dims, second, type.scale, type.zero_point).output(type.code, type.scale, type.zero_point);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), dims);
  EXPECT_EQ(call.values<T>(), wanted);
}

TEST(Select, EveryType) {
  select_elements<uint32_t>(kMovedFloat);
  select_elements<uint16_t>(kMovedHalf);
  select_elements<uint8_t>(kMovedUint8);
  select_elements<uint8_t>(kMovedInt8);
  select_elements<uint32_t>(kMovedInt);
}

/// All bytes of both inputs, requantised by the formula: round(real / output scale + output zero point), saturated.
template <typename T>
void select_requantised(int32_t type, float sx, int zx, float sy, int zy, float so, int zo) {
  std::vector<uint8_t> condition;
  std::vector<T> x, y, wanted;
  const auto requantised = [&](T value, float scale, int zero) {
    const double stored = std::round((value - zero) * double{scale} / double{so} + zo);
    return static_cast<T>(std::min<double>(std::max<double>(stored, std::numeric_limits<T>::min()), std::numeric_limits<T>::max()));
  };
  for (int i = 0; i < 512; ++i) {
    condition.push_back(i < 256);
    x.push_back(static_cast<T>(i));
    y.push_back(static_cast<T>(i));
    wanted.push_back(condition.back() ? requantised(x.back(), sx, zx) : requantised(y.back(), sy, zy));
  }
  OperationCall call(ANEURALNETWORKS_SELECT);
  call.input(ANEURALNETWORKS_TENSOR_BOOL8, {512}, condition).input(type, {512}, x, sx, zx).input(type, {512}, y, sy, zy);
  call.output(type, so, zo);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<T>(), wanted);
}

TEST(Select, RescalesToTheOutput) {
  select_requantised<uint8_t>(kUint8, 0.5f, 128, 0.25f, 3, 0.5f, 128);
  select_requantised<uint8_t>(kUint8, 1.5f, 129, 1.0f, 100, 0.5f, 127);  // both ends saturate
  select_requantised<int8_t>(kInt8, 0.5f, -1, 0.125f, 10, 0.25f, 7);
  select_requantised<int8_t>(kInt8, 0.25f, 5, 2.0f, -128, 1.0f, -128);   // halves
  select_requantised<int8_t>(kInt8, 3e38f, 0, 1e-38f, 0, 1e-38f, 0);    // scales far apart
}

TEST(Select, ShapesMustBeEqual) {
  const auto select = [](const Dimensions& condition, const Dimensions& first, const Dimensions& second) {
    OperationCall call(ANEURALNETWORKS_SELECT);
    call.input(ANEURALNETWORKS_TENSOR_BOOL8, condition, std::vector<uint8_t>(number_of(condition)));
    call.floats(first, std::vector<float>(number_of(first))).floats(second, std::vector<float>(number_of(second))).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(select({2, 3}, {2, 3}, {2, 3}), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(select({2}, {2, 3}, {2, 3}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(select({2, 3}, {2, 3}, {2, 1}), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(select({6}, {2, 3}, {2, 3}), ANEURALNETWORKS_OP_FAILED);
}

// ---- Lookups -----------------------------------------------------------------------------------------------------

template <typename T>
void look_up_embeddings(MovedType type) {
  const Dimensions dims{5, 2, 3};
  const std::vector<T> from = counted<T>(dims);
  const std::vector<int32_t> lookups{4, 0, 0, 3};
  OperationCall call(ANEURALNETWORKS_EMBEDDING_LOOKUP);
  call.in_pieces().ints({4}, lookups).input(type.code, dims, from, type.scale, type.zero_point);
  call.output(type.code, type.scale, type.zero_point);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{4, 2, 3}));
  EXPECT_EQ(call.values<T>(), moved(from, dims, {4, 2, 3}, [&](Index i) {
    i[0] = lookups[static_cast<size_t>(i[0])];
    return i;
  }));
}

TEST(EmbeddingLookup, EveryType) {
  look_up_embeddings<uint32_t>(kMovedFloat);
  look_up_embeddings<uint16_t>(kMovedHalf);
  look_up_embeddings<uint8_t>(kMovedUint8);
  look_up_embeddings<uint8_t>(kMovedInt8);
  look_up_embeddings<uint32_t>(kMovedInt);
}

TEST(EmbeddingLookup, RefusesWhatLiesOutside) {
  for (int32_t lookup : {-1, 3, kMin, kMax}) {
    OperationCall call(ANEURALNETWORKS_EMBEDDING_LOOKUP);
    call.ints({2}, {0, lookup}).floats({3, 2}, std::vector<float>(6)).output(kFloat);
    EXPECT_EQ(call.run().code, ANEURALNETWORKS_OP_FAILED) << lookup;
  }
}

template <typename T>
void look_up_keys(MovedType type) {
  const Dimensions dims{3, 1, 2};
  const std::vector<T> from = counted<T>(dims);
  OperationCall call(ANEURALNETWORKS_HASHTABLE_LOOKUP);
  call.in_pieces().ints({6}, {7, kMin, 0, kMax, 8, 7}).ints({3}, {kMin, 7, kMax});
  call.input(type.code, dims, from, type.scale, type.zero_point);
  call.output(type.code, type.scale, type.zero_point).output(kUint8, 1.0f, 0);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(0), (Dimensions{6, 1, 2}));
  EXPECT_EQ(call.dims(1), (Dimensions{6}));
  EXPECT_EQ(call.values<uint8_t>(1), (std::vector<uint8_t>{1, 1, 0, 1, 0, 1}));
  EXPECT_EQ(call.values<T>(0), (std::vector<T>{3, 4, 1, 2, 0, 0, 5, 6, 0, 0, 3, 4}));
}

TEST(HashtableLookup, EveryType) {
  look_up_keys<uint32_t>(kMovedFloat);
  look_up_keys<uint32_t>(kMovedInt);
  look_up_keys<uint8_t>(kMovedUint8);
}

TEST(HashtableLookup, Refusals) {
  const auto look_up = [](const std::vector<int32_t>& keys, uint32_t slices, float hits_scale) {
    OperationCall call(ANEURALNETWORKS_HASHTABLE_LOOKUP);
    call.ints({1}, {1}).ints({static_cast<uint32_t>(keys.size())}, keys).floats({slices, 2}, std::vector<float>(slices * 2));
    call.output(kFloat).output(kUint8, hits_scale, 0);
    return call.run().code;
  };
  EXPECT_EQ(look_up({1, 1, 3}, 3, 1.0f), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(look_up({1, 2, 3}, 2, 1.0f), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(look_up({1, 3, 2}, 3, 1.0f), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(look_up({1, 2, 3}, 3, 0.5f), ANEURALNETWORKS_OP_FAILED);
}

// ---- FILL and RANK -----------------------------------------------------------------------------------------------

template <typename T>
void fill_with(int32_t tensor, int32_t scalar, T value) {
  OperationCall call(ANEURALNETWORKS_FILL);
  call.in_pieces().ints({6}, {2, 3, 1, 40, 5, 100}).input<T>(scalar, {}, {value}).output(tensor);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{2, 3, 1, 40, 5, 100}));
  EXPECT_EQ(call.values<T>(), std::vector<T>(120000, value));
}

TEST(Fill, EveryType) {
  fill_with<float>(kFloat, ANEURALNETWORKS_FLOAT32, -2.5f);
  fill_with<uint16_t>(ANEURALNETWORKS_TENSOR_FLOAT16, ANEURALNETWORKS_FLOAT16, 0x3C01);
  fill_with<int32_t>(kInt, ANEURALNETWORKS_INT32, kMin);
}

TEST(Fill, ShapesAreChecked) {
  const auto fill = [](const std::vector<int32_t>& shape, Dimensions declared = {}) {
    OperationCall call(ANEURALNETWORKS_FILL);
    call.ints({static_cast<uint32_t>(shape.size())}, shape).int32(1).output(kInt, 0, 0, std::move(declared));
    const int code = call.run().code;
    return std::pair(code, call.dims());
  };
  EXPECT_EQ(fill({3, 0}), std::pair(int{ANEURALNETWORKS_NO_ERROR}, Dimensions{3, 0}));
  EXPECT_EQ(fill({3, 2}, {0, 2}), std::pair(int{ANEURALNETWORKS_NO_ERROR}, Dimensions{3, 2}));
  EXPECT_EQ(fill({3, 2}, {0, 3}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(fill({}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(fill({-1}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(fill({kMin, 2}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(fill({65536, 65536}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(fill({kMax}).first, ANEURALNETWORKS_OP_FAILED);  // four bytes each
  EXPECT_EQ(fill({kMax, kMax, kMax}).first, ANEURALNETWORKS_OP_FAILED);
}

TEST(Rank, EveryType) {
  const auto rank = [](OperationCall& call) {
    EXPECT_TRUE(call.output(ANEURALNETWORKS_INT32).run().ok());
    EXPECT_TRUE(call.dims().empty());
    return call.values<int32_t>();
  };
  for (int32_t type : {kFloat, kInt, kUint8, kInt8, int32_t{ANEURALNETWORKS_TENSOR_FLOAT16}, int32_t{ANEURALNETWORKS_TENSOR_BOOL8},
                       int32_t{ANEURALNETWORKS_TENSOR_QUANT16_SYMM}, int32_t{ANEURALNETWORKS_TENSOR_QUANT16_ASYMM},
                       int32_t{ANEURALNETWORKS_TENSOR_QUANT8_SYMM}}) {
    Dimensions dims;
    for (int32_t n = 1; n <= 7; ++n) {
      dims.push_back(1);
      OperationCall call(ANEURALNETWORKS_RANK);
      call.input(type, dims, std::vector<uint32_t>{0});
      EXPECT_EQ(rank(call), (std::vector<int32_t>{n}));
    }
  }
  OperationCall channels(ANEURALNETWORKS_RANK);
  channels.per_channel({2, 1, 3}, std::vector<int8_t>(6), {1, 2, 3}, 2);
  EXPECT_EQ(rank(channels), (std::vector<int32_t>{3}));
}

}  // namespace
}  // namespace avocet::runtime
