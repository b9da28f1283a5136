// SPDX-License-Identifier: Apache-2.0
#include "device_memory.hpp"

#include <algorithm>
#include <cstring>

#include "api.hpp"
#include "compilation.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {

DeviceMemory::DeviceMemory(Operand operand, std::vector<MemoryRole> roles)
    : operand_(std::move(operand)), roles_(std::move(roles)) {
  readable_ = writable_ = true;
  if (fully_specified(operand_.type, operand_.dims)) {
    size_ = value_bytes(operand_.type, operand_.dims).value_or(0);
    buffer_ = Buffer(size_);
    data_ = buffer_.data();
  }
}

Status DeviceMemory::check_use(MemoryUse use, const Compilation* compilation, uint32_t index, size_t offset,
                               size_t length) const {
  if (use == MemoryUse::kConstant) return bad_data("device memory cannot hold constants");
  if (std::find(roles_.begin(), roles_.end(), MemoryRole{compilation->id(), use, index}) == roles_.end()) {
    return bad_data("the device memory has no role as ", use == MemoryUse::kInput ? "input " : "output ", index,
                    " of this compilation");
  }
  if (offset != 0 || length != 0) return bad_data("offset and length must be 0: device memory is used as a whole");
  return {};
}

Status DeviceMemory::check_dims(const Dimensions& dims) const {
  if (compatible(operand_.dims, dims)) return {};
  return bad_data("the device memory is ", dims_text(operand_.dims), ", the operand ", dims_text(dims));
}

Status DeviceMemory::begin_reading(Dimensions* dims) const {
  std::lock_guard lock(mutex_);
  if (!initialised_) return op_failed("the device memory is not initialised");
  if (!agrees(*dims, value_dims_)) {
    return op_failed("the device memory holds ", dims_text(value_dims_), ", the input is ", dims_text(*dims));
  }
  *dims = value_dims_;
  return {};
}

bool DeviceMemory::begin_writing(size_t bytes, void** data) {
  std::lock_guard lock(mutex_);
  initialised_ = false;
  if (buffer_.capacity() < bytes) {
    if (fully_specified(operand_.type, operand_.dims)) return false;
    buffer_ = Buffer(bytes);
  }
  data_ = buffer_.data();
  size_ = bytes;
  *data = bytes ? data_ : nullptr;
  return true;
}

void DeviceMemory::end_writing(bool success, const Dimensions& dims) {
  std::lock_guard lock(mutex_);
  initialised_ = success;
  if (success) value_dims_ = dims;
}

bool DeviceMemory::initialised() const {
  std::lock_guard lock(mutex_);
  return initialised_;
}

Dimensions DeviceMemory::dims() const {
  std::lock_guard lock(mutex_);
  return initialised_ ? value_dims_ : operand_.dims;
}

namespace {

Status copy_from_device(DeviceMemory& source, Memory& destination) {
  if (!source.initialised()) return bad_data("the source is not initialised");
  if (source.size() != destination.size()) {
    return bad_data("the source has ", source.size(), " bytes, the destination ", destination.size());
  }
  if (!destination.writable()) return failure(ANEURALNETWORKS_UNMAPPABLE, "the destination is not mapped for writing");
  std::memcpy(destination.data(), source.data(), source.size());
  return {};
}

Status copy_to_device(const Memory& source, DeviceMemory& destination) {
  const Operand& operand = destination.operand();
  if (!fully_specified(operand.type, operand.dims)) return bad_data("the destination's number of elements is unknown");
  const size_t bytes = value_bytes(operand.type, operand.dims).value_or(0);
  if (source.size() != bytes) return bad_data("the source has ", source.size(), " bytes, the destination ", bytes);
  if (!source.readable()) return failure(ANEURALNETWORKS_UNMAPPABLE, "the source is not mapped for reading");
  void* data = nullptr;
  if (!destination.begin_writing(bytes, &data)) return op_failed("the destination is too small");
  std::memcpy(data, source.data(), bytes);
  destination.end_writing(true, operand.dims);
  return {};
}

Status copy_between_devices(DeviceMemory& source, DeviceMemory& destination) {
  if (!source.initialised()) return bad_data("the source is not initialised");
  if (!same_type(source.operand(), destination.operand()))
    return bad_data("source and destination have different types");
  const Dimensions dims = source.dims();
  if (!agrees(destination.operand().dims, dims)) {
    return bad_data("the source is ", dims_text(dims), ", the destination ", dims_text(destination.operand().dims));
  }
  void* data = nullptr;
  if (!destination.begin_writing(source.size(), &data)) return bad_data("the destination is too small");
  if (source.size()) std::memcpy(data, source.data(), source.size());
  destination.end_writing(true, dims);
  return {};
}

}  // namespace

Status copy_device_memory(Memory& source, Memory& destination) {
  DeviceMemory* const from = source.device();
  DeviceMemory* const to = destination.device();
  const Status status = from && to ? copy_between_devices(*from, *to)
                        : from     ? copy_from_device(*from, destination)
                                   : copy_to_device(source, *to);
  if (!status.ok() && to) to->end_writing(false, {});
  return status;
}

}  // namespace avocet::runtime
