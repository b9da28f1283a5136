// SPDX-License-Identifier: Apache-2.0
// MEAN, REDUCE_*, ARGMAX, ARGMIN and TOPK_V2 against naive loops over every element, for every set of axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "naive_requantise.hpp"
#include "operation_call.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kHalf = ANEURALNETWORKS_TENSOR_FLOAT16;
constexpr int32_t kInt = ANEURALNETWORKS_TENSOR_INT32, kBool = ANEURALNETWORKS_TENSOR_BOOL8;

size_t product(const Dimensions& dims) {
  size_t count = 1;
  for (uint32_t extent : dims) count *= extent;
  return count;
}

/// The input elements that belong to each output element, in order.
std::vector<std::vector<size_t>> groups(const Dimensions& dims, uint32_t mask) {
  std::map<std::vector<uint32_t>, std::vector<size_t>> by_kept;
  for (size_t i = 0; i < product(dims); ++i) {
    std::vector<uint32_t> kept(dims.size());
    size_t rest = i;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d]) {
      if (!((mask >> d) & 1)) kept[d] = static_cast<uint32_t>(rest % dims[d]);
    }
    by_kept[kept].push_back(i);
  }
  std::vector<std::vector<size_t>> all;
  for (const auto& [kept, members] : by_kept) all.push_back(members);
  return all;
}

Dimensions expected_dims(const Dimensions& dims, uint32_t mask, bool keep) {
  Dimensions result;
  for (size_t d = 0; d < dims.size(); ++d) {
    if ((mask >> d) & 1) {
      if (keep) result.push_back(1);
    } else {
      result.push_back(dims[d]);
    }
  }
  return result.empty() ? Dimensions{1} : result;
}

/// The axes of a mask, some counted from the end, the first one twice.
std::vector<int32_t> axes_of(uint32_t mask, size_t rank) {
  std::vector<int32_t> axes;
  for (size_t d = 0; d < rank; ++d) {
    if ((mask >> d) & 1) axes.push_back(static_cast<int32_t>(d) - (d % 2 ? static_cast<int32_t>(rank) : 0));
  }
  axes.push_back(axes.front());
  return axes;
}

void add_axes(OperationCall& call, uint32_t mask, size_t rank) {
  const std::vector<int32_t> axes = axes_of(mask, rank);
  call.ints({static_cast<uint32_t>(axes.size())}, axes);
}

const Dimensions kShapes[] = {{7}, {3, 5}, {40, 3}, {2, 3, 4}, {2, 1, 5}, {3, 2, 5, 4}, {1, 6, 1, 3}, {2, 3, 1, 21}};

/// Calls body(dims, mask, keep) for all shapes, sets of axes and both kinds of result.
template <typename Body>
void for_all(const Body& body) {
  for (const Dimensions& dims : kShapes) {
    for (uint32_t mask = 1; mask < (1u << dims.size()); ++mask) {
      for (bool keep : {false, true}) {
        SCOPED_TRACE(dims_text(dims) + " mask " + std::to_string(mask));
        body(dims, mask, keep);
      }
    }
  }
}

double naive_reduce(int32_t code, const std::vector<float>& x, const std::vector<size_t>& members) {
  double result = code == ANEURALNETWORKS_REDUCE_PROD ? 1 : 0;
  if (code == ANEURALNETWORKS_REDUCE_MAX || code == ANEURALNETWORKS_REDUCE_MIN) result = x[members[0]];
  for (size_t i : members) {
    switch (code) {
      case ANEURALNETWORKS_REDUCE_PROD: result *= x[i]; break;
      case ANEURALNETWORKS_REDUCE_MAX: result = std::max<double>(result, x[i]); break;
      case ANEURALNETWORKS_REDUCE_MIN: result = std::min<double>(result, x[i]); break;
      default: result += x[i];
    }
  }
  return code == ANEURALNETWORKS_MEAN ? result / static_cast<double>(members.size()) : result;
}

