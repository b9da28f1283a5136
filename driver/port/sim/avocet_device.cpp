// SPDX-License-Identifier: Apache-2.0
// The exported functions. No exception leaves them.
#include "avocet_device.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <new>
#include <string>

#include "avocet_model.h"
#include "settings.hpp"
#include "sim_device.hpp"
#include "status_socket.hpp"

#define AVOCET_EXPORT __attribute__((visibility("default")))

using avocet::sim::SimDevice;

namespace {

thread_local std::string last_error;

/// Runs the body; running out of memory is the only way in which it can throw.
template <typename Body, typename Result>
Result guarded(Result failed, Body body) {
  try {
    return body();
  } catch (const std::exception&) {
    return failed;
  }
}

}  // namespace

extern "C" {

AVOCET_EXPORT int avocet_open(void) {
  return guarded(-ENOMEM, [] {
    std::string error;
    int result = SimDevice::instance().open(&error);
    last_error = result < 0 ? error : "";
    return result;
  });
}

AVOCET_EXPORT int avocet_close(int device) {
  return guarded(-ENOMEM, [&] { return SimDevice::instance().close(device); });
}

AVOCET_EXPORT int avocet_ioctl(int device, unsigned long request, void* argument) {
  return guarded(-ENOMEM, [&] { return SimDevice::instance().ioctl(device, request, argument); });
}

AVOCET_EXPORT void* avocet_mmap(int device, uint64_t offset, size_t bytes) {
  errno = ENOMEM;
  return guarded(static_cast<void*>(nullptr), [&] { return SimDevice::instance().mmap(device, offset, bytes); });
}

AVOCET_EXPORT int avocet_munmap(void* address, size_t bytes) {
  return guarded(-ENOMEM, [&] { return SimDevice::instance().munmap(address, bytes); });
}

AVOCET_EXPORT void avocet_sim_configure(const char* config_path, const char* engine, const char* timeline_path) {
  guarded(0, [&] {
    avocet::sim::configure(config_path, engine, timeline_path);
    return 0;
  });
}

AVOCET_EXPORT void avocet_sim_listen(avocet_sim_job_listener listener, void* opaque) {
  guarded(0, [&] {
    SimDevice::instance().listen(listener, opaque);
    return 0;
  });
}

AVOCET_EXPORT const char* avocet_sim_error(void) { return last_error.c_str(); }

AVOCET_EXPORT const char* avocet_sim_config(void) {
  return guarded(static_cast<const char*>(nullptr), [] { return SimDevice::instance().config(); });
}

AVOCET_EXPORT int avocet_sim_set_faults(const char* specification) {
  return guarded(-ENOMEM, [&] { return SimDevice::instance().set_faults(specification, &last_error); });
}

AVOCET_EXPORT int avocet_sim_check_faults(const char* specification) {
  return guarded(-ENOMEM, [&] {
    char sentence[512] = "";
    int result = avocet_model_check_faults(specification, sentence, sizeof sentence);
    last_error = sentence;
    return result;
  });
}

AVOCET_EXPORT int64_t avocet_sim_faults_struck(size_t index) {
  uint64_t struck = 0;
  return avocet_model_fault_report(index, nullptr, 0, &struck) ? static_cast<int64_t>(struck) : -1;
}

AVOCET_EXPORT uint64_t avocet_sim_ecc_corrected(void) { return avocet_model_ecc_corrected(); }

AVOCET_EXPORT int avocet_sim_describe_fault(size_t index, struct avocet_sim_fault_kind* kind) {
  avocet_model_fault_kind row{};
  if (!avocet_model_describe_fault(index, &row)) return 0;
  *kind = {row.name, row.counts, row.doc, row.parameters};
  return 1;
}

AVOCET_EXPORT int avocet_sim_replug(void) {
  return guarded(-ENOMEM, [] { return SimDevice::instance().replug(&last_error); });
}

AVOCET_EXPORT int avocet_sim_status(const char* path, char* text, size_t bytes) {
  return SimDevice::instance().status(path, text, bytes);
}

AVOCET_EXPORT int avocet_sim_status_of(int process, const char* path, char* text, size_t bytes) {
  return guarded(-ENOMEM, [&] { return avocet::sim::status_of(process, path, text, bytes); });
}

AVOCET_EXPORT size_t avocet_sim_status_processes(int* processes, size_t count) {
  return guarded(size_t{0}, [&] {
    std::vector<int> found = avocet::sim::status_processes();
    std::copy_n(found.begin(), std::min(count, found.size()), processes);
    return found.size();
  });
}

AVOCET_EXPORT int avocet_sim_suspend(void) { return SimDevice::instance().suspend(); }

AVOCET_EXPORT int avocet_sim_finish_vcd(void) { return SimDevice::instance().finish_vcd(); }

AVOCET_EXPORT int avocet_sim_reset(void) { return SimDevice::instance().reset(); }

AVOCET_EXPORT void avocet_sim_content_hash(const void* data, size_t bytes, char text[33]) {
  text[0] = '\0';
  guarded(0, [&] {
    const std::string hash = avocet::sim::content_hash(data, bytes);
    text[hash.copy(text, 32)] = '\0';
    return 0;
  });
}

AVOCET_EXPORT int avocet_timeline_enabled(void) { return SimDevice::instance().timeline().enabled(); }

AVOCET_EXPORT uint64_t avocet_timeline_now(void) { return avocet_os_now_ns(); }

AVOCET_EXPORT void avocet_timeline_slice(enum avocet_host_track track, const char* name, uint64_t start_ns,
                                         uint64_t end_ns, uint64_t flow) {
  guarded(0, [&] {
    SimDevice::instance().timeline().host_slice(track, name, start_ns, end_ns, flow);
    return 0;
  });
}

AVOCET_EXPORT void avocet_timeline_name_layers(uint64_t job_id, const char* const* names, size_t count) {
  guarded(0, [&] {
    SimDevice::instance().timeline().name_layers(job_id, names, count);
    return 0;
  });
}

AVOCET_EXPORT int avocet_timeline_flush(void) {
  return guarded(-ENOMEM, [] { return SimDevice::instance().timeline().flush(); });
}

}  // extern "C"
