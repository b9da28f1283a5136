// SPDX-License-Identifier: Apache-2.0
// DMA_LOAD, DMA_STORE, DMA_FILL and BARRIER.
#include "dma_channel.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace avocet::model {

void DmaChannel::execute(const Command &command) {
  if (command.opcode == AVOCET_OP_DMA_FILL)
    fill(command);
  else if (command.opcode == AVOCET_OP_BARRIER)
    barrier(command);
  else
    copy(command);
}

namespace {

// DMA_LOAD and DMA_STORE have the same fields.
DmaShape shape_of(const uint32_t *words, const avocet_job &job) {
  avocet_cmd_dma_load c;
  avocet_dma_load_decode(words, &c);
  return {job.region[c.region].address + c.dram,
          c.sram,
          c.row_bytes,
          {c.count0, c.count1, c.count2},
          {c.dram_stride0, c.dram_stride1, c.dram_stride2},
          {c.sram_stride0, c.sram_stride1, c.sram_stride2}};
}

} // namespace

void DmaChannel::copy(const Command &command) {
  const Config &config = blocks_.config;
  const bool store = command.opcode == AVOCET_OP_DMA_STORE;
  DmaShape shape = shape_of(command.words, blocks_.job.descriptor());
  uint64_t rows = saturating_multiply(saturating_multiply(shape.count[0], shape.count[1]), shape.count[2]);
  if (too_long(command, saturating_multiply(rows, divide_up(shape.row_bytes, config.dma_bytes_per_cycle)))) return;

  uint64_t start = time_.now();
  CycleParts parts{0, 0, 0};
  const std::optional<FaultStrike> wrong = take_wrong_read();
  DmaPlan plan(shape, store, config.dma_burst_bytes, config.dma_bytes_per_cycle);
  for (bool first = true; !plan.done(); first = false) {
    if (!blocks_.timed && !first) wait_cycles(1);
    auto chunk = std::make_shared<DmaPlan::Chunk>();
    uint32_t status = AVOCET_STATUS_OK;
    uint64_t address = 0;
    if (!plan.next(blocks_.mmu, blocks_.job.space(), chunk.get(), &status, &address))
      return fail(command, status, address);
    count(command, *chunk, store);
    const std::shared_ptr<void> flight = in_flight(chunk->bytes);
    const uint64_t end = blocks_.timed ? request(*chunk, first, store, &parts) : time_.now();
    const auto effect = [this, chunk, flight, store, wrong = first ? wrong : std::nullopt] {
      move(*chunk, store);
      if (wrong) flip(*chunk, *wrong);
    };
    if (plan.done())
      retire_at(command, start, end, effect, parts);
    else
      effect_at(command, end, effect);
  }
}

// For the waves: bytes from being asked for until the result, which goes with the chunk's effect, is dropped.
std::shared_ptr<void> DmaChannel::in_flight(uint64_t bytes) {
  if (!bytes_in_flight_) return nullptr;
  bytes_in_flight_.set(in_flight_ += bytes);
  return std::shared_ptr<void>(this, [this, bytes](void *) { bytes_in_flight_.set(in_flight_ -= bytes); });
}

// Takes the time until the chunk's last request is on its way; returns when its last byte is there. The first page walk of a
// command is in its way; later ones run ahead of the data and only limit the rate.
uint64_t DmaChannel::request(const DmaPlan::Chunk &chunk, bool first, bool store, CycleParts *parts) {
  if (first && chunk.walks > 0) {
    wait_cycles(blocks_.config.mmu_walk_cycles);
    parts->tlb += blocks_.config.mmu_walk_cycles;
  }
  parts->busy += chunk.beats;
  const uint64_t paced = std::max(chunk.beats, burst_cycles(chunk));
  parts->tlb += std::max(paced, walk_cycles(chunk)) - paced;
  if (blocks_.dram_banks) return use_banks(chunk, store);
  port_.share_pipe(chunk.bytes, rate_limit(chunk));
  return time_.now() + blocks_.config.dram_latency_cycles;
}

// Page walks are spread evenly over the chunk.
uint64_t DmaChannel::use_banks(const DmaPlan::Chunk &chunk, bool store) {
  const uint64_t begin = time_.now(), walks = walk_cycles(chunk);
  uint64_t done = 0, end = begin;
  for (const DmaPlan::Stretch &stretch : chunk.stretches) {
    end = port_.use_banks(access_to(stretch, store), begin + walks * done / chunk.bytes);
    done += stretch.bytes;
  }
  wait_cycles(begin + walks - std::min(begin + walks, time_.now()));
  return std::max(end, time_.now());
}

