// SPDX-License-Identifier: Apache-2.0
// Memory from file descriptors and AHardwareBuffers, and copies between memories of any kind.
#include "memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "api.hpp"
#include "device_memory.hpp"
#include "hardware_buffer.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

/// The rule for memories of known size that are used in pieces.
Status check_piece(size_t offset, size_t length, size_t size) {
  if (offset == 0 && length == 0) return bad_data("offset and length are 0, but this memory is not used as a whole");
  if (offset > size || length > size - offset) {
    return bad_data("offset ", offset, " and length ", length, " exceed the memory's ", size, " bytes");
  }
  return {};
}

class MappedMemory : public Memory {
 public:
  /// Takes over the mapping.
  MappedMemory(void* data, size_t size, int protect) {
    data_ = static_cast<uint8_t*>(data);
    size_ = size;
    readable_ = protect != PROT_NONE;
    writable_ = (protect & PROT_WRITE) != 0;
  }
  ~MappedMemory() override { munmap(data_, size_); }

  Status check_use(MemoryUse, const Compilation*, uint32_t, size_t offset, size_t length) const override {
    return check_piece(offset, length, size_);
  }
};

class HardwareBufferMemory : public Memory {
 public:
  explicit HardwareBufferMemory(AHardwareBuffer* buffer) : buffer_(buffer) {
    AHardwareBuffer_acquire(buffer);
    data_ = hardware_buffer_data(buffer);
    size_ = hardware_buffer_bytes(buffer);
    readable_ = writable_ = true;
    AHardwareBuffer_Desc desc;
    AHardwareBuffer_describe(buffer, &desc);
    blob_ = desc.format == AHARDWAREBUFFER_FORMAT_BLOB;
  }
  ~HardwareBufferMemory() override { AHardwareBuffer_release(buffer_); }

  Status check_use(MemoryUse use, const Compilation*, uint32_t, size_t offset, size_t length) const override {
    if (blob_) return check_piece(offset, length, size_);
    if (use == MemoryUse::kConstant)
      return bad_data("an AHardwareBuffer with a format other than BLOB cannot hold constants");
    if (offset != 0 || length != 0) return bad_data("offset and length must be 0: the buffer is used as a whole");
    return {};
  }
  bool used_whole() const override { return !blob_; }

 private:
  AHardwareBuffer* buffer_;
  bool blob_ = false;
};

Status map_file(size_t size, int protect, int fd, size_t offset, Memory** memory) {
  if (size == 0) return bad_data("size is 0");
  if (fd < 0) return bad_data("file descriptor ", fd);
  if ((protect & ~(PROT_READ | PROT_WRITE)) != 0) return bad_data("protection ", protect, " has unknown bits");
  if (offset % static_cast<size_t>(sysconf(_SC_PAGESIZE)) != 0)
    return bad_data("offset ", offset, " is not a multiple of the page size");
  struct stat status;
  if (fstat(fd, &status) != 0) return bad_data("file descriptor ", fd, ": ", std::strerror(errno));
  const auto file_size = static_cast<uint64_t>(status.st_size);
  if (S_ISREG(status.st_mode) && (offset > file_size || size > file_size - offset)) {
    return bad_data("size ", size, " at offset ", offset, " exceeds the file's ", file_size, " bytes");
  }
  // Linux maps only files open for reading, and written pages are readable: PROT_WRITE alone costs nothing more.
  const int flags = protect & PROT_WRITE ? PROT_READ | PROT_WRITE : protect;
  // The mapping holds the file by itself; the client may close the descriptor at once.
  void* data = mmap(nullptr, size, flags, MAP_SHARED, fd, static_cast<off_t>(offset));
  if (data == MAP_FAILED) return failure(ANEURALNETWORKS_UNMAPPABLE, "mmap: ", std::strerror(errno));
  try {
    *memory = new MappedMemory(data, size, protect);
  } catch (...) {
    munmap(data, size);
    throw;
  }
  return {};
}

Status copy_bytes(const Memory& source, Memory& destination) {
  if (source.size() != destination.size()) {
    return bad_data("the source has ", source.size(), " bytes, the destination ", destination.size());
  }
  if (!source.readable() || !destination.writable())
    return failure(ANEURALNETWORKS_UNMAPPABLE, "the memory is not mapped for this");
  std::memmove(destination.data(), source.data(), source.size());
  return {};
}

Status copy(Memory& source, Memory& destination) {
  if (&source == &destination) return {};
  if (!source.device() && !destination.device()) return copy_bytes(source, destination);
  return copy_device_memory(source, destination);
}

}  // namespace
}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int ANeuralNetworksMemory_createFromFd(size_t size, int protect, int fd, size_t offset,
                                                  ANeuralNetworksMemory** memory) {
  return api_call(__func__, [&]() -> Status {
    if (!memory) return null_argument("memory");
    *memory = nullptr;
    Memory* made = nullptr;
    AVOCET_RETURN_IF_FAILED(map_file(size, protect, fd, offset, &made));
    *memory = made->handle();
    return {};
  });
}

AVOCET_API int ANeuralNetworksMemory_createFromAHardwareBuffer(const AHardwareBuffer* ahwb,
                                                               ANeuralNetworksMemory** memory) {
  return api_call(__func__, [&]() -> Status {
    if (memory) *memory = nullptr;
    if (!ahwb) return null_argument("ahwb");
    if (!memory) return null_argument("memory");
    *memory = (new HardwareBufferMemory(const_cast<AHardwareBuffer*>(ahwb)))->handle();
    return {};
  });
}

AVOCET_API void ANeuralNetworksMemory_free(ANeuralNetworksMemory* memory) {
  if (memory) Memory::of(memory)->release();
}

AVOCET_API int ANeuralNetworksMemory_copy(const ANeuralNetworksMemory* src, const ANeuralNetworksMemory* dst) {
  return api_call(__func__, [&]() -> Status {
    if (!src) return null_argument("src");
    if (!dst) return null_argument("dst");
    return copy(*Memory::of(const_cast<ANeuralNetworksMemory*>(src)),
                *Memory::of(const_cast<ANeuralNetworksMemory*>(dst)));
  });
}
