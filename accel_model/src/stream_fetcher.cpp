// SPDX-License-Identifier: Apache-2.0
// Fetching ahead.
#include "stream_fetcher.hpp"

#include <algorithm>

namespace avocet::model {

namespace {

constexpr uint64_t kBlockBytes = 256;

} // namespace

StreamFetcher::StreamFetcher(sc_core::sc_module_name name, Blocks &blocks, Process &reader)
    : sc_module(name), Process(blocks.time, blocks.reset), blocks_(blocks), reader_(reader),
      port_(*this, blocks, AVOCET_TRACK_SEQUENCER) {
  SC_HAS_PROCESS(StreamFetcher);
  SC_THREAD(run);
}

void StreamFetcher::start(uint32_t context, uint64_t iova, uint64_t from, uint64_t bytes) {
  context_ = context;
  iova_ = iova;
  bytes_ = bytes;
  next_ = consumed_ = from;
  ++streams_;
  buffer_.clear();
  if (blocks_.timed)
    wake();
  else if (from < bytes)
    fetch_block();
}

void StreamFetcher::consume(uint64_t until) {
  consumed_ = until;
  bool room = false;
  for (; !buffer_.empty() && buffer_.front().end <= until; buffer_.pop_front()) room = true;
  if (room) wake();
}

uint64_t StreamFetcher::arrival(uint64_t until) const {
  uint64_t last = 0;
  for (const Block &block : buffer_) {
    last = std::max(last, block.arrival);
    if (block.end >= until) return last;
  }
  return kUnknown;
}

void StreamFetcher::run() {
  for (;;) {
    begin();
    port_.restart();
    try {
      for (;;) {
        wait_until([this] { return next_ < bytes_ && block_end() <= consumed_ + blocks_.config.sequencer_prefetch_bytes; });
        fetch_block();
      }
    } catch (const ResetSignal &) {
      stop();
    }
  }
}

// Engine functional takes no time: all at once.
uint64_t StreamFetcher::block_end() const {
  return blocks_.timed ? std::min((next_ / kBlockBytes + 1) * kBlockBytes, bytes_) : bytes_;
}

void StreamFetcher::fetch_block() {
  const uint64_t stream = streams_, end = block_end();
  const MemoryPort::Access access{context_, iova_ + next_, end - next_, false};
  next_ = end;
  port_.count(access);
  blocks_.ledger.sequencer_moved(access.bytes, false);
  const uint64_t arrival = blocks_.timed ? port_.request(access) : time_.now();
  if (stream != streams_) return; // nobody wants it any more
  buffer_.push_back({end, arrival});
  reader_.wake();
}

} // namespace avocet::model
