// SPDX-License-Identifier: Apache-2.0
// A device for the driver core without the model: registers, the arena as bus memory, the real firmware on a thread of its own, and
// a sequencer that does what the test says with a job (by default: ends it at once). Interrupts, doorbells and whole
// registers can be lost.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "avocet_firmware.h"
#include "avocet_isa.h"

extern "C" {
#include "device.h"
}

namespace avocet::test {

/// How a job ends; hold = not before FakeDevice::release().
struct Ending {
  uint32_t status = AVOCET_STATUS_OK;
  uint32_t position = 0;
  uint64_t address = 0;
  bool hold = false;
};

class FakeDevice {
 public:
  FakeDevice() {
    os.opaque = this;
    os.rd32 = [](void* self, uint32_t offset) { return static_cast<FakeDevice*>(self)->host_read(offset); };
    os.wr32 = [](void* self, uint32_t offset, uint32_t value) {
      static_cast<FakeDevice*>(self)->host_write(offset, value);
    };
    os.firmware = &avocet_firmware_native_image;
    os.firmware_bytes = sizeof avocet_firmware_native_image;
    os.log_level = std::getenv("AVOCET_TEST_LOG") ? 2 : -1;
    if (avocet_os_arena_open(&os) != 0) throw std::runtime_error("no memory for the arena");
    const std::pair<uint32_t, uint32_t> capabilities[] = {
        {AVOCET_REG_ID, AVOCET_MAGIC},       {AVOCET_REG_VERSION, AVOCET_VERSION}, {AVOCET_REG_ARRAY_ROWS, 16},
        {AVOCET_REG_ARRAY_COLS, 16},         {AVOCET_REG_ACC_ROWS, 1024},          {AVOCET_REG_VECTOR_LANES, 64},
        {AVOCET_REG_SRAM_BYTES, 384 * 1024}, {AVOCET_REG_SRAM_BANKS, 16},          {AVOCET_REG_DMA_CHANNELS, 4},
        {AVOCET_REG_CLOCK_KHZ, 1000000},     {AVOCET_REG_CORES, 1}};
    for (auto [offset, value] : capabilities) reg(offset) = value;
    port_ = {this, core_read, core_write, load, store, load32, store32, fence, cycles, wait_events};
    core_ = std::thread([this] { core(); });
  }

  ~FakeDevice() {
    handler_ = nullptr;  // as free_irq
    if (device) avocet_device_remove(device);
    {
      std::lock_guard lock(mutex_);
      quit_ = true;
      run_ = false;
      wake_.notify_all();
    }
    core_.join();
    avocet_os_arena_close(&os);
  }

  int probe(const avocet_parameters* parameters = nullptr) {
    avocet_device* made = nullptr;
    int error = avocet_device_probe(&os, parameters, &made);
    device = made;
    handler_ = made;
    return error;
  }

  uint32_t reg(uint32_t offset) const { return registers_[offset / 4].load(); }
  std::atomic<uint32_t>& reg(uint32_t offset) { return registers_[offset / 4]; }

  /// Decides how jobs end, on the firmware's thread; may be changed at any time.
  void on_job(std::function<Ending(const avocet_job&)> decide) {
    std::lock_guard lock(mutex_);
    on_job_ = std::move(decide);
  }
  void on_job(Ending always) {
    on_job([always](const avocet_job&) { return always; });
  }

  /// Ends the job that is held.
  void release(Ending ending = {}) {
    std::lock_guard lock(mutex_);
    end_job(ending);
  }
  /// Makes the held job look stuck: device time passes without progress.
  void let_hang() {
    uint32_t seen = ticks_ + 2;  // the firmware has looked at the job once
    while (ticks_ < seen && holds_a_job()) std::this_thread::yield();
    std::lock_guard lock(mutex_);  // the job that is held now, not one behind it
    if (holds_a_job()) cycle += (1ull << 30) + (1 << 20);
  }
  /// The core does not wake any more / wakes again.
  void deafen(bool deaf) {
    std::lock_guard lock(mutex_);
    deaf_ = deaf;
    wake_.notify_all();
  }
  /// The core sleeps until the device has been reset; then jobs end again, and the driver, which until then has little patience
  /// with the firmware's answers, has what it had. A job in hardware, or a request that needs an answer, finds out.
  void sleep_until_reset() {
    std::lock_guard lock(mutex_);
    admin_timeout_ms_ = device->parameters.admin_timeout_ms;
    device->parameters.admin_timeout_ms = 50;
    deaf_ = revive_ = true;
  }
  /// The watchdog's looks, as many as it takes: time passes for the driver and for nobody else.
  template <typename Condition>
  void look_until(Condition condition) {
    while (!condition()) avocet_reset_check(device);
  }
  /// A job has started and on_job said that it is held.
  bool holds_a_job() const { return holding_ && reg(AVOCET_REG_SEQ_STATE) != 0; }

