// SPDX-License-Identifier: Apache-2.0
// Queue, WAITs, retirement and accounting shared by all units.
#include "unit.hpp"

#include <algorithm>

#include "avocet_isa_tables.h"

namespace avocet::model {

Unit::Unit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks)
    : sc_module(name), Process(blocks.time, blocks.reset), blocks_(blocks), id_(id) {
  SC_HAS_PROCESS(Unit);
  SC_THREAD(run);
  SC_METHOD(retire_due);
  sensitive << retire_event_;
  dont_initialize();
  blocks.ledger.add_unit(id);
}

void Unit::show(Waves &waves) {
  waves_.declare(waves, name());
  waves_.layer.set_at(0, Waves::kUnknown);
  blocks_.ledger.of(id_).show(waves_);
}

// While commands are under way nobody knows yet what these cycles are.
uint64_t Unit::settle() {
  CycleAccount &account = blocks_.ledger.of(id_);
  if (!retiring_.empty() || (active_ && !waits_for_token_)) return account.settled();
  if (waits_for_token_) note_wait();
  return account.settle(time_.now());
}

void Unit::push(uint32_t position) {
  queue_.push_back(position);
  waves_.queue.set(queue_.size());
  wake();
}

void Unit::run() {
  for (;;) {
    begin();
    queue_.clear();
    retiring_.clear();
    retire_event_.cancel();
    active_ = waits_for_token_ = ignores_reset_ = false;
    last_end_ = 0;
    waves_.queue.set(0u);
    restart();
    try {
      for (;;) {
        wait_until([this] { return !queue_.empty(); });
        serve_head();
      }
    } catch (const ResetSignal &) {
    }
  }
}

void Unit::serve_head() {
  uint32_t position = queue_.front();
  queue_.pop_front();
  waves_.queue.set(queue_.size());
  active_ = true;
  changed_();
  const uint32_t *words = blocks_.job.words(position);
  uint32_t opcode = avocet_command_opcode(words[0]);
  if (opcode == AVOCET_OP_WAIT)
    wait_for(words, avocet_command_tag(words[0]));
  else if (!blocks_.job.stopping())
    run_command({position, opcode, avocet_command_tag(words[0]), words});
  active_ = false;
  changed_();
}

// Without timing a command still takes a cycle: the host gets its turn between cycles.
void Unit::run_command(const Command &command) {
  if (!blocks_.faults.armed() || !injected(command)) execute(command);
  if (!blocks_.timed) wait_cycles(1);
}

void Unit::wait_for(const uint32_t *words, uint32_t tag) {
  avocet_cmd_wait wait;
  avocet_wait_decode(words, &wait);
  wait_for_token([&] { return blocks_.job.completed(wait.producer) >= wait.count; }, tag,
                 wait.producer >= AVOCET_UNIT_DMA0 ? AVOCET_CYCLE_DMA : AVOCET_CYCLE_TOKEN);
}

void Unit::note_wait() {
  if (wait_.since >= time_.now()) return;
  blocks_.ledger.of(id_).waited(wait_.since, time_.now(), wait_.tag, wait_.kind);
  wait_.since = time_.now();
}

uint64_t Unit::take_cycles(uint64_t cycles, SramPorts::User user, uint64_t words) {
  if (!blocks_.ports.banked()) {
    wait_cycles(cycles);
    return 0;
  }
  const uint64_t start = time_.now();
  SramPorts::Use use(blocks_.ports, user, words);
  for (uint64_t left = cycles * SramPorts::kFullRate; left > 0;) {
    const uint64_t since = time_.now(), rate = use.rate();
    wait_cycles_or(std::min(divide_up(left, rate), use.cycles_until_change()), use.changed());
    left -= std::min(left, (time_.now() - since) * rate);
  }
  return time_.now() - start - cycles;
}

void Unit::retire_at(const Command &command, uint64_t start, uint64_t end, std::function<void()> effect, CycleParts parts) {
  enqueue({command, start, end, std::move(effect), parts});
}

void Unit::effect_at(const Command &command, uint64_t end, std::function<void()> effect) {
  enqueue({command, end, end, std::move(effect), {}, false});
}

void Unit::enqueue(Retiring entry) {
  if (!retiring_.empty()) entry.end = std::max(entry.end, retiring_.back().end);
  retiring_.push_back(std::move(entry));
  if (!blocks_.timed)
    retire_due();
  else if (retiring_.size() == 1)
    retire_event_.notify(Timebase::span(retiring_.back().end - time_.now()));
}

void Unit::launch(const Command &command, uint64_t start) { retiring_.push_back({command, start, kUnknown, nullptr}); }

void Unit::land(std::function<void()> effect, CycleParts parts) {
  for (Retiring &entry : retiring_) {
    if (entry.end != kUnknown) continue;
    entry.end = time_.now();
    entry.effect = std::move(effect);
    entry.parts = parts;
    break;
  }
  retire_due();
}

void Unit::retire_due() {
  bool any = false;
  while (!retiring_.empty() && retiring_.front().end <= time_.now()) {
    Retiring entry = std::move(retiring_.front());
    retiring_.pop_front();
    retire(entry);
    any = true;
  }
  if (!retiring_.empty() && retiring_.front().end != kUnknown)
    retire_event_.notify(Timebase::span(retiring_.front().end - time_.now()));
  if (any) changed_();
}

void Unit::retire(const Retiring &entry) {
  if (blocks_.job.fault().status != AVOCET_STATUS_OK && blocks_.job.fault().position == entry.command.position) return;
  if (entry.effect) entry.effect();
  if (!entry.whole) return;
  account(entry);
  blocks_.job.complete(id_);
  show_completed();
  blocks_.registers.set(AVOCET_REG_NPU_PROGRESS, blocks_.job.progress());
}

void Unit::account(const Retiring &entry) {
  uint64_t busy_from = std::max(entry.start, std::min(last_end_, entry.end));
  uint64_t busy = entry.end - busy_from;
  last_end_ = entry.end;
  avocet_profile &counters = blocks_.job.counters(entry.command.tag);
  if (id_ == AVOCET_UNIT_MAC) counters.mac_cycles += busy;
  if (id_ == AVOCET_UNIT_REQUANT) counters.requant_cycles += busy;
  if (id_ == AVOCET_UNIT_VECTOR) counters.vector_cycles += busy;
  blocks_.ledger.of(id_).worked(entry.start, entry.end, entry.command.tag, entry.parts);
  blocks_.job.note_interval(entry.command.tag, entry.start, entry.end);
  blocks_.registers.publish_cycle(time_.now());
  if (waves_.command) waves_.ran(busy_from, entry.end, avocet_command_by_opcode[entry.command.opcode]->name, entry.command.tag);
  if (!blocks_.bus.has_timeline()) return;
  avocet_model_slice slice{};
  slice.track = id_;
  slice.core = blocks_.core;
  slice.context = blocks_.job.space().context;
  slice.job_id = blocks_.job.id();
  slice.start_cycle = busy_from;
  slice.end_cycle = entry.end;
  slice.opcode = entry.command.opcode;
  slice.tag = entry.command.tag;
  blocks_.bus.slice(slice);
}

void Unit::fail(const Command &command, uint32_t status, uint64_t address) {
  blocks_.job.fail({status, command.position, address});
  changed_();
}

bool Unit::too_long(const Command &command, uint64_t cycles) {
  if (cycles <= kCommandCyclesMax) return false;
  fail(command, AVOCET_STATUS_HANG, 0);
  return true;
}

} // namespace avocet::model
