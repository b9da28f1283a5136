// SPDX-License-Identifier: Apache-2.0
// SharedMemory on memfd. The API duplicates the descriptor, so ours closes at once.
#include "nnapi/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace avocet::tools {

SharedMemory::SharedMemory(size_t bytes) : size_(std::max<size_t>(bytes, 1)) {
  const int fd = memfd_create("avocet-tools", MFD_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  void* mapping = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(size_)) == 0) {
    mapping = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  const int map_error = errno;
  ANeuralNetworksMemory* memory = nullptr;
  int code = ANEURALNETWORKS_OUT_OF_MEMORY;
  if (mapping != MAP_FAILED) {
    code = ANeuralNetworksMemory_createFromFd(size_, PROT_READ | PROT_WRITE, fd, 0, &memory);
  }
  close(fd);
  if (mapping == MAP_FAILED) throw std::system_error(map_error, std::generic_category(), "mmap");
  data_ = static_cast<uint8_t*>(mapping);
  memory_.reset(memory);
  if (code != ANEURALNETWORKS_NO_ERROR) {
    munmap(data_, size_);
    throw ApiError("Memory_createFromFd", code);
  }
}

SharedMemory::~SharedMemory() {
  memory_.reset();
  munmap(data_, size_);
}

}  // namespace avocet::tools
