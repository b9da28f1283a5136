// SPDX-License-Identifier: Apache-2.0
// The RISC-V management core in the device, with programs of a few instructions: images that it refuses, programs that crash or never
// end, its timer, its bus port. AVOCET_FIRMWARE is riscv.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <ctime>
#include <random>
#include <thread>

#include "fake_host.hpp"
#include "riscv_encoders.hpp"

namespace avocet::test {
namespace {

using Program = std::vector<uint32_t>;

// x1 = registers + 0x1000, x31 = registers, so that every offset fits into an immediate.
constexpr uint32_t kRegisters = lui(1, (AVOCET_CORE_REGISTER_BASE >> 12) + 1), kLow = lui(31, AVOCET_CORE_REGISTER_BASE >> 12);
constexpr uint32_t get(uint32_t rd, uint32_t offset) {
  return offset < 0x800 ? lw(rd, 31, static_cast<int32_t>(offset)) : lw(rd, 1, static_cast<int32_t>(offset) - 4096);
}
constexpr uint32_t put(uint32_t rs, uint32_t offset) { return sw(rs, 1, static_cast<int32_t>(offset) - 4096); }

struct Core {
  Core() {
    EXPECT_EQ(host.open(), "");
    EXPECT_EQ(FakeHost::read(AVOCET_REG_FW_KIND), unsigned{AVOCET_FIRMWARE_KIND_RISCV});
  }

  static avocet_firmware_header header_for(const Program &program) {
    avocet_firmware_header header{};
    header.magic = AVOCET_FIRMWARE_MAGIC;
    header.version = AVOCET_VERSION;
    header.kind = AVOCET_FIRMWARE_KIND_RISCV;
    header.image_bytes = static_cast<uint32_t>(sizeof header + program.size() * 4);
    header.entry = AVOCET_CORE_RAM_BASE + sizeof header;
    header.ram_bytes = header.image_bytes;
    return header;
  }
  static void seal(avocet_firmware_header &header, const Program &program) {
    header.checksum = 0;
    uLong sum = crc32(0, reinterpret_cast<const Bytef *>(&header), sizeof header);
    header.checksum = static_cast<uint32_t>(
        crc32(sum, reinterpret_cast<const Bytef *>(program.data()), static_cast<uInt>(program.size() * 4)));
  }

  void start(const avocet_firmware_header &header, const Program &program, uint32_t bytes) {
    uint64_t image = host.allocate(sizeof header + program.size() * 4);
    std::memcpy(host.at(image), &header, sizeof header);
    std::memcpy(host.at(image) + sizeof header, program.data(), program.size() * 4);
    start_at(image, bytes);
  }
  void start_at(uint64_t image, uint32_t bytes) {
    FakeHost::write(AVOCET_REG_FW_IMAGE_LO, static_cast<uint32_t>(image));
    FakeHost::write(AVOCET_REG_FW_IMAGE_HI, static_cast<uint32_t>(image >> 32));
    FakeHost::write(AVOCET_REG_FW_IMAGE_BYTES, bytes);
    FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RUN);
  }
  void start(const Program &program) {
    avocet_firmware_header header = header_for(program);
    seal(header, program);
    start(header, program, header.image_bytes);
  }
  bool reaches(uint32_t state) { return FakeHost::wait_register(AVOCET_REG_FW_STATE, ~0u, state); }
  // Held until off; ready to start again.
  void stop() {
    FakeHost::write(AVOCET_REG_CONTROL, 0);
    EXPECT_TRUE(reaches(AVOCET_FIRMWARE_STATE_OFF));
  }
  uint32_t error() { return FakeHost::read(AVOCET_REG_FW_ERROR); }

