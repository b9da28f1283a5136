// SPDX-License-Identifier: Apache-2.0
#include "hazards.hpp"

#include <algorithm>
#include <avocet/compiler/program.hpp>

namespace avocet::compiler {
namespace {

constexpr uint32_t kRangesMax = 32;

/// Other cores write what this one reads, and the other way round: whatever is in DRAM changes at a BARRIER.
uint32_t meeting_accesses(avocet_access* accesses) {
  uint32_t count = 0;
  for (uint8_t region : {uint8_t{kScratch}, uint8_t{kOutputs}}) {
    avocet_access& access = accesses[count++] = {};
    access.space = AVOCET_SPACE_DRAM;
    access.mode = AVOCET_MODE_WRITE;
    access.region = region;
    access.extent = uint64_t{1} << 40;  // beyond every region
  }
  return count;
}

}  // namespace

std::vector<Hazards::Wait> Hazards::issue(const uint32_t* words) {
  avocet_access accesses[AVOCET_ACCESSES_MAX];
  uint32_t count = avocet_command_accesses(words, accesses);
  if (avocet_command_opcode(words[0]) == AVOCET_OP_BARRIER) count = meeting_accesses(accesses);
  // What no command writes has no hazards.
  const auto end = std::remove_if(accesses, accesses + count, [](const avocet_access& access) {
    return access.space == AVOCET_SPACE_DRAM && (access.region == kConstants || access.region == kInputs);
  });
  count = static_cast<uint32_t>(end - accesses);
  const uint32_t unit = avocet_command_unit(words);
  Clock needed{};
  for (uint32_t i = 0; i < count; ++i)
    collect(space(accesses[i]), accesses[i].address, accesses[i].address + accesses[i].extent,
            (accesses[i].mode & AVOCET_MODE_WRITE) != 0, &needed);

  std::vector<Wait> waits;
  Clock& known = known_[unit];
  needed[unit] = 0;  // a unit runs its own commands in order
  const auto learn = [&](uint32_t producer) {
    known[producer] = std::max(known[producer], needed[producer]);
    const Clock& then = issued_[producer][needed[producer] - 1];
    for (uint32_t u = 0; u < AVOCET_UNIT_COUNT; ++u) known[u] = std::max(known[u], then[u]);
  };
  // What one producer knew may spare the wait for another: learn everything first, then keep what was not implied.
  for (uint32_t producer = 0; producer < AVOCET_UNIT_COUNT; ++producer) {
    if (needed[producer] <= known[producer]) continue;
    bool implied = false;
    for (uint32_t other = 0; other < AVOCET_UNIT_COUNT && !implied; ++other) {
      if (other == producer || needed[other] <= known[other]) continue;
      implied = issued_[other][needed[other] - 1][producer] >= needed[producer];
    }
    if (!implied) waits.push_back({producer, needed[producer]});
  }
  for (const Wait& wait : waits) learn(wait.producer);

  issued_[unit].push_back(known);
  const auto number = static_cast<uint32_t>(issued_[unit].size());
  for (uint32_t i = 0; i < count; ++i)
    note(space(accesses[i]), accesses[i].address, accesses[i].address + accesses[i].extent,
         (accesses[i].mode & AVOCET_MODE_WRITE) != 0, unit, number);
  return waits;
}

void Hazards::split(Space& space, uint64_t at) {
  auto next = space.upper_bound(at);
  if (next == space.begin()) return;
  const auto range = std::prev(next);
  if (range->first == at || range->second.end <= at) return;
  space.emplace_hint(next, at, range->second);
  range->second.end = at;
}

void Hazards::collect(const Space& space, uint64_t begin, uint64_t end, bool write, Clock* needed) {
  auto range = space.upper_bound(begin);
  if (range != space.begin() && std::prev(range)->second.end > begin) --range;
  for (; range != space.end() && range->first < end; ++range) {
    const Range& r = range->second;
    if (r.writer != AVOCET_UNIT_COUNT) (*needed)[r.writer] = std::max((*needed)[r.writer], r.writer_count);
    if (!write) continue;
    for (uint32_t u = 0; u < AVOCET_UNIT_COUNT; ++u) (*needed)[u] = std::max((*needed)[u], r.readers[u]);
  }
}

void Hazards::note(Space& space, uint64_t begin, uint64_t end, bool write, uint32_t unit, uint32_t count) {
  split(space, begin);
  split(space, end);
  auto range = space.lower_bound(begin);
  if (write) {
    while (range != space.end() && range->first < end) range = space.erase(range);
    Range written{end, unit, count, {}};
    space.emplace_hint(range, begin, written);
    return;
  }
  uint64_t at = begin;
  uint32_t ranges = 0;
  for (; at < end; ++ranges) {
    if (range == space.end() || range->first > at) {  // bytes that nothing has touched yet
      const uint64_t stop = range == space.end() ? end : std::min(end, range->first);
      range = space.emplace_hint(range, at, Range{stop, AVOCET_UNIT_COUNT, 0, {}});
    }
    range->second.readers[unit] = count;
    at = range->second.end;
    ++range;
  }
  if (ranges > kRangesMax) merge(space, begin, end);
}

/// Ranges that one command has read at once become one again, if one unit wrote them all: its latest write stands for
/// the others, which came before.
void Hazards::merge(Space& space, uint64_t begin, uint64_t end) {
  const auto first = space.lower_bound(begin), last = space.lower_bound(end);
  Range all = first->second;
  for (auto range = first; range != last; ++range) {
    const Range& r = range->second;
    if (r.writer != all.writer && r.writer != AVOCET_UNIT_COUNT && all.writer != AVOCET_UNIT_COUNT) return;
    if (all.writer == AVOCET_UNIT_COUNT) all.writer = r.writer;
    all.writer_count = std::max(all.writer_count, r.writer_count);
    for (uint32_t u = 0; u < AVOCET_UNIT_COUNT; ++u) all.readers[u] = std::max(all.readers[u], r.readers[u]);
  }
  all.end = end;
  space.erase(first, last);
  space.emplace(begin, all);
}

}  // namespace avocet::compiler
