// SPDX-License-Identifier: Apache-2.0
// A sweep that is interrupted, killed, robbed of a worker or of room on the disk, and goes on: no point is lost, none is there twice.
// Points are held in their middle by a pipe that nobody reads, into which the device writes its accesses, so nothing depends on
// the machine's speed.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "command_runner.hpp"

namespace avocet::tools::test {
namespace {

using nlohmann::json;

constexpr int kPipeBytes = 4096;  // a point writes more than this and its own buffer

/// The read end of the pipe; without it the command would wait for a reader.
class Gate {
 public:
  explicit Gate(const std::string& path) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    pipe_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_GE(fcntl(pipe_, F_SETPIPE_SZ, kPipeBytes), 0);
  }
  ~Gate() { close(pipe_); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// A point has filled the pipe: it is in its middle, and stays there.
  bool is_shut() const {
    int bytes = 0;
    return ioctl(pipe_, FIONREAD, &bytes) == 0 && bytes == kPipeBytes;
  }
  void let_some_through() {
    char buffer[kPipeBytes];
    if (read(pipe_, buffer, sizeof buffer) <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  /// Whether every process that could write is gone.
  bool is_deserted() {
    pollfd state{pipe_, POLLIN, 0};
    return poll(&state, 1, 1) == 1 && (state.revents & POLLHUP) && !(state.revents & POLLIN);
  }

 private:
  int pipe_ = -1;
};

/// The child processes of a process that have not ended.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = slurp(entry.path() / "stat");
    char state = 0;
    int of = 0;
    const size_t behind_name = stat.rfind(')');
    if (behind_name == std::string::npos || std::sscanf(stat.c_str() + behind_name + 1, " %c %d", &state, &of) != 2) continue;
    if (of == parent && state != 'Z') children.push_back(std::stoi(name));
  }
  return children;
}

class SweepInterruption : public CommandTest {
 protected:
  void SetUp() override {
    write("small.json", R"({"name":"small","inputs":[{"name":"in","shape":[1,64,64,16]}],"layers":[{"op":"conv2d","filters":16,"kernel":3}]})");
    write("base.json", R"({"sram":{"kib":8}})");
    write("sweep.json", R"({"workloads":["small.json"],"base":"base.json",
                           "grid":{"array.rows":[8,16],"dram.bytes_per_cycle":[4,8,16,32,64]}})");
  }

