/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from contract.json by isa_generate; change the rows, not this file.
 * The contract between driver, firmware, compiler and device. Words are 32-bit and little-endian. */
#ifndef AVOCET_ISA_H
#define AVOCET_ISA_H

/* In a kernel the fixed-width types come from the includer. */
#ifndef __KERNEL__
#include <stdint.h>
#endif

#ifdef __cplusplus
extern "C" {
#define AVOCET_STATIC_ASSERT static_assert
#else
#define AVOCET_STATIC_ASSERT _Static_assert
#endif

#define AVOCET_VERSION_MAJOR 1u /* another MAJOR is refused */
#define AVOCET_VERSION_MINOR 3u
#define AVOCET_VERSION ((AVOCET_VERSION_MAJOR << 16) | AVOCET_VERSION_MINOR)

/* ---- constants ---- */

#define AVOCET_MAGIC 0x434F5641u /* ID register and structure magic: the bytes AVOC */
#define AVOCET_BOOT_MAGIC 0x544F4F42u /* avocet_boot: the bytes BOOT */
#define AVOCET_FIRMWARE_MAGIC 0x57464F41u /* firmware image header: the bytes AOFW */
#define AVOCET_REGISTER_BYTES 0x1000u /* size of the register window */
#define AVOCET_REGIONS 8u /* memory regions of a job, selected by dram fields */
#define AVOCET_PAGE_BYTES 4096u /* IOMMU page */
#define AVOCET_COMMAND_WORDS_MAX 32u /* longest command in words */
#define AVOCET_STREAM_BYTES_MAX 0x4000000u /* longest command stream: 64 MiB */
#define AVOCET_TAGS_MAX 65535u /* layer tags of a stream are below this */
/* per output channel: int32 bias, int32 multiplier, int32 shift (left when positive) */
#define AVOCET_PARAMETER_BYTES 12u
#define AVOCET_QUEUE_DEPTH 16u /* commands a unit's queue holds before the sequencer waits */
#define AVOCET_RING_ENTRIES_MAX 1024u /* entries of a ring; a power of two, at least 2 */
#define AVOCET_CONTEXTS_MAX 64u /* contexts that the firmware serves at once; context 0 is the driver's own */
#define AVOCET_MAC_OPERAND_BITS 8u /* activation and weight width of the MAC array */
#define AVOCET_ACCUMULATOR_BITS 32u /* accumulator width; sums wrap modulo 2^32 */
#define AVOCET_PTE_VALID 0x1u /* page table entry: the page is mapped */
#define AVOCET_PTE_WRITE 0x2u /* page table entry: the device may write */
#define AVOCET_L1_SHIFT 21u /* IOVA bits 31:21 index the 2048 64-bit entries of the first-level table (16 KiB) */
#define AVOCET_L2_SHIFT 12u /* IOVA bits 20:12 index the 512 64-bit entries of a second-level table (4 KiB) */
#define AVOCET_CORES_MAX 16u /* NPU cores of a device at most */
#define AVOCET_SEQ_STRIDE 0x60u /* the registers SEQ_* of core n stand n times this behind those of core 0 */
#define AVOCET_NPU_STRIDE 0x20u /* the registers NPU_* of core n stand n times this behind those of core 0 */
#define AVOCET_SAVE_MAGIC 0x45564153u /* avocet_save: the bytes SAVE */
/* RISC-V management core: its memory; the image is copied to the start of it */
#define AVOCET_CORE_RAM_BASE 0x10000000u
#define AVOCET_CORE_RAM_BYTES 0x40000u /* RISC-V management core: size of its memory, 256 KiB */
#define AVOCET_CORE_REGISTER_BASE 0x40000000u /* RISC-V management core: the register window, whole words only */

/* ---- enums ---- */

/* Units that execute commands, each in order from its own queue */
enum avocet_unit {
  AVOCET_UNIT_MAC = 0, /* MAC array */
  AVOCET_UNIT_REQUANT = 1, /* requantisation unit behind the array, one lane per column */
  AVOCET_UNIT_VECTOR = 2, /* vector unit */
  AVOCET_UNIT_DMA0 = 8, /* DMA channel 0; channel n is 8 + n */
  AVOCET_UNIT_COUNT = 16, /* number of unit ids */
};

/* Status of a job, a command or a message */
enum avocet_status {
  AVOCET_STATUS_OK = 0, /* success */
  AVOCET_STATUS_ILLEGAL_OPCODE = 1, /* unknown opcode, or 0, or all ones */
  AVOCET_STATUS_ILLEGAL_LENGTH = 2, /* a command's length is not the opcode's, or the stream ends inside it */
  /* a reserved bit is set, an enum value is unknown, or a value contradicts the device's configuration */
  AVOCET_STATUS_ILLEGAL_FIELD = 3,
  AVOCET_STATUS_OUT_OF_RANGE = 4, /* an access leaves its region, the SRAM or the accumulators */
  AVOCET_STATUS_ILLEGAL_WAIT = 5, /* a WAIT for more commands than the stream gave the producer before it */
  AVOCET_STATUS_NO_END = 6, /* the stream has no END, or commands behind it */
  AVOCET_STATUS_IOMMU_FAULT = 7, /* no valid translation, or a write to a read-only page */
  AVOCET_STATUS_BUS_ERROR = 8, /* a memory access failed */
  AVOCET_STATUS_ECC_ERROR = 9, /* an uncorrectable memory error */
  AVOCET_STATUS_HANG = 10, /* a unit made no progress within its bound */
  AVOCET_STATUS_ABORTED = 11, /* ended by a reset, a context's end or a neighbour command's fault */
  AVOCET_STATUS_VERSION = 12, /* another MAJOR version */
  AVOCET_STATUS_BAD_MESSAGE = 13, /* a message of unknown type or with impossible arguments */
  AVOCET_STATUS_NO_RESOURCE = 14, /* a table or a ring is full */
  AVOCET_STATUS_DEADLINE = 15, /* the deadline passed before the job started */
  AVOCET_STATUS_PREEMPTED = 16, /* stopped at a command boundary and saved, to be continued; never in a completion */
  AVOCET_STATUS_BUSY = 17, /* refused because jobs run or are queued */
};

/* Priority of a job ring: a higher one is served first */
enum avocet_priority {
  AVOCET_PRIORITY_LOW = 0, /* runs when nothing else wants to */
  AVOCET_PRIORITY_MEDIUM = 1, /* of the ring that CREATE_CONTEXT names */
  AVOCET_PRIORITY_HIGH = 2, /* never preempted */
  AVOCET_PRIORITY_COUNT = 3, /* number of priorities */
};

/* Level of a line in the log ring, which begins with the level's number in angle brackets */
enum avocet_firmware_log {
  AVOCET_FIRMWARE_LOG_ERROR = 3, /* a job, a ring or the firmware itself failed */
  AVOCET_FIRMWARE_LOG_WARNING = 4, /* a message was refused */
  AVOCET_FIRMWARE_LOG_INFO = 6, /* changes of state; the level after boot */
  AVOCET_FIRMWARE_LOG_DEBUG = 7, /* contexts, rings, preemption */
};

/* FW_STATE register */
enum avocet_firmware_state {
  AVOCET_FIRMWARE_STATE_OFF = 0, /* the management core is held in reset */
  AVOCET_FIRMWARE_STATE_BOOTING = 1, /* the core runs, no hello yet */
  AVOCET_FIRMWARE_STATE_READY = 2, /* hello: FW_VERSION is valid, rings are served */
  AVOCET_FIRMWARE_STATE_FAILED = 3, /* boot refused; FW_ERROR holds a status */
  AVOCET_FIRMWARE_STATE_HALTED = 4, /* an assertion stopped the firmware; FW_ERROR holds its code */
  AVOCET_FIRMWARE_STATE_SUSPENDED = 5, /* state saved, the clock may stop */
};

/* Types of admin ring entries */
enum avocet_message_type {
  AVOCET_MESSAGE_TYPE_PING = 1, /* answered with argument0 */
  /* context; argument0 = page table bus address; argument1 = job ring bus address */
  AVOCET_MESSAGE_TYPE_CREATE_CONTEXT = 2,
  AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT = 3, /* context; queued jobs complete as ABORTED before the answer */
  AVOCET_MESSAGE_TYPE_INVALIDATE = 4, /* context; drop its TLB entries */
  /* answered when idle; then FW_STATE is SUSPENDED. argument0 = 1: refused with BUSY instead of waiting for the
   * jobs */
  AVOCET_MESSAGE_TYPE_SUSPEND = 5,
  /* context; argument0 = enum priority, one that has no ring yet; argument1 = job ring bus address */
  AVOCET_MESSAGE_TYPE_CREATE_RING = 6,
  /* FW_STATE is READY again, contexts and rings as before SUSPEND (any doorbell does the same) */
  AVOCET_MESSAGE_TYPE_RESUME = 7,
  AVOCET_MESSAGE_TYPE_SET_LOG_LEVEL = 8, /* argument0 = enum firmware_log: lines of a greater number are left out */
  /* resets the NPU core argument0 if the job with the id argument1 is on it, which ends as HANG; answered when the
   * core is free. Overtakes a message that waits */
  AVOCET_MESSAGE_TYPE_RESET_ENGINE = 9,
};

/* Types of completion ring entries */
enum avocet_completion_type {
  AVOCET_COMPLETION_TYPE_JOB = 1, /* a job ended */
  AVOCET_COMPLETION_TYPE_MESSAGE = 2, /* answer to an admin message */
  /* a job ring makes no sense: status, context, request = enum priority, address = the ring; the context starts no
   * more jobs. Only for a driver of MINOR 3 or more */
  AVOCET_COMPLETION_TYPE_RING = 3,
};

/* POOL command */
enum avocet_pool_mode {
  AVOCET_POOL_MODE_MAX = 0, /* maximum of the cells inside the input */
  AVOCET_POOL_MODE_AVERAGE = 1, /* sum of the cells inside the input divided by their number, halves away from zero */
};

/* BINARY command */
enum avocet_binary_mode {
  AVOCET_BINARY_MODE_MULTIPLY = 0, /* product of both inputs less their zero points, scaled by multiplier and shift */
  AVOCET_BINARY_MODE_MAXIMUM = 1, /* larger of the two stored values; zero points and scaling are not used */
  AVOCET_BINARY_MODE_MINIMUM = 2, /* smaller of the two stored values; zero points and scaling are not used */
  /* a less its zero point where that is not negative, scaled by multiplier and shift; else the product as in
   * MULTIPLY, scaled by negative_multiplier and negative_shift */
  AVOCET_BINARY_MODE_PRELU = 3,
};

/* REDUCE command */
enum avocet_reduce_mode {
  /* sum of the values less the input zero point, plus bias, scaled, plus the output zero point; the sum wraps
   * modulo 2^32 */
  AVOCET_REDUCE_MODE_SUM = 0,
  AVOCET_REDUCE_MODE_MAXIMUM = 1, /* largest stored value; bias, zero points and scaling are not used */
  AVOCET_REDUCE_MODE_MINIMUM = 2, /* smallest stored value; bias, zero points and scaling are not used */
};

/* RESIZE command */
enum avocet_resize_mode {
  /* positions have 10 fraction bits; between the four cells around the position, halves away from zero */
  AVOCET_RESIZE_MODE_BILINEAR = 0,
  AVOCET_RESIZE_MODE_NEAREST = 1, /* positions have 16 fraction bits, which are dropped */
};

/* FW_KIND register, firmware_header.kind */
enum avocet_firmware_kind {
  AVOCET_FIRMWARE_KIND_NATIVE = 0, /* built into the model: the image is a header alone */
  AVOCET_FIRMWARE_KIND_RISCV = 1, /* RV32IMC code follows the header */
};

/* FW_ERROR beyond enum status: what the device or the firmware's last lines say of a crash or of an image. TRAP
 * codes are 0x100 + mcause */
enum avocet_firmware_error {
  AVOCET_FIRMWARE_ERROR_TRAP_FETCH = 257, /* the firmware jumped to where there is no memory */
  AVOCET_FIRMWARE_ERROR_TRAP_ILLEGAL = 258, /* illegal instruction */
  AVOCET_FIRMWARE_ERROR_TRAP_BREAKPOINT = 259, /* EBREAK */
  AVOCET_FIRMWARE_ERROR_TRAP_LOAD_MISALIGNED = 260, /* load from an address that is no multiple of its size */
  AVOCET_FIRMWARE_ERROR_TRAP_LOAD = 261, /* load from where there is nothing */
  AVOCET_FIRMWARE_ERROR_TRAP_STORE_MISALIGNED = 262, /* store to an address that is no multiple of its size */
  AVOCET_FIRMWARE_ERROR_TRAP_STORE = 263, /* store to where there is nothing */
  AVOCET_FIRMWARE_ERROR_TRAP_CALL = 267, /* ECALL */
  AVOCET_FIRMWARE_ERROR_WATCHDOG = 288, /* the firmware did not go back to sleep in time */
  AVOCET_FIRMWARE_ERROR_STACK = 289, /* the firmware's stack overflowed */
  AVOCET_FIRMWARE_ERROR_DOUBLE_TRAP = 290, /* an exception while one was being handled: the device stopped the core */
  AVOCET_FIRMWARE_ERROR_IMAGE_HEADER = 304, /* the device found no firmware image: magic, size or reserved words */
  AVOCET_FIRMWARE_ERROR_IMAGE_KIND = 305, /* the image is for another processor */
  AVOCET_FIRMWARE_ERROR_IMAGE_CHECKSUM = 306, /* the image's checksum is not that of its bytes */
  /* the image does not fit into the core's memory, or its entry is not inside it */
  AVOCET_FIRMWARE_ERROR_IMAGE_PLACE = 307,
};

/* ENGINE register */
enum avocet_engine {
  AVOCET_ENGINE_FUNCTIONAL = 0, /* values only */
  AVOCET_ENGINE_TIMED = 1, /* values and cycles, MAC array by its C++ twin */
  AVOCET_ENGINE_RTL = 2, /* values and cycles, MAC array by the Verilated RTL */
  AVOCET_ENGINE_TIMING = 3, /* cycles only */
};

/* ---- registers: byte offsets; below each register the masks of its fields ---- */

#define AVOCET_REG_ID 0x000u /* ro: MAGIC */
#define AVOCET_REG_VERSION 0x004u /* ro: contract MAJOR << 16 | MINOR */
#define AVOCET_REG_GENERATION 0x008u /* ro: number of resets since power-on */
#define AVOCET_REG_ENGINE 0x00Cu /* ro: enum engine */
#define AVOCET_REG_ARRAY_ROWS 0x010u /* ro: MAC array rows (input channels of a weight tile) */
#define AVOCET_REG_ARRAY_COLS 0x014u /* ro: MAC array columns (output channels of a weight tile) */
#define AVOCET_REG_ACC_ROWS 0x018u /* ro: accumulator rows of ARRAY_COLS int32 each */
#define AVOCET_REG_VECTOR_LANES 0x01Cu /* ro: int8 lanes of the vector unit */
#define AVOCET_REG_SRAM_BYTES 0x020u /* ro: scratchpad size */
#define AVOCET_REG_SRAM_BANKS 0x024u /* ro: scratchpad banks */
#define AVOCET_REG_DMA_CHANNELS 0x028u /* ro: DMA channels, 1 to 8 */
#define AVOCET_REG_DMA_BYTES_PER_CYCLE 0x02Cu /* ro: bytes a channel moves per cycle at most */
#define AVOCET_REG_DRAM_MILLIBYTES_PER_CYCLE 0x030u /* ro: DRAM bandwidth in thousandths of a byte per cycle */
#define AVOCET_REG_DRAM_LATENCY 0x034u /* ro: DRAM latency in cycles */
#define AVOCET_REG_CLOCK_KHZ 0x038u /* ro: device clock */
#define AVOCET_REG_CORES 0x03Cu /* ro: NPU cores */
#define AVOCET_REG_CONTROL 0x040u /* rw: management core and reset */
#define AVOCET_CONTROL_RUN 0x00000001u /* 1 lets the management core run; 0 holds it in reset */
#define AVOCET_CONTROL_RESET 0x00000002u /* write 1: reset the whole device; reads 1 until done */
#define AVOCET_REG_IRQ_STATUS 0x044u /* w1c: pending interrupts */
#define AVOCET_IRQ_STATUS_COMPLETION 0x00000001u /* the completion ring has new entries */
#define AVOCET_IRQ_STATUS_FIRMWARE 0x00000002u /* FW_STATE changed */
#define AVOCET_IRQ_STATUS_FAULT 0x00000004u /* FAULT_STATUS latched */
#define AVOCET_REG_IRQ_MASK 0x048u /* rw: 1 lets the interrupt of this bit through */
#define AVOCET_REG_DOORBELL 0x04Cu /* wo: a hint that a ring's tail moved; the value is ignored */
#define AVOCET_REG_FW_IMAGE_LO 0x050u /* rw: firmware image, bus address bits 31:0 */
#define AVOCET_REG_FW_IMAGE_HI 0x054u /* rw: bits 63:32 */
#define AVOCET_REG_FW_IMAGE_BYTES 0x058u /* rw: firmware image size */
#define AVOCET_REG_BOOT_LO 0x05Cu /* rw: boot parameters (avocet_boot), bus address bits 31:0 */
#define AVOCET_REG_BOOT_HI 0x060u /* rw: bits 63:32 */
#define AVOCET_REG_FW_STATE 0x064u /* ro: enum firmware_state */
#define AVOCET_REG_FW_VERSION 0x068u /* ro: contract version the firmware was built with, MAJOR << 16 | MINOR */
#define AVOCET_REG_FW_ERROR 0x06Cu /* ro: why FW_STATE is FAILED or HALTED: enum status or enum firmware_error */
/* ro: counts while the firmware serves its rings and while a job makes progress */
#define AVOCET_REG_FW_HEARTBEAT 0x070u
#define AVOCET_REG_FAULT_STATUS 0x074u /* ro: enum status of the first fault since reset, else OK */
#define AVOCET_REG_FAULT_POSITION 0x078u /* ro: word index of the faulting command in its stream */
#define AVOCET_REG_FAULT_ADDRESS_LO 0x07Cu /* ro: IOVA or SRAM address of the fault, bits 31:0 */
#define AVOCET_REG_FAULT_ADDRESS_HI 0x080u /* ro: bits 63:32 */
#define AVOCET_REG_CYCLE_LO 0x084u /* ro: device cycles since power-on, bits 31:0 */
#define AVOCET_REG_CYCLE_HI 0x088u /* ro: bits 63:32 */
/* ro: bytes of a save area (avocet_save and what follows it); 0 = jobs cannot be preempted */
#define AVOCET_REG_SAVE_AREA_BYTES 0x08Cu
#define AVOCET_REG_NPU_STATE 0x400u /* ro: 1 while the core runs a job, which the following registers describe */
#define AVOCET_REG_NPU_CONTEXT 0x404u /* ro: its context */
#define AVOCET_REG_NPU_JOB_LO 0x408u /* ro: its descriptor, bus address bits 31:0 */
#define AVOCET_REG_NPU_JOB_HI 0x40Cu /* ro: bits 63:32 */
/* ro: commands completed: a job that is long changes it, one that is stuck does not */
#define AVOCET_REG_NPU_PROGRESS 0x410u
#define AVOCET_REG_NPU_RESETS 0x414u /* ro: resets of this core alone since power-on */
#define AVOCET_REG_FW_KIND 0x0F0u /* ro: enum firmware_kind: the image that the management core runs */
#define AVOCET_REG_CORE_FW_STATE 0x800u /* core: management core: write FW_STATE, raises FIRMWARE */
#define AVOCET_REG_CORE_FW_VERSION 0x804u /* core: management core: write FW_VERSION */
#define AVOCET_REG_CORE_FW_ERROR 0x808u /* core: management core: write FW_ERROR */
#define AVOCET_REG_CORE_HEARTBEAT 0x80Cu /* core: management core: write FW_HEARTBEAT */
#define AVOCET_REG_CORE_IRQ_RAISE 0x810u /* core: management core: set bits of IRQ_STATUS */
/* core: management core: pending events, write 1 to clear; the core wakes while any is set */
#define AVOCET_REG_CORE_EVENTS 0x814u
#define AVOCET_CORE_EVENTS_DOORBELL 0x00000001u /* the host rang the doorbell */
#define AVOCET_CORE_EVENTS_SEQUENCER 0x00000002u /* the sequencer of core 0 ended its job */
#define AVOCET_CORE_EVENTS_TIMER 0x00000004u /* CORE_TIMER ran out */
#define AVOCET_CORE_EVENTS_SEQUENCERS 0xFFFF0000u /* bit 16 + n: the sequencer of core n > 0 ended its job */
#define AVOCET_REG_CORE_TIMER 0x818u /* core: management core: cycles until the TIMER event, 0 = off */
#define AVOCET_REG_SEQ_CONTEXT 0x820u /* core: context of the next job: address space id */
#define AVOCET_REG_SEQ_TABLE_LO 0x824u /* core: first-level page table, bus address bits 31:0 */
#define AVOCET_REG_SEQ_TABLE_HI 0x828u /* core: bits 63:32 */
#define AVOCET_REG_SEQ_JOB_LO 0x82Cu /* core: job descriptor (avocet_job), bus address bits 31:0 */
#define AVOCET_REG_SEQ_JOB_HI 0x830u /* core: bits 63:32 */
#define AVOCET_REG_SEQ_CONTROL 0x834u /* core: start and stop */
#define AVOCET_SEQ_CONTROL_START 0x00000001u /* write 1: run the job; ignored while BUSY */
#define AVOCET_SEQ_CONTROL_ABORT 0x00000002u /* write 1: stop at the next command boundary, status ABORTED */
#define AVOCET_SEQ_CONTROL_INVALIDATE 0x00000004u /* write 1: drop TLB entries of SEQ_CONTEXT */
/* write 1: stop at the next command boundary, save at SEQ_SAVE, status PREEMPTED; a job that ends by itself
 * meanwhile has its own status */
#define AVOCET_SEQ_CONTROL_PREEMPT 0x00000008u
#define AVOCET_SEQ_CONTROL_RESTORE 0x00000010u /* with START: continue the job that was saved at SEQ_SAVE */
/* write 1: sequencer and units of this core begin anew, whatever they were doing; their queues and tokens are
 * empty, a job ends with status ABORTED, SRAM and accumulators hold anything */
#define AVOCET_SEQ_CONTROL_RESET 0x00000020u
#define AVOCET_REG_SEQ_STATE 0x838u /* core: 1 while a job runs */
#define AVOCET_REG_SEQ_STATUS 0x83Cu /* core: enum status of the last job */
/* core: word index of the last job's faulting command, else of the last command dispatched */
#define AVOCET_REG_SEQ_POSITION 0x840u
#define AVOCET_REG_SEQ_ADDRESS_LO 0x844u /* core: fault address of the last job, bits 31:0 */
#define AVOCET_REG_SEQ_ADDRESS_HI 0x848u /* core: bits 63:32 */
#define AVOCET_REG_SEQ_PROGRESS 0x84Cu /* core: commands completed by all units in this job */
#define AVOCET_REG_SEQ_START_LO 0x850u /* core: cycle in which the last job started or continued, bits 31:0 */
#define AVOCET_REG_SEQ_START_HI 0x854u /* core: bits 63:32 */
#define AVOCET_REG_SEQ_END_LO 0x858u /* core: cycle in which the last job ended or was stopped, bits 31:0 */
#define AVOCET_REG_SEQ_END_HI 0x85Cu /* core: bits 63:32 */
#define AVOCET_REG_SEQ_SAVE_LO 0x860u /* core: save area, bus address bits 31:0 */
#define AVOCET_REG_SEQ_SAVE_HI 0x864u /* core: bits 63:32 */
/* core: cores that run the next job together: bit n for core n, this core's among them; 0 = this core alone */
#define AVOCET_REG_SEQ_GANG 0x868u
#define AVOCET_REG_CORE_BUS_LO 0xF00u /* core: RISC-V management core: bus address of the next transfer, bits 31:0 */
#define AVOCET_REG_CORE_BUS_HI 0xF04u /* core: bits 63:32 */
#define AVOCET_REG_CORE_BUS_LOCAL 0xF08u /* core: RISC-V management core: address in its own memory */
#define AVOCET_REG_CORE_BUS_BYTES 0xF0Cu /* core: RISC-V management core: bytes of a LOAD or STORE */
#define AVOCET_REG_CORE_BUS_DATA 0xF10u /* core: RISC-V management core: the word of LOAD_WORD and STORE_WORD */
/* core: RISC-V management core: write one bit; the write is complete when the transfer is */
#define AVOCET_REG_CORE_BUS_CONTROL 0xF14u
#define AVOCET_CORE_BUS_CONTROL_LOAD 0x00000001u /* bus to own memory */
#define AVOCET_CORE_BUS_CONTROL_STORE 0x00000002u /* own memory to bus */
#define AVOCET_CORE_BUS_CONTROL_LOAD_WORD 0x00000004u /* an aligned word to CORE_BUS_DATA, atomic, acquires */
#define AVOCET_CORE_BUS_CONTROL_STORE_WORD 0x00000008u /* an aligned word from CORE_BUS_DATA, atomic, releases */
/* core: RISC-V management core: enum status of the last transfer: OK, BUS_ERROR, or OUT_OF_RANGE (not the core's
 * memory) */
#define AVOCET_REG_CORE_BUS_STATUS 0xF18u
/* core: RISC-V management core: cycles until the machine timer interrupt, a write starts again, 0 = off */
#define AVOCET_REG_CORE_WATCHDOG 0xF1Cu

/* ---- structures in memory ---- */

/* Header of every ring; entries follow it. Producer and consumer write different cache lines. Indices are
 * free-running 32-bit counts; empty when head == tail, full when tail - head == entries. */
struct avocet_ring {
  uint32_t entries; /* number of entries, a power of two */
  uint32_t entry_bytes; /* size of an entry */
  uint32_t pad0[14]; /* zero */
  uint32_t tail; /* entries produced; written by the producer after the entries (release) */
  uint32_t pad1[15]; /* zero */
  uint32_t head; /* entries consumed; written by the consumer */
  uint32_t pad2[15]; /* zero */
};
#define AVOCET_RING_BYTES 192u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_ring) == AVOCET_RING_BYTES, "layout of avocet_ring");

/* Boot parameters, written by the driver before CONTROL.RUN */
struct avocet_boot {
  uint32_t magic; /* BOOT_MAGIC */
  uint32_t version; /* the driver's contract version, MAJOR << 16 | MINOR */
  uint64_t admin_ring; /* bus address of the admin ring (avocet_message) */
  uint64_t completion_ring; /* bus address of the completion ring (avocet_completion) */
  uint64_t log; /* bus address of the log ring: avocet_ring with 1-byte entries */
  /* bus address of the save areas, a multiple of 64; 0 = no preemption. One of SAVE_AREA_BYTES, rounded up to 64,
   * for each core and each priority but HIGH */
  uint64_t save;
  uint64_t save_bytes; /* size of all save areas */
  uint64_t reserved[2]; /* zero */
};
#define AVOCET_BOOT_BYTES 64u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_boot) == AVOCET_BOOT_BYTES, "layout of avocet_boot");

/* Head of a firmware image */
struct avocet_firmware_header {
  uint32_t magic; /* FIRMWARE_MAGIC */
  uint32_t version; /* contract version, MAJOR << 16 | MINOR */
  uint32_t kind; /* enum firmware_kind */
  uint32_t image_bytes; /* bytes including this header */
  uint32_t entry; /* entry point for kind 1 */
  uint32_t checksum; /* kind 1: CRC-32 (IEEE 802.3) of the whole image with this word zero */
  uint32_t ram_bytes; /* kind 1: memory needed from CORE_RAM_BASE on: image, zeroed data, stack */
  uint32_t reserved[9]; /* zero */
};
#define AVOCET_FIRMWARE_HEADER_BYTES 64u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_firmware_header) == AVOCET_FIRMWARE_HEADER_BYTES, "layout of avocet_firmware_header");

/* Admin ring entry */
struct avocet_message {
  uint32_t type; /* enum message_type */
  uint32_t request; /* returned in the completion */
  uint32_t context; /* context id */
  uint32_t reserved0; /* zero */
  uint64_t argument0; /* see enum message_type */
  uint64_t argument1; /* see enum message_type */
  uint64_t reserved1[4]; /* zero */
};
#define AVOCET_MESSAGE_BYTES 64u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_message) == AVOCET_MESSAGE_BYTES, "layout of avocet_message");

/* A memory region of a job */
struct avocet_region {
  uint64_t address; /* IOVA in the job's context */
  uint64_t bytes; /* size; 0 = absent */
};
#define AVOCET_REGION_BYTES 16u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_region) == AVOCET_REGION_BYTES, "layout of avocet_region");

/* Job ring entry */
struct avocet_job {
  uint64_t job_id; /* returned in the completion */
  uint64_t stream; /* IOVA of the command stream */
  uint32_t stream_bytes; /* multiple of 4 */
  uint32_t profile_entries; /* records at profile; 0 = no profile */
  uint64_t profile; /* IOVA of avocet_profile records, one per tag, written when the job ends */
  uint64_t deadline_cycle; /* do not start after this device cycle; 0 = none */
  struct avocet_region region[8]; /* regions that the stream's dram fields select */
  /* streams, one for each core of a gang; 0 or 1 = a job for one core. The n-th lowest core of SEQ_GANG runs part
   * n and writes its records at profile + n * profile_entries records */
  uint32_t parts;
  uint32_t reserved0; /* zero */
  /* with several parts, the bytes of each; they stand one behind the other at stream and add up to stream_bytes */
  uint32_t part_bytes[16];
  uint64_t reserved1[2]; /* zero */
};
#define AVOCET_JOB_BYTES 256u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_job) == AVOCET_JOB_BYTES, "layout of avocet_job");

/* Completion ring entry */
struct avocet_completion {
  uint32_t type; /* enum completion_type */
  uint32_t status; /* enum status */
  uint32_t context; /* context id */
  uint32_t request; /* of a message; of a job: how often it was preempted */
  uint64_t job_id; /* of a job; of a PING its argument0 */
  uint32_t position; /* word index of the faulting command */
  uint32_t commands; /* commands completed */
  uint64_t address; /* fault address */
  uint64_t doorbell_cycle; /* cycle in which the firmware saw the job */
  uint64_t start_cycle; /* cycle in which the sequencer started it first */
  uint64_t end_cycle; /* cycle in which its last command ended */
};
#define AVOCET_COMPLETION_BYTES 64u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_completion) == AVOCET_COMPLETION_BYTES, "layout of avocet_completion");

/* Counters of one layer tag; cycles are relative to the job's start and leave out those in which it was preempted */
struct avocet_profile {
  uint64_t first_cycle; /* start of the first command with this tag */
  uint64_t last_cycle; /* end of the last command with this tag; 0 = the tag did not occur */
  uint64_t macs; /* useful multiplications of the MAC array and the vector unit: padding of tiles does not count */
  uint64_t mac_cycles; /* cycles the MAC array was busy */
  uint64_t requant_cycles; /* cycles the requantisation unit was busy */
  uint64_t vector_cycles; /* cycles the vector unit was busy */
  uint64_t dram_read_bytes; /* bytes read from DRAM */
  uint64_t dram_write_bytes; /* bytes written to DRAM */
};
#define AVOCET_PROFILE_BYTES 64u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_profile) == AVOCET_PROFILE_BYTES, "layout of avocet_profile");

/* Head of a save area: a preempted job. Behind it the bytes of SRAM in [sram_begin, sram_end), rounded up to 8;
 * the accumulators of rows [acc_begin, acc_end); the product counts (u64) of these rows */
struct avocet_save {
  uint32_t magic; /* SAVE_MAGIC, written last */
  uint32_t position; /* word index of the last command dispatched */
  uint64_t job_id; /* of the job */
  uint64_t active_cycles; /* cycles in hardware so far, without saving and restoring */
  uint32_t sram_begin; /* SRAM that the job wrote so far */
  uint32_t sram_end; /* end of it */
  uint32_t acc_begin; /* accumulator rows that the job wrote so far */
  uint32_t acc_end; /* end of them */
  uint32_t completed[16]; /* commands completed by each unit */
  uint64_t reserved[3]; /* zero */
};
#define AVOCET_SAVE_BYTES 128u
AVOCET_STATIC_ASSERT(sizeof(struct avocet_save) == AVOCET_SAVE_BYTES, "layout of avocet_save");

/* ---- commands ---- */

/* Word 0 of every command: opcode, length in words including this one, layer tag */
#define AVOCET_COMMAND_OPCODE_LSB 0
#define AVOCET_COMMAND_OPCODE_BITS 8
#define AVOCET_COMMAND_LENGTH_LSB 8
#define AVOCET_COMMAND_LENGTH_BITS 8
#define AVOCET_COMMAND_TAG_LSB 16
#define AVOCET_COMMAND_TAG_BITS 16

/* Opcodes */
#define AVOCET_OP_END 0x01u
#define AVOCET_OP_WAIT 0x02u
#define AVOCET_OP_DMA_LOAD 0x10u
#define AVOCET_OP_DMA_STORE 0x11u
#define AVOCET_OP_DMA_FILL 0x12u
#define AVOCET_OP_BARRIER 0x13u
#define AVOCET_OP_MATMUL 0x20u
#define AVOCET_OP_REQUANT 0x21u
#define AVOCET_OP_DEPTHWISE 0x30u
#define AVOCET_OP_POOL 0x31u
#define AVOCET_OP_ADD 0x32u
#define AVOCET_OP_BINARY 0x33u
#define AVOCET_OP_TABLE 0x34u
#define AVOCET_OP_REDUCE 0x35u
#define AVOCET_OP_SOFTMAX 0x36u
#define AVOCET_OP_RESIZE 0x37u
#define AVOCET_OP_L2_NORMALISE 0x38u
#define AVOCET_OP_ARG_REDUCE 0x39u

/* Lengths in words, word 0 included */
#define AVOCET_END_WORDS 1u
#define AVOCET_WAIT_WORDS 3u
#define AVOCET_DMA_LOAD_WORDS 13u
#define AVOCET_DMA_STORE_WORDS 13u
#define AVOCET_DMA_FILL_WORDS 7u
#define AVOCET_BARRIER_WORDS 2u
#define AVOCET_MATMUL_WORDS 13u
#define AVOCET_REQUANT_WORDS 9u
#define AVOCET_DEPTHWISE_WORDS 19u
#define AVOCET_POOL_WORDS 15u
#define AVOCET_ADD_WORDS 17u
#define AVOCET_BINARY_WORDS 16u
#define AVOCET_TABLE_WORDS 8u
#define AVOCET_REDUCE_WORDS 15u
#define AVOCET_SOFTMAX_WORDS 13u
#define AVOCET_RESIZE_WORDS 15u
#define AVOCET_L2_NORMALISE_WORDS 12u
#define AVOCET_ARG_REDUCE_WORDS 9u

/* `bits` bits of a word from bit `lsb` up; as a signed number; and a value placed there, cut to its width. */
static inline uint32_t avocet_bits(uint32_t word, unsigned lsb, unsigned bits) {
  return (word >> lsb) & (0xFFFFFFFFu >> (32u - bits));
}
static inline int32_t avocet_signed_bits(uint32_t word, unsigned lsb, unsigned bits) {
  uint32_t sign = 1u << (bits - 1u);
  return (int32_t)((avocet_bits(word, lsb, bits) ^ sign) - sign);
}
static inline uint32_t avocet_place_bits(uint32_t value, unsigned lsb, unsigned bits) {
  return (value & (0xFFFFFFFFu >> (32u - bits))) << lsb;
}
static inline uint32_t avocet_command_header(uint32_t opcode, uint32_t words, uint32_t tag) {
  return avocet_place_bits(opcode, AVOCET_COMMAND_OPCODE_LSB, AVOCET_COMMAND_OPCODE_BITS) |
         avocet_place_bits(words, AVOCET_COMMAND_LENGTH_LSB, AVOCET_COMMAND_LENGTH_BITS) |
         avocet_place_bits(tag, AVOCET_COMMAND_TAG_LSB, AVOCET_COMMAND_TAG_BITS);
}
static inline uint32_t avocet_command_opcode(uint32_t word0) {
  return avocet_bits(word0, AVOCET_COMMAND_OPCODE_LSB, AVOCET_COMMAND_OPCODE_BITS);
}
static inline uint32_t avocet_command_length(uint32_t word0) {
  return avocet_bits(word0, AVOCET_COMMAND_LENGTH_LSB, AVOCET_COMMAND_LENGTH_BITS);
}
static inline uint32_t avocet_command_tag(uint32_t word0) {
  return avocet_bits(word0, AVOCET_COMMAND_TAG_LSB, AVOCET_COMMAND_TAG_BITS);
}

/* Encoders write the whole command, cut values to their fields' widths and return the length in words. Decoders take a
 * command whose opcode and length have been checked. Fields of kind count_minus_one hold the real count: 1 to 2^bits. */

/* END (sequencer): Ends the stream: the job is complete when every unit has drained. The last command of every
 * stream. */
struct avocet_cmd_end {
  uint32_t reserved; /* no fields: zero */
};
static inline uint32_t avocet_end_encode(const struct avocet_cmd_end *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_END, AVOCET_END_WORDS, tag);
  (void)command;
  return AVOCET_END_WORDS;
}
static inline void avocet_end_decode(const uint32_t *words, struct avocet_cmd_end *command) {
  (void)words;
  command->reserved = 0;
}

