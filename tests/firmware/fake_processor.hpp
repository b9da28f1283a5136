// SPDX-License-Identifier: Apache-2.0
// A processor for the firmware made of arrays: registers, bus memory and scripted sequencers, on the test's own thread. The test
// gives steps; each runs when the firmware sleeps with no event pending, and the core is reset after the last.
#pragma once

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "avocet_firmware.h"
#include "avocet_firmware_port.h"
#include "avocet_isa.h"

namespace avocet::test {

/// Zeroed memory of which only the pages that are touched cost anything: a fuzzer makes thousands of these a second.
class LazyMemory {
 public:
  explicit LazyMemory(size_t bytes)
      : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::runtime_error("no memory");
  }
  ~LazyMemory() { munmap(data_, bytes_); }
  LazyMemory(const LazyMemory&) = delete;
  LazyMemory& operator=(const LazyMemory&) = delete;
  size_t size() const { return bytes_; }
  uint8_t& operator[](size_t i) { return static_cast<uint8_t*>(data_)[i]; }

 private:
  size_t bytes_;
  void* data_;
};

class FakeProcessor {
 public:
  static constexpr uint64_t kBase = 0x80000000;
  static constexpr uint64_t kImage = kBase, kBoot = kBase + 0x100, kAdmin = kBase + 0x1000, kCompletion = kBase + 0x10000,
                            kLog = kBase + 0x60000, kJobs = kBase + 0x80000, kJobsStep = 0x10000,
                            kTable = kBase + 0x70000, kSave = kBase + 0x78000, kSaveBytes = 0x100;

  FakeProcessor() : memory_(0x120000) {
    write(kImage, avocet_firmware_native_image);
    avocet_boot boot{};
    boot.magic = AVOCET_BOOT_MAGIC;
    boot.version = AVOCET_VERSION;
    boot.admin_ring = kAdmin;
    boot.completion_ring = kCompletion;
    boot.log = kLog;
    write(kBoot, boot);
    make_ring(kAdmin, 16, sizeof(avocet_message));
    make_ring(kCompletion, 64, sizeof(avocet_completion));
    make_ring(kLog, 4096, 1);
    reg(AVOCET_REG_FW_IMAGE_LO) = static_cast<uint32_t>(kImage);
    reg(AVOCET_REG_FW_IMAGE_BYTES) = sizeof(avocet_firmware_header);
    reg(AVOCET_REG_BOOT_LO) = static_cast<uint32_t>(kBoot);
    reg(AVOCET_REG_VERSION) = AVOCET_VERSION;
    port_ = {this, rd32, wr32, load, store, load32, store32, fence, cycles, wait_events};
  }

  /// As if the hardware could preempt and the driver had given save areas; before run.
  void give_save_areas(uint32_t cores = 1) {
    reg(AVOCET_REG_SAVE_AREA_BYTES) = kSaveBytes;
    avocet_boot boot = read<avocet_boot>(kBoot);
    boot.save = kSave;
    boot.save_bytes = kSaveBytes * cores * 2;
    write(kBoot, boot);
  }

  /// Boots, runs the steps, resets.
  void run(const std::vector<std::function<void()>>& steps) {
    steps_.assign(steps.begin(), steps.end());
    avocet_firmware_main(&firmware_, &port_);
  }

  /// The same with one step over and over, as long as it returns true.
  void run_while(std::function<bool()> step) {
    endless_step_ = std::move(step);
    avocet_firmware_main(&firmware_, &port_);
    endless_step_ = nullptr;
  }

  uint32_t& reg(uint32_t offset) { return registers_[offset / 4]; }
  uint32_t state() { return reg(AVOCET_REG_CORE_FW_STATE); }
  uint32_t error() { return reg(AVOCET_REG_CORE_FW_ERROR); }

  template <typename T>
  void write(uint64_t address, const T& value) {
    if (!store(this, address, &value, sizeof value)) throw std::out_of_range("the test writes outside its memory");
  }
  template <typename T>
  T read(uint64_t address) {
    T value;
    if (!load(this, address, &value, sizeof value)) throw std::out_of_range("the test reads outside its memory");
    return value;
  }

  void make_ring(uint64_t address, uint32_t entries, uint32_t entry_bytes, uint32_t start = 0) {
    avocet_ring ring{};
    ring.entries = entries;
    ring.entry_bytes = entry_bytes;
    ring.head = ring.tail = start;
    write(address, ring);
  }
  avocet_ring ring(uint64_t address) { return read<avocet_ring>(address); }

  template <typename T>
  void push(uint64_t address, const T& entry) {
    avocet_ring header = ring(address);
    if (header.entries == 0) throw std::out_of_range("a ring without entries");
    write(address + sizeof header + header.tail % header.entries * sizeof entry, entry);
    header.tail++;
    write(address, header);
    doorbell();
  }
  void doorbell() { reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_DOORBELL; }

