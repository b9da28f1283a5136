// SPDX-License-Identifier: Apache-2.0
// The writer of value change dumps: what the file looks like, changes out of order, time scales, full disks.
#include "vcd_writer.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace avocet::model {
namespace {

class Vcd : public testing::Test {
protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const std::string path_ = std::filesystem::temp_directory_path() / ("avocet_vcd_" + std::to_string(getpid()) + ".vcd");
};

TEST_F(Vcd, IsSortedAndHoldsChangesAlone) {
  VcdWriter vcd(800000);
  ASSERT_EQ(vcd.open(path_), 0);
  const auto bit = vcd.declare("top", "bit", 1), wide = vcd.declare("top.unit", "wide", 8);
  const auto word = vcd.declare_words("top.unit", "word", "idle");
  vcd.begin();
  vcd.change(wide, 5, uint64_t{6});
  vcd.change(bit, 2, uint64_t{1});
  vcd.change(bit, 7, uint64_t{0});
  vcd.change(word, 2, "busy");
  vcd.change(word, 3, "never seen");
  vcd.change(word, 3, "busy");
  vcd.settle(4);
  EXPECT_EQ(vcd.pending(), 2u);
  vcd.change(bit, 4, uint64_t{0});
  vcd.change(wide, 4, VcdWriter::kUnknown);
  vcd.change(bit, 99, uint64_t{1}); // behind the end
  EXPECT_EQ(vcd.finish(8), 0);
  vcd.change(bit, 9, uint64_t{1});
  EXPECT_EQ(vcd.finish(10), 0);
  EXPECT_EQ(text(), "$version Avocet $end\n"
                    "$comment Time 0 is power-on; a cycle of the device is 125 of the time unit. $end\n"
                    "$timescale 10 ps $end\n"
                    "$scope module top $end\n$var wire 1 ! bit $end\n"
                    "$scope module unit $end\n$var wire 8 \" wide [7:0] $end\n$var string 1 # word $end\n$upscope $end\n$upscope $end\n"
                    "$enddefinitions $end\n#0\n$dumpvars\n0!\nb0 \"\nsidle #\n$end\n"
                    "#250\n1!\nsbusy #\n#500\n0!\nbx \"\n#625\nb110 \"\n#1000\n");
}

TEST_F(Vcd, HasTheLargestUnitThatIsExact) {
  const struct {
    uint64_t khz;
    const char *unit;
    uint64_t cycle, seven;
  } rows[] = {{1000, "1 us", 1, 7},        {1000000, "1 ns", 1, 7},         {800000, "10 ps", 125, 875},
              {10000000, "100 ps", 1, 7}, {700000, "1 fs", 1428571, 10000000}, {123456, "1 fs", 8100051, 56700362}};
  for (const auto &row : rows) {
    const VcdTimescale scale(row.khz);
    EXPECT_STREQ(scale.text, row.unit) << row.khz;
    EXPECT_EQ(scale.time_of(1), row.cycle) << row.khz;
    EXPECT_EQ(scale.time_of(7), row.seven) << row.khz;
  }
  EXPECT_EQ(VcdTimescale(700000).time_of(7'000'000'000), 10'000'000'000'000'000u) << "ten seconds";
}

TEST_F(Vcd, TellsOfAFullDisk) {
  VcdWriter vcd(1000000);
  if (int error = vcd.open("/dev/full")) GTEST_SKIP() << "no /dev/full: " << error;
  const auto wide = vcd.declare("top", "wide", 64);
  vcd.begin();
  for (uint64_t cycle = 1; cycle < 10000; ++cycle) vcd.change(wide, cycle, cycle);
  vcd.settle(5000);
  vcd.settle(10000);
  vcd.change(wide, 10001, uint64_t{1});
  EXPECT_EQ(vcd.pending(), 0u) << "nothing is kept for a file that cannot be written";
  EXPECT_EQ(vcd.finish(20000), ENOSPC);
  EXPECT_EQ(VcdWriter(1000).open("/no/such/folder/a.vcd"), ENOENT);
}

} // namespace
} // namespace avocet::model
