// SPDX-License-Identifier: Apache-2.0
// What the runtime sees of an AHardwareBuffer: always mapped, rows packed.
#pragma once

#include <android/hardware_buffer.h>

#include <cstddef>
#include <cstdint>

namespace avocet::runtime {

uint8_t* hardware_buffer_data(const AHardwareBuffer* buffer);
/// Bytes of the content, without what the mapping is rounded up by.
size_t hardware_buffer_bytes(const AHardwareBuffer* buffer);

}  // namespace avocet::runtime
