// SPDX-License-Identifier: Apache-2.0
// The whole device: builds the blocks, and is the registers' side effects, seen from the host and from the management core.
// Everything here runs on the simulation thread.
#pragma once

#include <memory>
#include <vector>

#include "blocks.hpp"
#include "completion_faults.hpp"
#include "interrupts.hpp"
#include "management_core.hpp"
#include "npu_core.hpp"

namespace avocet::model {

class Device : public sc_core::sc_module, private CoreRegisters {
public:
  Device(sc_core::sc_module_name name, const Config &config);

  SharedBlocks &shared() { return blocks_; }
  // From 0 to the configuration's cores - 1; null behind the last.
  const Blocks *core(uint32_t number) const { return number < cores_.size() ? &cores_[number]->blocks() : nullptr; }
  RegisterBank &registers() { return blocks_.registers; }

  // A host's register write takes effect. Not while resetting().
  void host_write(uint32_t offset, uint32_t value);
  // As the host reads it: all ones once unplugged.
  uint32_t host_read(uint32_t offset) const {
    return blocks_.faults.gone() ? UINT32_MAX : blocks_.registers.host_read(offset);
  }
  bool resetting() const { return resetting_; }
  bool core_asleep() const { return core_.asleep(); }

  void power_on(const avocet_model_host &host);
  // Stops everything; the simulation has to run until it starves.
  void power_off();
  // Between two pieces of simulation.
  void end_piece();

  // Behind power_on, before anything happens: 0 or -errno.
  int write_waves(const std::string &path);
  // Between two pieces: 0 (also without waves) or -errno.
  int finish_waves();

private:
  uint32_t core_read(uint32_t offset) override;
  void core_write(uint32_t offset, uint32_t value) override;
  void ring_doorbell();
  void write_control(uint32_t value);
  void write_sequencer(NpuCore &core, uint32_t offset, uint32_t value);
  void control_sequencer(NpuCore &core, uint32_t value);
  void begin_reset();
  void finish_reset();
  void doorbell_arrived() {
    doorbell_wave_.set(false);
    core_.raise(AVOCET_CORE_EVENTS_DOORBELL);
  }
  void job_ended(uint32_t core);
  void show(Waves &waves);
  void settle_waves();

  SharedBlocks blocks_;
  Interrupts interrupts_;
  CompletionFaults completion_faults_;
  ManagementCore core_;
  std::vector<std::unique_ptr<NpuCore>> cores_;
  sc_core::sc_event reset_done_{"reset_done"};
  sc_core::sc_event doorbell_{"doorbell"};
  bool resetting_ = false;
  std::unique_ptr<Waves> waves_; // null: none were asked for
  Wave reset_wave_, doorbell_wave_, awake_wave_;
};

} // namespace avocet::model