TEST(Reduce, FloatsAlongEverySetOfAxes) {
  std::mt19937 random(1);
  for (int32_t code : {ANEURALNETWORKS_MEAN, ANEURALNETWORKS_REDUCE_SUM, ANEURALNETWORKS_REDUCE_PROD, ANEURALNETWORKS_REDUCE_MAX,
                       ANEURALNETWORKS_REDUCE_MIN}) {
    SCOPED_TRACE(find_operation(code)->name);
    for_all([&](const Dimensions& dims, uint32_t mask, bool keep) {
      std::vector<float> x(product(dims));
      for (float& v : x) v = static_cast<float>(random() % 2001) / 1000 - 1;
      OperationCall call(code);
      call.in_pieces().floats(dims, x);
      add_axes(call, mask, dims.size());
      code == ANEURALNETWORKS_MEAN ? call.int32(keep ? 2 : -1) : call.boolean(keep);
      ASSERT_TRUE(call.output(kFloat).run().ok());
      ASSERT_EQ(call.dims(), expected_dims(dims, mask, keep));
      const auto members = groups(dims, mask);
      const std::vector<float> out = call.values<float>();
      ASSERT_EQ(out.size(), members.size());
      for (size_t i = 0; i < out.size(); ++i) ASSERT_NEAR(out[i], naive_reduce(code, x, members[i]), 1e-6) << i;
    });
  }
}

TEST(Reduce, BooleansAndBytes) {
  std::mt19937 random(2);
  for_all([&](const Dimensions& dims, uint32_t mask, bool keep) {
    std::vector<uint8_t> x(product(dims)), truths(x.size());
    std::vector<int8_t> s(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<uint8_t>(random());
      s[i] = static_cast<int8_t>(x[i] - 128);
      truths[i] = random() % 4 ? 3 : 0;  // anything but 0 is true
    }
    OperationCall all(ANEURALNETWORKS_REDUCE_ALL), any(ANEURALNETWORKS_REDUCE_ANY);
    OperationCall max(ANEURALNETWORKS_REDUCE_MAX), min(ANEURALNETWORKS_REDUCE_MIN);
    all.input(kBool, dims, truths).output(kBool);
    any.input(kBool, dims, truths).output(kBool);
    max.input(kUint8, dims, x, 0.5f, 3).output(kUint8, 0.5f, 3);
    min.input(kInt8, dims, s, 0.5f, 3).output(kInt8, 0.5f, 3);
    for (OperationCall* call : {&all, &any, &max, &min}) {
      add_axes(*call, mask, dims.size());
      ASSERT_TRUE(call->boolean(keep).run().ok());
    }
    const auto members = groups(dims, mask);
    for (size_t i = 0; i < members.size(); ++i) {
      bool every = true, some = false;
      int highest = 0, lowest = 127;
      for (size_t m : members[i]) {
        every &= truths[m] != 0;
        some |= truths[m] != 0;
        highest = std::max<int>(highest, x[m]);
        lowest = std::min<int>(lowest, s[m]);
      }
      ASSERT_EQ(all.values<uint8_t>()[i], every);
      ASSERT_EQ(any.values<uint8_t>()[i], some);
      ASSERT_EQ(max.values<uint8_t>()[i], highest);
      ASSERT_EQ(min.values<int8_t>()[i], lowest);
    }
  });
}

TEST(Reduce, EdgesOfFloats) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  OperationCall max(ANEURALNETWORKS_REDUCE_MAX), min(ANEURALNETWORKS_REDUCE_MIN);
  OperationCall prod(ANEURALNETWORKS_REDUCE_PROD), half(ANEURALNETWORKS_REDUCE_SUM);
  ASSERT_TRUE(max.floats({2}, {-kInfinity, -kInfinity}).ints({1}, {0}).boolean(false).output(kFloat).run().ok());
  EXPECT_EQ(max.values<float>()[0], -kInfinity);
  ASSERT_TRUE(min.floats({2}, {kInfinity, kInfinity}).ints({1}, {0}).boolean(false).output(kFloat).run().ok());
  EXPECT_EQ(min.values<float>()[0], kInfinity);
  ASSERT_TRUE(prod.floats({4}, {1e30f, 1e30f, 1e-30f, 1e-30f}).ints({1}, {-1}).boolean(true).output(kFloat).run().ok());
  EXPECT_FLOAT_EQ(prod.values<float>()[0], 1);
  // 4096 halves of 1 are beyond where adding in float16 stops.
  ASSERT_TRUE(half.halves({4096}, std::vector<float>(4096, 1)).ints({1}, {0}).boolean(false).output(kHalf).run().ok());
  EXPECT_EQ(half.half_values()[0], 4096);
}

