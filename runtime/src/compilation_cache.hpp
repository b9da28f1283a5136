// SPDX-License-Identifier: Apache-2.0
// Programs of accelerator steps in the client's cache directory. A file is written under another name and renamed, so
// that readers, of this process or others, see a whole file or none; anything wrong with one makes it a miss.
#pragma once

#include <android/NeuralNetworks.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accelerator.hpp"

namespace avocet::runtime {

using CacheToken = std::array<uint8_t, ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN>;

class CompilationCache {
 public:
  CompilationCache(std::string directory, const CacheToken& token) : directory_(std::move(directory)), token_(token) {}

  /// The program stored for a step, or nothing.
  std::optional<std::vector<uint8_t>> read(const Accelerator& accelerator, const SubModel& group,
                                           const CompileOptions& options) const;

  /// Failures are logged and otherwise ignored: a compilation does not depend on its cache.
  void write(const Accelerator& accelerator, const SubModel& group, const CompileOptions& options,
             const std::vector<uint8_t>& program) const noexcept;

 private:
  std::string path(uint64_t key) const;

  std::string directory_;
  CacheToken token_;
};

}  // namespace avocet::runtime
