// SPDX-License-Identifier: Apache-2.0
// The status tree as another process sees it, what a child of fork sees, and the administrator's switches. Each device lives in a
// process of its own, so that no test sees another's.
#include <fcntl.h>
#include <signal.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "avocet_device.h"
#include "client.hpp"

namespace avocet::test {
namespace {

class StatusSocket : public testing::Test {
 protected:
  StatusSocket() {
    char name[] = "/tmp/avocet_status_XXXXXX";
    directory = mkdtemp(name);
    setenv("AVOCET_STATUS", directory.c_str(), 1);
  }
  ~StatusSocket() override {
    unsetenv("AVOCET_STATUS");
    std::filesystem::remove_all(directory);
  }
  /// A process that opens a device and keeps it until it is told to end.
  struct Process {
    Process() {
      EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
      EXPECT_EQ(pipe2(quit, O_CLOEXEC), 0);
      number = fork();
      if (number == 0) {
        close(quit[1]);
        bool open = avocet_open() >= 0;
        if (write(ready[1], open ? "y" : "n", 1) != 1) _exit(3);
        char byte;
        (void)!read(quit[0], &byte, 1);
        std::exit(open ? 0 : 2);
      }
      close(quit[0]);
      char byte = 'n';
      EXPECT_EQ(read(ready[0], &byte, 1), 1);
      EXPECT_EQ(byte, 'y');
    }
    void end() {
      close(quit[1]);
      int status = -1;
      EXPECT_EQ(waitpid(number, &status, 0), number);
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    pid_t number;
    int ready[2], quit[2];
  };
  std::string read_of(int process, const char* path) {
    char text[4096];
    int length = avocet_sim_status_of(process, path, text, sizeof text);
    return length >= 0 ? text : "error " + std::to_string(length);
  }
  std::string directory;
};

TEST_F(StatusSocket, AnotherProcessReadsTheTree) {
  Process device;
  int found[4];
  ASSERT_EQ(avocet_sim_status_processes(found, 4), 1u);
  EXPECT_EQ(found[0], device.number);
  EXPECT_EQ(read_of(device.number, "state"), "running\n");
  EXPECT_EQ(read_of(device.number, "clients/1/process"), std::to_string(device.number) + "\n");
  EXPECT_EQ(read_of(device.number, "nowhere"), "error " + std::to_string(-ENOENT));
  EXPECT_EQ(read_of(device.number, std::string(5000, 'x').c_str()), "error " + std::to_string(-ENOENT));
  struct stat status{};
  EXPECT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u) << "the user's own";
  device.end();
  EXPECT_EQ(avocet_sim_status_processes(found, 4), 0u) << "a process that ends takes its socket along";
  EXPECT_EQ(read_of(device.number, "state"), "error " + std::to_string(-ENODEV));
}

TEST_F(StatusSocket, SocketsOfDeadProcessesAreRemoved) {
  Process device;
  kill(device.number, SIGKILL);
  int status;
  waitpid(device.number, &status, 0);
  EXPECT_FALSE(std::filesystem::is_empty(directory));
  EXPECT_EQ(avocet_sim_status_processes(nullptr, 0), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(StatusSocket, AClientThatSaysNothingDoesNotStopTheOthers) {
  Process device;
  int silent = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "%s/%d", directory.c_str(), device.number);
  ASSERT_EQ(connect(silent, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(read_of(device.number, "state"), "running\n");
  close(silent);
  device.end();
}

TEST_F(StatusSocket, WithoutADeviceThereIsNoStatus) {
  char text[64];
  EXPECT_EQ(avocet_sim_status("state", text, sizeof text), -ENODEV);
  EXPECT_EQ(avocet_sim_suspend(), -ENODEV);
  EXPECT_EQ(avocet_sim_reset(), -ENODEV);
  setenv("AVOCET_STATUS", "off", 1);
  EXPECT_EQ(avocet_sim_status_processes(nullptr, 0), 0u);
}

/// What follows opens the device in a child, too: this process must stay without one.
void in_child(void (*body)()) {
  pid_t child = fork();
  if (child == 0) {
    body();
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

struct OpenDevice {
  OpenDevice()
      : device(avocet_open()),
        client([this](unsigned long request, void* argument) { return avocet_ioctl(device, request, argument); }),
        context(client.context()) {
    program = client.program(context, empty_stream());
  }
  int64_t run() { return client.status_of(context, client.submit(context, program)); }
  int device;
  Client client;
  uint32_t context, program = 0;
};

std::string here(const char* path) {
  char text[256] = "";
  EXPECT_GE(avocet_sim_status(path, text, sizeof text), 0);
  return text;
}

TEST_F(StatusSocket, SuspendAndResetByTheAdministrator) {
  in_child([] {
    OpenDevice d;
    EXPECT_EQ(d.run(), AVOCET_STATUS_OK);
    EXPECT_EQ(avocet_sim_suspend(), 0);
    EXPECT_EQ(here("power/state"), "suspended\n");
    EXPECT_EQ(d.run(), AVOCET_STATUS_OK);
    EXPECT_EQ(here("power/state"), "active\n");
    EXPECT_EQ(avocet_sim_reset(), 0);
    EXPECT_EQ(here("reset/cause"), "requested\n");
    EXPECT_EQ(d.run(), AVOCET_STATUS_OK) << "the context survives";
  });
}

TEST_F(StatusSocket, AChildOfForkHasDescriptorsButNoDevice) {
  in_child([] {
    OpenDevice d;
    avocet_accel_job job{};
    job.program = d.program;
    job.flags = AVOCET_ACCEL_JOB_OUT_FENCE;
    std::vector<avocet_accel_job> jobs{job};
    ASSERT_EQ(d.client.submit(d.context, jobs), 0);
    uint32_t buffer = d.client.buffer(d.context, 4096);
    int exported = d.client.export_buffer(buffer), waiting = d.client.reset_fence(0);
    auto* memory = static_cast<uint8_t*>(avocet_mmap(d.device, d.client.info(buffer).mmap_offset, 4096));
    memory[0] = 1;
    pid_t child = fork();
    if (child == 0) {
      bool good = d.client.ioctl(AVOCET_ACCEL_SUBMIT, &job) == -ENODEV && avocet_open() == -ENODEV;
      pollfd fence{jobs[0].out_fence, POLLIN, 0};
      good = good && poll(&fence, 1, 60000) == 1 && (fence.revents & POLLIN);
      memory[0] = 2;  // a mapping stays shared with the parent, as device memory does
      good = good && avocet_munmap(memory, 4096) == 0 && avocet_close(d.device) == 0;
      close(exported);
      close(waiting);
      _exit(good ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(memory[0], 2);
    EXPECT_EQ(d.run(), AVOCET_STATUS_OK) << "the parent goes on";
    avocet_accel_buffer_import import;
    EXPECT_EQ(d.client.import_buffer(d.context, exported, &import), 0) << "and still has its descriptors";
  });
}

TEST_F(StatusSocket, FencesOfAParentThatDiesSignalInTheChild) {
  int fences[2];
  ASSERT_EQ(pipe(fences), 0);
  pid_t parent = fork();
  if (parent == 0) {
    OpenDevice d;
    int waiting = d.client.reset_fence(0);
    if (fork() == 0) {
      pollfd fence{waiting, POLLIN, 0};
      int woken = poll(&fence, 1, 60000);
      (void)!write(fences[1], woken == 1 ? "y" : "n", 1);
      _exit(0);
    }
    _exit(0);
  }
  close(fences[1]);
  int status;
  EXPECT_EQ(waitpid(parent, &status, 0), parent);
  char answer = 'n';
  EXPECT_EQ(read(fences[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  close(fences[0]);
}

}  // namespace
}  // namespace avocet::test
