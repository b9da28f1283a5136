// SPDX-License-Identifier: Apache-2.0
// Recording. A SUBMIT is looked at before the driver gets it, for afterwards its jobs may have run already. What a job wrote is
// hashed when the model tells of its end: on the simulation thread, before another job can change it.
#define XXH_INLINE_ALL
#include "trace_recorder.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>

extern "C" {
#include "ioctl.h"
}

namespace avocet::sim {
namespace {

/// The jobs of a SUBMIT as far as this version knows them; false: the driver will refuse it.
bool copy_jobs(const avocet_accel_submit& arguments, std::vector<avocet_accel_job>* jobs) {
  if (arguments.job_count == 0 || arguments.job_count > 65536 || arguments.job_struct_size < AVOCET_ACCEL_JOB_BYTES_1_0)
    return false;
  jobs->resize(arguments.job_count);
  for (uint32_t i = 0; i < arguments.job_count; i++) {
    const uint64_t from = arguments.jobs + uint64_t{i} * arguments.job_struct_size;
    const size_t bytes = std::min<size_t>(arguments.job_struct_size, sizeof(avocet_accel_job));
    if (avocet_os_copy_from_user(&(*jobs)[i], from, bytes) != 0) return false;
  }
  return true;
}

}  // namespace

std::string content_hash(const void* data, size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits(data, bytes);
  char text[33];
  std::snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
  return text;
}

// The first process of a recorded command gets the name that was asked for, others add their number.
bool TraceRecorder::start(const std::string& path) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  path_ = path;
  if (fd < 0 && errno == EEXIST) {
    path_ = path + "." + std::to_string(getpid());
    fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (fd < 0) {
    std::fprintf(stderr, "avocet: cannot write the trace %s: %s\n", path_.c_str(), std::strerror(errno));
    return false;
  }
  ::close(fd);
  enabled_.store(true, std::memory_order_release);
  return true;
}

void TraceRecorder::set_device(const std::string& config, bool moves_values) {
  std::lock_guard lock(mutex_);
  config_ = config;
  values_ = moves_values;
}

std::string TraceRecorder::keep(const void* data, size_t bytes) {
  std::string hash = content_hash(data, bytes);
  auto [blob, is_new] = trace_.blobs.try_emplace(hash);
  if (is_new) blob->second.assign(static_cast<const uint8_t*>(data), static_cast<const uint8_t*>(data) + bytes);
  return hash;
}

// Putting an object may sleep until the device has forgotten it, so that waits until no lock is held.
avocet_object* TraceRecorder::find(avocet_file* file, uint32_t handle, avocet_object_type type) {
  avocet_object* object = avocet_file_find(file, handle, type);
  if (object) held_.push_back(object);
  return object;
}

size_t TraceRecorder::context_of(avocet_file* file, uint32_t handle) {
  const auto [entry, is_new] = contexts_.try_emplace({file, handle}, trace_.contexts);
  if (is_new) trace_.contexts++;
  return entry->second;
}

// A buffer is known by its place: another one that gets the same place later serves as well, for contents are recorded anew.
size_t TraceRecorder::buffer_of(const avocet_buffer* buffer, size_t context) {
  const uint64_t bytes = avocet_buffer_bytes(buffer);
  const auto [entry, is_new] =
      buffers_.try_emplace({context, buffer->mapping.iova, bytes, buffer->flags}, trace_.buffers.size());
  if (is_new) {
    trace_.buffers.push_back({context, bytes, buffer->flags});
    cpu_.push_back(nullptr);
  }
  cpu_[entry->second] = buffer->mapping.pages->memory.cpu;
  return entry->second;
}

size_t TraceRecorder::program_of(avocet_file* file, uint32_t handle, size_t context, uint32_t* parts) {
  avocet_object* object = find(file, handle, AVOCET_OBJECT_PROGRAM);
  if (!object) return SIZE_MAX;
  const avocet_program* program = avocet_program_of(object);
  *parts = program->parts.count;
  std::string hash = keep(program->mapping.pages->memory.cpu, program->stream_bytes);
  const auto [entry, is_new] = programs_.try_emplace({context, hash}, trace_.programs.size());
  if (is_new) trace_.programs.push_back({context, std::move(hash)});
  return entry->second;
}

// By memory, not by buffer: several buffers may be over the same pages.
bool TraceRecorder::overlap(const TraceRegion& a, const TraceRegion& b) const {
  return data_of(a) < data_of(b) + b.bytes && data_of(b) < data_of(a) + a.bytes;
}

bool TraceRecorder::is_being_written(const TraceRegion& region, const TraceJob* but) const {
  for (const auto& [id, place] : unfinished_) {
    const TraceJob& job = trace_.submits[place.submit].jobs[place.job];
    if (&job == but) continue;
    for (const TraceRegion& other : job.regions)
      if ((other.flags & AVOCET_ACCEL_REGION_WRITE) && overlap(region, other)) return true;
  }
  return false;
}

bool TraceRecorder::add_region(avocet_file* file, const avocet_accel_region& region, uint32_t index, size_t context,
                               TraceJob* job) {
  avocet_object* object = find(file, region.handle, AVOCET_OBJECT_BUFFER);
  if (!object) return false;
  const avocet_buffer* buffer = avocet_buffer_of(object);
  if (region.offset > avocet_buffer_bytes(buffer) || region.bytes > avocet_buffer_bytes(buffer) - region.offset)
    return false;
  TraceRegion recorded{index, buffer_of(buffer, context), region.offset, region.bytes, region.flags, "", ""};
  if (values_ && !is_being_written(recorded, nullptr)) recorded.content = keep(data_of(recorded), region.bytes);
  job->regions.push_back(std::move(recorded));
  return true;
}

// False: the driver will refuse it.
bool TraceRecorder::add_job(avocet_file* file, const avocet_accel_job& arguments, size_t context, TraceJob* job) {
  job->program = program_of(file, arguments.program, context, &job->parts);
  if (job->program == SIZE_MAX) return false;
  job->priority = arguments.priority;
  const uint64_t now = avocet_os_now_ns();
  if (arguments.deadline_ns > now) job->time_left_ns = arguments.deadline_ns - now;
  for (uint32_t i = 0; i < AVOCET_ACCEL_REGIONS; i++)
    if (arguments.region[i].handle != 0 && !add_region(file, arguments.region[i], i, context, job)) return false;
  if (arguments.profile == 0) return true;
  avocet_object* profile = find(file, arguments.profile, AVOCET_OBJECT_BUFFER);
  if (!profile) return false;
  job->profile_entries = arguments.profile_entries;
  job->profile_buffer = buffer_of(avocet_buffer_of(profile), context);
  job->profile_offset = arguments.profile_offset;
  return true;
}

int TraceRecorder::submit(avocet_file* file, uint64_t address) {
  const std::lock_guard one_at_a_time(submitting_);
  std::vector<avocet_accel_job> jobs;
  avocet_accel_submit copy{};
  bool recordable = avocet_os_copy_from_user(&copy, address, sizeof copy) == 0 && copy_jobs(copy, &jobs);
  size_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    const uint64_t now = avocet_os_now_ns();
    if (trace_.submits.empty()) first_ns_ = now;
    number = trace_.submits.size();
    trace_.submits.push_back({0, now - first_ns_, std::vector<TraceJob>(jobs.size())});
    if (recordable) {
      TraceSubmit& submit = trace_.submits.back();
      submit.context = context_of(file, copy.context);
      // Jobs of one submission see what those before them leave.
      for (size_t i = 0; recordable && i < jobs.size(); i++) {
        recordable = add_job(file, jobs[i], submit.context, &submit.jobs[i]);
        unfinished_[UINT64_MAX - i] = {number, i};
      }
      for (size_t i = 0; i < jobs.size(); i++) unfinished_.erase(UINT64_MAX - i);
    }
    pending_ = true;
  }
  const int error = avocet_ioctl_dispatch(file, AVOCET_ACCEL_SUBMIT, address);
  {
    const std::lock_guard lock(mutex_);
    pending_ = false;
    if (error || !recordable) {
      trace_.submits.pop_back();
    } else {
      trace_.events.push_back({false, number, 0});
      for (size_t i = 0; i < jobs.size(); i++) {
        TraceJob& job = trace_.submits[number].jobs[i];
        const uint64_t at = copy.jobs + uint64_t{i} * copy.job_struct_size + offsetof(avocet_accel_job, job_id);
        (void)avocet_os_copy_from_user(&job.job_id, at, sizeof job.job_id);  // the driver has just written it
        unfinished_[job.job_id] = {number, i};
      }
    }
  }
  submitted_.notify_all();
  for (avocet_object* object : held_) avocet_object_put(object);
  held_.clear();
  return error;
}

