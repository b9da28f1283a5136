// SPDX-License-Identifier: Apache-2.0
// The demo's network and digits as shipped: what they contain, and at least 97 % right on the CPU path.
#include <gtest/gtest.h>

#include <algorithm>

#include "demo/digit_set.hpp"
#include "importer/tflite_file.hpp"
#include "inference/inference.hpp"
#include "input_error.hpp"

namespace avocet::tools {
namespace {

TEST(Digits, AreClassifiedByTheCpuPath) {
  const std::string folder = find_digits(AVOCET_SOURCE_DIR "/traces/digits");
  const DigitSet set = read_digit_set(folder);
  ASSERT_GE(set.images.size(), 300u);
  ASSERT_EQ(set.images.size(), set.labels.size());
  Inference inference(import_tflite(folder + "/digits.tflite"), DeviceChoice::cpu);
  size_t right = 0;
  for (size_t i = 0; i < set.images.size(); ++i) {
    TensorBytes input = set.images[i];
    for (uint8_t& byte : input) byte ^= 0x80;
    const TensorBytes scores = inference.run({input}).outputs.at(0);
    ASSERT_EQ(scores.size(), 10u);
    const auto* begin = reinterpret_cast<const int8_t*>(scores.data());
    right += std::max_element(begin, begin + 10) - begin == set.labels[i];
  }
  EXPECT_GE(static_cast<double>(right), 0.97 * static_cast<double>(set.images.size()));
  RecordProperty("right", static_cast<int>(right));
}

TEST(Digits, AMissingFolderIsAnInputError) {
  EXPECT_THROW(find_digits("/nonexistent"), InputError);
  EXPECT_THROW(read_digit_set("/nonexistent"), InputError);
}

}  // namespace
}  // namespace avocet::tools
