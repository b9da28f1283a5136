/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from contract.json by isa_generate; change the rows, not this file.
 * See avocet_isa_tables.h. */
#include "avocet_isa_tables.h"

static const struct avocet_enum_value_info values_unit[] = {
    {"MAC", AVOCET_UNIT_MAC},
    {"REQUANT", AVOCET_UNIT_REQUANT},
    {"VECTOR", AVOCET_UNIT_VECTOR},
    {"DMA0", AVOCET_UNIT_DMA0},
    {"COUNT", AVOCET_UNIT_COUNT},
};
static const struct avocet_enum_info enum_unit = {"unit", 5, values_unit};

static const struct avocet_enum_value_info values_status[] = {
    {"OK", AVOCET_STATUS_OK},
    {"ILLEGAL_OPCODE", AVOCET_STATUS_ILLEGAL_OPCODE},
    {"ILLEGAL_LENGTH", AVOCET_STATUS_ILLEGAL_LENGTH},
    {"ILLEGAL_FIELD", AVOCET_STATUS_ILLEGAL_FIELD},
    {"OUT_OF_RANGE", AVOCET_STATUS_OUT_OF_RANGE},
    {"ILLEGAL_WAIT", AVOCET_STATUS_ILLEGAL_WAIT},
    {"NO_END", AVOCET_STATUS_NO_END},
    {"IOMMU_FAULT", AVOCET_STATUS_IOMMU_FAULT},
    {"BUS_ERROR", AVOCET_STATUS_BUS_ERROR},
    {"ECC_ERROR", AVOCET_STATUS_ECC_ERROR},
    {"HANG", AVOCET_STATUS_HANG},
    {"ABORTED", AVOCET_STATUS_ABORTED},
    {"VERSION", AVOCET_STATUS_VERSION},
    {"BAD_MESSAGE", AVOCET_STATUS_BAD_MESSAGE},
    {"NO_RESOURCE", AVOCET_STATUS_NO_RESOURCE},
    {"DEADLINE", AVOCET_STATUS_DEADLINE},
    {"PREEMPTED", AVOCET_STATUS_PREEMPTED},
    {"BUSY", AVOCET_STATUS_BUSY},
};
static const struct avocet_enum_info enum_status = {"status", 18, values_status};

static const struct avocet_enum_value_info values_priority[] = {
    {"LOW", AVOCET_PRIORITY_LOW},
    {"MEDIUM", AVOCET_PRIORITY_MEDIUM},
    {"HIGH", AVOCET_PRIORITY_HIGH},
    {"COUNT", AVOCET_PRIORITY_COUNT},
};
static const struct avocet_enum_info enum_priority = {"priority", 4, values_priority};

static const struct avocet_enum_value_info values_firmware_log[] = {
    {"ERROR", AVOCET_FIRMWARE_LOG_ERROR},
    {"WARNING", AVOCET_FIRMWARE_LOG_WARNING},
    {"INFO", AVOCET_FIRMWARE_LOG_INFO},
    {"DEBUG", AVOCET_FIRMWARE_LOG_DEBUG},
};
static const struct avocet_enum_info enum_firmware_log = {"firmware_log", 4, values_firmware_log};

static const struct avocet_enum_value_info values_firmware_state[] = {
    {"OFF", AVOCET_FIRMWARE_STATE_OFF},
    {"BOOTING", AVOCET_FIRMWARE_STATE_BOOTING},
    {"READY", AVOCET_FIRMWARE_STATE_READY},
    {"FAILED", AVOCET_FIRMWARE_STATE_FAILED},
    {"HALTED", AVOCET_FIRMWARE_STATE_HALTED},
    {"SUSPENDED", AVOCET_FIRMWARE_STATE_SUSPENDED},
};
static const struct avocet_enum_info enum_firmware_state = {"firmware_state", 6, values_firmware_state};

static const struct avocet_enum_value_info values_message_type[] = {
    {"PING", AVOCET_MESSAGE_TYPE_PING},
    {"CREATE_CONTEXT", AVOCET_MESSAGE_TYPE_CREATE_CONTEXT},
    {"DESTROY_CONTEXT", AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT},
    {"INVALIDATE", AVOCET_MESSAGE_TYPE_INVALIDATE},
    {"SUSPEND", AVOCET_MESSAGE_TYPE_SUSPEND},
    {"CREATE_RING", AVOCET_MESSAGE_TYPE_CREATE_RING},
    {"RESUME", AVOCET_MESSAGE_TYPE_RESUME},
    {"SET_LOG_LEVEL", AVOCET_MESSAGE_TYPE_SET_LOG_LEVEL},
    {"RESET_ENGINE", AVOCET_MESSAGE_TYPE_RESET_ENGINE},
};
static const struct avocet_enum_info enum_message_type = {"message_type", 9, values_message_type};

static const struct avocet_enum_value_info values_completion_type[] = {
    {"JOB", AVOCET_COMPLETION_TYPE_JOB},
    {"MESSAGE", AVOCET_COMPLETION_TYPE_MESSAGE},
    {"RING", AVOCET_COMPLETION_TYPE_RING},
};
static const struct avocet_enum_info enum_completion_type = {"completion_type", 3, values_completion_type};

static const struct avocet_enum_value_info values_pool_mode[] = {
    {"MAX", AVOCET_POOL_MODE_MAX},
    {"AVERAGE", AVOCET_POOL_MODE_AVERAGE},
};
static const struct avocet_enum_info enum_pool_mode = {"pool_mode", 2, values_pool_mode};

