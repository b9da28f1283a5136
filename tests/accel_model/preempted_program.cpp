// SPDX-License-Identifier: Apache-2.0
// See preempted_program.hpp.
#include "preempted_program.hpp"

#include <algorithm>
#include <stdexcept>

namespace avocet::test {

std::vector<uint32_t> scribble(const Hardware &hardware, uint32_t value) {
  StreamBuilder stream;
  avocet_cmd_dma_fill fill{};
  fill.value = value;
  fill.row_bytes = hardware.sram_bytes;
  fill.count0 = fill.count1 = 1;
  stream.add(fill);
  stream.wait_for_all(AVOCET_UNIT_MAC);
  avocet_cmd_matmul matmul{};
  matmul.weight_bytes = hardware.array_rows * hardware.array_columns;
  matmul.x_count = hardware.accumulator_rows;
  matmul.y_count = matmul.kx_count = matmul.ky_count = matmul.channels = 1;
  stream.add(matmul);
  return stream.finish();
}

PreemptedRun run_preempted(const char *config, const std::string &engine, uint32_t seed, uint32_t steps, uint32_t every,
                           uint32_t count, uint32_t chain) {
  FakeHost host;
  PreemptedRun outcome;
  avocet_job high{};
  uint32_t ended = 0, pushed = 0;
  host.give_save_areas = host.keep_pieces = true;
  host.on_slice = [&](const avocet_model_slice &slice) {
    if (slice.track == AVOCET_TRACK_SEQUENCER && slice.job_id >= 1000 && chain > 0) {
      --chain;
      high.job_id = 1000 + pushed++;
      ++count;
      host.push(AVOCET_PRIORITY_HIGH, high);
    }
    if (slice.track >= AVOCET_UNIT_COUNT || slice.job_id != 1) return;
    outcome.longest_command = std::max(outcome.longest_command, slice.end_cycle - slice.start_cycle);
    if (++ended % every != 0 || pushed == count) return;
    high.job_id = 1000 + pushed++;
    host.push(AVOCET_PRIORITY_HIGH, high);
  };
  if (std::string error = host.open(config, engine.c_str()); !error.empty()) throw std::runtime_error(error);
  host.boot();
  outcome.save_area_bytes = FakeHost::read(AVOCET_REG_SAVE_AREA_BYTES);
  host.open_ring(AVOCET_PRIORITY_HIGH);
  ProgramRunner runner(host, seed);
  StreamBuilder stream = runner.random_stream(steps);
  high = host.describe(scribble(runner.hardware(), 0xA5), 0);
  host.submit(runner.finish(&stream), 5);
  while (outcome.job.job_id == 0) {
    JobResult result = host.wait();
    if (result.completion.job_id == 1) {
      outcome.job = result.completion;
      outcome.profile = result.profile;
    } else {
      outcome.high.push_back(result.completion);
    }
  }
  while (outcome.high.size() < pushed) outcome.high.push_back(host.wait().completion);
  outcome.right = runner.sram_matches() && runner.region_matches(ProgramRunner::kScratch);
  outcome.sram_checksum = runner.sram_checksum();
  outcome.pieces = host.pieces;
  return outcome;
}

} // namespace avocet::test
