// SPDX-License-Identifier: Apache-2.0
#include "event.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "api.hpp"
#include "fence.hpp"
#include "operations/failure.hpp"
#include "result_code.hpp"

namespace avocet::runtime {
namespace {

constexpr std::chrono::milliseconds kSlice(100);

/// A fence that came from the client.
class ForeignFence : public EventState {
 public:
  explicit ForeignFence(int fd) : fd_(fd) {}  // takes it over
  ~ForeignFence() override { close(fd_); }

  std::optional<int> wait(const Deadline& deadline) override { return wait_fence(fd_, deadline); }
  std::optional<int> poll() override { return poll_fence(fd_); }
  Status fence_fd(int* fd) override {
    *fd = fcntl(fd_, F_DUPFD_CLOEXEC, 0);
    if (*fd < 0) return failure(result_from_errno(errno), "dup: ", std::strerror(errno));
    return {};
  }

 private:
  const int fd_;
};

}  // namespace

Completion::~Completion() {
  for (int end : signal_ends_) signal_fence(end, ANEURALNETWORKS_OP_FAILED);  // never completed: never started
}

void Completion::complete(int code) {
  std::vector<int> ends;
  {
    std::lock_guard lock(mutex_);
    code_ = code;
    ends.swap(signal_ends_);
  }
  done_.notify_all();
  for (int end : ends) signal_fence(end, code);
}

std::optional<int> Completion::wait(const Deadline& deadline) {
  std::unique_lock lock(mutex_);
  if (!deadline.set()) {
    done_.wait(lock, [&] { return code_.has_value(); });
    return code_;
  }
  // On the system clock, which may jump, in slices: the deadline itself is on the monotonic one.
  while (!code_ && !deadline.passed()) {
    const auto slice = std::min<std::chrono::nanoseconds>(kSlice, *deadline.left());
    done_.wait_until(lock, std::chrono::system_clock::now() + slice);
  }
  return code_;
}

std::optional<int> Completion::poll() {
  std::lock_guard lock(mutex_);
  return code_;
}

Status Completion::fence_fd(int* fd) {
  *fd = -1;
  if (!fenced_) return bad_data("the event has no sync fence");
  std::lock_guard lock(mutex_);
  int signal_end = -1;
  if (!code_) signal_ends_.reserve(signal_ends_.size() + 1);
  if (!make_fence(fd, &signal_end)) {
    *fd = -1;
    return failure(result_from_errno(errno), "socketpair: ", std::strerror(errno));
  }
  if (code_) {
    signal_fence(signal_end, *code_);
  } else {
    signal_ends_.push_back(signal_end);
  }
  return {};
}

}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int ANeuralNetworksEvent_wait(ANeuralNetworksEvent* event) {
  int code = ANEURALNETWORKS_NO_ERROR;  // what failed was logged where it failed
  const int result = api_call(__func__, [&]() -> Status {
    if (!event) return null_argument("event");
    const std::shared_ptr<EventState> state = Event::of(event)->state;
    code = state->wait(Deadline()).value_or(ANEURALNETWORKS_OP_FAILED);
    return {};
  });
  return result != ANEURALNETWORKS_NO_ERROR ? result : code;
}

AVOCET_API void ANeuralNetworksEvent_free(ANeuralNetworksEvent* event) { delete Event::of(event); }

AVOCET_API int ANeuralNetworksEvent_createFromSyncFenceFd(int sync_fence_fd, ANeuralNetworksEvent** event) {
  return api_call(__func__, [&]() -> Status {
    if (!event) return null_argument("event");
    *event = nullptr;
    if (sync_fence_fd < 0) return bad_data("file descriptor ", sync_fence_fd);
    const int fd = fcntl(sync_fence_fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return bad_data("file descriptor ", sync_fence_fd, ": ", std::strerror(errno));
    std::unique_ptr<Event> made;
    try {
      made = std::make_unique<Event>();
      made->state = std::make_shared<ForeignFence>(fd);
    } catch (...) {
      close(fd);
      throw;
    }
    *event = made.release()->handle();
    return {};
  });
}

AVOCET_API int ANeuralNetworksEvent_getSyncFenceFd(const ANeuralNetworksEvent* event, int* sync_fence_fd) {
  return api_call(__func__, [&]() -> Status {
    if (sync_fence_fd) *sync_fence_fd = -1;
    if (!event) return null_argument("event");
    if (!sync_fence_fd) return null_argument("sync_fence_fd");
    return Event::of(event)->state->fence_fd(sync_fence_fd);
  });
}
