// SPDX-License-Identifier: Apache-2.0
// Presets and conversion of memory timings. configs/README.md names the sources of the figures.
#include "dram_timing.hpp"

#include <algorithm>

namespace avocet::model {

namespace {

using C = Config;

constexpr uint64_t C::*kMembers[] = {
    &C::dram_channels, &C::dram_bus_bits, &C::dram_megatransfers, &C::dram_burst_length, &C::dram_bank_groups,
    &C::dram_banks,    &C::dram_row_bytes, &C::dram_cl_ps,        &C::dram_cwl_ps,       &C::dram_rcd_ps,
    &C::dram_rp_ps,    &C::dram_ras_ps,   &C::dram_rrd_s_ps,      &C::dram_rrd_l_ps,     &C::dram_faw_ps,
    &C::dram_ccd_l_ps, &C::dram_rtp_ps,   &C::dram_wr_ps,         &C::dram_wtr_s_ps,     &C::dram_wtr_l_ps,
    &C::dram_rfc_ps,   &C::dram_refi_ps};

constexpr size_t kValues = std::size(kMembers);

// channels, bus, MT/s, burst, groups, banks, row bytes,
// CL, CWL, RCD, RP, RAS, RRD_S, RRD_L, FAW, CCD_L, RTP, WR, WTR_S, WTR_L, RFC, REFI in picoseconds
constexpr uint64_t kDdr4[kValues] = {1,     64,    2400, 8,    4,     4,    8192,  13333, 10000, 13333,  13333,
                                     32500, 3333,  4900, 21000, 5000, 7500, 15000, 2500,  7500,  350000, 7800000};
constexpr uint64_t kLpddr4[kValues] = {2,     16,    3200,  16,    1,    8,    2048,  17500, 8750,  18000,  18000,
                                       42000, 10000, 10000, 40000, 5000, 7500, 18000, 10000, 10000, 180000, 3904000};
constexpr uint64_t kLpddr5[kValues] = {2,     16,   6400, 16,    4,    4,    2048,  21250, 11250, 18000,  18000,
                                       42000, 5000, 5000, 20000, 5000, 7500, 34000, 6250,  12000, 210000, 3906000};
constexpr uint64_t kHbm2[kValues] = {16,    64,   2000, 4,     4,    4,    1024,  14000, 4000, 14000,  14000,
                                     34000, 4000, 6000, 30000, 4000, 4000, 16000, 6000,  8000, 260000, 3900000};

const DramPreset kPresets[] = {
    {"ddr4_2400", kDdr4, 68000}, {"lpddr4_3200", kLpddr4, 64000}, {"lpddr5_6400", kLpddr5, 48000}, {"hbm2", kHbm2, 31360}};

// Contiguous bytes in one channel before the next one's turn.
constexpr uint64_t kUnitBytes = 256;

} // namespace

std::span<uint64_t Config::*const> dram_preset_members() { return kMembers; }

std::span<const DramPreset> dram_presets() { return kPresets; }

void apply_dram_preset(Config &config) {
  for (const DramPreset &preset : kPresets) {
    if (config.dram_model != preset.model) continue;
    for (size_t i = 0; i < kValues; ++i) config.*kMembers[i] = preset.values[i];
    config.energy_dram_fj = preset.femtojoules_per_byte;
  }
}

DramTiming::DramTiming(const Config &config)
    : channels(config.dram_channels), groups(config.dram_bank_groups), banks(config.dram_banks),
      burst_bytes(config.dram_bus_bits / 8 * config.dram_burst_length), row_bytes(config.dram_row_bytes),
      unit_bytes(std::max(kUnitBytes, burst_bytes * groups)), queue_bursts(config.dram_queue_bursts) {
  const auto ticks = [&](uint64_t picoseconds) { return (picoseconds * config.clock_khz + 500000) / 1000000; };
  burst = std::max<uint64_t>((config.dram_burst_length * config.clock_khz + config.dram_megatransfers / 2) / config.dram_megatransfers, 1);
  clock = std::max<uint64_t>(2 * config.clock_khz / config.dram_megatransfers, 1);
  cl = ticks(config.dram_cl_ps), cwl = ticks(config.dram_cwl_ps);
  rcd = ticks(config.dram_rcd_ps), rp = ticks(config.dram_rp_ps), ras = ticks(config.dram_ras_ps);
  rrd_s = ticks(config.dram_rrd_s_ps), rrd_l = ticks(config.dram_rrd_l_ps), faw = ticks(config.dram_faw_ps);
  ccd_l = ticks(config.dram_ccd_l_ps), rtp = ticks(config.dram_rtp_ps), wr = ticks(config.dram_wr_ps);
  wtr_s = ticks(config.dram_wtr_s_ps), wtr_l = ticks(config.dram_wtr_l_ps);
  rfc = ticks(config.dram_rfc_ps), refi = ticks(config.dram_refi_ps);
}

bool has_dram_banks(const Config &config) { return config.dram_model != "ideal" && config.engine != "functional"; }

uint64_t memory_millibytes_per_cycle(const Config &config) {
  if (config.dram_model == "ideal") return config.dram_millibytes_per_cycle;
  const DramTiming timing(config);
  const uint64_t peak = timing.burst_bytes * timing.channels * 1000 * kTicksPerCycle / timing.burst;
  if (timing.refi == 0) return peak;
  // Between two refreshes: precharge, the refresh, the first row's activation.
  const uint64_t lost = std::min(timing.rp + timing.rfc + timing.rcd, timing.refi / 2);
  return std::max<uint64_t>(peak * (timing.refi - lost) / timing.refi, 1);
}

uint64_t memory_latency_cycles(const Config &config) {
  if (config.dram_model == "ideal") return config.dram_latency_cycles;
  const DramTiming timing(config);
  return config.dram_controller_cycles + (timing.rcd + timing.cl + timing.burst + kTicksPerCycle - 1) / kTicksPerCycle;
}

} // namespace avocet::model
