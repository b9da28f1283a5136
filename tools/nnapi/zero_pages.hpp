// SPDX-License-Identifier: Apache-2.0
// Bytes that are zero and take no memory, however many: constants of which only the shape matters.
#pragma once

#include <cstddef>

namespace avocet::tools {

class ZeroPages {
 public:
  /// Throws std::system_error.
  explicit ZeroPages(size_t bytes);
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;
  ~ZeroPages();
  const void* data() const { return data_; }

 private:
  size_t bytes_;
  void* data_;
};

}  // namespace avocet::tools
