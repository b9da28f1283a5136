// SPDX-License-Identifier: Apache-2.0
// One job from descriptor to profile.
#include "sequencer.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "avocet_stream.h"
#include "save_area.hpp"

namespace avocet::model {

namespace {

constexpr uint64_t kResetCycles = 64;

} // namespace

Sequencer::Sequencer(sc_core::sc_module_name name, Blocks &blocks, const std::array<Unit *, AVOCET_UNIT_COUNT> &units,
                     std::function<void()> ended)
    : sc_module(name), Process(blocks.time, blocks.reset), blocks_(blocks), units_(units), ended_(std::move(ended)),
      stream_("stream", blocks, *this), port_(*this, blocks, AVOCET_TRACK_SEQUENCER) {
  SC_HAS_PROCESS(Sequencer);
  SC_THREAD(run);
}

void Sequencer::show(Waves &waves) {
  waves_.busy = waves.number(name(), "busy", 1);
  waves_.phase = waves.word(name(), "phase", "idle");
  waves_.job = waves.number(name(), "job", 64);
  waves_.context = waves.number(name(), "context", 32);
  waves_.position = waves.number(name(), "position", 32);
}

// Tokens of the job that begins, or continues.
void Sequencer::show_completed() const {
  for (const Unit *unit : units_)
    if (unit != nullptr) unit->show_completed();
}

void Sequencer::start(bool restore) {
  if (busy_) return;
  busy_ = start_ = true;
  abort_ = preempt_ = false;
  restore_ = restore;
  NpuRegisters &registers = blocks_.registers;
  registers.set(AVOCET_REG_SEQ_STATE, 1);
  registers.set(AVOCET_REG_NPU_CONTEXT, registers.get(AVOCET_REG_SEQ_CONTEXT));
  registers.set64(AVOCET_REG_NPU_JOB_LO, registers.get64(AVOCET_REG_SEQ_JOB_LO));
  registers.set(AVOCET_REG_NPU_PROGRESS, 0);
  registers.set(AVOCET_REG_NPU_STATE, 1);
  wake();
}

void Sequencer::abort() {
  if (!busy_) return;
  abort_ = true;
  if (blocks_.job.running()) blocks_.job.fail({AVOCET_STATUS_ABORTED, position_, 0});
  stop();
}

void Sequencer::preempt() {
  if (!busy_) return;
  preempt_ = true;
  if (blocks_.job.running()) blocks_.job.pause();
  stop();
}

void Sequencer::stop() {
  wake();
  for (Unit *unit : units_)
    if (unit != nullptr) unit->wake();
}

void Sequencer::run() {
  for (;;) {
    begin();
    port_.restart();
    const bool alone = std::exchange(device_resets_, time_.resets()) == time_.resets();
    try {
      blocks_.gangs.forget(blocks_.core);
      if (busy_ && alone) end_what_was_reset();
      start_ = busy_ = abort_ = preempt_ = restore_ = false;
      blocks_.job.forget();
      blocks_.ledger.drop_job(time_.now());
      waves_.busy.set(false);
      waves_.phase.set("idle");
      for (;;) {
        wait_until([this] { return start_; });
        start_ = false;
        run_job();
      }
    } catch (const ResetSignal &) {
    }
  }
}

// The core was reset under its job.
void Sequencer::end_what_was_reset() {
  wait_cycles(kResetCycles);
  if (start_) { // it had not begun
    blocks_.registers.set64(AVOCET_REG_SEQ_START_LO, time_.now());
    blocks_.ledger.begin_job(time_.now());
    blocks_.energy.begin_job();
    position_ = 0;
  }
  fault_ = {AVOCET_STATUS_ABORTED, position_, 0};
  finish(time_.now());
}

void Sequencer::run_job() {
  uint64_t start_cycle = time_.now();
  blocks_.registers.set64(AVOCET_REG_SEQ_START_LO, start_cycle);
  blocks_.ledger.begin_job(start_cycle);
  blocks_.energy.begin_job();
  position_ = next_ = commands_ = 0;
  waves_.busy.set(true);
  waves_.phase.set("fetch");
  waves_.context.set(blocks_.registers.get(AVOCET_REG_SEQ_CONTEXT));
  at_end_ = false;
  fault_ = {};
  bool stopped = false;
  const uint32_t members = blocks_.registers.get(AVOCET_REG_SEQ_GANG);
  if (members == 0 && blocks_.faults.armed() && is_skipped()) return finish(time_.now());
  if (fetch() && (!restore_ || restore())) {
    waves_.phase.set("dispatch");
    dispatch();
    waves_.phase.set("drain");
    drain();
    fault_ = blocks_.job.fault();
    stopped = blocks_.job.paused() && !completed();
  }
  uint64_t end_cycle = time_.now();
  note_slice(start_cycle, end_cycle, "job");
  if (fault_.status == AVOCET_STATUS_OK) write_profile();
  if (fault_.status == AVOCET_STATUS_OK && stopped) save(end_cycle);
  finish(end_cycle);
}

// Test mode: taken and completed without being run.
bool Sequencer::is_skipped() {
  return blocks_.faults.strikes(FaultKind::kNullSubmission, {.context = blocks_.registers.get(AVOCET_REG_SEQ_CONTEXT)})
      .has_value();
}

bool Sequencer::read_descriptor(avocet_job *descriptor) {
  uint64_t address = blocks_.registers.get64(AVOCET_REG_SEQ_JOB_LO);
  if (blocks_.timed) wait_cycles(blocks_.memory_latency);
  if (blocks_.bus.read(address, descriptor, sizeof *descriptor)) return true;
  fault_ = {AVOCET_STATUS_BUS_ERROR, 0, address};
  return false;
}

// Of a job for several cores the part that is this core's: then the descriptor is as if there were no other.
bool Sequencer::take_part(avocet_job *descriptor) {
  const uint32_t members = blocks_.registers.get(AVOCET_REG_SEQ_GANG);
  blocks_.gangs.begin(blocks_.core, descriptor->job_id, members);
  const auto cores = static_cast<uint32_t>(std::popcount(members));
  if (descriptor->parts <= 1 && cores <= 1) return true;
  if (descriptor->parts != cores || cores > AVOCET_CORES_MAX || !(members >> blocks_.core & 1)) {
    fault_ = {AVOCET_STATUS_ILLEGAL_FIELD, 0, 0};
    return false;
  }
  const auto part = static_cast<uint32_t>(std::popcount(members & ((1u << blocks_.core) - 1)));
  for (uint32_t i = 0; i < part; ++i) descriptor->stream += descriptor->part_bytes[i];
  descriptor->stream_bytes = descriptor->part_bytes[part];
  descriptor->profile += uint64_t{part} * descriptor->profile_entries * sizeof(avocet_profile);
  return true;
}

// All of it is looked at before the first command; its way through the memory is paid for while commands are dispatched.
bool Sequencer::read_stream(const AddressSpace &space, const avocet_job &descriptor, std::vector<uint32_t> *words) {
  uint32_t bytes = descriptor.stream_bytes;
  if (bytes == 0 || bytes % 4 != 0 || bytes > AVOCET_STREAM_BYTES_MAX || descriptor.stream % 4 != 0) {
    fault_ = {AVOCET_STATUS_ILLEGAL_LENGTH, 0, descriptor.stream};
    return false;
  }
  words->resize(bytes / 4);
  uint64_t walks = 0;
  if (!blocks_.mmu.read(space, descriptor.stream, words->data(), bytes, &fault_.status, &fault_.address, &walks))
    return false;
  fault_ = {};
  if (blocks_.timed && walks > 0) wait_cycles(blocks_.config.mmu_walk_cycles);
  return true;
}

// Returns the number of tags.
uint32_t Sequencer::check_stream(const avocet_job &descriptor, const std::vector<uint32_t> &words) {
  uint64_t region_bytes[AVOCET_REGIONS];
  for (uint32_t i = 0; i < AVOCET_REGIONS; ++i) region_bytes[i] = descriptor.region[i].bytes;
  const Config &config = blocks_.config;
  avocet_limits limits{};
  limits.array_rows = static_cast<uint32_t>(config.array_rows);
  limits.array_cols = static_cast<uint32_t>(config.array_columns);
  limits.acc_rows = static_cast<uint32_t>(config.accumulator_rows);
  limits.sram_bytes = static_cast<uint32_t>(config.sram_bytes());
  limits.dma_channels = static_cast<uint32_t>(config.dma_channels);
  limits.region_bytes = region_bytes;
  avocet_stream_report report{};
  avocet_stream_check(words.data(), words.size(), &limits, &report);
  if (report.status != AVOCET_STATUS_OK)
    fault_ = {report.status, static_cast<uint32_t>(report.position), report.address};
  return report.tag_count;
}

bool Sequencer::fetch() {
  AddressSpace space{blocks_.registers.get(AVOCET_REG_SEQ_CONTEXT), blocks_.registers.get64(AVOCET_REG_SEQ_TABLE_LO)};
  uint64_t start_cycle = time_.now();
  avocet_job descriptor{};
  std::vector<uint32_t> words;
  if (!read_descriptor(&descriptor) || !take_part(&descriptor) || !read_stream(space, descriptor, &words)) return false;
  uint32_t tags = check_stream(descriptor, words);
  if (fault_.status != AVOCET_STATUS_OK) return false;
  blocks_.job.begin(space, descriptor, std::move(words), start_cycle, std::min(tags, descriptor.profile_entries));
  if (blocks_.bus.has_job_listener()) {
    blocks_.ledger.set_layers(std::min(tags, descriptor.profile_entries));
    blocks_.energy.set_layers(std::min(tags, descriptor.profile_entries));
  }
  waves_.job.set(descriptor.job_id);
  show_completed();
  if (abort_) blocks_.job.fail({AVOCET_STATUS_ABORTED, 0, 0});
  if (preempt_) blocks_.job.pause();
  return true;
}

// Where dispatching begins: a job that continues is picked up at the first command that it had not completed, or the WAIT
// before it.
uint32_t Sequencer::first_position() const {
  if (!restore_) return 0;
  std::array<uint32_t, AVOCET_UNIT_COUNT> met{};
  uint32_t at = 0;
  for (;; at += avocet_command_length(blocks_.job.words(at)[0])) {
    const uint32_t *words = blocks_.job.words(at);
    const uint32_t unit = avocet_command_unit(words);
    if (unit >= AVOCET_UNIT_COUNT || met[unit] >= blocks_.job.completed(unit)) return at;
    if (avocet_command_opcode(words[0]) != AVOCET_OP_WAIT) ++met[unit];
  }
}

void Sequencer::dispatch() {
  const uint32_t first = first_position();
  const avocet_job &descriptor = blocks_.job.descriptor();
  stream_.start(blocks_.job.space().context, descriptor.stream, uint64_t{first} * 4, descriptor.stream_bytes);
  dispatch_from(first);
  stream_.stop();
}

// The stream was checked: every command is whole, its unit exists, and END is the last.
void Sequencer::dispatch_from(uint32_t first) {
  std::array<uint32_t, AVOCET_UNIT_COUNT> met{}; // commands of each unit, without WAITs
  while (!blocks_.job.stopping()) {
    const uint32_t *words = blocks_.job.words(next_);
    const uint32_t length = avocet_command_length(words[0]);
    position_ = next_;
    waves_.position.set(position_);
    if (next_ >= first && !decode(words[0])) return;
    if (avocet_command_opcode(words[0]) == AVOCET_OP_END) {
      at_end_ = true;
      return;
    }
    if (!dispatch_one(words, &met)) return;
    next_ += length;
  }
}

// Waits for a command's words and takes the time to decode them. False: the job stops.
bool Sequencer::decode(uint32_t word0) {
  const uint64_t length = avocet_command_length(word0), end = (position_ + length) * 4;
  wait_until([&] { return stream_.arrival(end) != StreamFetcher::kUnknown || blocks_.job.stopping(); });
  if (blocks_.job.stopping()) return false;
  wait_cycles(std::max(stream_.arrival(end), time_.now()) - time_.now());
  wait_cycles(blocks_.timed ? length * blocks_.config.sequencer_word_cycles : 1);
  stream_.consume(end);
  blocks_.energy.add(avocet_command_tag(word0), AVOCET_EVENT_DRAM_BYTE, length * 4);
  return true;
}

// False: the job stops, and the unit did not take the command.
bool Sequencer::dispatch_one(const uint32_t *words, std::array<uint32_t, AVOCET_UNIT_COUNT> *met) {
  const uint32_t id = avocet_command_unit(words);
  const bool done = (*met)[id] < blocks_.job.completed(id) && restore_;
  const bool counts = avocet_command_opcode(words[0]) != AVOCET_OP_WAIT;
  if (!done) {
    Unit *unit = units_[id];
    wait_until([&] { return unit->has_room() || blocks_.job.stopping(); });
    if (blocks_.job.stopping()) return false;
    unit->push(position_);
  }
  if (counts) ++(*met)[id], ++commands_;
  return true;
}

void Sequencer::drain() {
  wait_until([this] {
    return std::all_of(units_.begin(), units_.end(), [](Unit *unit) { return unit == nullptr || unit->drained(); });
  });
}

// Of the save area, which the memory serves beside everything else.
void Sequencer::spend_transfer(uint64_t bytes) {
  wait_cycles(blocks_.timed ? blocks_.memory_latency + divide_up(bytes * 1000, blocks_.memory_bandwidth) : 1);
}

void Sequencer::move_profile(bool write, uint64_t bytes, uint64_t walks) {
  const MemoryPort::Access access{blocks_.job.space().context, blocks_.job.descriptor().profile, bytes, write};
  port_.count(access);
  blocks_.ledger.sequencer_moved(bytes, write);
  for (uint32_t tag = 0; tag < bytes / sizeof(avocet_profile); ++tag)
    blocks_.energy.add(tag, AVOCET_EVENT_DRAM_BYTE, sizeof(avocet_profile));
  if (!blocks_.timed) return;
  wait_cycles(walks * blocks_.config.mmu_walk_cycles);
  wait_cycles(port_.request(access) - time_.now());
}

// The profile so far is in its buffer already.
void Sequencer::save(uint64_t stopped_at) {
  const uint64_t from = time_.now();
  waves_.phase.set("save");
  uint64_t bytes = 0;
  const Stop stop{position_, stopped_at - blocks_.job.start_cycle()};
  if (!save_job(blocks_, blocks_.registers.get64(AVOCET_REG_SEQ_SAVE_LO), stop, &fault_, &bytes)) return;
  spend_transfer(bytes);
  note_slice(from, time_.now(), "save");
  fault_ = blocks_.job.fault(); // an abort came meanwhile
  if (fault_.status == AVOCET_STATUS_OK) fault_ = {AVOCET_STATUS_PREEMPTED, position_, 0};
}

bool Sequencer::restore() {
  const uint64_t from = time_.now();
  waves_.phase.set("restore");
  uint64_t bytes = 0;
  if (!restore_job(blocks_, blocks_.registers.get64(AVOCET_REG_SEQ_SAVE_LO), &fault_, &bytes)) return false;
  spend_transfer(bytes);
  if (!read_profile()) return false;
  blocks_.job.continue_at(time_.now());
  show_completed();
  blocks_.registers.set(AVOCET_REG_NPU_PROGRESS, blocks_.job.progress());
  note_slice(from, time_.now(), "restore");
  return true;
}

bool Sequencer::read_profile() {
  const avocet_job &descriptor = blocks_.job.descriptor();
  std::vector<avocet_profile> &records = blocks_.job.all_counters();
  if (records.empty()) return true;
  const uint64_t bytes = records.size() * sizeof(avocet_profile);
  uint64_t walks = 0;
  Fault fault;
  if (!blocks_.mmu.read(blocks_.job.space(), descriptor.profile, records.data(), bytes, &fault.status, &fault.address,
                        &walks)) {
    fault_ = {fault.status, position_, fault.address};
    return false;
  }
  move_profile(false, bytes, walks);
  return true;
}

void Sequencer::write_profile() {
  const avocet_job &descriptor = blocks_.job.descriptor();
  if (descriptor.profile_entries == 0) return;
  waves_.phase.set("profile");
  std::vector<avocet_profile> records = blocks_.job.all_counters();
  records.resize(descriptor.profile_entries <= AVOCET_TAGS_MAX ? descriptor.profile_entries : records.size());
  uint64_t bytes = records.size() * sizeof(avocet_profile);
  uint64_t walks = 0;
  Fault fault;
  if (!blocks_.mmu.write(blocks_.job.space(), descriptor.profile, records.data(), bytes, &fault.status, &fault.address,
                         &walks)) {
    fault_ = {fault.status, position_, fault.address};
    return;
  }
  move_profile(true, bytes, walks);
}

void Sequencer::finish(uint64_t end_cycle) {
  NpuRegisters &registers = blocks_.registers;
  registers.set(AVOCET_REG_SEQ_STATUS, fault_.status);
  registers.set(AVOCET_REG_SEQ_POSITION, fault_.status == AVOCET_STATUS_OK ? position_ : fault_.position);
  registers.set64(AVOCET_REG_SEQ_ADDRESS_LO, fault_.address);
  registers.set(AVOCET_REG_SEQ_PROGRESS, blocks_.job.running() ? blocks_.job.progress() : 0);
  registers.set64(AVOCET_REG_SEQ_END_LO, end_cycle);
  registers.set(AVOCET_REG_SEQ_STATE, 0);
  registers.set(AVOCET_REG_NPU_STATE, 0);
  avocet_model_job job{};
  job.job_id = blocks_.job.running() ? blocks_.job.id() : 0;
  job.core = blocks_.core;
  job.context = registers.get(AVOCET_REG_SEQ_CONTEXT);
  job.status = fault_.status;
  blocks_.energy.end_job(time_.now() - registers.get64(AVOCET_REG_SEQ_START_LO), blocks_.job.active_before(),
                         blocks_.job.all_counters());
  job.energy = &blocks_.energy.total();
  job.layer_energy = blocks_.energy.layers();
  blocks_.ledger.end_job(time_.now(), job, blocks_.bus);
  waves_.busy.set(false);
  waves_.phase.set("idle");
  blocks_.job.forget();
  if (fault_.status == AVOCET_STATUS_OK) blocks_.gangs.end(blocks_.core); // else the others wait until they are aborted
  busy_ = false;
  ended_();
}

void Sequencer::note_slice(uint64_t start, uint64_t end, const char *name) {
  avocet_model_slice slice{};
  slice.track = AVOCET_TRACK_SEQUENCER;
  slice.core = blocks_.core;
  slice.context = blocks_.registers.get(AVOCET_REG_SEQ_CONTEXT);
  slice.job_id = blocks_.job.running() ? blocks_.job.id() : 0;
  slice.start_cycle = start;
  slice.end_cycle = end;
  slice.name = name;
  blocks_.bus.slice(slice);
}

} // namespace avocet::model
