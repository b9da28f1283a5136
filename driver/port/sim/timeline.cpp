// SPDX-License-Identifier: Apache-2.0
// Recording, and the file: it appears whole or not at all.
#include "timeline.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace avocet::sim {
namespace {

constexpr size_t kSlicesMax = 8'000'000;
constexpr uint32_t kHostTracks = 3;

std::string temporary(const std::string& path) {
  struct stat there;
  // A device or a pipe is written to, never replaced.
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) return path;
  return path + ".tmp" + std::to_string(getpid());
}

int write_all(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t n = ::write(fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    done += static_cast<size_t>(n);
  }
  return 0;
}

int replace_file(const std::string& path, const std::string& text) {
  std::string part = temporary(path);
  int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  int error = write_all(fd, text);
  if (::close(fd) != 0 && !error) error = errno;
  if (part == path) return error;
  if (!error && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
  if (error) ::unlink(part.c_str());
  return error;
}

void complain(const std::string& path, int error) {
  std::fprintf(stderr, "avocet: cannot write the timeline %s: %s\n", path.c_str(), std::strerror(error));
}

}  // namespace

bool Timeline::start(const std::string& path) {
  std::string part = temporary(path);  // find out now, not after an hour of simulation
  int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) {
    complain(path, errno);
    return false;
  }
  ::close(fd);
  if (part != path) ::unlink(part.c_str());
  path_ = path;
  enabled_.store(true, std::memory_order_release);
  return true;
}

void Timeline::set_clock(uint32_t khz) {
  std::lock_guard lock(mutex_);
  recording_.clock_khz = khz;
}

void Timeline::host_slice(avocet_host_track track, const char* name, uint64_t start_ns, uint64_t end_ns,
                          uint64_t flow) {
  if (!enabled() || static_cast<uint32_t>(track) >= kHostTracks) return;
  std::lock_guard lock(mutex_);
  if (recording_.host.size() >= kSlicesMax) {
    recording_.dropped++;
    return;
  }
  auto thread = threads_.try_emplace(std::this_thread::get_id(), static_cast<uint32_t>(threads_.size())).first;
  recording_.host.push_back(
      {track, thread->second, name ? name : "", start_ns, std::max(start_ns, end_ns), flow});
}

void Timeline::device_slice(const avocet_model_slice& slice) {
  std::lock_guard lock(mutex_);
  if (recording_.device.size() >= kSlicesMax)
    recording_.dropped++;
  else
    recording_.device.push_back(slice);
}

void Timeline::name_layers(uint64_t job_id, const char* const* names, size_t count) {
  if (!enabled()) return;
  std::vector<std::string> copy(count);
  for (size_t i = 0; i < count; i++) copy[i] = names[i] ? names[i] : "";
  std::lock_guard lock(mutex_);
  // The jobs of one program share their names.
  if (!last_names_ || *last_names_ != copy)
    last_names_ = std::make_shared<const std::vector<std::string>>(std::move(copy));
  recording_.layers[job_id] = last_names_;
}

int Timeline::flush() {
  if (!enabled()) return 0;
  std::lock_guard lock(mutex_);
  const int error = replace_file(path_, trace_json(recording_));
  caller_knows_ = error != 0;
  return -error;
}

void Timeline::flush_at_exit() {
  if (!enabled() || caller_knows_) return;
  if (int error = flush()) complain(path_, -error);
}

}  // namespace avocet::sim
