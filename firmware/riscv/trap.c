/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's end: FW_ERROR, a line in the log, FW_STATE HALTED; the driver resets the device. A trap in here is a double trap:
 * the device halts the core itself. */
#include "avocet_firmware.h"
#include "log.h"
#include "registers.h"

void avocet_riscv_die(uint32_t code, uint32_t cause, uint32_t pc, uint32_t value) {
  avocet_riscv_interrupts_off();
  avocet_riscv_set_mie(0);
  avocet_riscv_write(AVOCET_REG_CORE_WATCHDOG, 0);
  avocet_riscv_write(AVOCET_REG_CORE_TIMER, 0);
  avocet_riscv_write(AVOCET_REG_CORE_FW_ERROR, code);
  avocet_fw_log(&avocet_riscv_firmware, AVOCET_FIRMWARE_LOG_ERROR, "firmware crashed",
                (const struct avocet_fw_log_value[]){
                    {"error", code}, {"mcause", cause}, {"mepc", pc}, {"mtval", value}, {0, 0}});
  avocet_riscv_write(AVOCET_REG_CORE_FW_STATE, AVOCET_FIRMWARE_STATE_HALTED);
  for (;;) avocet_riscv_wait();
}

void avocet_riscv_trap(uint32_t cause, uint32_t pc, uint32_t value) {
  bool interrupt = cause >> 31;
  avocet_riscv_die(interrupt ? AVOCET_FIRMWARE_ERROR_WATCHDOG : AVOCET_FIRMWARE_ERROR_TRAP_FETCH - 1 + cause, cause, pc, value);
}
