// SPDX-License-Identifier: Apache-2.0
// Random programs in processes of their own: two runs give the same cycles and counters, timed, rtl and timing give the same
// cycles, and all engines that move values give the same bytes, which are the reference's.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> lines_of(const std::string &command) {
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  char line[512];
  while (std::fgets(line, sizeof line, pipe) != nullptr) lines.emplace_back(line);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return lines;
}

std::vector<std::string> run(const std::string &engine, const std::string &seeds, const std::string &config,
                             const std::string &how = "") {
  std::string command = std::string(AVOCET_MODEL_CYCLES) + " " + engine + " " + seeds;
  if (!config.empty()) command += " " AVOCET_SOURCE_DIR "/accel_model/configs/" + config + " " + how;
  return lines_of(command);
}

std::vector<std::string> bytes_only(const std::vector<std::string> &lines) {
  std::vector<std::string> kept;
  for (const std::string &line : lines)
    if (line.rfind("bytes", 0) == 0) kept.push_back(line);
  return kept;
}

std::vector<std::string> without_bytes(const std::vector<std::string> &lines) {
  std::vector<std::string> kept;
  for (const std::string &line : lines)
    if (line.rfind("bytes", 0) != 0) kept.push_back(line);
  return kept;
}

void expect_right(const std::vector<std::string> &lines) {
  std::vector<std::string> bytes = bytes_only(lines);
  EXPECT_FALSE(bytes.empty());
  for (const std::string &line : bytes) EXPECT_NE(line.find("right"), std::string::npos) << line;
}

class EnginesAgree : public testing::TestWithParam<const char *> {};

TEST_P(EnginesAgree, OnCyclesAndBytes) {
  const std::string seeds = "1 8";
  std::vector<std::string> timed = run("timed", seeds, GetParam());
  expect_right(timed);
  EXPECT_EQ(run("timed", seeds, GetParam()), timed) << "two runs differ";
  EXPECT_EQ(run("rtl", seeds, GetParam()), timed) << "rtl and timed differ";
  EXPECT_EQ(bytes_only(run("functional", seeds, GetParam())), bytes_only(timed));
  std::vector<std::string> timing = run("timing", seeds, GetParam());
  EXPECT_EQ(without_bytes(timing), without_bytes(timed)) << "timing and timed differ";
  EXPECT_NE(bytes_only(timing), bytes_only(timed)) << "timing moves values";
}

INSTANTIATE_TEST_SUITE_P(Sizes, EnginesAgree,
                         testing::Values("avocet_64.json", "avocet_256.json", "avocet_1024.json",
                                         "../../tests/accel_model/banked_sram.json"),
                         [](const auto &info) {
                           const std::string path = info.param;
                           const size_t name = path.rfind('/') + 1;
                           return path.substr(name, path.find('.', name) - name);
                         });

#ifdef AVOCET_HAVE_RISCV_FIRMWARE
// What the firmware runs on changes when a job starts, and nothing else: values, and cycles of every unit and layer.
TEST(FirmwaresAgree, OnEverythingButTheStart) {
  const auto without_starts = [](std::vector<std::string> lines) {
    std::erase_if(lines, [](const std::string &line) { return line.rfind("job", 0) == 0; });
    return lines;
  };
  for (const char *engine : {"timed", "functional"}) {
    std::vector<std::string> native = run(engine, "1 8", ""), riscv;
    setenv("AVOCET_FIRMWARE", "riscv", 1);
    riscv = run(engine, "1 8", "");
    EXPECT_EQ(run(engine, "1 8", ""), riscv) << "two runs differ";
    unsetenv("AVOCET_FIRMWARE");
    expect_right(riscv);
    EXPECT_NE(riscv, native) << "instructions take time";
    EXPECT_EQ(without_starts(riscv), without_starts(native)) << engine;
  }
}

TEST(FirmwaresAgree, OnTheOrderOfJobs) {
  const std::string command = std::string(AVOCET_JOB_ORDER) + " functional 1 6";
  std::vector<std::string> native = lines_of(command), riscv;
  setenv("AVOCET_FIRMWARE", "riscv", 1);
  riscv = lines_of(command);
  unsetenv("AVOCET_FIRMWARE");
  EXPECT_GT(native.size(), 6u * 50);
  EXPECT_EQ(riscv, native);
}
#endif

TEST(OddArrays, RunOnTheFastEngines) {
  for (const char *config : {"odd_1x1.json", "odd_3x5.json"}) {
    const std::string path = "../../tests/accel_model/" + std::string(config);
    std::vector<std::string> timed = run("timed", "1 3", path);
    expect_right(timed);
    EXPECT_EQ(bytes_only(run("functional", "1 3", path)), bytes_only(timed));
    EXPECT_EQ(without_bytes(run("timing", "1 3", path)), without_bytes(timed));
  }
}

// Jobs that are stopped and continued: the arrays are drained and filled alike.
TEST(Preempted, TimedAndRtlGiveTheSameCycles) {
  for (const char *config : {"avocet_64.json", "avocet_256.json"}) {
    std::vector<std::string> timed = run("timed", "1 4", config, "preempted");
    expect_right(timed);
    EXPECT_EQ(run("rtl", "1 4", config, "preempted"), timed);
  }
}

} // namespace
