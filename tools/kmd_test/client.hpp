// SPDX-License-Identifier: Apache-2.0
// An open file of the device with shorthand for its requests. Functions named must_* and those that return a handle fail the case
// when the request fails; the others return 0 or -errno.
#pragma once

#include <avocet_device.h>

#include <memory>
#include <vector>

#include "kmd_test/streams.hpp"
#include "kmd_test/test_case.hpp"

namespace avocet::kmd {

/// CLOCK_MONOTONIC now, and so much later.
int64_t now_ns();
inline int64_t in_ms(int64_t ms) { return now_ns() + ms * 1000000; }

/// Nothing in the suite may take longer: a wait beyond it is a failure.
inline constexpr int64_t kBoundMs = 30000;

struct Buffer {
  uint32_t handle = 0;
  uint64_t bytes = 0, iova = 0, mmap_offset = 0;
};

class Client {
 public:
  Client();  // fails the case when the device does not open
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  int ioctl(unsigned long request, void* argument) const { return avocet_ioctl(file_, request, argument); }
  int file() const { return file_; }
  int close();

  avocet_accel_info info() const;

  uint32_t context() const;
  int destroy(uint32_t context) const;

  int create_buffer(uint32_t context, uint64_t bytes, uint32_t flags, Buffer* buffer) const;
  Buffer buffer(uint32_t context, uint64_t bytes, uint32_t flags = 0) const;
  int close_buffer(uint32_t handle) const;
  int buffer_info(uint32_t handle, avocet_accel_buffer_info* info) const;

  avocet_accel_program_create program_request(uint32_t context, const Words& words) const;
  uint32_t program(uint32_t context, const Words& words) const;
  int close_program(uint32_t handle) const;

  int submit(uint32_t context, std::vector<avocet_accel_job>* jobs) const;
  int submit(uint32_t context, const avocet_accel_job& job, uint64_t* id = nullptr) const;
  uint64_t must_submit(uint32_t context, const avocet_accel_job& job) const;
  /// END alone, a job that always works.
  uint64_t must_submit_empty(uint32_t context) const;

  int wait(uint32_t context, uint64_t job, int64_t timeout_ns, avocet_accel_wait* result = nullptr) const;
  /// Within the bound; whatever its status.
  avocet_accel_wait must_end(uint32_t context, uint64_t job, const Location& where = Location::current()) const;
  /// Within the bound, with status OK.
  void must_complete(uint32_t context, uint64_t job, const Location& where = Location::current()) const;

  avocet_accel_counters counters(uint32_t context = 0) const;
  /// Of QUERY RESET.
  int64_t engine_resets() const;

 private:
  int file_ = -1;
};

/// A buffer as the caller sees it; unmapped at the end.
class Mapping {
 public:
  Mapping(const Client& client, const Buffer& buffer);
  Mapping(const Client& client, const Buffer& buffer, uint64_t bytes);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  uint8_t* data() const { return data_; }
  uint8_t& operator[](uint64_t i) const { return data_[i]; }
  int unmap();

 private:
  uint8_t* data_ = nullptr;
  uint64_t bytes_ = 0;
};

/// Copies with a result that can be verified: bytes of a pattern from one buffer to another by the device.
class CopyWork {
 public:
  explicit CopyWork(const Client& client, uint32_t bytes = 5000, uint32_t first_tag = 0);

  uint32_t context() const { return context_; }
  uint32_t program() const { return program_; }
  avocet_accel_job job() const { return copy_job(program_, from_.handle, to_.handle, bytes_); }
  const Buffer& from() const { return from_; }
  const Buffer& to() const { return to_; }
  /// Writes a pattern that depends on `seed` and clears the target.
  void fill(uint32_t seed);
  /// Whether the target holds the pattern.
  bool arrived() const;
  /// One verified round: fails the case unless the job completes with the right bytes.
  void run(uint32_t seed, const Location& where = Location::current());

 private:
  const Client& client_;
  uint32_t bytes_;
  uint32_t context_;
  Buffer from_, to_;
  uint32_t program_;
  std::unique_ptr<Mapping> source_, target_;
  uint32_t seed_ = 0;
};

/// Sets the device's faults; the specification must be good.
void set_faults(const char* specification, const Location& where = Location::current());

/// A job whose ring slot stays taken: loads and stores that cost the device many cycles, so that others can be queued behind it.
Words long_stream(uint32_t rounds);

}  // namespace avocet::kmd
