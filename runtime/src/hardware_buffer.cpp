// SPDX-License-Identifier: Apache-2.0
// AHardwareBuffer: a counted mapping of a memfd. A handle travels over a Unix socket as one message: the description,
// with the memfd beside it.
#include "hardware_buffer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>

#include "api.hpp"

struct AHardwareBuffer {
  std::atomic<long> references{1};
  AHardwareBuffer_Desc desc{};
  int fd = -1;
  void* data = nullptr;
  size_t bytes = 0;

  ~AHardwareBuffer() {
    if (data) munmap(data, bytes);
    if (fd >= 0) close(fd);
  }
};

namespace avocet::runtime {

uint8_t* hardware_buffer_data(const AHardwareBuffer* buffer) { return static_cast<uint8_t*>(buffer->data); }
size_t hardware_buffer_bytes(const AHardwareBuffer* buffer) { return buffer->bytes; }

namespace {

constexpr uint64_t kCpuRead = AHARDWAREBUFFER_USAGE_CPU_READ_MASK;
constexpr uint64_t kCpuWrite = AHARDWAREBUFFER_USAGE_CPU_WRITE_MASK;
constexpr uint32_t kMessageMagic = 0x42484156;  // "AVHB"

struct Message {
  uint32_t magic = kMessageMagic;
  uint32_t bytes = sizeof(AHardwareBuffer_Desc);
  AHardwareBuffer_Desc desc;
};

/// Bytes of a pixel, 0 for formats that are not plain.
size_t pixel_bytes(uint32_t format) {
  switch (format) {
    case AHARDWAREBUFFER_FORMAT_BLOB:
      return 1;
    case AHARDWAREBUFFER_FORMAT_R5G6B5_UNORM:
      return 2;
    case AHARDWAREBUFFER_FORMAT_R8G8B8_UNORM:
      return 3;
    case AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM:
    case AHARDWAREBUFFER_FORMAT_R8G8B8X8_UNORM:
    case AHARDWAREBUFFER_FORMAT_R10G10B10A2_UNORM:
      return 4;
    case AHARDWAREBUFFER_FORMAT_R16G16B16A16_FLOAT:
      return 8;
    default:
      return 0;
  }
}

/// Size of the content, 0 when the description is not one we can make.
size_t bytes_of(const AHardwareBuffer_Desc& desc) {
  const uint64_t pixel = pixel_bytes(desc.format);
  if (pixel == 0 || desc.layers != 1 || desc.rfu0 != 0 || desc.rfu1 != 0) return 0;
  if (desc.format == AHARDWAREBUFFER_FORMAT_BLOB && desc.height != 1) return 0;
  const uint64_t pixels = uint64_t{desc.width} * desc.height;
  if (pixels > (uint64_t{1} << 40)) return 0;
  return static_cast<size_t>(pixels * pixel);
}

/// Maps `fd`, which it takes over, as a buffer of this description. 0 or a negative errno.
int adopt(int fd, const AHardwareBuffer_Desc& desc, size_t bytes, AHardwareBuffer** result) {
  auto* buffer = new (std::nothrow) AHardwareBuffer;
  if (!buffer) {
    close(fd);
    return -ENOMEM;
  }
  buffer->fd = fd;
  buffer->desc = desc;
  buffer->desc.stride = desc.width;
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    delete buffer;
    return -error;
  }
  buffer->data = data;
  buffer->bytes = bytes;
  *result = buffer;
  return 0;
}

int wait_and_close(int fence) {
  if (fence < 0) return 0;
  pollfd poll_fd{fence, POLLIN, 0};
  int result;
  do {
    result = poll(&poll_fd, 1, -1);
  } while (result < 0 && errno == EINTR);
  const bool bad = result < 0 || (poll_fd.revents & (POLLERR | POLLNVAL)) != 0;
  close(fence);
  return bad ? -EINVAL : 0;
}

/// The descriptor that came with a message, -1 without one.
int descriptor_of(msghdr& header) {
  int fd = -1;
  for (cmsghdr* control = CMSG_FIRSTHDR(&header); control; control = CMSG_NXTHDR(&header, control)) {
    if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&fd, CMSG_DATA(control), sizeof fd);
    }
  }
  return fd;
}

}  // namespace
}  // namespace avocet::runtime