/* WAIT (sequencer): Goes to the queue of `unit`, which does not proceed until `producer` has completed `count`
 * commands of this stream (WAITs do not count). A stream may only wait for commands that stand before the WAIT, so
 * no stream can deadlock. */
struct avocet_cmd_wait {
  uint32_t unit; /* the unit that waits */
  uint32_t producer; /* the unit waited for */
  uint32_t count; /* completed commands, at least 1 */
};
static inline uint32_t avocet_wait_encode(const struct avocet_cmd_wait *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_WAIT, AVOCET_WAIT_WORDS, tag);
  words[1] = avocet_place_bits(command->unit, 0, 4) |
             avocet_place_bits(command->producer, 4, 4);
  words[2] = avocet_place_bits(command->count, 0, 32);
  return AVOCET_WAIT_WORDS;
}
static inline void avocet_wait_decode(const uint32_t *words, struct avocet_cmd_wait *command) {
  command->unit = avocet_bits(words[1], 0, 4);
  command->producer = avocet_bits(words[1], 4, 4);
  command->count = avocet_bits(words[2], 0, 32);
}

/* DMA_LOAD (dma): Copies up to four dimensions from DRAM to SRAM: rows of row_bytes, count0 x count1 x count2
 * times. */
struct avocet_cmd_dma_load {
  uint32_t channel; /* DMA channel */
  uint32_t region; /* memory region */
  uint32_t dram; /* byte offset in the region */
  uint32_t sram; /* SRAM byte address */
  uint32_t row_bytes; /* contiguous bytes, at least 1 */
  uint32_t count0; /* rows; real count */
  uint32_t count1; /* planes; real count */
  uint32_t count2; /* volumes; real count */
  uint32_t dram_stride0; /* bytes between rows in DRAM */
  uint32_t sram_stride0; /* bytes between rows in SRAM */
  uint32_t dram_stride1; /* bytes between planes in DRAM */
  uint32_t sram_stride1; /* bytes between planes in SRAM */
  uint32_t dram_stride2; /* bytes between volumes in DRAM */
  uint32_t sram_stride2; /* bytes between volumes in SRAM */
};
static inline uint32_t avocet_dma_load_encode(const struct avocet_cmd_dma_load *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_DMA_LOAD, AVOCET_DMA_LOAD_WORDS, tag);
  words[1] = avocet_place_bits(command->channel, 0, 4) |
             avocet_place_bits(command->region, 4, 4);
  words[2] = avocet_place_bits(command->dram, 0, 32);
  words[3] = avocet_place_bits(command->sram, 0, 32);
  words[4] = avocet_place_bits(command->row_bytes, 0, 32);
  words[5] = avocet_place_bits(command->count0 - 1u, 0, 16) |
             avocet_place_bits(command->count1 - 1u, 16, 16);
  words[6] = avocet_place_bits(command->count2 - 1u, 0, 16);
  words[7] = avocet_place_bits(command->dram_stride0, 0, 32);
  words[8] = avocet_place_bits(command->sram_stride0, 0, 32);
  words[9] = avocet_place_bits(command->dram_stride1, 0, 32);
  words[10] = avocet_place_bits(command->sram_stride1, 0, 32);
  words[11] = avocet_place_bits(command->dram_stride2, 0, 32);
  words[12] = avocet_place_bits(command->sram_stride2, 0, 32);
  return AVOCET_DMA_LOAD_WORDS;
}
static inline void avocet_dma_load_decode(const uint32_t *words, struct avocet_cmd_dma_load *command) {
  command->channel = avocet_bits(words[1], 0, 4);
  command->region = avocet_bits(words[1], 4, 4);
  command->dram = avocet_bits(words[2], 0, 32);
  command->sram = avocet_bits(words[3], 0, 32);
  command->row_bytes = avocet_bits(words[4], 0, 32);
  command->count0 = avocet_bits(words[5], 0, 16) + 1u;
  command->count1 = avocet_bits(words[5], 16, 16) + 1u;
  command->count2 = avocet_bits(words[6], 0, 16) + 1u;
  command->dram_stride0 = avocet_bits(words[7], 0, 32);
  command->sram_stride0 = avocet_bits(words[8], 0, 32);
  command->dram_stride1 = avocet_bits(words[9], 0, 32);
  command->sram_stride1 = avocet_bits(words[10], 0, 32);
  command->dram_stride2 = avocet_bits(words[11], 0, 32);
  command->sram_stride2 = avocet_bits(words[12], 0, 32);
}

