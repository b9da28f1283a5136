// SPDX-License-Identifier: Apache-2.0
// What the device demands of a firmware image before it runs a word of it.
#pragma once

#include <cstdint>
#include <span>

#include "avocet_isa.h"

namespace avocet::model {

// AVOCET_STATUS_OK, or FW_ERROR: an enum avocet_status or avocet_firmware_error. `bytes` is what the host says of the size.
uint32_t check_image_header(const avocet_firmware_header &header, uint32_t bytes);
// The whole image, header included.
uint32_t check_image_checksum(std::span<const uint8_t> image);

} // namespace avocet::model
