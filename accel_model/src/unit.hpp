// SPDX-License-Identifier: Apache-2.0
// A unit that executes commands in order from its own queue. WAITs are dealt with at the queue's head. A command leaves the head
// when the unit could begin the next one, and retires later, in order: its effects on memory happen then, so a stream
// that forgets a WAIT reads old data instead of being lucky.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "avocet_stream.h"
#include "blocks.hpp"
#include "saturating.hpp"

namespace avocet::model {

// A command that costs a unit more cycles than this is refused with HANG: it would block the device (and the host) for too long.
constexpr uint64_t kCommandCyclesMax = uint64_t{1} << 26;

class Unit : public sc_core::sc_module, public Process {
public:
  Unit(sc_core::sc_module_name name, uint32_t id, Blocks &blocks);

  // The sequencer's side. `position`: word index of the command in the job's stream.
  bool has_room() const { return queue_.size() < AVOCET_QUEUE_DEPTH; }
  void push(uint32_t position);
  bool drained() const { return queue_.empty() && !active_ && retiring_.empty(); }
  uint32_t id() const { return id_; }
  // Adds the unit's signals to the dump, and shows them from now on.
  virtual void show(Waves &waves);
  // Tells the account all that is known, and returns the cycle before which that is everything.
  uint64_t settle();
  void show_completed() const { waves_.completed.set(blocks_.job.completed(id_)); }
  bool waits_for_token() const { return waits_for_token_; }
  // An injected fault: a reset of the core alone changes nothing.
  bool ignores_reset() const { return ignores_reset_; }

  // Called when the queue gets room, the unit drains, completes a command or fails: whoever depends on it looks again.
  void on_change(std::function<void()> listener) { changed_ = std::move(listener); }

  struct Command {
    uint32_t position;
    uint32_t opcode;
    uint32_t tag;
    const uint32_t *words;
  };

protected:
  // In the unit's thread: takes the time until the next command may begin, and calls retire_at or fail.
  virtual void execute(const Command &command) = 0;
  // A DMA_LOAD reads wrong bits; asked once a command, in execute.
  std::optional<FaultStrike> take_wrong_read() { return std::exchange(wrong_read_, std::nullopt); }
  // A reset, or a new job: what the unit remembers of earlier commands is void.
  virtual void restart() {}

  // The command was in the unit for [start, end) and was alone in it from `start` on, or from the end of the one before it.
  // `effect` runs at `end`, or when the command before it ends if that is later. `parts`: of what these cycles consist.
  void retire_at(const Command &command, uint64_t start, uint64_t end, std::function<void()> effect, CycleParts parts = {});
  // A part of a command's effect, before its retire_at: runs at `end`, behind everything that was to retire before.
  void effect_at(const Command &command, uint64_t end, std::function<void()> effect);
  // retire_at in two steps, for an engine that learns the end only when it comes: `land` ends the oldest launched command now.
  void launch(const Command &command, uint64_t start);
  void land(std::function<void()> effect, CycleParts parts = {});
  void fail(const Command &command, uint32_t status, uint64_t address);
  // Takes the cycles of a command that moves `words` of the SRAM's words in each, and what it waits for their banks; returns
  // how many the latter were.
  uint64_t take_cycles(uint64_t cycles, SramPorts::User user, uint64_t words);
  // Waits for what another unit or core does; the job's end ends it, too.
  template <typename Predicate> void wait_for_token(Predicate done) { wait_for_token(done, {UINT64_MAX, 0, AVOCET_CYCLE_IDLE}); }
  // The same, accounted for as cycles of this kind.
  template <typename Predicate> void wait_for_token(Predicate done, uint32_t tag, avocet_model_cycle kind) {
    wait_for_token(done, {time_.now(), tag, kind});
  }
  bool all_retired() const { return retiring_.empty(); }
  // Fails the command when its cost is beyond kCommandCyclesMax.
  bool too_long(const Command &command, uint64_t cycles);

  Blocks &blocks_;
  UnitWaves waves_;

private:
  struct Wait {
    uint64_t since; // what is before is accounted for, or is not this wait's
    uint32_t tag;
    avocet_model_cycle kind;
  };
  template <typename Predicate> void wait_for_token(Predicate done, Wait wait) {
    wait_ = wait;
    waits_for_token_ = true;
    wait_until([&] { return done() || blocks_.job.stopping(); });
    waits_for_token_ = false;
    note_wait();
  }
  static constexpr uint64_t kUnknown = UINT64_MAX;

  struct Retiring {
    Command command;
    uint64_t start, end;
    std::function<void()> effect;
    CycleParts parts{};
    bool whole = true; // false: a part of a command that is still under way
  };

  void run();
  void serve_head();
  void run_command(const Command &command);
  bool injected(const Command &command);
  bool memory_error(const Command &command, const avocet_access &access, const FaultStrike &strike);
  void wait_for(const uint32_t *words, uint32_t tag);
  void note_wait();
  void enqueue(Retiring entry);
  void retire_due();
  void retire(const Retiring &entry);
  void account(const Retiring &entry);

  const uint32_t id_;
  std::deque<uint32_t> queue_;
  bool active_ = false;
  bool waits_for_token_ = false;
  bool ignores_reset_ = false;
  Wait wait_{};
  std::deque<Retiring> retiring_;
  uint64_t last_end_ = 0; // cycles before this are accounted for
  sc_core::sc_event retire_event_;
  std::function<void()> changed_;
  std::optional<FaultStrike> wrong_read_; // of the command that starts
};

} // namespace avocet::model