// The slowest of: data path, outstanding bursts over the latency, page walks.
uint64_t DmaChannel::rate_limit(const DmaPlan::Chunk &chunk) const {
  return chunk.bytes * 1000 / std::max({chunk.beats, burst_cycles(chunk), walk_cycles(chunk)});
}

uint64_t DmaChannel::burst_cycles(const DmaPlan::Chunk &chunk) const {
  return divide_up(chunk.bursts * blocks_.memory_latency, blocks_.config.dma_outstanding);
}

uint64_t DmaChannel::walk_cycles(const DmaPlan::Chunk &chunk) const {
  return chunk.walks > 1 ? (chunk.walks - 1) * blocks_.config.mmu_walk_cycles : 0;
}

void DmaChannel::move(const DmaPlan::Chunk &chunk, bool store) {
  if (!blocks_.values) return;
  for (const DmaPlan::Run &run : chunk.runs) {
    uint8_t *sram = blocks_.sram.data() + run.sram;
    if (store)
      std::memcpy(run.host, sram, run.bytes);
    else
      std::memcpy(sram, run.host, run.bytes);
  }
}

// Bits that arrive wrong, in a byte that the seed chooses.
void DmaChannel::flip(const DmaPlan::Chunk &chunk, const FaultStrike &wrong) {
  uint64_t at = wrong.random % chunk.bytes;
  for (const DmaPlan::Run &run : chunk.runs) {
    if (at < run.bytes) {
      for (uint64_t i = 0; i < wrong.value(FaultParameter::kBits); ++i)
        blocks_.sram[run.sram + at] ^= static_cast<uint8_t>(1u << ((wrong.bit(8) + i) % 8));
      return;
    }
    at -= run.bytes;
  }
}

void DmaChannel::count(const Command &command, const DmaPlan::Chunk &chunk, bool store) {
  avocet_profile &counters = blocks_.job.counters(command.tag);
  blocks_.energy.add(command.tag, AVOCET_EVENT_DRAM_BYTE, chunk.bytes);
  blocks_.energy.add(command.tag, AVOCET_EVENT_SRAM_BYTE, chunk.bytes);
  (store ? counters.dram_write_bytes : counters.dram_read_bytes) += chunk.bytes;
  blocks_.ledger.of(id()).moved(command.tag, chunk.bytes, store);
  for (const DmaPlan::Stretch &stretch : chunk.stretches) port_.count(access_to(stretch, store));
}

MemoryPort::Access DmaChannel::access_to(const DmaPlan::Stretch &stretch, bool store) const {
  return {blocks_.job.space().context, stretch.iova, stretch.bytes, store};
}

void DmaChannel::fill(const Command &command) {
  avocet_cmd_dma_fill c;
  avocet_dma_fill_decode(command.words, &c);
  uint64_t rows = uint64_t{c.count0} * c.count1;
  uint64_t cycles = saturating_multiply(rows, divide_up(c.row_bytes, blocks_.config.dma_bytes_per_cycle));
  if (too_long(command, cycles)) return;
  blocks_.energy.add(command.tag, AVOCET_EVENT_SRAM_BYTE, rows * c.row_bytes);
  uint64_t start = time_.now();
  CycleParts parts;
  if (blocks_.timed)
    parts.sram = take_cycles(cycles, SramPorts::kDma, blocks_.ports.words(blocks_.config.dma_bytes_per_cycle));
  const auto effect = [this, c] {
    if (!blocks_.values) return;
    for (uint64_t plane = 0; plane < c.count1; ++plane)
      for (uint64_t row = 0; row < c.count0; ++row)
        std::memset(blocks_.sram.data() + c.sram + plane * c.stride1 + row * c.stride0, static_cast<int>(c.value),
                    c.row_bytes);
  };
  retire_at(command, start, time_.now(), effect, parts);
}

// Comes to the barrier when everything before it has reached the memory.
void DmaChannel::barrier(const Command &command) {
  wait_for_token([this] { return all_retired(); });
  if (blocks_.job.stopping()) return;
  const uint32_t number = blocks_.gangs.arrive(blocks_.core);
  wait_for_token([&] { return blocks_.gangs.passed(blocks_.core, number); }, command.tag, AVOCET_CYCLE_CORES);
  if (!blocks_.job.stopping()) retire_at(command, time_.now(), time_.now(), nullptr);
}

} // namespace avocet::model