/* DMA_STORE (dma): Copies up to four dimensions from SRAM to DRAM; fields as DMA_LOAD. */
struct avocet_cmd_dma_store {
  uint32_t channel; /* DMA channel */
  uint32_t region; /* memory region */
  uint32_t dram; /* byte offset in the region */
  uint32_t sram; /* SRAM byte address */
  uint32_t row_bytes; /* contiguous bytes, at least 1 */
  uint32_t count0; /* rows; real count */
  uint32_t count1; /* planes; real count */
  uint32_t count2; /* volumes; real count */
  uint32_t dram_stride0; /* bytes between rows in DRAM */
  uint32_t sram_stride0; /* bytes between rows in SRAM */
  uint32_t dram_stride1; /* bytes between planes in DRAM */
  uint32_t sram_stride1; /* bytes between planes in SRAM */
  uint32_t dram_stride2; /* bytes between volumes in DRAM */
  uint32_t sram_stride2; /* bytes between volumes in SRAM */
};
static inline uint32_t avocet_dma_store_encode(const struct avocet_cmd_dma_store *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_DMA_STORE, AVOCET_DMA_STORE_WORDS, tag);
  words[1] = avocet_place_bits(command->channel, 0, 4) |
             avocet_place_bits(command->region, 4, 4);
  words[2] = avocet_place_bits(command->dram, 0, 32);
  words[3] = avocet_place_bits(command->sram, 0, 32);
  words[4] = avocet_place_bits(command->row_bytes, 0, 32);
  words[5] = avocet_place_bits(command->count0 - 1u, 0, 16) |
             avocet_place_bits(command->count1 - 1u, 16, 16);
  words[6] = avocet_place_bits(command->count2 - 1u, 0, 16);
  words[7] = avocet_place_bits(command->dram_stride0, 0, 32);
  words[8] = avocet_place_bits(command->sram_stride0, 0, 32);
  words[9] = avocet_place_bits(command->dram_stride1, 0, 32);
  words[10] = avocet_place_bits(command->sram_stride1, 0, 32);
  words[11] = avocet_place_bits(command->dram_stride2, 0, 32);
  words[12] = avocet_place_bits(command->sram_stride2, 0, 32);
  return AVOCET_DMA_STORE_WORDS;
}
static inline void avocet_dma_store_decode(const uint32_t *words, struct avocet_cmd_dma_store *command) {
  command->channel = avocet_bits(words[1], 0, 4);
  command->region = avocet_bits(words[1], 4, 4);
  command->dram = avocet_bits(words[2], 0, 32);
  command->sram = avocet_bits(words[3], 0, 32);
  command->row_bytes = avocet_bits(words[4], 0, 32);
  command->count0 = avocet_bits(words[5], 0, 16) + 1u;
  command->count1 = avocet_bits(words[5], 16, 16) + 1u;
  command->count2 = avocet_bits(words[6], 0, 16) + 1u;
  command->dram_stride0 = avocet_bits(words[7], 0, 32);
  command->sram_stride0 = avocet_bits(words[8], 0, 32);
  command->dram_stride1 = avocet_bits(words[9], 0, 32);
  command->sram_stride1 = avocet_bits(words[10], 0, 32);
  command->dram_stride2 = avocet_bits(words[11], 0, 32);
  command->sram_stride2 = avocet_bits(words[12], 0, 32);
}

