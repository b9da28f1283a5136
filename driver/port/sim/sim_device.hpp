// SPDX-License-Identifier: Apache-2.0
// The one simulated device of this process: the core driver on the model. Powered on by the first open, and from then on until the
// process ends; never destroyed, because exit handlers of others may still close files.
#pragma once

#include <atomic>
#include <functional>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "avocet_device.h"
#include "counter_file.hpp"
#include "memory_trace.hpp"
#include "settings.hpp"
#include "status_socket.hpp"
#include "timeline.hpp"
#include "trace_recorder.hpp"

extern "C" {
#include "buffer.h"
#include "device.h"
#include "file.h"
}

namespace avocet::sim {

/// An open file of the core; closed when the last request on it has returned.
class OpenFile {
 public:
  OpenFile(avocet_file* file, TraceRecorder& recorder) : file_(file), recorder_(recorder) {}
  ~OpenFile() {
    if (recorder_.enabled()) recorder_.forget_context(file_, 0);
    avocet_file_close(file_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  avocet_file* get() const { return file_; }

 private:
  avocet_file* file_;
  TraceRecorder& recorder_;
};

class SimDevice {
 public:
  static SimDevice& instance();

  /// A handle, or -errno with *error as one line.
  int open(std::string* error);
  int close(int handle);
  int ioctl(int handle, unsigned long request, void* argument);
  void* mmap(int handle, uint64_t offset, size_t bytes);
  int munmap(void* address, size_t bytes);

  const char* config();
  int set_faults(const char* specification, std::string* error);
  int replug(std::string* error);
  int status(const char* path, char* text, size_t bytes);
  int suspend();
  int reset();
  void listen(avocet_sim_job_listener listener, void* opaque);
  Timeline& timeline() { return timeline_; }
  int finish_vcd();

 private:
  struct Mapping {
    size_t bytes;
    avocet_buffer* buffer;  // with a reference
  };

  SimDevice();
  int power_on(std::string* error);
  int power_on_with(const Settings& settings, std::string* error);
  void prepare_os(const Settings& settings);
  int open_model(const Settings& settings, std::string* error);
  int start_model(const Settings& settings, std::string* error);
  int find_firmware(const Settings& settings, std::string* error);
  int probe(const Settings& settings, std::string* error);
  std::shared_ptr<OpenFile> find(int handle);
  void at_exit();
  avocet_device* get_device();
  int with_device(const std::function<int(avocet_device*)>& body);
  void before_fork();
  void after_fork(bool in_child);
  void report_faults();
  int dispatch(avocet_file* file, unsigned long request, uint64_t address);
  void start_files(const Settings& settings);
  void start_vcd(const Settings& settings);
  void finish_vcd_at_exit();
  void job_ended(const avocet_model_job& job);
  void record_submit(const avocet_accel_submit& arguments, uint64_t start_ns);

  std::mutex mutex_;  // files_, mappings_, powering on
  std::vector<std::shared_ptr<OpenFile>> files_;
  std::map<void*, Mapping> mappings_;
  avocet_os_device os_{};
  std::vector<char> firmware_image_;  // when it comes from a file
  std::atomic<avocet_device*> device_{nullptr};
  std::string config_;
  Settings settings_;  // of the power-on
  bool arena_open_ = false;
  avocet_sim_job_listener listener_ = nullptr;
  void* listener_opaque_ = nullptr;
  Timeline timeline_;
  std::unique_ptr<StatusServer> status_server_;
  TraceRecorder recorder_;
  CounterFile counters_;
  MemoryTrace memory_trace_;
  std::string vcd_;               // the file of waves; empty: none
  bool vcd_is_reported_ = false;  // a caller of finish_vcd() was told how it ended
};

}  // namespace avocet::sim
