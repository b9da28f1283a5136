// SPDX-License-Identifier: Apache-2.0
// The thread on which SystemC elaborates and runs. While there is work it simulates in pieces; otherwise it sleeps and simulated
// time stands still. Host writes enter between pieces, and only when the management core sleeps, so that a host which waits for
// one job before the next gets the same cycles in every run; CONTROL alone enters always.
#pragma once

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <sys/types.h>

#include "device.hpp"
#include "posted_writes.hpp"

namespace avocet::model {

class SimulationThread {
public:
  // Starts the thread and elaborates; returns "" or why not.
  std::string start(const Config &config);

  void power_on(const avocet_model_host &host);
  // Returns when the device has stopped and the thread sleeps.
  void power_off();

  uint32_t read(uint32_t offset) const;
  void write(uint32_t offset, uint32_t value);
  bool unit_counters(uint32_t core, uint32_t unit, uint64_t *cycles, avocet_model_counters *counters) const {
    const Blocks *blocks = state_ == State::kOn ? device_.load()->core(core) : nullptr;
    return blocks != nullptr && blocks->ledger.read(unit, cycles, counters);
  }
  bool dram_counters(avocet_model_dram_counters *counters) const;
  int write_waves(const std::string &path) { return state_ == State::kOn ? device_.load()->write_waves(path) : -ENODEV; }
  int finish_waves();
  FaultInjector &faults() { return device_.load()->shared().faults; }

  // Process exit: stops the thread wherever it is, or gives up after a while.
  void park();

private:
  enum class State { kElaborating, kOff, kOn, kStopping, kParked };
  enum class Finish { kNo, kWhenIdle, kNow, kDone }; // of the waves

  void run(const Config *config);
  void elaborate(const Config &config);
  void serve();
  void apply_writes(bool all);
  void simulate_piece();
  void stop_device();
  void serve_finish(bool idle);
  void enter(State state);
  void wait_for(State state);

  std::atomic<Device *> device_{nullptr};
  PostedWrites writes_;
  std::atomic<bool> park_requested_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<State> state_{State::kElaborating};
  std::atomic<Finish> finish_{Finish::kNo};
  int finish_result_ = 0; // when done
  std::string failure_;
  pid_t process_ = 0;
  std::atomic<std::thread::id> id_{};
  uint64_t piece_cycles_ = 0;
};

} // namespace avocet::model
