// SPDX-License-Identifier: Apache-2.0
// Run, hold, events and sleep.
#include "management_core.hpp"

#include <atomic>

namespace avocet::model {

ManagementCore::ManagementCore(sc_core::sc_module_name name, SharedBlocks &blocks, Interrupts &interrupts,
                               CompletionFaults &completion_faults, CoreRegisters &registers)
    : sc_module(name), Process(blocks.time, blocks.time.device_line()), blocks_(blocks), interrupts_(interrupts),
      completion_faults_(completion_faults), registers_(registers),
      processor_(blocks.config.firmware_kind == "riscv" ? make_riscv_processor(*this) : make_native_processor(*this)) {
  SC_HAS_PROCESS(ManagementCore);
  SC_THREAD(run);
  SC_METHOD(timer_ran_out);
  sensitive << timer_;
  dont_initialize();
  SC_METHOD(watchdog_ran_out);
  sensitive << watchdog_;
  dont_initialize();
}

void ManagementCore::set_run(bool run) {
  run_ = run;
  if (!run) held_ = true;
  wake();
}

void ManagementCore::raise(uint32_t events) {
  events_ |= events;
  wake();
}

void ManagementCore::set_timer(uint64_t cycles) {
  timer_.cancel();
  if (cycles != 0) timer_.notify(Timebase::span(cycles));
}

void ManagementCore::set_watchdog(uint64_t cycles) {
  watchdog_rang_ = false;
  watchdog_.cancel();
  if (cycles != 0) watchdog_.notify(Timebase::span(cycles));
}

void ManagementCore::watchdog_ran_out() {
  watchdog_rang_ = true;
  wake();
}

void ManagementCore::sleep(bool asleep) {
  if (asleep == asleep_) return;
  asleep_ = asleep;
  interrupts_.core_sleeps(asleep);
  if (!asleep) {
    awake_since_ = time_.now();
    blocks_.firmware.woke(awake_since_);
    return;
  }
  blocks_.firmware.slept(time_.now());
  avocet_model_slice slice{};
  slice.track = AVOCET_TRACK_FIRMWARE;
  slice.start_cycle = awake_since_;
  slice.end_cycle = time_.now();
  slice.name = "firmware";
  blocks_.bus.slice(slice);
}

void ManagementCore::run() {
  for (;;) {
    begin();
    held_ = false;
    set_timer(0);
    set_watchdog(0);
    events_ = 0;
    blocks_.registers.set(AVOCET_REG_FW_STATE, AVOCET_FIRMWARE_STATE_OFF);
    sleep(true);
    try {
      wait_until([this] { return run_; });
      held_ = false;
      sleep(false);
      blocks_.registers.set(AVOCET_REG_FW_STATE, AVOCET_FIRMWARE_STATE_BOOTING);
      processor_->run();
      sleep(true);
      wait_until([this] { return held_; });
    } catch (const ResetSignal &) {
    }
  }
}

void ManagementCore::spend(uint64_t cycles) {
  if (cycles != 0 && !held()) wait_quietly(cycles);
}

void ManagementCore::spend_memory(uint64_t bytes) {
  spend((bytes + 63) / 64 * blocks_.config.firmware_memory_cycles);
}

// An ordered crash; afterwards the core does nothing until it is put into reset.
bool ManagementCore::crashes() {
  auto strike = blocks_.faults.strikes(FaultKind::kFirmwareCrash);
  if (!strike) return false;
  if (strike->on(FaultParameter::kHalt)) {
    registers_.core_write(AVOCET_REG_CORE_FW_ERROR, AVOCET_STATUS_HANG);
    registers_.core_write(AVOCET_REG_CORE_FW_STATE, AVOCET_FIRMWARE_STATE_HALTED);
  }
  return true;
}

void ManagementCore::stay_down() {
  sleep(true);
  while (!held()) wait_quietly();
}

uint32_t *ManagementCore::shared_word(uint64_t address, bool write) const {
  uint8_t *bytes = held() ? nullptr : blocks_.bus.translate(address, 4, write);
  return bytes != nullptr && reinterpret_cast<uintptr_t>(bytes) % 4 == 0 ? reinterpret_cast<uint32_t *>(bytes) : nullptr;
}

bool ManagementCore::load_shared(uint64_t address, uint32_t *value) const {
  uint32_t *word = shared_word(address, false);
  if (word != nullptr) *value = std::atomic_ref<uint32_t>(*word).load(std::memory_order_acquire);
  return word != nullptr;
}

bool ManagementCore::store_shared(uint64_t address, uint32_t value) {
  if (!held() && completion_faults_.holds_back(address, value)) return true;
  uint32_t *word = shared_word(address, true);
  if (word != nullptr) std::atomic_ref<uint32_t>(*word).store(value, std::memory_order_release);
  return word != nullptr;
}

} // namespace avocet::model
