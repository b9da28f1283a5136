// SPDX-License-Identifier: Apache-2.0
// What every unit of the NPU core shares. Owned by Device, handed to units by reference.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bus.hpp"
#include "config.hpp"
#include "cycle_ledger.hpp"
#include "dram_banks.hpp"
#include "fault_injector.hpp"
#include "job_state.hpp"
#include "matmul_values.hpp"
#include "mmu.hpp"
#include "register_bank.hpp"
#include "sram_ports.hpp"
#include "timebase.hpp"

namespace avocet::model {

class Dram;

struct Blocks {
  Blocks(const Config &configuration)
      : config(configuration), timed(configuration.engine != "functional"), mmu(bus, faults, configuration.mmu_tlb_entries),
        memory_latency(memory_latency_cycles(config)), memory_bandwidth(memory_millibytes_per_cycle(config)),
        dram_banks(has_dram_banks(config) ? std::make_unique<DramBanks>(config, dram_counters) : nullptr), ports(time, config),
        sram(configuration.sram_bytes() + kSramSlack),
        accumulators(configuration.accumulator_rows * configuration.array_columns),
        accumulated(configuration.accumulator_rows) {}

  const Config config;
  const bool timed; // false: a command takes one cycle, whatever it does
  Timebase time;
  FaultInjector faults;
  Bus bus{faults};
  RegisterBank registers;
  Mmu mmu;
  const uint64_t memory_latency, memory_bandwidth; // of accesses that do not compete: cycles, thousandths of a byte per cycle
  avocet_model_dram_counters dram_counters{};
  const std::unique_ptr<DramBanks> dram_banks; // null: the ideal memory below
  Dram *dram = nullptr;
  SramPorts ports;
  JobState job;
  CycleLedger ledger;

  std::vector<uint8_t> sram; // and kSramSlack bytes behind it
  std::vector<int32_t> accumulators;  // [accumulator_rows][array_columns]
  std::vector<uint64_t> accumulated;  // products summed in each accumulator of a row since it was last stored
};

} // namespace avocet::model
