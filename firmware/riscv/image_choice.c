/* SPDX-License-Identifier: Apache-2.0 */
/* Images by kind. */
#include "avocet_firmware.h"
#include "avocet_firmware_image.h"

const void *avocet_firmware_image(uint32_t kind, size_t *bytes) {
  *bytes = 0;
  if (kind == AVOCET_FIRMWARE_KIND_NATIVE) {
    *bytes = sizeof avocet_firmware_native_image;
    return &avocet_firmware_native_image;
  }
#ifdef AVOCET_HAVE_RISCV_FIRMWARE
  if (kind == AVOCET_FIRMWARE_KIND_RISCV) {
    *bytes = avocet_firmware_riscv_image_bytes;
    return avocet_firmware_riscv_image;
  }
#endif
  return NULL;
}
