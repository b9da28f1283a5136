// SPDX-License-Identifier: Apache-2.0
// The firmware's port on an SC_THREAD.
#include "management_core.hpp"

#include <atomic>

namespace avocet::model {

ManagementCore::ManagementCore(sc_core::sc_module_name name, Blocks &blocks, Interrupts &interrupts,
                               CompletionFaults &completion_faults, CoreRegisters &registers)
    : sc_module(name), Process(blocks.time), blocks_(blocks), interrupts_(interrupts),
      completion_faults_(completion_faults), registers_(registers),
      port_(make_port()) {
  SC_HAS_PROCESS(ManagementCore);
  SC_THREAD(run);
  SC_METHOD(timer_ran_out);
  sensitive << timer_;
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

void ManagementCore::sleep(bool asleep) {
  if (asleep == asleep_) return;
  asleep_ = asleep;
  interrupts_.core_sleeps(asleep);
  if (!asleep) {
    awake_since_ = time_.now();
    blocks_.ledger.core_woke(awake_since_);
    return;
  }
  blocks_.ledger.core_slept(time_.now());
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
    events_ = 0;
    blocks_.registers.set(AVOCET_REG_FW_STATE, AVOCET_FIRMWARE_STATE_OFF);
    sleep(true);
    try {
      wait_until([this] { return run_; });
      held_ = false;
      sleep(false);
      blocks_.registers.set(AVOCET_REG_FW_STATE, AVOCET_FIRMWARE_STATE_BOOTING);
      avocet_firmware_main(&firmware_, &port_);
      sleep(true);
      wait_until([this] { return held_; });
    } catch (const ResetSignal &) {
    }
  }
}

void ManagementCore::spend(uint64_t cycles) {
  if (!held()) wait_quietly(cycles);
}

void ManagementCore::spend_memory(uint64_t bytes) {
  spend((bytes + 63) / 64 * blocks_.config.firmware_memory_cycles);
}

uint32_t ManagementCore::wait_events() {
  spend(blocks_.config.firmware_register_cycles);
  while (events_ == 0 && !held()) {
    sleep(true);
    wait_quietly();
  }
  sleep(false);
  if (blocks_.faults.armed() && !held() && crashes()) {
    sleep(true);
    while (!held()) wait_quietly();
  }
  return held() ? 0 : events_;
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

namespace {

// Host memory is shared with host threads: single words are atomic, everything else is ordered by them.
uint32_t *aligned_word(uint8_t *bytes) {
  return bytes != nullptr && reinterpret_cast<uintptr_t>(bytes) % 4 == 0 ? reinterpret_cast<uint32_t *>(bytes) : nullptr;
}

} // namespace

avocet_firmware_port ManagementCore::make_port() {
  avocet_firmware_port port{};
  port.opaque = this;
  port.rd32 = [](void *opaque, uint32_t offset) -> uint32_t {
    ManagementCore &core = self(opaque);
    core.spend(core.blocks_.config.firmware_register_cycles);
    return core.held() ? 0 : core.registers_.core_read(offset);
  };
  port.wr32 = [](void *opaque, uint32_t offset, uint32_t value) {
    ManagementCore &core = self(opaque);
    core.spend(core.blocks_.config.firmware_register_cycles);
    std::atomic_thread_fence(std::memory_order_release);
    if (!core.held()) core.registers_.core_write(offset, value);
  };
  port.load = [](void *opaque, uint64_t address, void *data, uint32_t bytes) {
    ManagementCore &core = self(opaque);
    core.spend_memory(bytes);
    return !core.held() && core.blocks_.bus.read(address, data, bytes);
  };
  port.store = [](void *opaque, uint64_t address, const void *data, uint32_t bytes) {
    ManagementCore &core = self(opaque);
    core.spend_memory(bytes);
    return !core.held() && core.blocks_.bus.write(address, data, bytes);
  };
  port.load32 = [](void *opaque, uint64_t address, uint32_t *value) {
    ManagementCore &core = self(opaque);
    core.spend_memory(4);
    uint32_t *word = core.held() ? nullptr : aligned_word(core.blocks_.bus.translate(address, 4, false));
    if (word != nullptr) *value = std::atomic_ref<uint32_t>(*word).load(std::memory_order_acquire);
    return word != nullptr;
  };
  port.store32 = [](void *opaque, uint64_t address, uint32_t value) {
    ManagementCore &core = self(opaque);
    core.spend_memory(4);
    if (!core.held() && core.completion_faults_.holds_back(address, value)) return true;
    uint32_t *word = core.held() ? nullptr : aligned_word(core.blocks_.bus.translate(address, 4, true));
    if (word != nullptr) std::atomic_ref<uint32_t>(*word).store(value, std::memory_order_release);
    return word != nullptr;
  };
  port.fence = [](void *) { std::atomic_thread_fence(std::memory_order_seq_cst); };
  port.cycles = [](void *opaque) -> uint64_t {
    ManagementCore &core = self(opaque);
    core.spend(core.blocks_.config.firmware_register_cycles);
    return core.time_.now();
  };
  port.wait_events = [](void *opaque) { return self(opaque).wait_events(); };
  return port;
}

} // namespace avocet::model
