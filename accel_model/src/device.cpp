// SPDX-License-Identifier: Apache-2.0
// Construction, power and reset.
#include "device.hpp"

#include <algorithm>
#include <cerrno>

namespace avocet::model {

Device::Device(sc_core::sc_module_name name, const Config &config)
    : sc_module(name), blocks_(config),
      interrupts_("interrupts", blocks_.time, blocks_.registers, blocks_.bus, blocks_.faults,
                  config.interrupt_cycles),
      completion_faults_("completion_faults", blocks_),
      core_("management_core", blocks_, interrupts_, completion_faults_, *this) {
  for (uint32_t number = 0; number < config.cores; ++number)
    cores_.push_back(std::make_unique<NpuCore>(("core" + std::to_string(number)).c_str(), blocks_, number,
                                               [this, number] { job_ended(number); }));
  SC_HAS_PROCESS(Device);
  SC_METHOD(finish_reset);
  sensitive << reset_done_;
  dont_initialize();
  SC_METHOD(doorbell_arrived);
  sensitive << doorbell_;
  dont_initialize();
  blocks_.registers.reset(blocks_.config);
}

void Device::power_on(const avocet_model_host &host) {
  if (waves_) waves_->restart();
  blocks_.time.power_on();
  blocks_.faults.power_on();
  blocks_.bus.attach(host);
  blocks_.dram_counters = {};
  if (blocks_.dram_banks) blocks_.dram_banks->power_on();
  blocks_.firmware.power_on();
  blocks_.registers.reset(blocks_.config);
  blocks_.registers.set(AVOCET_REG_CONTROL, 0);
  blocks_.registers.set(AVOCET_REG_GENERATION, 0);
  blocks_.registers.publish_cycle(0);
  for (const auto &core : cores_) core->power_on();
}

void Device::power_off() {
  blocks_.bus.detach();
  begin_reset();
}

void Device::begin_reset() {
  if (resetting_) return;
  resetting_ = true;
  reset_wave_.set(true);
  doorbell_.cancel();
  doorbell_wave_.set(false);
  interrupts_.reset();
  completion_faults_.reset();
  core_.set_run(false);
  blocks_.time.reset();
  // By then every process is back at its outermost loop.
  reset_done_.notify(Timebase::span(1));
}

void Device::finish_reset() {
  blocks_.mmu.invalidate_all();
  blocks_.registers.reset(blocks_.config);
  blocks_.registers.set(AVOCET_REG_GENERATION, blocks_.registers.get(AVOCET_REG_GENERATION) + 1);
  blocks_.registers.publish_cycle(blocks_.time.now());
  interrupts_.reset();
  resetting_ = false;
  reset_wave_.set(false);
  blocks_.registers.clear_bits(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET | AVOCET_CONTROL_RUN);
}

void Device::end_piece() {
  blocks_.registers.publish_cycle(blocks_.time.now());
  interrupts_.deliver_overdue();
  if (waves_ && waves_->crowded()) settle_waves();
}

int Device::write_waves(const std::string &path) {
  if (waves_) return -EBUSY;
  auto waves = std::make_unique<Waves>(blocks_.time, blocks_.config.clock_khz);
  if (int error = waves->open(path)) return -error;
  waves_ = std::move(waves);
  show(*waves_);
  waves_->begin();
  return 0;
}

void Device::show(Waves &waves) {
  const std::string scope = name();
  reset_wave_ = waves.number(scope, "reset", 1);
  doorbell_wave_ = waves.number(scope, "doorbell", 1);
  interrupts_.show(waves, scope);
  awake_wave_ = waves.number(core_.name(), "awake", 1);
  blocks_.firmware.on_change([this](uint64_t now) {
    awake_wave_.set(blocks_.firmware.awake());
    for (const auto &core : cores_) core->blocks().ledger.firmware_changed(now);
  });
  if (blocks_.dram_banks)
    blocks_.dram_banks->show(waves, scope + ".dram");
  else
    blocks_.dram.show(waves, scope + ".dram");
  for (const auto &core : cores_) core->show(waves);
}

// The requantisation lanes tell their ports a cycle late.
void Device::settle_waves() {
  const uint64_t now = blocks_.time.now();
  uint64_t known = now > 0 ? now - 1 : 0;
  if (blocks_.dram_banks) known = std::min(known, blocks_.dram_banks->settle(now));
  for (const auto &core : cores_) known = std::min(known, core->settle());
  waves_->settle(known);
}

int Device::finish_waves() {
  if (!waves_) return 0;
  settle_waves();
  return -waves_->finish();
}

// The job's registers are set.
void Device::job_ended(uint32_t core) {
  RegisterBank &registers = blocks_.registers;
  const NpuRegisters &own = cores_[core]->blocks().registers;
  uint32_t status = own.get(AVOCET_REG_SEQ_STATUS);
  bool is_fault = status != AVOCET_STATUS_OK && status != AVOCET_STATUS_ABORTED && status != AVOCET_STATUS_PREEMPTED;
  if (is_fault && registers.get(AVOCET_REG_FAULT_STATUS) == AVOCET_STATUS_OK) {
    registers.set(AVOCET_REG_FAULT_STATUS, status);
    registers.set(AVOCET_REG_FAULT_POSITION, own.get(AVOCET_REG_SEQ_POSITION));
    registers.set64(AVOCET_REG_FAULT_ADDRESS_LO, own.get64(AVOCET_REG_SEQ_ADDRESS_LO));
    interrupts_.raise(AVOCET_IRQ_STATUS_FAULT);
  }
  core_.raise(core == 0 ? AVOCET_CORE_EVENTS_SEQUENCER : 1u << (16 + core)); // SEQUENCERS
}

} // namespace avocet::model
