/* SPDX-License-Identifier: Apache-2.0 */
/* Head of the image. The checksum is filled in by pack_image. */
#include "avocet_firmware.h"

/* Numbers that the linker knows, as addresses. */
extern const char __image_bytes[], __memory_used[], _start[];

__attribute__((section(".header"), used)) static const struct avocet_firmware_header header = {
    .magic = AVOCET_FIRMWARE_MAGIC,
    .version = AVOCET_VERSION,
    .kind = AVOCET_FIRMWARE_KIND,
    .image_bytes = (uint32_t)__image_bytes,
    .entry = (uint32_t)_start,
    .ram_bytes = (uint32_t)__memory_used,
};
