// SPDX-License-Identifier: Apache-2.0
// Submissions and ends of jobs follow each other as they were recorded, so what was queued at the same time is so again. Deadlines
// are left out: they were times of another host.
#include "replay/replay.hpp"

#include <avocet_device.h>
#include <avocet_stream.h>
#include <uapi/avocet_accel.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

namespace avocet::tools {
namespace {

/// What the driver has for the trace's objects; gives all back.
class Session {
 public:
  explicit Session(const TraceReader& trace) : trace_(trace), device_(avocet_open()) {
    if (device_ < 0) throw InputError(std::string("the device does not start: ") + avocet_sim_error());
    avocet_accel_query query{};
    query.size = sizeof info_;
    query.data = reinterpret_cast<uintptr_t>(&info_);
    check(AVOCET_ACCEL_QUERY, &query, "asking for capabilities");
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    for (size_t i = 0; i < mappings_.size(); ++i)
      if (mappings_[i]) avocet_munmap(mappings_[i], trace_.buffers[i].bytes);
    avocet_close(device_);
  }

  void check(unsigned long request, void* argument, const std::string& what) const {
    if (const int error = avocet_ioctl(device_, request, argument); error != 0)
      throw InputError(trace_.path() + ": " + what + ": " + std::strerror(-error));
  }

  void create() {
    check_array();
    for (size_t i = 0; i < trace_.contexts; ++i) {
      avocet_accel_context_create context{};
      check(AVOCET_ACCEL_CONTEXT_CREATE, &context, "context " + std::to_string(i));
      contexts_.push_back(context.context);
    }
    for (size_t i = 0; i < trace_.buffers.size(); ++i) create_buffer(i);
    for (size_t i = 0; i < trace_.programs.size(); ++i) create_program(i);
  }

  uint32_t context(size_t i) const { return contexts_[i]; }
  uint32_t buffer(size_t i) const { return buffers_[i]; }
  uint32_t program(size_t i) const { return programs_[i]; }
  uint8_t* data(size_t buffer) const { return mappings_[buffer]; }

 private:
  /// Weights are laid out for one size of the array: on another one a stream would compute something else.
  void check_array() const {
    const Json none;
    const Json& array = trace_.configuration().value("array", none);
    if (!array.is_object()) throw InputError(trace_.path() + ": manifest.json: configuration: array is missing");
    const uint64_t rows = array.value("rows", uint64_t{0}), columns = array.value("columns", uint64_t{0});
    if (rows == info_.array_rows && columns == info_.array_cols) return;
    throw InputError(trace_.path() + ": was recorded for an array of " + std::to_string(rows) + "x" + std::to_string(columns) +
                     ", this configuration has " + std::to_string(info_.array_rows) + "x" +
                     std::to_string(info_.array_cols));
  }

  void create_buffer(size_t i) {
    const RecordedBuffer& recorded = trace_.buffers[i];
    avocet_accel_buffer_create buffer{};
    buffer.context = contexts_[recorded.context];
    buffer.flags = recorded.flags & AVOCET_ACCEL_BUFFER_DEVICE_READ_ONLY;
    buffer.bytes = recorded.bytes;
    check(AVOCET_ACCEL_BUFFER_CREATE, &buffer, "buffer " + std::to_string(i) + " of " + std::to_string(recorded.bytes) + " bytes");
    buffers_.push_back(buffer.handle);
    mappings_.push_back(static_cast<uint8_t*>(avocet_mmap(device_, buffer.mmap_offset, recorded.bytes)));
    if (!mappings_.back()) throw InputError(trace_.path() + ": buffer " + std::to_string(i) + ": " + std::strerror(errno));
  }