/* DMA_FILL (dma): Writes one byte value to up to three dimensions of SRAM: the padding around a tile. */
struct avocet_cmd_dma_fill {
  uint32_t channel; /* DMA channel */
  uint32_t value; /* byte to write */
  uint32_t sram; /* SRAM byte address */
  uint32_t row_bytes; /* contiguous bytes, at least 1 */
  uint32_t count0; /* rows; real count */
  uint32_t count1; /* planes; real count */
  uint32_t stride0; /* bytes between rows */
  uint32_t stride1; /* bytes between planes */
};
static inline uint32_t avocet_dma_fill_encode(const struct avocet_cmd_dma_fill *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_DMA_FILL, AVOCET_DMA_FILL_WORDS, tag);
  words[1] = avocet_place_bits(command->channel, 0, 4) |
             avocet_place_bits(command->value, 8, 8);
  words[2] = avocet_place_bits(command->sram, 0, 32);
  words[3] = avocet_place_bits(command->row_bytes, 0, 32);
  words[4] = avocet_place_bits(command->count0 - 1u, 0, 16) |
             avocet_place_bits(command->count1 - 1u, 16, 16);
  words[5] = avocet_place_bits(command->stride0, 0, 32);
  words[6] = avocet_place_bits(command->stride1, 0, 32);
  return AVOCET_DMA_FILL_WORDS;
}
static inline void avocet_dma_fill_decode(const uint32_t *words, struct avocet_cmd_dma_fill *command) {
  command->channel = avocet_bits(words[1], 0, 4);
  command->value = avocet_bits(words[1], 8, 8);
  command->sram = avocet_bits(words[2], 0, 32);
  command->row_bytes = avocet_bits(words[3], 0, 32);
  command->count0 = avocet_bits(words[4], 0, 16) + 1u;
  command->count1 = avocet_bits(words[4], 16, 16) + 1u;
  command->stride0 = avocet_bits(words[5], 0, 32);
  command->stride1 = avocet_bits(words[6], 0, 32);
}

