// SPDX-License-Identifier: Apache-2.0
// Recording an unmodified application and replaying it: equal results on every engine, refusals that name the limit, and one clear
// line for traces that are truncated, damaged or hostile.
#include <zip.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command_runner.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::ordered_json;

class Traces : public CommandTest {
 protected:
  void SetUp() override {
    const CommandResult recorded =
        avocet("record -o app.zip -- " AVOCET_COMMAND " run " + kTraces + "digits/digits.tflite --device npu --repeat 3");
    ASSERT_EQ(recorded.status, 0) << recorded.error;
  }
  ordered_json manifest() {
    zip_t* archive = zip_open(path("app.zip").c_str(), ZIP_RDONLY, nullptr);
    zip_stat_t stat;
    EXPECT_EQ(zip_stat(archive, "manifest.json", 0, &stat), 0);
    std::string text(stat.size, '\0');
    zip_file_t* file = zip_fopen(archive, "manifest.json", 0);
    EXPECT_EQ(zip_fread(file, text.data(), text.size()), static_cast<zip_int64_t>(text.size()));
    zip_fclose(file);
    zip_discard(archive);
    return ordered_json::parse(text);
  }
  /// A copy of the trace with another manifest, or another content of one entry.
  void write_changed(const std::string& name, const std::string& entry, const std::string& bytes) {
    std::filesystem::copy_file(path("app.zip"), path(name), std::filesystem::copy_options::overwrite_existing);
    zip_t* archive = zip_open(path(name).c_str(), 0, nullptr);
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    ASSERT_GE(zip_file_add(archive, entry.c_str(), source, ZIP_FL_OVERWRITE), 0);
    ASSERT_EQ(zip_close(archive), 0);
  }
  void expect_manifest_refused(const ordered_json& changed, const std::string& part) {
    write_changed("changed.zip", "manifest.json", changed.dump());
    expect_refused("replay changed.zip", part);
  }
};

TEST_F(Traces, ReplaysEqualTheOriginal) {
  for (const char* engine : {"", " --engine functional", " --engine timed", " --engine rtl"}) {
    const CommandResult result = avocet(std::string("replay app.zip") + engine);
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_NE(result.out.find("3 jobs on avocet_256"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("all equal to the recorded ones"), std::string::npos) << result.out;
  }
  const CommandResult timing = avocet("replay app.zip --engine timing");
  EXPECT_EQ(timing.status, 0) << timing.error;
  EXPECT_NE(timing.out.find("results are not compared"), std::string::npos) << timing.out;
}

TEST_F(Traces, TimedReplaysTakeTheRecordedCycles) {
  const ordered_json report = ordered_json::parse(avocet("replay app.zip --json -").out);
  ASSERT_EQ(report["jobs"].size(), 3u);
  for (const auto& job : report["jobs"]) {
    EXPECT_EQ(job["status"], "OK");
    EXPECT_EQ(job["results_compared"], 1) << job;  // the outputs
    EXPECT_EQ(job["differences"].size(), 0u);
    // The TLB holds other pages: some walks of 60 cycles more or less.
    EXPECT_NEAR(job["cycles"].get<double>(), job["recorded_cycles"].get<double>(), 0.05 * job["recorded_cycles"].get<double>());
  }
}

// Four contexts whose jobs run side by side, replayed on as many cores and on one.
TEST_F(Traces, JobsOfSeveralContextsReplayEqual) {
  const std::string four = std::string(AVOCET_SOURCE_DIR) + "/tests/driver/four_cores.json";
  const CommandResult recorded = avocet("record -o several.zip --config " + four + " -- " AVOCET_APPLICATION " --gtest_filter=CoresTimeline.*");
  ASSERT_EQ(recorded.status, 0) << recorded.out << recorded.error;
  for (const std::string& how : {std::string(), std::string(" --engine functional"), std::string(" --engine rtl"),
                                 " --config " + kConfigs + "avocet_256.json"}) {
    const CommandResult result = avocet("replay several.zip" + how + " --json report.json");
    EXPECT_EQ(result.status, 0) << result.error;
    EXPECT_NE(result.out.find("4 results, all equal to the recorded ones"), std::string::npos) << how << result.out;
    const ordered_json report = ordered_json::parse(read("report.json"));
    EXPECT_EQ(report["jobs"].size(), 5u) << how;
    for (const auto& job : report["jobs"]) EXPECT_EQ(job["status"], "OK") << how;
  }
  EXPECT_NE(avocet("replay several.zip --engine timing").out.find("results are not compared"), std::string::npos);
}

TEST_F(Traces, AnotherResultIsADifference) {
  ordered_json changed = manifest();
  for (auto& region : changed["submits"][1]["jobs"][0]["regions"])
    if (!region["result"].is_null()) region["result"] = std::string(32, '0');
  write_changed("changed.zip", "manifest.json", changed.dump());
  const CommandResult result = avocet("replay changed.zip");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("1 jobs differ from the recorded ones"), std::string::npos) << result.out;
}

