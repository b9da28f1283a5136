// SPDX-License-Identifier: Apache-2.0
// The status tree: its files say what the requests say, every one can be read, and paths that are none are refused.
#include <set>
#include <sstream>

#include "fixture.hpp"

extern "C" {
#include "status.h"
}

namespace avocet::test {
namespace {

class Status : public DriverTest {
 protected:
  Status() : DriverTest(quick_parameters()) {
    context = client->context();
    program = client->program(context, empty_stream());
  }
  int status(const std::string& path, std::string* text) {
    std::vector<char> data(1 << 16);
    int length = avocet_status_read(fake.device, path.c_str(), data.data(), data.size());
    if (length >= 0) text->assign(data.data(), static_cast<size_t>(length));
    return length;
  }
  std::string read(const std::string& path) {
    std::string text;
    EXPECT_GE(status(path, &text), 0) << path;
    return text;
  }
  void walk(const std::string& directory, std::set<std::string>* files) {
    std::istringstream entries(read(directory));
    for (std::string entry; std::getline(entries, entry);) {
      std::string path = directory.empty() ? entry : directory + "/" + entry;
      if (entry.back() == '/')
        walk(path.substr(0, path.size() - 1), files);
      else
        EXPECT_TRUE(files->insert(path).second) << path << " twice";
    }
  }
  uint32_t context, program;
};

TEST_F(Status, EveryFileOfTheTreeCanBeRead) {
  CoreClient second(fake.device);
  second.context();
  std::set<std::string> files;
  walk("", &files);
  for (const auto& path : files) {
    std::string text = read(path);
    EXPECT_FALSE(text.empty()) << path;
    EXPECT_EQ(text.back(), '\n') << path;
  }
  for (const char* path : {"utilisation", "clock_khz", "counters/jobs_failed", "reset/count", "firmware/log", "rings/completion",
                           "clients/1/memory", "clients/2/process", "contexts/1/queues/high", "contexts/2/faulted"})
    EXPECT_TRUE(files.count(path)) << path;
}

TEST_F(Status, FilesSayWhatTheRequestsSay) {
  for (int i = 0; i < 3; i++) ASSERT_EQ(client->status_of(context, client->submit(context, program)), AVOCET_STATUS_OK);
  client->buffer(context, 8192);
  EXPECT_EQ(read("counters/jobs_completed"), "3\n");
  EXPECT_EQ(read("contexts/1/jobs_completed"), "3\n");
  EXPECT_EQ(read("contexts/1/queues/medium"), "head 3 tail 3 unfinished 0\n");
  EXPECT_EQ(read("contexts/1/queues/low"), "unused\n");
  EXPECT_EQ(read("clients/1/memory"), "12288\n");
  EXPECT_EQ(read("clients/1/buffers"), "1\n");
  EXPECT_EQ(read("clients/1/process"), std::to_string(getpid()) + "\n");
  EXPECT_EQ(read("memory/used"), "12288\n");
  EXPECT_EQ(read("clock_khz"), "1000000\n");
  EXPECT_EQ(read("state"), "running\n");
  EXPECT_EQ(read("firmware/state"), "ready\n");
  EXPECT_NE(read("firmware/log").find("firmware ready"), std::string::npos);
}

TEST_F(Status, AResetShows) {
  EXPECT_EQ(read("reset/cause"), "none\n");
  EXPECT_EQ(avocet_reset_device(fake.device, 0, AVOCET_ACCEL_RESET_REQUESTED, "the test wants it"), 0);
  EXPECT_EQ(read("reset/cause"), "requested\n");
  EXPECT_EQ(read("reset/count"), "1\n");
}

TEST_F(Status, HeldJobsShow) {
  fake.on_job(Ending{.hold = true});
  client->submit(context, program);
  client->submit(context, program);
  while (!fake.holds_a_job()) std::this_thread::yield();
  EXPECT_EQ(read("contexts/1/queues/medium").substr(7), "tail 2 unfinished 2\n");
  EXPECT_EQ(read("unfinished_jobs"), "2\n");
}

TEST_F(Status, UnknownPaths) {
  std::string text;
  for (const char* path : {"x", "utilisatio", "utilisation2", "utilisation/", "counter", "counters/", "clients/0", "clients/9", "clients/x",
                           "clients/#", "clients/9/memory", "clients/99999999999999999999/memory", "contexts/63/faulted",
                           "contexts/64/faulted", "contexts/1/queues/", "/", "//", "..", "clients/-1/memory"})
    EXPECT_EQ(status(path, &text), -ENOENT) << path;
}

TEST_F(Status, ASmallBufferGetsTheBeginning) {
  char text[8] = "";
  EXPECT_EQ(avocet_status_read(fake.device, "firmware/log", text, sizeof text), 7);
  EXPECT_EQ(strlen(text), 7u);
  EXPECT_EQ(avocet_status_read(fake.device, "state", text, 0), -EINVAL);
}

TEST_F(Status, ADeviceThatIsGoneStillTells) {
  avocet_device_lost(fake.device);
  EXPECT_EQ(read("state"), "gone\n");
  EXPECT_EQ(read("reset/cause"), "removed\n");
}

}  // namespace
}  // namespace avocet::test
