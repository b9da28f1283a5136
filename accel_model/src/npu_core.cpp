// SPDX-License-Identifier: Apache-2.0
// Construction and power of a core.
#include "npu_core.hpp"

#include <algorithm>

#include "dma_channel.hpp"
#include "mac_unit.hpp"
#include "requant_unit.hpp"
#include "vector_unit.hpp"

namespace avocet::model {

NpuCore::NpuCore(sc_core::sc_module_name name, SharedBlocks &shared, uint32_t number, std::function<void()> job_ended)
    : sc_module(name), blocks_(shared, number) {
  owned_units_.push_back(std::make_unique<MacUnit>("mac", AVOCET_UNIT_MAC, blocks_));
  owned_units_.push_back(std::make_unique<RequantUnit>("requant", AVOCET_UNIT_REQUANT, blocks_));
  owned_units_.push_back(std::make_unique<VectorUnit>("vector", AVOCET_UNIT_VECTOR, blocks_));
  for (uint32_t channel = 0; channel < blocks_.config.dma_channels; ++channel)
    owned_units_.push_back(std::make_unique<DmaChannel>(("dma" + std::to_string(channel)).c_str(),
                                                        AVOCET_UNIT_DMA0 + channel, blocks_));
  for (const auto &unit : owned_units_) {
    units_[unit->id()] = unit.get();
    unit->on_change([this] { unit_changed(); });
  }
  sequencer_ = std::make_unique<Sequencer>("sequencer", blocks_, units_, std::move(job_ended));
  blocks_.gangs.connect(number, [this] { unit_changed(); });
}

void NpuCore::power_on() {
  blocks_.ledger.power_on();
  blocks_.registers.set(AVOCET_REG_NPU_RESETS, 0);
  std::ranges::fill(blocks_.sram, uint8_t{0});
  std::ranges::fill(blocks_.accumulators, 0);
  std::ranges::fill(blocks_.accumulated, uint64_t{0});
}

// An idle one has nothing to forget.
void NpuCore::reset() {
  if (std::ranges::any_of(owned_units_, [](const auto &unit) { return unit->ignores_reset(); })) return;
  blocks_.registers.set(AVOCET_REG_NPU_RESETS, blocks_.registers.get(AVOCET_REG_NPU_RESETS) + 1);
  if (sequencer_->busy()) blocks_.reset.pull();
}

void NpuCore::show(Waves &waves) {
  sequencer_->show(waves);
  for (const auto &unit : owned_units_) unit->show(waves);
}

uint64_t NpuCore::settle() {
  uint64_t known = UINT64_MAX;
  if (!blocks_.ledger.has_job()) return known;
  for (const auto &unit : owned_units_) known = std::min(known, unit->settle());
  return known;
}

void NpuCore::unit_changed() {
  sequencer_->wake();
  for (const auto &unit : owned_units_)
    if (unit->waits_for_token()) unit->wake();
}

} // namespace avocet::model
