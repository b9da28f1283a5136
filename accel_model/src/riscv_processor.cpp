// SPDX-License-Identifier: Apache-2.0
// The RISC-V management core: a hart with memory of its own, the register window, the bus port, the machine timer as a watchdog,
// and the reset code that checks and copies the firmware image.
//
// The hart runs ahead of simulated time for a bounded number of cycles and catches up before every access to a register, so what
// it reads and writes happens in the right cycle; an interrupt is noticed that much later at most.
#include <atomic>
#include <cstring>

#include "management_core.hpp"
#include "riscv_hart.hpp"
#include "riscv_image.hpp"

namespace avocet::model {

namespace {

constexpr uint64_t kAheadCycles = 2000;

RiscvCosts costs_of(const Config &config) {
  const auto narrow = [](uint64_t cycles) { return static_cast<uint16_t>(cycles); };
  return {narrow(config.riscv_alu_cycles),      narrow(config.riscv_load_cycles),   narrow(config.riscv_store_cycles),
          narrow(config.riscv_branch_cycles),   narrow(config.riscv_taken_cycles),  narrow(config.riscv_jump_cycles),
          narrow(config.riscv_multiply_cycles), narrow(config.riscv_divide_cycles), narrow(config.riscv_system_cycles)};
}

class RiscvProcessor : public CoreProcessor, private RiscvOutside {
public:
  explicit RiscvProcessor(ManagementCore &core)
      : core_(core), hart_(AVOCET_CORE_RAM_BASE, AVOCET_CORE_RAM_BYTES, *this, costs_of(core.config())) {}

  void run() override;

private:
  bool load(uint32_t address, uint32_t *value) override;
  bool store(uint32_t address, uint32_t value) override;
  uint32_t load_image();
  void halt(uint32_t state, uint32_t error);
  void catch_up();
  void update_lines();
  void wait_for_interrupt();
  uint32_t *bus_register(uint32_t offset);
  uint32_t transfer(uint32_t control);
  uint32_t transfer_word(bool store);