/* BARRIER (dma): Where the cores of a gang meet: the n-th BARRIER of a stream completes when the channel's earlier
 * commands have, and every core of the gang has come to its n-th or ended. So what was stored before it is there
 * for all cores behind it; commands of other channels need a WAIT on either side. No stream can deadlock. A job
 * for one core passes it at once; one of several cores cannot be preempted. */
struct avocet_cmd_barrier {
  uint32_t channel; /* DMA channel */
};
static inline uint32_t avocet_barrier_encode(const struct avocet_cmd_barrier *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_BARRIER, AVOCET_BARRIER_WORDS, tag);
  words[1] = avocet_place_bits(command->channel, 0, 4);
  return AVOCET_BARRIER_WORDS;
}
static inline void avocet_barrier_decode(const uint32_t *words, struct avocet_cmd_barrier *command) {
  command->channel = avocet_bits(words[1], 0, 4);
}

/* MATMUL (mac): Accumulates activations x weights. Output vector (y, x) accumulates in row acc + y * x_count + x.
 * Passes in the order ky, kx, channel block: pass p takes the ARRAY_ROWS x ARRAY_COLS weight tile at weights + p *
 * ARRAY_ROWS * ARRAY_COLS and streams one vector per output (y, x), read at ifm + y*y_stride + x*x_stride +
 * ky*ky_stride + kx*kx_stride + block*ARRAY_ROWS; bytes beyond `channels` enter as zero. acc = sum of a * (w -
 * weight_zero_point) where a is the int8 activation, or the uint8 one minus 128. Padding is in SRAM: the tile's
 * writer filled it with the input zero point, whose effect is folded into the bias. */
struct avocet_cmd_matmul {
  uint32_t input_unsigned; /* activations are uint8: the array takes them minus 128 */
  uint32_t accumulate; /* 0: the first pass overwrites the accumulators; 1: it adds to them */
  int32_t weight_zero_point; /* subtracted from every int8 weight */
  uint32_t ifm; /* activations */
  uint32_t weights; /* weight tiles in the order of the passes, each row-major [ARRAY_ROWS][ARRAY_COLS] */
  uint32_t weight_bytes; /* passes * ARRAY_ROWS * ARRAY_COLS */
  uint32_t acc; /* first accumulator row */
  uint32_t x_count; /* output columns; real count */
  uint32_t y_count; /* output rows; real count */
  uint32_t x_stride; /* bytes between the activations of neighbouring output columns */
  uint32_t y_stride; /* bytes between those of neighbouring output rows */
  uint32_t kx_count; /* kernel columns (1 when the kernel row is contiguous and folded into channels); real count */
  uint32_t ky_count; /* kernel rows; real count */
  uint32_t kx_stride; /* bytes between kernel columns */
  uint32_t ky_stride; /* bytes between kernel rows */
  uint32_t channels; /* contiguous bytes of the K dimension per kernel position; real count */
};
static inline uint32_t avocet_matmul_encode(const struct avocet_cmd_matmul *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_MATMUL, AVOCET_MATMUL_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->accumulate, 1, 1) |
             avocet_place_bits((uint32_t)command->weight_zero_point, 8, 8);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->weights, 0, 32);
  words[4] = avocet_place_bits(command->weight_bytes, 0, 32);
  words[5] = avocet_place_bits(command->acc, 0, 16);
  words[6] = avocet_place_bits(command->x_count - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[7] = avocet_place_bits(command->x_stride, 0, 32);
  words[8] = avocet_place_bits(command->y_stride, 0, 32);
  words[9] = avocet_place_bits(command->kx_count - 1u, 0, 16) |
             avocet_place_bits(command->ky_count - 1u, 16, 16);
  words[10] = avocet_place_bits(command->kx_stride, 0, 32);
  words[11] = avocet_place_bits(command->ky_stride, 0, 32);
  words[12] = avocet_place_bits(command->channels - 1u, 0, 24);
  return AVOCET_MATMUL_WORDS;
}
static inline void avocet_matmul_decode(const uint32_t *words, struct avocet_cmd_matmul *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->accumulate = avocet_bits(words[1], 1, 1);
  command->weight_zero_point = avocet_signed_bits(words[1], 8, 8);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->weights = avocet_bits(words[3], 0, 32);
  command->weight_bytes = avocet_bits(words[4], 0, 32);
  command->acc = avocet_bits(words[5], 0, 16);
  command->x_count = avocet_bits(words[6], 0, 16) + 1u;
  command->y_count = avocet_bits(words[6], 16, 16) + 1u;
  command->x_stride = avocet_bits(words[7], 0, 32);
  command->y_stride = avocet_bits(words[8], 0, 32);
  command->kx_count = avocet_bits(words[9], 0, 16) + 1u;
  command->ky_count = avocet_bits(words[9], 16, 16) + 1u;
  command->kx_stride = avocet_bits(words[10], 0, 32);
  command->ky_stride = avocet_bits(words[11], 0, 32);
  command->channels = avocet_bits(words[12], 0, 24) + 1u;
}

/* REQUANT (requant): Reads accumulators, adds the bias, applies the per-channel multiplier and shift (double
 * rounding), adds the zero point, clamps and stores one byte per channel at ofm + y*y_stride + x*x_stride. */
