// SPDX-License-Identifier: Apache-2.0
// The Chrome JSON trace format: one event per line, times in microseconds.
#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "avocet_isa_tables.h"
#include "recording.hpp"

namespace avocet::sim {
namespace {

constexpr uint32_t kHostTracks = 3;
constexpr int kHostProcess = 1, kDeviceProcess = 2;  // of core 0, with the firmware; the other cores' follow

__attribute__((format(printf, 2, 3))) void append(std::string* out, const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  *out += buffer;
}

void append_text(std::string* out, const std::string& text) {
  *out += '"';
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      (*out += '\\') += c;
    else if (byte < 0x20)
      append(out, "\\u%04x", byte);
    else
      *out += c;
  }
  *out += '"';
}

uint32_t host_thread(const HostSlice& slice) { return 1 + static_cast<uint32_t>(slice.track) + slice.thread * kHostTracks; }
uint32_t device_thread(uint32_t track) { return 1 + track; }
int device_process(uint32_t core) { return kDeviceProcess + static_cast<int>(core); }

std::string host_track_name(uint32_t thread) {
  static const char* const kNames[kHostTracks] = {"application", "runtime", "driver"};
  std::string name = kNames[(thread - 1) % kHostTracks];
  uint32_t number = (thread - 1) / kHostTracks;
  return number == 0 ? name : name + ", thread " + std::to_string(number + 1);
}

// From top to bottom: in the order in which a job comes by.
int device_track_order(uint32_t track) {
  if (track == AVOCET_TRACK_FIRMWARE) return 0;
  if (track == AVOCET_TRACK_SEQUENCER) return 1;
  return static_cast<int>(track >= AVOCET_UNIT_DMA0 ? track - AVOCET_UNIT_DMA0 + 2 : track + 20);
}

const char* opcode_name(uint32_t opcode) {
  for (const avocet_command_info& row : avocet_commands) {
    if (row.opcode == opcode) return row.name;
  }
  return "?";
}

class Writer {
 public:
  explicit Writer(const Recording& recording) : r_(recording) {
    for (const HostSlice& slice : r_.host) {
      host_zero_ns_ = std::min(host_zero_ns_, slice.start_ns);
      if (slice.flow != 0) flows_[slice.flow].hosts.push_back(&slice);
    }
    for (const avocet_model_slice& slice : r_.device) {
      if (slice.track != AVOCET_TRACK_SEQUENCER || slice.job_id == 0) continue;
      auto flow = flows_.find(slice.job_id);
      if (flow == flows_.end()) continue;
      const avocet_model_slice*& job = flow->second.job;
      if (!job || slice.start_cycle < job->start_cycle) job = &slice;
    }
    for (auto& [id, flow] : flows_) prepare(flow);
  }

  std::string write() {
    out_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped_slices\":" + std::to_string(r_.dropped) +
           "},\"traceEvents\":[\n";
    write_names();
    for (const HostSlice& slice : r_.host) write_slice(slice);
    for (const avocet_model_slice& slice : r_.device) write_slice(slice);
    for (const auto& [id, flow] : flows_) write_flow(id, flow);
    if (out_.size() >= 2 && out_[out_.size() - 2] == ',') out_.erase(out_.size() - 2, 1);
    return std::move(out_ += "]}\n");
  }

 private:
  struct Flow {
    std::vector<const HostSlice*> hosts;  // by start
    const avocet_model_slice* job = nullptr;
  };

  double host_us(uint64_t ns) const { return static_cast<double>(ns - host_zero_ns_) / 1000.0; }
  double device_us(uint64_t cycle) const {
    return shift_us_ + static_cast<double>(cycle) * 1000.0 / static_cast<double>(r_.clock_khz);
  }

  void prepare(Flow& flow) {
    std::sort(flow.hosts.begin(), flow.hosts.end(),
              [](const HostSlice* a, const HostSlice* b) { return a->start_ns < b->start_ns; });
    if (!flow.job) return;
    double unshifted = static_cast<double>(flow.job->start_cycle) * 1000.0 / static_cast<double>(r_.clock_khz);
    shift_us_ = std::max(shift_us_, host_us(flow.hosts.back()->start_ns) - unshifted);
  }

  void write_name(const char* kind, int process, uint32_t thread, const std::string& name, int order) {
    append(&out_, "{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"%s_name\",\"args\":{\"name\":", process, thread, kind);
    append_text(&out_, name);
    append(&out_, "}},\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%d}},\n",
           process, thread, kind, order);
  }

