// SPDX-License-Identifier: Apache-2.0
// Power, files and mappings of the simulated device.
#include "sim_device.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "avocet_firmware_image.h"
#include "avocet_isa.h"
#include "avocet_model.h"

extern "C" {
#include "ioctl.h"
#include "power.h"
#include "reset.h"
#include "status.h"
}

namespace avocet::sim {
namespace {

constexpr size_t kFilesMax = 4096;

/// Set in a child of a process that had the device open: the simulation's thread and perhaps a lock's owner stayed with the parent.
std::atomic<bool> is_fork_child{false};

std::string because(const char* what, int error) { return std::string(what) + ": " + std::strerror(-error); }

size_t round_to_pages(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

}  // namespace

SimDevice& SimDevice::instance() {
  static auto* const device = new SimDevice;
  return *device;
}

SimDevice::SimDevice() {
  pthread_atfork([] { instance().before_fork(); }, [] { instance().after_fork(false); },
                 [] { instance().after_fork(true); });
}

// ---- power ----

void SimDevice::prepare_os(const Settings& settings) {
  os_.rd32 = [](void*, uint32_t offset) { return avocet_model_read(offset); };
  os_.wr32 = [](void*, uint32_t offset, uint32_t value) { avocet_model_write(offset, value); };
  os_.log_level = settings.log_level;
  avocet_os_check_user_copies(settings.check_pointers);
}

int SimDevice::open_model(const Settings& settings, std::string* error) {
  char sentence[512] = "";
  avocet_model_host host{};
  host.opaque = this;
  host.translate = [](void* self, uint64_t address, uint64_t bytes, bool) {
    return avocet_os_arena_translate(&static_cast<SimDevice*>(self)->os_, address, bytes);
  };
  host.interrupt = [](void* self) {
    if (avocet_device* device = static_cast<SimDevice*>(self)->device_.load()) avocet_device_interrupt(device);
  };
  if (timeline_.enabled()) {
    host.slice = [](void* self, const avocet_model_slice* slice) {
      static_cast<SimDevice*>(self)->timeline_.device_slice(*slice);
    };
  }
  host.firmware = settings.firmware ? settings.firmware->c_str() : nullptr;
  if (listener_ || recorder_.enabled() || counters_.enabled())
    host.job = [](void* self, const avocet_model_job* job) { static_cast<SimDevice*>(self)->job_ended(*job); };
  if (memory_trace_.enabled())
    host.access = [](void* self, const avocet_model_access* access) {
      static_cast<SimDevice*>(self)->memory_trace_.access(*access);
    };
  int result = avocet_model_open(settings.config ? settings.config->c_str() : nullptr,
                                 settings.engine ? settings.engine->c_str() : nullptr, &host, sentence, sizeof sentence);
  if (result != 0) *error = *sentence ? sentence : because("the model does not start", result);
  return result;
}

int SimDevice::find_firmware(const Settings& settings, std::string* error) {
  if (settings.firmware_image) {
    std::ifstream file(*settings.firmware_image, std::ios::binary);
    firmware_image_.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    os_.firmware = firmware_image_.data();
    os_.firmware_bytes = firmware_image_.size();
    if (file.good() || (file.eof() && !file.bad())) return 0;
    *error = *settings.firmware_image + ": cannot be read";
    return -ENOENT;
  }
  os_.firmware = avocet_firmware_image(avocet_model_read(AVOCET_REG_FW_KIND), &os_.firmware_bytes);
  if (os_.firmware) return 0;
  *error = "this build has no firmware for the RISC-V management core: it was configured without riscv64-unknown-elf-gcc";
  return -ENOENT;
}

int SimDevice::probe(const Settings& settings, std::string* error) {
  avocet_parameters parameters = avocet_default_parameters;
  if (settings.hang_timeout_ms != 0) parameters.hang_timeout_ms = settings.hang_timeout_ms;
  parameters.autosuspend_ms = settings.autosuspend_ms;
  if (settings.admin_timeout_ms != 0) parameters.admin_timeout_ms = settings.admin_timeout_ms;
  parameters.null_hardware = avocet_model_fault_in_force("null-hardware");
  avocet_device* device = nullptr;
  int result = avocet_device_probe(&os_, &parameters, &device);
  if (result != 0) {
    *error = because("the driver cannot start the simulated device", result);
    return result;
  }
  if (const char* config = avocet_model_config()) config_ = config;
  timeline_.set_clock(device->info.clock_khz);
  recorder_.set_device(config_, device->info.engine != AVOCET_ENGINE_TIMING);
  device_ = device;
  return 0;
}

int SimDevice::power_on_with(const Settings& settings, std::string* error) {
  prepare_os(settings);
  const bool was_open = arena_open_;  // a device that was unplugged left files behind
  int result = was_open ? 0 : avocet_os_arena_open(&os_);
  if (result != 0) {
    *error = because("no memory for the device", result);
    return result;
  }
  result = start_model(settings, error);
  if (result != 0 && !was_open) avocet_os_arena_close(&os_);
  arena_open_ = was_open || result == 0;
  return result;
}

int SimDevice::start_model(const Settings& settings, std::string* error) {
  int result = open_model(settings, error);
  if (result != 0) return result;
  start_vcd(settings);
  if (settings.faults) result = set_faults(settings.faults->c_str(), error);
  if (result != 0) *error = "AVOCET_FAULTS: " + *error;
  if (result == 0) result = find_firmware(settings, error);
  if (result == 0) result = probe(settings, error);
  if (result != 0) avocet_model_close();
  return result;
}

// Each says itself why it cannot be written.
void SimDevice::start_files(const Settings& settings) {
  if (settings.timeline && !timeline_.enabled()) timeline_.start(*settings.timeline);
  if (settings.record && !recorder_.enabled()) recorder_.start(*settings.record);
  if (settings.counters && !counters_.enabled()) counters_.start(*settings.counters);
  if (settings.memory_trace && !memory_trace_.enabled()) memory_trace_.start(*settings.memory_trace);
}

void SimDevice::start_vcd(const Settings& settings) {
  if (!settings.vcd || !vcd_.empty()) return;
  const int error = avocet_model_write_waves(settings.vcd->c_str());
  if (error == 0)
    vcd_ = *settings.vcd;
  else
    std::fprintf(stderr, "avocet: cannot write the waves %s: %s\n", settings.vcd->c_str(), std::strerror(-error));
}

int SimDevice::finish_vcd() {
  if (is_fork_child || vcd_.empty()) return 0;
  vcd_is_reported_ = true;
  return avocet_model_finish_waves();
}

void SimDevice::finish_vcd_at_exit() {
  if (vcd_is_reported_) return;
  if (const int error = finish_vcd()) std::fprintf(stderr, "avocet: cannot write the waves %s: %s\n", vcd_.c_str(), std::strerror(-error));
}

void SimDevice::job_ended(const avocet_model_job& job) {
  if (listener_) listener_(listener_opaque_, &job);
  if (recorder_.enabled()) recorder_.job_ended(job);
  if (counters_.enabled()) counters_.job_ended(job);
}

int SimDevice::power_on(std::string* error) {
  Settings settings;
  if (!read_settings(&settings, error)) return -EINVAL;
  start_files(settings);
  int result = power_on_with(settings, error);
  if (result != 0) return result;
  settings_ = settings;
  if (!status_server_)
    status_server_ = StatusServer::start([this](const char* path, char* text, size_t bytes) { return status(path, text, bytes); });
  // Registered after the model's own handler, so it runs before that one stops the simulation.
  static const int once = std::atexit([] { instance().at_exit(); });
  (void)once;
  return 0;
}

void SimDevice::at_exit() {
  if (is_fork_child) return;
  // Whoever closes files after this must not wait for a simulation that is about to stop.
  if (status_server_) status_server_->withdraw();
  if (avocet_device* device = device_) avocet_device_lost(device);
  timeline_.flush_at_exit();
  recorder_.finish();
  if (avocet_device* device = device_) counters_.finish(device->counters);
  memory_trace_.finish();
  finish_vcd_at_exit();
  if (settings_.faults) report_faults();
}

// ---- faults ----

int SimDevice::set_faults(const char* specification, std::string* error) {
  char sentence[512] = "";
  int result = avocet_model_set_faults(specification, sentence, sizeof sentence);
  if (result != 0) *error = sentence;
  return result;
}

/// Whoever ordered faults for a whole run wants to know what became of them.
void SimDevice::report_faults() {
  char text[256];
  uint64_t struck = 0;
  for (size_t i = 0; avocet_model_fault_report(i, text, sizeof text, &struck); i++)
    std::fprintf(stderr, "avocet: fault %s struck %llu times\n", text, static_cast<unsigned long long>(struck));
}

int SimDevice::replug(std::string* error) {
  if (is_fork_child) return -ENODEV;
  std::lock_guard lock(mutex_);
  avocet_device* old = device_;
  if (!old) {
    *error = "the device was never opened";
    return -ENODEV;
  }
  avocet_device_get(old);  // the interrupt handler may be running
  avocet_device_remove(old);
  device_ = nullptr;
  avocet_model_close();
  avocet_device_put(old);  // open files keep it
  Settings settings = settings_;
  settings.faults.reset();
  int result = open_model(settings, error);
  if (result == 0) {
    result = set_faults("", error);
    if (result == 0) result = probe(settings, error);
    if (result != 0) avocet_model_close();
  }
  return result;
}

void SimDevice::listen(avocet_sim_job_listener listener, void* opaque) {
  std::lock_guard lock(mutex_);
  if (device_) return;  // the model asks for its host's functions once
  listener_ = listener;
  listener_opaque_ = opaque;
}

const char* SimDevice::config() {
  std::lock_guard lock(mutex_);
  return device_ ? config_.c_str() : nullptr;
}

/// The device with a reference, as replug may take it away; NULL when there is none.
avocet_device* SimDevice::get_device() {
  if (is_fork_child) return nullptr;
  std::lock_guard lock(mutex_);
  avocet_device* device = device_;
  if (device) avocet_device_get(device);
  return device;
}

int SimDevice::with_device(const std::function<int(avocet_device*)>& body) {
  avocet_device* device = get_device();
  if (!device) return -ENODEV;
  int result = body(device);
  avocet_device_put(device);
  return result;
}

int SimDevice::status(const char* path, char* text, size_t bytes) {
  return with_device([&](avocet_device* device) { return avocet_status_read(device, path, text, bytes); });
}

int SimDevice::suspend() { return with_device(avocet_power_suspend); }

int SimDevice::reset() {
  return with_device([](avocet_device* device) {
    return avocet_reset_device(device, avocet_reset_generation(device), AVOCET_ACCEL_RESET_REQUESTED,
                               "the administrator wants it");
  });
}

// ---- fork ----

void SimDevice::before_fork() {
  mutex_.lock();
  if (arena_open_) avocet_os_descriptors_before_fork(&os_);
}

void SimDevice::after_fork(bool in_child) {
  if (in_child && status_server_) status_server_->forget();
  if (arena_open_) avocet_os_descriptors_after_fork(&os_, in_child);
  if (in_child && arena_open_) is_fork_child = true;  // else the child may open a device of its own
  mutex_.unlock();
}

// ---- files ----

int SimDevice::open(std::string* error) {
  if (is_fork_child) {
    *error = "the device was opened before a fork and stays with the parent process";
    return -ENODEV;
  }
  std::lock_guard lock(mutex_);
  if (!device_) {
    int result = power_on(error);
    if (result != 0) return result;
  }
  size_t handle = 0;
  while (handle < files_.size() && files_[handle]) handle++;
  if (handle >= kFilesMax) {
    *error = "too many open files of the device";
    return -EMFILE;
  }
  avocet_file* file = nullptr;
  int result = avocet_file_open(device_, &file);
  if (result != 0) {
    *error = because("the device does not open", result);
    return result;
  }
  if (handle == files_.size()) files_.emplace_back();
  files_[handle] = std::make_shared<OpenFile>(file, recorder_);
  return static_cast<int>(handle);
}

std::shared_ptr<OpenFile> SimDevice::find(int handle) {
  std::lock_guard lock(mutex_);
  return handle >= 0 && static_cast<size_t>(handle) < files_.size() ? files_[static_cast<size_t>(handle)] : nullptr;
}

int SimDevice::close(int handle) {
  if (is_fork_child) return 0;
  std::shared_ptr<OpenFile> file;  // closed outside the lock
  std::lock_guard lock(mutex_);
  if (handle < 0 || static_cast<size_t>(handle) >= files_.size()) return -EBADF;
  file.swap(files_[static_cast<size_t>(handle)]);
  return file ? 0 : -EBADF;
}

int SimDevice::ioctl(int handle, unsigned long request, void* argument) {
  if (is_fork_child) return -ENODEV;
  std::shared_ptr<OpenFile> file = find(handle);
  if (!file) return -EBADF;
  auto address = reinterpret_cast<uint64_t>(argument);
  bool record = timeline_.enabled() && (request == AVOCET_ACCEL_SUBMIT || request == AVOCET_ACCEL_WAIT);
  if (!record) return dispatch(file->get(), request, address);
  uint64_t start = avocet_os_now_ns();
  int error = dispatch(file->get(), request, address);
  if (request == AVOCET_ACCEL_SUBMIT && !error)
    record_submit(*static_cast<avocet_accel_submit*>(argument), start);
  else if (request == AVOCET_ACCEL_WAIT)
    timeline_.host_slice(AVOCET_HOST_DRIVER, "WAIT", start, avocet_os_now_ns(), 0);
  return error;
}

int SimDevice::dispatch(avocet_file* file, unsigned long request, uint64_t address) {
  if (!recorder_.enabled()) return avocet_ioctl_dispatch(file, request, address);
  if (request == AVOCET_ACCEL_SUBMIT) return recorder_.submit(file, address);
  avocet_accel_context_destroy destroyed{};
  if (request == AVOCET_ACCEL_CONTEXT_DESTROY && avocet_os_copy_from_user(&destroyed, address, sizeof destroyed) == 0)
    recorder_.forget_context(file, destroyed.context);
  const int error = avocet_ioctl_dispatch(file, request, address);
  avocet_accel_wait waited{};
  if (request == AVOCET_ACCEL_WAIT && error == 0 && avocet_os_copy_from_user(&waited, address, sizeof waited) == 0)
    recorder_.job_is_over(waited.job_id);
  return error;
}

// An arrow for each job; a slice has room for one, so the others get slices of no length at its end.
void SimDevice::record_submit(const avocet_accel_submit& arguments, uint64_t start_ns) {
  uint64_t end = avocet_os_now_ns();
  for (uint32_t i = 0; i < arguments.job_count; i++) {
    uint64_t id = 0;
    uint64_t at = arguments.jobs + uint64_t{i} * arguments.job_struct_size + offsetof(avocet_accel_job, job_id);
    if (avocet_os_copy_from_user(&id, at, sizeof id) != 0) return;
    timeline_.host_slice(AVOCET_HOST_DRIVER, "SUBMIT", i == 0 ? start_ns : end, end, id);
  }
}

// ---- mappings ----

void* SimDevice::mmap(int handle, uint64_t offset, size_t bytes) {
  std::shared_ptr<OpenFile> file = is_fork_child ? nullptr : find(handle);
  avocet_buffer* buffer = nullptr;
  int error = !file ? -EBADF : bytes > SIZE_MAX - 4096 ? -EINVAL : 0;
  if (!error) error = avocet_buffer_for_mmap(file->get(), offset, round_to_pages(bytes), &buffer);
  if (error) {
    errno = -error;
    return nullptr;
  }
  void* address = avocet_os_memory_mmap(&os_, &buffer->mapping.pages->memory, round_to_pages(bytes));
  if (!address) {
    int reason = errno;
    avocet_object_put(&buffer->object);
    errno = reason;
    return nullptr;
  }
  std::lock_guard lock(mutex_);
  mappings_[address] = {round_to_pages(bytes), buffer};
  return address;
}

int SimDevice::munmap(void* address, size_t bytes) {
  if (is_fork_child) return ::munmap(address, round_to_pages(bytes)) == 0 ? 0 : -errno;
  avocet_buffer* buffer = nullptr;
  {
    std::lock_guard lock(mutex_);
    auto mapping = mappings_.find(address);
    if (mapping == mappings_.end() || mapping->second.bytes != round_to_pages(bytes)) return -EINVAL;
    buffer = mapping->second.buffer;
    mappings_.erase(mapping);
    // Under the lock: the address must not be given out again while it is still in our table.
    if (::munmap(address, round_to_pages(bytes)) != 0) return -errno;
  }
  avocet_object_put(&buffer->object);
  return 0;
}

}  // namespace avocet::sim
