/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from contract.json by isa_generate; change the rows, not this file.
 * The contract's rows twice: as X-macros, for code that needs one statement per row, and as constant tables, for
 * loops over rows (types: avocet_isa_rows.h). */
#ifndef AVOCET_ISA_TABLES_H
#define AVOCET_ISA_TABLES_H

#include "avocet_isa_rows.h"

/* X(name, value) */
#define AVOCET_CONSTANTS(X) \
  X(MAGIC, 0x434F5641u) \
  X(BOOT_MAGIC, 0x544F4F42u) \
  X(FIRMWARE_MAGIC, 0x57464F41u) \
  X(REGISTER_BYTES, 0x1000u) \
  X(REGIONS, 8u) \
  X(PAGE_BYTES, 4096u) \
  X(COMMAND_WORDS_MAX, 32u) \
  X(STREAM_BYTES_MAX, 0x4000000u) \
  X(TAGS_MAX, 65535u) \
  X(PARAMETER_BYTES, 12u) \
  X(QUEUE_DEPTH, 16u) \
  X(RING_ENTRIES_MAX, 1024u) \
  X(CONTEXTS_MAX, 64u) \
  X(MAC_OPERAND_BITS, 8u) \
  X(ACCUMULATOR_BITS, 32u) \
  X(PTE_VALID, 0x1u) \
  X(PTE_WRITE, 0x2u) \
  X(L1_SHIFT, 21u) \
  X(L2_SHIFT, 12u) \
  X(CORES_MAX, 16u) \
  X(SEQ_STRIDE, 0x60u) \
  X(NPU_STRIDE, 0x20u) \
  X(SAVE_MAGIC, 0x45564153u) \
  X(CORE_RAM_BASE, 0x10000000u) \
  X(CORE_RAM_BYTES, 0x40000u) \
  X(CORE_REGISTER_BASE, 0x40000000u)

/* X(name): AVOCET_ENUM_<NAME>(X) lists its values */
#define AVOCET_ENUMS(X) \
  X(unit) \
  X(status) \
  X(priority) \
  X(firmware_log) \
  X(firmware_state) \
  X(message_type) \
  X(completion_type) \
  X(pool_mode) \
  X(binary_mode) \
  X(reduce_mode) \
  X(resize_mode) \
  X(firmware_kind) \
  X(firmware_error) \
  X(engine)

/* enum avocet_unit: X(NAME, value, description) */
#define AVOCET_ENUM_UNIT(X) \
  X(MAC, 0u, "MAC array") \
  X(REQUANT, 1u, "requantisation unit behind the array, one lane per column") \
  X(VECTOR, 2u, "vector unit") \
  X(DMA0, 8u, "DMA channel 0; channel n is 8 + n") \
  X(COUNT, 16u, "number of unit ids")

/* enum avocet_status: X(NAME, value, description) */
#define AVOCET_ENUM_STATUS(X) \
  X(OK, 0u, "success") \
  X(ILLEGAL_OPCODE, 1u, "unknown opcode, or 0, or all ones") \
  X(ILLEGAL_LENGTH, 2u, "a command's length is not the opcode's, or the stream ends inside it") \
  X(ILLEGAL_FIELD, 3u, "a reserved bit is set, an enum value is unknown, or a value contradicts the device's configuration") \
  X(OUT_OF_RANGE, 4u, "an access leaves its region, the SRAM or the accumulators") \
  X(ILLEGAL_WAIT, 5u, "a WAIT for more commands than the stream gave the producer before it") \
  X(NO_END, 6u, "the stream has no END, or commands behind it") \
  X(IOMMU_FAULT, 7u, "no valid translation, or a write to a read-only page") \
  X(BUS_ERROR, 8u, "a memory access failed") \
  X(ECC_ERROR, 9u, "an uncorrectable memory error") \
  X(HANG, 10u, "a unit made no progress within its bound") \
  X(ABORTED, 11u, "ended by a reset, a context's end or a neighbour command's fault") \
  X(VERSION, 12u, "another MAJOR version") \
  X(BAD_MESSAGE, 13u, "a message of unknown type or with impossible arguments") \
  X(NO_RESOURCE, 14u, "a table or a ring is full") \
  X(DEADLINE, 15u, "the deadline passed before the job started") \
  X(PREEMPTED, 16u, "stopped at a command boundary and saved, to be continued; never in a completion") \
  X(BUSY, 17u, "refused because jobs run or are queued")

/* enum avocet_priority: X(NAME, value, description) */
#define AVOCET_ENUM_PRIORITY(X) \
  X(LOW, 0u, "runs when nothing else wants to") \
  X(MEDIUM, 1u, "of the ring that CREATE_CONTEXT names") \
  X(HIGH, 2u, "never preempted") \
  X(COUNT, 3u, "number of priorities")

/* enum avocet_firmware_log: X(NAME, value, description) */
#define AVOCET_ENUM_FIRMWARE_LOG(X) \
  X(ERROR, 3u, "a job, a ring or the firmware itself failed") \
  X(WARNING, 4u, "a message was refused") \
  X(INFO, 6u, "changes of state; the level after boot") \
  X(DEBUG, 7u, "contexts, rings, preemption")

