// SPDX-License-Identifier: Apache-2.0
// The firmware images as a host gets them.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>

#include "avocet_firmware.h"
#include "avocet_firmware_image.h"

namespace {

avocet_firmware_header header_of(const void* image, size_t bytes) {
  avocet_firmware_header header{};
  EXPECT_GE(bytes, sizeof header);
  std::memcpy(&header, image, sizeof header);
  return header;
}

TEST(Images, NativeIsAHeader) {
  size_t bytes = 0;
  const void* image = avocet_firmware_image(AVOCET_FIRMWARE_KIND_NATIVE, &bytes);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(bytes, sizeof(avocet_firmware_header));
  EXPECT_EQ(header_of(image, bytes).kind, unsigned{AVOCET_FIRMWARE_KIND_NATIVE});
}

TEST(Images, UnknownKindsHaveNone) {
  size_t bytes = 7;
  EXPECT_EQ(avocet_firmware_image(2, &bytes), nullptr);
  EXPECT_EQ(bytes, 0u);
}

TEST(Images, RiscvIsCompleteOrAbsent) {
  size_t bytes = 0;
  const void* image = avocet_firmware_image(AVOCET_FIRMWARE_KIND_RISCV, &bytes);
#ifdef AVOCET_HAVE_RISCV_FIRMWARE
  ASSERT_NE(image, nullptr);
  avocet_firmware_header header = header_of(image, bytes);
  EXPECT_EQ(header.magic, AVOCET_FIRMWARE_MAGIC);
  EXPECT_EQ(header.version, AVOCET_VERSION);
  EXPECT_EQ(header.kind, unsigned{AVOCET_FIRMWARE_KIND_RISCV});
  EXPECT_EQ(header.image_bytes, bytes);
  EXPECT_GE(header.entry, AVOCET_CORE_RAM_BASE + sizeof header);
  EXPECT_LT(header.entry, AVOCET_CORE_RAM_BASE + bytes);
  EXPECT_GE(header.ram_bytes, bytes + sizeof(avocet_firmware) / 4) << "its pointers are smaller, its state is not";
  EXPECT_LE(header.ram_bytes, AVOCET_CORE_RAM_BYTES);
  uint32_t checksum = header.checksum;
  header.checksum = 0;
  uLong sum = crc32(0, reinterpret_cast<const Bytef*>(&header), sizeof header);
  sum = crc32(sum, static_cast<const Bytef*>(image) + sizeof header, static_cast<uInt>(bytes - sizeof header));
  EXPECT_EQ(checksum, sum);
#else
  EXPECT_EQ(image, nullptr);
  EXPECT_EQ(bytes, 0u);
#endif
}

}  // namespace
