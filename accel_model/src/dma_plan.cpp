// SPDX-License-Identifier: Apache-2.0
// Walks the rows of a DMA command page by page.
#include "dma_plan.hpp"

#include <algorithm>

namespace avocet::model {

namespace {

constexpr uint64_t kChunkBytes = 256 * 1024;
constexpr size_t kChunkRuns = 4096;

} // namespace

DmaPlan::DmaPlan(const DmaShape &shape, bool write, uint64_t burst_bytes, uint64_t beat_bytes)
    : shape_(shape), write_(write), burst_bytes_(burst_bytes), beat_bytes_(beat_bytes) {
  merge_contiguous();
}

// Rows that follow each other without a gap on both sides are one longer row.
void DmaPlan::merge_contiguous() {
  for (int dimension = 0; dimension < 3; ++dimension) {
    bool gapless = shape_.dram_stride[0] == shape_.row_bytes && shape_.sram_stride[0] == shape_.row_bytes;
    if (shape_.count[0] != 1 && !gapless) return;
    shape_.row_bytes *= shape_.count[0];
    for (int i = 0; i < 2; ++i) {
      shape_.count[i] = shape_.count[i + 1];
      shape_.dram_stride[i] = shape_.dram_stride[i + 1];
      shape_.sram_stride[i] = shape_.sram_stride[i + 1];
    }
    shape_.count[2] = 1;
  }
}

bool DmaPlan::next(Mmu &mmu, const AddressSpace &space, Chunk *chunk, uint32_t *status, uint64_t *address) {
  *chunk = {};
  while (!done_ && chunk->bytes < kChunkBytes && chunk->runs.size() < kChunkRuns) {
    if (!add_row(mmu, space, chunk, status, address)) return false;
    if (row_offset_ == shape_.row_bytes) step();
  }
  return true;
}

// As much of the current row as the chunk takes.
bool DmaPlan::add_row(Mmu &mmu, const AddressSpace &space, Chunk *chunk, uint32_t *status, uint64_t *address) {
  uint64_t iova = shape_.iova, sram = shape_.sram;
  for (int i = 0; i < 3; ++i) {
    iova += index_[i] * shape_.dram_stride[i];
    sram += index_[i] * shape_.sram_stride[i];
  }
  while (row_offset_ < shape_.row_bytes && chunk->bytes < kChunkBytes) {
    uint64_t at = iova + row_offset_;
    uint64_t part = std::min(shape_.row_bytes - row_offset_, Mmu::bytes_to_page_end(at));
    uint8_t *host = mmu.translate(space, at, part, write_, status, &chunk->walks);
    *address = at;
    if (host == nullptr) return false;
    Run *last = chunk->runs.empty() ? nullptr : &chunk->runs.back();
    if (last != nullptr && last->host + last->bytes == host && last->sram + last->bytes == sram + row_offset_)
      last->bytes += part;
    else
      chunk->runs.push_back({host, sram + row_offset_, part});
    count_requests(chunk, at, part);
    row_offset_ += part;
  }
  return true;
}

void DmaPlan::count_requests(Chunk *chunk, uint64_t iova, uint64_t bytes) {
  bool follows = any_ && iova == last_end_;
  if (follows && !chunk->stretches.empty())
    chunk->stretches.back().bytes += bytes;
  else
    chunk->stretches.push_back({iova, bytes});
  chunk->bytes += bytes;
  chunk->bursts += blocks_touched(iova, iova + bytes, burst_bytes_) - (follows && iova % burst_bytes_ != 0);
  chunk->beats += blocks_touched(iova, iova + bytes, beat_bytes_) - (follows && iova % beat_bytes_ != 0);
  last_end_ = iova + bytes;
  any_ = true;
}

void DmaPlan::step() {
  row_offset_ = 0;
  for (int i = 0; i < 3; ++i) {
    if (++index_[i] < shape_.count[i]) return;
    index_[i] = 0;
  }
  done_ = true;
}

} // namespace avocet::model
