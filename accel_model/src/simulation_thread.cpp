// SPDX-License-Identifier: Apache-2.0
// The simulation loop.
#include "simulation_thread.hpp"

#include <algorithm>
#include <chrono>

#include <unistd.h>

namespace avocet::model {

namespace {

// Host writes wait for the end of a piece at most. In functional mode a cycle is one command per unit, however large.
constexpr uint64_t kPieceCycles = 20000;
constexpr uint64_t kPieceCyclesFunctional = 4;

// How long the end of the waves waits for the device to come to rest.
constexpr std::chrono::seconds kRest{5};

} // namespace

std::string SimulationThread::start(const Config &config) {
  if (state_ == State::kParked) return failure_; // SystemC does not elaborate twice
  process_ = getpid();
  std::thread(&SimulationThread::run, this, &config).detach();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return state_ != State::kElaborating; });
  return failure_;
}

void SimulationThread::power_on(const avocet_model_host &host) {
  writes_.clear();
  device_.load()->power_on(host);
  enter(State::kOn);
}

void SimulationThread::power_off() {
  enter(State::kStopping);
  writes_.ring();
  wait_for(State::kOff);
}

uint32_t SimulationThread::read(uint32_t offset) const {
  return state_ == State::kOn ? device_.load()->host_read(offset) : UINT32_MAX;
}

void SimulationThread::write(uint32_t offset, uint32_t value) {
  if (state_ != State::kOn) return;
  Device &device = *device_.load();
  if (std::this_thread::get_id() == id_.load() && !device.resetting()) return device.host_write(offset, value);
  device.registers().prepare_write(offset, value);
  writes_.post({offset, value});
}

// Those of the job that ended last, on whatever core.
bool SimulationThread::dram_counters(avocet_model_dram_counters *counters) const {
  if (state_ != State::kOn) return false;
  uint64_t latest = 0, cycles;
  for (uint32_t number = 0; const Blocks *core = device_.load()->core(number); ++number) {
    const avocet_model_dram_counters published = core->ledger.dram(&cycles);
    if (number == 0 || cycles > latest) *counters = published, latest = cycles;
  }
  return true;
}

int SimulationThread::finish_waves() {
  Device *device = device_.load();
  if (device == nullptr || getpid() != process_) return 0;
  if (std::this_thread::get_id() == id_.load()) return device->finish_waves();
  for (Finish wish : {Finish::kWhenIdle, Finish::kNow}) {
    std::unique_lock lock(mutex_);
    if (state_ == State::kParked) return device->finish_waves();
    finish_ = wish;
    writes_.ring();
    changed_.wait_for(lock, kRest, [this] { return finish_ == Finish::kDone || state_ == State::kParked; });
    if (finish_ == Finish::kDone) return finish_result_;
  }
  return -ETIMEDOUT;
}

void SimulationThread::serve_finish(bool idle) {
  if (finish_ != Finish::kNow && !(finish_ == Finish::kWhenIdle && idle && writes_.empty())) return;
  {
    std::lock_guard lock(mutex_);
    finish_result_ = device_.load()->finish_waves();
    finish_ = Finish::kDone;
  }
  changed_.notify_all();
}

// A parked thread is gone for good.
void SimulationThread::enter(State state) {
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kParked) state_ = state;
  }
  changed_.notify_all();
}

void SimulationThread::wait_for(State state) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return state_ == state || state_ == State::kParked; });
}

void SimulationThread::run(const Config *config) {
  id_ = std::this_thread::get_id();
  try {
    elaborate(*config);
  } catch (const std::exception &error) {
    failure_ = error.what();
    return enter(State::kParked);
  }
  enter(State::kOff);
  while (!park_requested_) serve();
  enter(State::kParked);
}

void SimulationThread::elaborate(const Config &config) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  // A piece in which nobody waits for the events that fire is nothing to warn of.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
  piece_cycles_ = config.engine == "functional" ? kPieceCyclesFunctional : kPieceCycles;
  device_ = new Device("avocet", config); // lives as long as the process: SystemC cannot take it down
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

// One round: sleep, or apply writes and simulate a piece.
void SimulationThread::serve() {
  if (state_ == State::kStopping) return stop_device();
  const bool idle = !sc_core::sc_pending_activity();
  serve_finish(idle);
  if (state_ != State::kOn) return writes_.wait();
  Device &device = *device_.load();
  apply_writes(idle || device.core_asleep());
  if (sc_core::sc_pending_activity())
    simulate_piece();
  else if (writes_.empty())
    writes_.wait();
}

// all: every write up to a reset; otherwise writes to CONTROL alone.
void SimulationThread::apply_writes(bool all) {
  Device &device = *device_.load();
  PostedWrite write{};
  while (!device.resetting() && (all ? writes_.take(&write) : writes_.take_to(AVOCET_REG_CONTROL, &write)))
    device.host_write(write.offset, write.value);
}

// Time ends at the piece's last event, so it never runs ahead of the work; a piece without any goes on to the next.
void SimulationThread::simulate_piece() {
  sc_core::sc_time piece = std::max(Timebase::span(piece_cycles_), sc_core::sc_time_to_pending_activity());
  sc_core::sc_start(piece, sc_core::SC_EXIT_ON_STARVATION);
  if (state_ == State::kOn) device_.load()->end_piece();
}

void SimulationThread::stop_device() {
  device_.load()->power_off();
  while (sc_core::sc_pending_activity() && !park_requested_) simulate_piece();
  writes_.clear();
  enter(State::kOff);
}

void SimulationThread::park() {
  // In a forked child there is no such thread, and on the thread itself nothing to wait for.
  if (getpid() != process_ || std::this_thread::get_id() == id_.load()) return;
  park_requested_ = true;
  writes_.ring();
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::seconds(5), [this] { return state_ == State::kParked; });
}

} // namespace avocet::model
