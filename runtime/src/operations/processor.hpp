// SPDX-License-Identifier: Apache-2.0
// What the processor at hand can do, asked at run time: the library is built for the plain architecture, and functions
// with a target attribute are called only behind these questions.
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#define AVOCET_X86 1
#else
#define AVOCET_X86 0
#endif

namespace avocet::runtime {

/// AVX2 with FMA. AVOCET_NO_SIMD in the environment at first use answers no, which lets tests compare the portable kernels.
bool processor_has_avx2();
bool processor_has_f16c();

}  // namespace avocet::runtime