  FakeHost host;
};

// Says READY and sleeps for ever.
const Program kReady = {kRegisters, addi(2, 0, AVOCET_FIRMWARE_STATE_READY), put(2, AVOCET_REG_CORE_FW_STATE), kWfi, jal(0, -4)};

void end_with(Program &program, uint32_t source) { // FW_ERROR = the register, HALTED
  program.insert(program.end(), {put(source, AVOCET_REG_CORE_FW_ERROR), addi(2, 0, AVOCET_FIRMWARE_STATE_HALTED),
                                 put(2, AVOCET_REG_CORE_FW_STATE), kWfi, jal(0, -4)});
}

TEST(Image, IsRefusedWithAReason) {
  Core core;
  const struct {
    void (*spoil)(avocet_firmware_header &);
    bool sealed; // the checksum is right in spite of it
    uint32_t error;
  } rows[] = {
      {[](auto &h) { h.magic++; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_HEADER},
      {[](auto &h) { h.image_bytes += 4; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_HEADER},
      {[](auto &h) { h.reserved[0] = 1; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_HEADER},
      {[](auto &h) { h.version += 0x10000; }, true, AVOCET_STATUS_VERSION},
      {[](auto &h) { h.kind = AVOCET_FIRMWARE_KIND_NATIVE; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_KIND},
      {[](auto &h) { h.kind = 2; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_KIND},
      {[](auto &h) { h.entry += 1; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
      {[](auto &h) { h.entry = AVOCET_CORE_RAM_BASE; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
      {[](auto &h) { h.entry = AVOCET_CORE_RAM_BASE + h.image_bytes; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
      {[](auto &h) { h.entry = 0; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
      {[](auto &h) { h.ram_bytes = h.image_bytes - 1; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
      {[](auto &h) { h.ram_bytes = AVOCET_CORE_RAM_BYTES + 1; }, true, AVOCET_FIRMWARE_ERROR_IMAGE_PLACE},
      {[](auto &h) { h.checksum ^= 1; }, false, AVOCET_FIRMWARE_ERROR_IMAGE_CHECKSUM},
      {[](auto &h) { h.entry += 4; }, false, AVOCET_FIRMWARE_ERROR_IMAGE_CHECKSUM},
  };
  for (const auto &row : rows) {
    avocet_firmware_header header = Core::header_for(kReady);
    const uint32_t bytes = header.image_bytes;
    Core::seal(header, kReady);
    row.spoil(header);
    if (row.sealed) Core::seal(header, kReady);
    core.start(header, kReady, bytes);
    EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_FAILED)) << row.error;
    EXPECT_EQ(core.error(), row.error);
    core.stop();
  }
  core.start(kReady);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_READY));
}

TEST(Image, ThatCannotBeReadOrIsTooShortOrTooLong) {
  Core core;
  core.start_at(0x1234, 4096);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_FAILED));
  EXPECT_EQ(core.error(), unsigned{AVOCET_STATUS_BUS_ERROR});
  core.stop();
  core.start_at(core.host.allocate(4096), sizeof(avocet_firmware_header) - 1);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_FAILED));
  EXPECT_EQ(core.error(), unsigned{AVOCET_FIRMWARE_ERROR_IMAGE_HEADER});
  core.stop();
  avocet_firmware_header header = Core::header_for(kReady);
  header.image_bytes = header.ram_bytes = 0xFFFFFFF0;
  Core::seal(header, kReady);
  core.start(header, kReady, header.image_bytes);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_FAILED));
  EXPECT_EQ(core.error(), unsigned{AVOCET_FIRMWARE_ERROR_IMAGE_PLACE});
  core.stop();
  header.image_bytes = header.ram_bytes = AVOCET_CORE_RAM_BYTES; // more than the host has there
  Core::seal(header, kReady);
  core.start(header, kReady, header.image_bytes);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_FAILED));
  EXPECT_EQ(core.error(), unsigned{AVOCET_STATUS_BUS_ERROR});
}

TEST(Crash, WithoutAHandlerHaltsTheCore) {
  const Program programs[] = {
      {0},                            // no instruction
      {lw(1, 0, 0)},                  // nothing there
      {kRegisters, lw(2, 1, 0)},      // behind the register window
      {kRegisters, s_type(0, 1, 2, -4096 + 64)}, // a byte of a register
      {kRegisters, lw(2, 1, -4094)},  // misaligned
      {jalr(0, 0, 0)},
  };
  Core core;
  for (const Program &program : programs) {
    core.start(program);
    EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_HALTED));
    EXPECT_EQ(core.error(), unsigned{AVOCET_FIRMWARE_ERROR_DOUBLE_TRAP});
    EXPECT_NE(FakeHost::read(AVOCET_REG_IRQ_STATUS) & AVOCET_IRQ_STATUS_FIRMWARE, 0u);
    core.stop();
  }
  core.start(kReady);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_READY));
}

TEST(Runaway, CanBeHeldAndReset) {
  Core core;
  core.start({jal(0, 0)});
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_BOOTING));
  core.stop();
  core.start({kLow, get(2, AVOCET_REG_CYCLE_LO), jal(0, -4)}); // at the registers all the time
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_BOOTING));
  const uint32_t generation = FakeHost::read(AVOCET_REG_GENERATION);
  FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
  EXPECT_TRUE(FakeHost::wait_register(AVOCET_REG_CONTROL, ~0u, 0));
  EXPECT_EQ(FakeHost::read(AVOCET_REG_GENERATION), generation + 1);
  core.start(kReady);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_READY));
}

