// SPDX-License-Identifier: Apache-2.0
// Banks, pins and queues of one memory channel.
#include "dram_channel.hpp"

#include <algorithm>

namespace avocet::model {

DramChannel::DramChannel(const DramTiming &timing, uint64_t first_refresh, avocet_model_dram_counters &counters)
    : timing_(timing), counters_(counters), banks_(timing.groups * timing.banks), last_activate_(timing.groups),
      next_column_(timing.groups), next_refresh_(first_refresh) {}

namespace {

// Lets go of what has ended by `at`, and then of what is in the way of `bursts` more; returns when there is room.
template <typename Queue>
uint64_t make_room(Queue &queue, uint64_t *queued, uint64_t others, uint64_t bursts, uint64_t capacity, uint64_t at) {
  while (!queue.empty() && (queue.front().end <= at || others + *queued + bursts > capacity)) {
    at = std::max(at, queue.front().end);
    *queued -= queue.front().bursts;
    queue.pop_front();
  }
  return at;
}

} // namespace

uint64_t DramChannel::read(const Piece &piece, uint64_t at) {
  at = make_room(reads_, &reads_queued_, 0, piece.bursts, timing_.queue_bursts, at);
  drain_in_gap(at);
  const uint64_t end = serve(piece, at, false);
  reads_.push_back({piece.bursts, end});
  reads_queued_ += piece.bursts;
  return end;
}

uint64_t DramChannel::write(const Piece &piece, uint64_t at) {
  drain_in_gap(at);
  if (posted_bursts_ + piece.bursts > timing_.queue_bursts * 3 / 4)
    while (!posted_.empty()) drain_oldest(at);
  at = make_room(leaving_, &leaving_bursts_, posted_bursts_, piece.bursts, timing_.queue_bursts, at);
  posted_.push_back({piece, at});
  posted_bursts_ += piece.bursts;
  return at;
}

void DramChannel::drain_oldest(uint64_t at) {
  const Posted oldest = posted_.front();
  posted_.pop_front();
  posted_bursts_ -= oldest.piece.bursts;
  leaving_.push_back({oldest.piece.bursts, serve(oldest.piece, at, true)});
  leaving_bursts_ += oldest.piece.bursts;
}

// Posted writes for which nobody has to wait: they and the way back to reading end before `until`.
void DramChannel::drain_in_gap(uint64_t until) {
  while (!posted_.empty()) {
    const Posted &oldest = posted_.front();
    const uint64_t from = std::max(pins_free_, oldest.arrival);
    const uint64_t needed = timing_.rp + timing_.rcd + timing_.cwl + oldest.piece.bursts * timing_.burst + timing_.wtr_l + timing_.cl;
    if (from + needed > until) return;
    drain_oldest(from);
  }
}

// Posted writes would be served as they are without this call.
uint64_t DramChannel::settle(uint64_t at) {
  drain_in_gap(at);
  return posted_.empty() ? at : std::min(at, std::max(pins_free_, posted_.front().arrival));
}

// Cycles in which the pins are in use for a part of the time count as whole ones.
void DramChannel::show_pins(uint64_t from, uint64_t to, bool write) {
  const uint64_t first = std::max(from / kTicksPerCycle, shown_until_);
  pins_.busy.set_at(first, true);
  pins_.writing.set_at(first, write);
  shown_until_ = std::max((to + kTicksPerCycle - 1) / kTicksPerCycle, first);
  pins_.busy.set_at(shown_until_, false);
}

uint64_t DramChannel::serve(const Piece &piece, uint64_t at, bool write) {
  refresh_until(std::max(at, pins_free_));
  const uint64_t command_from = std::max(at, turn_round(write, piece.first));
  const uint64_t latency = write ? timing_.cwl : timing_.cl;
  for (uint64_t i = 0; i < piece.bursts; ++i) {
    const uint64_t group = (piece.first + i) % timing_.groups;
    Bank &bank = banks_[group * timing_.banks + piece.bank];
    if (bank.row == piece.row)
      ++counters_.row_hits;
    else
      activate(bank, group, piece.row, at);
    const uint64_t data = std::max({std::max(command_from, bank.column_from) + latency, pins_free_, next_column_[group]});
    pins_free_ = data + timing_.burst;
    if (pins_.busy) show_pins(data, pins_free_, write);
    next_column_[group] = data + timing_.ccd_l;
    bank.precharge_from = std::max(bank.precharge_from, write ? pins_free_ + timing_.wr : data - timing_.cl + timing_.rtp);
    if (write) write_group_ = group;
  }
  if (write) write_end_ = pins_free_;
  counters_.pin_millicycles += piece.bursts * timing_.burst;
  return pins_free_;
}

// The first column command is not before the result.
uint64_t DramChannel::turn_round(bool write, uint64_t first_group) {
  if (write == writing_) return 0;
  writing_ = write;
  ++counters_.turnarounds;
  if (!write) return write_end_ + (first_group % timing_.groups == write_group_ ? timing_.wtr_l : timing_.wtr_s);
  pins_free_ += 2 * timing_.clock; // the pins change hands
  return 0;
}

void DramChannel::activate(Bank &bank, uint64_t group, uint64_t row, uint64_t at) {
  uint64_t from = std::max({at, bank.activate_from, activate_from_, activates_[next_activate_]});
  if (last_activate_[group] != 0) from = std::max(from, last_activate_[group] + timing_.rrd_l);
  if (bank.row == kClosed) {
    ++counters_.row_misses;
  } else {
    ++counters_.row_conflicts;
    from = std::max(from, std::max(at, bank.precharge_from) + timing_.rp);
  }
  bank.row = row;
  bank.column_from = from + timing_.rcd;
  bank.precharge_from = from + timing_.ras;
  last_activate_[group] = from;
  activate_from_ = from + timing_.rrd_s;
  activates_[next_activate_] = from + timing_.faw;
  next_activate_ = (next_activate_ + 1) % activates_.size();
}

void DramChannel::refresh_until(uint64_t now) {
  if (timing_.refi == 0 || next_refresh_ > now) return;
  // All but the last fell into idle time or were done at once.
  const uint64_t before = (now - next_refresh_) / timing_.refi;
  counters_.refreshes += before + 1;
  refresh_at(next_refresh_ + before * timing_.refi);
  next_refresh_ += (before + 1) * timing_.refi;
}

void DramChannel::refresh_at(uint64_t due) {
  uint64_t from = due;
  bool any_open = false;
  for (const Bank &bank : banks_) {
    if (bank.row == kClosed) continue;
    any_open = true;
    from = std::max(from, bank.precharge_from);
  }
  const uint64_t end = from + (any_open ? timing_.rp : 0) + timing_.rfc;
  for (Bank &bank : banks_) {
    bank.row = kClosed;
    bank.activate_from = end;
  }
}

} // namespace avocet::model