  /// Host pointer of a device address of the running job, or NULL; what the IOMMU does.
  void* translate(uint64_t iova, bool write = false) {
    uint64_t table = reg(AVOCET_REG_SEQ_TABLE_LO) | uint64_t{reg(AVOCET_REG_SEQ_TABLE_HI)} << 32;
    if (iova > UINT32_MAX) return nullptr;
    uint64_t first = entry(table + (iova >> AVOCET_L1_SHIFT) * 8);
    if (!(first & AVOCET_PTE_VALID)) return nullptr;
    uint64_t second = entry((first & ~0xFFFull) + (iova >> AVOCET_L2_SHIFT & 511) * 8);
    if (!(second & AVOCET_PTE_VALID) || (write && !(second & AVOCET_PTE_WRITE))) return nullptr;
    return avocet_os_arena_translate(&os, (second & ~0xFFFull) + (iova & 0xFFF), 1);
  }

  avocet_os_device os{};
  avocet_device* device = nullptr;
  std::atomic<bool> abort_works{true};
  std::atomic<bool> engine_reset_works{true};
  std::atomic<bool> gone{false};             // all ones
  std::atomic<bool> reset_works{true};
  std::atomic<bool> die_at_start{false};     // the core never returns from starting a job
  std::atomic<int> lose_interrupts{0};       // the next n
  std::atomic<int> lose_doorbells{0};        // the next n
  std::atomic<uint64_t> cycle{1000};
  std::atomic<uint32_t> doorbells{0};        // that arrived
  std::atomic<uint32_t> jobs_started{0};
  std::atomic<uint32_t> invalidations{0};

 private:
  static FakeDevice& self(void* opaque) { return *static_cast<FakeDevice*>(opaque); }

  uint64_t entry(uint64_t bus) {
    auto* word = static_cast<uint64_t*>(avocet_os_arena_translate(&os, bus, 8));
    return word ? __atomic_load_n(word, __ATOMIC_ACQUIRE) : 0;
  }

  // ---- the host's side ----
  uint32_t host_read(uint32_t offset) {
    if (gone) return UINT32_MAX;
    if (offset == AVOCET_REG_CYCLE_LO) return static_cast<uint32_t>(cycle.load());
    if (offset == AVOCET_REG_CYCLE_HI) return static_cast<uint32_t>(cycle.load() >> 32);
    return reg(offset);
  }

  void host_write(uint32_t offset, uint32_t value) {
    if (gone) return;
    std::lock_guard lock(mutex_);
    switch (offset) {
      case AVOCET_REG_DOORBELL:
        if (lose_doorbells > 0) {
          lose_doorbells--;
          return;
        }
        doorbells++;
        reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_DOORBELL;
        break;
      case AVOCET_REG_IRQ_STATUS:
        reg(offset) &= ~value;
        break;
      case AVOCET_REG_CONTROL:
        if (value & AVOCET_CONTROL_RESET) {
          reset_ = true;
          reg(offset) = AVOCET_CONTROL_RESET;
          run_ = false;
        } else {
          run_ = (value & AVOCET_CONTROL_RUN) != 0;
          reg(offset) = value & AVOCET_CONTROL_RUN;
        }
        break;
      default:
        reg(offset) = value;
    }
    wake_.notify_all();
  }

  // ---- the core's thread ----
  void core() {
    std::unique_lock lock(mutex_);
    while (!quit_) {
      if (reset_ && reset_works) finish_reset();
      if (!run_) {
        reg(AVOCET_REG_FW_STATE) = AVOCET_FIRMWARE_STATE_OFF;
        wake_.wait(lock, [this] { return quit_ || run_ || (reset_ && reset_works); });
        continue;
      }
      reg(AVOCET_REG_CORE_EVENTS) = 0;
      lock.unlock();
      avocet_firmware_main(&firmware_, &port_);
      lock.lock();
    }
  }

