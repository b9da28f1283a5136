// SPDX-License-Identifier: Apache-2.0
// The table of configuration keys; the defaults are the hardware named avocet_256.
#include "config_keys.hpp"

#include "avocet_isa.h"
#include "fault_rules.hpp"

namespace avocet::model {

namespace {

using C = Config;

std::string complaint_about_faults(const std::string &text) {
  FaultRules rules;
  std::string complaint;
  parse_faults(text, &rules, &complaint);
  return complaint;
}

const ConfigKey kKeys[] = {
    {"", "name", "text", "avocet_256", TextKey{&C::name, ""}, "name of this hardware in reports"},
    {"", "engine", "word", "timed", TextKey{&C::engine, "functional timed rtl timing"},
     "engine used unless the host asks for another; rtl exists for 8x8, 16x16 and 32x32 arrays; timing counts cycles alone"},
    {"", "clock_mhz", "MHz", "1000", NumberKey{&C::clock_khz, 1000, 10000000, 3},
     "device clock: turns cycles into seconds, nothing else"},
    {"", "faults", "text", "", TextKey{&C::faults, "", complaint_about_faults},
     "faults that the device has from power-on (`avocet fault list`)"},
    {"", "cores", "cores", "1", NumberKey{&C::cores, 1, AVOCET_CORES_MAX},
     "NPU cores, each with a sequencer, units and a scratchpad; memory, IOMMU and firmware are shared"},
    {"array", "rows", "PEs", "16", NumberKey{&C::array_rows, 1, 256},
     "MAC array rows: input channels of a weight tile"},
    {"array", "columns", "PEs", "16", NumberKey{&C::array_columns, 1, 256},
     "MAC array columns: output channels of a weight tile"},
    {"array", "accumulator_rows", "rows", "1024", NumberKey{&C::accumulator_rows, 16, 65536},
     "accumulators, in rows of array.columns int32: the most outputs of one MATMUL"},
    {"vector", "lanes", "lanes", "64", NumberKey{&C::vector_lanes, 1, 4096}, "int8 lanes of the vector unit"},
    {"sram", "kib", "KiB", "384", NumberKey{&C::sram_kib, 4, 65536}, "scratchpad size"},
    {"sram", "banks", "banks", "16", NumberKey{&C::sram_banks, 1, 256, 0, true},
     "scratchpad banks, one word each per cycle"},
    {"sram", "bank_bytes", "B", "16", NumberKey{&C::sram_bank_bytes, 1, 256, 0, true},
     "word of a bank; words are interleaved over the banks"},
    {"sram", "model", "word", "ideal", TextKey{&C::sram_model, "ideal banked"},
     "ideal: no bank conflicts; banked: units of lower priority wait for banks that others take"},
    {"dma", "channels", "channels", "4", NumberKey{&C::dma_channels, 1, 8}, "DMA channels, each with its own queue"},
    {"dma", "bytes_per_cycle", "B/cycle", "16", NumberKey{&C::dma_bytes_per_cycle, 1, 1024},
     "bytes one channel moves per cycle at most"},
    {"dma", "burst_bytes", "B", "64", NumberKey{&C::dma_burst_bytes, 8, 4096, 0, true},
     "longest burst; a burst crosses neither a multiple of this nor the end of a row"},
    {"dma", "outstanding", "bursts", "32", NumberKey{&C::dma_outstanding, 1, 1024},
     "bursts of one channel on their way at once"},
    {"dram", "model", "word", "ideal", TextKey{&C::dram_model, "ideal ddr4_2400 lpddr4_3200 lpddr5_6400 hbm2"},
     "ideal: dram.bytes_per_cycle and dram.latency_cycles alone; a part: banks, and the part's values for all keys of this group from channels on that the file does not set"},
    {"dram", "bytes_per_cycle", "B/cycle", "8", NumberKey{&C::dram_millibytes_per_cycle, 1, 4096000, 3},
     "ideal: bandwidth all DMA channels share; decimals allowed"},
    {"dram", "latency_cycles", "cycles", "100", NumberKey{&C::dram_latency_cycles, 0, 100000},
     "ideal: from a request to its last byte, without the transfer itself"},
    {"dram", "controller_cycles", "cycles", "40", NumberKey{&C::dram_controller_cycles, 0, 100000},
     "parts: way through interconnect, controller and PHY, there and back"},
    {"dram", "queue_bursts", "bursts", "64", NumberKey{&C::dram_queue_bursts, 4, 4096},
     "parts: bursts that the read queue and the write queue of a channel hold each"},
    {"dram", "channels", "channels", "1", NumberKey{&C::dram_channels, 1, 64, 0, true}, "independent channels"},
    {"dram", "bus_bits", "bit", "64", NumberKey{&C::dram_bus_bits, 8, 1024, 0, true}, "data pins of a channel"},
    {"dram", "megatransfers", "MT/s", "2400", NumberKey{&C::dram_megatransfers, 1, 100000}, "transfers of a data pin"},
    {"dram", "burst_length", "transfers", "8", NumberKey{&C::dram_burst_length, 1, 64, 0, true}, "of one column access"},
    {"dram", "bank_groups", "groups", "4", NumberKey{&C::dram_bank_groups, 1, 16, 0, true}, "bank groups of a channel; 1: none"},
    {"dram", "banks", "banks", "4", NumberKey{&C::dram_banks, 1, 64, 0, true}, "banks of a bank group"},
    {"dram", "row_bytes", "B", "8192", NumberKey{&C::dram_row_bytes, 64, 65536, 0, true}, "row buffer of a bank, over all pins of a channel"},
    {"dram", "cl_ns", "ns", "13.333", NumberKey{&C::dram_cl_ps, 0, 1000000, 3}, "read command to data"},
    {"dram", "cwl_ns", "ns", "10", NumberKey{&C::dram_cwl_ps, 0, 1000000, 3}, "write command to data"},
    {"dram", "rcd_ns", "ns", "13.333", NumberKey{&C::dram_rcd_ps, 0, 1000000, 3}, "activate to column command"},
    {"dram", "rp_ns", "ns", "13.333", NumberKey{&C::dram_rp_ps, 0, 1000000, 3}, "precharge to activate"},
    {"dram", "ras_ns", "ns", "32.5", NumberKey{&C::dram_ras_ps, 0, 1000000, 3}, "activate to precharge"},
    {"dram", "rrd_s_ns", "ns", "3.333", NumberKey{&C::dram_rrd_s_ps, 0, 1000000, 3}, "activate to activate, other bank group"},
    {"dram", "rrd_l_ns", "ns", "4.9", NumberKey{&C::dram_rrd_l_ps, 0, 1000000, 3}, "activate to activate, same bank group"},
    {"dram", "faw_ns", "ns", "21", NumberKey{&C::dram_faw_ps, 0, 1000000, 3}, "window of four activates"},
    {"dram", "ccd_l_ns", "ns", "5", NumberKey{&C::dram_ccd_l_ps, 0, 1000000, 3}, "column to column command, same bank group; in others the burst alone"},
    {"dram", "rtp_ns", "ns", "7.5", NumberKey{&C::dram_rtp_ps, 0, 1000000, 3}, "read command to precharge"},
    {"dram", "wr_ns", "ns", "15", NumberKey{&C::dram_wr_ps, 0, 1000000, 3}, "end of written data to precharge"},
    {"dram", "wtr_s_ns", "ns", "2.5", NumberKey{&C::dram_wtr_s_ps, 0, 1000000, 3}, "end of written data to read command, other bank group"},
    {"dram", "wtr_l_ns", "ns", "7.5", NumberKey{&C::dram_wtr_l_ps, 0, 1000000, 3}, "the same, same bank group"},
    {"dram", "rfc_ns", "ns", "350", NumberKey{&C::dram_rfc_ps, 0, 10000000, 3}, "refresh of all banks"},
    {"dram", "refi_ns", "ns", "7800", NumberKey{&C::dram_refi_ps, 0, 100000000, 3}, "from one refresh to the next; 0: none"},
    {"energy", "mac_pj", "pJ", "0.3", NumberKey{&C::energy_mac_fj, 0, 1000000000, 3},
     "a useful multiplication of the array, with its addition"},
    {"energy", "vector_pj", "pJ", "0.3", NumberKey{&C::energy_vector_fj, 0, 1000000000, 3},
     "a lane of the vector unit in a cycle of work"},
    {"energy", "requant_pj", "pJ", "3.3", NumberKey{&C::energy_requant_fj, 0, 1000000000, 3},
     "a value requantised behind the array"},
    {"energy", "sram_pj_per_byte", "pJ", "2.5", NumberKey{&C::energy_sram_fj, 0, 1000000000, 3},
     "a scratchpad byte read or written"},
    {"energy", "accumulator_pj_per_byte", "pJ", "1.25", NumberKey{&C::energy_accumulator_fj, 0, 1000000000, 3},
     "a byte of the accumulators read or written"},
    {"energy", "dram_pj_per_byte", "pJ", "162.5", NumberKey{&C::energy_dram_fj, 0, 1000000000, 3},
     "a DRAM byte read or written; default of a part: ddr4_2400 68, lpddr4_3200 64, lpddr5_6400 48, hbm2 31.36"},
    {"energy", "leakage_pj_per_cycle", "pJ", "30", NumberKey{&C::energy_leakage_fj, 0, 1000000000, 3}, "whole device, each cycle of a job"},
    {"area", "nand2_um2", "um2", "0.798", NumberKey{&C::area_nand2_um2, 1, 1000000, 3}, "a NAND2 gate: turns gates into area"},
    {"area", "pe_gates", "NAND2", "1230", NumberKey{&C::area_pe_gates, 0, 10000000},
     "array: a PE with its share of everything around; `avocet synth 8`: 78,728 for 64"},
    {"area", "requant_lane_gates", "NAND2", "15620", NumberKey{&C::area_requant_lane_gates, 0, 10000000},
     "requantisation: a lane; `avocet synth 8`: 124,957 for 8"},
    {"area", "vector_lane_gates", "NAND2", "16850", NumberKey{&C::area_vector_lane_gates, 0, 10000000},
     "vector unit: a lane; estimate: a PE and a requantisation lane, which is what a lane does in a cycle"},
    {"area", "sram_um2_per_kib", "um2", "9458", NumberKey{&C::area_sram_um2, 0, 10000000}, "scratchpad: a KiB with one port"},
    {"area", "accumulator_um2_per_kib", "um2", "22900", NumberKey{&C::area_accumulator_um2, 0, 10000000},
     "accumulators: a KiB with a port to read and one to write"},
    {"mmu", "tlb_entries", "pages", "64", NumberKey{&C::mmu_tlb_entries, 1, 4096},
     "4 KiB pages the TLB holds (fully associative, least recently used)"},
    {"mmu", "walk_cycles", "cycles", "60", NumberKey{&C::mmu_walk_cycles, 0, 100000}, "one page table walk"},
    {"sequencer", "word_cycles", "cycles", "1", NumberKey{&C::sequencer_word_cycles, 1, 1000},
     "to decode one word of the command stream"},
    {"sequencer", "prefetch_bytes", "bytes", "2048", NumberKey{&C::sequencer_prefetch_bytes, 512, 1048576},
     "of the command stream that are fetched ahead of their dispatch, in blocks of 256"},
    {"firmware", "kind", "word", "native", TextKey{&C::firmware_kind, "native riscv"},
     "native: the firmware runs inside the model; riscv: its RV32IMC image on an instruction-set simulator; may also stand in "
     "place of the group"},
    {"firmware", "register_cycles", "cycles", "2", NumberKey{&C::firmware_register_cycles, 1, 100000},
     "management core: one register access; native: with the instructions around it"},
    {"firmware", "memory_cycles", "cycles", "8", NumberKey{&C::firmware_memory_cycles, 1, 100000},
     "management core: one access to host memory, for each 64 bytes begun"},
    {"riscv", "alu_cycles", "cycles", "1", NumberKey{&C::riscv_alu_cycles, 1, 1000},
     "RISC-V management core: arithmetic, logic, shifts, LUI, AUIPC"},
    {"riscv", "load_cycles", "cycles", "2", NumberKey{&C::riscv_load_cycles, 1, 1000},
     "RISC-V management core: a load from the core's own memory"},
    {"riscv", "store_cycles", "cycles", "1", NumberKey{&C::riscv_store_cycles, 1, 1000},
     "RISC-V management core: a store to the core's own memory"},
    {"riscv", "branch_cycles", "cycles", "1", NumberKey{&C::riscv_branch_cycles, 1, 1000},
     "RISC-V management core: a branch that is not taken"},
    {"riscv", "taken_cycles", "cycles", "2", NumberKey{&C::riscv_taken_cycles, 0, 1000},
     "RISC-V management core: more for a branch that is taken"},
    {"riscv", "jump_cycles", "cycles", "2", NumberKey{&C::riscv_jump_cycles, 1, 1000},
     "RISC-V management core: JAL, JALR"},
    {"riscv", "multiply_cycles", "cycles", "2", NumberKey{&C::riscv_multiply_cycles, 1, 1000},
     "RISC-V management core: MUL, MULH, MULHU, MULHSU"},
    {"riscv", "divide_cycles", "cycles", "34", NumberKey{&C::riscv_divide_cycles, 1, 1000},
     "RISC-V management core: DIV, DIVU, REM, REMU: one bit a cycle"},
    {"riscv", "system_cycles", "cycles", "3", NumberKey{&C::riscv_system_cycles, 1, 1000},
     "RISC-V management core: CSR accesses, fences, WFI, MRET, entering a trap"},
    {"host", "doorbell_cycles", "cycles", "20", NumberKey{&C::doorbell_cycles, 0, 1000000},
     "from the host's doorbell write to the management core"},
    {"host", "interrupt_cycles", "cycles", "20", NumberKey{&C::interrupt_cycles, 0, 1000000},
     "from the device's interrupt line to the host's handler"},
};

} // namespace

std::span<const ConfigKey> config_keys() { return kKeys; }

} // namespace avocet::model