/* enum avocet_firmware_state: X(NAME, value, description) */
#define AVOCET_ENUM_FIRMWARE_STATE(X) \
  X(OFF, 0u, "the management core is held in reset") \
  X(BOOTING, 1u, "the core runs, no hello yet") \
  X(READY, 2u, "hello: FW_VERSION is valid, rings are served") \
  X(FAILED, 3u, "boot refused; FW_ERROR holds a status") \
  X(HALTED, 4u, "an assertion stopped the firmware; FW_ERROR holds its code") \
  X(SUSPENDED, 5u, "state saved, the clock may stop")

/* enum avocet_message_type: X(NAME, value, description) */
#define AVOCET_ENUM_MESSAGE_TYPE(X) \
  X(PING, 1u, "answered with argument0") \
  X(CREATE_CONTEXT, 2u, "context; argument0 = page table bus address; argument1 = job ring bus address") \
  X(DESTROY_CONTEXT, 3u, "context; queued jobs complete as ABORTED before the answer") \
  X(INVALIDATE, 4u, "context; drop its TLB entries") \
  X(SUSPEND, 5u, "answered when idle; then FW_STATE is SUSPENDED. argument0 = 1: refused with BUSY instead of waiting for the jobs") \
  X(CREATE_RING, 6u, "context; argument0 = enum priority, one that has no ring yet; argument1 = job ring bus address") \
  X(RESUME, 7u, "FW_STATE is READY again, contexts and rings as before SUSPEND (any doorbell does the same)") \
  X(SET_LOG_LEVEL, 8u, "argument0 = enum firmware_log: lines of a greater number are left out") \
  X(RESET_ENGINE, 9u, "resets the NPU core argument0 if the job with the id argument1 is on it, which ends as HANG; answered when the core is free. Overtakes a message that waits")

/* enum avocet_completion_type: X(NAME, value, description) */
#define AVOCET_ENUM_COMPLETION_TYPE(X) \
  X(JOB, 1u, "a job ended") \
  X(MESSAGE, 2u, "answer to an admin message") \
  X(RING, 3u, "a job ring makes no sense: status, context, request = enum priority, address = the ring; the context starts no more jobs. Only for a driver of MINOR 3 or more")

/* enum avocet_pool_mode: X(NAME, value, description) */
#define AVOCET_ENUM_POOL_MODE(X) \
  X(MAX, 0u, "maximum of the cells inside the input") \
  X(AVERAGE, 1u, "sum of the cells inside the input divided by their number, halves away from zero")

/* enum avocet_binary_mode: X(NAME, value, description) */
#define AVOCET_ENUM_BINARY_MODE(X) \
  X(MULTIPLY, 0u, "product of both inputs less their zero points, scaled by multiplier and shift") \
  X(MAXIMUM, 1u, "larger of the two stored values; zero points and scaling are not used") \
  X(MINIMUM, 2u, "smaller of the two stored values; zero points and scaling are not used") \
  X(PRELU, 3u, "a less its zero point where that is not negative, scaled by multiplier and shift; else the product as in MULTIPLY, scaled by negative_multiplier and negative_shift")

/* enum avocet_reduce_mode: X(NAME, value, description) */
#define AVOCET_ENUM_REDUCE_MODE(X) \
  X(SUM, 0u, "sum of the values less the input zero point, plus bias, scaled, plus the output zero point; the sum wraps modulo 2^32") \
  X(MAXIMUM, 1u, "largest stored value; bias, zero points and scaling are not used") \
  X(MINIMUM, 2u, "smallest stored value; bias, zero points and scaling are not used")

/* enum avocet_resize_mode: X(NAME, value, description) */
#define AVOCET_ENUM_RESIZE_MODE(X) \
  X(BILINEAR, 0u, "positions have 10 fraction bits; between the four cells around the position, halves away from zero") \
  X(NEAREST, 1u, "positions have 16 fraction bits, which are dropped")

/* enum avocet_firmware_kind: X(NAME, value, description) */
#define AVOCET_ENUM_FIRMWARE_KIND(X) \
  X(NATIVE, 0u, "built into the model: the image is a header alone") \
  X(RISCV, 1u, "RV32IMC code follows the header")

/* enum avocet_firmware_error: X(NAME, value, description) */
#define AVOCET_ENUM_FIRMWARE_ERROR(X) \
  X(TRAP_FETCH, 257u, "the firmware jumped to where there is no memory") \
  X(TRAP_ILLEGAL, 258u, "illegal instruction") \
  X(TRAP_BREAKPOINT, 259u, "EBREAK") \
  X(TRAP_LOAD_MISALIGNED, 260u, "load from an address that is no multiple of its size") \
  X(TRAP_LOAD, 261u, "load from where there is nothing") \
  X(TRAP_STORE_MISALIGNED, 262u, "store to an address that is no multiple of its size") \
  X(TRAP_STORE, 263u, "store to where there is nothing") \
  X(TRAP_CALL, 267u, "ECALL") \
  X(WATCHDOG, 288u, "the firmware did not go back to sleep in time") \
  X(STACK, 289u, "the firmware's stack overflowed") \
  X(DOUBLE_TRAP, 290u, "an exception while one was being handled: the device stopped the core") \
  X(IMAGE_HEADER, 304u, "the device found no firmware image: magic, size or reserved words") \
  X(IMAGE_KIND, 305u, "the image is for another processor") \
  X(IMAGE_CHECKSUM, 306u, "the image's checksum is not that of its bytes") \
  X(IMAGE_PLACE, 307u, "the image does not fit into the core's memory, or its entry is not inside it")

