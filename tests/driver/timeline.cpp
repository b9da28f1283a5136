// SPDX-License-Identifier: Apache-2.0
// The timeline file: whole, valid, both clocks, layer names, arrows that go forward.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "avocet_device.h"
#include "client.hpp"

namespace avocet::test {
namespace {

using nlohmann::json;

struct Trace {
  explicit Trace(const std::string& path) {
    std::ifstream file(path);
    json document = json::parse(file);
    for (const json& event : document["traceEvents"]) {
      std::string phase = event["ph"];
      if (phase == "M" && event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
      if (phase == "M" && event["name"] == "thread_name")
        tracks[event["args"]["name"]] = {event["pid"], event["tid"]};
      if (phase == "X") slices.push_back(event);
      if (phase == "s" || phase == "t" || phase == "f") flows[event["id"]].push_back(event);
    }
  }
  std::vector<json> on(const std::string& track) const {
    std::vector<json> out;
    auto found = tracks.find(track);
    if (found == tracks.end()) return out;
    for (const json& s : slices)
      if (std::pair<int, int>(s["pid"], s["tid"]) == found->second) out.push_back(s);
    return out;
  }
  std::map<int, std::string> processes;
  std::map<std::string, std::pair<int, int>> tracks;
  std::vector<json> slices;
  std::map<std::string, std::vector<json>> flows;
};

TEST(Timeline, ShowsAJobOnBothClocks) {
  std::string path = std::filesystem::temp_directory_path() / ("avocet_timeline_" + std::to_string(getpid()) + ".json");
  avocet_sim_configure(nullptr, "timed", path.c_str());
  int device = avocet_open();
  ASSERT_GE(device, 0) << avocet_sim_error();
  ASSERT_TRUE(avocet_timeline_enabled());
  Client client([&](unsigned long request, void* argument) { return avocet_ioctl(device, request, argument); });
  uint32_t context = client.context(), program = client.program(context, copy_stream(0, 1, 0, 4096));
  uint32_t buffer = client.buffer(context, 4096);
  std::vector<uint64_t> ids;
  for (int i = 0; i < 3; i++) {
    uint64_t start = avocet_timeline_now();
    int64_t id = client.submit(context, copy_job(program, buffer, buffer, 4096));
    ASSERT_GT(id, 0);
    ASSERT_EQ(client.status_of(context, id), AVOCET_STATUS_OK);
    avocet_timeline_slice(AVOCET_HOST_RUNTIME, "execute \"it\"\n", start, avocet_timeline_now(), id);
    const char* names[] = {"first layer", "second layer"};
    if (i != 2) avocet_timeline_name_layers(id, names, 2);
    ids.push_back(id);
  }
  std::thread([] { avocet_timeline_slice(AVOCET_HOST_APPLICATION, "elsewhere", 1, 2, 0); }).join();
  ASSERT_EQ(avocet_timeline_flush(), 0);

  Trace trace(path);
  ASSERT_EQ(trace.processes.size(), 2u);
  EXPECT_EQ(trace.processes[1].rfind("host time", 0), 0u);
  EXPECT_EQ(trace.processes[2].rfind("simulated time", 0), 0u);
  for (const char* track : {"runtime", "driver", "application, thread 2", "firmware", "sequencer", "DMA channel 0"})
    EXPECT_FALSE(trace.on(track).empty()) << track;
  EXPECT_EQ(trace.on("runtime")[0]["name"], "execute \"it\"\n");
  auto dma = trace.on("DMA channel 0");
  ASSERT_EQ(dma.size(), 6u);
  EXPECT_EQ(dma[0]["name"], "first layer");
  EXPECT_EQ(dma[1]["name"], "second layer");
  EXPECT_EQ(dma[0]["args"]["command"], "DMA_LOAD");
  EXPECT_EQ(dma[4]["name"], "DMA_LOAD") << "without names, the command";
  ASSERT_EQ(trace.flows.size(), 3u);
  for (const auto& [id, flow] : trace.flows) {
    ASSERT_EQ(flow.size(), 3u) << "runtime, driver, job";
    EXPECT_EQ(flow[0]["ph"], "s");
    EXPECT_EQ(flow[1]["ph"], "t");
    EXPECT_EQ(flow[2]["ph"], "f");
    EXPECT_EQ(flow[2]["pid"], 2);
    EXPECT_LE(flow[0]["ts"], flow[1]["ts"]);
    EXPECT_LE(flow[1]["ts"], flow[2]["ts"]) << "a viewer drops arrows that go back";
  }
  for (const json& slice : trace.slices) {
    EXPECT_GE(slice["ts"], 0);
    EXPECT_GE(slice["dur"], 0);
  }
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    EXPECT_EQ(entry.path().string().rfind(path + ".tmp", 0), std::string::npos) << "left behind: " << entry.path();

  // A file that cannot be replaced: the caller gets the error, and says it.
  std::filesystem::remove(path);
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(avocet_timeline_flush(), -EISDIR);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  rmdir(path.c_str());
  EXPECT_EQ(avocet_close(device), 0);
  avocet_timeline_flush();
  std::filesystem::remove(path);
  // The flush at exit writes it once more; the test's own directory would be cleaner, but the setting is fixed by now.
  static std::string at_exit = path;
  std::atexit([] { unlink(at_exit.c_str()); });
}

}  // namespace
}  // namespace avocet::test
