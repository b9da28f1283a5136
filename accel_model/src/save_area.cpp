// SPDX-License-Identifier: Apache-2.0
// A preempted job to memory and back.
#include "save_area.hpp"

#include <algorithm>

#include "avocet_stream.h"
#include "saturating.hpp"

namespace avocet::model {

namespace {

uint64_t round_up(uint64_t bytes) { return divide_up(bytes, 8) * 8; }

struct Extent {
  uint64_t begin = UINT64_MAX, end = 0;
  void add(uint64_t from, uint64_t count) {
    begin = std::min(begin, from);
    end = std::max(end, from + count);
  }
  void close() {
    if (begin > end) begin = end = 0;
  }
};

// What the completed commands wrote.
void find_written(const JobState &job, Extent *sram, Extent *acc) {
  std::array<uint32_t, AVOCET_UNIT_COUNT> met{};
  uint32_t left = job.progress();
  for (uint32_t at = 0; left > 0; at += avocet_command_length(job.words(at)[0])) {
    const uint32_t *words = job.words(at);
    const uint32_t unit = avocet_command_unit(words);
    if (unit >= AVOCET_UNIT_COUNT) break; // END
    if (avocet_command_opcode(words[0]) == AVOCET_OP_WAIT || met[unit]++ >= job.completed(unit)) continue;
    --left;
    avocet_access accesses[AVOCET_ACCESSES_MAX];
    const uint32_t count = avocet_command_accesses(words, accesses);
    for (uint32_t i = 0; i < count; ++i) {
      if (!(accesses[i].mode & AVOCET_MODE_WRITE)) continue;
      if (accesses[i].space == AVOCET_SPACE_SRAM) sram->add(accesses[i].address, accesses[i].extent);
      if (accesses[i].space == AVOCET_SPACE_ACC) acc->add(accesses[i].address, accesses[i].extent);
    }
  }
  sram->close();
  acc->close();
}

// The parts behind the head, in their order.
struct Part {
  void *data;
  uint64_t bytes, room;
};

std::array<Part, 3> parts_of(Blocks &blocks, const avocet_save &head) {
  const uint64_t columns = blocks.config.array_columns, rows = head.acc_end - head.acc_begin;
  const uint64_t sram = head.sram_end - head.sram_begin;
  return {{{blocks.sram.data() + head.sram_begin, sram, round_up(sram)},
           {blocks.accumulators.data() + head.acc_begin * columns, rows * columns * 4, round_up(rows * columns * 4)},
           {blocks.accumulated.data() + head.acc_begin, rows * 8, rows * 8}}};
}

bool legal(const avocet_save &head, const JobState &job, const Config &config) {
  return head.magic == AVOCET_SAVE_MAGIC && head.job_id == job.id() && head.sram_begin <= head.sram_end &&
         head.sram_end <= config.sram_bytes() && head.acc_begin <= head.acc_end && head.acc_end <= config.accumulator_rows;
}

} // namespace

uint64_t save_area_bytes(const Config &config) {
  const uint64_t rows = config.accumulator_rows;
  return sizeof(avocet_save) + round_up(config.sram_bytes()) + round_up(rows * config.array_columns * 4) + rows * 8;
}

bool save_job(Blocks &blocks, uint64_t area, const Stop &stop, Fault *fault, uint64_t *bytes) {
  const JobState &job = blocks.job;
  Extent sram, acc;
  find_written(job, &sram, &acc);
  avocet_save head{};
  head.magic = AVOCET_SAVE_MAGIC;
  head.position = stop.position;
  head.job_id = job.id();
  head.active_cycles = stop.active_cycles;
  head.sram_begin = static_cast<uint32_t>(sram.begin);
  head.sram_end = static_cast<uint32_t>(sram.end);
  head.acc_begin = static_cast<uint32_t>(acc.begin);
  head.acc_end = static_cast<uint32_t>(acc.end);
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit) head.completed[unit] = job.completed(unit);
  uint64_t at = area + sizeof head;
  bool written = true;
  for (const Part &part : parts_of(blocks, head)) {
    if (part.bytes > 0) written = written && blocks.bus.write(at, part.data, part.bytes);
    at += part.room;
  }
  written = written && blocks.bus.write(area, &head, sizeof head);
  if (!written) *fault = {AVOCET_STATUS_BUS_ERROR, stop.position, area};
  *bytes = at - area;
  return written;
}

bool restore_job(Blocks &blocks, uint64_t area, Fault *fault, uint64_t *bytes) {
  avocet_save head{};
  if (!blocks.bus.read(area, &head, sizeof head)) {
    *fault = {AVOCET_STATUS_BUS_ERROR, 0, area};
    return false;
  }
  if (!legal(head, blocks.job, blocks.config)) {
    *fault = {AVOCET_STATUS_ILLEGAL_FIELD, 0, area};
    return false;
  }
  uint64_t at = area + sizeof head;
  bool read = true;
  for (const Part &part : parts_of(blocks, head)) {
    if (part.bytes > 0) read = read && blocks.bus.read(at, part.data, part.bytes);
    at += part.room;
  }
  if (!read) *fault = {AVOCET_STATUS_BUS_ERROR, 0, area};
  *bytes = at - area;
  blocks.job.restore(head.completed, head.active_cycles);
  return read;
}

} // namespace avocet::model