  void finish_reset() {
    reset_ = false;
    if (revive_) {
      revive_ = deaf_ = false;
      on_job_ = nullptr;
      device->parameters.admin_timeout_ms = admin_timeout_ms_;
    }
    reg(AVOCET_REG_GENERATION)++;
    for (uint32_t offset : {AVOCET_REG_SEQ_STATE, AVOCET_REG_IRQ_STATUS, AVOCET_REG_IRQ_MASK, AVOCET_REG_CORE_EVENTS,
                            AVOCET_REG_CORE_TIMER, AVOCET_REG_FW_STATE, AVOCET_REG_FW_ERROR, AVOCET_REG_NPU_STATE})
      reg(offset) = 0;
    reg(AVOCET_REG_CONTROL) = 0;
  }

  static uint32_t wait_events(void* opaque) {
    FakeDevice& d = self(opaque);
    std::unique_lock lock(d.mutex_);
    for (;;) {
      if (!d.run_ || d.quit_) return 0;
      if (!d.deaf_) {
        if (uint32_t events = d.reg(AVOCET_REG_CORE_EVENTS)) return events;
      }
      uint32_t timer = d.reg(AVOCET_REG_CORE_TIMER);
      if (timer == 0) {
        d.wake_.wait(lock);
      } else if (d.wake_.wait_for(lock, std::chrono::microseconds(20)) == std::cv_status::timeout) {
        d.cycle += 1000;  // not `timer`: how long a job hangs is let_hang's business, not the host's
        d.ticks_++;
        d.reg(AVOCET_REG_CORE_TIMER) = 0;
        d.reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_TIMER;
      }
    }
  }

  static uint32_t core_read(void* opaque, uint32_t offset) { return self(opaque).reg(offset); }

  static void core_write(void* opaque, uint32_t offset, uint32_t value) {
    FakeDevice& d = self(opaque);
    d.cycle += 5;
    switch (offset) {
      case AVOCET_REG_CORE_FW_STATE:
        d.reg(AVOCET_REG_FW_STATE) = value;
        return d.raise(AVOCET_IRQ_STATUS_FIRMWARE);
      case AVOCET_REG_CORE_FW_VERSION:
        d.reg(AVOCET_REG_FW_VERSION) = value;
        return;
      case AVOCET_REG_CORE_FW_ERROR:
        d.reg(AVOCET_REG_FW_ERROR) = value;
        return;
      case AVOCET_REG_CORE_HEARTBEAT:
        d.reg(AVOCET_REG_FW_HEARTBEAT) = value;
        return;
      case AVOCET_REG_CORE_IRQ_RAISE:
        return d.raise(value);
      case AVOCET_REG_CORE_EVENTS: {
        std::lock_guard lock(d.mutex_);
        d.reg(offset) &= ~value;
        return;
      }
      case AVOCET_REG_SEQ_CONTROL:
        return d.control(value);
      default:
        d.reg(offset) = value;
    }
  }

  void raise(uint32_t bits) {
    {
      std::lock_guard lock(mutex_);
      const uint32_t before = reg(AVOCET_REG_IRQ_STATUS).fetch_or(bits);
      if (!(bits & ~before & reg(AVOCET_REG_IRQ_MASK))) return;  // a bit that is up already interrupts nobody
    }
    if (lose_interrupts > 0) {
      lose_interrupts--;
      return;
    }
    if (avocet_device* handler = handler_) avocet_device_interrupt(handler);
  }