  void create_program(size_t i) {
    const std::vector<uint32_t> words = trace_.read_stream(trace_.programs[i].stream);
    check_limits(words, i);
    avocet_accel_program_create program{};
    program.context = contexts_[trace_.programs[i].context];
    program.stream = reinterpret_cast<uintptr_t>(words.data());
    program.bytes = words.size() * sizeof(uint32_t);
    program.flags = AVOCET_ACCEL_PROGRAM_GANG;  // as many streams as it holds
    check(AVOCET_ACCEL_PROGRAM_CREATE, &program, "program " + std::to_string(i));
    programs_.push_back(program.handle);
  }

  /// Which limit a stream breaks: the one without which it would pass.
  void check_limits(const std::vector<uint32_t>& words, size_t i) const {
    avocet_limits limits{info_.array_rows, info_.array_cols, info_.acc_rows, info_.sram_bytes, info_.dma_channels, nullptr};
    avocet_stream_report report{};
    avocet_parts parts{};
    const std::string program = trace_.path() + ": program " + std::to_string(i);
    if (avocet_parts_check(words.data(), words.size(), AVOCET_CORES_MAX, &limits, &parts, &report) == AVOCET_STATUS_OK) {
      if (parts.count <= info_.cores) return;
      throw InputError(program + ": needs " + std::to_string(parts.count) + " cores, this configuration has " +
                       std::to_string(info_.cores));
    }
    const struct {
      uint32_t avocet_limits::*limit;
      uint32_t most;
      const char* what;
    } rows[] = {{&avocet_limits::sram_bytes, UINT32_MAX, "bytes of SRAM"},
                {&avocet_limits::acc_rows, 65536, "accumulator rows"},
                {&avocet_limits::dma_channels, AVOCET_UNIT_COUNT - AVOCET_UNIT_DMA0, "DMA channels"}};
    std::string broken;
    avocet_limits wide = limits;
    for (const auto& row : rows) {
      wide.*row.limit = row.most;
      avocet_limits one = limits;
      one.*row.limit = row.most;
      avocet_stream_report ignored{};
      avocet_parts ignored_parts{};
      // Beyond this limit at the place where it fails now, or behind it.
      const bool helps = avocet_parts_check(words.data(), words.size(), AVOCET_CORES_MAX, &one, &ignored_parts, &ignored) ==
                             AVOCET_STATUS_OK ||
                         ignored.position > report.position;
      if (helps) broken += (broken.empty() ? "" : ", ") + std::to_string(limits.*row.limit) + " " + row.what;
    }
    avocet_stream_report without{};
    if (broken.empty() ||
        avocet_parts_check(words.data(), words.size(), AVOCET_CORES_MAX, &wide, &parts, &without) != AVOCET_STATUS_OK)
      throw InputError(program + ": word " + std::to_string(report.position) + ": " + avocet_status_text(report.status) + ", " +
                       (report.reason ? report.reason : ""));
    throw InputError(program + ": needs more than this configuration's " + broken);
  }

  const TraceReader& trace_;
  const int device_;
  avocet_accel_info info_{};
  std::vector<uint32_t> contexts_, buffers_, programs_;
  std::vector<uint8_t*> mappings_;
};

class Replay {
 public:
  Replay(const TraceReader& trace, bool compare) : trace_(trace), session_(trace), compare_(compare) {}

  std::vector<ReplayedJob> run() {
    session_.create();
    for (const RecordedEvent& event : trace_.events) {
      if (event.is_end)
        finish(event.submit, event.job);
      else
        submit(event.submit);
    }
    // Those whose end the recording does not have: a reset or the end of the process took them away.
    while (!running_.empty()) finish(running_.begin()->first.first, running_.begin()->first.second);
    return std::move(jobs_);
  }

 private:
  void set_content(const RecordedRegion& region) {
    if (region.content.empty() || !compare_) return;
    trace_.read_content(region.content, region.bytes, session_.data(region.buffer) + region.offset);
  }