  void message(uint32_t type, uint32_t context = 0, uint64_t argument0 = 0, uint64_t argument1 = 0) {
    avocet_message m{};
    m.type = type;
    m.request = ++request;
    m.context = context;
    m.argument0 = argument0;
    m.argument1 = argument1;
    push(kAdmin, m);
  }
  uint64_t jobs(uint32_t context) const { return kJobs + context * kJobsStep; }
  void create(uint32_t context, uint32_t entries = 8, uint32_t start = 0) {
    make_ring(jobs(context), entries, sizeof(avocet_job), start);
    message(AVOCET_MESSAGE_TYPE_CREATE_CONTEXT, context, kTable, jobs(context));
  }
  void submit(uint32_t context, uint64_t id, uint64_t deadline = 0) {
    avocet_job job{};
    job.job_id = id;
    job.deadline_cycle = deadline;
    push(jobs(context), job);
  }
  /// The rings of other priorities than MEDIUM.
  uint64_t ring_of(uint32_t context, uint32_t priority) const {
    return priority == AVOCET_PRIORITY_MEDIUM ? jobs(context) : jobs(context) + 0x8000 + priority * 0x3000;
  }
  void create_ring(uint32_t context, uint32_t priority, uint32_t entries = 16) {
    make_ring(ring_of(context, priority), entries, sizeof(avocet_job));
    message(AVOCET_MESSAGE_TYPE_CREATE_RING, context, priority, ring_of(context, priority));
  }
  /// `parts`: streams of 8 words for so many cores.
  void submit_at(uint32_t context, uint32_t priority, uint64_t id, uint32_t parts = 0) {
    avocet_job job{};
    job.job_id = id;
    job.parts = parts;
    for (uint32_t i = 0; i < parts && i < AVOCET_CORES_MAX; i++) job.part_bytes[i] = 32;
    push(ring_of(context, priority), job);
  }

  /// Takes all completions out of the ring, as a driver does.
  std::vector<avocet_completion> drain() {
    std::vector<avocet_completion> out;
    avocet_ring header = ring(kCompletion);
    for (; header.head != header.tail; header.head++)
      out.push_back(read<avocet_completion>(kCompletion + sizeof header +
                                            header.head % header.entries * sizeof(avocet_completion)));
    write(kCompletion, header);
    return out;
  }
  std::string log() {
    avocet_ring header = ring(kLog);
    std::string text;
    for (uint32_t i = header.head; i != header.tail; i++)
      text += read<char>(kLog + sizeof header + i % header.entries);
    return text;
  }

  /// The sequencers: what happens on START, on core `core`. By default every job ends at once with status OK.
  std::function<void(uint64_t job)> on_start = [this](uint64_t) { end_job(AVOCET_STATUS_OK); };
  std::function<void()> on_abort = [this] { end_job(AVOCET_STATUS_ABORTED); };
  std::function<void()> on_reset = [this] { end_job(AVOCET_STATUS_ABORTED); };
  std::function<void()> on_preempt = [this] { end_job(AVOCET_STATUS_PREEMPTED); };
  uint32_t core = 0;  // whose SEQ_CONTROL was written last
  uint32_t& seq(uint32_t offset) { return reg(offset + core * AVOCET_SEQ_STRIDE); }
  void end_job(uint32_t status, uint32_t position = 0, uint64_t address = 0) {
    seq(AVOCET_REG_SEQ_STATE) = 0;
    seq(AVOCET_REG_SEQ_STATUS) = status;
    seq(AVOCET_REG_SEQ_POSITION) = position;
    seq(AVOCET_REG_SEQ_ADDRESS_LO) = static_cast<uint32_t>(address);
    seq(AVOCET_REG_SEQ_END_LO) = static_cast<uint32_t>(now);
    reg(AVOCET_REG_CORE_EVENTS) |= core == 0 ? AVOCET_CORE_EVENTS_SEQUENCER : 1u << (16 + core);
  }
  void end_job_on(uint32_t which, uint32_t status) {
    core = which;
    end_job(status);
  }

  uint64_t now = 1000;
  uint32_t request = 0;
  unsigned interrupts = 0;
  std::vector<uint64_t> started;               // job ids in the order of START
  std::vector<uint64_t> resumed;               // job ids in the order of START with RESTORE
  std::vector<uint64_t> save_areas;            // SEQ_SAVE of every PREEMPT and RESTORE
  std::vector<uint32_t> ran_on;                // core of every START
  unsigned preemptions = 0;                    // PREEMPTs
  std::vector<uint32_t> resets;                // cores of RESETs
  std::vector<uint32_t> invalidated;           // contexts of INVALIDATE
  std::vector<std::pair<uint64_t, uint64_t>> bad;  // [begin, end) of bus addresses that fail

