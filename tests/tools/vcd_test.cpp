// SPDX-License-Identifier: Apache-2.0
// Waves of whole runs: well-formed, equal in every run, and of one mind with the counters, the timeline and the array's closed form.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "command_runner.hpp"
#include "vcd_reader.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::json;

const std::map<std::string, std::string> kUnits = {{"MAC array", "mac"},       {"requantisation", "requant"}, {"vector unit", "vector"},
                                                   {"DMA channel 0", "dma0"}, {"DMA channel 1", "dma1"}};

class Waves : public CommandTest {
 protected:
  json run(const std::string& arguments) {
    const CommandResult result = avocet("run " + arguments + " --json -");
    EXPECT_EQ(result.status, 0) << arguments << "\n" << result.error;
    return json::parse(result.out, nullptr, false);
  }
  /// 1x1 on 4x4 pixels with 32 channels in and 16 out: P = 2 passes of M = 16 vectors on 16x16.
  void write_product() {
    write("product.json", R"({"name":"product","inputs":[{"name":"in","shape":[1,4,4,32]}],"layers":[{"op":"conv2d","filters":16}]})");
  }
  /// The time in each state of each unit is its counter of that kind.
  void expect_counted(const VcdReader& vcd, const json& counters) {
    for (const json& core : counters["cores"]) {
      const uint64_t cycles = core["cycles"];
      for (const auto& [unit, name] : kUnits) {
        const std::string scope = "avocet.core" + std::to_string(core["core"].get<int>()) + "." + name;
        const json& kinds = core["units"][unit];
        for (const auto& [kind, count] : kinds.items())
          EXPECT_EQ(vcd.time_at(scope + ".state", kind, cycles), count) << scope << " " << kind;
        EXPECT_EQ(vcd.time_at(scope + ".busy", "1", cycles), kinds["busy"]) << scope;
        EXPECT_EQ(vcd.of(scope + ".queue").changes.back().value, "0") << scope;
      }
    }
  }
};

TEST_F(Waves, OfTheRtlAgreeWithCountersTimelineAndClosedForm) {
  write_product();
  run("product.json --engine rtl --vcd a.vcd --counters c.json --timeline t.json");
  const VcdReader vcd(read("a.vcd"));
  const json counters = json::parse(read("c.json"));
  EXPECT_EQ(vcd.timescale(), "1 ns");
  expect_counted(vcd, counters);

  // Every port's handshakes: 2 tiles of 16 beats, 2 * 16 vectors in and out; 16 parameters and 16 rows of bytes.
  const auto handshakes = [&](const std::string& port, const char* valid, const char* ready) {
    return vcd.time_of_all({{port + valid, "1"}, {port + ready, "1"}}, vcd.end());
  };
  const std::string array = "avocet.core0.mac.mac_array.", lanes = "avocet.core0.requant.requant_lanes.";
  EXPECT_EQ(handshakes(array, "w_valid_i", "w_ready_o"), 32u);
  EXPECT_EQ(handshakes(array, "a_valid_i", "a_ready_o"), 32u);
  EXPECT_EQ(handshakes(array, "o_valid_o", "o_ready_i"), 32u);
  EXPECT_EQ(handshakes(lanes, "p_valid_i", "p_ready_o"), 16u);
  EXPECT_EQ(handshakes(lanes, "r_valid_i", "r_ready_o"), 16u);
  EXPECT_EQ(handshakes(lanes, "o_valid_o", "o_ready_i"), 16u);
  // R + (P - 1) max(M, R) + M + R + C, and channels + rows + 8.
  EXPECT_EQ(counters["cores"][0]["units"]["MAC array"]["busy"], 16 + 16 + 16 + 32);
  EXPECT_EQ(counters["cores"][0]["units"]["requantisation"]["busy"], 16 + 16 + 8);

  // Commands stand where the timeline has them; in the waves, neighbours of one name are one.
  std::map<int, std::map<uint64_t, std::pair<uint64_t, std::string>>> tracks;
  const json timeline = json::parse(read("t.json"));
  for (const json& event : timeline["traceEvents"])
    if (event.contains("args") && event["args"].contains("command"))
      tracks[event["tid"]][event["args"]["start_cycle"]] = {event["args"]["end_cycle"], event["args"]["command"]};
  std::multiset<std::tuple<uint64_t, uint64_t, std::string>> slices, waves;
  for (auto& [track, commands] : tracks)
    for (auto at = commands.begin(); at != commands.end();) {
      auto [end, name] = at->second;
      const uint64_t start = at->first;
      for (++at; at != commands.end() && at->first == end && at->second.second == name; ++at) end = at->second.first;
      slices.insert({start, end, name});
    }
  for (const auto& [name, signal] : vcd.signals()) {
    if (name.find(".command") == std::string::npos) continue;
    for (size_t i = 0; i + 1 < signal.changes.size(); ++i)
      if (signal.changes[i].value != "-") waves.insert({signal.changes[i].time, signal.changes[i + 1].time, signal.changes[i].value});
  }
  EXPECT_EQ(waves, slices);
  EXPECT_GE(waves.size(), 5u);
}

