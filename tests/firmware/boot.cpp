// SPDX-License-Identifier: Apache-2.0
// Boot: the hello, and every reason for which the firmware refuses to serve.
#include <gtest/gtest.h>

#include "fake_processor.hpp"

namespace avocet::test {
namespace {

TEST(Boot, SaysHello) {
  FakeProcessor p;
  p.run({});
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
  EXPECT_EQ(p.reg(AVOCET_REG_CORE_FW_VERSION), AVOCET_VERSION);
  EXPECT_NE(p.reg(AVOCET_REG_CORE_HEARTBEAT), 0u);
  EXPECT_NE(p.log().find("firmware ready"), std::string::npos);
}

void expect_refusal(FakeProcessor& p, uint32_t status) {
  p.run({[&] { p.doorbell(); }});
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_FAILED);
  EXPECT_EQ(p.error(), status);
}

template <typename Change>
void refuse_boot(uint32_t status, Change change) {
  FakeProcessor p;
  auto boot = p.read<avocet_boot>(FakeProcessor::kBoot);
  change(boot);
  p.write(FakeProcessor::kBoot, boot);
  expect_refusal(p, status);
}

template <typename Change>
void refuse_image(uint32_t status, Change change) {
  FakeProcessor p;
  auto header = p.read<avocet_firmware_header>(FakeProcessor::kImage);
  change(header);
  p.write(FakeProcessor::kImage, header);
  expect_refusal(p, status);
}

template <typename Change>
void refuse_ring(uint64_t address, Change change) {
  FakeProcessor p;
  auto ring = p.ring(address);
  change(ring);
  p.write(address, ring);
  expect_refusal(p, AVOCET_STATUS_BAD_MESSAGE);
}

TEST(BootRefusal, ImageMagic) { refuse_image(AVOCET_STATUS_BAD_MESSAGE, [](auto& h) { h.magic++; }); }
TEST(BootRefusal, ImageMajor) { refuse_image(AVOCET_STATUS_VERSION, [](auto& h) { h.version += 1 << 16; }); }
TEST(BootRefusal, ImageSize) { refuse_image(AVOCET_STATUS_BAD_MESSAGE, [](auto& h) { h.image_bytes--; }); }
TEST(BootRefusal, ImageReserved) { refuse_image(AVOCET_STATUS_BAD_MESSAGE, [](auto& h) { h.reserved[8] = 1; }); }
TEST(BootRefusal, ImageKind) { refuse_image(AVOCET_STATUS_BAD_MESSAGE, [](auto& h) { h.kind = AVOCET_FIRMWARE_KIND_RISCV; }); }
TEST(BootRefusal, ImageChecksum) { refuse_image(AVOCET_STATUS_BAD_MESSAGE, [](auto& h) { h.checksum = 1; }); }
TEST(BootRefusal, BootMagic) { refuse_boot(AVOCET_STATUS_BAD_MESSAGE, [](auto& b) { b.magic = 0; }); }
TEST(BootRefusal, BootMajor) { refuse_boot(AVOCET_STATUS_VERSION, [](auto& b) { b.version = 0; }); }
TEST(BootRefusal, BootReserved) { refuse_boot(AVOCET_STATUS_BAD_MESSAGE, [](auto& b) { b.reserved[1] = 1; }); }
TEST(BootRefusal, RingNowhere) { refuse_boot(AVOCET_STATUS_BUS_ERROR, [](auto& b) { b.log = 0x1000; }); }
TEST(BootRefusal, RingMisaligned) { refuse_boot(AVOCET_STATUS_BAD_MESSAGE, [](auto& b) { b.admin_ring += 4; }); }
TEST(BootRefusal, EntriesNoPowerOfTwo) { refuse_ring(FakeProcessor::kAdmin, [](auto& r) { r.entries = 12; }); }
TEST(BootRefusal, EntriesZero) { refuse_ring(FakeProcessor::kAdmin, [](auto& r) { r.entries = 0; }); }
TEST(BootRefusal, EntriesTooMany) { refuse_ring(FakeProcessor::kCompletion, [](auto& r) { r.entries = 2048; }); }
TEST(BootRefusal, EntrySize) { refuse_ring(FakeProcessor::kCompletion, [](auto& r) { r.entry_bytes = 32; }); }
TEST(BootRefusal, IndicesApart) { refuse_ring(FakeProcessor::kAdmin, [](auto& r) { r.tail = 17; }); }

TEST(BootRefusal, ImageShorterThanItsHeader) {
  FakeProcessor p;
  p.reg(AVOCET_REG_FW_IMAGE_BYTES) = 32;
  expect_refusal(p, AVOCET_STATUS_BAD_MESSAGE);
}
TEST(BootRefusal, ImageNowhere) {
  FakeProcessor p;
  p.reg(AVOCET_REG_FW_IMAGE_LO) = 0;
  expect_refusal(p, AVOCET_STATUS_BUS_ERROR);
}
TEST(BootRefusal, BootNowhere) {
  FakeProcessor p;
  p.reg(AVOCET_REG_BOOT_HI) = 1;
  expect_refusal(p, AVOCET_STATUS_BUS_ERROR);
}

TEST(BootRefusal, NothingIsServedAfterwards) {
  FakeProcessor p;
  p.reg(AVOCET_REG_FW_IMAGE_BYTES) = 0;
  p.run({[&] { p.message(AVOCET_MESSAGE_TYPE_PING); }});
  EXPECT_TRUE(p.drain().empty());
}

TEST(Boot, ANewerMinorIsWelcome) {
  FakeProcessor p;
  auto boot = p.read<avocet_boot>(FakeProcessor::kBoot);
  boot.version |= 9;
  p.write(FakeProcessor::kBoot, boot);
  p.run({});
  EXPECT_EQ(p.state(), AVOCET_FIRMWARE_STATE_READY);
}

TEST(Boot, BootsAgainFromAnyState) {
  FakeProcessor p;
  p.run({[&] { p.create(1); }});
  p.drain();
  p.run({[&] { p.create(1); }});  // a context that survived would make this a BAD_MESSAGE
  auto completions = p.drain();
  ASSERT_EQ(completions.size(), 1u);
  EXPECT_EQ(completions[0].status, AVOCET_STATUS_OK);
}

}  // namespace
}  // namespace avocet::test
