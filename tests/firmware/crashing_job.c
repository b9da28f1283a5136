/* SPDX-License-Identifier: Apache-2.0 */
/* Linked around the RISC-V firmware's job start: contexts 1 to 6 each make it crash in a way of their own, when their job is
 * in hardware; others are served. */
#include "state.h"

void __real_avocet_fw_job_start(struct avocet_firmware *firmware, uint32_t core, uint32_t context, uint32_t priority);
void __wrap_avocet_fw_job_start(struct avocet_firmware *firmware, uint32_t core, uint32_t context, uint32_t priority);

static volatile uint32_t sink;

static uint32_t __attribute__((noinline)) recurse(uint32_t depth) {
  volatile uint32_t frame[64];
  for (uint32_t i = 0; i < 64; i++) frame[i] = depth;
  return depth == 0 ? 0 : recurse(depth - 1) + frame[depth % 64];
}

void __wrap_avocet_fw_job_start(struct avocet_firmware *firmware, uint32_t core, uint32_t context, uint32_t priority) {
  __real_avocet_fw_job_start(firmware, core, context, priority);
  switch (context) {
    case 1:
      __asm__ volatile(".word 0xffffffff"); /* no instruction */
      break;
    case 2:
      *(volatile uint32_t *)0 = 1;
      break;
    case 3:
      __asm__ volatile("lw t0, 2(sp)" ::: "t0"); /* misaligned */
      break;
    case 4:
      for (;;) sink++; /* runaway: the watchdog's */
      break;
    case 5:
      sink = recurse(33); /* over the end of the stack, and then back */
      break;
    case 6:
      __asm__ volatile("csrw mtvec, zero\n .half 0"); /* nobody there to handle it */
      break;
    default:
      break;
  }
}