  /// A sweep in a process group of its own, as a shell starts it, whose points are held at the gate.
  pid_t start(const std::string& arguments) {
    const pid_t process = fork();
    if (process == 0) {
      setpgid(0, 0);
      const std::string line = "cd " + folder_.path() + " && trap '' XFSZ && exec env AVOCET_MEMORY_TRACE=gate " AVOCET_COMMAND
                               " sweep sweep.json -o out " + arguments + " >stdout 2>stderr";
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    return process;
  }
  /// False: the command ended instead.
  bool wait_until_held(const Gate& gate, pid_t process) {
    while (!gate.is_shut()) {
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  /// Lets all points through, and returns what waitpid says.
  static int finish(Gate& gate, pid_t process) {
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) gate.let_some_through();
    return status;
  }

  std::vector<std::string> lines(const std::string& name) const {
    std::istringstream stream(read(name));
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }
  /// Each of the ten points is in both files once, with the cycles of a sweep that nothing disturbed.
  void expect_complete() {
    ASSERT_EQ(avocet("sweep sweep.json -o whole").status, 0);
    std::map<std::string, json> expected;
    for (const std::string& line : lines("whole.jsonl")) expected[json::parse(line)["identity"]] = json::parse(line)["cycles"];
    EXPECT_EQ(expected.size(), 10u);
    std::map<std::string, json> found;
    std::map<std::string, int> rows;
    for (const std::string& line : lines("out.jsonl")) {
      const json point = json::parse(line);
      EXPECT_TRUE(found.emplace(point["identity"], point["cycles"]).second) << "twice: " << line;
      const json& set = point["settings"];
      ++rows["small.json," + set["array.rows"].dump() + "," + set["dram.bytes_per_cycle"].dump() + "," + point["cycles"].dump()];
    }
    EXPECT_EQ(found, expected);
    const std::vector<std::string> table = lines("out.csv");
    ASSERT_EQ(table.size(), 11u);
    for (size_t i = 1; i < table.size(); ++i) {
      size_t end = 0;
      for (int column = 0; column < 4; ++column) end = table[i].find(',', end + 1);
      EXPECT_EQ(--rows[table[i].substr(0, end)], 0) << table[i];
    }
  }
  void expect_resumed(size_t before) {
    const CommandResult result = avocet("sweep sweep.json -o out -j 2 --resume");
    EXPECT_EQ(result.status, 0) << result.error;
    const std::string tally = std::to_string(before) + " done before, " + std::to_string(10 - before) + " now, 0 failed";
    EXPECT_NE(result.out.find("10 points: " + tally), std::string::npos) << result.out;
    expect_complete();
  }
};

// To the whole group, as a terminal does it: what runs is finished, nothing else is begun.
TEST_F(SweepInterruption, PointsThatRunAreFinished) {
  for (const int number : {SIGINT, SIGTERM}) {
    for (const char* file : {"gate", "out.jsonl", "out.csv", "whole.jsonl", "whole.csv"}) unlink(path(file).c_str());
    Gate gate(path("gate"));
    const pid_t process = start("-j 2");
    ASSERT_TRUE(wait_until_held(gate, process)) << read("stderr");
    while (children_of(process).size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(lines("out.jsonl").size(), 0u);
    ASSERT_EQ(kill(-process, number), 0);
    const int status = finish(gate, process);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + number);
    const size_t done = lines("out.jsonl").size();
    EXPECT_GE(done, 1u);
    EXPECT_LE(done, 2u) << "one for each process";
    EXPECT_EQ(lines("out.csv").size(), 1 + done);
    const std::string left = std::to_string(10 - done);
    EXPECT_NE(read("stderr").find("avocet: interrupted: " + left + " points are left (--resume goes on)\n"), std::string::npos)
        << read("stderr");
    expect_resumed(done);
  }
}

TEST_F(SweepInterruption, TheCommandIsKilled) {
  Gate gate(path("gate"));
  const pid_t process = start("-j 2");
  while (lines("out.jsonl").size() < 3) {
    ASSERT_EQ(waitpid(process, nullptr, WNOHANG), 0) << read("stderr");
    gate.let_some_through();
  }
  ASSERT_TRUE(wait_until_held(gate, process));
  ASSERT_EQ(kill(process, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  while (!gate.is_deserted()) gate.let_some_through();  // its workers die with it
  const std::string results = read("out.jsonl"), table = read("out.csv");
  const size_t done = lines("out.jsonl").size();
  EXPECT_GE(done, 3u);
  EXPECT_LE(done, 7u) << "those that went through, and two for each process that was held";
  EXPECT_EQ(results.back(), '\n');
  // Had it been killed within a write, or between the two files:
  write("out.jsonl", results + results.substr(0, results.find('\n') / 2));
  write("out.csv", table.substr(0, table.rfind('\n', table.size() - 2) + 5));
  expect_resumed(done);
}

TEST_F(SweepInterruption, AWorkerIsKilled) {
  Gate gate(path("gate"));
  const pid_t process = start("-j 1");
  ASSERT_TRUE(wait_until_held(gate, process)) << read("stderr");
  const std::vector<pid_t> workers = children_of(process);
  ASSERT_EQ(workers.size(), 1u);
  ASSERT_EQ(kill(workers[0], SIGKILL), 0);
  const int status = finish(gate, process);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(read("stdout").find("10 points: 0 done before, 9 now, 1 failed"), std::string::npos) << read("stdout");
  EXPECT_NE(read("stderr").find("avocet: small.json array.rows=8 dram.bytes_per_cycle=4: crashed: signal 9 (Killed)\n"),
            std::string::npos)
      << read("stderr");
  EXPECT_EQ(lines("out.jsonl").size(), 10u);
  EXPECT_NE(read("out.csv").find("small.json,8,4,,,,,,,,,,,,crashed: signal 9 (Killed)\n"), std::string::npos) << read("out.csv");
  unlink(path("gate").c_str());
  expect_resumed(9);
}

TEST_F(SweepInterruption, TheDiskIsFull) {
  Gate gate(path("gate"));
  const pid_t process = start("-j 1");
  while (lines("out.csv").size() < 2) {
    ASSERT_EQ(waitpid(process, nullptr, WNOHANG), 0) << read("stderr");
    gate.let_some_through();
  }
  ASSERT_TRUE(wait_until_held(gate, process));
  const size_t done = lines("out.jsonl").size();
  const rlimit room{read("out.jsonl").size() + 100, RLIM_INFINITY};
  ASSERT_EQ(prlimit(process, RLIMIT_FSIZE, &room, nullptr), 0);
  const int status = finish(gate, process);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(read("stderr").find("avocet: out.jsonl: File too large\n"), std::string::npos) << read("stderr");
  EXPECT_EQ(read("out.jsonl").size(), room.rlim_cur) << "the line is torn";
  unlink(path("gate").c_str());
  expect_resumed(done);
}

}  // namespace
}  // namespace avocet::tools::test
