// SPDX-License-Identifier: Apache-2.0
// One DMA channel: strided copies between DRAM and SRAM, and fills. The next command's requests follow the last one's without
// waiting for its data.
#pragma once

#include <memory>

#include "dma_plan.hpp"
#include "memory_port.hpp"
#include "unit.hpp"

namespace avocet::model {

class DmaChannel : public Unit {
public:
  DmaChannel(sc_core::sc_module_name name, uint32_t id, Blocks &blocks) : Unit(name, id, blocks), port_(*this, blocks, id) {}

  void show(Waves &waves) override {
    Unit::show(waves);
    bytes_in_flight_ = waves.number(name(), "bytes_in_flight", 32);
  }

private:
  void execute(const Command &command) override;
  void copy(const Command &command);
  void fill(const Command &command);
  void barrier(const Command &command);
  void restart() override { port_.restart(); }
  uint64_t request(const DmaPlan::Chunk &chunk, bool first, bool store, CycleParts *parts);
  uint64_t use_banks(const DmaPlan::Chunk &chunk, bool store);
  MemoryPort::Access access_to(const DmaPlan::Stretch &stretch, bool store) const;
  void flip(const DmaPlan::Chunk &chunk, const FaultStrike &wrong);
  uint64_t rate_limit(const DmaPlan::Chunk &chunk) const;
  uint64_t burst_cycles(const DmaPlan::Chunk &chunk) const;
  uint64_t walk_cycles(const DmaPlan::Chunk &chunk) const;
  void move(const DmaPlan::Chunk &chunk, bool store);
  void count(const Command &command, const DmaPlan::Chunk &chunk, bool store);
  std::shared_ptr<void> in_flight(uint64_t bytes);

  MemoryPort port_;
  Wave bytes_in_flight_;
  uint64_t in_flight_ = 0; // bytes, while they are shown
};

} // namespace avocet::model
