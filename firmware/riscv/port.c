/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's port on the RISC-V core. Bus memory is reached through the bus port: it takes 64-bit addresses, and a bus error
 * is a status instead of a trap.
 *
 * Interrupts: asleep, the external interrupt (any bit of CORE_EVENTS) ends the WFI and is not taken; awake, the machine timer's is
 * the watchdog's and is taken, wherever the firmware is. */
#include "avocet_firmware.h"
#include "registers.h"
#include "state.h"

/* A round of serving takes some thousand cycles for each message or job that waits, and rings are bounded. */
#define WATCHDOG_CYCLES (1u << 24)
#define STACK_MARK 0x57AC4E2Du

struct avocet_firmware avocet_riscv_firmware;
extern volatile uint32_t __stack_end[]; /* its lowest word */

static uint32_t rd32(void *opaque, uint32_t offset) {
  (void)opaque;
  return avocet_riscv_read(offset);
}

static void wr32(void *opaque, uint32_t offset, uint32_t value) {
  (void)opaque;
  avocet_riscv_write(offset, value);
}

static bool transfer(uint64_t address, uint32_t control) {
  avocet_riscv_write(AVOCET_REG_CORE_BUS_LO, (uint32_t)address);
  avocet_riscv_write(AVOCET_REG_CORE_BUS_HI, (uint32_t)(address >> 32));
  avocet_riscv_write(AVOCET_REG_CORE_BUS_CONTROL, control);
  return avocet_riscv_read(AVOCET_REG_CORE_BUS_STATUS) == AVOCET_STATUS_OK;
}

static void set_local(const void *data, uint32_t bytes) {
  avocet_riscv_write(AVOCET_REG_CORE_BUS_LOCAL, (uint32_t)data);
  avocet_riscv_write(AVOCET_REG_CORE_BUS_BYTES, bytes);
}

static bool load(void *opaque, uint64_t address, void *data, uint32_t bytes) {
  (void)opaque;
  set_local(data, bytes);
  return transfer(address, AVOCET_CORE_BUS_CONTROL_LOAD);
}

static bool store(void *opaque, uint64_t address, const void *data, uint32_t bytes) {
  (void)opaque;
  set_local(data, bytes);
  return transfer(address, AVOCET_CORE_BUS_CONTROL_STORE);
}

static bool load32(void *opaque, uint64_t address, uint32_t *value) {
  (void)opaque;
  bool done = transfer(address, AVOCET_CORE_BUS_CONTROL_LOAD_WORD);
  *value = avocet_riscv_read(AVOCET_REG_CORE_BUS_DATA);
  return done;
}

static bool store32(void *opaque, uint64_t address, uint32_t value) {
  (void)opaque;
  avocet_riscv_write(AVOCET_REG_CORE_BUS_DATA, value);
  return transfer(address, AVOCET_CORE_BUS_CONTROL_STORE_WORD);
}

static void fence(void *opaque) {
  (void)opaque;
  __asm__ volatile("fence rw, rw" ::: "memory");
}

static uint64_t cycles(void *opaque) {
  (void)opaque;
  uint32_t high = avocet_riscv_read(AVOCET_REG_CYCLE_HI);
  uint32_t low = avocet_riscv_read(AVOCET_REG_CYCLE_LO);
  uint32_t again = avocet_riscv_read(AVOCET_REG_CYCLE_HI);
  if (again != high) low = avocet_riscv_read(AVOCET_REG_CYCLE_LO); /* the next carry is seconds away */
  return (uint64_t)again << 32 | low;
}

static void start_watchdog(void) {
  avocet_riscv_set_mie(AVOCET_RISCV_TIMER);
  avocet_riscv_write(AVOCET_REG_CORE_WATCHDOG, WATCHDOG_CYCLES);
  avocet_riscv_interrupts_on();
}

static uint32_t wait_events(void *opaque) {
  uint32_t events;
  (void)opaque;
  if (__stack_end[0] != STACK_MARK) avocet_riscv_die(AVOCET_FIRMWARE_ERROR_STACK, 0, 0, __stack_end[0]);
  avocet_riscv_interrupts_off();
  avocet_riscv_write(AVOCET_REG_CORE_WATCHDOG, 0);
  avocet_riscv_set_mie(AVOCET_RISCV_EXTERNAL);
  while ((events = avocet_riscv_read(AVOCET_REG_CORE_EVENTS)) == 0) avocet_riscv_wait();
  start_watchdog();
  return events;
}

static const struct avocet_firmware_port port = {
    .rd32 = rd32,
    .wr32 = wr32,
    .load = load,
    .store = store,
    .load32 = load32,
    .store32 = store32,
    .fence = fence,
    .cycles = cycles,
    .wait_events = wait_events,
};

void avocet_riscv_main(void) {
  __stack_end[0] = STACK_MARK;
  start_watchdog();
  avocet_firmware_main(&avocet_riscv_firmware, &port);
}