/* enum avocet_engine: X(NAME, value, description) */
#define AVOCET_ENUM_ENGINE(X) \
  X(FUNCTIONAL, 0u, "values only") \
  X(TIMED, 1u, "values and cycles, MAC array by its C++ twin") \
  X(RTL, 2u, "values and cycles, MAC array by the Verilated RTL") \
  X(TIMING, 3u, "cycles only")

/* X(NAME, offset, access) */
#define AVOCET_REGISTERS(X) \
  X(ID, 0x000u, RO) \
  X(VERSION, 0x004u, RO) \
  X(GENERATION, 0x008u, RO) \
  X(ENGINE, 0x00Cu, RO) \
  X(ARRAY_ROWS, 0x010u, RO) \
  X(ARRAY_COLS, 0x014u, RO) \
  X(ACC_ROWS, 0x018u, RO) \
  X(VECTOR_LANES, 0x01Cu, RO) \
  X(SRAM_BYTES, 0x020u, RO) \
  X(SRAM_BANKS, 0x024u, RO) \
  X(DMA_CHANNELS, 0x028u, RO) \
  X(DMA_BYTES_PER_CYCLE, 0x02Cu, RO) \
  X(DRAM_MILLIBYTES_PER_CYCLE, 0x030u, RO) \
  X(DRAM_LATENCY, 0x034u, RO) \
  X(CLOCK_KHZ, 0x038u, RO) \
  X(CORES, 0x03Cu, RO) \
  X(CONTROL, 0x040u, RW) \
  X(IRQ_STATUS, 0x044u, W1C) \
  X(IRQ_MASK, 0x048u, RW) \
  X(DOORBELL, 0x04Cu, WO) \
  X(FW_IMAGE_LO, 0x050u, RW) \
  X(FW_IMAGE_HI, 0x054u, RW) \
  X(FW_IMAGE_BYTES, 0x058u, RW) \
  X(BOOT_LO, 0x05Cu, RW) \
  X(BOOT_HI, 0x060u, RW) \
  X(FW_STATE, 0x064u, RO) \
  X(FW_VERSION, 0x068u, RO) \
  X(FW_ERROR, 0x06Cu, RO) \
  X(FW_HEARTBEAT, 0x070u, RO) \
  X(FAULT_STATUS, 0x074u, RO) \
  X(FAULT_POSITION, 0x078u, RO) \
  X(FAULT_ADDRESS_LO, 0x07Cu, RO) \
  X(FAULT_ADDRESS_HI, 0x080u, RO) \
  X(CYCLE_LO, 0x084u, RO) \
  X(CYCLE_HI, 0x088u, RO) \
  X(SAVE_AREA_BYTES, 0x08Cu, RO) \
  X(NPU_STATE, 0x400u, RO) \
  X(NPU_CONTEXT, 0x404u, RO) \
  X(NPU_JOB_LO, 0x408u, RO) \
  X(NPU_JOB_HI, 0x40Cu, RO) \
  X(NPU_PROGRESS, 0x410u, RO) \
  X(NPU_RESETS, 0x414u, RO) \
  X(FW_KIND, 0x0F0u, RO) \
  X(CORE_FW_STATE, 0x800u, CORE) \
  X(CORE_FW_VERSION, 0x804u, CORE) \
  X(CORE_FW_ERROR, 0x808u, CORE) \
  X(CORE_HEARTBEAT, 0x80Cu, CORE) \
  X(CORE_IRQ_RAISE, 0x810u, CORE) \
  X(CORE_EVENTS, 0x814u, CORE) \
  X(CORE_TIMER, 0x818u, CORE) \
  X(SEQ_CONTEXT, 0x820u, CORE) \
  X(SEQ_TABLE_LO, 0x824u, CORE) \
  X(SEQ_TABLE_HI, 0x828u, CORE) \
  X(SEQ_JOB_LO, 0x82Cu, CORE) \
  X(SEQ_JOB_HI, 0x830u, CORE) \
  X(SEQ_CONTROL, 0x834u, CORE) \
  X(SEQ_STATE, 0x838u, CORE) \
  X(SEQ_STATUS, 0x83Cu, CORE) \
  X(SEQ_POSITION, 0x840u, CORE) \
  X(SEQ_ADDRESS_LO, 0x844u, CORE) \
  X(SEQ_ADDRESS_HI, 0x848u, CORE) \
  X(SEQ_PROGRESS, 0x84Cu, CORE) \
  X(SEQ_START_LO, 0x850u, CORE) \
  X(SEQ_START_HI, 0x854u, CORE) \
  X(SEQ_END_LO, 0x858u, CORE) \
  X(SEQ_END_HI, 0x85Cu, CORE) \
  X(SEQ_SAVE_LO, 0x860u, CORE) \
  X(SEQ_SAVE_HI, 0x864u, CORE) \
  X(SEQ_GANG, 0x868u, CORE) \
  X(CORE_BUS_LO, 0xF00u, CORE) \
  X(CORE_BUS_HI, 0xF04u, CORE) \
  X(CORE_BUS_LOCAL, 0xF08u, CORE) \
  X(CORE_BUS_BYTES, 0xF0Cu, CORE) \
  X(CORE_BUS_DATA, 0xF10u, CORE) \
  X(CORE_BUS_CONTROL, 0xF14u, CORE) \
  X(CORE_BUS_STATUS, 0xF18u, CORE) \
  X(CORE_WATCHDOG, 0xF1Cu, CORE)

