// SPDX-License-Identifier: Apache-2.0
// Jobs of six contexts and three priorities, all in their rings before the firmware looks: they get there in the interrupt handler,
// while the management core sleeps. Prints how they ended, in the order of their completions. For engines_agree_test: the order is
// the scheduler's, whatever the firmware runs on.
// Usage: job_order ENGINE FIRST_SEED SEEDS
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "fake_host.hpp"
#include "stream_builder.hpp"

namespace {

using namespace avocet::test;

constexpr uint32_t kFirstContext = 2, kContexts = 6, kRounds = 3, kRingEntries = 8;
constexpr uint64_t kEmpty = 0xE100'0000, kIllegal = 0xE110'0000, kFills = 0xE120'0000, kUnmapped = 0xE130'0000;

class Order : public FakeHost {
public:
  explicit Order(uint32_t seed) : random_(seed) {
    on_interrupt = [this] {
      if (fill_) fill();
      handle_interrupt();
    };
  }

  // Contexts, their rings, and the streams that all of them see.
  void prepare_contexts() {
    StreamBuilder empty, fills;
    avocet_cmd_dma_fill fill{};
    fill.row_bytes = 64;
    fill.count0 = fill.count1 = 1;
    for (int i = 0; i < 20; ++i) fills.add(fill);
    place(kEmpty, empty.finish());
    place(kIllegal, {0x000001EE});
    place(kFills, fills.finish());
    for (uint32_t c = 0; c < kContexts; ++c) {
      for (uint64_t &ring : rings_[c]) ring = make_ring(kRingEntries, sizeof(avocet_job));
      expect_ok(send(AVOCET_MESSAGE_TYPE_CREATE_CONTEXT, page_table(), rings_[c][AVOCET_PRIORITY_MEDIUM], kFirstContext + c));
      for (uint32_t priority : {AVOCET_PRIORITY_LOW, AVOCET_PRIORITY_HIGH})
        expect_ok(send(AVOCET_MESSAGE_TYPE_CREATE_RING, priority, rings_[c][priority], kFirstContext + c));
    }
  }

  // A job without a mapped stream breaks its context, so those come in the last round.
  void round(bool last) {
    last_ = last;
    fill_ = true;
    post(AVOCET_MESSAGE_TYPE_PING, 0, 0); // for its interrupt
    for (uint32_t ended = 0, answers = 0; answers == 0 || ended < jobs_;) {
      avocet_completion c = next_completion();
      while (fill_) std::this_thread::yield();
      if (c.type == AVOCET_COMPLETION_TYPE_MESSAGE) {
        ++answers;
        continue;
      }
      ++ended;
      std::printf("job %llu of context %u: %u at %u, %u commands\n", static_cast<unsigned long long>(c.job_id), c.context,
                  c.status, c.position, c.commands);
      write(AVOCET_REG_DOORBELL, 1); // the ring may have been full
    }
  }

private:
  static void expect_ok(const avocet_completion &answer) {
    if (answer.status == AVOCET_STATUS_OK) return;
    std::fprintf(stderr, "message refused: status %u\n", answer.status);
    std::exit(1);
  }

  void place(uint64_t iova, const std::vector<uint32_t> &stream) {
    uint64_t bus = allocate(4096);
    std::memcpy(at(bus), stream.data(), stream.size() * 4);
    map(iova, bus, 4096, false);
    bytes_[(iova - kEmpty) >> 20] = static_cast<uint32_t>(stream.size() * 4);
  }

  void fill() {
    jobs_ = 0;
    for (auto &rings : rings_)
      for (uint64_t ring : rings)
        for (uint32_t n = random_() % 5; n > 0; --n, ++jobs_) enqueue(ring);
    write(AVOCET_REG_DOORBELL, 1);
    fill_ = false;
  }

  void enqueue(uint64_t ring_bus) {
    auto *ring = reinterpret_cast<avocet_ring *>(at(ring_bus));
    const uint32_t kind = random_() % (last_ ? 4 : 3);
    avocet_job job{};
    job.job_id = ++job_id_;
    job.stream = kEmpty + (uint64_t{kind} << 20);
    job.stream_bytes = job.stream == kUnmapped ? 4 : bytes_[kind];
    const uint32_t tail = ring->tail;
    std::memcpy(at(ring_bus) + sizeof *ring + tail % kRingEntries * sizeof job, &job, sizeof job);
    std::atomic_ref<uint32_t>(ring->tail).store(tail + 1, std::memory_order_release);
  }

  std::mt19937 random_;
  uint64_t rings_[kContexts][AVOCET_PRIORITY_COUNT] = {};
  uint32_t bytes_[4] = {};
  uint64_t job_id_ = 0;
  bool last_ = false;
  uint32_t jobs_ = 0; // of the round; fill_ hands over
  std::atomic<bool> fill_{false};
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const uint32_t first = static_cast<uint32_t>(std::atoi(argv[2])), seeds = static_cast<uint32_t>(std::atoi(argv[3]));
  for (uint32_t seed = first; seed < first + seeds; ++seed) {
    Order host(seed);
    std::string error = host.open(nullptr, argv[1]);
    if (!error.empty()) {
      std::fprintf(stderr, "%s\n", error.c_str());
      return 1;
    }
    host.boot();
    host.prepare_contexts();
    for (uint32_t n = 0; n < kRounds; ++n) host.round(n + 1 == kRounds);
  }
  return 0;
}