TEST(Runaway, EndsWithThePower) {
  {
    Core core;
    core.start({jal(0, 0)});
    EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_BOOTING));
  }
  Core core;
  core.start(kReady);
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_READY));
}

TEST(Asleep, CostsNothing) {
  Core core;
  core.start(kReady);
  ASSERT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_READY));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const uint32_t cycle = FakeHost::read(AVOCET_REG_CYCLE_LO);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(FakeHost::read(AVOCET_REG_CYCLE_LO), cycle);
}

// Whatever a firmware writes into whichever register: the device stays resettable. Traps go on behind the instruction that caused them.
TEST(Garbage, LeavesADeviceThatCanBeReset) {
  Core core;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    Program program = {auipc(5, 0), addi(5, 5, 12 * 4), csr(1, 0, 0x305, 5), kRegisters, kLow, addi(6, 0, 0x80), csr(1, 0, 0x304, 6),
                       csr(6, 0, 0x300, 8), lui(7, AVOCET_CORE_RAM_BASE >> 12), addi(8, 0, 64), jal(0, 6 * 4), kNop,
                       csr_read(30, 0x341), addi(30, 30, 4), csr(1, 0, 0x341, 30), kMret};
    for (int i = 0; i < 400; ++i) {
      const auto value = static_cast<uint32_t>(random());
      const uint32_t rd = 6 + value % 20, rs = 5 + (value >> 5) % 24, offset = (value >> 10) % 1024 * 4;
      switch (value >> 29) {
      case 0: program.push_back(get(rd, offset)); break;
      case 1: program.push_back(lui(rd, value >> 12 & 0xFFFFF)); break;
      case 2: program.push_back(addi(rd, 0, static_cast<int32_t>(value % 4096) - 2048)); break;
      case 3: program.push_back(r_type(0, (value >> 7) % 8, rd, rs, rs)); break;
      case 4: program.push_back(kFence); break;
      default: if (offset >= 0x800) program.push_back(put(rs, offset)); break;
      }
    }
    program.push_back(jal(0, -400)); // 100 instructions back
    core.start(program);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
    ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_CONTROL, ~0u, 0)) << "seed " << seed;
    core.start(kReady);
    ASSERT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_READY)) << "seed " << seed;
    FakeHost::write(AVOCET_REG_CONTROL, AVOCET_CONTROL_RESET);
    ASSERT_TRUE(FakeHost::wait_register(AVOCET_REG_CONTROL, ~0u, 0)) << "seed " << seed;
  }
}

// The handler is at +8 words; mtvec = its address.
Program with_timer_handler(std::initializer_list<uint32_t> rest) {
  Program program = {kRegisters, auipc(5, 0), addi(5, 5, 4 * 7), csr(1, 0, 0x305, 5), addi(6, 0, 0x80), csr(1, 0, 0x304, 6),
                     jal(0, 4 * 8)};
  program.insert(program.end(), {kNop, csr_read(7, 0x342)}); // mtvec
  end_with(program, 7);
  program.insert(program.end(), rest);
  return program;
}

TEST(Watchdog, InterruptsALoop) {
  Core core;
  core.start(with_timer_handler({csr(6, 0, 0x300, 8), lui(3, 1), put(3, AVOCET_REG_CORE_WATCHDOG), jal(0, 0)}));
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_HALTED));
  EXPECT_EQ(core.error(), 0x80000007u);
  core.stop();
  // A write starts it again, zero stops it.
  core.start(with_timer_handler({csr(6, 0, 0x300, 8), lui(3, 1), put(3, AVOCET_REG_CORE_WATCHDOG), lui(4, 3),
                                 put(3, AVOCET_REG_CORE_WATCHDOG), addi(4, 4, -1), b_type(1, 4, 0, -8),
                                 put(0, AVOCET_REG_CORE_WATCHDOG), lui(4, 3), addi(4, 4, -1), b_type(1, 4, 0, -4),
                                 addi(7, 0, 77), put(7, AVOCET_REG_CORE_FW_ERROR), addi(2, 0, AVOCET_FIRMWARE_STATE_HALTED),
                                 put(2, AVOCET_REG_CORE_FW_STATE), kWfi}));
  EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_HALTED));
  EXPECT_EQ(core.error(), 77u);
}

