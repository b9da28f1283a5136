// SPDX-License-Identifier: Apache-2.0
// What the device writes about itself (--counters, --memory-trace, --timeline, recordings): the files agree with each other and with
// the report, and are the same in every run and every build. The last is held against fixed_results.csv, which
// AVOCET_REGENERATE=1 rewrites when a change of cycles is meant.
#include <zip.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command_runner.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::ordered_json;
using Bytes = std::map<std::string, std::map<std::string, uint64_t>>;  // initiator, direction

const std::string kTests = std::string(AVOCET_SOURCE_DIR) + "/tests/";

class DeviceFiles : public CommandTest {
 protected:
  ordered_json run(const std::string& arguments) {
    const CommandResult result =
        avocet("run " + arguments + " --json report.json --counters counters.json --memory-trace memory.csv --timeline timeline.json");
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.error;
    return ordered_json::parse(read("report.json"), nullptr, false);
  }
  ordered_json counters() { return ordered_json::parse(read("counters.json"), nullptr, false); }
  Bytes traced() {
    std::istringstream lines(read("memory.csv"));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "cycle,initiator,address,bytes,direction");
    Bytes bytes;
    uint64_t before = 0;
    while (std::getline(lines, line)) {
      std::istringstream cells(line);
      std::string cycle, initiator, address, count, direction;
      std::getline(std::getline(std::getline(std::getline(std::getline(cells, cycle, ','), initiator, ','), address, ','), count, ','),
                   direction);
      EXPECT_GE(std::stoull(cycle), before);
      before = std::stoull(cycle);
      EXPECT_EQ(address.rfind("0x", 0), 0u);
      bytes[initiator][direction] += std::stoull(count);
    }
    return bytes;
  }
};

uint64_t sum(const ordered_json& numbers) {
  uint64_t all = 0;
  for (const ordered_json& number : numbers) all += number.get<uint64_t>();
  return all;
}

// Engines and configurations whose memories count differently.
TEST_F(DeviceFiles, AccessesAddUpToTheCounters) {
  for (const char* how : {" --engine timing", " --engine timed --config avocet_1024.json", " --engine functional",
                          " --engine timed --config ../../tests/driver/four_cores.json"}) {
    std::string arguments = kTraces + "keyword_spotter.json" + how;
    if (const size_t at = arguments.find("--config "); at != std::string::npos) arguments.insert(at + 9, kConfigs);
    const ordered_json report = run(arguments), counted = counters();
    const Bytes bytes = traced();
    uint64_t reads = 0, writes = 0, data_reads = 0, data_writes = 0;
    for (const auto& [initiator, expected] : counted["memory"]["initiators"].items()) {
      const auto found = bytes.find(initiator);
      std::map<std::string, uint64_t> of = found == bytes.end() ? std::map<std::string, uint64_t>{} : found->second;
      EXPECT_EQ(of["read"], expected["read_bytes"]) << initiator << how;
      EXPECT_EQ(of["write"], expected["write_bytes"]) << initiator << how;
      reads += of["read"];
      writes += of["write"];
      if (initiator.ends_with("sequencer")) continue;  // streams and profiles
      data_reads += of["read"];
      data_writes += of["write"];
    }
    for (const auto& [initiator, of] : bytes) EXPECT_TRUE(counted["memory"]["initiators"].contains(initiator)) << initiator;
    EXPECT_GT(reads, 0u);
    EXPECT_EQ(reads, counted["memory"]["read_bytes"]);
    EXPECT_EQ(writes, counted["memory"]["write_bytes"]);
    EXPECT_EQ(data_reads, report["dram_read_bytes"]);
    EXPECT_EQ(data_writes, report["dram_write_bytes"]);
    EXPECT_GT(reads, data_reads);
    EXPECT_GT(writes, data_writes);
    uint64_t events = 0;
    for (const ordered_json& job : counted["jobs"]) events += job["energy"]["events"]["dram_byte"].get<uint64_t>();
    EXPECT_EQ(reads + writes, events);
  }
}

TEST_F(DeviceFiles, EveryUnitIsCounted) {
  run(kTraces + "keyword_spotter.json --engine timed --config " + kTests + "driver/four_cores.json");
  const ordered_json counted = counters();
  ASSERT_EQ(counted["cores"].size(), 4u);
  for (const ordered_json& core : counted["cores"]) {
    std::vector<std::string> names;
    for (const auto& [unit, cycles] : core["units"].items()) {
      names.push_back(unit);
      EXPECT_EQ(sum(cycles), core["cycles"]) << unit;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"MAC array", "requantisation", "vector unit", "DMA channel 0", "DMA channel 1",
                                               "DMA channel 2", "DMA channel 3"}));
  }
  ASSERT_FALSE(counted["jobs"].empty());
  for (const ordered_json& job : counted["jobs"]) {
    for (const auto& [unit, cycles] : job["units"].items()) {
      EXPECT_EQ(sum(cycles), job["end_cycle"].get<uint64_t>() - job["start_cycle"].get<uint64_t>()) << unit;
      uint64_t work = 0;
      for (const ordered_json& layer : job["layers"])
        work += layer["units"].value(unit, ordered_json::object()).value("busy", uint64_t{0});
      EXPECT_EQ(work, cycles["busy"]) << unit;
    }
    uint64_t macs = 0;
    for (const ordered_json& layer : job["layers"]) macs += layer["energy"]["events"]["mac"].get<uint64_t>();
    EXPECT_EQ(macs, job["energy"]["events"]["mac"]);
  }
}

