/* SPDX-License-Identifier: Apache-2.0 */
/* The RISC-V core's way to the device's registers and to its own control registers. */
#ifndef AVOCET_FIRMWARE_RISCV_REGISTERS_H
#define AVOCET_FIRMWARE_RISCV_REGISTERS_H

#include "avocet_isa.h"

static inline uint32_t avocet_riscv_read(uint32_t offset) {
  return *(volatile uint32_t *)(AVOCET_CORE_REGISTER_BASE + offset);
}
/* Behind every earlier store, also to the compiler. */
static inline void avocet_riscv_write(uint32_t offset, uint32_t value) {
  __asm__ volatile("" ::: "memory");
  *(volatile uint32_t *)(AVOCET_CORE_REGISTER_BASE + offset) = value;
  __asm__ volatile("" ::: "memory");
}

enum { AVOCET_RISCV_MSTATUS_MIE = 1 << 3 };               /* mstatus */
enum { AVOCET_RISCV_TIMER = 1 << 7, AVOCET_RISCV_EXTERNAL = 1 << 11 }; /* mie: interrupts */

static inline void avocet_riscv_set_mie(uint32_t bits) { __asm__ volatile("csrw mie, %0" ::"r"(bits) : "memory"); }
static inline void avocet_riscv_interrupts_off(void) {
  __asm__ volatile("csrci mstatus, %0" ::"i"(AVOCET_RISCV_MSTATUS_MIE) : "memory");
}
static inline void avocet_riscv_interrupts_on(void) {
  __asm__ volatile("csrsi mstatus, %0" ::"i"(AVOCET_RISCV_MSTATUS_MIE) : "memory");
}
/* Until an interrupt of mie is pending, whether or not it would be taken. */
static inline void avocet_riscv_wait(void) { __asm__ volatile("wfi" ::: "memory"); }

/* port.c: from start.S. */
void avocet_riscv_main(void);
/* trap.c: from start.S; what broke is in mcause, mepc and mtval. Does not return. */
void avocet_riscv_trap(uint32_t cause, uint32_t pc, uint32_t value);
/* trap.c: the firmware's last act. */
void __attribute__((noreturn)) avocet_riscv_die(uint32_t code, uint32_t cause, uint32_t pc, uint32_t value);

struct avocet_firmware;
extern struct avocet_firmware avocet_riscv_firmware;

#endif
