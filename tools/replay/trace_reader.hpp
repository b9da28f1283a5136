// SPDX-License-Identifier: Apache-2.0
// A recorded trace, checked: every index points to something, every content has the hash and the size that it should have.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workload/strict_json.hpp"

struct zip;

namespace avocet::tools {

struct RecordedRegion {
  uint32_t index = 0;
  size_t buffer = 0;
  uint64_t offset = 0, bytes = 0;
  uint32_t flags = 0;
  std::string content, result;  // hashes; empty: not known
};

struct RecordedJob {
  size_t program = 0;
  uint32_t priority = 0;
  uint32_t profile_entries = 0;
  size_t profile_buffer = 0;
  uint64_t profile_offset = 0;
  std::vector<RecordedRegion> regions;
  bool ended = false;
  uint32_t status = 0;
  uint64_t cycles = 0;
};

struct RecordedSubmit {
  size_t context = 0;
  uint64_t time_ns = 0;
  std::vector<RecordedJob> jobs;
};

struct RecordedBuffer {
  size_t context = 0;
  uint64_t bytes = 0;
  uint32_t flags = 0;
};

struct RecordedProgram {
  size_t context = 0;
  std::string stream;
};

struct RecordedEvent {
  bool is_end = false;
  size_t submit = 0, job = 0;
};

class TraceReader {
 public:
  /// Throws InputError: one line that says what is wrong.
  explicit TraceReader(const std::string& path);
  ~TraceReader();
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  const std::string& path() const { return path_; }
  /// The recorded device's configuration.
  const Json& configuration() const { return configuration_; }
  size_t contexts = 0;
  std::vector<RecordedBuffer> buffers;
  std::vector<RecordedProgram> programs;
  std::vector<RecordedSubmit> submits;
  std::vector<RecordedEvent> events;

  /// Reads content `hash` of exactly `bytes` to `to`.
  void read_content(const std::string& hash, uint64_t bytes, uint8_t* to) const;
  /// Of a stream, whose size is its own.
  std::vector<uint32_t> read_stream(const std::string& hash) const;

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(path_ + ": " + what); }
  uint64_t size_of(const std::string& name) const;
  void read_entry(const std::string& name, uint64_t bytes, uint8_t* to) const;
  void read_manifest();
  void read_objects(StrictObject& root);
  void read_submits(const Json& list);
  RecordedJob read_job(const Json& value, const std::string& place, size_t context) const;
  RecordedRegion read_region(const Json& value, const std::string& place, size_t context) const;
  void read_events(const Json& list);

  const std::string path_;
  zip* archive_ = nullptr;
  Json configuration_;
};

}  // namespace avocet::tools
