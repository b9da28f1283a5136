// SPDX-License-Identifier: Apache-2.0
// The memory with banks, for every part: streams, strides and single accesses against closed forms from the part's timings.
#include "dram_banks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "dma_window.hpp"

namespace avocet::model {
namespace {

class Memory {
public:
  explicit Memory(const std::string &part, const std::string &more = "", uint64_t outstanding = 1024)
      : config_(parse_config(R"({"dma": {"bytes_per_cycle": 1024, "outstanding": )" + std::to_string(outstanding) +
                                 R"(}, "dram": {"model": ")" + part + "\"" + more + "}}",
                             "test", nullptr)),
        timing_(config_), banks_(config_, counters_), window_(config_) {}

  // Reads (or writes) as a DMA channel would, as fast as it may; cycles until the last byte is there.
  void access(uint64_t address, uint64_t bytes, bool write = false) {
    const uint64_t burst = window_.burst_bytes();
    for (uint64_t behind = address + bytes; address < behind;) {
      const uint64_t next = std::min((address / burst + window_.group_bursts()) * burst, behind);
      const uint64_t bursts = (next - 1) / burst - address / burst + 1;
      now_ = window_.room_at(bursts, now_);
      const uint64_t end = banks_.access(address, next - address, write, now_);
      if (write)
        window_.taken(bursts, end);
      else
        window_.read(bursts, 0, end);
      end_ = std::max(end_, end);
      address = next;
    }
  }
  double cycles() const { return static_cast<double>(end_); }