struct avocet_cmd_requant {
  uint32_t acc; /* first accumulator row */
  uint32_t channels; /* columns to store, at most ARRAY_COLS; real count */
  uint32_t parameters; /* PARAMETER_BYTES per channel */
  uint32_t ofm; /* output */
  uint32_t x_count; /* output columns; real count */
  uint32_t y_count; /* output rows; real count */
  uint32_t x_stride; /* bytes between output columns */
  uint32_t y_stride; /* bytes between output rows */
  int32_t zero_point; /* output zero point */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_requant_encode(const struct avocet_cmd_requant *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_REQUANT, AVOCET_REQUANT_WORDS, tag);
  words[1] = avocet_place_bits(command->acc, 0, 16) |
             avocet_place_bits(command->channels - 1u, 16, 16);
  words[2] = avocet_place_bits(command->parameters, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->x_count - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[5] = avocet_place_bits(command->x_stride, 0, 32);
  words[6] = avocet_place_bits(command->y_stride, 0, 32);
  words[7] = avocet_place_bits((uint32_t)command->zero_point, 0, 16);
  words[8] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_REQUANT_WORDS;
}
static inline void avocet_requant_decode(const uint32_t *words, struct avocet_cmd_requant *command) {
  command->acc = avocet_bits(words[1], 0, 16);
  command->channels = avocet_bits(words[1], 16, 16) + 1u;
  command->parameters = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->x_count = avocet_bits(words[4], 0, 16) + 1u;
  command->y_count = avocet_bits(words[4], 16, 16) + 1u;
  command->x_stride = avocet_bits(words[5], 0, 32);
  command->y_stride = avocet_bits(words[6], 0, 32);
  command->zero_point = avocet_signed_bits(words[7], 0, 16);
  command->clamp_min = avocet_signed_bits(words[8], 0, 16);
  command->clamp_max = avocet_signed_bits(words[8], 16, 16);
}

/* DEPTHWISE (vector): Depthwise convolution with requantisation. Output channel c reads input channel c /
 * multiplier. Window (oy, ox) starts at input cell (y_start + oy*conv_stride_y, x_start + ox*conv_stride_x); cells
 * outside [0, in_height) x [0, in_width) contribute nothing. Sum of (a - input_zero_point) * (w -
 * weight_zero_point), then as REQUANT. */
struct avocet_cmd_depthwise {
  uint32_t input_unsigned; /* activations are uint8 */
  int32_t weight_zero_point; /* subtracted from every int8 weight */
  uint32_t multiplier; /* output channels per input channel; real count */
  uint32_t ifm; /* input cell (0, 0) */
  uint32_t weights; /* int8 [kernel_height][kernel_width][channels] */
  uint32_t parameters; /* PARAMETER_BYTES per output channel */
  uint32_t ofm; /* output */
  uint32_t channels; /* output channels; real count */
  uint32_t input_channels; /* input channels: channels / multiplier; real count */
  uint32_t in_width; /* input columns present; real count */
  uint32_t in_height; /* input rows present; real count */
  uint32_t in_x_stride; /* bytes between input columns */
  uint32_t in_y_stride; /* bytes between input rows */
  uint32_t x_count; /* output columns; real count */
  uint32_t y_count; /* output rows; real count */
  uint32_t x_stride; /* bytes between output columns */
  uint32_t y_stride; /* bytes between output rows */
  uint32_t kernel_width; /* kernel columns; real count */
  uint32_t kernel_height; /* kernel rows; real count */
  uint32_t conv_stride_x; /* input columns per output column; real count */
  uint32_t conv_stride_y; /* input rows per output row; real count */
  uint32_t dilation_x; /* input columns per kernel column; real count */
  uint32_t dilation_y; /* input rows per kernel row; real count */
  int32_t x_start; /* input column of the first window */
  int32_t y_start; /* input row of the first window */
  int32_t input_zero_point; /* input zero point */
  int32_t zero_point; /* output zero point */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_depthwise_encode(const struct avocet_cmd_depthwise *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_DEPTHWISE, AVOCET_DEPTHWISE_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits((uint32_t)command->weight_zero_point, 8, 8) |
             avocet_place_bits(command->multiplier - 1u, 16, 16);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->weights, 0, 32);
  words[4] = avocet_place_bits(command->parameters, 0, 32);
  words[5] = avocet_place_bits(command->ofm, 0, 32);
  words[6] = avocet_place_bits(command->channels - 1u, 0, 16) |
             avocet_place_bits(command->input_channels - 1u, 16, 16);
  words[7] = avocet_place_bits(command->in_width - 1u, 0, 16) |
             avocet_place_bits(command->in_height - 1u, 16, 16);
  words[8] = avocet_place_bits(command->in_x_stride, 0, 32);
  words[9] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[10] = avocet_place_bits(command->x_count - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[11] = avocet_place_bits(command->x_stride, 0, 32);
  words[12] = avocet_place_bits(command->y_stride, 0, 32);
  words[13] = avocet_place_bits(command->kernel_width - 1u, 0, 16) |
             avocet_place_bits(command->kernel_height - 1u, 16, 16);
  words[14] = avocet_place_bits(command->conv_stride_x - 1u, 0, 16) |
             avocet_place_bits(command->conv_stride_y - 1u, 16, 16);
  words[15] = avocet_place_bits(command->dilation_x - 1u, 0, 16) |
             avocet_place_bits(command->dilation_y - 1u, 16, 16);
  words[16] = avocet_place_bits((uint32_t)command->x_start, 0, 16) |
             avocet_place_bits((uint32_t)command->y_start, 16, 16);
  words[17] = avocet_place_bits((uint32_t)command->input_zero_point, 0, 16) |
             avocet_place_bits((uint32_t)command->zero_point, 16, 16);
  words[18] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_DEPTHWISE_WORDS;
}
static inline void avocet_depthwise_decode(const uint32_t *words, struct avocet_cmd_depthwise *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->weight_zero_point = avocet_signed_bits(words[1], 8, 8);
  command->multiplier = avocet_bits(words[1], 16, 16) + 1u;
  command->ifm = avocet_bits(words[2], 0, 32);
  command->weights = avocet_bits(words[3], 0, 32);
  command->parameters = avocet_bits(words[4], 0, 32);
  command->ofm = avocet_bits(words[5], 0, 32);
  command->channels = avocet_bits(words[6], 0, 16) + 1u;
  command->input_channels = avocet_bits(words[6], 16, 16) + 1u;
  command->in_width = avocet_bits(words[7], 0, 16) + 1u;
  command->in_height = avocet_bits(words[7], 16, 16) + 1u;
  command->in_x_stride = avocet_bits(words[8], 0, 32);
  command->in_y_stride = avocet_bits(words[9], 0, 32);
  command->x_count = avocet_bits(words[10], 0, 16) + 1u;
  command->y_count = avocet_bits(words[10], 16, 16) + 1u;
  command->x_stride = avocet_bits(words[11], 0, 32);
  command->y_stride = avocet_bits(words[12], 0, 32);
  command->kernel_width = avocet_bits(words[13], 0, 16) + 1u;
  command->kernel_height = avocet_bits(words[13], 16, 16) + 1u;
  command->conv_stride_x = avocet_bits(words[14], 0, 16) + 1u;
  command->conv_stride_y = avocet_bits(words[14], 16, 16) + 1u;
  command->dilation_x = avocet_bits(words[15], 0, 16) + 1u;
  command->dilation_y = avocet_bits(words[15], 16, 16) + 1u;
  command->x_start = avocet_signed_bits(words[16], 0, 16);
  command->y_start = avocet_signed_bits(words[16], 16, 16);
  command->input_zero_point = avocet_signed_bits(words[17], 0, 16);
  command->zero_point = avocet_signed_bits(words[17], 16, 16);
  command->clamp_min = avocet_signed_bits(words[18], 0, 16);
  command->clamp_max = avocet_signed_bits(words[18], 16, 16);
}

/* POOL (vector): Maximum or average over windows placed as in DEPTHWISE. Only cells inside the input count; a
 * window without any is an error of the stream's maker and gives clamp_min. */
struct avocet_cmd_pool {
  uint32_t input_unsigned; /* cells are uint8 */
  uint32_t mode; /* enum pool_mode */
  uint32_t ifm; /* input cell (0, 0) */
  uint32_t ofm; /* output */
  uint32_t channels; /* channels; real count */
  uint32_t in_width; /* input columns present; real count */
  uint32_t in_height; /* input rows present; real count */
  uint32_t in_x_stride; /* bytes between input columns */
  uint32_t in_y_stride; /* bytes between input rows */
  uint32_t x_count; /* output columns; real count */
  uint32_t y_count; /* output rows; real count */
  uint32_t x_stride; /* bytes between output columns */
  uint32_t y_stride; /* bytes between output rows */
  uint32_t kernel_width; /* window columns; real count */
  uint32_t kernel_height; /* window rows; real count */
  uint32_t pool_stride_x; /* input columns per output column; real count */
  uint32_t pool_stride_y; /* input rows per output row; real count */
  int32_t x_start; /* input column of the first window */
  int32_t y_start; /* input row of the first window */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_pool_encode(const struct avocet_cmd_pool *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_POOL, AVOCET_POOL_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->mode, 4, 4);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->channels - 1u, 0, 16);
  words[5] = avocet_place_bits(command->in_width - 1u, 0, 16) |
             avocet_place_bits(command->in_height - 1u, 16, 16);
  words[6] = avocet_place_bits(command->in_x_stride, 0, 32);
  words[7] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[8] = avocet_place_bits(command->x_count - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[9] = avocet_place_bits(command->x_stride, 0, 32);
  words[10] = avocet_place_bits(command->y_stride, 0, 32);
  words[11] = avocet_place_bits(command->kernel_width - 1u, 0, 16) |
             avocet_place_bits(command->kernel_height - 1u, 16, 16);
  words[12] = avocet_place_bits(command->pool_stride_x - 1u, 0, 16) |
             avocet_place_bits(command->pool_stride_y - 1u, 16, 16);
  words[13] = avocet_place_bits((uint32_t)command->x_start, 0, 16) |
             avocet_place_bits((uint32_t)command->y_start, 16, 16);
  words[14] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_POOL_WORDS;
}
static inline void avocet_pool_decode(const uint32_t *words, struct avocet_cmd_pool *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->mode = avocet_bits(words[1], 4, 4);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->channels = avocet_bits(words[4], 0, 16) + 1u;
  command->in_width = avocet_bits(words[5], 0, 16) + 1u;
  command->in_height = avocet_bits(words[5], 16, 16) + 1u;
  command->in_x_stride = avocet_bits(words[6], 0, 32);
  command->in_y_stride = avocet_bits(words[7], 0, 32);
  command->x_count = avocet_bits(words[8], 0, 16) + 1u;
  command->y_count = avocet_bits(words[8], 16, 16) + 1u;
  command->x_stride = avocet_bits(words[9], 0, 32);
  command->y_stride = avocet_bits(words[10], 0, 32);
  command->kernel_width = avocet_bits(words[11], 0, 16) + 1u;
  command->kernel_height = avocet_bits(words[11], 16, 16) + 1u;
  command->pool_stride_x = avocet_bits(words[12], 0, 16) + 1u;
  command->pool_stride_y = avocet_bits(words[12], 16, 16) + 1u;
  command->x_start = avocet_signed_bits(words[13], 0, 16);
  command->y_start = avocet_signed_bits(words[13], 16, 16);
  command->clamp_min = avocet_signed_bits(words[14], 0, 16);
  command->clamp_max = avocet_signed_bits(words[14], 16, 16);
}

/* ADD (vector): Quantised addition or subtraction of two tensors row by row: each input minus its zero point,
 * shifted left by left_shift, scaled; the sum (or the first minus the second) scaled, plus the output zero point,
 * clamped. A row stride of 0 repeats a row. Scaling is the saturating rounding doubling high multiply by the
 * multiplier, then a rounding shift right (left when positive). */
struct avocet_cmd_add {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t subtract; /* a - b instead of a + b */
  uint32_t a_scalar; /* a row of a is one byte, used for all elements of the row */
  uint32_t b_scalar; /* a row of b is one byte, used for all elements of the row */
  uint32_t left_shift; /* at most 22 */
  uint32_t a; /* first input */
  uint32_t b; /* second input */
  uint32_t ofm; /* output */
  uint32_t row_bytes; /* elements of a row, at least 1 */
  uint32_t y_count; /* rows; real count */
  uint32_t a_stride; /* bytes between rows of a */
  uint32_t b_stride; /* bytes between rows of b */
  uint32_t y_stride; /* bytes between rows of the output */
  int32_t a_zero_point; /* zero point of a */
  int32_t b_zero_point; /* zero point of b */
  int32_t a_multiplier; /* Q0.31 */
  int32_t b_multiplier; /* Q0.31 */
  int32_t out_multiplier; /* Q0.31 */
  int32_t a_shift; /* -31 to 30 */
  int32_t b_shift; /* -31 to 30 */
  int32_t out_shift; /* -31 to 30 */
  int32_t zero_point; /* output zero point */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_add_encode(const struct avocet_cmd_add *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_ADD, AVOCET_ADD_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->subtract, 1, 1) |
             avocet_place_bits(command->a_scalar, 2, 1) |
             avocet_place_bits(command->b_scalar, 3, 1) |
             avocet_place_bits(command->left_shift, 8, 8);
  words[2] = avocet_place_bits(command->a, 0, 32);
  words[3] = avocet_place_bits(command->b, 0, 32);
  words[4] = avocet_place_bits(command->ofm, 0, 32);
  words[5] = avocet_place_bits(command->row_bytes, 0, 32);
  words[6] = avocet_place_bits(command->y_count - 1u, 0, 16);
  words[7] = avocet_place_bits(command->a_stride, 0, 32);
  words[8] = avocet_place_bits(command->b_stride, 0, 32);
  words[9] = avocet_place_bits(command->y_stride, 0, 32);
  words[10] = avocet_place_bits((uint32_t)command->a_zero_point, 0, 16) |
             avocet_place_bits((uint32_t)command->b_zero_point, 16, 16);
  words[11] = avocet_place_bits((uint32_t)command->a_multiplier, 0, 32);
  words[12] = avocet_place_bits((uint32_t)command->b_multiplier, 0, 32);
  words[13] = avocet_place_bits((uint32_t)command->out_multiplier, 0, 32);
  words[14] = avocet_place_bits((uint32_t)command->a_shift, 0, 8) |
             avocet_place_bits((uint32_t)command->b_shift, 8, 8) |
             avocet_place_bits((uint32_t)command->out_shift, 16, 8);
  words[15] = avocet_place_bits((uint32_t)command->zero_point, 0, 16);
  words[16] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_ADD_WORDS;
}
static inline void avocet_add_decode(const uint32_t *words, struct avocet_cmd_add *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->subtract = avocet_bits(words[1], 1, 1);
  command->a_scalar = avocet_bits(words[1], 2, 1);
  command->b_scalar = avocet_bits(words[1], 3, 1);
  command->left_shift = avocet_bits(words[1], 8, 8);
  command->a = avocet_bits(words[2], 0, 32);
  command->b = avocet_bits(words[3], 0, 32);
  command->ofm = avocet_bits(words[4], 0, 32);
  command->row_bytes = avocet_bits(words[5], 0, 32);
  command->y_count = avocet_bits(words[6], 0, 16) + 1u;
  command->a_stride = avocet_bits(words[7], 0, 32);
  command->b_stride = avocet_bits(words[8], 0, 32);
  command->y_stride = avocet_bits(words[9], 0, 32);
  command->a_zero_point = avocet_signed_bits(words[10], 0, 16);
  command->b_zero_point = avocet_signed_bits(words[10], 16, 16);
  command->a_multiplier = avocet_signed_bits(words[11], 0, 32);
  command->b_multiplier = avocet_signed_bits(words[12], 0, 32);
  command->out_multiplier = avocet_signed_bits(words[13], 0, 32);
  command->a_shift = avocet_signed_bits(words[14], 0, 8);
  command->b_shift = avocet_signed_bits(words[14], 8, 8);
  command->out_shift = avocet_signed_bits(words[14], 16, 8);
  command->zero_point = avocet_signed_bits(words[15], 0, 16);
  command->clamp_min = avocet_signed_bits(words[16], 0, 16);
  command->clamp_max = avocet_signed_bits(words[16], 16, 16);
}

/* BINARY (vector): Two quantised tensors combined row by row, as enum binary_mode says; the result plus the output
 * zero point, clamped. Scaling as in ADD. A row stride of 0 repeats a row. */
struct avocet_cmd_binary {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t a_scalar; /* a row of a is one byte, used for all elements of the row */
  uint32_t b_scalar; /* a row of b is one byte, used for all elements of the row */
  uint32_t mode; /* enum binary_mode */
  uint32_t a; /* first input */
  uint32_t b; /* second input; PRELU: the slopes */
  uint32_t ofm; /* output */
  uint32_t row_bytes; /* elements of a row, at least 1 */
  uint32_t y_count; /* rows; real count */
  uint32_t a_stride; /* bytes between rows of a */
  uint32_t b_stride; /* bytes between rows of b */
  uint32_t y_stride; /* bytes between rows of the output */
  int32_t a_zero_point; /* zero point of a */
  int32_t b_zero_point; /* zero point of b */
  int32_t multiplier; /* Q0.31 */
  int32_t negative_multiplier; /* Q0.31; PRELU where a is negative */
  int32_t shift; /* -31 to 30 */
  int32_t negative_shift; /* -31 to 30; PRELU where a is negative */
  int32_t zero_point; /* output zero point */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_binary_encode(const struct avocet_cmd_binary *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_BINARY, AVOCET_BINARY_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->a_scalar, 2, 1) |
             avocet_place_bits(command->b_scalar, 3, 1) |
             avocet_place_bits(command->mode, 4, 4);
  words[2] = avocet_place_bits(command->a, 0, 32);
  words[3] = avocet_place_bits(command->b, 0, 32);
  words[4] = avocet_place_bits(command->ofm, 0, 32);
  words[5] = avocet_place_bits(command->row_bytes, 0, 32);
  words[6] = avocet_place_bits(command->y_count - 1u, 0, 16);
  words[7] = avocet_place_bits(command->a_stride, 0, 32);
  words[8] = avocet_place_bits(command->b_stride, 0, 32);
  words[9] = avocet_place_bits(command->y_stride, 0, 32);
  words[10] = avocet_place_bits((uint32_t)command->a_zero_point, 0, 16) |
             avocet_place_bits((uint32_t)command->b_zero_point, 16, 16);
  words[11] = avocet_place_bits((uint32_t)command->multiplier, 0, 32);
  words[12] = avocet_place_bits((uint32_t)command->negative_multiplier, 0, 32);
  words[13] = avocet_place_bits((uint32_t)command->shift, 0, 8) |
             avocet_place_bits((uint32_t)command->negative_shift, 8, 8);
  words[14] = avocet_place_bits((uint32_t)command->zero_point, 0, 16);
  words[15] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_BINARY_WORDS;
}
static inline void avocet_binary_decode(const uint32_t *words, struct avocet_cmd_binary *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->a_scalar = avocet_bits(words[1], 2, 1);
  command->b_scalar = avocet_bits(words[1], 3, 1);
  command->mode = avocet_bits(words[1], 4, 4);
  command->a = avocet_bits(words[2], 0, 32);
  command->b = avocet_bits(words[3], 0, 32);
  command->ofm = avocet_bits(words[4], 0, 32);
  command->row_bytes = avocet_bits(words[5], 0, 32);
  command->y_count = avocet_bits(words[6], 0, 16) + 1u;
  command->a_stride = avocet_bits(words[7], 0, 32);
  command->b_stride = avocet_bits(words[8], 0, 32);
  command->y_stride = avocet_bits(words[9], 0, 32);
  command->a_zero_point = avocet_signed_bits(words[10], 0, 16);
  command->b_zero_point = avocet_signed_bits(words[10], 16, 16);
  command->multiplier = avocet_signed_bits(words[11], 0, 32);
  command->negative_multiplier = avocet_signed_bits(words[12], 0, 32);
  command->shift = avocet_signed_bits(words[13], 0, 8);
  command->negative_shift = avocet_signed_bits(words[13], 8, 8);
  command->zero_point = avocet_signed_bits(words[14], 0, 16);
  command->clamp_min = avocet_signed_bits(words[15], 0, 16);
  command->clamp_max = avocet_signed_bits(words[15], 16, 16);
}

/* TABLE (vector): Replaces each byte by its entry in a table of 256 bytes: any function of one quantised value.
 * Input and output may be the same bytes. */
struct avocet_cmd_table {
  uint32_t ifm; /* input */
  uint32_t table; /* 256 bytes, indexed by the stored byte */
  uint32_t ofm; /* output */
  uint32_t row_bytes; /* bytes of a row, at least 1 */
  uint32_t y_count; /* rows; real count */
  uint32_t in_y_stride; /* bytes between rows of the input */
  uint32_t y_stride; /* bytes between rows of the output */
};
static inline uint32_t avocet_table_encode(const struct avocet_cmd_table *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_TABLE, AVOCET_TABLE_WORDS, tag);
  words[1] = avocet_place_bits(command->ifm, 0, 32);
  words[2] = avocet_place_bits(command->table, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->row_bytes, 0, 32);
  words[5] = avocet_place_bits(command->y_count - 1u, 0, 16);
  words[6] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[7] = avocet_place_bits(command->y_stride, 0, 32);
  return AVOCET_TABLE_WORDS;
}
static inline void avocet_table_decode(const uint32_t *words, struct avocet_cmd_table *command) {
  command->ifm = avocet_bits(words[1], 0, 32);
  command->table = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->row_bytes = avocet_bits(words[4], 0, 32);
  command->y_count = avocet_bits(words[5], 0, 16) + 1u;
  command->in_y_stride = avocet_bits(words[6], 0, 32);
  command->y_stride = avocet_bits(words[7], 0, 32);
}

/* REDUCE (vector): Combines axis1_count x axis0_count cells of each of y_count groups, channel by channel, as enum
 * reduce_mode says. Cell (j, i) of group y stands at ifm + y*in_y_stride + j*axis1_stride + i*axis0_stride; output
 * y at ofm + y*y_stride. Scaling as in ADD. */
struct avocet_cmd_reduce {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t mode; /* enum reduce_mode */
  uint32_t ifm; /* input */
  uint32_t ofm; /* output */
  uint32_t channels; /* contiguous bytes of a cell, each reduced on its own; real count */
  uint32_t y_count; /* groups, each giving one row of channels; real count */
  uint32_t axis0_count; /* cells along the inner reduced axis; real count */
  uint32_t axis1_count; /* cells along the outer reduced axis; real count */
  uint32_t axis0_stride; /* bytes between cells along the inner reduced axis */
  uint32_t axis1_stride; /* bytes between cells along the outer reduced axis */
  uint32_t in_y_stride; /* bytes between groups */
  uint32_t y_stride; /* bytes between rows of the output */
  int32_t input_zero_point; /* input zero point */
  int32_t zero_point; /* output zero point */
  int32_t bias; /* added to the sum */
  int32_t multiplier; /* Q0.31 */
  int32_t shift; /* -31 to 30 */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_reduce_encode(const struct avocet_cmd_reduce *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_REDUCE, AVOCET_REDUCE_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->mode, 4, 4);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->channels - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[5] = avocet_place_bits(command->axis0_count - 1u, 0, 16) |
             avocet_place_bits(command->axis1_count - 1u, 16, 16);
  words[6] = avocet_place_bits(command->axis0_stride, 0, 32);
  words[7] = avocet_place_bits(command->axis1_stride, 0, 32);
  words[8] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[9] = avocet_place_bits(command->y_stride, 0, 32);
  words[10] = avocet_place_bits((uint32_t)command->input_zero_point, 0, 16) |
             avocet_place_bits((uint32_t)command->zero_point, 16, 16);
  words[11] = avocet_place_bits((uint32_t)command->bias, 0, 32);
  words[12] = avocet_place_bits((uint32_t)command->multiplier, 0, 32);
  words[13] = avocet_place_bits((uint32_t)command->shift, 0, 8);
  words[14] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_REDUCE_WORDS;
}
static inline void avocet_reduce_decode(const uint32_t *words, struct avocet_cmd_reduce *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->mode = avocet_bits(words[1], 4, 4);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->channels = avocet_bits(words[4], 0, 16) + 1u;
  command->y_count = avocet_bits(words[4], 16, 16) + 1u;
  command->axis0_count = avocet_bits(words[5], 0, 16) + 1u;
  command->axis1_count = avocet_bits(words[5], 16, 16) + 1u;
  command->axis0_stride = avocet_bits(words[6], 0, 32);
  command->axis1_stride = avocet_bits(words[7], 0, 32);
  command->in_y_stride = avocet_bits(words[8], 0, 32);
  command->y_stride = avocet_bits(words[9], 0, 32);
  command->input_zero_point = avocet_signed_bits(words[10], 0, 16);
  command->zero_point = avocet_signed_bits(words[10], 16, 16);
  command->bias = avocet_signed_bits(words[11], 0, 32);
  command->multiplier = avocet_signed_bits(words[12], 0, 32);
  command->shift = avocet_signed_bits(words[13], 0, 8);
  command->clamp_min = avocet_signed_bits(words[14], 0, 16);
  command->clamp_max = avocet_signed_bits(words[14], 16, 16);
}

/* SOFTMAX (vector): Softmax of each of y_count rows of x_count elements. With d the difference of an element to
 * the row's largest: e = exponentials[d], sum = sum of e shifted right by 12 with rounding (Q12.19, limited to 1
 * to 2^31 - 1), r the reciprocal of the sum's mantissa, all as avocet_softmax.h computes them; output = zero_point
 * + e * r scaled to 8 fraction bits, clamped. */
struct avocet_cmd_softmax {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t ifm; /* input */
  /* 256 int32, Q0.31: exp(-d * scale * beta) for each difference d of stored values, 0 where it does not count */
  uint32_t exponentials;
  uint32_t ofm; /* output */
  uint32_t x_count; /* elements of a row; real count */
  uint32_t y_count; /* rows; real count */
  uint32_t in_x_stride; /* bytes between elements of the input */
  uint32_t in_y_stride; /* bytes between rows of the input */
  uint32_t x_stride; /* bytes between elements of the output */
  uint32_t y_stride; /* bytes between rows of the output */
  int32_t zero_point; /* output zero point: 0 of uint8, -128 of int8 */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_softmax_encode(const struct avocet_cmd_softmax *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_SOFTMAX, AVOCET_SOFTMAX_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->exponentials, 0, 32);
  words[4] = avocet_place_bits(command->ofm, 0, 32);
  words[5] = avocet_place_bits(command->x_count - 1u, 0, 24);
  words[6] = avocet_place_bits(command->y_count - 1u, 0, 16);
  words[7] = avocet_place_bits(command->in_x_stride, 0, 32);
  words[8] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[9] = avocet_place_bits(command->x_stride, 0, 32);
  words[10] = avocet_place_bits(command->y_stride, 0, 32);
  words[11] = avocet_place_bits((uint32_t)command->zero_point, 0, 16);
  words[12] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_SOFTMAX_WORDS;
}
static inline void avocet_softmax_decode(const uint32_t *words, struct avocet_cmd_softmax *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->exponentials = avocet_bits(words[3], 0, 32);
  command->ofm = avocet_bits(words[4], 0, 32);
  command->x_count = avocet_bits(words[5], 0, 24) + 1u;
  command->y_count = avocet_bits(words[6], 0, 16) + 1u;
  command->in_x_stride = avocet_bits(words[7], 0, 32);
  command->in_y_stride = avocet_bits(words[8], 0, 32);
  command->x_stride = avocet_bits(words[9], 0, 32);
  command->y_stride = avocet_bits(words[10], 0, 32);
  command->zero_point = avocet_signed_bits(words[11], 0, 16);
  command->clamp_min = avocet_signed_bits(words[12], 0, 16);
  command->clamp_max = avocet_signed_bits(words[12], 16, 16);
}

/* RESIZE (vector): Resamples an image. Output (y, x) is taken at the position (y_start + y*y_step, x_start +
 * x*x_step) of the input, each clamped to the cells present, [0, in_height - 1] and [0, in_width - 1]; positions
 * are fixed-point numbers with the fraction bits of enum resize_mode. */
struct avocet_cmd_resize {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t mode; /* enum resize_mode */
  uint32_t ifm; /* input cell (0, 0) */
  uint32_t ofm; /* output */
  uint32_t channels; /* channels; real count */
  uint32_t in_width; /* input columns present; real count */
  uint32_t in_height; /* input rows present; real count */
  uint32_t in_x_stride; /* bytes between input columns */
  uint32_t in_y_stride; /* bytes between input rows */
  uint32_t x_count; /* output columns; real count */
  uint32_t y_count; /* output rows; real count */
  uint32_t x_stride; /* bytes between output columns */
  uint32_t y_stride; /* bytes between output rows */
  int32_t x_start; /* position of the first output column */
  int32_t x_step; /* from one output column to the next */
  int32_t y_start; /* position of the first output row */
  int32_t y_step; /* from one output row to the next */
};
static inline uint32_t avocet_resize_encode(const struct avocet_cmd_resize *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_RESIZE, AVOCET_RESIZE_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->mode, 4, 4);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->channels - 1u, 0, 16);
  words[5] = avocet_place_bits(command->in_width - 1u, 0, 16) |
             avocet_place_bits(command->in_height - 1u, 16, 16);
  words[6] = avocet_place_bits(command->in_x_stride, 0, 32);
  words[7] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[8] = avocet_place_bits(command->x_count - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[9] = avocet_place_bits(command->x_stride, 0, 32);
  words[10] = avocet_place_bits(command->y_stride, 0, 32);
  words[11] = avocet_place_bits((uint32_t)command->x_start, 0, 32);
  words[12] = avocet_place_bits((uint32_t)command->x_step, 0, 32);
  words[13] = avocet_place_bits((uint32_t)command->y_start, 0, 32);
  words[14] = avocet_place_bits((uint32_t)command->y_step, 0, 32);
  return AVOCET_RESIZE_WORDS;
}
static inline void avocet_resize_decode(const uint32_t *words, struct avocet_cmd_resize *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->mode = avocet_bits(words[1], 4, 4);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->channels = avocet_bits(words[4], 0, 16) + 1u;
  command->in_width = avocet_bits(words[5], 0, 16) + 1u;
  command->in_height = avocet_bits(words[5], 16, 16) + 1u;
  command->in_x_stride = avocet_bits(words[6], 0, 32);
  command->in_y_stride = avocet_bits(words[7], 0, 32);
  command->x_count = avocet_bits(words[8], 0, 16) + 1u;
  command->y_count = avocet_bits(words[8], 16, 16) + 1u;
  command->x_stride = avocet_bits(words[9], 0, 32);
  command->y_stride = avocet_bits(words[10], 0, 32);
  command->x_start = avocet_signed_bits(words[11], 0, 32);
  command->x_step = avocet_signed_bits(words[12], 0, 32);
  command->y_start = avocet_signed_bits(words[13], 0, 32);
  command->y_step = avocet_signed_bits(words[14], 0, 32);
}

