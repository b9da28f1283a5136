/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware images of this build, for whoever plays the host: what a file system with firmware files is to a kernel. */
#ifndef AVOCET_FIRMWARE_IMAGE_H
#define AVOCET_FIRMWARE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The image for a device with this FW_KIND (enum firmware_kind of the contract), or NULL: this build has none, as for RISC-V when
 * there was no riscv64-unknown-elf-gcc. Constant, stays valid. */
const void *avocet_firmware_image(uint32_t kind, size_t *bytes);

/* Generated; only where the cross-compiler was found. */
extern const uint8_t avocet_firmware_riscv_image[];
extern const size_t avocet_firmware_riscv_image_bytes;

#ifdef __cplusplus
}
#endif
#endif
