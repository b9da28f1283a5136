// SPDX-License-Identifier: Apache-2.0
// Command streams: the checker reads no word behind the end and is consistent; the device's sequencer ends every job, whatever the
// words, with a status of the contract, and accepts what the checker accepts. Inputs that are not words become commands of the table.
#include <cstdlib>
#include <memory>

#include "../accel_model/fake_host.hpp"
#include "avocet/isa/assemble.hpp"
#include "avocet/isa/disassemble.hpp"
#include "avocet_stream.h"
#include "estimate_cycles.hpp"
#include "input_reader.hpp"
#include "random_graph.hpp"

using avocet::fuzz::InputReader;
using avocet::fuzz::require;
using avocet::test::FakeHost;

namespace {

constexpr uint64_t kRegionBytes = 32768;
constexpr int kRegions = 3;  // the others are absent
constexpr uint64_t kCyclesMax = 1 << 20;
constexpr uint64_t kRefusedCycles = 1 << 26;  // a command that would take more is not begun

/// Words as they are, or headers of real commands with the input's bits in their fields.
std::vector<uint32_t> stream_of(InputReader& in) {
  if (in.below(2) == 0) return in.words(256);
  std::vector<uint32_t> words;
  while (!in.empty() && words.size() < 256) {
    const avocet_command_info& row = avocet_commands[in.below(AVOCET_COMMAND_COUNT)];
    words.push_back(avocet_command_header(row.opcode, row.words, in.take<uint8_t>()));
    const uint8_t width = in.take<uint8_t>();  // small values are what commands are made of
    for (uint32_t w = 1; w < row.words; ++w)
      words.push_back((in.take<uint32_t>() >> (width % 32)) & row.defined_bits[w]);
  }
  words.push_back(avocet_command_header(AVOCET_OP_END, AVOCET_END_WORDS, 0));
  return words;
}

uint32_t checked(const std::vector<uint32_t>& words) {
  static const uint64_t region_bytes[AVOCET_REGIONS] = {kRegionBytes, kRegionBytes, kRegionBytes};
  avocet_limits limits{};
  limits.array_rows = FakeHost::read(AVOCET_REG_ARRAY_ROWS);
  limits.array_cols = FakeHost::read(AVOCET_REG_ARRAY_COLS);
  limits.acc_rows = FakeHost::read(AVOCET_REG_ACC_ROWS);
  limits.sram_bytes = FakeHost::read(AVOCET_REG_SRAM_BYTES);
  limits.dma_channels = FakeHost::read(AVOCET_REG_DMA_CHANNELS);
  limits.region_bytes = region_bytes;
  avocet_stream_report report{};
  avocet_stream_check(words.data(), words.size(), &limits, &report);
  require(report.position <= words.size() && report.next <= words.size(), "positions inside the stream");
  require((report.status == AVOCET_STATUS_OK) == (report.reason == nullptr), "a refusal has a reason");
  require(report.status != AVOCET_STATUS_OK || (report.ended && report.next == words.size()), "an accepted stream ends with END");
  return report.status;
}

/// The device computes what an accepted stream says, which may be hours of products: those would keep others from being tried.
bool is_short(const std::vector<uint32_t>& words) {
  static const avocet::compiler::DeviceConfig device = avocet::compiler::test::avocet_256();
  std::vector<avocet::compiler::CommandSpan> commands;
  avocet::compiler::estimate_cycles(words, device, &commands);
  uint64_t cycles = 0;
  for (const avocet::compiler::CommandSpan& command : commands) {
    const uint64_t own = command.last - command.first;
    if (own <= kRefusedCycles) cycles += own;
  }
  return cycles <= kCyclesMax;
}

std::unique_ptr<FakeHost> power_on() {
  auto host = std::make_unique<FakeHost>();
  const std::string error = host->open(nullptr, "functional");
  if (!error.empty()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    std::abort();
  }
  host->boot();
  for (int i = 0; i < kRegions; ++i) host->region(static_cast<uint32_t>(i), kRegionBytes);
  return host;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* const host = new std::unique_ptr<FakeHost>(power_on());
  InputReader in(data, size);
  const std::vector<uint32_t> words = stream_of(in);
  if (words.empty()) return 0;
  const uint32_t expected = checked(words);
  if (expected == AVOCET_STATUS_OK && !is_short(words)) return -1;  // not for the corpus either
  const uint32_t status = (*host)->run(words).completion.status;
  if (expected == AVOCET_STATUS_OK)
    require(status == AVOCET_STATUS_OK || status == AVOCET_STATUS_HANG, "an accepted stream runs, or is too long for a command");
  else
    require(status == expected, "the device refuses as the checker does");
  if (status == AVOCET_STATUS_HANG) {  // its context is closed: a power cycle
    host->reset();
    *host = power_on();
  }
  return 0;
}
