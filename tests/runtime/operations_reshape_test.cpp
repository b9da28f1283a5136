// SPDX-License-Identifier: Apache-2.0
// CONCATENATION, RESHAPE, SQUEEZE and EXPAND_DIMS: every type, empty tensors, and shapes that clients get wrong.
#include <cmath>
#include <limits>

#include "naive_move.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min(), kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kInt = ANEURALNETWORKS_TENSOR_INT32;
constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;

// ---- CONCATENATION -----------------------------------------------------------------------------------------------

template <typename T>
void concatenate_along_all_axes(MovedType type) {
  for (int32_t axis = -4; axis < 4; ++axis) {
    const size_t at = static_cast<size_t>((axis + 4) % 4);
    Dimensions wanted{2, 3, 1, 4};
    OperationCall call(ANEURALNETWORKS_CONCATENATION);
    std::vector<std::vector<T>> pieces;
    std::vector<Dimensions> shapes;
    wanted[at] = 0;
    for (uint32_t extent : {1u, 0u, 3u, 2u}) {
      Dimensions& dims = shapes.emplace_back(wanted);
      dims[at] = extent;
      pieces.push_back(counted<T>(dims));
      for (T& value : pieces.back()) value = static_cast<T>(value + 40 * pieces.size());
      call.input(type.code, dims, pieces.back(), type.scale, type.zero_point);
    }
    wanted[at] = 6;
    call.int32(axis).output(type.code, type.scale, type.zero_point);
    ASSERT_TRUE(call.run().ok());
    ASSERT_EQ(call.dims(), wanted);
    std::vector<T> values;
    moved(std::vector<T>(1), {1}, wanted, [&](Index i) {
      size_t piece = 0;
      while (i[at] >= int64_t{shapes[piece][at]}) i[at] -= shapes[piece++][at];
      values.push_back(pieces[piece][static_cast<size_t>(position(i, shapes[piece]))]);
      return Index{0};
    });
    EXPECT_EQ(call.values<T>(), values) << axis;
  }
}

TEST(Concatenation, EveryTypeAlongEveryAxisWithAnEmptyInput) {
  concatenate_along_all_axes<uint32_t>(kMovedFloat);
  concatenate_along_all_axes<uint16_t>(kMovedHalf);
  concatenate_along_all_axes<uint8_t>(kMovedUint8);
  concatenate_along_all_axes<uint8_t>(kMovedInt8);
}

TEST(Concatenation, OnlyEmptyInputs) {
  OperationCall call(ANEURALNETWORKS_CONCATENATION);
  call.floats({0, 2}, {}).floats({0, 3}, {}).int32(1).output(kFloat);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), (Dimensions{0, 5}));
}

template <typename T>
void concatenate_rescaled(int32_t type, float scale, int zero, float out_scale, int out_zero) {
  std::vector<T> bytes, wanted;
  for (int i = 0; i < 256; ++i) {
    bytes.push_back(static_cast<T>(i));
    const double stored = std::round((bytes.back() - zero) * double{scale} / double{out_scale}) + out_zero;
    wanted.push_back(static_cast<T>(
        std::min<double>(std::max<double>(stored, std::numeric_limits<T>::min()), std::numeric_limits<T>::max())));
  }
  wanted.insert(wanted.end(), bytes.begin(), bytes.end());  // the second input has the output's scale already
  OperationCall call(ANEURALNETWORKS_CONCATENATION);
  call.input(type, {256}, bytes, scale, zero).input(type, {256}, bytes, out_scale, out_zero).int32(0).output(type, out_scale, out_zero);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<T>(), wanted);
}

TEST(Concatenation, RescalesToTheOutput) {
  concatenate_rescaled<uint8_t>(kUint8, 0.5f, 128, 0.25f, 3);
  concatenate_rescaled<uint8_t>(kUint8, 0.25f, 0, 1.0f, 255);
  concatenate_rescaled<int8_t>(kInt8, 1.0f, -1, 4.0f, 10);
  concatenate_rescaled<int8_t>(kInt8, 2.0f, 127, 0.125f, -128);
}

