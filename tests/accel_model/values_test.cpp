// SPDX-License-Identifier: Apache-2.0
// The vector paths of the host arithmetic against the scalar ones and the contract's function, number by number.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "avocet_requantise.h"
#include "matmul_values.hpp"
#include "random_commands.hpp"
#include "requantise_rows.hpp"

namespace avocet::model {
namespace {

TEST(Values, MatmulPathsAgreeForAnyArray) {
  for (uint32_t columns : {1u, 5u, 8u, 16u, 24u, 32u, 40u})
    for (uint32_t rows : {1u, 3u, 16u, 32u}) {
      const test::Hardware hardware{rows, columns, 100, 256 * 1024, 1};
      test::RandomCommands random(hardware, rows * 100 + columns);
      std::vector<uint8_t> sram(hardware.sram_bytes + kSramSlack);
      random.fill(sram);
      for (int i = 0; i < 20; ++i) {
        avocet_cmd_matmul c = random.matmul();
        std::vector<int32_t> fast(100 * columns, 12345), plain = fast;
        matmul_values(c, {sram.data(), fast.data(), rows, columns});
        matmul_values_scalar(c, {sram.data(), plain.data(), rows, columns});
        ASSERT_EQ(fast, plain) << rows << "x" << columns << ", command " << i;
      }
    }
}

// Longer than one chunk of k, and cut inside a kernel position.
TEST(Values, MatmulWithLongChannels) {
  const test::Hardware hardware{16, 16, 64, 1024 * 1024, 1};
  test::RandomCommands random(hardware, 1);
  std::vector<uint8_t> sram(hardware.sram_bytes + kSramSlack);
  random.fill(sram);
  for (uint32_t channels : {511u, 512u, 513u, 1025u, 3001u}) {
    avocet_cmd_matmul c{};
    c.input_unsigned = channels % 2;
    c.weight_zero_point = 3;
    c.channels = channels;
    c.kx_count = 3;
    c.kx_stride = 1000;
    c.ky_count = 1;
    c.x_count = 7;
    c.x_stride = 5;
    c.y_count = 3;
    c.y_stride = 77;
    c.weights = 500 * 1024;
    std::vector<int32_t> fast(64 * 16), plain = fast;
    matmul_values(c, {sram.data(), fast.data(), 16, 16});
    matmul_values_scalar(c, {sram.data(), plain.data(), 16, 16});
    ASSERT_EQ(fast, plain) << channels << " channels";
  }
}

TEST(Values, RequantisedRowsEqualTheContract) {
  std::mt19937 random(1);
  const int32_t extremes[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX, 1 << 30, -(1 << 30)};
  auto number = [&] { return random() % 4 == 0 ? extremes[random() % 8] : static_cast<int32_t>(random()); };
  for (int round = 0; round < 3000; ++round) {
    constexpr uint32_t kChannels = 27;
    std::vector<uint8_t> parameters(12 * kChannels);
    std::vector<int32_t> sums(kChannels);
    for (uint32_t i = 0; i < kChannels; ++i) {
      int32_t record[3] = {number(), number(), static_cast<int32_t>(random() % 62) - 31};
      if (record[1] == INT32_MIN && round % 2) record[1] = INT32_MAX; // else the whole row is scalar
      std::memcpy(&parameters[12 * i], record, 12);
      sums[i] = number();
    }
    std::vector<uint8_t> out(kChannels);
    const int32_t zero_point = static_cast<int32_t>(random() % 400) - 200;
    RowRequantiser(parameters.data(), kChannels, zero_point, -128, 255)(sums.data(), out.data());
    for (uint32_t i = 0; i < kChannels; ++i) {
      int32_t record[3];
      std::memcpy(record, &parameters[12 * i], 12);
      auto sum = static_cast<int32_t>(static_cast<uint32_t>(sums[i]) + static_cast<uint32_t>(record[0]));
      int64_t value = static_cast<int32_t>(static_cast<uint32_t>(avocet_requantise(sum, record[1], record[2])) +
                                           static_cast<uint32_t>(zero_point));
      ASSERT_EQ(out[i], static_cast<uint8_t>(std::min<int64_t>(std::max<int64_t>(value, -128), 255)))
          << sum << " * " << record[1] << " shift " << record[2];
    }
  }
}

} // namespace
} // namespace avocet::model