  ManagementCore &core_;
  RiscvHart hart_;
  uint64_t caught_up_ = 0; // the hart's cycle that is now
  uint32_t bus_[(AVOCET_REG_CORE_BUS_STATUS - AVOCET_REG_CORE_BUS_LO) / 4 + 1] = {};
};

// ---- reset ----

// The image is in the hart's memory, or FW_ERROR.
uint32_t RiscvProcessor::load_image() {
  const uint64_t address =
      core_.read_register(AVOCET_REG_FW_IMAGE_LO) | uint64_t{core_.read_register(AVOCET_REG_FW_IMAGE_HI)} << 32;
  const uint32_t bytes = core_.read_register(AVOCET_REG_FW_IMAGE_BYTES);
  avocet_firmware_header header{};
  if (bytes < sizeof header) return AVOCET_FIRMWARE_ERROR_IMAGE_HEADER;
  core_.spend_memory(sizeof header);
  if (!core_.bus().read(address, &header, sizeof header)) return AVOCET_STATUS_BUS_ERROR;
  if (uint32_t error = check_image_header(header, bytes); error != AVOCET_STATUS_OK) return error;
  std::vector<uint8_t> &memory = hart_.memory();
  std::memset(memory.data(), 0, memory.size());
  core_.spend_memory(bytes);
  if (!core_.bus().read(address, memory.data(), bytes)) return AVOCET_STATUS_BUS_ERROR;
  std::memcpy(&header, memory.data(), sizeof header); // what is checked is what runs, whatever the host does meanwhile
  if (uint32_t error = check_image_header(header, bytes); error != AVOCET_STATUS_OK) return error;
  if (uint32_t error = check_image_checksum({memory.data(), bytes}); error != AVOCET_STATUS_OK) return error;
  std::memset(bus_, 0, sizeof bus_);
  hart_.reset(header.entry);
  caught_up_ = 0;
  return AVOCET_STATUS_OK;
}

// What the firmware cannot say itself.
void RiscvProcessor::halt(uint32_t state, uint32_t error) {
  core_.set_watchdog(0);
  core_.write_register(AVOCET_REG_CORE_TIMER, 0);
  core_.write_register(AVOCET_REG_CORE_FW_ERROR, error);
  core_.write_register(AVOCET_REG_CORE_FW_STATE, state);
}

void RiscvProcessor::run() {
  if (uint32_t error = load_image(); error != AVOCET_STATUS_OK)
    return halt(AVOCET_FIRMWARE_STATE_FAILED, error);
  update_lines();
  while (!core_.held()) {
    switch (hart_.run(kAheadCycles)) {
    case RiscvHart::Stop::kLockedUp:
      catch_up();
      return halt(AVOCET_FIRMWARE_STATE_HALTED, AVOCET_FIRMWARE_ERROR_DOUBLE_TRAP);
    case RiscvHart::Stop::kWaiting: wait_for_interrupt(); break;
    case RiscvHart::Stop::kBudget:
    case RiscvHart::Stop::kAsked: catch_up(); break;
    }
  }
}

// ---- time and interrupts ----

void RiscvProcessor::catch_up() {
  core_.spend(hart_.cycles() - caught_up_);
  caught_up_ = hart_.cycles();
  update_lines();
  if (core_.held()) hart_.stop();
}

void RiscvProcessor::update_lines() {
  hart_.set_pending((core_.events() != 0 ? kRiscvExternalInterrupt : 0u) |
                    (core_.watchdog_rang() ? kRiscvTimerInterrupt : 0u));
}

void RiscvProcessor::wait_for_interrupt() {
  catch_up();
  const uint64_t asleep_since = core_.now();
  core_.sleep_until([this] {
    update_lines();
    return hart_.interrupt_enabled_and_pending();
  });
  hart_.stall(core_.now() - asleep_since);
  caught_up_ = hart_.cycles();
}

// ---- what the hart sees beside its memory ----

uint32_t *RiscvProcessor::bus_register(uint32_t offset) {
  return offset >= AVOCET_REG_CORE_BUS_LO && offset <= AVOCET_REG_CORE_BUS_STATUS
             ? &bus_[(offset - AVOCET_REG_CORE_BUS_LO) / 4]
             : nullptr;
}

bool RiscvProcessor::load(uint32_t address, uint32_t *value) {
  const uint32_t offset = address - AVOCET_CORE_REGISTER_BASE;
  if (offset >= AVOCET_REGISTER_BYTES) return false;
  if (const uint32_t *own = bus_register(offset)) { // next to the hart: no time beyond the instruction's
    *value = *own;
    return true;
  }
  hart_.stall(core_.config().firmware_register_cycles);
  catch_up();
  *value = core_.read_register(offset);
  return true;
}

bool RiscvProcessor::store(uint32_t address, uint32_t value) {
  const uint32_t offset = address - AVOCET_CORE_REGISTER_BASE;
  if (offset >= AVOCET_REGISTER_BYTES) return false;
  if (offset == AVOCET_REG_CORE_BUS_CONTROL) {
    *bus_register(AVOCET_REG_CORE_BUS_STATUS) = transfer(value);
    return true;
  }
  if (uint32_t *own = bus_register(offset)) {
    *own = value;
    return true;
  }
  hart_.stall(core_.config().firmware_register_cycles);
  catch_up();
  std::atomic_thread_fence(std::memory_order_release);
  if (offset == AVOCET_REG_CORE_WATCHDOG)
    core_.set_watchdog(core_.held() ? 0 : value);
  else
    core_.write_register(offset, value);
  update_lines();
  return true;
}

// ---- the bus port ----

uint32_t RiscvProcessor::transfer(uint32_t control) {
  const uint32_t bytes = *bus_register(AVOCET_REG_CORE_BUS_BYTES), local = *bus_register(AVOCET_REG_CORE_BUS_LOCAL);
  if (control & AVOCET_CORE_BUS_CONTROL_LOAD_WORD) return transfer_word(false);
  if (control & AVOCET_CORE_BUS_CONTROL_STORE_WORD) return transfer_word(true);
  if (!(control & (AVOCET_CORE_BUS_CONTROL_LOAD | AVOCET_CORE_BUS_CONTROL_STORE))) return AVOCET_STATUS_ILLEGAL_FIELD;
  if (bytes == 0 || !hart_.in_memory(local, bytes)) return AVOCET_STATUS_OUT_OF_RANGE;
  catch_up();
  core_.spend_memory(bytes);
  hart_.stall((bytes + 63) / 64 * core_.config().firmware_memory_cycles);
  caught_up_ = hart_.cycles();
  if (core_.held()) return AVOCET_STATUS_BUS_ERROR;
  const uint64_t address =
      *bus_register(AVOCET_REG_CORE_BUS_LO) | uint64_t{*bus_register(AVOCET_REG_CORE_BUS_HI)} << 32;
  uint8_t *own = hart_.memory().data() + (local - AVOCET_CORE_RAM_BASE);
  const bool done = control & AVOCET_CORE_BUS_CONTROL_LOAD ? core_.bus().read(address, own, bytes)
                                                           : core_.bus().write(address, own, bytes);
  return done ? AVOCET_STATUS_OK : AVOCET_STATUS_BUS_ERROR;
}

uint32_t RiscvProcessor::transfer_word(bool store) {
  const uint64_t address =
      *bus_register(AVOCET_REG_CORE_BUS_LO) | uint64_t{*bus_register(AVOCET_REG_CORE_BUS_HI)} << 32;
  uint32_t &data = *bus_register(AVOCET_REG_CORE_BUS_DATA);
  hart_.stall(core_.config().firmware_memory_cycles);
  catch_up();
  const bool done = store ? core_.store_shared(address, data) : core_.load_shared(address, &data);
  return done ? AVOCET_STATUS_OK : AVOCET_STATUS_BUS_ERROR;
}

} // namespace

std::unique_ptr<CoreProcessor> make_riscv_processor(ManagementCore &core) {
  return std::make_unique<RiscvProcessor>(core);
}

} // namespace avocet::model
