// SPDX-License-Identifier: Apache-2.0
// Descriptors of the process.
#include "kmd_test/descriptor.hpp"

#include <dirent.h>
#include <poll.h>
#include <unistd.h>

#include <ctime>

namespace avocet::kmd {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

bool Descriptor::readable(int64_t ms) const {
  pollfd waiting{fd_, POLLIN, 0};
  return poll(&waiting, 1, static_cast<int>(ms)) == 1 && (waiting.revents & POLLIN) != 0;
}

int fence_status(const Client& client, int fence) {
  avocet_accel_fence_info info{};
  info.fd = fence;
  expect_ok(client.ioctl(AVOCET_ACCEL_FENCE_INFO, &info), "FENCE_INFO");
  return info.status;
}

int export_buffer(const Client& client, uint32_t handle) {
  avocet_accel_buffer_export request{};
  request.handle = handle;
  expect_ok(client.ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &request), "BUFFER_EXPORT");
  return request.fd;
}

int64_t settled_descriptors(const Client& client) {
  avocet_accel_memory memory{};
  avocet_accel_query query{AVOCET_ACCEL_QUERY_MEMORY, sizeof memory, reinterpret_cast<uint64_t>(&memory)};
  // The query makes the driver look, but the watchdog may still be closing what it found itself a moment before.
  int64_t before = -1, count = 0;
  for (int round = 0, same = 0; round < 200 && same < 5; round++, before = count) {
    expect_ok(client.ioctl(AVOCET_ACCEL_QUERY, &query), "QUERY of the memory");
    count = open_descriptors();
    same = count == before ? same + 1 : 0;
    timespec pause{0, 10000000};
    nanosleep(&pause, nullptr);
  }
  return count;
}

int64_t open_descriptors() {
  int64_t count = 0;
  DIR* directory = opendir("/proc/self/fd");
  expect(directory != nullptr, "/proc/self/fd");
  while (readdir(directory)) count++;
  closedir(directory);
  return count;
}

}  // namespace avocet::kmd
