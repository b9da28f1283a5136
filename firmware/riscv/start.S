/* SPDX-License-Identifier: Apache-2.0 */
/* From reset to C, and from a trap to C. The device has copied the image to where it was linked and zeroed the rest. */

  .section .text.start, "ax"
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  la t0, trap
  csrw mtvec, t0
  call avocet_riscv_main
  ebreak /* it does not return */

/* Nothing that traps goes on, so nothing is saved; the stack may be what is broken, so there is another one. */
  .balign 4
trap:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __trap_stack_top
  csrr a0, mcause
  csrr a1, mepc
  csrr a2, mtval
  call avocet_riscv_trap