TEST_F(Waves, AreTheSameInEveryRunAndOnBothEngines) {
  const std::string digits = kTraces + "digits/digits.tflite --device npu";
  const json with = run(digits + " --engine rtl --vcd a.vcd --counters c.json"), without = run(digits + " --engine rtl");
  run(digits + " --engine rtl --vcd b.vcd");
  run(digits + " --engine timed --vcd timed.vcd");
  EXPECT_EQ(with["cycles"], without["cycles"]);
  EXPECT_TRUE(read("a.vcd") == read("b.vcd"));
  const VcdReader rtl(read("a.vcd")), timed(read("timed.vcd"));
  expect_counted(rtl, json::parse(read("c.json")));
  for (const auto& [name, signal] : timed.signals()) {
    const auto& other = rtl.of(name).changes;
    EXPECT_TRUE(std::equal(signal.changes.begin(), signal.changes.end(), other.begin(), other.end(),
                           [](const auto& a, const auto& b) { return a.time == b.time && a.value == b.value; }))
        << name;
  }
  EXPECT_GT(rtl.signals().size(), timed.signals().size()) << "the ports";
}

// A memory with banks, whose posted writes are known late; several cores; a clock whose cycle is no whole number of any unit.
TEST_F(Waves, OfBanksAndCoresAreComplete) {
  write("hw.json", R"({"clock_mhz":700,"cores":2,"dram":{"model":"ddr4_2400"},"sram":{"model":"banked"}})");
  const std::string digits = kTraces + "digits.json --config hw.json --engine timed";
  const json with = run(digits + " --vcd a.vcd --counters c.json"), without = run(digits);
  EXPECT_EQ(with["cycles"], without["cycles"]);
  const VcdReader vcd(read("a.vcd"));
  EXPECT_EQ(vcd.timescale(), "1 fs");
  const json counters = json::parse(read("c.json"));
  const double cycle = 1e9 / 700;  // in fs
  for (const auto& [unit, name] : kUnits)
    for (const json& core : counters["cores"]) {
      const uint64_t end = static_cast<uint64_t>(core["cycles"].get<double>() * cycle);
      const double busy = static_cast<double>(vcd.time_at("avocet.core" + std::to_string(core["core"].get<int>()) + "." + name + ".busy", "1", end));
      EXPECT_NEAR(busy / cycle, core["units"][unit]["busy"].get<double>(), 0.01) << name;
    }
  const double pins = counters["memory"]["pin_millicycles"].get<double>() / 1000;
  const double shown = static_cast<double>(vcd.time_at("avocet.dram.channel0.busy", "1", vcd.end())) / cycle;
  EXPECT_GE(shown, pins);
  EXPECT_LT(shown, 1.5 * pins) << "whole cycles of 1.43 ns for bursts of 3.33 ns";
}

TEST_F(Waves, RefuseBadFiles) {
  write_product();
  expect_refused("run product.json --vcd missing/a.vcd", "missing/a.vcd: cannot be written");
  expect_refused("run product.json --device cpu --vcd a.vcd", "--vcd: is about the NPU");
  expect_refused("run product.json --vcd /dev/full --engine timed", "/dev/full: ");
  setenv("AVOCET_VCD", "missing/a.vcd", 1);
  const CommandResult told = avocet("run product.json --engine timed");
  unsetenv("AVOCET_VCD");
  EXPECT_EQ(told.status, 0) << "as with the other files of the environment";
  EXPECT_EQ(told.error, "avocet: cannot write the waves missing/a.vcd: No such file or directory\n");
}

}  // namespace
}  // namespace avocet::tools::test