TEST(Reduce, LongRowsTakeSeveralPieces) {
  std::vector<float> x(3 * 5000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7);
  OperationCall call(ANEURALNETWORKS_REDUCE_SUM);
  ASSERT_TRUE(call.in_pieces().floats({3, 5000}, x).ints({1}, {0}).boolean(false).output(kFloat).run().ok());
  for (size_t i = 0; i < 5000; ++i) ASSERT_EQ(call.values<float>()[i], x[i] + x[5000 + i] + x[10000 + i]);
}

TEST(Reduce, BadAxesFail) {
  for (int32_t axis : {2, -3, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()}) {
    OperationCall sum(ANEURALNETWORKS_REDUCE_SUM), mean(ANEURALNETWORKS_MEAN), index(ANEURALNETWORKS_ARGMAX);
    EXPECT_EQ(sum.floats({2, 2}, {1, 2, 3, 4}).ints({2}, {0, axis}).boolean(false).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
    EXPECT_EQ(mean.floats({2, 2}, {1, 2, 3, 4}).ints({1}, {axis}).int32(0).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
    EXPECT_EQ(index.floats({2, 2}, {1, 2, 3, 4}).int32(axis).output(kInt).run().code, ANEURALNETWORKS_OP_FAILED);
  }
  OperationCall none(ANEURALNETWORKS_MEAN);
  EXPECT_EQ(none.floats({2}, {1, 2}).ints({0}, {}).int32(0).output(kFloat).run().code, ANEURALNETWORKS_OP_FAILED);
  OperationCall rank5(ANEURALNETWORKS_REDUCE_MAX);
  EXPECT_EQ(rank5.floats({1, 1, 1, 1, 1}, {1}).ints({1}, {0}).boolean(false).output(kFloat).run().code, ANEURALNETWORKS_BAD_DATA);
  OperationCall scale(ANEURALNETWORKS_REDUCE_MAX);
  scale.input<uint8_t>(kUint8, {2}, {1, 2}, 0.5f, 0).ints({1}, {0}).boolean(false).output(kUint8, 0.25f, 0);
  EXPECT_EQ(scale.run().code, ANEURALNETWORKS_OP_FAILED);
}

/// The mean as the published rules of quantised models state it.
int64_t mean_by_the_rules(int64_t sum, int64_t count, float scale_in, int zero_in, float scale_out, int zero_out) {
  naive::Multiplier m = naive::multiplier_of(double{scale_in} / double{scale_out});
  const int shift = std::min({static_cast<int>(std::floor(std::log2(static_cast<double>(count)))), 32, 31 + m.exponent});
  m.mantissa = (m.mantissa << shift) / count;
  m.exponent -= shift;
  return naive::requantised(sum - zero_in * count, m) + zero_out;
}

template <typename T>
void check_mean(float scale_in, int zero_in, float scale_out, int zero_out) {
  std::mt19937 random(3);
  const int32_t type = std::is_signed_v<T> ? kInt8 : kUint8;
  for_all([&](const Dimensions& dims, uint32_t mask, bool keep) {
    std::vector<T> x(product(dims));
    for (T& v : x) v = static_cast<T>(random());
    OperationCall call(ANEURALNETWORKS_MEAN);
    call.in_pieces().input(type, dims, x, scale_in, zero_in);
    add_axes(call, mask, dims.size());
    ASSERT_TRUE(call.int32(keep).output(type, scale_out, zero_out).run().ok());
    const auto members = groups(dims, mask);
    for (size_t i = 0; i < members.size(); ++i) {
      int64_t sum = 0;
      for (size_t m : members[i]) sum += x[m];
      const int64_t mean = mean_by_the_rules(sum, static_cast<int64_t>(members[i].size()), scale_in, zero_in, scale_out, zero_out);
      ASSERT_EQ(call.values<T>()[i], naive::clamped<T>(mean)) << i;
    }
  });
}

TEST(Mean, QuantisedIsBitExactForAnyOutputScale) {
  check_mean<uint8_t>(0.0235294f, 0, 0.0235294f, 0);
  check_mean<uint8_t>(0.8f, 5, 0.31f, 140);
  check_mean<int8_t>(0.0235294f, -128, 0.0197f, -128);
  check_mean<int8_t>(0.01f, 30, 0.9f, -7);
}

TEST(Mean, ExtremeScalesAndLargeCounts) {
  OperationCall finer(ANEURALNETWORKS_MEAN);
  finer.input<uint8_t>(kUint8, {2, 2}, {0, 1, 200, 255}, 1e30f, 100).ints({1}, {1}).int32(0).output(kUint8, 1e-30f, 7);
  ASSERT_TRUE(finer.run().ok());
  EXPECT_EQ(finer.values<uint8_t>(), (std::vector<uint8_t>{0, 255}));
  OperationCall coarser(ANEURALNETWORKS_MEAN);
  coarser.input<uint8_t>(kUint8, {2}, {0, 255}, 1e-30f, 100).ints({1}, {0}).int32(0).output(kUint8, 1e30f, 7);
  ASSERT_TRUE(coarser.run().ok());
  EXPECT_EQ(coarser.values<uint8_t>()[0], 7);
  // The sum of these stored values needs more than 32 bits.
  constexpr uint32_t kCount = 9'000'000;
  OperationCall large(ANEURALNETWORKS_MEAN);
  large.input(kUint8, {kCount}, std::vector<uint8_t>(kCount, 251), 0.5f, 1).ints({1}, {0}).int32(0).output(kUint8, 0.5f, 0);
  ASSERT_TRUE(large.run().ok());
  EXPECT_EQ(large.values<uint8_t>()[0], 250);
}

TEST(ArgMinMax, FirstOfEqualElementsAlongEveryAxis) {
  std::mt19937 random(4);
  const Dimensions dims{3, 4, 2, 5, 3};
  std::vector<int32_t> x(product(dims));
  for (int32_t& v : x) v = static_cast<int32_t>(random() % 5) - 2;
  std::vector<uint8_t> u(x.begin(), x.end());  // -1 and -2 become the largest
  for (int32_t axis = -5; axis < 5; ++axis) {
    SCOPED_TRACE(axis);
    const size_t a = static_cast<size_t>(axis < 0 ? axis + 5 : axis);
    OperationCall largest(ANEURALNETWORKS_ARGMAX), smallest(ANEURALNETWORKS_ARGMIN), bytes(ANEURALNETWORKS_ARGMAX);
    ASSERT_TRUE(largest.in_pieces().floats(dims, {x.begin(), x.end()}).int32(axis).output(kInt).run().ok());
    ASSERT_TRUE(smallest.ints(dims, x).int32(axis).output(kInt).run().ok());
    ASSERT_TRUE(bytes.input(kUint8, dims, u, 1, 0).int32(axis).output(kInt).run().ok());
    Dimensions kept = dims;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(a));
    ASSERT_EQ(largest.dims(), kept);
    const auto members = groups(dims, 1u << a);
    for (size_t i = 0; i < members.size(); ++i) {
      const auto& m = members[i];
      const auto less = [&](size_t p, size_t q) { return x[p] < x[q]; };
      ASSERT_EQ(largest.values<int32_t>()[i], std::max_element(m.begin(), m.end(), less) - m.begin());
      ASSERT_EQ(smallest.values<int32_t>()[i], std::min_element(m.begin(), m.end(), less) - m.begin());
      const auto byte_less = [&](size_t p, size_t q) { return u[p] < u[q]; };
      ASSERT_EQ(bytes.values<int32_t>()[i], std::max_element(m.begin(), m.end(), byte_less) - m.begin());
    }
  }
}

TEST(ArgMinMax, RankOneSignedAndHalves) {
  OperationCall one(ANEURALNETWORKS_ARGMIN);
  ASSERT_TRUE(one.input<int8_t>(kInt8, {4}, {3, -128, 127, -128}, 0.5f, 0).int32(-1).output(kInt).run().ok());
  EXPECT_EQ(one.dims(), Dimensions{1});
  EXPECT_EQ(one.values<int32_t>()[0], 1);
  OperationCall halves(ANEURALNETWORKS_ARGMAX);
  ASSERT_TRUE(halves.halves({2, 2}, {1, 2, 4, 3}).int32(1).output(kInt).run().ok());
  EXPECT_EQ(halves.values<int32_t>(), (std::vector<int32_t>{1, 0}));
  OperationCall empty(ANEURALNETWORKS_ARGMAX);
  EXPECT_EQ(empty.floats({0, 2}, {}).int32(0).output(kInt).run().code, ANEURALNETWORKS_OP_FAILED);
}

TEST(TopK, LargerIndexFirstAmongEquals) {
  OperationCall call(ANEURALNETWORKS_TOPK_V2);
  call.in_pieces().ints({2, 5}, {3, 1, 3, 2, 3, -7, -7, -7, -7, -8}).int32(4).output(kInt).output(kInt);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(0), (Dimensions{2, 4}));
  EXPECT_EQ(call.dims(1), (Dimensions{2, 4}));
  EXPECT_EQ(call.values<int32_t>(0), (std::vector<int32_t>{3, 3, 3, 2, -7, -7, -7, -7}));
  EXPECT_EQ(call.values<int32_t>(1), (std::vector<int32_t>{4, 2, 0, 3, 3, 2, 1, 0}));
}

