// SPDX-License-Identifier: Apache-2.0
// What the device's parts share: SharedBlocks is there once, Blocks once for each NPU core. Handed to units by reference.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bus.hpp"
#include "config.hpp"
#include "cycle_ledger.hpp"
#include "dram.hpp"
#include "dram_banks.hpp"
#include "energy.hpp"
#include "fault_injector.hpp"
#include "gangs.hpp"
#include "job_state.hpp"
#include "matmul_values.hpp"
#include "mmu.hpp"
#include "npu_registers.hpp"
#include "sram_ports.hpp"
#include "timebase.hpp"

namespace avocet::model {

struct SharedBlocks {
  SharedBlocks(const Config &configuration)
      : config(configuration), timed(configuration.engine != "functional"), values(configuration.engine != "timing"),
        mmu(bus, faults, configuration.mmu_tlb_entries),
        memory_latency(memory_latency_cycles(config)), memory_bandwidth(memory_millibytes_per_cycle(config)),
        dram_banks(has_dram_banks(config) ? std::make_unique<DramBanks>(config, dram_counters) : nullptr),
        dram(time, configuration.dram_millibytes_per_cycle) {}

  const Config config;
  const bool timed;  // false: a command takes one cycle, whatever it does
  const bool values; // false: commands take their time and leave SRAM, accumulators and host memory alone
  Timebase time;
  FaultInjector faults;
  Bus bus{faults};
  RegisterBank registers;
  Mmu mmu;
  const uint64_t memory_latency, memory_bandwidth; // of accesses that do not compete: cycles, thousandths of a byte per cycle
  avocet_model_dram_counters dram_counters{};
  const std::unique_ptr<DramBanks> dram_banks; // null: the ideal memory below
  Dram dram;
  FirmwareClock firmware;
  Gangs gangs;
};

struct Blocks {
  Blocks(SharedBlocks &shared, uint32_t number)
      : core(number), config(shared.config), timed(shared.timed), values(shared.values), time(shared.time), faults(shared.faults), bus(shared.bus),
        registers(shared.registers, number), mmu(shared.mmu), memory_latency(shared.memory_latency),
        memory_bandwidth(shared.memory_bandwidth), dram_counters(shared.dram_counters), dram_banks(shared.dram_banks.get()),
        dram(&shared.dram), gangs(shared.gangs), ports(time, config), ledger(shared.firmware, shared.dram_counters), energy(config),
        sram(config.sram_bytes() + kSramSlack), accumulators(config.accumulator_rows * config.array_columns),
        accumulated(config.accumulator_rows) {
    time.add(&reset);
  }

  const uint32_t core;
  // Of all cores.
  const Config &config;
  const bool timed, values;
  Timebase &time;
  FaultInjector &faults;
  Bus &bus;
  NpuRegisters registers;
  Mmu &mmu;
  const uint64_t memory_latency, memory_bandwidth;
  avocet_model_dram_counters &dram_counters;
  DramBanks *const dram_banks;
  Dram *const dram;
  Gangs &gangs;
  // This core's own.
  ResetLine reset;
  SramPorts ports;
  JobState job;
  CycleLedger ledger;
  EnergyAccount energy;
  std::vector<uint8_t> sram; // and kSramSlack bytes behind it
  std::vector<int32_t> accumulators;  // [accumulator_rows][array_columns]
  std::vector<uint64_t> accumulated;  // products summed in each accumulator of a row since it was last stored
};

} // namespace avocet::model