using namespace avocet::runtime;

AVOCET_API int AHardwareBuffer_allocate(const AHardwareBuffer_Desc* desc, AHardwareBuffer** outBuffer) {
  if (!desc || !outBuffer) return -EINVAL;
  *outBuffer = nullptr;
  const size_t bytes = bytes_of(*desc);
  if (bytes == 0) return -EINVAL;
  const int fd = memfd_create("AHardwareBuffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -errno;
  // Nobody who receives the buffer may shrink it under the others' mappings.
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0 ||
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    const int error = errno == EFBIG ? ENOMEM : errno;
    close(fd);
    return -error;
  }
  return adopt(fd, *desc, bytes, outBuffer);
}

AVOCET_API void AHardwareBuffer_acquire(AHardwareBuffer* buffer) {
  if (buffer) buffer->references.fetch_add(1, std::memory_order_relaxed);
}

AVOCET_API void AHardwareBuffer_release(AHardwareBuffer* buffer) {
  if (buffer && buffer->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete buffer;
}

AVOCET_API void AHardwareBuffer_describe(const AHardwareBuffer* buffer, AHardwareBuffer_Desc* outDesc) {
  if (buffer && outDesc) *outDesc = buffer->desc;
}

AVOCET_API int AHardwareBuffer_lock(AHardwareBuffer* buffer, uint64_t usage, int32_t fence, const ARect* rect,
                                    void** outVirtualAddress) {
  (void)rect;
  if (!buffer || !outVirtualAddress) return -EINVAL;
  *outVirtualAddress = nullptr;
  if ((usage & ~(kCpuRead | kCpuWrite)) != 0 || usage == 0) return -EINVAL;
  if ((usage & kCpuRead) && !(buffer->desc.usage & kCpuRead)) return -EINVAL;
  if ((usage & kCpuWrite) && !(buffer->desc.usage & kCpuWrite)) return -EINVAL;
  if (const int error = wait_and_close(fence)) return error;
  *outVirtualAddress = buffer->data;
  return 0;
}

AVOCET_API int AHardwareBuffer_unlock(AHardwareBuffer* buffer, int32_t* fence) {
  if (!buffer) return -EINVAL;
  if (fence) *fence = -1;
  return 0;
}

AVOCET_API int AHardwareBuffer_sendHandleToUnixSocket(const AHardwareBuffer* buffer, int socketFd) {
  if (!buffer) return -EINVAL;
  Message message;
  message.desc = buffer->desc;
  iovec part{&message, sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  cmsghdr* rights = CMSG_FIRSTHDR(&header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(rights), &buffer->fd, sizeof(int));
  ssize_t sent;
  do {
    sent = sendmsg(socketFd, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) return -errno;
  return sent == static_cast<ssize_t>(sizeof message) ? 0 : -EMSGSIZE;
}

AVOCET_API int AHardwareBuffer_recvHandleFromUnixSocket(int socketFd, AHardwareBuffer** outBuffer) {
  if (!outBuffer) return -EINVAL;
  *outBuffer = nullptr;
  Message message;
  iovec part{&message, sizeof message};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t received;
  do {
    received = recvmsg(socketFd, &header, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  const int fd = descriptor_of(header);
  // The sender is another program: nothing it says is believed before the file itself agrees.
  struct stat status;
  const bool complete = received == static_cast<ssize_t>(sizeof message) && message.magic == kMessageMagic &&
                        message.bytes == sizeof message.desc;
  const size_t bytes = complete ? bytes_of(message.desc) : 0;
  if (fd < 0 || bytes == 0 || fstat(fd, &status) != 0 || static_cast<uint64_t>(status.st_size) < bytes) {
    if (fd >= 0) close(fd);
    return -EBADMSG;
  }
  const int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 || !(seals & F_SEAL_SHRINK)) {
    close(fd);
    return -EBADMSG;
  }
  return adopt(fd, message.desc, bytes, outBuffer);
}
