// SPDX-License-Identifier: Apache-2.0
// One channel of the memory: its banks, its pins, its queues. No events: an access is served when it arrives, and the answer is when
// it will be done, from what the accesses before it left in banks and pins. Reads are served in order of arrival (a row stays open
// until another one is wanted); writes are posted, and go out together when their queue is nearly full or the pins are free
// for long enough, so that the pins turn round seldom. All banks are refreshed at once. Times are ticks (dram_timing.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "avocet_model.h"
#include "dram_timing.hpp"
#include "waves.hpp"

namespace avocet::model {

class DramChannel {
public:
  // Neighbouring bursts of one row number: burst i lies in bank group (first + i) % groups.
  struct Piece {
    uint64_t bank; // in its group
    uint64_t row;
    uint64_t first;
    uint64_t bursts;
  };

  DramChannel(const DramTiming &timing, uint64_t first_refresh, avocet_model_dram_counters &counters);

  // When the last burst has come, for a piece that reaches the channel at `at`.
  uint64_t read(const Piece &piece, uint64_t at);
  // When the queue has taken the piece.
  uint64_t write(const Piece &piece, uint64_t at);

  struct PinWaves {
    Wave busy, writing;
  };
  void show(const PinWaves &pins) { pins_ = pins; }
  // Nothing reaches the channel before `at` any more: the tick before which it is known what the pins do.
  uint64_t settle(uint64_t at);

private:
  static constexpr uint64_t kClosed = UINT64_MAX;

  struct Bank {
    uint64_t row = kClosed;
    uint64_t activate_from = 0, column_from = 0, precharge_from = 0;
  };
  struct Queued {
    uint64_t bursts, end;
  };
  struct Posted {
    Piece piece;
    uint64_t arrival;
  };

  uint64_t serve(const Piece &piece, uint64_t at, bool write);
  uint64_t turn_round(bool write, uint64_t first_group);
  void activate(Bank &bank, uint64_t group, uint64_t row, uint64_t at);
  void refresh_until(uint64_t now);
  void refresh_at(uint64_t due);
  void drain_oldest(uint64_t at);
  void drain_in_gap(uint64_t until);
  void show_pins(uint64_t from, uint64_t to, bool write);

  const DramTiming &timing_;
  avocet_model_dram_counters &counters_;
  std::vector<Bank> banks_;               // [group][bank]
  std::vector<uint64_t> last_activate_;   // of a group
  std::vector<uint64_t> next_column_;     // of a group: data not before
  std::array<uint64_t, 4> activates_{};   // the last four, oldest at next_activate_
  size_t next_activate_ = 0;
  uint64_t activate_from_ = 0;            // tRRD_S behind the last one
  uint64_t pins_free_ = 0;
  uint64_t write_end_ = 0;                // of the last data written
  uint64_t write_group_ = 0;
  uint64_t next_refresh_;
  bool writing_ = false;
  std::deque<Queued> reads_;              // in the read queue
  uint64_t reads_queued_ = 0;
  std::deque<Posted> posted_;             // in the write queue, not served
  uint64_t posted_bursts_ = 0;
  std::deque<Queued> leaving_;            // in the write queue, being served
  uint64_t leaving_bursts_ = 0;
  PinWaves pins_;
  uint64_t shown_until_ = 0; // cycles of the pins' work
};

} // namespace avocet::model
