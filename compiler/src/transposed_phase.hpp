// SPDX-License-Identifier: Apache-2.0
// A transposed convolution as plain ones: outputs that are `stride` apart meet the same taps of the kernel, every stride-th
// one, from the last to the first.
#pragma once

#include <cstdint>

namespace avocet::compiler {

/// Along one axis, for outputs phase, phase + stride, ...
struct TransposedPhase {
  uint32_t outputs = 0;    // how many
  uint32_t taps = 0;       // 0: nothing reaches them
  uint32_t last_tap = 0;   // of the kernel, met first; the next ones are `stride` before it
  int32_t pad_before = 0;  // of the plain convolution of stride 1
};

TransposedPhase transposed_phase(uint32_t phase, uint32_t stride, uint32_t kernel, uint32_t pad, uint32_t outputs);

/// Whether some outputs along an axis are reached by no tap. With few outputs the padding decides which residues they have.
bool misses_outputs(uint32_t stride, uint32_t kernel, uint32_t pad, uint32_t outputs);

}  // namespace avocet::compiler
