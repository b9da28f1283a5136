// SPDX-License-Identifier: Apache-2.0
// The firmware's rings: messages, job descriptors, ring headers and indices of any content, doorbells, ends of jobs. It must
// return when the core is reset, in a state of the contract, and answer no more messages than it was sent.
#include <cstddef>

#include "../firmware/fake_processor.hpp"
#include "input_reader.hpp"

using avocet::fuzz::InputReader;
using avocet::test::FakeProcessor;

namespace {

constexpr uint32_t kContexts = 4;

/// Addresses that rings and messages name: mostly sensible ones.
uint64_t address(InputReader& in) {
  switch (in.below(4)) {
    case 0: return FakeProcessor::kJobs + in.below(kContexts + 1) * FakeProcessor::kJobsStep;
    case 1: return FakeProcessor::kTable;
    case 2: return FakeProcessor::kBase + in.take<uint32_t>() % 0x400000;
    default: return in.take<uint64_t>();
  }
}

uint64_t ring_address(InputReader& in) {
  switch (in.below(4)) {
    case 0: return FakeProcessor::kAdmin;
    case 1: return FakeProcessor::kCompletion;
    case 2: return FakeProcessor::kLog;
    default: return FakeProcessor::kJobs + (1 + in.below(kContexts)) * FakeProcessor::kJobsStep;
  }
}

void set_word(FakeProcessor& p, uint64_t ring, size_t offset, uint32_t value) { p.write(ring + offset, value); }

/// One thing that the world around the firmware does.
void step(FakeProcessor& p, InputReader& in) {
  switch (in.below(12)) {
    case 0:
      p.create(1 + in.below(kContexts), 2u << in.below(6), in.take<uint32_t>());
      break;
    case 1:
      p.message(in.below(8), in.below(kContexts + 2), address(in), address(in));
      break;
    case 2: {
      auto message = in.take<avocet_message>();
      p.push(FakeProcessor::kAdmin, message);
      break;
    }
    case 3:
      p.submit(1 + in.below(kContexts), in.take<uint16_t>(), in.below(2) ? in.take<uint32_t>() : 0);
      break;
    case 4:
      set_word(p, ring_address(in), offsetof(avocet_ring, tail), in.take<uint32_t>());
      break;
    case 5:
      set_word(p, ring_address(in), offsetof(avocet_ring, head), in.take<uint32_t>());
      break;
    case 6: {  // as a driver takes completions
      const auto header = p.ring(FakeProcessor::kCompletion);
      set_word(p, FakeProcessor::kCompletion, offsetof(avocet_ring, head), header.tail);
      break;
    }
    case 7:
      if (p.reg(AVOCET_REG_SEQ_STATE)) p.end_job(in.below(20), in.take<uint8_t>(), in.take<uint32_t>());
      break;
    case 8:
      p.now += in.below(2) ? 1ull << 30 : in.take<uint16_t>();
      p.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
      break;
    case 9:
      p.reg(AVOCET_REG_CORE_EVENTS) |= in.below(8);
      break;
    case 10: {
      const uint64_t begin = address(in);
      if (in.below(4) == 0) p.bad.push_back({begin, begin + in.take<uint16_t>()});
      break;
    }
    default:
      p.doorbell();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  InputReader in(data, size);
  FakeProcessor p;
  const uint32_t ending = in.below(4);  // do jobs end by themselves?
  if (ending == 1) p.on_start = [](uint64_t) {};
  if (ending == 2) p.on_start = [&](uint64_t) { p.end_job(in.below(20)); };
  if (in.below(4) == 1) p.on_abort = [] {};
  if (in.below(8) == 1) {  // a header that is not right at boot
    const uint64_t ring = ring_address(in);
    set_word(p, ring, in.below(3) * 4, in.take<uint32_t>());
  }
  p.run_while([&] {
    if (in.empty()) return false;
    try {
      step(p, in);
    } catch (const std::out_of_range&) {  // a ring whose header the input destroyed has no place for an entry
    }
    return true;
  });
  const uint32_t state = p.state();
  avocet::fuzz::require(state >= AVOCET_FIRMWARE_STATE_READY && state <= AVOCET_FIRMWARE_STATE_SUSPENDED, "a state of the contract");
  if (state == AVOCET_FIRMWARE_STATE_HALTED || state == AVOCET_FIRMWARE_STATE_FAILED)
    avocet::fuzz::require(p.error() != AVOCET_STATUS_OK, "a reason");
  return 0;
}
