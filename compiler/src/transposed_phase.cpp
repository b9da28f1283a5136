// SPDX-License-Identifier: Apache-2.0
#include "transposed_phase.hpp"

namespace avocet::compiler {

// Output o and input i meet at tap k = o + pad - i * stride. For o = phase + j * stride those are the taps with the residue
// of phase + pad, and i = j + (phase + pad) / stride - (tap's number among them).
TransposedPhase transposed_phase(uint32_t phase, uint32_t stride, uint32_t kernel, uint32_t pad, uint32_t outputs) {
  TransposedPhase result;
  if (phase >= outputs) return result;
  result.outputs = (outputs - phase + stride - 1) / stride;
  const uint32_t residue = (phase + pad) % stride;
  if (residue >= kernel) return result;
  result.taps = (kernel - residue + stride - 1) / stride;
  result.last_tap = residue + (result.taps - 1) * stride;
  result.pad_before = static_cast<int32_t>(result.taps) - 1 - static_cast<int32_t>((phase + pad) / stride);
  return result;
}

bool misses_outputs(uint32_t stride, uint32_t kernel, uint32_t pad, uint32_t outputs) {
  for (uint32_t phase = 0; phase < stride && phase < outputs; ++phase)
    if (transposed_phase(phase, stride, kernel, pad, outputs).taps == 0) return true;
  return false;
}

}  // namespace avocet::compiler
