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

#include "../accel_model/stream_builder.hpp"
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
      if (phase == "M" && event["name"] == "thread_name") {
        tracks[event["args"]["name"]] = {event["pid"], event["tid"]};
        names[{event["pid"], event["tid"]}] = event["args"]["name"];
      }
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
  std::map<std::pair<int, int>, std::string> names;
  std::vector<json> slices;
  std::map<std::string, std::vector<json>> flows;
};

TEST(Timeline, ShowsAJobOnBothClocks) {
  if (std::getenv("AVOCET_CONFIG")) GTEST_SKIP() << "is about one core";
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

// ---- several cores (AVOCET_CONFIG: four_cores.json), also the application of tools/trace ----

constexpr uint32_t kBytes = 4096;

/// Commands for every unit, `times` over: all channels load, the array, REQUANT and the vector unit work, a channel stores.
std::vector<uint32_t> every_unit(uint32_t times) {
  StreamBuilder stream;
  avocet_cmd_matmul product{};
  product.x_count = 64;
  product.y_count = product.kx_count = product.ky_count = 1;
  product.x_stride = product.channels = 16;
  product.weights = kBytes;
  product.weight_bytes = 256;
  avocet_cmd_requant requant{};
  requant.channels = requant.x_stride = 16;
  requant.x_count = 64;
  requant.y_count = 1;
  requant.parameters = 2 * kBytes;
  requant.ofm = 4 * kBytes;
  requant.clamp_min = -128;
  requant.clamp_max = 127;
  avocet_cmd_add add{};
  add.a = 4 * kBytes;
  add.b = 0;
  add.ofm = 5 * kBytes;
  add.row_bytes = 1024;
  add.y_count = 1;
  add.clamp_max = 127;
  for (uint32_t i = 0; i < times; i++) {
    for (uint32_t channel = 0; channel < 4; channel++) {
      stream.wait_for_all(AVOCET_UNIT_DMA0 + channel);
      avocet_cmd_dma_load load = load_command(0, channel * kBytes, channel * kBytes, kBytes);
      load.channel = channel;
      stream.add(load);
    }
    stream.wait_for_all(AVOCET_UNIT_MAC);
    stream.add(product);
    stream.wait_for_all(AVOCET_UNIT_REQUANT);
    stream.add(requant);
    stream.wait_for_all(AVOCET_UNIT_VECTOR);
    stream.add(add);
    stream.wait_for_all(AVOCET_UNIT_DMA0);
    stream.add(store_command(1, 0, 0, kBytes));
  }
  return stream.finish();
}

struct CoreClient {
  uint32_t context;
  uint8_t* target;
  avocet_accel_job job;
};

/// A context with a job that copies its own bytes, and works.
CoreClient prepare_for_a_core(Client& client, int device, uint8_t seed) {
  CoreClient made{client.context(), nullptr, {}};
  const uint32_t program = client.program(made.context, every_unit(30));
  const avocet_accel_buffer_create from = client.buffer_full(made.context, 4 * kBytes);
  const avocet_accel_buffer_create to = client.buffer_full(made.context, kBytes);
  auto* source = static_cast<uint8_t*>(avocet_mmap(device, from.mmap_offset, 4 * kBytes));
  made.target = static_cast<uint8_t*>(avocet_mmap(device, to.mmap_offset, kBytes));
  for (uint32_t i = 0; i < kBytes; i++) source[i] = static_cast<uint8_t>(i * 3 + seed);
  made.job.program = program;
  made.job.region[0] = {from.handle, AVOCET_ACCEL_REGION_READ, 0, 4 * kBytes};
  made.job.region[1] = {to.handle, AVOCET_ACCEL_REGION_WRITE, 0, kBytes};
  return made;
}

TEST(CoresTimeline, ShowsAllUnitsOfAllCores) {
  if (!std::getenv("AVOCET_CONFIG")) GTEST_SKIP() << "needs a device of several cores";
  const std::string path = std::filesystem::temp_directory_path() / ("avocet_timeline_cores_" + std::to_string(getpid()) + ".json");
  avocet_sim_configure(nullptr, "timed", path.c_str());
  const int device = avocet_open();
  ASSERT_GE(device, 0) << avocet_sim_error();
  Client client([&](unsigned long request, void* argument) { return avocet_ioctl(device, request, argument); });
  std::vector<CoreClient> clients;
  for (uint8_t i = 0; i < 4; i++) clients.push_back(prepare_for_a_core(client, device, i));
  // The device hears of no job before all are in their rings: their doorbells are lost, that of an empty job is not.
  const uint32_t last = client.context(), empty = client.program(last, empty_stream());
  ASSERT_EQ(avocet_sim_set_faults("doorbell-lost:count=all"), 0) << avocet_sim_error();
  std::vector<int64_t> jobs_submitted;
  for (const CoreClient& one : clients) jobs_submitted.push_back(client.submit(one.context, one.job));
  ASSERT_EQ(avocet_sim_set_faults(""), 0);
  ASSERT_GT(client.submit(last, empty), 0);
  for (uint8_t i = 0; i < 4; i++) {
    ASSERT_GT(jobs_submitted[i], 0);
    avocet_accel_wait ended{};
    ASSERT_EQ(client.wait(clients[i].context, static_cast<uint64_t>(jobs_submitted[i]), INT64_MAX, &ended), 0);
    EXPECT_EQ(ended.status, AVOCET_STATUS_OK);
    EXPECT_EQ(clients[i].target[1], 3 + i);
  }
  ASSERT_EQ(avocet_timeline_flush(), 0);

  const Trace trace(path);
  unlink(path.c_str());
  EXPECT_EQ(avocet_close(device), 0);
  std::map<int, std::map<std::string, int>> commands;             // of each core's tracks
  std::map<int, std::pair<uint64_t, uint64_t>> jobs;              // where its longest job begins and ends
  for (const json& slice : trace.slices) {
    const int process = slice["pid"];
    if (process == 1) continue;
    const uint64_t start = slice["args"]["start_cycle"], end = slice["args"]["end_cycle"];
    EXPECT_LE(start, end);
    EXPECT_NEAR(slice["dur"].get<double>() * 1000, static_cast<double>(end - start), 1.001) << "1 GHz, rounded to nanoseconds";
    const std::string track = trace.names.at({process, slice["tid"]});
    ++commands[process][track];
    if (track == "sequencer" && end - start > jobs[process].second - jobs[process].first) jobs[process] = {start, end};
  }
  ASSERT_EQ(commands.size(), 4u) << "one group of tracks for each core";
  for (auto& [process, tracks] : commands) {
    for (const char* unit : {"MAC array", "requantisation", "vector unit"}) EXPECT_EQ(tracks[unit], 30) << process << unit;
    EXPECT_EQ(tracks["DMA channel 0"], 60) << process;
    for (int channel = 1; channel < 4; channel++) EXPECT_EQ(tracks["DMA channel " + std::to_string(channel)], 30) << process;
    EXPECT_EQ(tracks.contains("firmware"), process == 2) << "one for all, shown with core 0";
    for (const auto& [other, job] : jobs) EXPECT_LT(jobs[process].first, job.second) << "all at once";
  }
}

}  // namespace
}  // namespace avocet::test
