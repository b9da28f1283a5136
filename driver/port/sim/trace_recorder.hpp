// SPDX-License-Identifier: Apache-2.0
// Records what passes the driver's door: programs, the contents of the regions of each job when it was submitted, and what it left
// behind when it ended. One file at the end; see trace_file.cpp for its form.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "avocet_model.h"

extern "C" {
#include "buffer.h"
#include "context.h"
#include "file.h"
#include "program.h"
}

namespace avocet::sim {

/// Contents by their hash (XXH3, 128 bits, 32 hexadecimal digits).
using Blobs = std::map<std::string, std::vector<uint8_t>>;

struct TraceRegion {
  uint32_t index;
  size_t buffer;  // in Trace::buffers
  uint64_t offset, bytes;
  uint32_t flags;
  std::string content;  // hash; empty: an unfinished job was still writing it
  std::string result;   // hash at the job's end; empty: not written, or another job wrote it too
};

struct TraceJob {
  uint64_t job_id = 0;
  size_t program = 0;
  uint32_t priority = 0;
  uint32_t profile_entries = 0;
  size_t profile_buffer = 0;
  uint64_t profile_offset = 0;
  uint64_t time_left_ns = 0;  // until its deadline when it was submitted; 0: none
  std::vector<TraceRegion> regions;
  uint32_t parts = 1;  // cores that run it together and have not ended
  bool ended = false;  // the device ended it (else a reset did, or the process)
  uint32_t status = 0;
  uint64_t start_cycle = 0, end_cycle = 0;
};

struct TraceSubmit {
  size_t context;
  uint64_t time_ns;  // since the first
  std::vector<TraceJob> jobs;
};

struct TraceBuffer {
  size_t context;
  uint64_t bytes;
  uint32_t flags;
};

struct TraceProgram {
  size_t context;
  std::string stream;  // hash
};

/// In the order in which things happened: a submission, or the end of one of its jobs.
struct TraceEvent {
  bool is_end;
  size_t submit, job;
};

struct Trace {
  size_t contexts = 0;
  std::vector<TraceBuffer> buffers;
  std::vector<TraceProgram> programs;
  std::vector<TraceSubmit> submits;
  std::vector<TraceEvent> events;
  Blobs blobs;
};

/// Writes the trace as a ZIP file. `config`: the device's, as JSON. 0 or -errno with *error as one line.
int write_trace(const Trace& trace, const std::string& config, const std::string& path, std::string* error);

std::string content_hash(const void* data, size_t bytes);

class TraceRecorder {
 public:
  /// Before anything is recorded. False when the file cannot be made: one line on stderr, nothing will be recorded.
  bool start(const std::string& path);
  bool enabled() const { return enabled_.load(std::memory_order_acquire); }
  /// The engine moves values: contents and results are recorded.
  void set_device(const std::string& config, bool moves_values);

  /// Performs a SUBMIT and records it when it was accepted.
  int submit(avocet_file* file, uint64_t address);
  /// A context's handle, or all of a file's (handle 0), will name something else from now on.
  void forget_context(avocet_file* file, uint32_t handle);
  /// The driver gave the job's result: if the device has not told of its end, a reset took it away.
  void job_is_over(uint64_t job_id);
  /// On the simulation thread, before the next job begins.
  void job_ended(const avocet_model_job& job);

  /// Writes the file, once; an error goes to stderr in one line.
  void finish();

 private:
  struct Place {
    size_t submit, job;
  };

  bool add_job(avocet_file* file, const avocet_accel_job& arguments, size_t context, TraceJob* job);
  bool add_region(avocet_file* file, const avocet_accel_region& region, uint32_t index, size_t context, TraceJob* job);
  size_t buffer_of(const avocet_buffer* buffer, size_t context);
  size_t program_of(avocet_file* file, uint32_t handle, size_t context, uint32_t* parts);
  avocet_object* find(avocet_file* file, uint32_t handle, avocet_object_type type);
  size_t context_of(avocet_file* file, uint32_t handle);
  std::string keep(const void* data, size_t bytes);
  bool is_being_written(const TraceRegion& region, const TraceJob* but) const;
  bool overlap(const TraceRegion& a, const TraceRegion& b) const;
  const uint8_t* data_of(const TraceRegion& region) const { return cpu_[region.buffer] + region.offset; }

  std::atomic<bool> enabled_{false};
  std::string path_;
  std::mutex submitting_;  // one SUBMIT at a time; never taken on the simulation thread
  std::vector<avocet_object*> held_;  // guarded by it
  std::mutex mutex_;       // of what follows; never held while the driver works
  std::condition_variable submitted_;
  bool pending_ = false;  // a SUBMIT is in the driver: its jobs' numbers are not known yet
  bool finished_ = false;
  std::string config_;
  bool values_ = true;
  uint64_t first_ns_ = 0;
  Trace trace_;
  std::vector<const uint8_t*> cpu_;  // of trace_.buffers, as last seen
  std::map<std::pair<const avocet_file*, uint32_t>, size_t> contexts_;
  std::map<std::tuple<size_t, uint64_t, uint64_t, uint32_t>, size_t> buffers_;  // context, IOVA, bytes, flags
  std::map<std::pair<size_t, std::string>, size_t> programs_;
  std::map<uint64_t, Place> unfinished_;  // by job id
};

}  // namespace avocet::sim
