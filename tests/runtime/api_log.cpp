// SPDX-License-Identifier: Apache-2.0
// stderr: silent by default, one line for each error when AVOCET_LOG asks for it. Run once without and once with it.
#include <algorithm>
#include <cstdlib>
#include <string>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

TEST(Log, OneLineForEachErrorWhenAskedFor) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(ANeuralNetworksModel_finish(nullptr), ANEURALNETWORKS_UNEXPECTED_NULL);
  Model model;
  EXPECT_EQ(ANeuralNetworksModel_setOperandValue(model, 7, nullptr, 0), ANEURALNETWORKS_BAD_DATA);
  ReadyAdd add;
  EXPECT_EQ(ANeuralNetworksExecution_compute(add.execution.get()), ANEURALNETWORKS_NO_ERROR);
  const std::string text = testing::internal::GetCapturedStderr();
  if (!std::getenv("AVOCET_LOG")) {
    EXPECT_EQ(text, "");
    return;
  }
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
  EXPECT_NE(text.find("ANeuralNetworksModel_finish: UNEXPECTED_NULL"), std::string::npos) << text;
  EXPECT_NE(text.find("operand 7"), std::string::npos) << text;
}

}  // namespace
}  // namespace avocet::test
