// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION and the fingerprint below it, against numbers computed with Debian's libfarmhash.
#include <gtest/gtest.h>

#include "operation_call.hpp"
#include "operations/fingerprint.hpp"

namespace avocet::runtime {
namespace {

constexpr int32_t kUint8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, kInt = ANEURALNETWORKS_TENSOR_INT32;
constexpr int32_t kSparseDeprecated = 1, kDense = 2, kSparse = 3;

TEST(Fingerprint, EveryRangeOfLengths) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 400; ++i) bytes.push_back(static_cast<uint8_t>(i * 37 + 11));
  const struct {
    size_t length;
    uint64_t expected;
  } kKnown[] = {{0, 0x9ae16a3b2f90404fu},   {1, 0x4271b80e2915c76au},   {3, 0x373a2b2a12e0c581u},  {4, 0xcc1e778137ae6d69u},
                {7, 0x960838fbc6d9c975u},   {8, 0x7d507025ed4eecfdu},   {12, 0x12a0d52d6f922439u}, {16, 0xd836480326a974d6u},
                {17, 0x5cded6cb65c9dac6u},  {24, 0xa71d9fc06b55102bu},  {32, 0xa03300e1b2be6da7u}, {33, 0x839154ca67815696u},
                {48, 0x698f96261bc531d3u},  {64, 0x000f03eac52d3535u},  {65, 0xfb360c5023f60db6u}, {100, 0x094bb5559bbb1375u},
                {128, 0x33ef435f17af1739u}, {129, 0xc30a81b637d2e4ddu}, {300, 0x70118fe7a7f708b5u}};
  for (const auto& known : kKnown) EXPECT_EQ(fingerprint64(bytes.data(), known.length), known.expected) << known.length;
}

std::vector<float> seeds() {
  std::vector<float> values;
  for (int i = 0; i < 20; ++i) values.push_back(0.25f * static_cast<float>(i) - 1.5f);
  return values;
}

std::vector<int32_t> rows() {
  std::vector<int32_t> values;
  for (int i = 0; i < 24; ++i) values.push_back(i * 12345 - 77777);
  return values;
}

TEST(LshProjection, SparseWithAndWithoutOffset) {
  OperationCall sparse(ANEURALNETWORKS_LSH_PROJECTION), deprecated(ANEURALNETWORKS_LSH_PROJECTION);
  sparse.in_pieces().floats({4, 5}, seeds()).ints({3, 4, 2}, rows()).omitted(ANEURALNETWORKS_TENSOR_FLOAT32).int32(kSparse).output(kInt);
  ASSERT_TRUE(sparse.run().ok());
  EXPECT_EQ(sparse.dims(), Dimensions{4});
  EXPECT_EQ(sparse.values<int32_t>(), (std::vector<int32_t>{15, 53, 67, 127}));
  deprecated.floats({4, 5}, seeds()).ints({3, 8}, rows()).omitted(ANEURALNETWORKS_TENSOR_FLOAT32).int32(kSparseDeprecated).output(kInt);
  ASSERT_TRUE(deprecated.run().ok());
  EXPECT_EQ(deprecated.values<int32_t>(), (std::vector<int32_t>{15, 21, 3, 31}));
}

TEST(LshProjection, DenseWithWeights) {
  OperationCall call(ANEURALNETWORKS_LSH_PROJECTION);
  call.in_pieces().floats({4, 5}, seeds()).ints({3, 8}, rows()).floats({3}, {0.5f, -2, 1.25f}).int32(kDense).output(kInt);
  ASSERT_TRUE(call.run().ok());
  EXPECT_EQ(call.dims(), Dimensions{20});
  EXPECT_EQ(call.values<int32_t>(), (std::vector<int32_t>{1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0}));
}

TEST(LshProjection, BytesHalvesAndLongRows) {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 15; ++i) bytes.push_back(static_cast<uint8_t>(i * 37 + 1));
  OperationCall quantised(ANEURALNETWORKS_LSH_PROJECTION);
  quantised.floats({2, 10}, seeds()).input(kUint8, {5, 3}, bytes, 0.5f, 100).omitted(ANEURALNETWORKS_TENSOR_FLOAT32);
  quantised.int32(kDense).output(kInt);
  ASSERT_TRUE(quantised.run().ok());
  EXPECT_EQ(quantised.values<int32_t>(), (std::vector<int32_t>{0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0}));

  std::vector<float> values;
  for (int i = 0; i < 9; ++i) values.push_back(static_cast<float>(i) * 0.5f - 2);
  OperationCall halves(ANEURALNETWORKS_LSH_PROJECTION);  // rows of float16 are hashed as they are stored
  halves.halves({5, 4}, seeds()).halves({3, 3}, values).halves({3}, {1, 0.5f, -0.25f}).int32(kSparse).output(kInt);
  ASSERT_TRUE(halves.run().ok());
  EXPECT_EQ(halves.values<int32_t>(), (std::vector<int32_t>{10, 22, 34, 58, 69}));

  values.clear();
  for (int i = 0; i < 80; ++i) values.push_back(static_cast<float>(i) * 0.125f - 3);
  OperationCall floats(ANEURALNETWORKS_LSH_PROJECTION);
  floats.floats({4, 5}, seeds()).floats({4, 20}, values).omitted(ANEURALNETWORKS_TENSOR_FLOAT32).int32(kDense).output(kInt);
  ASSERT_TRUE(floats.run().ok());
  EXPECT_EQ(floats.values<int32_t>(), (std::vector<int32_t>{0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1}));
}

TEST(LshProjection, Refusals) {
  const auto code_of = [](Dimensions hash, int32_t projection, uint32_t weights) {
    const std::vector<float> hashes(static_cast<size_t>(*element_count(hash)), 0.5f);
    OperationCall call(ANEURALNETWORKS_LSH_PROJECTION);
    call.floats(std::move(hash), hashes).ints({3}, {1, 2, 3}).floats({weights}, std::vector<float>(weights, 1)).int32(projection);
    return call.output(kInt).run().code;
  };
  EXPECT_EQ(code_of({1, 32}, kSparse, 3), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of({4, 30}, kSparse, 3), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of({4, 31}, kSparse, 3), ANEURALNETWORKS_OP_FAILED);  // 31 bits and an offset of 2
  EXPECT_EQ(code_of({5, 30}, kSparse, 3), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of({4, 32}, kSparseDeprecated, 3), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of({1, 33}, kSparseDeprecated, 3), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of({4, 33}, kDense, 3), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(code_of({4, 5}, kDense, 2), ANEURALNETWORKS_OP_FAILED);
  EXPECT_EQ(code_of({4, 5}, 0, 3), ANEURALNETWORKS_BAD_DATA);
  EXPECT_EQ(code_of({4, 5}, 4, 3), ANEURALNETWORKS_BAD_DATA);
  OperationCall signed_(ANEURALNETWORKS_LSH_PROJECTION);  // not among the supported types of the input
  signed_.floats({1, 1}, {1}).input<int8_t>(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, {1}, {1}, 1, 0);
  EXPECT_EQ(signed_.floats({1}, {1}).int32(kDense).output(kInt).run().code, ANEURALNETWORKS_BAD_DATA);
}

}  // namespace
}  // namespace avocet::runtime
