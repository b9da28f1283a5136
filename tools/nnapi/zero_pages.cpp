// SPDX-License-Identifier: Apache-2.0
// A read-only anonymous mapping: pages that are read are all the kernel's one page of zeros.
#include "nnapi/zero_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace avocet::tools {

ZeroPages::ZeroPages(size_t bytes)
    : bytes_(std::max<size_t>(bytes, 1)),
      data_(mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
  if (data_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
}

ZeroPages::~ZeroPages() { munmap(data_, bytes_); }

}  // namespace avocet::tools