/* L2_NORMALISE (vector): Divides each of y_count rows of x_count elements by its Euclidean length. With v an
 * element minus the input zero point and (m, s) the inverse square root of the row's sum of v*v as
 * avocet_l2_normalise.h computes it: output = zero_point + (v << left_shift) scaled by m and the shift s +
 * out_shift (at least -31) as in ADD, clamped. */
struct avocet_cmd_l2_normalise {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t left_shift; /* at most 15; outputs of scale 1/128 have left_shift + out_shift = 7 */
  int32_t out_shift; /* -16 to 30, added to the shift of the inverse square root */
  uint32_t ifm; /* input */
  uint32_t ofm; /* output */
  uint32_t x_count; /* elements of a row; real count */
  uint32_t y_count; /* rows; real count */
  uint32_t in_x_stride; /* bytes between elements of the input */
  uint32_t in_y_stride; /* bytes between rows of the input */
  uint32_t x_stride; /* bytes between elements of the output */
  uint32_t y_stride; /* bytes between rows of the output */
  int32_t input_zero_point; /* input zero point */
  int32_t zero_point; /* output zero point */
  int32_t clamp_min; /* smallest output */
  int32_t clamp_max; /* largest output */
};
static inline uint32_t avocet_l2_normalise_encode(const struct avocet_cmd_l2_normalise *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_L2_NORMALISE, AVOCET_L2_NORMALISE_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->left_shift, 8, 8) |
             avocet_place_bits((uint32_t)command->out_shift, 16, 8);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->x_count - 1u, 0, 24);
  words[5] = avocet_place_bits(command->y_count - 1u, 0, 16);
  words[6] = avocet_place_bits(command->in_x_stride, 0, 32);
  words[7] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[8] = avocet_place_bits(command->x_stride, 0, 32);
  words[9] = avocet_place_bits(command->y_stride, 0, 32);
  words[10] = avocet_place_bits((uint32_t)command->input_zero_point, 0, 16) |
             avocet_place_bits((uint32_t)command->zero_point, 16, 16);
  words[11] = avocet_place_bits((uint32_t)command->clamp_min, 0, 16) |
             avocet_place_bits((uint32_t)command->clamp_max, 16, 16);
  return AVOCET_L2_NORMALISE_WORDS;
}
static inline void avocet_l2_normalise_decode(const uint32_t *words, struct avocet_cmd_l2_normalise *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->left_shift = avocet_bits(words[1], 8, 8);
  command->out_shift = avocet_signed_bits(words[1], 16, 8);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->x_count = avocet_bits(words[4], 0, 24) + 1u;
  command->y_count = avocet_bits(words[5], 0, 16) + 1u;
  command->in_x_stride = avocet_bits(words[6], 0, 32);
  command->in_y_stride = avocet_bits(words[7], 0, 32);
  command->x_stride = avocet_bits(words[8], 0, 32);
  command->y_stride = avocet_bits(words[9], 0, 32);
  command->input_zero_point = avocet_signed_bits(words[10], 0, 16);
  command->zero_point = avocet_signed_bits(words[10], 16, 16);
  command->clamp_min = avocet_signed_bits(words[11], 0, 16);
  command->clamp_max = avocet_signed_bits(words[11], 16, 16);
}

