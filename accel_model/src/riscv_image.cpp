// SPDX-License-Identifier: Apache-2.0
// Header fields one by one, then the checksum.
#include "riscv_image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <zlib.h>

namespace avocet::model {

uint32_t check_image_header(const avocet_firmware_header &header, uint32_t bytes) {
  if (header.magic != AVOCET_FIRMWARE_MAGIC || header.image_bytes != bytes || bytes < sizeof header ||
      std::ranges::any_of(header.reserved, [](uint32_t word) { return word != 0; }))
    return AVOCET_FIRMWARE_ERROR_IMAGE_HEADER;
  if (header.version >> 16 != AVOCET_VERSION_MAJOR) return AVOCET_STATUS_VERSION;
  if (header.kind != AVOCET_FIRMWARE_KIND_RISCV) return AVOCET_FIRMWARE_ERROR_IMAGE_KIND;
  const uint32_t entry = header.entry - AVOCET_CORE_RAM_BASE;
  if (header.ram_bytes > AVOCET_CORE_RAM_BYTES || bytes > header.ram_bytes || entry < sizeof header || entry >= bytes ||
      entry % 2 != 0)
    return AVOCET_FIRMWARE_ERROR_IMAGE_PLACE;
  return AVOCET_STATUS_OK;
}

uint32_t check_image_checksum(std::span<const uint8_t> image) {
  avocet_firmware_header header;
  std::memcpy(&header, image.data(), sizeof header);
  const uint32_t expected = header.checksum;
  header.checksum = 0;
  uLong sum = crc32(0, reinterpret_cast<const Bytef *>(&header), sizeof header);
  const auto code = image.subspan(sizeof header);
  sum = crc32(sum, code.data(), static_cast<uInt>(code.size()));
  return sum == expected ? uint32_t{AVOCET_STATUS_OK} : static_cast<uint32_t>(AVOCET_FIRMWARE_ERROR_IMAGE_CHECKSUM);
}

} // namespace avocet::model