TEST_F(Traces, RefusalsNameTheLimit) {
  expect_refused("replay app.zip --config " + kConfigs + "avocet_64.json",
                 "was recorded for an array of 16x16, this configuration has 8x8");
  write("small.json", R"({"sram":{"kib":4}})");
  expect_refused("replay app.zip --config small.json", "needs more than this configuration's 4096 bytes of SRAM");
  write("narrow.json", R"({"dma":{"channels":1}})");
  expect_refused("replay app.zip --config narrow.json", "needs more than this configuration's 1 DMA channels");
  write("large.json", R"({"sram":{"kib":1024},"dram":{"bytes_per_cycle":64}})");
  const CommandResult larger = avocet("replay app.zip --config large.json");
  EXPECT_EQ(larger.status, 0) << larger.error;
}

TEST_F(Traces, AnotherContractIsRefused) {
  ordered_json changed = manifest();
  changed["contract"]["major"] = 2;
  expect_manifest_refused(changed, "was recorded with contract 2.");
}

TEST_F(Traces, TruncatedTracesAreOneLine) {
  const std::string whole = read("app.zip");
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{22}, whole.size() / 4, whole.size() / 2, whole.size() - 30, whole.size() - 1}) {
    write("cut.zip", whole.substr(0, bytes));
    expect_refused("replay cut.zip", "cut.zip: is no whole trace");
  }
}

TEST_F(Traces, DamagedContentsAreOneLine) {
  const ordered_json original = manifest();
  const std::string stream = original["programs"][0]["stream"];
  write_changed("changed.zip", "blobs/" + stream, "not a stream at all");
  expect_refused("replay changed.zip", "is no command stream: 19 bytes");
  write_changed("changed.zip", "blobs/" + stream, "abcdefgh");
  expect_refused("replay changed.zip", "is damaged: its content has hash");
  for (const auto& region : original["submits"][0]["jobs"][0]["regions"]) {
    if (region["content"].is_null()) continue;
    write_changed("changed.zip", "blobs/" + region["content"].get<std::string>(), "short");
    expect_refused("replay changed.zip", "has 5 bytes, its region");
    break;
  }
}

TEST_F(Traces, HostileManifestsAreOneLine) {
  const ordered_json original = manifest();
  write_changed("changed.zip", "manifest.json", "{");
  expect_refused("replay changed.zip", "manifest.json is no valid JSON");
  const struct {
    const char* place;
    ordered_json value;
    const char* part;
  } rows[] = {
      {"/version", 2, "version: 2 is not allowed (1)"},
      {"/contexts", 1000000, "contexts: 1000000 is not allowed (0 to 64)"},
      {"/buffers/0/context", 7, "buffers[0]: context: 7 is not allowed (0 to 0)"},
      {"/buffers/0/bytes", -1, "buffers[0]: bytes: -1 is not allowed"},
      {"/programs/0/stream", "../../etc/passwd", "stream: \"../../etc/passwd\" is not allowed (32 hexadecimal digits)"},
      {"/submits/0/jobs/0/program", 99, "jobs[0]: program: 99 is not allowed"},
      {"/submits/0/jobs/0/regions/0/buffer", 99, "regions[0]: buffer: 99 is not allowed"},
      {"/submits/0/jobs/0/regions/0/bytes", 1ull << 40, "regions[0]: bytes: 1099511627776 is not allowed"},
      {"/submits/0/jobs/0/surprise", 1, "\"surprise\" is no key of a job"},
      {"/events/0", {{"end", {0, 0}}}, "events[0]: end: [0,0] is not allowed (a job that was submitted before, once)"},
      {"/events", ordered_json::array(), "events: some submissions are missing"},
      {"/submits", 5, "submits: 5 is not allowed"},
  };
  for (const auto& row : rows) {
    ordered_json changed = original;
    changed[ordered_json::json_pointer(row.place)] = row.value;
    expect_manifest_refused(changed, row.part);
  }
}

}  // namespace
}  // namespace avocet::tools::test