 private:
  static FakeProcessor& self(void* opaque) { return *static_cast<FakeProcessor*>(opaque); }
  uint8_t* at(uint64_t address, uint64_t bytes) {
    for (auto [begin, end] : bad)
      if (address < end && address + bytes > begin) return nullptr;
    return address >= kBase && address - kBase <= memory_.size() - bytes ? &memory_[address - kBase] : nullptr;
  }
  static uint32_t rd32(void* opaque, uint32_t offset) { return self(opaque).reg(offset); }
  static void wr32(void* opaque, uint32_t offset, uint32_t value) {
    FakeProcessor& p = self(opaque);
    if (offset == AVOCET_REG_CORE_EVENTS) {
      p.reg(offset) &= ~value;
    } else if (offset == AVOCET_REG_CORE_IRQ_RAISE) {
      p.interrupts++;
    } else if (offset >= AVOCET_REG_SEQ_CONTROL && (offset - AVOCET_REG_SEQ_CONTROL) % AVOCET_SEQ_STRIDE == 0 &&
               (offset - AVOCET_REG_SEQ_CONTROL) / AVOCET_SEQ_STRIDE < AVOCET_CORES_MAX) {
      p.core = (offset - AVOCET_REG_SEQ_CONTROL) / AVOCET_SEQ_STRIDE;
      p.control(value);
    } else {
      p.reg(offset) = value;
    }
  }
  void control(uint32_t value) {
    if (value & AVOCET_SEQ_CONTROL_INVALIDATE) invalidated.push_back(reg(AVOCET_REG_SEQ_CONTEXT));
    if ((value & AVOCET_SEQ_CONTROL_ABORT) && seq(AVOCET_REG_SEQ_STATE)) on_abort();
    if (value & AVOCET_SEQ_CONTROL_RESET) resets.push_back(core);
    if ((value & AVOCET_SEQ_CONTROL_RESET) && seq(AVOCET_REG_SEQ_STATE)) on_reset();
    if (value & (AVOCET_SEQ_CONTROL_PREEMPT | AVOCET_SEQ_CONTROL_RESTORE))
      save_areas.push_back(seq(AVOCET_REG_SEQ_SAVE_LO) | uint64_t{seq(AVOCET_REG_SEQ_SAVE_HI)} << 32);
    if ((value & AVOCET_SEQ_CONTROL_PREEMPT) && seq(AVOCET_REG_SEQ_STATE)) {
      preemptions++;
      on_preempt();
    }
    if ((value & AVOCET_SEQ_CONTROL_START) && !seq(AVOCET_REG_SEQ_STATE)) {
      avocet_job descriptor{};
      const bool readable = load(this, seq(AVOCET_REG_SEQ_JOB_LO), &descriptor, sizeof descriptor);
      const uint64_t job = descriptor.job_id;
      (value & AVOCET_SEQ_CONTROL_RESTORE ? resumed : started).push_back(job);
      ran_on.push_back(core);
      seq(AVOCET_REG_SEQ_STATE) = 1;
      seq(AVOCET_REG_SEQ_START_LO) = static_cast<uint32_t>(now);
      readable ? on_start(job) : end_job(AVOCET_STATUS_BUS_ERROR);
    }
  }
  static bool load(void* opaque, uint64_t address, void* data, uint32_t bytes) {
    uint8_t* p = self(opaque).at(address, bytes);
    if (p) std::memcpy(data, p, bytes);
    return p != nullptr;
  }
  static bool store(void* opaque, uint64_t address, const void* data, uint32_t bytes) {
    uint8_t* p = self(opaque).at(address, bytes);
    if (p) std::memcpy(p, data, bytes);
    return p != nullptr;
  }
  static bool load32(void* opaque, uint64_t address, uint32_t* value) { return load(opaque, address, value, 4); }
  static bool store32(void* opaque, uint64_t address, uint32_t value) { return store(opaque, address, &value, 4); }
  static void fence(void*) {}
  static uint64_t cycles(void* opaque) { return self(opaque).now++; }
  static uint32_t wait_events(void* opaque) {
    FakeProcessor& p = self(opaque);
    while (p.reg(AVOCET_REG_CORE_EVENTS) == 0) {
      if (p.steps_.empty() && p.endless_step_ && p.endless_step_()) continue;
      if (p.steps_.empty()) return 0;
      auto step = std::move(p.steps_.front());
      p.steps_.pop_front();
      step();
    }
    return p.reg(AVOCET_REG_CORE_EVENTS);
  }

  LazyMemory memory_;
  std::array<uint32_t, AVOCET_REGISTER_BYTES / 4> registers_{};
  std::deque<std::function<void()>> steps_;
  std::function<bool()> endless_step_;
  avocet_firmware_port port_{};
  avocet_firmware firmware_{};
};

}  // namespace avocet::test
