// SPDX-License-Identifier: Apache-2.0
// A user of the uAPI for tests: one open file, shorthand for its requests, and command streams that are legal and small.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

#include "avocet_isa.h"
#include "kmd_test/streams.hpp"
#include "uapi/avocet_accel.h"

namespace avocet::test {

inline int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}
inline int64_t in_ms(int64_t ms) { return now_ns() + ms * 1000000; }

using kmd::append;
using kmd::copy_job;
using kmd::copy_stream;
using kmd::empty_stream;
using kmd::load_command;
using kmd::store_command;

class Client {
 public:
  using Ioctl = std::function<int(unsigned long, void*)>;
  explicit Client(Ioctl ioctl) : ioctl_(std::move(ioctl)) {}
  virtual ~Client() = default;

  int ioctl(unsigned long request, void* argument) { return ioctl_(request, argument); }

  uint32_t context() {
    avocet_accel_context_create a{};
    EXPECT_EQ(ioctl(AVOCET_ACCEL_CONTEXT_CREATE, &a), 0);
    return a.context;
  }
  int destroy(uint32_t context) {
    avocet_accel_context_destroy a{context, 0};
    return ioctl(AVOCET_ACCEL_CONTEXT_DESTROY, &a);
  }
  avocet_accel_buffer_create buffer_full(uint32_t context, uint64_t bytes, uint32_t flags = 0) {
    avocet_accel_buffer_create a{};
    a.context = context;
    a.bytes = bytes;
    a.flags = flags;
    EXPECT_EQ(ioctl(AVOCET_ACCEL_BUFFER_CREATE, &a), 0);
    return a;
  }
  uint32_t buffer(uint32_t context, uint64_t bytes, uint32_t flags = 0) {
    return buffer_full(context, bytes, flags).handle;
  }
  int close_buffer(uint32_t handle) {
    avocet_accel_buffer_close a{handle, 0};
    return ioctl(AVOCET_ACCEL_BUFFER_CLOSE, &a);
  }
  avocet_accel_buffer_info info(uint32_t handle) {
    avocet_accel_buffer_info a{};
    a.handle = handle;
    EXPECT_EQ(ioctl(AVOCET_ACCEL_BUFFER_INFO, &a), 0);
    return a;
  }
  avocet_accel_program_create program_arguments(uint32_t context, const std::vector<uint32_t>& words) {
    avocet_accel_program_create a{};
    a.context = context;
    a.stream = reinterpret_cast<uint64_t>(words.data());
    a.bytes = words.size() * 4;
    return a;
  }
  uint32_t program(uint32_t context, const std::vector<uint32_t>& words) {
    auto a = program_arguments(context, words);
    EXPECT_EQ(ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &a), 0) << "status " << a.status << " at word " << a.position;
    return a.handle;
  }
  int close_program(uint32_t handle) {
    avocet_accel_program_close a{handle, 0};
    return ioctl(AVOCET_ACCEL_PROGRAM_CLOSE, &a);
  }
  int submit(uint32_t context, std::vector<avocet_accel_job>& jobs) {
    avocet_accel_submit a{};
    a.context = context;
    a.job_count = static_cast<uint32_t>(jobs.size());
    a.job_struct_size = sizeof(avocet_accel_job);
    a.jobs = reinterpret_cast<uint64_t>(jobs.data());
    return ioctl(AVOCET_ACCEL_SUBMIT, &a);
  }
  /// One job; its id, or -errno.
  int64_t submit(uint32_t context, const avocet_accel_job& job) {
    std::vector<avocet_accel_job> jobs{job};
    int error = submit(context, jobs);
    return error ? error : static_cast<int64_t>(jobs[0].job_id);
  }
  int64_t submit(uint32_t context, uint32_t program) {
    avocet_accel_job job{};
    job.program = program;
    return submit(context, job);
  }
  int wait(uint32_t context, uint64_t job, int64_t timeout_ns, avocet_accel_wait* out = nullptr) {
    avocet_accel_wait a{};
    a.context = context;
    a.job_id = job;
    a.timeout_ns = timeout_ns;
    int error = ioctl(AVOCET_ACCEL_WAIT, &a);
    if (out) *out = a;
    return error;
  }
  /// Waits for it and returns the status, or a negative errno. (The test's own timeout is the bound.)
  int64_t status_of(uint32_t context, uint64_t job) {
    avocet_accel_wait a{};
    int error = wait(context, job, INT64_MAX, &a);
    return error ? error : static_cast<int64_t>(a.status);
  }
  bool ended(uint32_t context, uint64_t job) { return wait(context, job, 0) != -ETIMEDOUT; }
  int wait_buffer(uint32_t handle, uint32_t flags, int64_t timeout_ns) {
    avocet_accel_buffer_wait a{handle, flags, timeout_ns};
    return ioctl(AVOCET_ACCEL_BUFFER_WAIT, &a);
  }
  /// A descriptor, or -errno.
  int export_buffer(uint32_t handle) {
    avocet_accel_buffer_export a{};
    a.handle = handle;
    int error = ioctl(AVOCET_ACCEL_BUFFER_EXPORT, &a);
    return error ? error : a.fd;
  }
  int import_buffer(uint32_t context, int fd, avocet_accel_buffer_import* out, uint32_t flags = 0) {
    *out = {};
    out->context = context;
    out->flags = flags;
    out->fd = fd;
    return ioctl(AVOCET_ACCEL_BUFFER_IMPORT, out);
  }
  /// Of an answered FENCE_INFO; INT32_MIN when it was refused.
  int32_t fence_status(int fd) {
    avocet_accel_fence_info a{};
    a.fd = fd;
    return ioctl(AVOCET_ACCEL_FENCE_INFO, &a) == 0 ? a.status : INT32_MIN;
  }
  int reset_fence(uint32_t generation) {
    avocet_accel_reset_fence a{};
    a.generation = generation;
    int error = ioctl(AVOCET_ACCEL_RESET_FENCE, &a);
    return error ? error : a.fd;
  }
  template <typename Answer>
  Answer query(uint32_t type) {
    Answer answer{};
    avocet_accel_query a{type, sizeof answer, reinterpret_cast<uint64_t>(&answer)};
    EXPECT_EQ(ioctl(AVOCET_ACCEL_QUERY, &a), 0);
    EXPECT_EQ(a.size, sizeof answer);
    return answer;
  }
  avocet_accel_counters counters(uint32_t context = 0) {
    avocet_accel_counters c{};
    avocet_accel_counters_get a{context, sizeof c, reinterpret_cast<uint64_t>(&c)};
    EXPECT_EQ(ioctl(AVOCET_ACCEL_COUNTERS, &a), 0);
    return c;
  }

 private:
  Ioctl ioctl_;
};

}  // namespace avocet::test
