// SPDX-License-Identifier: Apache-2.0
// The memory behind the device, from the configuration: presets of published parts, and the timings in the unit in which the model
// counts, a thousandth of a device cycle ("tick"), so that a memory clock need not divide the device's.
#pragma once

#include <cstdint>
#include <span>

#include "config.hpp"

namespace avocet::model {

constexpr uint64_t kTicksPerCycle = 1000;

// A published part: the values that dram.model puts in force for the keys that describe_dram() lists.
struct DramPreset {
  const char *model;
  std::span<const uint64_t> values; // in the order of dram_preset_members()
  uint64_t femtojoules_per_byte;    // of energy.dram_pj_per_byte
};

std::span<uint64_t Config::*const> dram_preset_members();
std::span<const DramPreset> dram_presets();
// Nothing when the model has none ("ideal").
void apply_dram_preset(Config &config);

struct DramTiming {
  explicit DramTiming(const Config &config);

  uint64_t channels, groups, banks; // banks of a group
  uint64_t burst_bytes, row_bytes, unit_bytes; // unit: contiguous bytes in one channel
  uint64_t queue_bursts;
  // Ticks.
  uint64_t burst, clock, cl, cwl, rcd, rp, ras, rrd_s, rrd_l, faw, ccd_l, rtp, wr, wtr_s, wtr_l, rfc, refi;
};

bool has_dram_banks(const Config &config);
// What the device tells its compiler: bandwidth that streaming reaches, in thousandths of a byte per cycle, and the cycles from a
// request to its last byte when no row is open. The sequencer's own accesses take the latter.
uint64_t memory_millibytes_per_cycle(const Config &config);
uint64_t memory_latency_cycles(const Config &config);

} // namespace avocet::model
