// SPDX-License-Identifier: Apache-2.0
// Jobs are handed out through one counter in shared memory, so a slow job holds up only its own process. Each process
// has a pipe for its results: a frame is the job's number, the length and the bytes.
#include "report/worker_pool.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <vector>

namespace avocet::tools {
namespace {

constexpr uint64_t kIdle = ~uint64_t{0};
constexpr unsigned kMaxWorkers = 64;

struct SharedState {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> running[kMaxWorkers];  // job of each worker, or kIdle
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

struct Frame {
  uint64_t job;
  uint64_t bytes;
};

struct Worker {
  pid_t pid = -1;
  int pipe = -1;
  std::string received;
};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void write_all(int fd, const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(fd, at, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(3);  // the parent is gone
    at += written;
    bytes -= static_cast<size_t>(written);
  }
}

bool stopping(const WorkerPoolOptions& options) { return options.stop && *options.stop; }

[[noreturn]] void worker_main(SharedState& shared, unsigned slot, size_t count, const WorkerPoolOptions& options, int pipe,
                              const std::function<std::string(size_t)>& work) {
  do {
    const uint64_t job = shared.next.fetch_add(1);
    if (job >= count) break;
    shared.running[slot] = job;
    alarm(options.seconds_per_job);  // SIGALRM ends the process
    const std::string result = work(job);
    alarm(0);
    const Frame frame{job, result.size()};
    std::string message(reinterpret_cast<const char*>(&frame), sizeof frame);
    message += result;
    write_all(pipe, message.data(), message.size());
    shared.running[slot] = kIdle;
  } while (!options.process_per_job && !stopping(options));
  _exit(0);
}

Worker start_worker(SharedState& shared, unsigned slot, size_t count, const WorkerPoolOptions& options,
                    const std::function<std::string(size_t)>& work) {
  int ends[2];
  if (pipe(ends) != 0) fail("pipe");
  std::fflush(nullptr);  // else the child would print what is still buffered here
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    close(ends[0]);
    if (options.stop) {
      signal(SIGINT, SIG_IGN);
      signal(SIGTERM, SIG_IGN);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(3);  // it was gone before that
    }
    worker_main(shared, slot, count, options, ends[1], work);
  }
  close(ends[1]);
  return {.pid = pid, .pipe = ends[0], .received = {}};
}

/// Hands every complete frame on; keeps the rest.
void take_frames(Worker& worker, std::vector<bool>& told, const std::function<void(size_t, const std::string&)>& done) {
  Frame frame;
  while (worker.received.size() >= sizeof frame) {
    std::memcpy(&frame, worker.received.data(), sizeof frame);
    if (worker.received.size() - sizeof frame < frame.bytes) break;
    done(frame.job, worker.received.substr(sizeof frame, frame.bytes));
    worker.received.erase(0, sizeof frame + frame.bytes);
    told[frame.job] = true;
  }
}

std::string describe_death(int status, unsigned seconds) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    return "no result within " + std::to_string(seconds) + " s";
  }
  if (WIFSIGNALED(status)) {
    return std::string("crashed: signal ") + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  }
  return "the process ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

void run_in_worker_processes(size_t count, const WorkerPoolOptions& options,
                             const std::function<std::string(size_t)>& work,
                             const std::function<void(size_t, const std::string&)>& done,
                             const std::function<void(size_t, const std::string&)>& crashed) {
  void* mapping = mmap(nullptr, sizeof(SharedState), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) fail("mmap");
  auto& shared = *new (mapping) SharedState;
  for (auto& job : shared.running) job = kIdle;
  std::vector<Worker> workers(std::min<size_t>({options.workers, kMaxWorkers, std::max<size_t>(count, 1)}));
  std::vector<bool> told(count);
  const auto start = [&](unsigned slot) {
    workers[slot] = start_worker(shared, slot, count, options, work);
  };
  for (unsigned slot = 0; slot < workers.size(); ++slot) start(slot);

  for (size_t live = workers.size(); live > 0;) {
    std::vector<pollfd> waiting;
    std::vector<unsigned> slots;
    for (unsigned slot = 0; slot < workers.size(); ++slot) {
      if (workers[slot].pid < 0) continue;
      waiting.push_back({.fd = workers[slot].pipe, .events = POLLIN, .revents = 0});
      slots.push_back(slot);
    }
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) fail("poll");
    for (size_t i = 0; i < waiting.size(); ++i) {
      if (!waiting[i].revents) continue;
      const unsigned slot = slots[i];
      Worker& worker = workers[slot];
      char buffer[65536];
      const ssize_t got = read(worker.pipe, buffer, sizeof buffer);
      if (got > 0) {
        worker.received.append(buffer, static_cast<size_t>(got));
        take_frames(worker, told, done);
        continue;
      }
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      int status = 0;  // end of file: the process is gone
      waitpid(worker.pid, &status, 0);
      close(worker.pipe);
      worker.pid = -1;
      --live;
      const uint64_t job = shared.running[slot].exchange(kIdle);
      if (job != kIdle && !told[job]) {
        told[job] = true;
        crashed(job, describe_death(status, options.seconds_per_job));
      }
      const bool clean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      if ((!clean || options.process_per_job) && shared.next.load() < count && !stopping(options)) {
        start(slot);
        ++live;
      }
    }
  }
  // Taken by a process that died before it could say so.
  for (size_t job = 0; job < std::min<size_t>(shared.next, count); ++job)
    if (!told[job]) crashed(job, "the process died before the job began");
  munmap(mapping, sizeof(SharedState));
}

}  // namespace avocet::tools
