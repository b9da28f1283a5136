// SPDX-License-Identifier: Apache-2.0
// IDX: two zero bytes, element type (8 = unsigned byte), rank, big-endian extents, elements.
#include "demo/digit_set.hpp"

#include <zlib.h>

#include <filesystem>
#include <memory>

#include "input_error.hpp"

namespace avocet::tools {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 28;

std::vector<uint8_t> read_gzip(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw InputError(path + ": cannot be opened");
  std::vector<uint8_t> bytes;
  uint8_t buffer[65536];
  int got = 0;
  while ((got = gzread(file.get(), buffer, sizeof buffer)) > 0) {
    bytes.insert(bytes.end(), buffer, buffer + got);
    if (bytes.size() > kMaxBytes) throw InputError(path + ": too large");
  }
  if (got < 0) throw InputError(path + ": damaged");
  return bytes;
}

struct Idx {
  std::vector<uint32_t> dims;
  std::vector<uint8_t> elements;
};

Idx read_idx(const std::string& path, size_t rank) {
  const std::vector<uint8_t> bytes = read_gzip(path);
  const size_t head = 4 + 4 * rank;
  if (bytes.size() < head || bytes[0] || bytes[1] || bytes[2] != 8 || bytes[3] != rank) {
    throw InputError(path + ": not an IDX file of bytes of rank " + std::to_string(rank));
  }
  Idx idx;
  uint64_t count = 1;
  for (size_t d = 0; d < rank; ++d) {
    const uint8_t* at = bytes.data() + 4 + 4 * d;
    idx.dims.push_back(uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | at[3]);
    count *= idx.dims.back();
    if (count > kMaxBytes) throw InputError(path + ": too large");
  }
  if (bytes.size() - head != count) throw InputError(path + ": truncated");
  idx.elements.assign(bytes.begin() + static_cast<std::ptrdiff_t>(head), bytes.end());
  return idx;
}

}  // namespace

DigitSet read_digit_set(const std::string& directory) {
  const Idx images = read_idx(directory + "/images.idx3-ubyte.gz", 3);
  Idx labels = read_idx(directory + "/labels.idx1-ubyte.gz", 1);
  if (images.dims[0] != labels.dims[0]) throw InputError(directory + ": another number of labels than images");
  DigitSet set{.height = images.dims[1], .width = images.dims[2], .images = {}, .labels = std::move(labels.elements)};
  const size_t size = static_cast<size_t>(set.height) * set.width;
  for (size_t i = 0; i < images.dims[0]; ++i) {
    const auto begin = images.elements.begin() + static_cast<std::ptrdiff_t>(i * size);
    set.images.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return set;
}

std::string find_digits(const std::string& given) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  std::vector<std::string> candidates = {given};
  if (given.empty()) {
    const fs::path command = fs::read_symlink("/proc/self/exe", ignored);
    candidates = {(command.parent_path().parent_path() / "share/avocet/digits").string(), AVOCET_SOURCE_DIR "/traces/digits"};
  }
  for (const std::string& folder : candidates) {
    if (fs::exists(folder + "/digits.tflite", ignored)) return folder;
  }
  throw InputError(candidates.back() + ": no digits.tflite there");
}

}  // namespace avocet::tools