  void submit(size_t index) {
    const RecordedSubmit& recorded = trace_.submits[index];
    std::vector<avocet_accel_job> jobs(recorded.jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i) {
      const RecordedJob& from = recorded.jobs[i];
      jobs[i].program = session_.program(from.program);
      jobs[i].priority = from.priority;
      for (const RecordedRegion& region : from.regions) {
        set_content(region);
        jobs[i].region[region.index] = {session_.buffer(region.buffer), region.flags, region.offset, region.bytes};
      }
      if (from.profile_entries == 0) continue;
      jobs[i].profile = session_.buffer(from.profile_buffer);
      jobs[i].profile_offset = from.profile_offset;
      jobs[i].profile_entries = from.profile_entries;
    }
    avocet_accel_submit request{};
    request.context = session_.context(recorded.context);
    request.job_count = static_cast<uint32_t>(jobs.size());
    request.job_struct_size = sizeof(avocet_accel_job);
    request.jobs = reinterpret_cast<uintptr_t>(jobs.data());
    session_.check(AVOCET_ACCEL_SUBMIT, &request, "submission " + std::to_string(index));
    for (size_t i = 0; i < jobs.size(); ++i) running_[{index, i}] = jobs[i].job_id;
  }

  void finish(size_t index, size_t job) {
    const auto running = running_.find({index, job});
    if (running == running_.end())
      throw InputError(trace_.path() + ": manifest.json: events: job " + std::to_string(job) + " of submission " +
                       std::to_string(index) + " ends twice");
    const RecordedJob& recorded = trace_.submits[index].jobs[job];
    avocet_accel_wait wait{};
    wait.context = session_.context(trace_.submits[index].context);
    wait.job_id = running->second;
    wait.timeout_ns = INT64_MAX;  // the driver bounds every job
    session_.check(AVOCET_ACCEL_WAIT, &wait, "waiting for submission " + std::to_string(index));
    running_.erase(running);
    ReplayedJob replayed;
    replayed.submit = index;
    replayed.job = job;
    replayed.status = wait.status;
    replayed.cycles = wait.end_cycle - wait.start_cycle;
    replayed.recorded_cycles = recorded.cycles;
    compare(recorded, wait.status, replayed);
    add_profile(recorded, replayed);
    jobs_.push_back(std::move(replayed));
  }

  void compare(const RecordedJob& recorded, uint32_t status, ReplayedJob& replayed) const {
    if (recorded.ended && recorded.status != status)
      replayed.differences.push_back(std::string("ended with ") + avocet_status_text(status) + ", recorded was " +
                                     avocet_status_text(recorded.status));
    if (!compare_) return;
    for (const RecordedRegion& region : recorded.regions) {
      if (region.result.empty()) continue;
      char hash[33];
      avocet_sim_content_hash(session_.data(region.buffer) + region.offset, region.bytes, hash);
      ++replayed.compared;
      if (region.result != hash)
        replayed.differences.push_back("region " + std::to_string(region.index) + " is " + hash + ", recorded was " +
                                       region.result);
    }
  }

  void add_profile(const RecordedJob& recorded, ReplayedJob& replayed) const {
    if (recorded.profile_entries == 0) return;
    const auto* records =
        reinterpret_cast<const avocet_profile*>(session_.data(recorded.profile_buffer) + recorded.profile_offset);
    for (uint32_t i = 0; i < recorded.profile_entries; ++i) {
      replayed.macs += records[i].macs;
      replayed.mac_cycles += records[i].mac_cycles;
      replayed.dram_bytes += records[i].dram_read_bytes + records[i].dram_write_bytes;
    }
  }

  const TraceReader& trace_;
  Session session_;
  const bool compare_;
  std::map<std::pair<size_t, size_t>, uint64_t> running_;  // submission, job -> the driver's number
  std::vector<ReplayedJob> jobs_;
};

}  // namespace

std::vector<ReplayedJob> replay(const TraceReader& trace, bool compare) { return Replay(trace, compare).run(); }

}  // namespace avocet::tools
