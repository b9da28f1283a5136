// SPDX-License-Identifier: Apache-2.0
#include "fence.hpp"

#include <android/NeuralNetworks.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace avocet::runtime {
namespace {

constexpr uint32_t kMagic = 0x4e464156;  // "AVFN"

struct Message {
  uint32_t magic = kMagic;
  int32_t code = 0;
};

/// The result of a descriptor that poll() reported.
int result_of(int fence, short events) {
  if (events & (POLLERR | POLLNVAL)) return ANEURALNETWORKS_OP_FAILED;
  Message message;
  const ssize_t n = recv(fence, &message, sizeof message, MSG_PEEK | MSG_DONTWAIT);
  if (n == sizeof message && message.magic == kMagic) return message.code;
  sync_file_info info{};
  if (ioctl(fence, SYNC_IOC_FILE_INFO, &info) == 0) {
    return info.status < 0 ? int{ANEURALNETWORKS_OP_FAILED} : int{ANEURALNETWORKS_NO_ERROR};
  }
  // Hung up without a word: whoever was to signal it is gone.
  return events & POLLIN && n != 0 ? int{ANEURALNETWORKS_NO_ERROR} : int{ANEURALNETWORKS_OP_FAILED};
}

std::optional<int> poll_with(int fence, const timespec* timeout) {
  pollfd entry{fence, POLLIN, 0};
  const int n = ppoll(&entry, 1, timeout, nullptr);
  if (n > 0) return result_of(fence, entry.revents);
  if (n < 0 && errno != EINTR) return ANEURALNETWORKS_OP_FAILED;
  return std::nullopt;
}

}  // namespace

bool make_fence(int* fence, int* signal_end) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  *fence = ends[0];
  *signal_end = ends[1];
  return true;
}

void signal_fence(int signal_end, int code) {
  Message message;
  message.code = code;
  // The first message into an empty buffer cannot block; nobody may be left to read it.
  ssize_t sent;
  do {
    sent = send(signal_end, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  close(signal_end);
}

std::optional<int> wait_fence(int fence, const Deadline& deadline) {
  for (;;) {
    const std::optional<std::chrono::nanoseconds> left = deadline.left();
    timespec timeout{};
    if (left) {
      timeout.tv_sec = static_cast<time_t>(left->count() / 1'000'000'000);
      timeout.tv_nsec = static_cast<long>(left->count() % 1'000'000'000);
    }
    if (const std::optional<int> code = poll_with(fence, left ? &timeout : nullptr)) return code;
    if (deadline.passed()) return std::nullopt;
  }
}

std::optional<int> poll_fence(int fence) {
  const timespec now{};
  return poll_with(fence, &now);
}

}  // namespace avocet::runtime
