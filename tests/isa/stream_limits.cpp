// SPDX-License-Identifier: Apache-2.0
// The edges of memory: every access of every command moved to the last place that fits, and one past it; and values so
// large that careless arithmetic would wrap around to a legal address.
#include <gtest/gtest.h>

#include "legal_commands.hpp"

using namespace avocet::isa_test;

namespace {

__extension__ using Wide = unsigned __int128;

avocet_stream_report check(const Words& words, const avocet_limits& limits) {
  avocet_stream_report report;
  avocet_stream_check(words.data(), words.size(), &limits, &report);
  return report;
}

Wide evaluate(const avocet_term& term, const Words& command) {
  Wide value = term.factor;
  for (int8_t field : term.field)
    if (field >= 0) value *= static_cast<Wide>(avocet_field_value(&row_of(command).fields[field], command.data()));
  return value;
}

// The extent of an access in arithmetic that cannot overflow.
Wide exact_extent(const avocet_access_info& access, const Words& command) {
  const bool single = access.single_field >= 0 &&
                      avocet_field_value(&row_of(command).fields[access.single_field], command.data()) == 1;
  Wide extent = single ? 1 : evaluate(access.bytes, command);
  for (uint32_t d = 0; d < access.dimension_count; ++d)
    extent += (evaluate(access.dimensions[d].count, command) - 1) * evaluate(access.dimensions[d].stride, command);
  return extent;
}

// Limits in which the given space ends at `end`.
avocet_limits limits_ending_at(const avocet_access_info& access, uint64_t end, uint64_t (&regions)[AVOCET_REGIONS]) {
  avocet_limits limits = kLimits;
  for (uint64_t& bytes : regions) bytes = access.space == AVOCET_SPACE_DRAM ? end : uint64_t{1} << 40;
  limits.region_bytes = regions;
  if (access.space == AVOCET_SPACE_SRAM) limits.sram_bytes = static_cast<uint32_t>(end);
  if (access.space == AVOCET_SPACE_ACC) limits.acc_rows = static_cast<uint32_t>(end);
  return limits;
}

// Every other access lies at address 0, so that only this one can leave its space.
Words alone_at_the_end(const avocet_command_info& row, uint32_t which, std::mt19937& random) {
  Words command = legal_command(row, random);
  for (uint32_t i = 0; i < row.access_count; ++i)
    avocet_field_set(&row.fields[row.accesses[i].address_field], command.data(), 0);
  uint64_t largest = 0;
  for (uint32_t i = 0; i < row.access_count; ++i)
    largest = std::max(largest, static_cast<uint64_t>(exact_extent(row.accesses[i], command)));
  avocet_field_set(&row.fields[row.accesses[which].address_field], command.data(), static_cast<int64_t>(largest));
  return command;
}

TEST(StreamLimits, LastPlaceFitsAndOnePastDoesNot) {
  std::mt19937 random(7);
  for (const avocet_command_info* row : working_rows())
    for (uint32_t which = 0; which < row->access_count; ++which)
      for (int round = 0; round < 50; ++round) {
        const avocet_access_info& access = row->accesses[which];
        Words command = alone_at_the_end(*row, which, random);
        int64_t address = avocet_field_value(&row->fields[access.address_field], command.data());
        uint64_t end = static_cast<uint64_t>(address + exact_extent(access, command));
        Words stream = join({command, command, end_command()});
        SCOPED_TRACE(std::string(row->name) + " " + row->fields[access.address_field].name);

        uint64_t regions[AVOCET_REGIONS];
        avocet_limits exact = limits_ending_at(access, end, regions);
        ASSERT_EQ(check(stream, exact).status, AVOCET_STATUS_OK);

        avocet_field_set(&row->fields[access.address_field], &stream[row->words], address + 1);
        avocet_stream_report report = check(stream, exact);
        ASSERT_EQ(report.status, AVOCET_STATUS_OUT_OF_RANGE);
        EXPECT_EQ(report.position, row->words);
        EXPECT_EQ(report.address, end);
        EXPECT_STREQ(report.reason, row->fields[access.address_field].name);
        EXPECT_EQ(report.commands, 1u);
      }
}

TEST(StreamLimits, AbsentRegionsRefuseEveryAccess) {
  std::mt19937 random(8);
  const uint64_t regions[AVOCET_REGIONS] = {};
  avocet_limits limits = kLimits;
  limits.region_bytes = regions;
  Words load = legal_command(*avocet_command_by_opcode[AVOCET_OP_DMA_LOAD], random);
  set(load, "dram", 0);
  avocet_stream_report report = check(join({load, end_command()}), limits);
  EXPECT_EQ(report.status, AVOCET_STATUS_OUT_OF_RANGE);
  EXPECT_STREQ(report.reason, "dram");
  EXPECT_EQ(report.address, 0u);
}

// All fields that form an address at random extremes: accepted exactly when 128-bit arithmetic says that it fits.
TEST(StreamLimits, NothingWrapsAround) {
  std::mt19937 random(9);
  int refused = 0, accepted = 0;
  for (const avocet_command_info* row : working_rows())
    for (int round = 0; round < 3000; ++round) {
      Words command = legal_command(*row, random);
      for (uint32_t i = 0; i < row->field_count; ++i) {
        const avocet_field_info& field = row->fields[i];
        bool forms_addresses = field.kind == AVOCET_KIND_COUNT_MINUS_ONE || field.kind == AVOCET_KIND_STRIDE ||
                               field.kind == AVOCET_KIND_LENGTH || field.kind == AVOCET_KIND_SRAM ||
                               field.kind == AVOCET_KIND_DRAM || field.kind == AVOCET_KIND_ACC;
        if (!forms_addresses || random() % 3) continue;
        avocet_field_set(&field, command.data(), avocet_field_maximum(&field) - static_cast<int64_t>(random() % 2));
      }
      if (row->opcode == AVOCET_OP_REQUANT) set(command, "channels", 16);
      settle(command);
      avocet_limits limits = kLimits;
      limits.sram_bytes = UINT32_MAX;
      uint64_t regions[AVOCET_REGIONS];
      std::fill(std::begin(regions), std::end(regions), UINT32_MAX);
      limits.region_bytes = regions;

      avocet_stream_report report = check(join({command, end_command()}), limits);
      if (report.status == AVOCET_STATUS_ILLEGAL_FIELD) continue;  // a product that its field cannot hold
      bool fits = true;
      for (uint32_t i = 0; i < row->access_count; ++i) {
        const avocet_access_info& access = row->accesses[i];
        Wide end = static_cast<Wide>(avocet_field_value(&row->fields[access.address_field], command.data())) +
                   exact_extent(access, command);
        fits = fits && end <= (access.space == AVOCET_SPACE_ACC ? limits.acc_rows : UINT32_MAX);
      }
      ASSERT_EQ(report.status, fits ? AVOCET_STATUS_OK : AVOCET_STATUS_OUT_OF_RANGE) << row->name << " round " << round;
      ++(fits ? accepted : refused);
    }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 1000);
}

TEST(StreamLimits, LargestValuesOfAllFieldsAreRefused) {
  for (const avocet_command_info* row : working_rows()) {
    Words command(row->words);
    command[0] = avocet_command_header(row->opcode, row->words, 0);
    for (uint32_t i = 0; i < row->field_count; ++i)
      avocet_field_set(&row->fields[i], command.data(), avocet_field_maximum(&row->fields[i]));
    EXPECT_NE(check(join({command, end_command()}), kLimits).status, AVOCET_STATUS_OK) << row->name;
    avocet_access accesses[AVOCET_ACCESSES_MAX];
    uint32_t count = avocet_command_accesses(command.data(), accesses);
    for (uint32_t i = 0; i < count; ++i) {
      Wide exact = exact_extent(row->accesses[i], command);
      EXPECT_EQ(accesses[i].extent, exact > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(exact)) << row->name;
    }
  }
}

}  // namespace