  void write_names() {
    char device[128];
    std::snprintf(device, sizeof device, "simulated time: device at %.6g MHz, power-on drawn at %.3f us",
                  r_.clock_khz / 1000.0, shift_us_);
    write_name("process", kHostProcess, 0, "host time: application, runtime, driver", 0);
    write_name("process", kDeviceProcess, 0, device, 1);
    std::set<std::pair<uint32_t, uint32_t>> tracks;  // core, track
    for (const avocet_model_slice& slice : r_.device) tracks.emplace(slice.core, slice.track);
    const uint32_t last_core = tracks.empty() ? 0 : tracks.rbegin()->first;
    for (uint32_t core = 1; core <= last_core; core++)
      write_name("process", device_process(core), 0, "simulated time: core " + std::to_string(core),
                 1 + static_cast<int>(core));
    std::set<uint32_t> threads;
    for (const HostSlice& slice : r_.host) threads.insert(host_thread(slice));
    for (uint32_t thread : threads)
      write_name("thread", kHostProcess, thread, host_track_name(thread), static_cast<int>(thread));
    for (const auto& [core, track] : tracks)
      write_name("thread", device_process(core), device_thread(track), device_track_name(track), device_track_order(track));
  }

  void write_slice(const HostSlice& slice) {
    append(&out_, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":", kHostProcess, host_thread(slice),
           host_us(slice.start_ns), host_us(slice.end_ns) - host_us(slice.start_ns));
    append_text(&out_, slice.name);
    out_ += "},\n";
  }

  void write_slice(const avocet_model_slice& slice) {
    double start = device_us(slice.start_cycle);
    append(&out_, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"name\":", device_process(slice.core),
           device_thread(slice.track), start, device_us(slice.end_cycle) - start);
    append_text(&out_, device_slice_name(slice));
    append(&out_, ",\"args\":{\"start_cycle\":%" PRIu64 ",\"end_cycle\":%" PRIu64, slice.start_cycle, slice.end_cycle);
    if (slice.job_id != 0) append(&out_, ",\"job\":\"0x%" PRIx64 "\",\"context\":%u", slice.job_id, slice.context);
    if (slice.opcode != 0)
      append(&out_, ",\"command\":\"%s\",\"tag\":%u", opcode_name(slice.opcode), slice.tag);
    out_ += "}},\n";
  }

  std::string device_slice_name(const avocet_model_slice& slice) const {
    if (slice.name) return slice.name;
    auto names = r_.layers.find(slice.job_id);
    if (names == r_.layers.end() || slice.tag >= names->second->size() || (*names->second)[slice.tag].empty())
      return opcode_name(slice.opcode);
    return (*names->second)[slice.tag];
  }

  void write_flow(uint64_t id, const Flow& flow) {
    if (!flow.job) return;
    for (const HostSlice* slice : flow.hosts)
      write_arrow(slice == flow.hosts.front() ? 's' : 't', kHostProcess, host_thread(*slice), host_us(slice->start_ns),
                  id);
    write_arrow('f', device_process(flow.job->core), device_thread(AVOCET_TRACK_SEQUENCER), device_us(flow.job->start_cycle), id);
  }

  void write_arrow(char phase, int process, uint32_t thread, double us, uint64_t id) {
    append(&out_,
           "{\"ph\":\"%c\",\"pid\":%d,\"tid\":%u,\"ts\":%.3f,\"id\":\"0x%" PRIx64
           "\",\"cat\":\"job\",\"name\":\"job\",\"bp\":\"e\"},\n",
           phase, process, thread, us, id);
  }

  const Recording& r_;
  std::string out_;
  std::map<uint64_t, Flow> flows_;
  uint64_t host_zero_ns_ = UINT64_MAX;
  double shift_us_ = 0;
};

}  // namespace

std::string device_track_name(uint32_t track) {
  switch (track) {
    case AVOCET_TRACK_FIRMWARE: return "firmware";
    case AVOCET_TRACK_SEQUENCER: return "sequencer";
    case AVOCET_UNIT_MAC: return "MAC array";
    case AVOCET_UNIT_REQUANT: return "requantisation";
    case AVOCET_UNIT_VECTOR: return "vector unit";
    default: break;
  }
  bool channel = track >= AVOCET_UNIT_DMA0 && track < AVOCET_UNIT_COUNT;
  return channel ? "DMA channel " + std::to_string(track - AVOCET_UNIT_DMA0) : "unit " + std::to_string(track);
}

std::string trace_json(const Recording& recording) { return Writer(recording).write(); }

}  // namespace avocet::sim
