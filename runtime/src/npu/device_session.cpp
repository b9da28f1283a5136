// SPDX-License-Identifier: Apache-2.0
#include "device_session.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "avocet_device.h"
#include "operations/failure.hpp"
#include "result_code.hpp"

namespace avocet::runtime::npu {

Status driver_failure(const char* what, int error) {
  const int positive = error < 0 ? -error : error;
  return failure(result_from_errno(positive), "avocet-npu: ", what, ": ", std::strerror(positive));
}

Context::~Context() {
  avocet_accel_context_destroy request{.context = handle_, .pad = 0};
  avocet_ioctl(device_, AVOCET_ACCEL_CONTEXT_DESTROY, &request);
}

// ---- Buffer

Status Buffer::create(const std::shared_ptr<Context>& context, uint64_t bytes, Buffer* buffer) {
  avocet_accel_buffer_create request{};
  request.context = context->handle();
  request.bytes = bytes;
  if (int error = avocet_ioctl(context->device(), AVOCET_ACCEL_BUFFER_CREATE, &request)) {
    return driver_failure("creating a buffer", error);
  }
  Buffer made;
  made.context_ = context;
  made.handle_ = request.handle;
  made.bytes_ = bytes;
  made.data_ = static_cast<uint8_t*>(avocet_mmap(context->device(), request.mmap_offset, bytes));
  if (!made.data_) return driver_failure("mapping a buffer", errno);
  *buffer = std::move(made);
  return {};
}

Buffer::~Buffer() {
  if (data_) avocet_munmap(data_, bytes_);
  if (handle_) {
    avocet_accel_buffer_close request{.handle = handle_, .pad = 0};
    avocet_ioctl(context_->device(), AVOCET_ACCEL_BUFFER_CLOSE, &request);
  }
}

void Buffer::swap(Buffer& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(handle_, other.handle_);
  std::swap(bytes_, other.bytes_);
  std::swap(data_, other.data_);
}

// ---- DeviceProgram

Status DeviceProgram::create(const std::shared_ptr<Context>& context, std::span<const uint32_t> stream,
                             DeviceProgram* program) {
  avocet_accel_program_create request{};
  request.context = context->handle();
  request.stream = reinterpret_cast<uintptr_t>(stream.data());
  request.bytes = stream.size_bytes();
  request.flags = AVOCET_ACCEL_PROGRAM_GANG;  // as many streams as it holds
  if (int error = avocet_ioctl(context->device(), AVOCET_ACCEL_PROGRAM_CREATE, &request)) {
    if (request.status != 0) {
      return op_failed("avocet-npu: the driver refused the command stream: status ", request.status, " at word ",
                       request.position);
    }
    return driver_failure("creating a program", error);
  }
  DeviceProgram made;
  made.context_ = context;
  made.handle_ = request.handle;
  made.tags_ = request.tags;
  for (uint32_t r = 0; r < AVOCET_ACCEL_REGIONS; ++r) {
    made.region_bytes_[r] = request.region_bytes[r];
    made.region_flags_[r] = request.region_flags[r];
  }
  *program = std::move(made);
  return {};
}

DeviceProgram::~DeviceProgram() {
  if (!handle_) return;
  avocet_accel_program_close request{.handle = handle_, .pad = 0};
  avocet_ioctl(context_->device(), AVOCET_ACCEL_PROGRAM_CLOSE, &request);
}

void DeviceProgram::swap(DeviceProgram& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(handle_, other.handle_);
  std::swap(tags_, other.tags_);
  std::swap(region_bytes_, other.region_bytes_);
  std::swap(region_flags_, other.region_flags_);
}

// ---- DeviceSession

Status DeviceSession::open(DeviceSession** session) {
  // Leaked on purpose: programs may be freed by static destructors of the client, after ours would have run.
  static DeviceSession* const the_session = new DeviceSession;
  static const Status started = the_session->start();
  *session = started.ok() ? the_session : nullptr;
  return started;
}

Status DeviceSession::start() {
  device_ = avocet_open();
  if (device_ < 0) {
    return failure(ANEURALNETWORKS_UNAVAILABLE_DEVICE, "avocet-npu: ", avocet_sim_error()[0] ? avocet_sim_error() : std::strerror(-device_));
  }
  avocet_accel_query query{.type = AVOCET_ACCEL_QUERY_INFO, .size = sizeof info_, .data = reinterpret_cast<uintptr_t>(&info_)};
  if (int error = avocet_ioctl(device_, AVOCET_ACCEL_QUERY, &query)) return driver_failure("asking for capabilities", error);
  config_ = {.array_rows = info_.array_rows,
             .array_cols = info_.array_cols,
             .acc_rows = info_.acc_rows,
             .vector_lanes = info_.vector_lanes,
             .sram_bytes = info_.sram_bytes,
             .sram_banks = info_.sram_banks,
             .dma_channels = info_.dma_channels,
             .dma_bytes_per_cycle = info_.dma_bytes_per_cycle,
             .dram_millibytes_per_cycle = info_.dram_millibytes_per_cycle,
             .dram_latency = info_.dram_latency,
             .clock_khz = info_.clock_khz,
             .cores = info_.cores};
  contexts_.resize(std::max(info_.cores, 1u));
  return {};
}

Status DeviceSession::context(std::shared_ptr<Context>* context) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Context>& next = contexts_[turn_];
  if (!next) {
    avocet_accel_context_create request{};
    if (int error = avocet_ioctl(device_, AVOCET_ACCEL_CONTEXT_CREATE, &request)) {
      return driver_failure("creating a context", error);
    }
    next = std::make_shared<Context>(device_, request.context);
  }
  turn_ = (turn_ + 1) % contexts_.size();
  *context = next;
  return {};
}

void DeviceSession::retire(const std::shared_ptr<Context>& context) {
  const std::lock_guard lock(mutex_);
  for (std::shared_ptr<Context>& one : contexts_) {
    if (one == context) one.reset();
  }
}

}  // namespace avocet::runtime::npu
