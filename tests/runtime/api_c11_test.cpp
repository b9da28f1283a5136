// SPDX-License-Identifier: Apache-2.0
// Calls the C client of api_c11.c.
#include <gtest/gtest.h>

extern "C" int avocet_add_from_c(float a, float b, float* sum);

TEST(Header, WorksFromC) {
  float sum = 0;
  EXPECT_EQ(avocet_add_from_c(1, 2, &sum), 0);
  EXPECT_EQ(sum, 3.0f);
}