  const Config &config() const { return config_; }
  const DramTiming &timing() const { return timing_; }
  const avocet_model_dram_counters &counters() const { return counters_; }
  // Bytes from one row number to the next of the same bank.
  uint64_t row_set() const { return timing_.row_bytes * timing_.groups * timing_.channels; }
  uint64_t address(uint64_t row, uint64_t bank) const {
    return (row * timing_.banks + (bank + timing_.banks - row % timing_.banks) % timing_.banks) * row_set();
  }
  double peak() const { // bytes per cycle
    return static_cast<double>(config_.dram_channels * config_.dram_bus_bits / 8 * config_.dram_megatransfers) * 1e3 /
           static_cast<double>(config_.clock_khz);
  }
  // Share of the time that refreshes leave.
  double open_share() const {
    return 1 - static_cast<double>(timing_.rfc + timing_.rp) / static_cast<double>(timing_.refi);
  }

private:
  const Config config_;
  const DramTiming timing_;
  avocet_model_dram_counters counters_{};
  DramBanks banks_;
  DmaWindow window_;
  uint64_t now_ = 0, end_ = 0;
};

double in_cycles(uint64_t ticks) { return static_cast<double>(ticks) / kTicksPerCycle; }

class Dram : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(Parts, Dram, testing::Values("ddr4_2400", "lpddr4_3200", "lpddr5_6400", "hbm2"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(Dram, PublishedPeaks) {
  const std::map<std::string, double> gigabytes_per_second = {
      {"ddr4_2400", 19.2}, {"lpddr4_3200", 12.8}, {"lpddr5_6400", 25.6}, {"hbm2", 256}};
  EXPECT_DOUBLE_EQ(Memory(GetParam()).peak(), gigabytes_per_second.at(GetParam()));
}

TEST_P(Dram, StreamsReachThePins) {
  for (bool write : {false, true}) {
    Memory memory(GetParam());
    constexpr uint64_t kBytes = 16 << 20;
    memory.access(4096, kBytes, write);
    const double rate = kBytes / memory.cycles();
    EXPECT_GE(rate, 0.9 * memory.peak()) << (write ? "writing" : "reading");
    EXPECT_LE(rate, memory.peak() * 1.001) << (write ? "writing" : "reading");
    EXPECT_NEAR(rate, static_cast<double>(memory_millibytes_per_cycle(memory.config())) / 1000, 0.02 * memory.peak())
        << "what the compiler is told";
  }
}

// Without refresh nothing is lost: the next rows are opened while the pins are busy.
TEST_P(Dram, RowsAreOpenedBehindTheStream) {
  Memory memory(GetParam(), R"(, "refi_ns": 0)");
  constexpr uint64_t kBytes = 16 << 20;
  memory.access(0, kBytes);
  EXPECT_NEAR(memory.cycles(), kBytes / memory.peak(), 0.01 * memory.cycles());
  const uint64_t bursts = kBytes / memory.timing().burst_bytes;
  EXPECT_EQ(memory.counters().row_hits + memory.counters().row_misses + memory.counters().row_conflicts, bursts);
  EXPECT_EQ(memory.counters().row_misses + memory.counters().row_conflicts, kBytes / memory.timing().row_bytes);
}

// One access after the other, each to another row of any bank: activate, read, transfer, and a precharge before unless a refresh
// closed the bank and nobody opened it since.
TEST_P(Dram, RandomAccessesOneAtATime) {
  Memory memory(GetParam(), "", 1);
  std::mt19937_64 random(7);
  constexpr int kAccesses = 20000;
  for (int i = 0; i < kAccesses; ++i) memory.access(random() % (1ull << 32) / 64 * 64, 64);
  const DramTiming &timing = memory.timing();
  // Two bursts of an access lie in two groups, whose rows open one after the other, or in the one group that there is.
  const uint64_t bursts = std::max<uint64_t>(64 / timing.burst_bytes, 1);
  const uint64_t others = timing.groups > 1 ? std::max(timing.rrd_s, timing.burst) : timing.burst;
  const double closed = static_cast<double>(memory.config().dram_controller_cycles) +
                        in_cycles(timing.rcd + timing.cl + timing.burst + (bursts - 1) * others);
  const double refresh = in_cycles(timing.refi), precharge = in_cycles(timing.rp);
  const double banks = static_cast<double>(timing.channels * timing.banks * (timing.groups > 1 ? timing.groups / bursts : 1));
  const double between = refresh / (closed + precharge); // accesses from refresh to refresh
  const double open = 1 - banks / between * (1 - std::pow(1 - 1 / banks, between));
  const double each = closed + open * precharge;
  // One access in each interval comes during the refresh, on average half an access after its start.
  const double waited = precharge + in_cycles(timing.rfc) - each / 2;
  EXPECT_NEAR(memory.cycles() * (1 - waited / refresh), kAccesses * each, 0.05 * memory.cycles());
}

// Each access another row of the same bank: the bank's cycle, RAS + RP, counts.
TEST_P(Dram, RowsOfOneBank) {
  Memory memory(GetParam());
  constexpr uint64_t kAccesses = 20000;
  for (uint64_t i = 0; i < kAccesses; ++i) memory.access(memory.address(i, 1), 32);
  EXPECT_NEAR(memory.cycles() * memory.open_share(), kAccesses * in_cycles(memory.timing().ras + memory.timing().rp),
              0.05 * memory.cycles());
  EXPECT_GE(memory.counters().row_conflicts + memory.counters().row_misses, kAccesses);
}

// Each access a new row, all banks of all groups in turn: activates count, no more than four in FAW.
TEST_P(Dram, RowsOfAllBanks) {
  Memory memory(GetParam());
  const DramTiming &timing = memory.timing();
  constexpr uint64_t kAccesses = 20000;
  const uint64_t banks = timing.groups * timing.banks;
  for (uint64_t i = 0; i < kAccesses; ++i)
    memory.access(memory.address(i / banks, i / timing.groups % timing.banks) + i % timing.groups * timing.burst_bytes, timing.burst_bytes);
  const uint64_t each = std::max({timing.rrd_s, timing.burst, timing.faw / 4, (timing.ras + timing.rp) / banks});
  EXPECT_NEAR(memory.cycles() * memory.open_share(), kAccesses * in_cycles(each), 0.05 * memory.cycles());
}

// One burst of every other unit of an open row: bursts of the same group follow after CCD_L.
TEST_P(Dram, StrideWithinRows) {
  Memory memory(GetParam());
  const DramTiming &timing = memory.timing();
  constexpr uint64_t kAccesses = 40000;
  const uint64_t stride = timing.unit_bytes * timing.channels; // one channel, one group
  for (uint64_t i = 0; i < kAccesses; ++i) memory.access(i * stride, timing.burst_bytes);
  EXPECT_NEAR(memory.cycles() * memory.open_share(), kAccesses * in_cycles(std::max(timing.burst, timing.ccd_l)),
              0.05 * memory.cycles());
}

// Reads and writes by turns, a queue's worth at a time, cost less than one for one would.
TEST_P(Dram, WritesAreGathered) {
  Memory memory(GetParam());
  constexpr uint64_t kPairs = 20000;
  for (uint64_t i = 0; i < kPairs; ++i) {
    memory.access(i * 256, 256);
    memory.access((1ull << 30) + i * 256, 256, true);
  }
  EXPECT_LT(memory.counters().turnarounds, kPairs) << "two for each pair if nothing were gathered";
  EXPECT_GT(memory.counters().turnarounds, 0u);
  EXPECT_GE(kPairs * 512 / memory.cycles(), 0.6 * memory.peak());
}

TEST_P(Dram, RefreshesAreDueByTime) {
  Memory memory(GetParam());
  memory.access(0, 64 << 20);
  const double intervals = memory.cycles() / in_cycles(memory.timing().refi);
  EXPECT_NEAR(static_cast<double>(memory.counters().refreshes), intervals * static_cast<double>(memory.timing().channels),
              static_cast<double>(2 * memory.timing().channels));
}

TEST_P(Dram, AllPinsTogether) {
  Memory memory(GetParam());
  memory.access(0, 1 << 20);
  EXPECT_EQ(memory.counters().pin_millicycles, (1u << 20) / memory.timing().burst_bytes * memory.timing().burst);
}

TEST(DramConfig, KeysOfTheFileWin) {
  const Config config = parse_config(R"({"dram": {"cl_ns": 20, "channels": 4, "model": "lpddr4_3200"}})", "hw.json", nullptr);
  EXPECT_EQ(config.dram_cl_ps, 20000u);
  EXPECT_EQ(config.dram_channels, 4u);
  EXPECT_EQ(config.dram_rcd_ps, 18000u);
  EXPECT_EQ(config_text(parse_config(config_text(config), "printed", nullptr)), config_text(config));
}

TEST(DramConfig, DefaultsAreThoseOfDdr4) {
  Config config = parse_config(R"({"dram": {"model": "ddr4_2400"}})", "hw.json", nullptr);
  const Config none = parse_config("{}", "hw.json", nullptr);
  for (uint64_t Config::*member : dram_preset_members()) EXPECT_EQ(config.*member, none.*member);
}

TEST(DramConfig, ARowHoldsABurst) {
  try {
    parse_config(R"({"dram": {"row_bytes": 64, "bus_bits": 128}})", "hw.json", nullptr);
    FAIL();
  } catch (const ConfigError &error) {
    EXPECT_EQ(std::string(error.what()),
              "hw.json: dram.row_bytes: 64 is not allowed (at least a burst, dram.bus_bits / 8 * dram.burst_length bytes)");
  }
}

} // namespace
} // namespace avocet::model