TEST(TopK, FloatsWithSignedZerosAndNan) {
  OperationCall call(ANEURALNETWORKS_TOPK_V2);
  call.floats({6}, {std::nanf(""), -0.0f, 0.0f, -INFINITY, 5, -5}).int32(6).output(kFloat).output(kInt);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.values<int32_t>(1), (std::vector<int32_t>{4, 2, 1, 5, 3, 0}));
  OperationCall halves(ANEURALNETWORKS_TOPK_V2);
  ASSERT_TRUE(halves.halves({3}, {1, -2, 3}).int32(1).output(kHalf).output(kInt).run().ok());
  EXPECT_EQ(halves.half_values(0), std::vector<float>{3});
}

TEST(TopK, BytesAndRefusals) {
  OperationCall u(ANEURALNETWORKS_TOPK_V2), s(ANEURALNETWORKS_TOPK_V2);
  ASSERT_TRUE(u.input<uint8_t>(kUint8, {3}, {1, 255, 128}, 2, 7).int32(2).output(kUint8, 2, 7).output(kInt).run().ok());
  EXPECT_EQ(u.values<uint8_t>(0), (std::vector<uint8_t>{255, 128}));
  ASSERT_TRUE(s.input<int8_t>(kInt8, {3}, {1, -1, -128}, 2, 7).int32(2).output(kInt8, 2, 7).output(kInt).run().ok());
  EXPECT_EQ(s.values<int8_t>(0), (std::vector<int8_t>{1, -1}));
  const auto code_of = [](int32_t k) {
    OperationCall call(ANEURALNETWORKS_TOPK_V2);
    return call.floats({2, 3}, {1, 2, 3, 4, 5, 6}).int32(k).output(kFloat).output(kInt).run().code;
  };
  EXPECT_EQ(code_of(3), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of(4), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(std::numeric_limits<int32_t>::max()), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of(0), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(code_of(-1), ANEURALNETWORKS_BAD_DATA);
  OperationCall scale(ANEURALNETWORKS_TOPK_V2);
  scale.input<uint8_t>(kUint8, {1}, {1}, 2, 7).int32(1).output(kUint8, 1, 7).output(kInt);
  EXPECT_EQ(scale.run().code, ANEURALNETWORKS_OP_FAILED);
}

}  // namespace
}  // namespace avocet::runtime
