// SPDX-License-Identifier: Apache-2.0
// `avocet sweep` as a person uses it: every point once, also over an interruption; a bad point costs itself alone.
#include <nlohmann/json.hpp>
#include <map>
#include <set>
#include <sstream>

#include "command_runner.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::json;

class Sweep : public CommandTest {
 protected:
  void SetUp() override {
    write("small.json", R"({"name":"small","inputs":[{"name":"in","shape":[1,8,8,16]}],"layers":[{"op":"conv2d","filters":16,"kernel":3}]})");
  }
  void write_spec(const std::string& rest) { write("sweep.json", R"({"workloads":["small.json"],)" + rest + "}"); }
  std::vector<json> results() const {
    std::istringstream lines(read("out.jsonl"));
    std::vector<json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }
  std::vector<std::string> table() const {
    std::istringstream lines(read("out.csv"));
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);) all.push_back(line);
    return all;
  }
};

constexpr const char* kGrid = R"("grid":{"array.rows":[8,16],"dram.bytes_per_cycle":[4,8,16]})";

TEST_F(Sweep, RunsEveryCombinationOnce) {
  write_spec(kGrid);
  const CommandResult result = avocet("sweep sweep.json -j 2 -o out");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("6 points: 0 done before, 6 now, 0 failed"), std::string::npos) << result.out;
  EXPECT_NE(result.error.find(" left\n"), std::string::npos) << result.error;
  EXPECT_NE(result.error.find("6/6, took "), std::string::npos) << result.error;
  std::set<std::string> settings;
  for (const json& point : results()) {
    settings.insert(point["settings"].dump());
    EXPECT_GT(point["cycles"], 0);
  }
  EXPECT_EQ(settings.size(), 6u);
  ASSERT_EQ(table().size(), 7u);
  EXPECT_EQ(table()[0].rfind("workload,array.rows,dram.bytes_per_cycle,cycles,", 0), 0u);
}

TEST_F(Sweep, APointThatIsListedTwiceRunsOnce) {
  write_spec(R"("grid":{"array.rows":[8,16]},"points":[{"array.rows":16},{"array.rows":32}])");
  const CommandResult result = avocet("sweep sweep.json -o out");
  EXPECT_NE(result.out.find("3 points: 0 done before, 3 now, 0 failed"), std::string::npos) << result.out << result.error;
  EXPECT_EQ(results().size(), 3u);
}

TEST_F(Sweep, PointsAreWhatARunGives) {
  write_spec(R"("points":[{"array.rows":8,"array.columns":4}])");
  ASSERT_EQ(avocet("sweep sweep.json -o out").status, 0);
  write("one.json", R"({"array":{"rows":8,"columns":4}})");
  const json run = json::parse(avocet("run small.json --engine timed --config one.json --json -").out);
  EXPECT_EQ(results().at(0)["cycles"], run["cycles"]);
}

TEST_F(Sweep, ABadPointCostsItselfAlone) {
  write_spec(R"("points":[{"array.rows":8},{"array.rows":0},{"sram.kib":1000000},{"array.rows":32}])");
  const CommandResult result = avocet("sweep sweep.json -o out");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("2 now, 2 failed"), std::string::npos) << result.out;
  EXPECT_NE(result.error.find("small.json array.rows=0: "), std::string::npos) << result.error;
  EXPECT_NE(result.error.find("array.rows: 0 is not allowed (1 to 256, PEs)"), std::string::npos) << result.error;
  EXPECT_EQ(results().size(), 4u);
}

TEST_F(Sweep, GoesOnAfterAnInterruption) {
  write_spec(kGrid);
  ASSERT_EQ(avocet("sweep sweep.json -o out").status, 0);
  const std::vector<json> whole = results();
  // As if killed while the fourth line was written.
  const std::string text = read("out.jsonl");
  size_t end = 0;
  for (int line = 0; line < 3; ++line) end = text.find('\n', end) + 1;
  write("out.jsonl", text.substr(0, end + 20));
  const CommandResult result = avocet("sweep sweep.json -o out --resume");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("6 points: 3 done before, 3 now, 0 failed"), std::string::npos) << result.out;
  std::map<std::string, json> before, after;
  for (const json& point : whole) before[point["identity"]] = point["cycles"];
  for (const json& point : results()) after[point["identity"]] = point["cycles"];
  EXPECT_EQ(after, before);
  EXPECT_EQ(table().size(), 7u);
}

TEST_F(Sweep, MistakesAreOneLine) {
  write_spec(R"("grid":{"array.rowz":[1]})");
  expect_refused("sweep sweep.json -o out", "sweep.json: grid: \"array.rowz\" is no key of a configuration");
  write_spec(R"("grid":{"array.rows":[]})");
  expect_refused("sweep sweep.json -o out", "sweep.json: grid: array.rows: [] is not allowed (an array of 1 or more values)");
  write_spec(R"("engine":"fast")");
  expect_refused("sweep sweep.json -o out", "sweep.json: engine: \"fast\" is not allowed (one of timing, timed, functional, rtl)");
  write_spec(R"("gird":{})");
  expect_refused("sweep sweep.json -o out", "sweep.json: \"gird\" is no key of a sweep");
  write("sweep.json", R"({"workloads":["absent.json"]})");
  expect_refused("sweep sweep.json -o out", "absent.json");
  write_spec(R"("points":[{"array.rows":8}])");
  ASSERT_EQ(avocet("sweep sweep.json -o out").status, 0);
  expect_refused("sweep sweep.json -o out", "out.jsonl: is there already (--resume goes on with it)");
}

}  // namespace
}  // namespace avocet::tools::test