static const struct avocet_enum_value_info values_binary_mode[] = {
    {"MULTIPLY", AVOCET_BINARY_MODE_MULTIPLY},
    {"MAXIMUM", AVOCET_BINARY_MODE_MAXIMUM},
    {"MINIMUM", AVOCET_BINARY_MODE_MINIMUM},
    {"PRELU", AVOCET_BINARY_MODE_PRELU},
};
static const struct avocet_enum_info enum_binary_mode = {"binary_mode", 4, values_binary_mode};

static const struct avocet_enum_value_info values_reduce_mode[] = {
    {"SUM", AVOCET_REDUCE_MODE_SUM},
    {"MAXIMUM", AVOCET_REDUCE_MODE_MAXIMUM},
    {"MINIMUM", AVOCET_REDUCE_MODE_MINIMUM},
};
static const struct avocet_enum_info enum_reduce_mode = {"reduce_mode", 3, values_reduce_mode};

static const struct avocet_enum_value_info values_resize_mode[] = {
    {"BILINEAR", AVOCET_RESIZE_MODE_BILINEAR},
    {"NEAREST", AVOCET_RESIZE_MODE_NEAREST},
};
static const struct avocet_enum_info enum_resize_mode = {"resize_mode", 2, values_resize_mode};

static const struct avocet_enum_value_info values_firmware_kind[] = {
    {"NATIVE", AVOCET_FIRMWARE_KIND_NATIVE},
    {"RISCV", AVOCET_FIRMWARE_KIND_RISCV},
};
static const struct avocet_enum_info enum_firmware_kind = {"firmware_kind", 2, values_firmware_kind};