// ---- the same everywhere ----

struct FixedRun {
  const char* workload;
  const char* engine;
  const char* config;  // below accel_model/configs
};
constexpr FixedRun kRuns[] = {
    {"digits", "timed", "avocet_256"},
    {"digits", "functional", "avocet_256"},
    {"digits", "rtl", "avocet_64"},
    {"keyword_spotter", "rtl", "avocet_256"},
    {"keyword_spotter", "timed", "../../tests/accel_model/odd_3x5"},
    {"keyword_spotter", "timed", "../../tests/driver/four_cores"},
    {"keyword_spotter", "timing", "avocet_1024"},
    {"ssd_head", "timing", "../../tests/accel_model/banked_sram"},
    {"ssd_head", "timed", "u65_512k"},
    {"bert_base_encoder", "timing", "../../tests/accel_model/ddr4"},
    {"mobilenet_v1_224", "timing", "avocet_1024"},
    {"mobilenet_v2_224", "timing", "u65_384k"},
};

std::string hash(const std::string& text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return digits;
}

/// Without the zeros: a counter that is new changes nothing where it counts nothing.
ordered_json counted(const ordered_json& counters) {
  if (!counters.is_structured()) return counters;
  ordered_json kept = counters.is_array() ? ordered_json::array() : ordered_json::object();
  for (const auto& [key, value] : counters.items()) {
    if (value == 0) continue;
    if (counters.is_array())
      kept.push_back(counted(value));
    else
      kept[key] = counted(value);
  }
  return kept;
}

/// What the device did; the host's tracks tell of the host's time.
std::string device_slices(const ordered_json& timeline) {
  std::string text;
  for (const ordered_json& event : timeline["traceEvents"])
    if (event["ph"] == "X" && event["pid"] != 1)
      text += event["pid"].dump() + event["tid"].dump() + event["name"].dump() + event["args"].dump() + "\n";
  return text;
}

/// The manifest, which names contents by their hash, without the times of the host and the contract's version: an addition to the
/// contract changes nothing of what was recorded.
std::string recorded(const std::string& path) {
  zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY, nullptr);
  zip_stat_t stat;
  if (!archive || zip_stat(archive, "manifest.json", 0, &stat) != 0) return "";
  std::string text(stat.size, '\0');
  zip_file_t* file = zip_fopen(archive, "manifest.json", 0);
  EXPECT_EQ(zip_fread(file, text.data(), text.size()), static_cast<zip_int64_t>(text.size()));
  zip_fclose(file);
  zip_discard(archive);
  ordered_json manifest = ordered_json::parse(text, nullptr, false);
  for (ordered_json& submit : manifest["submits"]) submit.erase("time_ns");
  manifest.erase("contract");
  return manifest.dump();
}

TEST_F(DeviceFiles, AreTheSameInEveryRunAndBuild) {
  const std::string table_path = kTests + "tools/fixed_results.csv";
  std::istringstream expected(slurp(table_path));
  std::string made = "workload,engine,config,cycles,outputs,counters,memory_trace,timeline,recording\n", line;
  std::getline(expected, line);
  for (const FixedRun& one : kRuns) {
    std::filesystem::remove(path("record.zip"));
    setenv("AVOCET_RECORD", path("record.zip").c_str(), 1);
    const ordered_json report =
        run(kTraces + one.workload + ".json --engine " + one.engine + " --config " + kConfigs + one.config + ".json");
    unsetenv("AVOCET_RECORD");
    const std::string config = one.config;
    std::string row = std::string(one.workload) + "," + one.engine + "," + config.substr(config.rfind('/') + 1) + "," +
                      report["cycles"].dump() + "," + hash(report["outputs"].dump());
    for (const std::string& text : {counted(counters()).dump(), read("memory.csv"),
                                    device_slices(ordered_json::parse(read("timeline.json"), nullptr, false)),
                                    recorded(path("record.zip"))})
      row += "," + (text.empty() ? "none" : hash(text));
    std::getline(expected, line);
    EXPECT_EQ(row, line) << "AVOCET_REGENERATE=1 rewrites the table, if this is meant";
    made += row + "\n";
  }
  if (std::getenv("AVOCET_REGENERATE")) std::ofstream(table_path, std::ios::binary) << made;
}

}  // namespace
}  // namespace avocet::tools::test
