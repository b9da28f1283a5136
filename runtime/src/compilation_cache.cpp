// SPDX-License-Identifier: Apache-2.0
// File: header, program, checksum of both. The key covers all that must make a miss when it changes: device, version,
// preference, priority, and the structure of the step; the token stands for the constants.
#include "compilation_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "log.hpp"

namespace avocet::runtime {
namespace {

constexpr uint32_t kMagic = 0x43435641;  // "AVCC"
constexpr uint32_t kVersion = 1;
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

struct Header {
  uint32_t magic = kMagic;
  uint32_t version = kVersion;
  uint64_t key = 0;
  uint64_t program_bytes = 0;
  CacheToken token{};
};
static_assert(sizeof(Header) == 56, "no padding: the header is written as it is");

/// FNV-1a, 64 bits. Not against forgers: who can write the directory can write programs anyway, and load() checks them.
class Hash {
 public:
  void add(const void* data, size_t bytes) {
    const auto* p = static_cast<const uint8_t*>(data);
    for (size_t i = 0; i < bytes; ++i) value_ = (value_ ^ p[i]) * 0x100000001b3u;
  }
  template <typename T>
  void add_value(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    add(&value, sizeof value);
  }
  void add_text(const std::string& text) {
    add_value(text.size());
    add(text.data(), text.size());
  }
  template <typename T>
  void add_list(const std::vector<T>& list) {
    add_value(list.size());
    add(list.data(), list.size() * sizeof(T));
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

uint64_t key_of(const Accelerator& accelerator, const SubModel& group, const CompileOptions& options) {
  Hash hash;
  hash.add_text(accelerator.name());
  hash.add_text(accelerator.version());
  hash.add_text(AVOCET_RUNTIME_VERSION);
  hash.add_value(options.preference);
  hash.add_value(options.priority);
  hash.add_value(options.profile_layers);
  hash.add_value(group.model->relaxed());
  hash.add_value(group.model_number);
  hash.add_list(group.operations);
  hash.add_list(group.inputs);
  hash.add_list(group.outputs);
  for (uint32_t i : group.operations) {
    const ModelOperation& operation = group.model->operations()[i];
    hash.add_value(operation.code);
    hash.add_list(operation.inputs);
    hash.add_list(operation.outputs);
    for (const std::vector<uint32_t>* list : {&operation.inputs, &operation.outputs}) {
      for (uint32_t index : *list) {
        const Operand& operand = group.model->operand(index);
        hash.add_value(operand.type);
        hash.add_list(operand.dims);
        hash.add_value(operand.scale);
        hash.add_value(operand.zero_point);
        hash.add_list(operand.channel_scales);
        hash.add_value(static_cast<int>(operand.lifetime));
        hash.add_list(operand.copy);
      }
    }
  }
  return hash.value();
}

class File {
 public:
  File(const std::string& path, int flags, mode_t mode = 0) : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool open() const { return fd_ >= 0; }

  bool regular(uint64_t* bytes) const {
    struct stat status;
    if (fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    *bytes = static_cast<uint64_t>(status.st_size);
    return true;
  }

  bool read(void* data, size_t bytes) const {
    auto* p = static_cast<uint8_t*>(data);
    while (bytes) {
      const ssize_t n = ::read(fd_, p, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      p += n;
      bytes -= static_cast<size_t>(n);
    }
    return true;
  }

  bool write(const void* data, size_t bytes) const {
    const auto* p = static_cast<const uint8_t*>(data);
    while (bytes) {
      const ssize_t n = ::write(fd_, p, bytes);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      p += n;
      bytes -= static_cast<size_t>(n);
    }
    return true;
  }

 private:
  int fd_;
};

uint64_t checksum_of(const Header& header, const std::vector<uint8_t>& program) {
  Hash hash;
  hash.add(&header, sizeof header);
  hash.add(program.data(), program.size());
  return hash.value();
}

}  // namespace

std::string CompilationCache::path(uint64_t key) const {
  std::string name = directory_;
  if (name.empty() || name.back() != '/') name += '/';
  name += "avocet-";
  char digits[17];
  for (uint8_t byte : token_) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    name += digits;
  }
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(key));
  return name + '-' + digits;
}

std::optional<std::vector<uint8_t>> CompilationCache::read(const Accelerator& accelerator, const SubModel& group,
                                                           const CompileOptions& options) const {
  const uint64_t key = key_of(accelerator, group, options);
  const File file(path(key), O_RDONLY | O_NONBLOCK);  // not blocking: somebody may have put a pipe there
  uint64_t bytes = 0;
  if (!file.open() || !file.regular(&bytes)) return std::nullopt;
  Header header;
  uint64_t checksum = 0;
  if (bytes < sizeof header + sizeof checksum || bytes > kMostBytes || !file.read(&header, sizeof header))
    return std::nullopt;
  if (header.magic != kMagic || header.version != kVersion || header.key != key || header.token != token_ ||
      header.program_bytes != bytes - sizeof header - sizeof checksum) {
    log_info("cache file " + path(key) + " is not one of this program: compiling again");
    return std::nullopt;
  }
  std::vector<uint8_t> program(header.program_bytes);
  if (!file.read(program.data(), program.size()) || !file.read(&checksum, sizeof checksum) ||
      checksum != checksum_of(header, program)) {
    log_info("cache file " + path(key) + " is damaged: compiling again");
    return std::nullopt;
  }
  return program;
}

void CompilationCache::write(const Accelerator& accelerator, const SubModel& group, const CompileOptions& options,
                             const std::vector<uint8_t>& program) const noexcept try {
  static std::atomic<unsigned> counter{0};
  if (program.empty() || program.size() > kMostBytes / 2) return;
  Header header;
  header.key = key_of(accelerator, group, options);
  header.program_bytes = program.size();
  header.token = token_;
  const uint64_t checksum = checksum_of(header, program);
  const std::string name = path(header.key);
  const std::string temporary = name + '.' + std::to_string(getpid()) + '.' + std::to_string(counter++) + ".tmp";
  bool written = false;
  {
    const File file(temporary, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (!file.open()) {
      log_info("cache directory " + directory_ + ": " + std::strerror(errno));
      return;
    }
    written = file.write(&header, sizeof header) && file.write(program.data(), program.size()) &&
              file.write(&checksum, sizeof checksum);
  }
  if (!written || std::rename(temporary.c_str(), name.c_str()) != 0) {
    log_info("cache file " + name + " could not be written: " + std::strerror(errno));
    ::unlink(temporary.c_str());
  }
} catch (...) {
  log_info("the cache could not be written: out of memory");
}

}  // namespace avocet::runtime
