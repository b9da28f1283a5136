// SPDX-License-Identifier: Apache-2.0
// Processor features: see processor.hpp.
#include "processor.hpp"

#include <cstdlib>

namespace avocet::runtime {
namespace {

bool simd_allowed() { return std::getenv("AVOCET_NO_SIMD") == nullptr; }

}  // namespace

bool processor_has_avx2() {
#if AVOCET_X86
  static const bool has = simd_allowed() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

bool processor_has_f16c() {
#if AVOCET_X86
  static const bool has = simd_allowed() && __builtin_cpu_supports("f16c");
  return has;
#else
  return false;
#endif
}

}  // namespace avocet::runtime
