/* SPDX-License-Identifier: Apache-2.0 */
/* What the firmware needs from the processor it runs on. The model's management core implements it around an SC_THREAD; a
 * RISC-V core with loads, stores and wfi. Every function takes the processor's own pointer, so that several devices fit into
 * one process. When the core is put into reset, wait_events returns 0 and the firmware returns; calls in between may do
 * nothing, read zero or fail: the firmware has no loop that depends on them. */
#ifndef AVOCET_FIRMWARE_PORT_H
#define AVOCET_FIRMWARE_PORT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct avocet_firmware;

struct avocet_firmware_port {
  void *opaque; /* first argument of every function */

  /* Aligned 32-bit device registers, all of the contract (also those with access "core"). A write is ordered behind every
   * earlier store to memory. */
  uint32_t (*rd32)(void *opaque, uint32_t offset);
  void (*wr32)(void *opaque, uint32_t offset, uint32_t value);

  /* Bus memory; false = bus error (data is then undefined). The bytes of load and store need not be seen at once. */
  bool (*load)(void *opaque, uint64_t address, void *data, uint32_t bytes);
  bool (*store)(void *opaque, uint64_t address, const void *data, uint32_t bytes);

  /* Aligned 32-bit words, single-copy atomic, for ring indices: load32 acquires, store32 releases. */
  bool (*load32)(void *opaque, uint64_t address, uint32_t *value);
  bool (*store32)(void *opaque, uint64_t address, uint32_t value);

  /* Full barrier: earlier stores are visible before later loads are done. */
  void (*fence)(void *opaque);

  /* Device cycles since power-on (the CYCLE registers, read as one). */
  uint64_t (*cycles)(void *opaque);

  /* Sleeps until a bit of CORE_EVENTS is set (CORE_TIMER bounds it when armed) and returns the bits without clearing them;
   * 0 = the core is in reset: return from avocet_firmware_main. */
  uint32_t (*wait_events)(void *opaque);
};

/* The firmware: boots from the registers FW_IMAGE_* and BOOT_*, serves its rings, returns when wait_events gives 0. All
 * state is in *firmware (struct avocet_firmware of avocet_firmware.h, any contents on entry); needs less than 4 KiB of stack. */
void avocet_firmware_main(struct avocet_firmware *firmware, const struct avocet_firmware_port *port);

#ifdef __cplusplus
}
#endif
#endif
