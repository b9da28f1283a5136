// SPDX-License-Identifier: Apache-2.0
// A race detector for command streams: every byte remembers who wrote it last and who has read it since; clocks follow
// from the WAITs alone.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "stream_interpreter.hpp"

namespace avocet::compiler::test {
namespace {

using Clock = std::array<uint32_t, AVOCET_UNIT_COUNT>;

struct Cell {
  uint8_t writer = AVOCET_UNIT_COUNT;
  uint32_t written = 0;
  std::array<uint32_t, AVOCET_UNIT_COUNT> read{};
};

class RaceFinder {
 public:
  explicit RaceFinder(const Program& program) : program_(program) {}

  int64_t run() {
    for (size_t at = 0; at < program_.stream.size(); at += avocet_command_length(program_.stream[at])) {
      const uint32_t* words = program_.stream.data() + at;
      const uint32_t opcode = avocet_command_opcode(words[0]);
      if (opcode == AVOCET_OP_END)
        forget();  // what follows is another core's
      else if (opcode == AVOCET_OP_WAIT)
        wait(words);
      else if (!command(words))
        return static_cast<int64_t>(at);
    }
    return -1;
  }

 private:
  void forget() {
    known_ = {};
    for (auto& numbers : begun_) numbers.clear();
    spaces_.clear();
    shared_ = {};
    meeting_unit_ = meeting_ = 0;
  }

  /// Before a BARRIER all that the core does to shared memory is over; behind it nothing has begun.
  bool meet(uint32_t unit, uint32_t number) {
    for (uint32_t u = 0; u < AVOCET_UNIT_COUNT; ++u)
      if (u != unit && known_[unit][u] < shared_[u]) return false;
    meeting_unit_ = unit;
    meeting_ = number;
    return true;
  }
  bool share(uint32_t unit, uint32_t number) {
    shared_[unit] = number;
    return unit == meeting_unit_ || known_[unit][meeting_unit_] >= meeting_;
  }

  void wait(const uint32_t* words) {
    avocet_cmd_wait c;
    avocet_wait_decode(words, &c);
    Clock& known = known_[c.unit];
    known[c.producer] = std::max(known[c.producer], c.count);
    const Clock& then = begun_[c.producer].at(c.count - 1);
    for (size_t u = 0; u < known.size(); ++u) known[u] = std::max(known[u], then[u]);
  }

  bool command(const uint32_t* words) {
    const uint32_t unit = avocet_command_unit(words);
    begun_[unit].push_back(known_[unit]);
    const auto number = static_cast<uint32_t>(begun_[unit].size());
    const avocet_command_info& row = *avocet_command_by_opcode[avocet_command_opcode(words[0])];
    if (row.opcode == AVOCET_OP_BARRIER) return meet(unit, number);
    avocet_access hulls[AVOCET_ACCESSES_MAX];
    avocet_command_accesses(words, hulls);
    for (uint32_t i = 0; i < row.access_count; ++i)
      if (!access(row, row.accesses[i], hulls[i], words, unit, number)) return false;
    return true;
  }

  bool access(const avocet_command_info& row, const avocet_access_info& info, const avocet_access& hull,
              const uint32_t* words, uint32_t unit, uint32_t number) {
    const auto value = [&](const avocet_term& term) {
      uint64_t product = term.factor;
      for (int8_t field : term.field)
        if (field >= 0) product *= static_cast<uint64_t>(avocet_field_value(&row.fields[field], words));
      return product;
    };
    uint64_t counts[4] = {1, 1, 1, 1}, strides[4] = {};
    for (uint32_t d = 0; d < info.dimension_count; ++d) {
      counts[d] = value(info.dimensions[d].count);
      strides[d] = value(info.dimensions[d].stride);
    }
    const bool is_shared = hull.space == AVOCET_SPACE_DRAM && (hull.region == kScratch || hull.region == kOutputs);
    if (is_shared && !share(unit, number)) return false;
    const bool single = info.single_field >= 0 && avocet_field_value(&row.fields[info.single_field], words) != 0;
    const uint64_t bytes = single ? 1 : value(info.bytes);
    auto& cells = spaces_[hull.space == AVOCET_SPACE_DRAM ? 2 + hull.region : hull.space == AVOCET_SPACE_ACC ? 1 : 0];
    for (uint64_t l = 0; l < counts[3]; ++l)
      for (uint64_t k = 0; k < counts[2]; ++k)
        for (uint64_t j = 0; j < counts[1]; ++j)
          for (uint64_t i = 0; i < counts[0]; ++i) {
            const uint64_t first = hull.address + i * strides[0] + j * strides[1] + k * strides[2] + l * strides[3];
            if (first + bytes > cells.size()) cells.resize(first + bytes);
            for (uint64_t b = 0; b < bytes; ++b)
              if (!touch(cells[first + b], info.mode, unit, number)) return false;
          }
    return true;
  }

  bool touch(Cell& cell, uint8_t mode, uint32_t unit, uint32_t number) const {
    const Clock& known = known_[unit];
    if (cell.writer != AVOCET_UNIT_COUNT && cell.writer != unit && known[cell.writer] < cell.written) return false;
    if (!(mode & AVOCET_MODE_WRITE)) {
      cell.read[unit] = number;
      return true;
    }
    for (uint32_t u = 0; u < AVOCET_UNIT_COUNT; ++u)
      if (u != unit && known[u] < cell.read[u]) return false;
    cell.writer = static_cast<uint8_t>(unit);
    cell.written = number;
    cell.read = {};
    return true;
  }

  const Program& program_;
  std::array<Clock, AVOCET_UNIT_COUNT> known_{};
  Clock shared_{};  // last command of each unit that touched memory which other cores may use
  uint32_t meeting_unit_ = 0, meeting_ = 0;  // the last BARRIER
  std::array<std::vector<Clock>, AVOCET_UNIT_COUNT> begun_;
  std::unordered_map<uint32_t, std::vector<Cell>> spaces_;
};

}  // namespace

int64_t find_race(const Program& program) { return RaceFinder(program).run(); }

}  // namespace avocet::compiler::test