/* ARG_REDUCE (vector): Finds, channel by channel in each of y_count groups of axis_count cells, the index of the
 * largest or smallest stored value, of equal ones the first. Cell i of group y stands at ifm + y*in_y_stride +
 * i*axis_stride; the index for channel c goes to ofm + y*y_stride + 4*c as int32, little-endian. */
struct avocet_cmd_arg_reduce {
  uint32_t input_unsigned; /* inputs are uint8 */
  uint32_t smallest; /* the smallest value instead of the largest */
  uint32_t ifm; /* input */
  uint32_t ofm; /* output */
  uint32_t channels; /* contiguous bytes of a cell, each with an index of its own; real count */
  uint32_t y_count; /* groups, each giving one row of indices; real count */
  uint32_t axis_count; /* cells of a group; real count */
  uint32_t axis_stride; /* bytes between cells */
  uint32_t in_y_stride; /* bytes between groups */
  uint32_t y_stride; /* bytes between rows of the output */
};
static inline uint32_t avocet_arg_reduce_encode(const struct avocet_cmd_arg_reduce *command, uint32_t tag, uint32_t *words) {
  words[0] = avocet_command_header(AVOCET_OP_ARG_REDUCE, AVOCET_ARG_REDUCE_WORDS, tag);
  words[1] = avocet_place_bits(command->input_unsigned, 0, 1) |
             avocet_place_bits(command->smallest, 1, 1);
  words[2] = avocet_place_bits(command->ifm, 0, 32);
  words[3] = avocet_place_bits(command->ofm, 0, 32);
  words[4] = avocet_place_bits(command->channels - 1u, 0, 16) |
             avocet_place_bits(command->y_count - 1u, 16, 16);
  words[5] = avocet_place_bits(command->axis_count - 1u, 0, 24);
  words[6] = avocet_place_bits(command->axis_stride, 0, 32);
  words[7] = avocet_place_bits(command->in_y_stride, 0, 32);
  words[8] = avocet_place_bits(command->y_stride, 0, 32);
  return AVOCET_ARG_REDUCE_WORDS;
}
static inline void avocet_arg_reduce_decode(const uint32_t *words, struct avocet_cmd_arg_reduce *command) {
  command->input_unsigned = avocet_bits(words[1], 0, 1);
  command->smallest = avocet_bits(words[1], 1, 1);
  command->ifm = avocet_bits(words[2], 0, 32);
  command->ofm = avocet_bits(words[3], 0, 32);
  command->channels = avocet_bits(words[4], 0, 16) + 1u;
  command->y_count = avocet_bits(words[4], 16, 16) + 1u;
  command->axis_count = avocet_bits(words[5], 0, 24) + 1u;
  command->axis_stride = avocet_bits(words[6], 0, 32);
  command->in_y_stride = avocet_bits(words[7], 0, 32);
  command->y_stride = avocet_bits(words[8], 0, 32);
}

#ifdef __cplusplus
}
#endif
#endif