// BOOT_LO/HI: bus address for the program.
Program transfer(uint32_t control, uint32_t local_offset, uint32_t bytes) {
  Program program = {kRegisters, kLow, get(5, AVOCET_REG_BOOT_LO), put(5, AVOCET_REG_CORE_BUS_LO), get(5, AVOCET_REG_BOOT_HI),
                     put(5, AVOCET_REG_CORE_BUS_HI), lui(5, (AVOCET_CORE_RAM_BASE + local_offset) >> 12),
                     addi(5, 5, local_offset & 0x7FF), put(5, AVOCET_REG_CORE_BUS_LOCAL), addi(6, 0, static_cast<int32_t>(bytes)),
                     put(6, AVOCET_REG_CORE_BUS_BYTES), addi(7, 0, 0x123), put(7, AVOCET_REG_CORE_BUS_DATA),
                     addi(6, 0, static_cast<int32_t>(control)), put(6, AVOCET_REG_CORE_BUS_CONTROL)};
  return program;
}

class BusPort : public testing::Test {
protected:
  // Status of the transfer, or with `result` the word that is in this register then.
  uint32_t run(Program program, uint64_t bus, std::initializer_list<uint32_t> result) {
    FakeHost::write(AVOCET_REG_BOOT_LO, static_cast<uint32_t>(bus));
    FakeHost::write(AVOCET_REG_BOOT_HI, static_cast<uint32_t>(bus >> 32));
    program.insert(program.end(), result);
    end_with(program, 7);
    core.start(program);
    EXPECT_TRUE(core.reaches(AVOCET_FIRMWARE_STATE_HALTED));
    uint32_t error = core.error();
    core.stop();
    return error;
  }
  uint32_t status(const Program &program, uint64_t bus) { return run(program, bus, {get(7, AVOCET_REG_CORE_BUS_STATUS)}); }

  Core core;
};

TEST_F(BusPort, LoadsAndStores) {
  const uint64_t bus = core.host.allocate(4096);
  auto *words = reinterpret_cast<uint32_t *>(core.host.at(bus));
  words[1] = 0xCAFE0001;
  words[2] = 0xCAFE0002;
  const uint32_t local = 0x2000;
  EXPECT_EQ(run(transfer(AVOCET_CORE_BUS_CONTROL_LOAD, local, 8), bus + 4, {lw(7, 5, 4)}), 0xCAFE0002u);
  EXPECT_EQ(run(transfer(AVOCET_CORE_BUS_CONTROL_LOAD, local, 3), bus + 5, {lw(7, 5, 0)}), 0x00CAFE00u) << "any address, any size";
  EXPECT_EQ(run(transfer(AVOCET_CORE_BUS_CONTROL_LOAD_WORD, 0, 0), bus + 8, {get(7, AVOCET_REG_CORE_BUS_DATA)}), 0xCAFE0002u);
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_STORE_WORD, 0, 0), bus + 12), unsigned{AVOCET_STATUS_OK});
  EXPECT_EQ(words[3], 0x123u);
  // The image's first word to the bus.
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_STORE, 0, 4), bus + 16), unsigned{AVOCET_STATUS_OK});
  EXPECT_EQ(words[4], AVOCET_FIRMWARE_MAGIC);
}

TEST_F(BusPort, ErrorsAreStatuses) {
  const uint64_t bus = core.host.allocate(4096);
  const uint32_t end = AVOCET_CORE_RAM_BYTES;
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_LOAD, 0x2000, 4), 0x10), unsigned{AVOCET_STATUS_BUS_ERROR});
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_STORE, 0x2000, 4), FakeHost::kBus - 2), unsigned{AVOCET_STATUS_BUS_ERROR});
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_LOAD_WORD, 0, 0), bus + 2), unsigned{AVOCET_STATUS_BUS_ERROR});
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_STORE_WORD, 0, 0), ~uint64_t{3}), unsigned{AVOCET_STATUS_BUS_ERROR});
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_LOAD, end, 1), bus), unsigned{AVOCET_STATUS_OUT_OF_RANGE});
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_STORE, end - 0x1000, -1u), bus), unsigned{AVOCET_STATUS_OUT_OF_RANGE});
  EXPECT_EQ(status(transfer(AVOCET_CORE_BUS_CONTROL_LOAD, 0x2000, 0), bus), unsigned{AVOCET_STATUS_OUT_OF_RANGE});
  EXPECT_EQ(status(transfer(0, 0x2000, 4), bus), unsigned{AVOCET_STATUS_ILLEGAL_FIELD});
}

} // namespace
} // namespace avocet::test
