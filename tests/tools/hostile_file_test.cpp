// SPDX-License-Identifier: Apache-2.0
// Damaged files: every truncation and thousands of seeded mutations give a model or one clean error, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "importer/importer.hpp"
#include "importer/tflite_file.hpp"
#include "input_error.hpp"
#include "tflite_writer.hpp"

namespace avocet::tools {
namespace {

/// True when imported, false when refused with a one-line message that names the file; anything else fails the test.
bool import_or_refuse(std::vector<uint8_t> bytes) {
  try {
    import_tflite(TfliteFile(std::move(bytes), "m.tflite"));
    return true;
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("m.tflite: ", 0), 0u) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return false;
  }
}

TEST(HostileFile, EveryTruncationIsRefused) {
  const std::vector<uint8_t> good = test::small_convolution_model();
  ASSERT_TRUE(import_or_refuse(good));
  for (size_t size = 0; size < good.size(); ++size) {
    // Cutting padding at the very end may leave a whole model; everything else must be refused.
    const bool accepted = import_or_refuse({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
    EXPECT_TRUE(!accepted || size + 16 > good.size()) << size;
  }
}

TEST(HostileFile, FlippedBitsNeverCrash) {
  const std::vector<uint8_t> good = test::small_convolution_model();
  std::mt19937 generator(7);
  size_t accepted = 0;
  constexpr size_t kRounds = 20000;
  for (size_t round = 0; round < kRounds; ++round) {
    std::vector<uint8_t> bytes = good;
    const size_t flips = 1 + generator() % 4;
    for (size_t i = 0; i < flips; ++i) bytes[generator() % bytes.size()] ^= static_cast<uint8_t>(1u << generator() % 8);
    accepted += import_or_refuse(std::move(bytes));
  }
  EXPECT_GT(accepted, 0u);        // a flipped weight is no error
  EXPECT_LT(accepted, kRounds);
}

TEST(HostileFile, OverwrittenWordsNeverCrash) {
  const std::vector<uint8_t> good = test::small_convolution_model();
  constexpr uint32_t kValues[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0xfffffff0};
  for (size_t at = 0; at + 4 <= good.size(); ++at) {
    for (const uint32_t value : kValues) {
      std::vector<uint8_t> bytes = good;
      std::memcpy(bytes.data() + at, &value, 4);
      import_or_refuse(std::move(bytes));
    }
  }
}

TEST(HostileFile, ForeignFilesAreNamedSo) {
  EXPECT_THROW(TfliteFile({}, "m.tflite"), InputError);
  try {
    TfliteFile(std::vector<uint8_t>(4096, 'x'), "picture.bmp");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "picture.bmp: not a TensorFlow Lite model (no TFL3 identifier)");
  }
}

}  // namespace
}  // namespace avocet::tools
