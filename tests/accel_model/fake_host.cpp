// SPDX-License-Identifier: Apache-2.0
// See fake_host.hpp.
#include "fake_host.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "avocet_firmware_image.h"

namespace avocet::test {

namespace {

constexpr uint64_t kMemoryBytes = 24ull << 20;
constexpr uint64_t kStreamIova = 0xE000'0000, kPlaceBytes = 0x10'0000, kProfileIova = 0xF000'0000;
// Some small streams mean minutes of work to an instrumented build on a busy machine: only a minute in which the process computed for
// less than this shows that nothing will come.
constexpr std::clock_t kLeastWork = CLOCKS_PER_SEC / 20;

std::atomic_ref<uint32_t> shared(uint32_t &word) { return std::atomic_ref<uint32_t>(word); }

} // namespace

std::string engine_under_test() {
  const char *engine = std::getenv("AVOCET_ENGINE");
  return engine != nullptr ? engine : "timed";
}

FakeHost::FakeHost() : memory_(kMemoryBytes) {}

FakeHost::~FakeHost() { close(); }

std::string FakeHost::open(const char *config) { return open(config, engine_under_test().c_str()); }

std::string FakeHost::open(const char *config, const char *engine) {
  avocet_model_host host{};
  host.opaque = this;
  host.translate = translate;
  host.interrupt = interrupt;
  host.slice = record_slices || on_slice ? slice : nullptr;
  host.job = job;
  host.firmware = std::getenv("AVOCET_FIRMWARE");
  char error[256];
  int result = avocet_model_open(config, engine, &host, error, sizeof error);
  open_ = result == 0;
  return open_ ? "" : std::to_string(result) + " " + error;
}

void FakeHost::close() {
  if (open_) avocet_model_close();
  open_ = false;
}

uint64_t FakeHost::allocate(uint64_t bytes) {
  uint64_t pages = (bytes + AVOCET_PAGE_BYTES - 1) / AVOCET_PAGE_BYTES * AVOCET_PAGE_BYTES;
  if (used_ + pages > memory_.size()) throw std::runtime_error("the fake host is out of memory");
  uint64_t bus = kBus + used_;
  used_ += pages;
  std::memset(at(bus), 0, pages);
  return bus;
}

void *FakeHost::translate(void *opaque, uint64_t address, uint64_t bytes, bool) {
  auto &host = *static_cast<FakeHost *>(opaque);
  if (address < kBus || address - kBus > host.used_ || bytes > host.used_ - (address - kBus)) return nullptr;
  if (host.broken_bus != 0 && address / AVOCET_PAGE_BYTES == host.broken_bus / AVOCET_PAGE_BYTES) return nullptr;
  return host.at(address);
}

void FakeHost::interrupt(void *opaque) {
  auto &host = *static_cast<FakeHost *>(opaque);
  ++host.interrupts_;
  if (host.on_interrupt)
    host.on_interrupt();
  else
    host.handle_interrupt();
}

void FakeHost::handle_interrupt() {
  uint32_t status = read(AVOCET_REG_IRQ_STATUS);
  write(AVOCET_REG_IRQ_STATUS, status);
  interrupt_bits_ |= status;
  std::lock_guard lock(mutex_);
  completions_pending_ = true;
  arrived_.notify_all();
}

void FakeHost::slice(void *opaque, const avocet_model_slice *slice) {
  auto &host = *static_cast<FakeHost *>(opaque);
  if (host.record_slices) host.slices.push_back(*slice);
  if (host.on_slice) host.on_slice(*slice);
}

namespace {

uint64_t sum(const avocet_model_counters &counters) {
  uint64_t all = 0;
  for (uint64_t cycles : counters.cycles) all += cycles;
  return all;
}

// "" or what is wrong with the counters of one unit.
std::string complaint(const avocet_model_job &job, uint32_t unit) {
  const avocet_model_counters &total = job.units[unit];
  const bool present = unit <= AVOCET_UNIT_VECTOR ||
                       (unit >= AVOCET_UNIT_DMA0 && unit < AVOCET_UNIT_DMA0 + FakeHost::read(AVOCET_REG_DMA_CHANNELS));
  if (sum(total) != (present ? job.end_cycle - job.start_cycle : 0)) return "do not add up to the job's";
  if (total.cycles[AVOCET_CYCLE_FIRMWARE] != 0) return "are the firmware's within a job";
  for (uint32_t kind = 0; kind < AVOCET_CYCLE_KINDS; ++kind) {
    uint64_t layers = 0;
    for (uint32_t tag = 0; tag < job.tags; ++tag) layers += job.layers[tag * AVOCET_UNIT_COUNT + unit].cycles[kind];
    if (layers > (kind == AVOCET_CYCLE_IDLE ? 0 : total.cycles[kind])) return "are less than those of its layers";
  }
  uint64_t until = 0;
  avocet_model_counters ever{};
  if (avocet_model_unit_counters(job.core, unit, &until, &ever) != present) return "are there for a unit that is not";
  if (sum(ever) != until || (present && until != job.end_cycle)) return "do not add up since power-on";
  return "";
}

// The layers' events and energy are within the job's (layers without a record in the profile are in the job's alone).
bool energy_adds_up(const avocet_model_job &job) {
  for (uint32_t event = 0; event < AVOCET_EVENT_KINDS; ++event) {
    uint64_t events = 0, femtojoules = 0;
    for (uint32_t tag = 0; tag < job.tags; ++tag) {
      events += job.layer_energy[tag].events[event];
      femtojoules += job.layer_energy[tag].femtojoules[event];
    }
    if (events > job.energy->events[event] || femtojoules > job.energy->femtojoules[event]) return false;
  }
  return job.energy->events[AVOCET_EVENT_CYCLE] == job.end_cycle - job.start_cycle;
}

} // namespace

void FakeHost::job(void *opaque, const avocet_model_job *job) {
  auto &host = *static_cast<FakeHost *>(opaque);
  std::lock_guard lock(host.mutex_); // a test may be waiting for another job's completion
  JobCycles &cycles = host.job_cycles_;
  cycles = {job->job_id, job->start_cycle, job->end_cycle, job->status, {job->units, job->units + AVOCET_UNIT_COUNT}, {}, {}, {}};
  cycles.energy = *job->energy;
  cycles.layer_energy.assign(job->layer_energy, job->layer_energy + job->tags);
  if (!energy_adds_up(*job)) host.wrong_cycles_ = "job " + std::to_string(job->job_id) + ": the energy does not add up";
  for (uint32_t tag = 0; tag < job->tags; ++tag) {
    const avocet_model_counters *layer = job->layers + tag * AVOCET_UNIT_COUNT;
    cycles.layers.emplace_back(layer, layer + AVOCET_UNIT_COUNT);
  }
  if (host.keep_pieces) host.pieces.push_back(cycles);
  for (uint32_t unit = 0; unit < AVOCET_UNIT_COUNT; ++unit)
    if (std::string what = complaint(*job, unit); !what.empty())
      host.wrong_cycles_ = "job " + std::to_string(job->job_id) + ": the cycles of unit " + std::to_string(unit) + " " + what;
}

uint64_t FakeHost::make_ring(uint32_t entries, uint32_t entry_bytes) {
  uint64_t bus = allocate(sizeof(avocet_ring) + uint64_t{entries} * entry_bytes);
  auto *ring = reinterpret_cast<avocet_ring *>(at(bus));
  ring->entries = entries;
  ring->entry_bytes = entry_bytes;
  return bus;
}

void FakeHost::map(uint64_t iova, uint64_t bus, uint64_t bytes, bool writable) {
  auto *first = reinterpret_cast<uint64_t *>(at(table_));
  for (uint64_t offset = 0; offset < bytes; offset += AVOCET_PAGE_BYTES) {
    uint64_t page = iova + offset;
    uint64_t &entry = first[page >> AVOCET_L1_SHIFT];
    if (entry == 0) entry = allocate(4096) | AVOCET_PTE_VALID;
    auto *second = reinterpret_cast<uint64_t *>(at(entry & ~uint64_t{4095}));
    second[(page >> AVOCET_L2_SHIFT) & 511] = (bus + offset) | AVOCET_PTE_VALID | (writable ? AVOCET_PTE_WRITE : 0);
  }
}

void FakeHost::unmap(uint64_t iova) {
  auto *first = reinterpret_cast<uint64_t *>(at(table_));
  auto *second = reinterpret_cast<uint64_t *>(at(first[iova >> AVOCET_L1_SHIFT] & ~uint64_t{4095}));
  second[(iova >> AVOCET_L2_SHIFT) & 511] = 0;
}

bool FakeHost::wait_register(uint32_t offset, uint32_t mask, uint32_t value) {
  auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while ((read(offset) & mask) != value) {
    if (std::chrono::steady_clock::now() > stop) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

void FakeHost::boot() {
  size_t image_bytes = 0;
  const void *image = avocet_firmware_image(read(AVOCET_REG_FW_KIND), &image_bytes);
  if (image == nullptr) throw std::runtime_error("this build has no firmware for the device");
  image_ = allocate(image_bytes);
  std::memcpy(at(image_), image, image_bytes);
  admin_ = make_ring(8, sizeof(avocet_message));
  completion_ = make_ring(16, sizeof(avocet_completion));
  log_ = make_ring(1024, 1);
  jobs_ = make_ring(8, sizeof(avocet_job));
  table_ = allocate(16384);
  boot_ = allocate(sizeof(avocet_boot));
  avocet_boot boot{};
  boot.magic = AVOCET_BOOT_MAGIC;
  boot.version = AVOCET_VERSION;
  boot.admin_ring = admin_;
  boot.completion_ring = completion_;
  boot.log = log_;
  if (give_save_areas) {
    boot.save_bytes = (uint64_t{read(AVOCET_REG_SAVE_AREA_BYTES)} + 63) / 64 * 64 * 2;
    boot.save = save_ = allocate(boot.save_bytes);
  }
  std::memcpy(at(boot_), &boot, sizeof boot);
  write(AVOCET_REG_FW_IMAGE_LO, static_cast<uint32_t>(image_));
  write(AVOCET_REG_FW_IMAGE_HI, static_cast<uint32_t>(image_ >> 32));
  write(AVOCET_REG_FW_IMAGE_BYTES, static_cast<uint32_t>(image_bytes));
  write(AVOCET_REG_BOOT_LO, static_cast<uint32_t>(boot_));
  write(AVOCET_REG_BOOT_HI, static_cast<uint32_t>(boot_ >> 32));
  write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN);
  if (!wait_register(AVOCET_REG_FW_STATE, ~0u, AVOCET_FIRMWARE_STATE_READY))
    throw std::runtime_error("the firmware did not boot: state " + std::to_string(read(AVOCET_REG_FW_STATE)));
  write(AVOCET_REG_IRQ_STATUS, ~0u);
  write(AVOCET_REG_IRQ_MASK, AVOCET_IRQ_STATUS_COMPLETION | AVOCET_IRQ_STATUS_FAULT);
  if (send(AVOCET_MESSAGE_TYPE_CREATE_CONTEXT, table_, jobs_).status != AVOCET_STATUS_OK)
    throw std::runtime_error("no context");
}

avocet_completion FakeHost::send(uint32_t type, uint64_t argument0, uint64_t argument1, uint32_t context) {
  post(type, argument0, argument1, context);
  return next_completion();
}

void FakeHost::post(uint32_t type, uint64_t argument0, uint64_t argument1, uint32_t context) {
  auto *ring = reinterpret_cast<avocet_ring *>(at(admin_));
  avocet_message message{};
  message.type = type;
  message.context = context;
  message.argument0 = argument0;
  message.argument1 = argument1;
  uint32_t tail = ring->tail;
  std::memcpy(at(admin_) + sizeof *ring + tail % ring->entries * sizeof message, &message, sizeof message);
  shared(ring->tail).store(tail + 1, std::memory_order_release);
  write(AVOCET_REG_DOORBELL, 1);
}

void FakeHost::invalidate() { send(AVOCET_MESSAGE_TYPE_INVALIDATE, 0, 0); }

avocet_completion FakeHost::next_completion() {
  auto *ring = reinterpret_cast<avocet_ring *>(at(completion_));
  std::unique_lock lock(mutex_);
  while (shared(ring->tail).load(std::memory_order_acquire) == ring->head) {
    completions_pending_ = false;
    const std::clock_t before = std::clock();
    if (!arrived_.wait_for(lock, std::chrono::minutes(1), [this] { return completions_pending_; }) && std::clock() - before < kLeastWork)
      throw std::runtime_error("no completion, and nothing computes");
  }
  avocet_completion completion;
  std::memcpy(&completion, at(completion_) + sizeof *ring + ring->head % ring->entries * sizeof completion, sizeof completion);
  shared(ring->head).store(ring->head + 1, std::memory_order_release);
  return completion;
}

uint8_t *FakeHost::region(uint32_t index, uint64_t bytes, bool writable) {
  uint64_t bus = allocate(bytes);
  regions_[index] = {kRegionIova * (index + 1), bytes};
  map(regions_[index].address, bus, bytes, writable);
  return at(bus);
}

void FakeHost::submit(const std::vector<uint32_t> &stream, uint32_t profile_entries) {
  prepare(stream, profile_entries);
  ring();
}

void FakeHost::prepare(const std::vector<uint32_t> &stream, uint32_t profile_entries) {
  if (stream.size() * 4 > stream_bytes_) {
    stream_bytes_ = stream.size() * 4;
    stream_bus_ = allocate(stream_bytes_);
  }
  std::memcpy(at(stream_bus_), stream.data(), stream.size() * 4);
  map(kStreamIova, stream_bus_, stream_bytes_, false);
  profile_entries_ = profile_entries;
  if (profile_entries > 0) {
    profile_bus_ = allocate(profile_entries * sizeof(avocet_profile));
    map(kProfileIova, profile_bus_, profile_entries * sizeof(avocet_profile), true);
  }
  invalidate();
  job_ = {};
  job_.job_id = ++job_id_;
  job_.stream = kStreamIova;
  job_.stream_bytes = static_cast<uint32_t>(stream.size() * 4);
  job_.profile_entries = profile_entries;
  job_.profile = kProfileIova;
  std::memcpy(job_.region, regions_, sizeof regions_);
}

void FakeHost::ring() { ring_doorbell(jobs_, job_); }

void FakeHost::open_ring(uint32_t priority) {
  rings_[priority] = make_ring(8, sizeof(avocet_job));
  if (send(AVOCET_MESSAGE_TYPE_CREATE_RING, priority, rings_[priority]).status != AVOCET_STATUS_OK)
    throw std::runtime_error("no ring");
}

avocet_job FakeHost::describe(const std::vector<uint32_t> &stream, uint32_t place) {
  avocet_job job{};
  uint64_t bus = allocate(stream.size() * 4);
  std::memcpy(at(bus), stream.data(), stream.size() * 4);
  job.stream = kStreamIova + (place + 1) * kPlaceBytes;
  map(job.stream, bus, stream.size() * 4, false);
  job.job_id = 1000 * (place + 1);
  job.stream_bytes = static_cast<uint32_t>(stream.size() * 4);
  std::memcpy(job.region, regions_, sizeof regions_);
  return job;
}

void FakeHost::push(uint32_t priority, const avocet_job &job) { ring_doorbell(rings_[priority], job); }

void FakeHost::ring_doorbell(uint64_t ring_bus, const avocet_job &job) {
  auto *ring = reinterpret_cast<avocet_ring *>(at(ring_bus));
  uint32_t tail = ring->tail;
  std::memcpy(at(ring_bus) + sizeof *ring + tail % ring->entries * sizeof job, &job, sizeof job);
  shared(ring->tail).store(tail + 1, std::memory_order_release);
  write(AVOCET_REG_DOORBELL, 1);
}

JobResult FakeHost::wait() {
  JobResult result{next_completion(), {}, {}};
  {
    std::lock_guard lock(mutex_);
    result.cycles = job_cycles_;
    if (!wrong_cycles_.empty()) throw std::runtime_error(wrong_cycles_);
  }
  if (result.completion.status == AVOCET_STATUS_OK && profile_entries_ > 0) {
    result.profile.resize(profile_entries_);
    std::memcpy(result.profile.data(), at(profile_bus_), profile_entries_ * sizeof(avocet_profile));
  }
  return result;
}

JobResult FakeHost::run(const std::vector<uint32_t> &stream, uint32_t profile_entries) {
  submit(stream, profile_entries);
  return wait();
}

} // namespace avocet::test
