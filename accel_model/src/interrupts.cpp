// SPDX-License-Identifier: Apache-2.0
// The interrupt line. Every bit that newly gets through the mask calls the handler, also while another bit holds the line up, so
// a handler that looks before it clears loses nothing.
#include "interrupts.hpp"

namespace avocet::model {

Interrupts::Interrupts(sc_core::sc_module_name name, Timebase &time, RegisterBank &registers, const Bus &bus,
                       FaultInjector &faults, uint64_t latency)
    : sc_module(name), time_(time), registers_(registers), bus_(bus), faults_(faults), latency_(latency) {
  SC_HAS_PROCESS(Interrupts);
  SC_METHOD(deliver);
  sensitive << deliver_event_;
  dont_initialize();
}

void Interrupts::raise(uint32_t bits) {
  registers_.set(AVOCET_REG_IRQ_STATUS, registers_.get(AVOCET_REG_IRQ_STATUS) | bits);
  evaluate();
}

void Interrupts::clear(uint32_t bits) {
  registers_.set(AVOCET_REG_IRQ_STATUS, registers_.get(AVOCET_REG_IRQ_STATUS) & ~bits);
  evaluate();
}

void Interrupts::set_mask(uint32_t mask) {
  registers_.set(AVOCET_REG_IRQ_MASK, mask);
  evaluate();
}

void Interrupts::reset() {
  lines_ = 0;
  line_.set(false);
  pending_ = false;
  deliver_event_.cancel();
}

void Interrupts::evaluate() {
  uint32_t lines = registers_.get(AVOCET_REG_IRQ_STATUS) & registers_.get(AVOCET_REG_IRQ_MASK);
  bool rose = (lines & ~lines_) != 0;
  lines_ = lines;
  line_.set(lines != 0);
  if (!rose || pending_) return;
  pending_ = true;
  due_ = time_.now() + latency_;
  if (core_asleep_) deliver_event_.notify(Timebase::span(latency_));
}

void Interrupts::core_sleeps(bool asleep) {
  core_asleep_ = asleep;
  if (!asleep || !pending_) return;
  uint64_t now = time_.now();
  deliver_event_.notify(Timebase::span(due_ > now ? due_ - now : 0));
}

void Interrupts::deliver() {
  if (core_asleep_) hand_over();
}

void Interrupts::deliver_overdue() {
  if (!core_asleep_ && pending_ && due_ <= time_.now()) hand_over();
}

void Interrupts::hand_over() {
  if (!pending_) return;
  pending_ = false;
  registers_.publish_cycle(time_.now());
  if (lines_ == 0) return;
  if (faults_.armed() && faults_.strikes(FaultKind::kInterruptLost)) return;
  const bool twice = faults_.armed() && faults_.strikes(FaultKind::kInterruptDuplicate);
  bus_.interrupt();
  if (twice) bus_.interrupt();
}

} // namespace avocet::model