  void control(uint32_t value) {
    if (value & AVOCET_SEQ_CONTROL_INVALIDATE) invalidations++;
    if ((value & AVOCET_SEQ_CONTROL_ABORT) && reg(AVOCET_REG_SEQ_STATE) && abort_works) {
      std::lock_guard lock(mutex_);
      end_job({AVOCET_STATUS_ABORTED});
    }
    if ((value & AVOCET_SEQ_CONTROL_RESET) && engine_reset_works) {
      std::lock_guard lock(mutex_);
      reg(AVOCET_REG_NPU_RESETS)++;
      end_job({AVOCET_STATUS_ABORTED});
    }
    if ((value & AVOCET_SEQ_CONTROL_PREEMPT) && reg(AVOCET_REG_SEQ_STATE)) {
      std::lock_guard lock(mutex_);
      end_job({AVOCET_STATUS_PREEMPTED});
    }
    if (!(value & AVOCET_SEQ_CONTROL_START) || reg(AVOCET_REG_SEQ_STATE)) return;
    if (!die_at_start) return start();
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return !run_; });
  }

  void start() {
    uint64_t at = reg(AVOCET_REG_SEQ_JOB_LO) | uint64_t{reg(AVOCET_REG_SEQ_JOB_HI)} << 32;
    avocet_job job{};
    std::memcpy(&job, avocet_os_arena_translate(&os, at, sizeof job), sizeof job);
    reg(AVOCET_REG_SEQ_START_LO) = static_cast<uint32_t>(cycle.load());
    reg(AVOCET_REG_SEQ_PROGRESS) = 0;
    holding_ = false;
    reg(AVOCET_REG_SEQ_STATE) = 1;
    reg(AVOCET_REG_NPU_CONTEXT) = reg(AVOCET_REG_SEQ_CONTEXT).load();
    reg(AVOCET_REG_NPU_JOB_LO) = reg(AVOCET_REG_SEQ_JOB_LO).load();
    reg(AVOCET_REG_NPU_JOB_HI) = reg(AVOCET_REG_SEQ_JOB_HI).load();
    reg(AVOCET_REG_NPU_STATE) = 1;
    jobs_started++;
    std::function<Ending(const avocet_job&)> decide;
    {
      std::lock_guard lock(mutex_);
      decide = on_job_;
    }
    Ending ending = decide ? decide(job) : Ending{};
    std::lock_guard lock(mutex_);
    if (ending.hold)
      holding_ = true;
    else
      end_job(ending);
  }

  void end_job(Ending ending) {
    if (!reg(AVOCET_REG_SEQ_STATE)) return;
    cycle += 100;
    reg(AVOCET_REG_SEQ_PROGRESS) = 1;
    reg(AVOCET_REG_SEQ_STATUS) = ending.status;
    reg(AVOCET_REG_SEQ_POSITION) = ending.position;
    reg(AVOCET_REG_SEQ_ADDRESS_LO) = static_cast<uint32_t>(ending.address);
    reg(AVOCET_REG_SEQ_END_LO) = static_cast<uint32_t>(cycle.load());
    reg(AVOCET_REG_SEQ_STATE) = 0;
    reg(AVOCET_REG_NPU_STATE) = 0;
    reg(AVOCET_REG_CORE_EVENTS) |= AVOCET_CORE_EVENTS_SEQUENCER;
    wake_.notify_all();
  }

  // ---- bus memory ----
  static bool load(void* opaque, uint64_t address, void* data, uint32_t bytes) {
    void* p = avocet_os_arena_translate(&self(opaque).os, address, bytes);
    if (p) std::memcpy(data, p, bytes);
    return p != nullptr;
  }
  static bool store(void* opaque, uint64_t address, const void* data, uint32_t bytes) {
    void* p = self(opaque).run_ ? avocet_os_arena_translate(&self(opaque).os, address, bytes) : nullptr;
    if (p) std::memcpy(p, data, bytes);
    return p != nullptr;
  }
  static bool load32(void* opaque, uint64_t address, uint32_t* value) {
    auto* p = static_cast<uint32_t*>(avocet_os_arena_translate(&self(opaque).os, address, 4));
    if (p) *value = __atomic_load_n(p, __ATOMIC_ACQUIRE);
    return p != nullptr;
  }
  static bool store32(void* opaque, uint64_t address, uint32_t value) {
    void* at = self(opaque).run_ ? avocet_os_arena_translate(&self(opaque).os, address, 4) : nullptr;
    auto* p = static_cast<uint32_t*>(at);
    if (p) __atomic_store_n(p, value, __ATOMIC_RELEASE);
    return p != nullptr;
  }
  static void fence(void*) { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static uint64_t cycles(void* opaque) { return self(opaque).cycle++; }

  std::array<std::atomic<uint32_t>, AVOCET_REGISTER_BYTES / 4> registers_{};
  std::mutex mutex_;  // events, run, reset, on_job_
  std::atomic<bool> holding_{false};
  std::function<Ending(const avocet_job&)> on_job_;
  std::atomic<uint32_t> ticks_{0};
  std::condition_variable wake_;
  std::atomic<bool> run_{false};  // written under mutex_
  bool reset_ = false, quit_ = false, deaf_ = false, revive_ = false;
  uint32_t admin_timeout_ms_ = 0;                 // of the driver before sleep_until_reset
  std::atomic<avocet_device*> handler_{nullptr};  // who gets interrupts
  avocet_firmware_port port_{};
  avocet_firmware firmware_{};
  std::thread core_;
};

}  // namespace avocet::test
