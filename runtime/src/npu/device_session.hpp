// SPDX-License-Identifier: Apache-2.0
// The runtime's one open client of the accelerator's driver: capabilities, the context in use, buffers and programs in it.
// A context that faulted is retired: whoever holds things in it makes them again in the next one.
#pragma once

#include <avocet/compiler/compiler.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "avocet_isa.h"
#include "operations/operation.hpp"
#include "uapi/avocet_accel.h"

namespace avocet::runtime::npu {

/// An address space and job queue of the device. Destroyed with its last user.
class Context {
 public:
  Context(int device, uint32_t handle) : device_(device), handle_(handle) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  int device() const { return device_; }
  uint32_t handle() const { return handle_; }

 private:
  int device_;
  uint32_t handle_;
};

/// Device memory, mapped here for as long as it lives.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  /// bytes > 0.
  static Status create(const std::shared_ptr<Context>& context, uint64_t bytes, Buffer* buffer);

  uint32_t handle() const { return handle_; }
  uint64_t bytes() const { return bytes_; }
  uint8_t* data() const { return data_; }
  explicit operator bool() const { return handle_ != 0; }

 private:
  void swap(Buffer& other) noexcept;

  std::shared_ptr<Context> context_;
  uint32_t handle_ = 0;
  uint64_t bytes_ = 0;
  uint8_t* data_ = nullptr;
};

/// A command stream in the driver's keeping.
class DeviceProgram {
 public:
  DeviceProgram() = default;
  DeviceProgram(DeviceProgram&& other) noexcept { swap(other); }
  DeviceProgram& operator=(DeviceProgram&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceProgram();

  static Status create(const std::shared_ptr<Context>& context, std::span<const uint32_t> stream, DeviceProgram* program);

  uint32_t handle() const { return handle_; }
  uint32_t tags() const { return tags_; }
  uint64_t region_bytes(uint32_t region) const { return region_bytes_[region]; }
  uint32_t region_flags(uint32_t region) const { return region_flags_[region]; }

 private:
  void swap(DeviceProgram& other) noexcept;

  std::shared_ptr<Context> context_;
  uint32_t handle_ = 0;
  uint32_t tags_ = 0;
  std::array<uint64_t, AVOCET_ACCEL_REGIONS> region_bytes_{};
  std::array<uint32_t, AVOCET_ACCEL_REGIONS> region_flags_{};
};

class DeviceSession {
 public:
  /// Opens the device at the first call; later calls return the same session, or the same failure.
  static Status open(DeviceSession** session);

  const compiler::DeviceConfig& config() const { return config_; }
  /// False: the device counts cycles alone; constants and inputs need not reach it, outputs are not written.
  bool moves_values() const { return info_.engine != AVOCET_ENGINE_TIMING; }
  uint32_t uapi_version() const { return info_.uapi_version; }

  /// The context for a program to work in; a new one after retire(). There is one for each core of the device, in turns: jobs of
  /// different contexts can run side by side, those of one run one after the other.
  Status context(std::shared_ptr<Context>* context);
  /// `context` faulted: nobody gets it any more.
  void retire(const std::shared_ptr<Context>& context);

 private:
  Status start();

  int device_ = -1;
  avocet_accel_info info_{};
  compiler::DeviceConfig config_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Context>> contexts_;  // one a core; null: not made yet
  size_t turn_ = 0;
};

/// A failed driver call as a result code with a sentence.
Status driver_failure(const char* what, int error);

}  // namespace avocet::runtime::npu