/* X(REGISTER, FIELD, lsb, bits) */
#define AVOCET_REGISTER_FIELDS(X) \
  X(CONTROL, RUN, 0, 1) \
  X(CONTROL, RESET, 1, 1) \
  X(IRQ_STATUS, COMPLETION, 0, 1) \
  X(IRQ_STATUS, FIRMWARE, 1, 1) \
  X(IRQ_STATUS, FAULT, 2, 1) \
  X(CORE_EVENTS, DOORBELL, 0, 1) \
  X(CORE_EVENTS, SEQUENCER, 1, 1) \
  X(CORE_EVENTS, TIMER, 2, 1) \
  X(CORE_EVENTS, SEQUENCERS, 16, 16) \
  X(SEQ_CONTROL, START, 0, 1) \
  X(SEQ_CONTROL, ABORT, 1, 1) \
  X(SEQ_CONTROL, INVALIDATE, 2, 1) \
  X(SEQ_CONTROL, PREEMPT, 3, 1) \
  X(SEQ_CONTROL, RESTORE, 4, 1) \
  X(SEQ_CONTROL, RESET, 5, 1) \
  X(CORE_BUS_CONTROL, LOAD, 0, 1) \
  X(CORE_BUS_CONTROL, STORE, 1, 1) \
  X(CORE_BUS_CONTROL, LOAD_WORD, 2, 1) \
  X(CORE_BUS_CONTROL, STORE_WORD, 3, 1)

/* X(name, bytes) */
#define AVOCET_STRUCTS(X) \
  X(ring, 192u) \
  X(boot, 64u) \
  X(firmware_header, 64u) \
  X(message, 64u) \
  X(region, 16u) \
  X(job, 256u) \
  X(completion, 64u) \
  X(profile, 64u) \
  X(save, 128u)

/* X(NAME, name, opcode, words, unit) */
#define AVOCET_COMMANDS(X) \
  X(END, end, 0x01u, 1u, SEQUENCER) \
  X(WAIT, wait, 0x02u, 3u, SEQUENCER) \
  X(DMA_LOAD, dma_load, 0x10u, 13u, DMA) \
  X(DMA_STORE, dma_store, 0x11u, 13u, DMA) \
  X(DMA_FILL, dma_fill, 0x12u, 7u, DMA) \
  X(BARRIER, barrier, 0x13u, 2u, DMA) \
  X(MATMUL, matmul, 0x20u, 13u, MAC) \
  X(REQUANT, requant, 0x21u, 9u, REQUANT) \
  X(DEPTHWISE, depthwise, 0x30u, 19u, VECTOR) \
  X(POOL, pool, 0x31u, 15u, VECTOR) \
  X(ADD, add, 0x32u, 17u, VECTOR) \
  X(BINARY, binary, 0x33u, 16u, VECTOR) \
  X(TABLE, table, 0x34u, 8u, VECTOR) \
  X(REDUCE, reduce, 0x35u, 15u, VECTOR) \
  X(SOFTMAX, softmax, 0x36u, 13u, VECTOR) \
  X(RESIZE, resize, 0x37u, 15u, VECTOR) \
  X(L2_NORMALISE, l2_normalise, 0x38u, 12u, VECTOR) \
  X(ARG_REDUCE, arg_reduce, 0x39u, 9u, VECTOR)