TEST(Concatenation, Refusals) {
  const auto concatenate = [](const Dimensions& a, const Dimensions& b, int32_t axis) {
    OperationCall call(ANEURALNETWORKS_CONCATENATION);
    call.floats(a, std::vector<float>(number_of(a))).floats(b, std::vector<float>(number_of(b))).int32(axis).output(kFloat);
    return call.run().code;
  };
  EXPECT_EQ(concatenate({2, 3}, {2, 1}, 1), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(concatenate({2, 3}, {2, 1}, 0), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(concatenate({2, 3}, {2}, 0), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(concatenate({2, 3}, {2, 3}, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(concatenate({2, 3}, {2, 3}, kMin), ANEURALNETWORKS_OP_FAILED);
  OperationCall none(ANEURALNETWORKS_CONCATENATION);
  EXPECT_EQ(none.int32(0).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
}

// ---- RESHAPE -----------------------------------------------------------------------------------------------------

std::pair<int, Dimensions> reshape(const Dimensions& dims, const std::vector<int32_t>& shape, Dimensions declared = {}) {
  OperationCall call(ANEURALNETWORKS_RESHAPE);
  const std::vector<uint32_t> from = counted<uint32_t>(dims);
  call.input(kFloat, dims, from).ints({static_cast<uint32_t>(shape.size())}, shape).output(kFloat, 0, 0, std::move(declared));
  const int code = call.run().code;
  if (code == ANEURALNETWORKS_NO_ERROR) {
    EXPECT_EQ(call.values<uint32_t>(), from);
  }
  return {code, call.dims()};
}

TEST(Reshape, StretchesOneDimension) {
  EXPECT_EQ(reshape({2, 3, 4}, {4, -1}).second, (Dimensions{4, 6}));
  EXPECT_EQ(reshape({2, 3, 4}, {-1}).second, (Dimensions{24}));
  EXPECT_EQ(reshape({2, 3, 4}, {1, 24, -1, 1}).second, (Dimensions{1, 24, 1, 1}));
  EXPECT_EQ(reshape({2, 3}, {3, -1}, {0, 2}).first, ANEURALNETWORKS_NO_ERROR);
}

TEST(Reshape, Refusals) {
  for (const std::vector<int32_t>& shape :
       {std::vector<int32_t>{5, -1}, {-1, -1}, {2, 3}, {0, -1}, {-2, 12}, {}, {kMax, kMax}, {kMin, -1}, {65536, 65536, 65536, 65536}}) {
    EXPECT_EQ(reshape({2, 3, 4}, shape).first, ANEURALNETWORKS_OP_FAILED);
  }
  EXPECT_EQ(reshape({2, 3}, {3, 2}, {2, 3}).first, ANEURALNETWORKS_OP_FAILED);  // against the declared shape
  EXPECT_EQ(reshape({0, 3}, {3, -1}).first, ANEURALNETWORKS_OP_FAILED);         // empty inputs are not documented
}

template <typename T>
void reinterpret(int32_t code, MovedType type, const Dimensions& from, const std::vector<int32_t>& values, const Dimensions& to) {
  OperationCall call(code);
  call.input(type.code, from, counted<T>(from), type.scale, type.zero_point);
  if (code == ANEURALNETWORKS_EXPAND_DIMS) {
    call.int32(values[0]);
  } else {
    call.ints({static_cast<uint32_t>(values.size())}, values);
  }
  call.output(type.code, type.scale, type.zero_point);
  ASSERT_TRUE(call.run().ok()) << code << " with type " << type.code;
  EXPECT_EQ(call.dims(), to);
  EXPECT_EQ(call.values<T>(), counted<T>(from));
}

TEST(Reshape, EveryTypeOfAllThree) {
  const auto all = [](int32_t code, const Dimensions& from, const std::vector<int32_t>& values, const Dimensions& to) {
    reinterpret<uint32_t>(code, kMovedFloat, from, values, to);
    reinterpret<uint16_t>(code, kMovedHalf, from, values, to);
    reinterpret<uint8_t>(code, kMovedUint8, from, values, to);
    reinterpret<uint8_t>(code, kMovedInt8, from, values, to);
  };
  all(ANEURALNETWORKS_RESHAPE, {2, 3}, {3, 2}, {3, 2});
  all(ANEURALNETWORKS_SQUEEZE, {2, 1, 3, 1}, {1}, {2, 3, 1});
  all(ANEURALNETWORKS_EXPAND_DIMS, {2, 3}, {1}, {2, 1, 3});
  reinterpret<uint32_t>(ANEURALNETWORKS_EXPAND_DIMS, {kInt, 0, 0}, {2, 3, 1, 1, 2}, {-1}, {2, 3, 1, 1, 2, 1});
}

// ---- SQUEEZE and EXPAND_DIMS -------------------------------------------------------------------------------------

TEST(Squeeze, WithoutAxesAllOnesGo) {
  for (bool absent : {false, true}) {
    OperationCall call(ANEURALNETWORKS_SQUEEZE);
    call.floats({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
    if (!absent) call.omitted(kInt);
    call.output(kFloat);
    ASSERT_TRUE(call.run().ok());
    EXPECT_EQ(call.dims(), (Dimensions{2, 3}));
  }
}

TEST(Squeeze, Axes) {
  const auto squeeze = [](const Dimensions& dims, const std::vector<int32_t>& axes) {
    OperationCall call(ANEURALNETWORKS_SQUEEZE);
    call.floats(dims, std::vector<float>(number_of(dims))).ints({static_cast<uint32_t>(axes.size())}, axes).output(kFloat);
    const int code = call.run().code;
    return std::pair(code, call.dims());
  };
  EXPECT_EQ(squeeze({1, 2, 1}, {0, -1}).second, (Dimensions{2}));
  EXPECT_EQ(squeeze({1, 2, 1}, {2, 2, -1}).second, (Dimensions{1, 2}));  // named more than once
  EXPECT_EQ(squeeze({1, 1}, {0, 1}).second, (Dimensions{1}));            // never a scalar
  EXPECT_EQ(squeeze({1, 2, 1}, {1}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(squeeze({1, 2, 1}, {3}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(squeeze({1, 2, 1}, {-4}).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(squeeze({1, 2, 1}, {kMin}).first, ANEURALNETWORKS_OP_FAILED);
}

TEST(ExpandDims, AxesCountFromBothEnds) {
  const auto expand = [](int32_t axis) {
    OperationCall call(ANEURALNETWORKS_EXPAND_DIMS);
    call.floats({2, 3}, std::vector<float>(6)).int32(axis).output(kFloat);
    const int code = call.run().code;
    return std::pair(code, call.dims());
  };
  EXPECT_EQ(expand(0).second, (Dimensions{1, 2, 3}));
  EXPECT_EQ(expand(2).second, (Dimensions{2, 3, 1}));
  EXPECT_EQ(expand(-1).second, (Dimensions{2, 3, 1}));
  EXPECT_EQ(expand(-3).second, (Dimensions{1, 2, 3}));
  EXPECT_EQ(expand(3).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(expand(-4).first, ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(expand(kMax).first, ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
