// SPDX-License-Identifier: Apache-2.0
// Generated from contract.json by isa_generate; change the rows, not this file.
// The contract for RTL: the names of avocet_isa.h without AVOCET_. A module uses only some of them.

/* verilator lint_off UNUSEDPARAM */
package avocet_pkg;

  localparam logic [31:0] VERSION_MAJOR = 32'h00000001;
  localparam logic [31:0] VERSION_MINOR = 32'h00000003;
  localparam logic [31:0] VERSION = 32'h00010003;

  // ID register and structure magic: the bytes AVOC
  localparam logic [31:0] MAGIC = 32'h434F5641;
  // avocet_boot: the bytes BOOT
  localparam logic [31:0] BOOT_MAGIC = 32'h544F4F42;
  // firmware image header: the bytes AOFW
  localparam logic [31:0] FIRMWARE_MAGIC = 32'h57464F41;
  // size of the register window
  localparam logic [31:0] REGISTER_BYTES = 32'h00001000;
  // memory regions of a job, selected by dram fields
  localparam logic [31:0] REGIONS = 32'h00000008;
  // IOMMU page
  localparam logic [31:0] PAGE_BYTES = 32'h00001000;
  // longest command in words
  localparam logic [31:0] COMMAND_WORDS_MAX = 32'h00000020;
  // longest command stream: 64 MiB
  localparam logic [31:0] STREAM_BYTES_MAX = 32'h04000000;
  // layer tags of a stream are below this
  localparam logic [31:0] TAGS_MAX = 32'h0000FFFF;
  // per output channel: int32 bias, int32 multiplier, int32 shift (left when positive)
  localparam logic [31:0] PARAMETER_BYTES = 32'h0000000C;
  // commands a unit's queue holds before the sequencer waits
  localparam logic [31:0] QUEUE_DEPTH = 32'h00000010;
  // entries of a ring; a power of two, at least 2
  localparam logic [31:0] RING_ENTRIES_MAX = 32'h00000400;
  // contexts that the firmware serves at once; context 0 is the driver's own
  localparam logic [31:0] CONTEXTS_MAX = 32'h00000040;
  // activation and weight width of the MAC array
  localparam logic [31:0] MAC_OPERAND_BITS = 32'h00000008;
  // accumulator width; sums wrap modulo 2^32
  localparam logic [31:0] ACCUMULATOR_BITS = 32'h00000020;
  // page table entry: the page is mapped
  localparam logic [31:0] PTE_VALID = 32'h00000001;
  // page table entry: the device may write
  localparam logic [31:0] PTE_WRITE = 32'h00000002;
  // IOVA bits 31:21 index the 2048 64-bit entries of the first-level table (16 KiB)
  localparam logic [31:0] L1_SHIFT = 32'h00000015;
  // IOVA bits 20:12 index the 512 64-bit entries of a second-level table (4 KiB)
  localparam logic [31:0] L2_SHIFT = 32'h0000000C;
  // NPU cores of a device at most
  localparam logic [31:0] CORES_MAX = 32'h00000010;
  // the registers SEQ_* of core n stand n times this behind those of core 0
  localparam logic [31:0] SEQ_STRIDE = 32'h00000060;
  // the registers NPU_* of core n stand n times this behind those of core 0
  localparam logic [31:0] NPU_STRIDE = 32'h00000020;
  // avocet_save: the bytes SAVE
  localparam logic [31:0] SAVE_MAGIC = 32'h45564153;
  // RISC-V management core: its memory; the image is copied to the start of it
  localparam logic [31:0] CORE_RAM_BASE = 32'h10000000;
  // RISC-V management core: size of its memory, 256 KiB
  localparam logic [31:0] CORE_RAM_BYTES = 32'h00040000;
  // RISC-V management core: the register window, whole words only
  localparam logic [31:0] CORE_REGISTER_BASE = 32'h40000000;

  // Units that execute commands, each in order from its own queue
  typedef enum logic [4:0] {
    UNIT_MAC = 5'h00,
    UNIT_REQUANT = 5'h01,
    UNIT_VECTOR = 5'h02,
    UNIT_DMA0 = 5'h08,
    UNIT_COUNT = 5'h10
  } unit_e;

  // Status of a job, a command or a message
  typedef enum logic [4:0] {
    STATUS_OK = 5'h00,
    STATUS_ILLEGAL_OPCODE = 5'h01,
    STATUS_ILLEGAL_LENGTH = 5'h02,
    STATUS_ILLEGAL_FIELD = 5'h03,
    STATUS_OUT_OF_RANGE = 5'h04,
    STATUS_ILLEGAL_WAIT = 5'h05,
    STATUS_NO_END = 5'h06,
    STATUS_IOMMU_FAULT = 5'h07,
    STATUS_BUS_ERROR = 5'h08,
    STATUS_ECC_ERROR = 5'h09,
    STATUS_HANG = 5'h0A,
    STATUS_ABORTED = 5'h0B,
    STATUS_VERSION = 5'h0C,
    STATUS_BAD_MESSAGE = 5'h0D,
    STATUS_NO_RESOURCE = 5'h0E,
    STATUS_DEADLINE = 5'h0F,
    STATUS_PREEMPTED = 5'h10,
    STATUS_BUSY = 5'h11
  } status_e;

  // Priority of a job ring: a higher one is served first
  typedef enum logic [1:0] {
    PRIORITY_LOW = 2'h0,
    PRIORITY_MEDIUM = 2'h1,
    PRIORITY_HIGH = 2'h2,
    PRIORITY_COUNT = 2'h3
  } priority_e;

  // Level of a line in the log ring, which begins with the level's number in angle brackets
  typedef enum logic [2:0] {
    FIRMWARE_LOG_ERROR = 3'h3,
    FIRMWARE_LOG_WARNING = 3'h4,
    FIRMWARE_LOG_INFO = 3'h6,
    FIRMWARE_LOG_DEBUG = 3'h7
  } firmware_log_e;

  // FW_STATE register
  typedef enum logic [2:0] {
    FIRMWARE_STATE_OFF = 3'h0,
    FIRMWARE_STATE_BOOTING = 3'h1,
    FIRMWARE_STATE_READY = 3'h2,
    FIRMWARE_STATE_FAILED = 3'h3,
    FIRMWARE_STATE_HALTED = 3'h4,
    FIRMWARE_STATE_SUSPENDED = 3'h5
  } firmware_state_e;

  // Types of admin ring entries
  typedef enum logic [3:0] {
    MESSAGE_TYPE_PING = 4'h1,
    MESSAGE_TYPE_CREATE_CONTEXT = 4'h2,
    MESSAGE_TYPE_DESTROY_CONTEXT = 4'h3,
    MESSAGE_TYPE_INVALIDATE = 4'h4,
    MESSAGE_TYPE_SUSPEND = 4'h5,
    MESSAGE_TYPE_CREATE_RING = 4'h6,
    MESSAGE_TYPE_RESUME = 4'h7,
    MESSAGE_TYPE_SET_LOG_LEVEL = 4'h8,
    MESSAGE_TYPE_RESET_ENGINE = 4'h9
  } message_type_e;

  // Types of completion ring entries
  typedef enum logic [1:0] {
    COMPLETION_TYPE_JOB = 2'h1,
    COMPLETION_TYPE_MESSAGE = 2'h2,
    COMPLETION_TYPE_RING = 2'h3
  } completion_type_e;

  // POOL command
  typedef enum logic [0:0] {
    POOL_MODE_MAX = 1'h0,
    POOL_MODE_AVERAGE = 1'h1
  } pool_mode_e;

  // BINARY command
  typedef enum logic [1:0] {
    BINARY_MODE_MULTIPLY = 2'h0,
    BINARY_MODE_MAXIMUM = 2'h1,
    BINARY_MODE_MINIMUM = 2'h2,
    BINARY_MODE_PRELU = 2'h3
  } binary_mode_e;

  // REDUCE command
  typedef enum logic [1:0] {
    REDUCE_MODE_SUM = 2'h0,
    REDUCE_MODE_MAXIMUM = 2'h1,
    REDUCE_MODE_MINIMUM = 2'h2
  } reduce_mode_e;

  // RESIZE command
  typedef enum logic [0:0] {
    RESIZE_MODE_BILINEAR = 1'h0,
    RESIZE_MODE_NEAREST = 1'h1
  } resize_mode_e;

  // FW_KIND register, firmware_header.kind
  typedef enum logic [0:0] {
    FIRMWARE_KIND_NATIVE = 1'h0,
    FIRMWARE_KIND_RISCV = 1'h1
  } firmware_kind_e;

  // FW_ERROR beyond enum status: what the device or the firmware's last lines say of a crash or of an image. TRAP
  // codes are 0x100 + mcause
  typedef enum logic [8:0] {
    FIRMWARE_ERROR_TRAP_FETCH = 9'h101,
    FIRMWARE_ERROR_TRAP_ILLEGAL = 9'h102,
    FIRMWARE_ERROR_TRAP_BREAKPOINT = 9'h103,
    FIRMWARE_ERROR_TRAP_LOAD_MISALIGNED = 9'h104,
    FIRMWARE_ERROR_TRAP_LOAD = 9'h105,
    FIRMWARE_ERROR_TRAP_STORE_MISALIGNED = 9'h106,
    FIRMWARE_ERROR_TRAP_STORE = 9'h107,
    FIRMWARE_ERROR_TRAP_CALL = 9'h10B,
    FIRMWARE_ERROR_WATCHDOG = 9'h120,
    FIRMWARE_ERROR_STACK = 9'h121,
    FIRMWARE_ERROR_DOUBLE_TRAP = 9'h122,
    FIRMWARE_ERROR_IMAGE_HEADER = 9'h130,
    FIRMWARE_ERROR_IMAGE_KIND = 9'h131,
    FIRMWARE_ERROR_IMAGE_CHECKSUM = 9'h132,
    FIRMWARE_ERROR_IMAGE_PLACE = 9'h133
  } firmware_error_e;

  // ENGINE register
  typedef enum logic [1:0] {
    ENGINE_FUNCTIONAL = 2'h0,
    ENGINE_TIMED = 2'h1,
    ENGINE_RTL = 2'h2,
    ENGINE_TIMING = 2'h3
  } engine_e;

  // Registers: byte offsets, and masks of their fields
  localparam logic [31:0] REG_ID = 32'h00000000;
  localparam logic [31:0] REG_VERSION = 32'h00000004;
  localparam logic [31:0] REG_GENERATION = 32'h00000008;
  localparam logic [31:0] REG_ENGINE = 32'h0000000C;
  localparam logic [31:0] REG_ARRAY_ROWS = 32'h00000010;
  localparam logic [31:0] REG_ARRAY_COLS = 32'h00000014;
  localparam logic [31:0] REG_ACC_ROWS = 32'h00000018;
  localparam logic [31:0] REG_VECTOR_LANES = 32'h0000001C;
  localparam logic [31:0] REG_SRAM_BYTES = 32'h00000020;
  localparam logic [31:0] REG_SRAM_BANKS = 32'h00000024;
  localparam logic [31:0] REG_DMA_CHANNELS = 32'h00000028;
  localparam logic [31:0] REG_DMA_BYTES_PER_CYCLE = 32'h0000002C;
  localparam logic [31:0] REG_DRAM_MILLIBYTES_PER_CYCLE = 32'h00000030;
  localparam logic [31:0] REG_DRAM_LATENCY = 32'h00000034;
  localparam logic [31:0] REG_CLOCK_KHZ = 32'h00000038;
  localparam logic [31:0] REG_CORES = 32'h0000003C;
  localparam logic [31:0] REG_CONTROL = 32'h00000040;
  localparam logic [31:0] CONTROL_RUN = 32'h00000001;
  localparam logic [31:0] CONTROL_RESET = 32'h00000002;
  localparam logic [31:0] REG_IRQ_STATUS = 32'h00000044;
  localparam logic [31:0] IRQ_STATUS_COMPLETION = 32'h00000001;
  localparam logic [31:0] IRQ_STATUS_FIRMWARE = 32'h00000002;
  localparam logic [31:0] IRQ_STATUS_FAULT = 32'h00000004;
  localparam logic [31:0] REG_IRQ_MASK = 32'h00000048;
  localparam logic [31:0] REG_DOORBELL = 32'h0000004C;
  localparam logic [31:0] REG_FW_IMAGE_LO = 32'h00000050;
  localparam logic [31:0] REG_FW_IMAGE_HI = 32'h00000054;
  localparam logic [31:0] REG_FW_IMAGE_BYTES = 32'h00000058;
  localparam logic [31:0] REG_BOOT_LO = 32'h0000005C;
  localparam logic [31:0] REG_BOOT_HI = 32'h00000060;
  localparam logic [31:0] REG_FW_STATE = 32'h00000064;
  localparam logic [31:0] REG_FW_VERSION = 32'h00000068;
  localparam logic [31:0] REG_FW_ERROR = 32'h0000006C;
  localparam logic [31:0] REG_FW_HEARTBEAT = 32'h00000070;
  localparam logic [31:0] REG_FAULT_STATUS = 32'h00000074;
  localparam logic [31:0] REG_FAULT_POSITION = 32'h00000078;
  localparam logic [31:0] REG_FAULT_ADDRESS_LO = 32'h0000007C;
  localparam logic [31:0] REG_FAULT_ADDRESS_HI = 32'h00000080;
  localparam logic [31:0] REG_CYCLE_LO = 32'h00000084;
  localparam logic [31:0] REG_CYCLE_HI = 32'h00000088;
  localparam logic [31:0] REG_SAVE_AREA_BYTES = 32'h0000008C;
  localparam logic [31:0] REG_NPU_STATE = 32'h00000400;
  localparam logic [31:0] REG_NPU_CONTEXT = 32'h00000404;
  localparam logic [31:0] REG_NPU_JOB_LO = 32'h00000408;
  localparam logic [31:0] REG_NPU_JOB_HI = 32'h0000040C;
  localparam logic [31:0] REG_NPU_PROGRESS = 32'h00000410;
  localparam logic [31:0] REG_NPU_RESETS = 32'h00000414;
  localparam logic [31:0] REG_FW_KIND = 32'h000000F0;
  localparam logic [31:0] REG_CORE_FW_STATE = 32'h00000800;
  localparam logic [31:0] REG_CORE_FW_VERSION = 32'h00000804;
  localparam logic [31:0] REG_CORE_FW_ERROR = 32'h00000808;
  localparam logic [31:0] REG_CORE_HEARTBEAT = 32'h0000080C;
  localparam logic [31:0] REG_CORE_IRQ_RAISE = 32'h00000810;
  localparam logic [31:0] REG_CORE_EVENTS = 32'h00000814;
  localparam logic [31:0] CORE_EVENTS_DOORBELL = 32'h00000001;
  localparam logic [31:0] CORE_EVENTS_SEQUENCER = 32'h00000002;
  localparam logic [31:0] CORE_EVENTS_TIMER = 32'h00000004;
  localparam logic [31:0] CORE_EVENTS_SEQUENCERS = 32'hFFFF0000;
  localparam logic [31:0] REG_CORE_TIMER = 32'h00000818;
  localparam logic [31:0] REG_SEQ_CONTEXT = 32'h00000820;
  localparam logic [31:0] REG_SEQ_TABLE_LO = 32'h00000824;
  localparam logic [31:0] REG_SEQ_TABLE_HI = 32'h00000828;
  localparam logic [31:0] REG_SEQ_JOB_LO = 32'h0000082C;
  localparam logic [31:0] REG_SEQ_JOB_HI = 32'h00000830;
  localparam logic [31:0] REG_SEQ_CONTROL = 32'h00000834;
  localparam logic [31:0] SEQ_CONTROL_START = 32'h00000001;
  localparam logic [31:0] SEQ_CONTROL_ABORT = 32'h00000002;
  localparam logic [31:0] SEQ_CONTROL_INVALIDATE = 32'h00000004;
  localparam logic [31:0] SEQ_CONTROL_PREEMPT = 32'h00000008;
  localparam logic [31:0] SEQ_CONTROL_RESTORE = 32'h00000010;
  localparam logic [31:0] SEQ_CONTROL_RESET = 32'h00000020;
  localparam logic [31:0] REG_SEQ_STATE = 32'h00000838;
  localparam logic [31:0] REG_SEQ_STATUS = 32'h0000083C;
  localparam logic [31:0] REG_SEQ_POSITION = 32'h00000840;
  localparam logic [31:0] REG_SEQ_ADDRESS_LO = 32'h00000844;
  localparam logic [31:0] REG_SEQ_ADDRESS_HI = 32'h00000848;
  localparam logic [31:0] REG_SEQ_PROGRESS = 32'h0000084C;
  localparam logic [31:0] REG_SEQ_START_LO = 32'h00000850;
  localparam logic [31:0] REG_SEQ_START_HI = 32'h00000854;
  localparam logic [31:0] REG_SEQ_END_LO = 32'h00000858;
  localparam logic [31:0] REG_SEQ_END_HI = 32'h0000085C;
  localparam logic [31:0] REG_SEQ_SAVE_LO = 32'h00000860;
  localparam logic [31:0] REG_SEQ_SAVE_HI = 32'h00000864;
  localparam logic [31:0] REG_SEQ_GANG = 32'h00000868;
  localparam logic [31:0] REG_CORE_BUS_LO = 32'h00000F00;
  localparam logic [31:0] REG_CORE_BUS_HI = 32'h00000F04;
  localparam logic [31:0] REG_CORE_BUS_LOCAL = 32'h00000F08;
  localparam logic [31:0] REG_CORE_BUS_BYTES = 32'h00000F0C;
  localparam logic [31:0] REG_CORE_BUS_DATA = 32'h00000F10;
  localparam logic [31:0] REG_CORE_BUS_CONTROL = 32'h00000F14;
  localparam logic [31:0] CORE_BUS_CONTROL_LOAD = 32'h00000001;
  localparam logic [31:0] CORE_BUS_CONTROL_STORE = 32'h00000002;
  localparam logic [31:0] CORE_BUS_CONTROL_LOAD_WORD = 32'h00000004;
  localparam logic [31:0] CORE_BUS_CONTROL_STORE_WORD = 32'h00000008;
  localparam logic [31:0] REG_CORE_BUS_STATUS = 32'h00000F18;
  localparam logic [31:0] REG_CORE_WATCHDOG = 32'h00000F1C;

  // Word 0 of every command: opcode, length in words including this one, layer tag
  localparam int unsigned COMMAND_OPCODE_LSB = 0;
  localparam int unsigned COMMAND_OPCODE_BITS = 8;
  localparam int unsigned COMMAND_LENGTH_LSB = 8;
  localparam int unsigned COMMAND_LENGTH_BITS = 8;
  localparam int unsigned COMMAND_TAG_LSB = 16;
  localparam int unsigned COMMAND_TAG_BITS = 16;

  typedef enum logic [7:0] {
    OP_END = 8'h01,
    OP_WAIT = 8'h02,
    OP_DMA_LOAD = 8'h10,
    OP_DMA_STORE = 8'h11,
    OP_DMA_FILL = 8'h12,
    OP_BARRIER = 8'h13,
    OP_MATMUL = 8'h20,
    OP_REQUANT = 8'h21,
    OP_DEPTHWISE = 8'h30,
    OP_POOL = 8'h31,
    OP_ADD = 8'h32,
    OP_BINARY = 8'h33,
    OP_TABLE = 8'h34,
    OP_REDUCE = 8'h35,
    OP_SOFTMAX = 8'h36,
    OP_RESIZE = 8'h37,
    OP_L2_NORMALISE = 8'h38,
    OP_ARG_REDUCE = 8'h39
  } opcode_e;

  // Lengths in words, word 0 included
  localparam int unsigned END_WORDS = 1;
  localparam int unsigned WAIT_WORDS = 3;
  localparam int unsigned DMA_LOAD_WORDS = 13;
  localparam int unsigned DMA_STORE_WORDS = 13;
  localparam int unsigned DMA_FILL_WORDS = 7;
  localparam int unsigned BARRIER_WORDS = 2;
  localparam int unsigned MATMUL_WORDS = 13;
  localparam int unsigned REQUANT_WORDS = 9;
  localparam int unsigned DEPTHWISE_WORDS = 19;
  localparam int unsigned POOL_WORDS = 15;
  localparam int unsigned ADD_WORDS = 17;
  localparam int unsigned BINARY_WORDS = 16;
  localparam int unsigned TABLE_WORDS = 8;
  localparam int unsigned REDUCE_WORDS = 15;
  localparam int unsigned SOFTMAX_WORDS = 13;
  localparam int unsigned RESIZE_WORDS = 15;
  localparam int unsigned L2_NORMALISE_WORDS = 12;
  localparam int unsigned ARG_REDUCE_WORDS = 9;

endpackage
/* verilator lint_on UNUSEDPARAM */