/* X(COMMAND, command, field, word, lsb, bits, kind) */
#define AVOCET_FIELDS(X) \
  X(WAIT, wait, unit, 1, 0, 4, UNIT) \
  X(WAIT, wait, producer, 1, 4, 4, UNIT) \
  X(WAIT, wait, count, 2, 0, 32, SCALAR) \
  X(DMA_LOAD, dma_load, channel, 1, 0, 4, CHANNEL) \
  X(DMA_LOAD, dma_load, region, 1, 4, 4, REGION) \
  X(DMA_LOAD, dma_load, dram, 2, 0, 32, DRAM) \
  X(DMA_LOAD, dma_load, sram, 3, 0, 32, SRAM) \
  X(DMA_LOAD, dma_load, row_bytes, 4, 0, 32, LENGTH) \
  X(DMA_LOAD, dma_load, count0, 5, 0, 16, COUNT_MINUS_ONE) \
  X(DMA_LOAD, dma_load, count1, 5, 16, 16, COUNT_MINUS_ONE) \
  X(DMA_LOAD, dma_load, count2, 6, 0, 16, COUNT_MINUS_ONE) \
  X(DMA_LOAD, dma_load, dram_stride0, 7, 0, 32, STRIDE) \
  X(DMA_LOAD, dma_load, sram_stride0, 8, 0, 32, STRIDE) \
  X(DMA_LOAD, dma_load, dram_stride1, 9, 0, 32, STRIDE) \
  X(DMA_LOAD, dma_load, sram_stride1, 10, 0, 32, STRIDE) \
  X(DMA_LOAD, dma_load, dram_stride2, 11, 0, 32, STRIDE) \
  X(DMA_LOAD, dma_load, sram_stride2, 12, 0, 32, STRIDE) \
  X(DMA_STORE, dma_store, channel, 1, 0, 4, CHANNEL) \
  X(DMA_STORE, dma_store, region, 1, 4, 4, REGION) \
  X(DMA_STORE, dma_store, dram, 2, 0, 32, DRAM) \
  X(DMA_STORE, dma_store, sram, 3, 0, 32, SRAM) \
  X(DMA_STORE, dma_store, row_bytes, 4, 0, 32, LENGTH) \
  X(DMA_STORE, dma_store, count0, 5, 0, 16, COUNT_MINUS_ONE) \
  X(DMA_STORE, dma_store, count1, 5, 16, 16, COUNT_MINUS_ONE) \
  X(DMA_STORE, dma_store, count2, 6, 0, 16, COUNT_MINUS_ONE) \
  X(DMA_STORE, dma_store, dram_stride0, 7, 0, 32, STRIDE) \
  X(DMA_STORE, dma_store, sram_stride0, 8, 0, 32, STRIDE) \
  X(DMA_STORE, dma_store, dram_stride1, 9, 0, 32, STRIDE) \
  X(DMA_STORE, dma_store, sram_stride1, 10, 0, 32, STRIDE) \
  X(DMA_STORE, dma_store, dram_stride2, 11, 0, 32, STRIDE) \
  X(DMA_STORE, dma_store, sram_stride2, 12, 0, 32, STRIDE) \
  X(DMA_FILL, dma_fill, channel, 1, 0, 4, CHANNEL) \
  X(DMA_FILL, dma_fill, value, 1, 8, 8, SCALAR) \
  X(DMA_FILL, dma_fill, sram, 2, 0, 32, SRAM) \
  X(DMA_FILL, dma_fill, row_bytes, 3, 0, 32, LENGTH) \
  X(DMA_FILL, dma_fill, count0, 4, 0, 16, COUNT_MINUS_ONE) \
  X(DMA_FILL, dma_fill, count1, 4, 16, 16, COUNT_MINUS_ONE) \
  X(DMA_FILL, dma_fill, stride0, 5, 0, 32, STRIDE) \
  X(DMA_FILL, dma_fill, stride1, 6, 0, 32, STRIDE) \
  X(BARRIER, barrier, channel, 1, 0, 4, CHANNEL) \
  X(MATMUL, matmul, input_unsigned, 1, 0, 1, FLAG) \
  X(MATMUL, matmul, accumulate, 1, 1, 1, FLAG) \
  X(MATMUL, matmul, weight_zero_point, 1, 8, 8, SIGNED) \
  X(MATMUL, matmul, ifm, 2, 0, 32, SRAM) \
  X(MATMUL, matmul, weights, 3, 0, 32, SRAM) \
  X(MATMUL, matmul, weight_bytes, 4, 0, 32, LENGTH) \
  X(MATMUL, matmul, acc, 5, 0, 16, ACC) \
  X(MATMUL, matmul, x_count, 6, 0, 16, COUNT_MINUS_ONE) \
  X(MATMUL, matmul, y_count, 6, 16, 16, COUNT_MINUS_ONE) \
  X(MATMUL, matmul, x_stride, 7, 0, 32, STRIDE) \
  X(MATMUL, matmul, y_stride, 8, 0, 32, STRIDE) \
  X(MATMUL, matmul, kx_count, 9, 0, 16, COUNT_MINUS_ONE) \
  X(MATMUL, matmul, ky_count, 9, 16, 16, COUNT_MINUS_ONE) \
  X(MATMUL, matmul, kx_stride, 10, 0, 32, STRIDE) \
  X(MATMUL, matmul, ky_stride, 11, 0, 32, STRIDE) \
  X(MATMUL, matmul, channels, 12, 0, 24, COUNT_MINUS_ONE) \
  X(REQUANT, requant, acc, 1, 0, 16, ACC) \
  X(REQUANT, requant, channels, 1, 16, 16, COUNT_MINUS_ONE) \
  X(REQUANT, requant, parameters, 2, 0, 32, SRAM) \
  X(REQUANT, requant, ofm, 3, 0, 32, SRAM) \
  X(REQUANT, requant, x_count, 4, 0, 16, COUNT_MINUS_ONE) \
  X(REQUANT, requant, y_count, 4, 16, 16, COUNT_MINUS_ONE) \
  X(REQUANT, requant, x_stride, 5, 0, 32, STRIDE) \
  X(REQUANT, requant, y_stride, 6, 0, 32, STRIDE) \
  X(REQUANT, requant, zero_point, 7, 0, 16, SIGNED) \
  X(REQUANT, requant, clamp_min, 8, 0, 16, SIGNED) \
  X(REQUANT, requant, clamp_max, 8, 16, 16, SIGNED) \
  X(DEPTHWISE, depthwise, input_unsigned, 1, 0, 1, FLAG) \
  X(DEPTHWISE, depthwise, weight_zero_point, 1, 8, 8, SIGNED) \
  X(DEPTHWISE, depthwise, multiplier, 1, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, ifm, 2, 0, 32, SRAM) \
  X(DEPTHWISE, depthwise, weights, 3, 0, 32, SRAM) \
  X(DEPTHWISE, depthwise, parameters, 4, 0, 32, SRAM) \
  X(DEPTHWISE, depthwise, ofm, 5, 0, 32, SRAM) \
  X(DEPTHWISE, depthwise, channels, 6, 0, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, input_channels, 6, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, in_width, 7, 0, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, in_height, 7, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, in_x_stride, 8, 0, 32, STRIDE) \
  X(DEPTHWISE, depthwise, in_y_stride, 9, 0, 32, STRIDE) \
  X(DEPTHWISE, depthwise, x_count, 10, 0, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, y_count, 10, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, x_stride, 11, 0, 32, STRIDE) \
  X(DEPTHWISE, depthwise, y_stride, 12, 0, 32, STRIDE) \
  X(DEPTHWISE, depthwise, kernel_width, 13, 0, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, kernel_height, 13, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, conv_stride_x, 14, 0, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, conv_stride_y, 14, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, dilation_x, 15, 0, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, dilation_y, 15, 16, 16, COUNT_MINUS_ONE) \
  X(DEPTHWISE, depthwise, x_start, 16, 0, 16, SIGNED) \
  X(DEPTHWISE, depthwise, y_start, 16, 16, 16, SIGNED) \
  X(DEPTHWISE, depthwise, input_zero_point, 17, 0, 16, SIGNED) \
  X(DEPTHWISE, depthwise, zero_point, 17, 16, 16, SIGNED) \
  X(DEPTHWISE, depthwise, clamp_min, 18, 0, 16, SIGNED) \
  X(DEPTHWISE, depthwise, clamp_max, 18, 16, 16, SIGNED) \
  X(POOL, pool, input_unsigned, 1, 0, 1, FLAG) \
  X(POOL, pool, mode, 1, 4, 4, ENUM) \
  X(POOL, pool, ifm, 2, 0, 32, SRAM) \
  X(POOL, pool, ofm, 3, 0, 32, SRAM) \
  X(POOL, pool, channels, 4, 0, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, in_width, 5, 0, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, in_height, 5, 16, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, in_x_stride, 6, 0, 32, STRIDE) \
  X(POOL, pool, in_y_stride, 7, 0, 32, STRIDE) \
  X(POOL, pool, x_count, 8, 0, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, y_count, 8, 16, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, x_stride, 9, 0, 32, STRIDE) \
  X(POOL, pool, y_stride, 10, 0, 32, STRIDE) \
  X(POOL, pool, kernel_width, 11, 0, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, kernel_height, 11, 16, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, pool_stride_x, 12, 0, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, pool_stride_y, 12, 16, 16, COUNT_MINUS_ONE) \
  X(POOL, pool, x_start, 13, 0, 16, SIGNED) \
  X(POOL, pool, y_start, 13, 16, 16, SIGNED) \
  X(POOL, pool, clamp_min, 14, 0, 16, SIGNED) \
  X(POOL, pool, clamp_max, 14, 16, 16, SIGNED) \
  X(ADD, add, input_unsigned, 1, 0, 1, FLAG) \
  X(ADD, add, subtract, 1, 1, 1, FLAG) \
  X(ADD, add, a_scalar, 1, 2, 1, FLAG) \
  X(ADD, add, b_scalar, 1, 3, 1, FLAG) \
  X(ADD, add, left_shift, 1, 8, 8, SCALAR) \
  X(ADD, add, a, 2, 0, 32, SRAM) \
  X(ADD, add, b, 3, 0, 32, SRAM) \
  X(ADD, add, ofm, 4, 0, 32, SRAM) \
  X(ADD, add, row_bytes, 5, 0, 32, LENGTH) \
  X(ADD, add, y_count, 6, 0, 16, COUNT_MINUS_ONE) \
  X(ADD, add, a_stride, 7, 0, 32, STRIDE) \
  X(ADD, add, b_stride, 8, 0, 32, STRIDE) \
  X(ADD, add, y_stride, 9, 0, 32, STRIDE) \
  X(ADD, add, a_zero_point, 10, 0, 16, SIGNED) \
  X(ADD, add, b_zero_point, 10, 16, 16, SIGNED) \
  X(ADD, add, a_multiplier, 11, 0, 32, SIGNED) \
  X(ADD, add, b_multiplier, 12, 0, 32, SIGNED) \
  X(ADD, add, out_multiplier, 13, 0, 32, SIGNED) \
  X(ADD, add, a_shift, 14, 0, 8, SIGNED) \
  X(ADD, add, b_shift, 14, 8, 8, SIGNED) \
  X(ADD, add, out_shift, 14, 16, 8, SIGNED) \
  X(ADD, add, zero_point, 15, 0, 16, SIGNED) \
  X(ADD, add, clamp_min, 16, 0, 16, SIGNED) \
  X(ADD, add, clamp_max, 16, 16, 16, SIGNED) \
  X(BINARY, binary, input_unsigned, 1, 0, 1, FLAG) \
  X(BINARY, binary, a_scalar, 1, 2, 1, FLAG) \
  X(BINARY, binary, b_scalar, 1, 3, 1, FLAG) \
  X(BINARY, binary, mode, 1, 4, 4, ENUM) \
  X(BINARY, binary, a, 2, 0, 32, SRAM) \
  X(BINARY, binary, b, 3, 0, 32, SRAM) \
  X(BINARY, binary, ofm, 4, 0, 32, SRAM) \
  X(BINARY, binary, row_bytes, 5, 0, 32, LENGTH) \
  X(BINARY, binary, y_count, 6, 0, 16, COUNT_MINUS_ONE) \
  X(BINARY, binary, a_stride, 7, 0, 32, STRIDE) \
  X(BINARY, binary, b_stride, 8, 0, 32, STRIDE) \
  X(BINARY, binary, y_stride, 9, 0, 32, STRIDE) \
  X(BINARY, binary, a_zero_point, 10, 0, 16, SIGNED) \
  X(BINARY, binary, b_zero_point, 10, 16, 16, SIGNED) \
  X(BINARY, binary, multiplier, 11, 0, 32, SIGNED) \
  X(BINARY, binary, negative_multiplier, 12, 0, 32, SIGNED) \
  X(BINARY, binary, shift, 13, 0, 8, SIGNED) \
  X(BINARY, binary, negative_shift, 13, 8, 8, SIGNED) \
  X(BINARY, binary, zero_point, 14, 0, 16, SIGNED) \
  X(BINARY, binary, clamp_min, 15, 0, 16, SIGNED) \
  X(BINARY, binary, clamp_max, 15, 16, 16, SIGNED) \
  X(TABLE, table, ifm, 1, 0, 32, SRAM) \
  X(TABLE, table, table, 2, 0, 32, SRAM) \
  X(TABLE, table, ofm, 3, 0, 32, SRAM) \
  X(TABLE, table, row_bytes, 4, 0, 32, LENGTH) \
  X(TABLE, table, y_count, 5, 0, 16, COUNT_MINUS_ONE) \
  X(TABLE, table, in_y_stride, 6, 0, 32, STRIDE) \
  X(TABLE, table, y_stride, 7, 0, 32, STRIDE) \
  X(REDUCE, reduce, input_unsigned, 1, 0, 1, FLAG) \
  X(REDUCE, reduce, mode, 1, 4, 4, ENUM) \
  X(REDUCE, reduce, ifm, 2, 0, 32, SRAM) \
  X(REDUCE, reduce, ofm, 3, 0, 32, SRAM) \
  X(REDUCE, reduce, channels, 4, 0, 16, COUNT_MINUS_ONE) \
  X(REDUCE, reduce, y_count, 4, 16, 16, COUNT_MINUS_ONE) \
  X(REDUCE, reduce, axis0_count, 5, 0, 16, COUNT_MINUS_ONE) \
  X(REDUCE, reduce, axis1_count, 5, 16, 16, COUNT_MINUS_ONE) \
  X(REDUCE, reduce, axis0_stride, 6, 0, 32, STRIDE) \
  X(REDUCE, reduce, axis1_stride, 7, 0, 32, STRIDE) \
  X(REDUCE, reduce, in_y_stride, 8, 0, 32, STRIDE) \
  X(REDUCE, reduce, y_stride, 9, 0, 32, STRIDE) \
  X(REDUCE, reduce, input_zero_point, 10, 0, 16, SIGNED) \
  X(REDUCE, reduce, zero_point, 10, 16, 16, SIGNED) \
  X(REDUCE, reduce, bias, 11, 0, 32, SIGNED) \
  X(REDUCE, reduce, multiplier, 12, 0, 32, SIGNED) \
  X(REDUCE, reduce, shift, 13, 0, 8, SIGNED) \
  X(REDUCE, reduce, clamp_min, 14, 0, 16, SIGNED) \
  X(REDUCE, reduce, clamp_max, 14, 16, 16, SIGNED) \
  X(SOFTMAX, softmax, input_unsigned, 1, 0, 1, FLAG) \
  X(SOFTMAX, softmax, ifm, 2, 0, 32, SRAM) \
  X(SOFTMAX, softmax, exponentials, 3, 0, 32, SRAM) \
  X(SOFTMAX, softmax, ofm, 4, 0, 32, SRAM) \
  X(SOFTMAX, softmax, x_count, 5, 0, 24, COUNT_MINUS_ONE) \
  X(SOFTMAX, softmax, y_count, 6, 0, 16, COUNT_MINUS_ONE) \
  X(SOFTMAX, softmax, in_x_stride, 7, 0, 32, STRIDE) \
  X(SOFTMAX, softmax, in_y_stride, 8, 0, 32, STRIDE) \
  X(SOFTMAX, softmax, x_stride, 9, 0, 32, STRIDE) \
  X(SOFTMAX, softmax, y_stride, 10, 0, 32, STRIDE) \
  X(SOFTMAX, softmax, zero_point, 11, 0, 16, SIGNED) \
  X(SOFTMAX, softmax, clamp_min, 12, 0, 16, SIGNED) \
  X(SOFTMAX, softmax, clamp_max, 12, 16, 16, SIGNED) \
  X(RESIZE, resize, input_unsigned, 1, 0, 1, FLAG) \
  X(RESIZE, resize, mode, 1, 4, 4, ENUM) \
  X(RESIZE, resize, ifm, 2, 0, 32, SRAM) \
  X(RESIZE, resize, ofm, 3, 0, 32, SRAM) \
  X(RESIZE, resize, channels, 4, 0, 16, COUNT_MINUS_ONE) \
  X(RESIZE, resize, in_width, 5, 0, 16, COUNT_MINUS_ONE) \
  X(RESIZE, resize, in_height, 5, 16, 16, COUNT_MINUS_ONE) \
  X(RESIZE, resize, in_x_stride, 6, 0, 32, STRIDE) \
  X(RESIZE, resize, in_y_stride, 7, 0, 32, STRIDE) \
  X(RESIZE, resize, x_count, 8, 0, 16, COUNT_MINUS_ONE) \
  X(RESIZE, resize, y_count, 8, 16, 16, COUNT_MINUS_ONE) \
  X(RESIZE, resize, x_stride, 9, 0, 32, STRIDE) \
  X(RESIZE, resize, y_stride, 10, 0, 32, STRIDE) \
  X(RESIZE, resize, x_start, 11, 0, 32, SIGNED) \
  X(RESIZE, resize, x_step, 12, 0, 32, SIGNED) \
  X(RESIZE, resize, y_start, 13, 0, 32, SIGNED) \
  X(RESIZE, resize, y_step, 14, 0, 32, SIGNED) \
  X(L2_NORMALISE, l2_normalise, input_unsigned, 1, 0, 1, FLAG) \
  X(L2_NORMALISE, l2_normalise, left_shift, 1, 8, 8, SCALAR) \
  X(L2_NORMALISE, l2_normalise, out_shift, 1, 16, 8, SIGNED) \
  X(L2_NORMALISE, l2_normalise, ifm, 2, 0, 32, SRAM) \
  X(L2_NORMALISE, l2_normalise, ofm, 3, 0, 32, SRAM) \
  X(L2_NORMALISE, l2_normalise, x_count, 4, 0, 24, COUNT_MINUS_ONE) \
  X(L2_NORMALISE, l2_normalise, y_count, 5, 0, 16, COUNT_MINUS_ONE) \
  X(L2_NORMALISE, l2_normalise, in_x_stride, 6, 0, 32, STRIDE) \
  X(L2_NORMALISE, l2_normalise, in_y_stride, 7, 0, 32, STRIDE) \
  X(L2_NORMALISE, l2_normalise, x_stride, 8, 0, 32, STRIDE) \
  X(L2_NORMALISE, l2_normalise, y_stride, 9, 0, 32, STRIDE) \
  X(L2_NORMALISE, l2_normalise, input_zero_point, 10, 0, 16, SIGNED) \
  X(L2_NORMALISE, l2_normalise, zero_point, 10, 16, 16, SIGNED) \
  X(L2_NORMALISE, l2_normalise, clamp_min, 11, 0, 16, SIGNED) \
  X(L2_NORMALISE, l2_normalise, clamp_max, 11, 16, 16, SIGNED) \
  X(ARG_REDUCE, arg_reduce, input_unsigned, 1, 0, 1, FLAG) \
  X(ARG_REDUCE, arg_reduce, smallest, 1, 1, 1, FLAG) \
  X(ARG_REDUCE, arg_reduce, ifm, 2, 0, 32, SRAM) \
  X(ARG_REDUCE, arg_reduce, ofm, 3, 0, 32, SRAM) \
  X(ARG_REDUCE, arg_reduce, channels, 4, 0, 16, COUNT_MINUS_ONE) \
  X(ARG_REDUCE, arg_reduce, y_count, 4, 16, 16, COUNT_MINUS_ONE) \
  X(ARG_REDUCE, arg_reduce, axis_count, 5, 0, 24, COUNT_MINUS_ONE) \
  X(ARG_REDUCE, arg_reduce, axis_stride, 6, 0, 32, STRIDE) \
  X(ARG_REDUCE, arg_reduce, in_y_stride, 7, 0, 32, STRIDE) \
  X(ARG_REDUCE, arg_reduce, y_stride, 8, 0, 32, STRIDE)

#ifdef __cplusplus
extern "C" {
#endif

#define AVOCET_COMMAND_COUNT 18
#define AVOCET_REGISTER_COUNT 77
#define AVOCET_ENUM_COUNT 14
/* Of any one command */
#define AVOCET_FIELDS_MAX 29
#define AVOCET_ACCESSES_MAX 4
#define AVOCET_WORDS_MAX 19

extern const struct avocet_command_info avocet_commands[AVOCET_COMMAND_COUNT];
extern const struct avocet_register_info avocet_registers[AVOCET_REGISTER_COUNT];
extern const struct avocet_enum_info *const avocet_enums[AVOCET_ENUM_COUNT];
/* Indexed by opcode; null for an illegal one. */
extern const struct avocet_command_info *const avocet_command_by_opcode[256];

#ifdef __cplusplus
}
#endif
#endif
