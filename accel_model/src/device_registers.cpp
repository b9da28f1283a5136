// SPDX-License-Identifier: Apache-2.0
// Side effects of registers. A register without one needs no line here.
#include "device.hpp"

namespace avocet::model {

void Device::host_write(uint32_t offset, uint32_t value) {
  RegisterBank &registers = blocks_.registers;
  if (!registers.is_register(offset) || blocks_.faults.gone()) return;
  switch (offset) {
  case AVOCET_REG_CONTROL: write_control(value); break;
  case AVOCET_REG_IRQ_STATUS: interrupts_.clear(value); break;
  case AVOCET_REG_IRQ_MASK: interrupts_.set_mask(value); break;
  case AVOCET_REG_DOORBELL: ring_doorbell(); break;
  default:
    if (registers.access(offset) == AVOCET_REGISTER_RW) registers.set(offset, value);
    break;
  }
}

void Device::ring_doorbell() {
  FaultInjector &faults = blocks_.faults;
  if (faults.armed() && faults.strikes(FaultKind::kUnplug)) {
    faults.unplug();
    begin_reset();
    return;
  }
  if (faults.armed() && faults.strikes(FaultKind::kDoorbellLost)) return;
  doorbell_wave_.set(true);
  doorbell_.notify(Timebase::span(blocks_.config.doorbell_cycles));
}

void Device::write_control(uint32_t value) {
  RegisterBank &registers = blocks_.registers;
  if (value & AVOCET_CONTROL_RESET) {
    registers.set_bits(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
    registers.clear_bits(AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN);
    begin_reset();
    return;
  }
  bool run = (value & AVOCET_CONTROL_RUN) != 0;
  bool ran = (registers.get(AVOCET_REG_CONTROL) & AVOCET_CONTROL_RUN) != 0;
  if (run == ran) return;
  run ? registers.set_bits(AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN)
      : registers.clear_bits(AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN);
  core_.set_run(run);
}

uint32_t Device::core_read(uint32_t offset) {
  const uint32_t number = RegisterBank::core_of(offset);
  NpuCore *core = number < cores_.size() ? cores_[number].get() : nullptr;
  switch (RegisterBank::first_of(offset)) {
  case AVOCET_REG_CORE_EVENTS: return core_.events();
  case AVOCET_REG_CYCLE_LO: return static_cast<uint32_t>(blocks_.time.now());
  case AVOCET_REG_CYCLE_HI: return static_cast<uint32_t>(blocks_.time.now() >> 32);
  case AVOCET_REG_SEQ_PROGRESS:
    if (core != nullptr && core->blocks().job.running()) return core->blocks().job.progress();
    break;
  case AVOCET_REG_SEQ_POSITION:
    if (core != nullptr && core->blocks().job.running()) return core->sequencer().position();
    break;
  default: break;
  }
  return blocks_.registers.is_register(offset) ? blocks_.registers.get(offset) : UINT32_MAX;
}

void Device::core_write(uint32_t offset, uint32_t value) {
  RegisterBank &registers = blocks_.registers;
  switch (offset) {
  case AVOCET_REG_CORE_FW_STATE:
    registers.set(AVOCET_REG_FW_STATE, value);
    interrupts_.raise(AVOCET_IRQ_STATUS_FIRMWARE);
    break;
  case AVOCET_REG_CORE_FW_VERSION:
    if (blocks_.faults.armed())
      if (auto strike = blocks_.faults.strikes(FaultKind::kFirmwareVersion))
        value = static_cast<uint32_t>(strike->value(FaultParameter::kVersion));
    registers.set(AVOCET_REG_FW_VERSION, value);
    break;
  case AVOCET_REG_CORE_FW_ERROR: registers.set(AVOCET_REG_FW_ERROR, value); break;
  case AVOCET_REG_CORE_HEARTBEAT:
    if (blocks_.faults.armed() && blocks_.faults.strikes(FaultKind::kHeartbeatStale)) break;
    registers.set(AVOCET_REG_FW_HEARTBEAT, value);
    break;
  case AVOCET_REG_CORE_IRQ_RAISE: interrupts_.raise(value); break;
  case AVOCET_REG_CORE_EVENTS: core_.clear(value); break;
  case AVOCET_REG_CORE_TIMER: core_.set_timer(value); break;
  default: {
    const uint32_t number = RegisterBank::core_of(offset);
    if (number < cores_.size()) write_sequencer(*cores_[number], RegisterBank::first_of(offset), value);
    break;
  }
  }
}

void Device::write_sequencer(NpuCore &core, uint32_t offset, uint32_t value) {
  switch (offset) {
  case AVOCET_REG_SEQ_CONTROL: control_sequencer(core, value); break;
  case AVOCET_REG_SEQ_CONTEXT:
  case AVOCET_REG_SEQ_TABLE_LO:
  case AVOCET_REG_SEQ_TABLE_HI:
  case AVOCET_REG_SEQ_JOB_LO:
  case AVOCET_REG_SEQ_JOB_HI:
  case AVOCET_REG_SEQ_SAVE_LO:
  case AVOCET_REG_SEQ_SAVE_HI:
  case AVOCET_REG_SEQ_GANG: core.blocks().registers.set(offset, value); break;
  default: break;
  }
}

void Device::control_sequencer(NpuCore &core, uint32_t value) {
  Sequencer &sequencer = core.sequencer();
  if (value & AVOCET_SEQ_CONTROL_INVALIDATE) blocks_.mmu.invalidate(core.blocks().registers.get(AVOCET_REG_SEQ_CONTEXT));
  if (value & AVOCET_SEQ_CONTROL_RESET) return core.reset();
  if (value & AVOCET_SEQ_CONTROL_ABORT) sequencer.abort();
  if (value & AVOCET_SEQ_CONTROL_PREEMPT) sequencer.preempt();
  if (value & AVOCET_SEQ_CONTROL_START) sequencer.start((value & AVOCET_SEQ_CONTROL_RESTORE) != 0);
}

} // namespace avocet::model