void TraceRecorder::forget_context(avocet_file* file, uint32_t handle) {
  const std::lock_guard lock(mutex_);
  std::erase_if(contexts_, [&](const auto& entry) {
    return entry.first.first == file && (handle == 0 || entry.first.second == handle);
  });
}

void TraceRecorder::job_is_over(uint64_t job_id) {
  const std::lock_guard lock(mutex_);
  unfinished_.erase(job_id);
}

void TraceRecorder::job_ended(const avocet_model_job& ended) {
  if (ended.job_id == 0) return;
  std::unique_lock lock(mutex_);
  // Its SUBMIT may still be on its way back. Bounded: should the driver wait for the device there, the job's end is lost to the
  // trace, not the process.
  submitted_.wait_for(lock, std::chrono::seconds(1), [&] { return !pending_ || unfinished_.contains(ended.job_id); });
  const auto found = unfinished_.find(ended.job_id);
  if (found == unfinished_.end()) return;
  const Place place = found->second;
  TraceJob& job = trace_.submits[place.submit].jobs[place.job];
  if (job.start_cycle == 0 || ended.start_cycle < job.start_cycle) job.start_cycle = ended.start_cycle;
  if (ended.status == AVOCET_STATUS_PREEMPTED) return;  // it goes on later
  // Of several cores the fault counts, not that the others were aborted.
  const bool is_told = job.status != AVOCET_STATUS_OK && job.status != AVOCET_STATUS_ABORTED;
  if (!is_told && ended.status != AVOCET_STATUS_OK) job.status = ended.status;
  job.end_cycle = std::max(job.end_cycle, ended.end_cycle);
  if (--job.parts > 0) return;
  job.ended = true;
  for (TraceRegion& region : job.regions)
    if (values_ && (region.flags & AVOCET_ACCEL_REGION_WRITE) && !is_being_written(region, &job))
      region.result = content_hash(data_of(region), region.bytes);
  trace_.events.push_back({true, place.submit, place.job});
  unfinished_.erase(found);
}

void TraceRecorder::finish() {
  if (!enabled()) return;
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  std::string error;
  if (write_trace(trace_, config_, path_, &error) != 0) std::fprintf(stderr, "avocet: %s\n", error.c_str());
}

}  // namespace avocet::sim
