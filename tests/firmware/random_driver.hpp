// SPDX-License-Identifier: Apache-2.0
// A driver and sequencers that do whatever the numbers say which they are given: random ones, or a fuzzer's.
#pragma once

#include <set>

#include "fake_processor.hpp"

namespace avocet::test {

/// Where decisions come from: a number in [low, high].
using Numbers = std::function<uint32_t(uint32_t low, uint32_t high)>;

class RandomDriver {
 public:
  explicit RandomDriver(Numbers numbers) : number(std::move(numbers)) {
    cores_ = number(0, 1) ? 1 : number(2, 16);
    p.reg(AVOCET_REG_CORES) = cores_;
    if (number(0, 3) > 0) p.give_save_areas(cores_);
    p.make_ring(FakeProcessor::kCompletion, 4u << number(0, 4), sizeof(avocet_completion), 0xFFFFFFF0u);
    p.on_start = [this](uint64_t job) {
      running_[p.core] = job;
      maybe_end(3);
    };
    p.on_preempt = [this] {
      asked_[p.core] = number(0, 2) == 0; // it takes a while
      if (!asked_[p.core]) p.end_job(AVOCET_STATUS_PREEMPTED);
    };
    p.on_abort = [this] {
      if (number(0, 2) > 0) p.end_job(AVOCET_STATUS_ABORTED);
    };
  }

  /// Runs `count` steps, then lets everything end.
  void run(std::function<void()> step, int count, int settling = 600) {
    std::vector<std::function<void()>> steps(count, std::move(step));
    for (int i = 0; i < settling; i++) steps.push_back([this] { settle(); });
    p.run(steps);
    take();
  }
  void take() {
    for (const auto& c : p.drain()) completions.push_back(c);
  }
  void doorbell_after_take() {
    take();
    p.doorbell();
  }
  /// The job on some core ends.
  void end_some() {
    p.core = number(0, cores_ - 1);
    if (!p.seq(AVOCET_REG_SEQ_STATE)) return;
    p.now += number(1, 5000);
    p.end_job(asked_[p.core] && number(0, 1) ? uint32_t{AVOCET_STATUS_PREEMPTED} : ending());
    asked_[p.core] = false;
  }
  void tick() {
    p.now += number(1, 1 << 18);
    p.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
  }

  /// Anything that a broken driver or a broken sequencer may do, but for destroying the admin and completion rings.
  void garbage() {
    switch (number(0, 7)) {
      case 0:
      case 1: return message();
      case 2: return ring_garbage();
      case 3:
      case 4: return job();
      case 5: return end_some();
      case 6: return tick();
      default: return doorbell_after_take();
    }
  }
  /// "" or what is wrong after `garbage` steps: every message is answered once, in order but for those that may overtake, and the
  /// firmware serves.
  std::string complaint() {
    uint32_t in_order = 0;
    std::set<uint32_t> early = overtakers_;
    if (p.state() != AVOCET_FIRMWARE_STATE_READY) return "the firmware is in state " + std::to_string(p.state());
    for (const auto& c : completions) {
      if (c.type != AVOCET_COMPLETION_TYPE_MESSAGE || early.erase(c.request)) continue;
      do in_order++;
      while (overtakers_.count(in_order));
      if (c.request != in_order) return "an answer is missing or came twice";
    }
    while (overtakers_.count(in_order + 1)) in_order++;
    return in_order == p.request && early.empty() ? "" : "the last message was not answered";
  }

  /// What a job may ask for.
  uint32_t some_parts() { return number(0, 3) ? 0 : number(1, cores_); }

  Numbers number;
  FakeProcessor p;
  std::vector<avocet_completion> completions;
  bool faults = false; // jobs end with any status

 private:
  uint32_t ending() { return faults && number(0, 2) == 0 ? number(0, 40) : uint32_t{AVOCET_STATUS_OK}; }
  void maybe_end(uint32_t odds) {
    p.now += number(1, 1000);
    if (number(0, odds) == 0) p.end_job(ending());
  }
  void settle() {
    faults = false;
    for (p.core = 0; p.core < cores_; p.core++) {
      if (p.seq(AVOCET_REG_SEQ_STATE)) p.end_job(AVOCET_STATUS_OK);
    }
    p.core = 0;
    doorbell_after_take();
  }

  uint64_t address() {
    switch (number(0, 4)) {
      case 0: return p.ring_of(number(0, 9), number(0, 2));
      case 1: return FakeProcessor::kTable;
      case 2: return number(0, 3);
      case 3: return FakeProcessor::kBase + number(0, 0x100000) / 8 * 8;
      default: return uint64_t{number(0, UINT32_MAX)} << 32 | number(0, UINT32_MAX);
    }
  }
  void message() {
    avocet_ring admin = p.ring(FakeProcessor::kAdmin);
    if (admin.tail - admin.head == admin.entries) return doorbell_after_take();
    avocet_message m{};
    m.type = number(0, 10);
    m.request = ++p.request;
    m.context = number(0, 20) ? number(0, 9) : number(0, UINT32_MAX);
    m.argument0 = number(0, 2) ? number(0, 8) : address();
    if (m.type == AVOCET_MESSAGE_TYPE_CREATE_CONTEXT && number(0, 3)) m.argument0 = FakeProcessor::kTable;
    m.argument1 = address();
    if (m.type == AVOCET_MESSAGE_TYPE_RESET_ENGINE) {
      overtakers_.insert(m.request);
      if (m.argument0 < cores_ && number(0, 3)) m.argument1 = running_[m.argument0];
    }
    if (number(0, 30) == 1) m.reserved0 = 1;
    if (number(0, 30) == 1) m.reserved1[number(0, 3)] = 1;
    p.push(FakeProcessor::kAdmin, m);
  }
  void ring_garbage() {
    uint64_t at = p.ring_of(number(1, 9), number(0, 2));
    if (number(0, 1)) return p.make_ring(at, 8, sizeof(avocet_job), number(0, UINT32_MAX));
    avocet_ring ring = p.ring(at);
    (number(0, 2) ? ring.tail : ring.entries) = number(0, 1) ? ring.head + number(0, 9) : number(0, UINT32_MAX);
    p.write(at, ring);
    p.doorbell();
  }
  void job() {
    uint64_t at = p.ring_of(number(1, 9), number(0, 2));
    if (p.ring(at).entries != 8) return;
    avocet_job job{};
    job.job_id = number(0, UINT32_MAX);
    job.parts = number(0, 3) ? 0 : number(0, cores_ + 1);
    p.push(at, job);
  }

  uint32_t cores_;
  bool asked_[AVOCET_CORES_MAX] = {}; // to stop its job
  uint64_t running_[AVOCET_CORES_MAX] = {}; // job that was started last
  std::set<uint32_t> overtakers_; // requests whose answer may come before that of earlier ones
};

}  // namespace avocet::test
