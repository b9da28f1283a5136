// SPDX-License-Identifier: Apache-2.0
// The 64 bit fingerprint of the FarmHash family, which LSH_PROJECTION is defined by: the same on all machines and for all time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace avocet::runtime {

uint64_t fingerprint64(const uint8_t* bytes, size_t length);

}  // namespace avocet::runtime
