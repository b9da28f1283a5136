// SPDX-License-Identifier: Apache-2.0
// The hardware configuration: what the device is built from. One table (config_keys.cpp) holds every key with unit, default,
// range and meaning; reading, checking, printing and the reference page all walk that table.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace avocet::model {

struct Config {
  std::string name;
  std::string engine;
  std::string faults;
  uint64_t clock_khz = 0;
  uint64_t cores = 0;
  uint64_t array_rows = 0, array_columns = 0, accumulator_rows = 0;
  uint64_t vector_lanes = 0;
  uint64_t sram_kib = 0, sram_banks = 0, sram_bank_bytes = 0;
  std::string sram_model;
  uint64_t dma_channels = 0, dma_bytes_per_cycle = 0, dma_burst_bytes = 0, dma_outstanding = 0;
  std::string dram_model;
  uint64_t dram_millibytes_per_cycle = 0, dram_latency_cycles = 0;
  uint64_t dram_controller_cycles = 0, dram_queue_bursts = 0;
  uint64_t dram_channels = 0, dram_bus_bits = 0, dram_megatransfers = 0, dram_burst_length = 0, dram_bank_groups = 0;
  uint64_t dram_banks = 0, dram_row_bytes = 0;
  uint64_t dram_cl_ps = 0, dram_cwl_ps = 0, dram_rcd_ps = 0, dram_rp_ps = 0, dram_ras_ps = 0;
  uint64_t dram_rrd_s_ps = 0, dram_rrd_l_ps = 0, dram_faw_ps = 0, dram_ccd_l_ps = 0;
  uint64_t dram_rtp_ps = 0, dram_wr_ps = 0, dram_wtr_s_ps = 0, dram_wtr_l_ps = 0, dram_rfc_ps = 0, dram_refi_ps = 0;
  uint64_t energy_mac_fj = 0, energy_vector_fj = 0, energy_requant_fj = 0;
  uint64_t energy_sram_fj = 0, energy_accumulator_fj = 0, energy_dram_fj = 0, energy_leakage_fj = 0;
  uint64_t area_nand2_um2 = 0; // thousandths
  uint64_t area_pe_gates = 0, area_requant_lane_gates = 0, area_vector_lane_gates = 0;
  uint64_t area_sram_um2 = 0, area_accumulator_um2 = 0;
  uint64_t mmu_tlb_entries = 0, mmu_walk_cycles = 0;
  std::string firmware_kind;
  uint64_t firmware_register_cycles = 0, firmware_memory_cycles = 0;
  uint64_t riscv_alu_cycles = 0, riscv_load_cycles = 0, riscv_store_cycles = 0, riscv_branch_cycles = 0;
  uint64_t riscv_taken_cycles = 0, riscv_jump_cycles = 0, riscv_multiply_cycles = 0, riscv_divide_cycles = 0;
  uint64_t riscv_system_cycles = 0;
  uint64_t doorbell_cycles = 0, interrupt_cycles = 0;
  uint64_t sequencer_word_cycles = 0, sequencer_prefetch_bytes = 0;

  uint64_t sram_bytes() const { return sram_kib * 1024; }
};

// what(): one line naming file, key, value and allowed range. missing_file: the file could not be opened.
struct ConfigError : std::runtime_error {
  explicit ConfigError(const std::string &sentence, bool missing = false)
      : std::runtime_error(sentence), missing_file(missing) {}
  bool missing_file;
};

// path NULL: the defaults, which are avocet_256. engine and firmware (firmware.kind) override the file's unless NULL. Throws
// ConfigError.
Config read_config(const char *path, const char *engine, const char *firmware = nullptr);
// The same from text; `source` stands for the file in messages.
Config parse_config(const std::string &text, const std::string &source, const char *engine, const char *firmware = nullptr);

// Every key and value, in the table's order; reads back to an equal configuration.
std::string config_text(const Config &config);
// The reference page's table, in Markdown.
std::string config_reference();

} // namespace avocet::model
