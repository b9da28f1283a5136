// SPDX-License-Identifier: Apache-2.0
// Register values and the contract's access rules.
#include "register_bank.hpp"

#include "config.hpp"
#include "dram_timing.hpp"
#include "save_area.hpp"

namespace avocet::model {

RegisterBank::RegisterBank() {
  access_.fill(kHole);
  for (const avocet_register_info &row : avocet_registers)
    for (uint32_t core = 0; core < (stride(row.offset) == 0 ? 1 : AVOCET_CORES_MAX); ++core)
      access_[(row.offset + core * stride(row.offset)) / 4] = row.access;
}

bool RegisterBank::is_register(uint32_t offset) const {
  return offset < AVOCET_REGISTER_BYTES && offset % 4 == 0 && access_[offset / 4] != kHole;
}

uint32_t RegisterBank::host_read(uint32_t offset) const {
  if (!is_register(offset)) return UINT32_MAX;
  switch (offset) {
  case AVOCET_REG_CYCLE_LO: return static_cast<uint32_t>(cycle_.load(std::memory_order_acquire));
  case AVOCET_REG_CYCLE_HI: return static_cast<uint32_t>(cycle_.load(std::memory_order_acquire) >> 32);
  default: break;
  }
  uint8_t kind = access(offset);
  return kind == AVOCET_REGISTER_WO || kind == AVOCET_REGISTER_CORE ? 0 : get(offset);
}

void RegisterBank::prepare_write(uint32_t offset, uint32_t value) {
  if (!is_register(offset) || access(offset) != AVOCET_REGISTER_RW) return;
  if (offset == AVOCET_REG_CONTROL) {
    // RESET reads 1 from the moment it was asked for; the simulation thread clears it.
    if (value & AVOCET_CONTROL_RESET) set_bits(offset, AVOCET_CONTROL_RESET);
    return;
  }
  set(offset, value);
}

namespace {

uint32_t engine_number(const Config &config) {
  if (config.engine == "functional") return AVOCET_ENGINE_FUNCTIONAL;
  if (config.engine == "timing") return AVOCET_ENGINE_TIMING;
  return config.engine == "rtl" ? AVOCET_ENGINE_RTL : AVOCET_ENGINE_TIMED;
}

} // namespace

void RegisterBank::reset(const Config &config) {
  for (uint32_t offset = 0; offset < AVOCET_REGISTER_BYTES; offset += 4)
    if (offset != AVOCET_REG_GENERATION && offset != AVOCET_REG_CONTROL && first_of(offset) != AVOCET_REG_NPU_RESETS)
      set(offset, 0);
  const struct {
    uint32_t offset;
    uint64_t value;
  } capabilities[] = {
      {AVOCET_REG_ID, AVOCET_MAGIC},
      {AVOCET_REG_VERSION, AVOCET_VERSION},
      {AVOCET_REG_ENGINE, engine_number(config)},
      {AVOCET_REG_ARRAY_ROWS, config.array_rows},
      {AVOCET_REG_ARRAY_COLS, config.array_columns},
      {AVOCET_REG_ACC_ROWS, config.accumulator_rows},
      {AVOCET_REG_VECTOR_LANES, config.vector_lanes},
      {AVOCET_REG_SRAM_BYTES, config.sram_bytes()},
      {AVOCET_REG_SRAM_BANKS, config.sram_banks},
      {AVOCET_REG_DMA_CHANNELS, config.dma_channels},
      {AVOCET_REG_DMA_BYTES_PER_CYCLE, config.dma_bytes_per_cycle},
      {AVOCET_REG_DRAM_MILLIBYTES_PER_CYCLE, memory_millibytes_per_cycle(config)},
      {AVOCET_REG_DRAM_LATENCY, memory_latency_cycles(config)},
      {AVOCET_REG_CLOCK_KHZ, config.clock_khz},
      {AVOCET_REG_CORES, config.cores},
      {AVOCET_REG_FW_KIND, config.firmware_kind == "riscv" ? AVOCET_FIRMWARE_KIND_RISCV : AVOCET_FIRMWARE_KIND_NATIVE},
      {AVOCET_REG_SAVE_AREA_BYTES, save_area_bytes(config)},
  };
  for (const auto &row : capabilities) set(row.offset, static_cast<uint32_t>(row.value));
}

} // namespace avocet::model