static const struct avocet_enum_value_info values_firmware_error[] = {
    {"TRAP_FETCH", AVOCET_FIRMWARE_ERROR_TRAP_FETCH},
    {"TRAP_ILLEGAL", AVOCET_FIRMWARE_ERROR_TRAP_ILLEGAL},
    {"TRAP_BREAKPOINT", AVOCET_FIRMWARE_ERROR_TRAP_BREAKPOINT},
    {"TRAP_LOAD_MISALIGNED", AVOCET_FIRMWARE_ERROR_TRAP_LOAD_MISALIGNED},
    {"TRAP_LOAD", AVOCET_FIRMWARE_ERROR_TRAP_LOAD},
    {"TRAP_STORE_MISALIGNED", AVOCET_FIRMWARE_ERROR_TRAP_STORE_MISALIGNED},
    {"TRAP_STORE", AVOCET_FIRMWARE_ERROR_TRAP_STORE},
    {"TRAP_CALL", AVOCET_FIRMWARE_ERROR_TRAP_CALL},
    {"WATCHDOG", AVOCET_FIRMWARE_ERROR_WATCHDOG},
    {"STACK", AVOCET_FIRMWARE_ERROR_STACK},
    {"DOUBLE_TRAP", AVOCET_FIRMWARE_ERROR_DOUBLE_TRAP},
    {"IMAGE_HEADER", AVOCET_FIRMWARE_ERROR_IMAGE_HEADER},
    {"IMAGE_KIND", AVOCET_FIRMWARE_ERROR_IMAGE_KIND},
    {"IMAGE_CHECKSUM", AVOCET_FIRMWARE_ERROR_IMAGE_CHECKSUM},
    {"IMAGE_PLACE", AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
};
static const struct avocet_enum_info enum_firmware_error = {"firmware_error", 15, values_firmware_error};

static const struct avocet_enum_value_info values_engine[] = {
    {"FUNCTIONAL", AVOCET_ENGINE_FUNCTIONAL},
    {"TIMED", AVOCET_ENGINE_TIMED},
    {"RTL", AVOCET_ENGINE_RTL},
    {"TIMING", AVOCET_ENGINE_TIMING},
};
static const struct avocet_enum_info enum_engine = {"engine", 4, values_engine};

const struct avocet_enum_info *const avocet_enums[AVOCET_ENUM_COUNT] = {
    &enum_unit,
    &enum_status,
    &enum_priority,
    &enum_firmware_log,
    &enum_firmware_state,
    &enum_message_type,
    &enum_completion_type,
    &enum_pool_mode,
    &enum_binary_mode,
    &enum_reduce_mode,
    &enum_resize_mode,
    &enum_firmware_kind,
    &enum_firmware_error,
    &enum_engine,
};

static const struct avocet_bit_field_info register_control[] = {
    {"RUN", AVOCET_CONTROL_RUN},
    {"RESET", AVOCET_CONTROL_RESET},
};

static const struct avocet_bit_field_info register_irq_status[] = {
    {"COMPLETION", AVOCET_IRQ_STATUS_COMPLETION},
    {"FIRMWARE", AVOCET_IRQ_STATUS_FIRMWARE},
    {"FAULT", AVOCET_IRQ_STATUS_FAULT},
};

static const struct avocet_bit_field_info register_core_events[] = {
    {"DOORBELL", AVOCET_CORE_EVENTS_DOORBELL},
    {"SEQUENCER", AVOCET_CORE_EVENTS_SEQUENCER},
    {"TIMER", AVOCET_CORE_EVENTS_TIMER},
    {"SEQUENCERS", AVOCET_CORE_EVENTS_SEQUENCERS},
};

static const struct avocet_bit_field_info register_seq_control[] = {
    {"START", AVOCET_SEQ_CONTROL_START},
    {"ABORT", AVOCET_SEQ_CONTROL_ABORT},
    {"INVALIDATE", AVOCET_SEQ_CONTROL_INVALIDATE},
    {"PREEMPT", AVOCET_SEQ_CONTROL_PREEMPT},
    {"RESTORE", AVOCET_SEQ_CONTROL_RESTORE},
    {"RESET", AVOCET_SEQ_CONTROL_RESET},
};

static const struct avocet_bit_field_info register_core_bus_control[] = {
    {"LOAD", AVOCET_CORE_BUS_CONTROL_LOAD},
    {"STORE", AVOCET_CORE_BUS_CONTROL_STORE},
    {"LOAD_WORD", AVOCET_CORE_BUS_CONTROL_LOAD_WORD},
    {"STORE_WORD", AVOCET_CORE_BUS_CONTROL_STORE_WORD},
};

const struct avocet_register_info avocet_registers[AVOCET_REGISTER_COUNT] = {
    {"ID", AVOCET_REG_ID, AVOCET_REGISTER_RO, 0, 0},
    {"VERSION", AVOCET_REG_VERSION, AVOCET_REGISTER_RO, 0, 0},
    {"GENERATION", AVOCET_REG_GENERATION, AVOCET_REGISTER_RO, 0, 0},
    {"ENGINE", AVOCET_REG_ENGINE, AVOCET_REGISTER_RO, 0, 0},
    {"ARRAY_ROWS", AVOCET_REG_ARRAY_ROWS, AVOCET_REGISTER_RO, 0, 0},
    {"ARRAY_COLS", AVOCET_REG_ARRAY_COLS, AVOCET_REGISTER_RO, 0, 0},
    {"ACC_ROWS", AVOCET_REG_ACC_ROWS, AVOCET_REGISTER_RO, 0, 0},
    {"VECTOR_LANES", AVOCET_REG_VECTOR_LANES, AVOCET_REGISTER_RO, 0, 0},
    {"SRAM_BYTES", AVOCET_REG_SRAM_BYTES, AVOCET_REGISTER_RO, 0, 0},
    {"SRAM_BANKS", AVOCET_REG_SRAM_BANKS, AVOCET_REGISTER_RO, 0, 0},
    {"DMA_CHANNELS", AVOCET_REG_DMA_CHANNELS, AVOCET_REGISTER_RO, 0, 0},
    {"DMA_BYTES_PER_CYCLE", AVOCET_REG_DMA_BYTES_PER_CYCLE, AVOCET_REGISTER_RO, 0, 0},
    {"DRAM_MILLIBYTES_PER_CYCLE", AVOCET_REG_DRAM_MILLIBYTES_PER_CYCLE, AVOCET_REGISTER_RO, 0, 0},
    {"DRAM_LATENCY", AVOCET_REG_DRAM_LATENCY, AVOCET_REGISTER_RO, 0, 0},
    {"CLOCK_KHZ", AVOCET_REG_CLOCK_KHZ, AVOCET_REGISTER_RO, 0, 0},
    {"CORES", AVOCET_REG_CORES, AVOCET_REGISTER_RO, 0, 0},
    {"CONTROL", AVOCET_REG_CONTROL, AVOCET_REGISTER_RW, 2, register_control},
    {"IRQ_STATUS", AVOCET_REG_IRQ_STATUS, AVOCET_REGISTER_W1C, 3, register_irq_status},
    {"IRQ_MASK", AVOCET_REG_IRQ_MASK, AVOCET_REGISTER_RW, 0, 0},
    {"DOORBELL", AVOCET_REG_DOORBELL, AVOCET_REGISTER_WO, 0, 0},
    {"FW_IMAGE_LO", AVOCET_REG_FW_IMAGE_LO, AVOCET_REGISTER_RW, 0, 0},
    {"FW_IMAGE_HI", AVOCET_REG_FW_IMAGE_HI, AVOCET_REGISTER_RW, 0, 0},
    {"FW_IMAGE_BYTES", AVOCET_REG_FW_IMAGE_BYTES, AVOCET_REGISTER_RW, 0, 0},
    {"BOOT_LO", AVOCET_REG_BOOT_LO, AVOCET_REGISTER_RW, 0, 0},
    {"BOOT_HI", AVOCET_REG_BOOT_HI, AVOCET_REGISTER_RW, 0, 0},
    {"FW_STATE", AVOCET_REG_FW_STATE, AVOCET_REGISTER_RO, 0, 0},
    {"FW_VERSION", AVOCET_REG_FW_VERSION, AVOCET_REGISTER_RO, 0, 0},
    {"FW_ERROR", AVOCET_REG_FW_ERROR, AVOCET_REGISTER_RO, 0, 0},
    {"FW_HEARTBEAT", AVOCET_REG_FW_HEARTBEAT, AVOCET_REGISTER_RO, 0, 0},
    {"FAULT_STATUS", AVOCET_REG_FAULT_STATUS, AVOCET_REGISTER_RO, 0, 0},
    {"FAULT_POSITION", AVOCET_REG_FAULT_POSITION, AVOCET_REGISTER_RO, 0, 0},
    {"FAULT_ADDRESS_LO", AVOCET_REG_FAULT_ADDRESS_LO, AVOCET_REGISTER_RO, 0, 0},
    {"FAULT_ADDRESS_HI", AVOCET_REG_FAULT_ADDRESS_HI, AVOCET_REGISTER_RO, 0, 0},
    {"CYCLE_LO", AVOCET_REG_CYCLE_LO, AVOCET_REGISTER_RO, 0, 0},
    {"CYCLE_HI", AVOCET_REG_CYCLE_HI, AVOCET_REGISTER_RO, 0, 0},
    {"SAVE_AREA_BYTES", AVOCET_REG_SAVE_AREA_BYTES, AVOCET_REGISTER_RO, 0, 0},
    {"NPU_STATE", AVOCET_REG_NPU_STATE, AVOCET_REGISTER_RO, 0, 0},
    {"NPU_CONTEXT", AVOCET_REG_NPU_CONTEXT, AVOCET_REGISTER_RO, 0, 0},
    {"NPU_JOB_LO", AVOCET_REG_NPU_JOB_LO, AVOCET_REGISTER_RO, 0, 0},
    {"NPU_JOB_HI", AVOCET_REG_NPU_JOB_HI, AVOCET_REGISTER_RO, 0, 0},
    {"NPU_PROGRESS", AVOCET_REG_NPU_PROGRESS, AVOCET_REGISTER_RO, 0, 0},
    {"NPU_RESETS", AVOCET_REG_NPU_RESETS, AVOCET_REGISTER_RO, 0, 0},
    {"FW_KIND", AVOCET_REG_FW_KIND, AVOCET_REGISTER_RO, 0, 0},
    {"CORE_FW_STATE", AVOCET_REG_CORE_FW_STATE, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_FW_VERSION", AVOCET_REG_CORE_FW_VERSION, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_FW_ERROR", AVOCET_REG_CORE_FW_ERROR, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_HEARTBEAT", AVOCET_REG_CORE_HEARTBEAT, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_IRQ_RAISE", AVOCET_REG_CORE_IRQ_RAISE, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_EVENTS", AVOCET_REG_CORE_EVENTS, AVOCET_REGISTER_CORE, 4, register_core_events},
    {"CORE_TIMER", AVOCET_REG_CORE_TIMER, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_CONTEXT", AVOCET_REG_SEQ_CONTEXT, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_TABLE_LO", AVOCET_REG_SEQ_TABLE_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_TABLE_HI", AVOCET_REG_SEQ_TABLE_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_JOB_LO", AVOCET_REG_SEQ_JOB_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_JOB_HI", AVOCET_REG_SEQ_JOB_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_CONTROL", AVOCET_REG_SEQ_CONTROL, AVOCET_REGISTER_CORE, 6, register_seq_control},
    {"SEQ_STATE", AVOCET_REG_SEQ_STATE, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_STATUS", AVOCET_REG_SEQ_STATUS, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_POSITION", AVOCET_REG_SEQ_POSITION, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_ADDRESS_LO", AVOCET_REG_SEQ_ADDRESS_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_ADDRESS_HI", AVOCET_REG_SEQ_ADDRESS_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_PROGRESS", AVOCET_REG_SEQ_PROGRESS, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_START_LO", AVOCET_REG_SEQ_START_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_START_HI", AVOCET_REG_SEQ_START_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_END_LO", AVOCET_REG_SEQ_END_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_END_HI", AVOCET_REG_SEQ_END_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_SAVE_LO", AVOCET_REG_SEQ_SAVE_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_SAVE_HI", AVOCET_REG_SEQ_SAVE_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"SEQ_GANG", AVOCET_REG_SEQ_GANG, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_BUS_LO", AVOCET_REG_CORE_BUS_LO, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_BUS_HI", AVOCET_REG_CORE_BUS_HI, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_BUS_LOCAL", AVOCET_REG_CORE_BUS_LOCAL, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_BUS_BYTES", AVOCET_REG_CORE_BUS_BYTES, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_BUS_DATA", AVOCET_REG_CORE_BUS_DATA, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_BUS_CONTROL", AVOCET_REG_CORE_BUS_CONTROL, AVOCET_REGISTER_CORE, 4, register_core_bus_control},
    {"CORE_BUS_STATUS", AVOCET_REG_CORE_BUS_STATUS, AVOCET_REGISTER_CORE, 0, 0},
    {"CORE_WATCHDOG", AVOCET_REG_CORE_WATCHDOG, AVOCET_REGISTER_CORE, 0, 0},
};

static const uint32_t bits_end[] = {0xFFFFFFFFu};

static const struct avocet_field_info fields_wait[] = {
    {"unit", 1, 0, 4, AVOCET_KIND_UNIT, &enum_unit},
    {"producer", 1, 4, 4, AVOCET_KIND_UNIT, &enum_unit},
    {"count", 2, 0, 32, AVOCET_KIND_SCALAR, 0},
};
static const uint32_t bits_wait[] = {0xFFFFFFFFu, 0x000000FFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_dma_load[] = {
    {"channel", 1, 0, 4, AVOCET_KIND_CHANNEL, 0},
    {"region", 1, 4, 4, AVOCET_KIND_REGION, 0},
    {"dram", 2, 0, 32, AVOCET_KIND_DRAM, 0},
    {"sram", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"row_bytes", 4, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"count0", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"count1", 5, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"count2", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"dram_stride0", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"sram_stride0", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"dram_stride1", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"sram_stride1", 10, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"dram_stride2", 11, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"sram_stride2", 12, 0, 32, AVOCET_KIND_STRIDE, 0},
};
static const struct avocet_access_info accesses_dma_load[] = {
    {AVOCET_SPACE_DRAM, AVOCET_MODE_READ, 2, 1, -1, 3, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {8, -1}}}, {{1u, {6, -1}}, {1u, {10, -1}}}, {{1u, {7, -1}}, {1u, {12, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 3, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {9, -1}}}, {{1u, {6, -1}}, {1u, {11, -1}}}, {{1u, {7, -1}}, {1u, {13, -1}}}}},
};
static const uint32_t bits_dma_load[] = {0xFFFFFFFFu, 0x000000FFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_dma_store[] = {
    {"channel", 1, 0, 4, AVOCET_KIND_CHANNEL, 0},
    {"region", 1, 4, 4, AVOCET_KIND_REGION, 0},
    {"dram", 2, 0, 32, AVOCET_KIND_DRAM, 0},
    {"sram", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"row_bytes", 4, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"count0", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"count1", 5, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"count2", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"dram_stride0", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"sram_stride0", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"dram_stride1", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"sram_stride1", 10, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"dram_stride2", 11, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"sram_stride2", 12, 0, 32, AVOCET_KIND_STRIDE, 0},
};
static const struct avocet_access_info accesses_dma_store[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 3, -1, -1, 3, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {9, -1}}}, {{1u, {6, -1}}, {1u, {11, -1}}}, {{1u, {7, -1}}, {1u, {13, -1}}}}},
    {AVOCET_SPACE_DRAM, AVOCET_MODE_WRITE, 2, 1, -1, 3, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {8, -1}}}, {{1u, {6, -1}}, {1u, {10, -1}}}, {{1u, {7, -1}}, {1u, {12, -1}}}}},
};
static const uint32_t bits_dma_store[] = {0xFFFFFFFFu, 0x000000FFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_dma_fill[] = {
    {"channel", 1, 0, 4, AVOCET_KIND_CHANNEL, 0},
    {"value", 1, 8, 8, AVOCET_KIND_SCALAR, 0},
    {"sram", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"row_bytes", 3, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"count0", 4, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"count1", 4, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"stride0", 5, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"stride1", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
};
static const struct avocet_access_info accesses_dma_fill[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 2, -1, -1, 2, {1u, {3, -1}},
     {{{1u, {4, -1}}, {1u, {6, -1}}}, {{1u, {5, -1}}, {1u, {7, -1}}}}},
};
static const uint32_t bits_dma_fill[] = {0xFFFFFFFFu, 0x0000FF0Fu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_barrier[] = {
    {"channel", 1, 0, 4, AVOCET_KIND_CHANNEL, 0},
};
static const uint32_t bits_barrier[] = {0xFFFFFFFFu, 0x0000000Fu};

static const struct avocet_field_info fields_matmul[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"accumulate", 1, 1, 1, AVOCET_KIND_FLAG, 0},
    {"weight_zero_point", 1, 8, 8, AVOCET_KIND_SIGNED, 0},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"weights", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"weight_bytes", 4, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"acc", 5, 0, 16, AVOCET_KIND_ACC, 0},
    {"x_count", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 6, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"kx_count", 9, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"ky_count", 9, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"kx_stride", 10, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"ky_stride", 11, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"channels", 12, 0, 24, AVOCET_KIND_COUNT_MINUS_ONE, 0},
};
static const struct avocet_access_info accesses_matmul[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 3, -1, -1, 4, {1u, {15, -1}},
     {{{1u, {7, -1}}, {1u, {9, -1}}}, {{1u, {8, -1}}, {1u, {10, -1}}}, {{1u, {11, -1}}, {1u, {13, -1}}}, {{1u, {12, -1}}, {1u, {14, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 4, -1, -1, 0, {1u, {5, -1}},
     {{{0u, {-1, -1}}, {0u, {-1, -1}}}}},
    {AVOCET_SPACE_ACC, AVOCET_MODE_READ | AVOCET_MODE_WRITE, 6, -1, -1, 2, {1u, {-1, -1}},
     {{{1u, {7, -1}}, {1u, {-1, -1}}}, {{1u, {8, -1}}, {1u, {7, -1}}}}},
};
static const uint32_t bits_matmul[] = {0xFFFFFFFFu, 0x0000FF03u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x00FFFFFFu};

static const struct avocet_field_info fields_requant[] = {
    {"acc", 1, 0, 16, AVOCET_KIND_ACC, 0},
    {"channels", 1, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"parameters", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"x_count", 4, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 4, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_stride", 5, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"zero_point", 7, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 8, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 8, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_requant[] = {
    {AVOCET_SPACE_ACC, AVOCET_MODE_READ, 0, -1, -1, 2, {1u, {-1, -1}},
     {{{1u, {4, -1}}, {1u, {-1, -1}}}, {{1u, {5, -1}}, {1u, {4, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 2, -1, -1, 1, {12u, {-1, -1}},
     {{{1u, {1, -1}}, {12u, {-1, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 2, {1u, {1, -1}},
     {{{1u, {4, -1}}, {1u, {6, -1}}}, {{1u, {5, -1}}, {1u, {7, -1}}}}},
};
static const uint32_t bits_requant[] = {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_depthwise[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"weight_zero_point", 1, 8, 8, AVOCET_KIND_SIGNED, 0},
    {"multiplier", 1, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"weights", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"parameters", 4, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 5, 0, 32, AVOCET_KIND_SRAM, 0},
    {"channels", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"input_channels", 6, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_width", 7, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_height", 7, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_x_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"x_count", 10, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 10, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_stride", 11, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 12, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"kernel_width", 13, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"kernel_height", 13, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"conv_stride_x", 14, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"conv_stride_y", 14, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"dilation_x", 15, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"dilation_y", 15, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_start", 16, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"y_start", 16, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"input_zero_point", 17, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"zero_point", 17, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 18, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 18, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_depthwise[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 3, -1, -1, 2, {1u, {8, -1}},
     {{{1u, {9, -1}}, {1u, {11, -1}}}, {{1u, {10, -1}}, {1u, {12, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 4, -1, -1, 2, {1u, {7, -1}},
     {{{1u, {17, -1}}, {1u, {7, -1}}}, {{1u, {18, -1}}, {1u, {7, 17}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 5, -1, -1, 1, {12u, {-1, -1}},
     {{{1u, {7, -1}}, {12u, {-1, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 6, -1, -1, 2, {1u, {7, -1}},
     {{{1u, {13, -1}}, {1u, {15, -1}}}, {{1u, {14, -1}}, {1u, {16, -1}}}}},
};
static const uint32_t bits_depthwise[] = {0xFFFFFFFFu, 0xFFFFFF01u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_pool[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"mode", 1, 4, 4, AVOCET_KIND_ENUM, &enum_pool_mode},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"channels", 4, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_width", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_height", 5, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_x_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"x_count", 8, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 8, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 10, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"kernel_width", 11, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"kernel_height", 11, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"pool_stride_x", 12, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"pool_stride_y", 12, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_start", 13, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"y_start", 13, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 14, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 14, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_pool[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 2, -1, -1, 2, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {7, -1}}}, {{1u, {6, -1}}, {1u, {8, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 2, {1u, {4, -1}},
     {{{1u, {9, -1}}, {1u, {11, -1}}}, {{1u, {10, -1}}, {1u, {12, -1}}}}},
};
static const uint32_t bits_pool[] = {0xFFFFFFFFu, 0x000000F1u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu};

static const struct avocet_field_info fields_add[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"subtract", 1, 1, 1, AVOCET_KIND_FLAG, 0},
    {"a_scalar", 1, 2, 1, AVOCET_KIND_FLAG, 0},
    {"b_scalar", 1, 3, 1, AVOCET_KIND_FLAG, 0},
    {"left_shift", 1, 8, 8, AVOCET_KIND_SCALAR, 0},
    {"a", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"b", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 4, 0, 32, AVOCET_KIND_SRAM, 0},
    {"row_bytes", 5, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"y_count", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"a_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"b_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"a_zero_point", 10, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"b_zero_point", 10, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"a_multiplier", 11, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"b_multiplier", 12, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"out_multiplier", 13, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"a_shift", 14, 0, 8, AVOCET_KIND_SIGNED, 0},
    {"b_shift", 14, 8, 8, AVOCET_KIND_SIGNED, 0},
    {"out_shift", 14, 16, 8, AVOCET_KIND_SIGNED, 0},
    {"zero_point", 15, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 16, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 16, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_add[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 5, -1, 2, 1, {1u, {8, -1}},
     {{{1u, {9, -1}}, {1u, {10, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 6, -1, 3, 1, {1u, {8, -1}},
     {{{1u, {9, -1}}, {1u, {11, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 7, -1, -1, 1, {1u, {8, -1}},
     {{{1u, {9, -1}}, {1u, {12, -1}}}}},
};
static const uint32_t bits_add[] = {0xFFFFFFFFu, 0x0000FF0Fu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0x0000FFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0x00FFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_binary[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"a_scalar", 1, 2, 1, AVOCET_KIND_FLAG, 0},
    {"b_scalar", 1, 3, 1, AVOCET_KIND_FLAG, 0},
    {"mode", 1, 4, 4, AVOCET_KIND_ENUM, &enum_binary_mode},
    {"a", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"b", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 4, 0, 32, AVOCET_KIND_SRAM, 0},
    {"row_bytes", 5, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"y_count", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"a_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"b_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"a_zero_point", 10, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"b_zero_point", 10, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"multiplier", 11, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"negative_multiplier", 12, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"shift", 13, 0, 8, AVOCET_KIND_SIGNED, 0},
    {"negative_shift", 13, 8, 8, AVOCET_KIND_SIGNED, 0},
    {"zero_point", 14, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 15, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 15, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_binary[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 4, -1, 1, 1, {1u, {7, -1}},
     {{{1u, {8, -1}}, {1u, {9, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 5, -1, 2, 1, {1u, {7, -1}},
     {{{1u, {8, -1}}, {1u, {10, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 6, -1, -1, 1, {1u, {7, -1}},
     {{{1u, {8, -1}}, {1u, {11, -1}}}}},
};
static const uint32_t bits_binary[] = {0xFFFFFFFFu, 0x000000FDu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0x0000FFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu,
    0x0000FFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_table[] = {
    {"ifm", 1, 0, 32, AVOCET_KIND_SRAM, 0},
    {"table", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"row_bytes", 4, 0, 32, AVOCET_KIND_LENGTH, 0},
    {"y_count", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_y_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
};
static const struct avocet_access_info accesses_table[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 0, -1, -1, 1, {1u, {3, -1}},
     {{{1u, {4, -1}}, {1u, {5, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 1, -1, -1, 0, {256u, {-1, -1}},
     {{{0u, {-1, -1}}, {0u, {-1, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 2, -1, -1, 1, {1u, {3, -1}},
     {{{1u, {4, -1}}, {1u, {6, -1}}}}},
};
static const uint32_t bits_table[] = {0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_reduce[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"mode", 1, 4, 4, AVOCET_KIND_ENUM, &enum_reduce_mode},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"channels", 4, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 4, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"axis0_count", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"axis1_count", 5, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"axis0_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"axis1_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"input_zero_point", 10, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"zero_point", 10, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"bias", 11, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"multiplier", 12, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"shift", 13, 0, 8, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 14, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 14, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_reduce[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 2, -1, -1, 3, {1u, {4, -1}},
     {{{1u, {6, -1}}, {1u, {8, -1}}}, {{1u, {7, -1}}, {1u, {9, -1}}}, {{1u, {5, -1}}, {1u, {10, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 1, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {11, -1}}}}},
};
static const uint32_t bits_reduce[] = {0xFFFFFFFFu, 0x000000F1u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x000000FFu,
    0xFFFFFFFFu};

static const struct avocet_field_info fields_softmax[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"exponentials", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 4, 0, 32, AVOCET_KIND_SRAM, 0},
    {"x_count", 5, 0, 24, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 6, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_x_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"x_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 10, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"zero_point", 11, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 12, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 12, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_softmax[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 1, -1, -1, 2, {1u, {-1, -1}},
     {{{1u, {4, -1}}, {1u, {6, -1}}}, {{1u, {5, -1}}, {1u, {7, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 2, -1, -1, 0, {1024u, {-1, -1}},
     {{{0u, {-1, -1}}, {0u, {-1, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 2, {1u, {-1, -1}},
     {{{1u, {4, -1}}, {1u, {8, -1}}}, {{1u, {5, -1}}, {1u, {9, -1}}}}},
};
static const uint32_t bits_softmax[] = {0xFFFFFFFFu, 0x00000001u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0x00FFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_resize[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"mode", 1, 4, 4, AVOCET_KIND_ENUM, &enum_resize_mode},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"channels", 4, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_width", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_height", 5, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_x_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"x_count", 8, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 8, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"x_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 10, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"x_start", 11, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"x_step", 12, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"y_start", 13, 0, 32, AVOCET_KIND_SIGNED, 0},
    {"y_step", 14, 0, 32, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_resize[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 2, -1, -1, 2, {1u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {7, -1}}}, {{1u, {6, -1}}, {1u, {8, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 2, {1u, {4, -1}},
     {{{1u, {9, -1}}, {1u, {11, -1}}}, {{1u, {10, -1}}, {1u, {12, -1}}}}},
};
static const uint32_t bits_resize[] = {0xFFFFFFFFu, 0x000000F1u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0xFFFFFFFFu};

static const struct avocet_field_info fields_l2_normalise[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"left_shift", 1, 8, 8, AVOCET_KIND_SCALAR, 0},
    {"out_shift", 1, 16, 8, AVOCET_KIND_SIGNED, 0},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"x_count", 4, 0, 24, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 5, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"in_x_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"x_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 9, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"input_zero_point", 10, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"zero_point", 10, 16, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_min", 11, 0, 16, AVOCET_KIND_SIGNED, 0},
    {"clamp_max", 11, 16, 16, AVOCET_KIND_SIGNED, 0},
};
static const struct avocet_access_info accesses_l2_normalise[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 3, -1, -1, 2, {1u, {-1, -1}},
     {{{1u, {5, -1}}, {1u, {7, -1}}}, {{1u, {6, -1}}, {1u, {8, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 4, -1, -1, 2, {1u, {-1, -1}},
     {{{1u, {5, -1}}, {1u, {9, -1}}}, {{1u, {6, -1}}, {1u, {10, -1}}}}},
};
static const uint32_t bits_l2_normalise[] = {0xFFFFFFFFu, 0x00FFFF01u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x00FFFFFFu,
    0x0000FFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};

static const struct avocet_field_info fields_arg_reduce[] = {
    {"input_unsigned", 1, 0, 1, AVOCET_KIND_FLAG, 0},
    {"smallest", 1, 1, 1, AVOCET_KIND_FLAG, 0},
    {"ifm", 2, 0, 32, AVOCET_KIND_SRAM, 0},
    {"ofm", 3, 0, 32, AVOCET_KIND_SRAM, 0},
    {"channels", 4, 0, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"y_count", 4, 16, 16, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"axis_count", 5, 0, 24, AVOCET_KIND_COUNT_MINUS_ONE, 0},
    {"axis_stride", 6, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"in_y_stride", 7, 0, 32, AVOCET_KIND_STRIDE, 0},
    {"y_stride", 8, 0, 32, AVOCET_KIND_STRIDE, 0},
};
static const struct avocet_access_info accesses_arg_reduce[] = {
    {AVOCET_SPACE_SRAM, AVOCET_MODE_READ, 2, -1, -1, 2, {1u, {4, -1}},
     {{{1u, {6, -1}}, {1u, {7, -1}}}, {{1u, {5, -1}}, {1u, {8, -1}}}}},
    {AVOCET_SPACE_SRAM, AVOCET_MODE_WRITE, 3, -1, -1, 1, {4u, {4, -1}},
     {{{1u, {5, -1}}, {1u, {9, -1}}}}},
};
static const uint32_t bits_arg_reduce[] = {0xFFFFFFFFu, 0x00000003u, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu,
    0x00FFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu};

const struct avocet_command_info avocet_commands[AVOCET_COMMAND_COUNT] = {
    {"END", AVOCET_OP_END, AVOCET_END_WORDS, AVOCET_UNIT_COUNT, -1, 0, 0,
     0, 0, bits_end},
    {"WAIT", AVOCET_OP_WAIT, AVOCET_WAIT_WORDS, AVOCET_UNIT_COUNT, -1, 3, 0,
     fields_wait, 0, bits_wait},
    {"DMA_LOAD", AVOCET_OP_DMA_LOAD, AVOCET_DMA_LOAD_WORDS, AVOCET_UNIT_DMA0, 0, 14, 2,
     fields_dma_load, accesses_dma_load, bits_dma_load},
    {"DMA_STORE", AVOCET_OP_DMA_STORE, AVOCET_DMA_STORE_WORDS, AVOCET_UNIT_DMA0, 0, 14, 2,
     fields_dma_store, accesses_dma_store, bits_dma_store},
    {"DMA_FILL", AVOCET_OP_DMA_FILL, AVOCET_DMA_FILL_WORDS, AVOCET_UNIT_DMA0, 0, 8, 1,
     fields_dma_fill, accesses_dma_fill, bits_dma_fill},
    {"BARRIER", AVOCET_OP_BARRIER, AVOCET_BARRIER_WORDS, AVOCET_UNIT_DMA0, 0, 1, 0,
     fields_barrier, 0, bits_barrier},
    {"MATMUL", AVOCET_OP_MATMUL, AVOCET_MATMUL_WORDS, AVOCET_UNIT_MAC, -1, 16, 3,
     fields_matmul, accesses_matmul, bits_matmul},
    {"REQUANT", AVOCET_OP_REQUANT, AVOCET_REQUANT_WORDS, AVOCET_UNIT_REQUANT, -1, 11, 3,
     fields_requant, accesses_requant, bits_requant},
    {"DEPTHWISE", AVOCET_OP_DEPTHWISE, AVOCET_DEPTHWISE_WORDS, AVOCET_UNIT_VECTOR, -1, 29, 4,
     fields_depthwise, accesses_depthwise, bits_depthwise},
    {"POOL", AVOCET_OP_POOL, AVOCET_POOL_WORDS, AVOCET_UNIT_VECTOR, -1, 21, 2,
     fields_pool, accesses_pool, bits_pool},
    {"ADD", AVOCET_OP_ADD, AVOCET_ADD_WORDS, AVOCET_UNIT_VECTOR, -1, 24, 3,
     fields_add, accesses_add, bits_add},
    {"BINARY", AVOCET_OP_BINARY, AVOCET_BINARY_WORDS, AVOCET_UNIT_VECTOR, -1, 21, 3,
     fields_binary, accesses_binary, bits_binary},
    {"TABLE", AVOCET_OP_TABLE, AVOCET_TABLE_WORDS, AVOCET_UNIT_VECTOR, -1, 7, 3,
     fields_table, accesses_table, bits_table},
    {"REDUCE", AVOCET_OP_REDUCE, AVOCET_REDUCE_WORDS, AVOCET_UNIT_VECTOR, -1, 19, 2,
     fields_reduce, accesses_reduce, bits_reduce},
    {"SOFTMAX", AVOCET_OP_SOFTMAX, AVOCET_SOFTMAX_WORDS, AVOCET_UNIT_VECTOR, -1, 13, 3,
     fields_softmax, accesses_softmax, bits_softmax},
    {"RESIZE", AVOCET_OP_RESIZE, AVOCET_RESIZE_WORDS, AVOCET_UNIT_VECTOR, -1, 17, 2,
     fields_resize, accesses_resize, bits_resize},
    {"L2_NORMALISE", AVOCET_OP_L2_NORMALISE, AVOCET_L2_NORMALISE_WORDS, AVOCET_UNIT_VECTOR, -1, 15, 2,
     fields_l2_normalise, accesses_l2_normalise, bits_l2_normalise},
    {"ARG_REDUCE", AVOCET_OP_ARG_REDUCE, AVOCET_ARG_REDUCE_WORDS, AVOCET_UNIT_VECTOR, -1, 10, 2,
     fields_arg_reduce, accesses_arg_reduce, bits_arg_reduce},
};

const struct avocet_command_info *const avocet_command_by_opcode[256] = {
    [AVOCET_OP_END] = &avocet_commands[0],
    [AVOCET_OP_WAIT] = &avocet_commands[1],
    [AVOCET_OP_DMA_LOAD] = &avocet_commands[2],
    [AVOCET_OP_DMA_STORE] = &avocet_commands[3],
    [AVOCET_OP_DMA_FILL] = &avocet_commands[4],
    [AVOCET_OP_BARRIER] = &avocet_commands[5],
    [AVOCET_OP_MATMUL] = &avocet_commands[6],
    [AVOCET_OP_REQUANT] = &avocet_commands[7],
    [AVOCET_OP_DEPTHWISE] = &avocet_commands[8],
    [AVOCET_OP_POOL] = &avocet_commands[9],
    [AVOCET_OP_ADD] = &avocet_commands[10],
    [AVOCET_OP_BINARY] = &avocet_commands[11],
    [AVOCET_OP_TABLE] = &avocet_commands[12],
    [AVOCET_OP_REDUCE] = &avocet_commands[13],
    [AVOCET_OP_SOFTMAX] = &avocet_commands[14],
    [AVOCET_OP_RESIZE] = &avocet_commands[15],
    [AVOCET_OP_L2_NORMALISE] = &avocet_commands[16],
    [AVOCET_OP_ARG_REDUCE] = &avocet_commands[17],
};
