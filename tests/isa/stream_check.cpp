// SPDX-License-Identifier: Apache-2.0
// Streams written as text, with the status, the position and the reason that each must get.
#include <gtest/gtest.h>

#include "avocet/isa/assemble.hpp"
#include "legal_commands.hpp"

using namespace avocet::isa_test;

namespace {

const std::string kFill = "DMA_FILL tag=1 channel=0 value=7 sram=0x100 row_bytes=16\n";           // 7 words
const std::string kLoad = "DMA_LOAD tag=2 channel=1 region=3 dram=0x1000 sram=0 row_bytes=64\n";  // 13 words
const std::string
    kMatmul =
        "MATMUL tag=3 weight_zero_point=0 ifm=0 weights=0x1000 weight_bytes=512 acc=8 x_count=4 y_count=2 "
        "channels=20\n";  // 13
const std::string kRequant =
    "REQUANT acc=8 channels=16 parameters=0x100 ofm=0x200 x_count=4 y_count=2 x_stride=16 y_stride=64 zero_point=0 "
    "clamp_min=-128 clamp_max=127\n";  // 9
const std::string kAdd =
    "ADD left_shift=20 a=0 b=64 ofm=128 row_bytes=64 a_zero_point=0 b_zero_point=0 a_multiplier=1 b_multiplier=1 "
    "out_multiplier=1 a_shift=0 b_shift=0 out_shift=0 zero_point=0 clamp_min=0 clamp_max=255\n";
const std::string kDepthwise =
    "DEPTHWISE weight_zero_point=0 multiplier=2 ifm=0 weights=0 parameters=0 ofm=0 channels=8 input_channels=4 "
    "x_start=0 "
    "y_start=0 input_zero_point=0 zero_point=0 clamp_min=0 clamp_max=255\n";
const std::string kPool = "POOL mode=MAX ifm=0 ofm=0 channels=4 x_start=0 y_start=0 clamp_min=0 clamp_max=255\n";
const std::string kBinary =
    "BINARY mode=MULTIPLY a=0 b=64 ofm=128 row_bytes=64 a_zero_point=0 b_zero_point=0 multiplier=1 "
    "negative_multiplier=1 shift=-3 negative_shift=-4 zero_point=0 clamp_min=0 clamp_max=255\n";
const std::string kReduce =
    "REDUCE mode=SUM ifm=0 ofm=64 channels=4 axis0_stride=4 axis0_count=9 input_zero_point=0 zero_point=0 bias=0 "
    "multiplier=1 shift=-3 clamp_min=0 clamp_max=255\n";
const std::string kSoftmax =
    "SOFTMAX ifm=0 exponentials=0 ofm=0 x_count=8 in_x_stride=1 x_stride=1 zero_point=0 clamp_min=0 clamp_max=255\n";
const std::string kNormalise =
    "L2_NORMALISE left_shift=7 out_shift=0 ifm=0 ofm=0 x_count=8 in_x_stride=1 x_stride=1 input_zero_point=0 "
    "zero_point=0 clamp_min=-128 clamp_max=127\n";
const std::string kArgReduce =
    "ARG_REDUCE smallest=1 ifm=0 ofm=64 channels=4 y_count=2 axis_count=9 axis_stride=4 in_y_stride=36 y_stride=16\n";
const std::string kEnd = "END\n";

avocet_stream_report check(const Words& words, const avocet_limits& limits = kLimits) {
  avocet_stream_report report;
  int status = avocet_stream_check(words.data(), words.size(), &limits, &report);
  EXPECT_EQ(static_cast<uint32_t>(status), report.status);
  return report;
}

avocet_stream_report check_text(const std::string& text) { return check(avocet::isa::assemble(text)); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Refusal {
  const char* name;
  std::string text;
  uint32_t status;
  uint64_t position;
  std::string reason;
  uint64_t address = 0;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class Refuses : public testing::TestWithParam<Refusal> {};

TEST_P(Refuses, WithPosition) {
  const Refusal& expected = GetParam();
  avocet_stream_report report = check_text(expected.text);
  EXPECT_STREQ(avocet_status_text(report.status), avocet_status_text(expected.status));
  EXPECT_EQ(report.position, expected.position);
  EXPECT_EQ(report.address, expected.address);
  EXPECT_EQ(report.reason ? report.reason : "", expected.reason);
}

const Refusal kRefusals[] = {
    {"opcode_0", kFill + ".word 0x00000100\n" + kEnd, AVOCET_STATUS_ILLEGAL_OPCODE, 7, "opcode"},
    {"word_0", kFill + ".word 0\n" + kEnd, AVOCET_STATUS_ILLEGAL_OPCODE, 7, "opcode"},
    {"all_ones", kFill + ".word 0xFFFFFFFF\n" + kEnd, AVOCET_STATUS_ILLEGAL_OPCODE, 7, "opcode"},
    {"unknown_opcode", ".word 0x00000177\n" + kEnd, AVOCET_STATUS_ILLEGAL_OPCODE, 0, "opcode"},
    {"length_too_long", kFill + ".word 0x00000201 0\n", AVOCET_STATUS_ILLEGAL_LENGTH, 7, "length"},
    {"length_0", ".word 0x00000001\n", AVOCET_STATUS_ILLEGAL_LENGTH, 0, "length"},
    {"length_too_short", ".word 0x00000202 0x82\n" + kEnd, AVOCET_STATUS_ILLEGAL_LENGTH, 0, "length"},
    {"truncated", kFill + ".word 0x00000302 0x82\n", AVOCET_STATUS_ILLEGAL_LENGTH, 7,
     "the stream ends inside the command"},
    {"reserved_bits", kFill + ".word 0x00000302 0x182 1\n" + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 7, "reserved bits"},
    {"tag_too_large", kFill + "END tag=65535\n", AVOCET_STATUS_ILLEGAL_FIELD, 7, "tag"},
    {"channel", replaced(kFill, "channel=0", "channel=4") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0, "channel"},
    {"region", kFill + replaced(kLoad, "region=3", "region=8") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 7, "region"},
    {"length_field_0", replaced(kFill, "row_bytes=16", "row_bytes=0") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "row_bytes"},
    {"enum_value", kFill + replaced(kPool, "MAX", "2") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 7, "mode"},
    {"unit_nobody", kFill + "WAIT unit=3 producer=DMA0 count=1\n" + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 7, "unit"},
    {"unit_of_larger_devices", kFill + "WAIT unit=DMA4 producer=DMA0 count=1\n" + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 7,
     "unit"},
    {"producer_of_larger_devices", kFill + "WAIT unit=MAC producer=DMA4 count=1\n" + kEnd, AVOCET_STATUS_ILLEGAL_FIELD,
     7, "producer"},
    {"wait_for_too_many", kFill + "WAIT unit=MAC producer=DMA0 count=2\n" + kEnd, AVOCET_STATUS_ILLEGAL_WAIT, 7,
     "count exceeds the producer's commands"},
    {"wait_for_later_commands", "WAIT unit=MAC producer=DMA0 count=1\n" + kFill + kEnd, AVOCET_STATUS_ILLEGAL_WAIT, 0,
     "count exceeds the producer's commands"},
    {"wait_for_another_channel", kFill + "WAIT unit=MAC producer=DMA1 count=1\n" + kEnd, AVOCET_STATUS_ILLEGAL_WAIT, 7,
     "count exceeds the producer's commands"},
    {"wait_counts_no_waits",
     kFill + "WAIT unit=MAC producer=DMA0 count=1\nWAIT unit=VECTOR producer=MAC count=1\n" + kEnd,
     AVOCET_STATUS_ILLEGAL_WAIT, 10, "count exceeds the producer's commands"},
    {"wait_for_0", kFill + "WAIT unit=MAC producer=DMA0 count=0\n" + kEnd, AVOCET_STATUS_ILLEGAL_WAIT, 7, "count is 0"},
    {"wait_for_itself", kFill + "WAIT unit=DMA0 producer=DMA0 count=1\n" + kEnd, AVOCET_STATUS_ILLEGAL_WAIT, 7,
     "unit waits for itself"},
    {"no_end", kFill, AVOCET_STATUS_NO_END, 7, "END is missing"},
    {"empty", "", AVOCET_STATUS_NO_END, 0, "END is missing"},
    {"command_behind_end", kFill + kEnd + kFill, AVOCET_STATUS_NO_END, 8, "commands behind END"},
    {"second_end", kFill + kEnd + kEnd, AVOCET_STATUS_NO_END, 8, "commands behind END"},
    {"zero_behind_end", kEnd + ".word 0\n", AVOCET_STATUS_NO_END, 1, "commands behind END"},
    {"matmul_weight_bytes_low", kFill + replaced(kMatmul, "=512", "=511") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 7,
     "weight_bytes is not passes * ARRAY_ROWS * ARRAY_COLS"},
    {"matmul_weight_bytes_high", replaced(kMatmul, "=512", "=768") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "weight_bytes is not passes * ARRAY_ROWS * ARRAY_COLS"},
    {"matmul_passes_beyond_32_bits", replaced(kMatmul, "acc=8", "acc=8 kx_count=65536 ky_count=65536") + kEnd,
     AVOCET_STATUS_ILLEGAL_FIELD, 0, "weight_bytes is not passes * ARRAY_ROWS * ARRAY_COLS"},
    {"requant_channels", replaced(kRequant, "channels=16", "channels=17") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "channels exceed ARRAY_COLS"},
    {"requant_clamp", replaced(kRequant, "clamp_max=127", "clamp_max=-129") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "clamp_min is above clamp_max"},
    {"depthwise_channels", replaced(kDepthwise, "channels=8", "channels=7") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "channels are not input_channels * multiplier"},
    {"depthwise_clamp", replaced(kDepthwise, "clamp_max=255", "clamp_max=-1") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "clamp_min is above clamp_max"},
    {"pool_clamp", replaced(kPool, "clamp_max=255", "clamp_max=-1") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "clamp_min is above clamp_max"},
    {"add_left_shift", replaced(kAdd, "left_shift=20", "left_shift=23") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "left_shift is above 22"},
    {"add_a_shift", replaced(kAdd, "a_shift=0", "a_shift=31") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "a_shift is not within -31 to 30"},
    {"add_b_shift", replaced(kAdd, "b_shift=0", "b_shift=-32") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "b_shift is not within -31 to 30"},
    {"add_out_shift", replaced(kAdd, "out_shift=0", "out_shift=-128") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "out_shift is not within -31 to 30"},
    {"add_clamp", replaced(kAdd, "clamp_min=0", "clamp_min=256") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "clamp_min is above clamp_max"},
    {"binary_shift", replaced(kBinary, " shift=-3", " shift=31") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0, "shift is not within -31 to 30"},
    {"binary_negative_shift", replaced(kBinary, "negative_shift=-4", "negative_shift=-32") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "negative_shift is not within -31 to 30"},
    {"binary_clamp", replaced(kBinary, "clamp_min=0", "clamp_min=256") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0, "clamp_min is above clamp_max"},
    {"reduce_shift", replaced(kReduce, "shift=-3", "shift=-32") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0, "shift is not within -31 to 30"},
    {"reduce_clamp", replaced(kReduce, "clamp_max=255", "clamp_max=-1") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0, "clamp_min is above clamp_max"},
    {"softmax_clamp", replaced(kSoftmax, "clamp_max=255", "clamp_max=-1") + kEnd,
     AVOCET_STATUS_ILLEGAL_FIELD, 0, "clamp_min is above clamp_max"},
    {"l2_normalise_left_shift", replaced(kNormalise, "left_shift=7", "left_shift=16") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "left_shift is above 15"},
    {"l2_normalise_out_shift_low", replaced(kNormalise, "out_shift=0", "out_shift=-17") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "out_shift is not within -16 to 30"},
    {"l2_normalise_out_shift_high", replaced(kNormalise, "out_shift=0", "out_shift=31") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "out_shift is not within -16 to 30"},
    {"l2_normalise_clamp", replaced(kNormalise, "clamp_max=127", "clamp_max=-129") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0,
     "clamp_min is above clamp_max"},
    {"binary_mode", replaced(kBinary, "mode=MULTIPLY", "mode=4") + kEnd, AVOCET_STATUS_ILLEGAL_FIELD, 0, "mode"},
    {"table_crossed", "TABLE ifm=0 table=0x5ff01 ofm=0 row_bytes=1\n" + kEnd, AVOCET_STATUS_OUT_OF_RANGE, 0, "table",
     0x60000},
    // Two rows of four indices: 32 bytes.
    {"arg_reduce_output", replaced(kArgReduce, "ofm=64", "ofm=0x5ffe1") + kEnd, AVOCET_STATUS_OUT_OF_RANGE, 0, "ofm", 0x60000},
    {"arg_reduce_input", replaced(kArgReduce, "ifm=0", "ifm=0x5ffb9") + kEnd, AVOCET_STATUS_OUT_OF_RANGE, 0, "ifm", 0x60000},
    {"sram_crossed", kFill + replaced(kFill, "0x100", "0x5fff1") + kEnd, AVOCET_STATUS_OUT_OF_RANGE, 7, "sram",
     0x60000},
    {"sram_far_outside", replaced(kFill, "0x100", "0xffffffff") + kEnd, AVOCET_STATUS_OUT_OF_RANGE, 0, "sram",
     0xffffffff},
    {"acc_crossed", kFill + replaced(kMatmul, "acc=8", "acc=1017") + kEnd, AVOCET_STATUS_OUT_OF_RANGE, 7, "acc", 1024},
};

INSTANTIATE_TEST_SUITE_P(Streams, Refuses, testing::ValuesIn(kRefusals),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(StreamCheck, AcceptsAWholeStreamAndReportsIt) {
  avocet_stream_report report =
      check_text(kFill + kLoad + "WAIT unit=MAC producer=DMA1 count=1\n" + kMatmul +
                 "WAIT unit=REQUANT producer=MAC count=1\n" + kRequant + kAdd + kDepthwise + kPool + kBinary + kReduce + kSoftmax + kNormalise + kArgReduce +
                 "DMA_STORE channel=1 region=3 dram=0x100 sram=0 row_bytes=64 count0=3 dram_stride0=0x1000\n" +
                 "DMA_STORE channel=3 region=0 dram=0 sram=0 row_bytes=1 tag=65534\n" + kEnd);
  EXPECT_STREQ(avocet_status_text(report.status), "OK") << report.reason;
  EXPECT_EQ(report.reason, nullptr);
  EXPECT_EQ(report.commands, 17u);
  EXPECT_EQ(report.ended, 1u);
  EXPECT_EQ(report.tag_count, 65535u);
  EXPECT_EQ(report.unit_commands[AVOCET_UNIT_MAC], 1u);
  EXPECT_EQ(report.unit_commands[AVOCET_UNIT_REQUANT], 1u);
  EXPECT_EQ(report.unit_commands[AVOCET_UNIT_VECTOR], 8u);
  EXPECT_EQ(report.unit_commands[AVOCET_UNIT_DMA0], 1u);
  EXPECT_EQ(report.unit_commands[AVOCET_UNIT_DMA0 + 1], 2u);
  EXPECT_EQ(report.unit_commands[AVOCET_UNIT_DMA0 + 3], 1u);
  EXPECT_EQ(report.region_bytes[3], 0x2100u + 64);
  EXPECT_EQ(report.region_modes[3], AVOCET_MODE_READ | AVOCET_MODE_WRITE);
  EXPECT_EQ(report.region_bytes[0], 1u);
  EXPECT_EQ(report.region_modes[0], AVOCET_MODE_WRITE);
  EXPECT_EQ(report.region_modes[1], 0);
}

TEST(StreamCheck, EveryPrefixOfAStreamIsRefused) {
  Words stream = avocet::isa::assemble(kFill + kLoad + kMatmul + kRequant + kEnd);
  const Words starts{0, 7, 20, 33, 42};
  for (size_t count = 0; count < stream.size(); ++count) {
    uint64_t start = *std::prev(std::upper_bound(starts.begin(), starts.end(), count));
    avocet_stream_report report = check(Words(stream.begin(), stream.begin() + count));
    EXPECT_EQ(report.position, start);
    EXPECT_EQ(report.status, count == start ? AVOCET_STATUS_NO_END : AVOCET_STATUS_ILLEGAL_LENGTH) << count;
  }
  EXPECT_EQ(check(stream).status, AVOCET_STATUS_OK);
}

TEST(StreamCheck, EveryReservedBitIsRefused) {
  std::mt19937 random(6);
  int tried = 0;
  for (const avocet_command_info* row : working_rows())
    for (uint32_t word = 0; word < row->words; ++word)
      for (uint32_t bit = 0; bit < 32; ++bit) {
        if (row->defined_bits[word] >> bit & 1) continue;
        Words command = legal_command(*row, random);
        ASSERT_EQ(check(join({command, end_command()})).status, AVOCET_STATUS_OK) << row->name;
        command[word] |= 1u << bit;
        avocet_stream_report report = check(join({end_command(), command}));
        EXPECT_EQ(report.status, AVOCET_STATUS_NO_END);
        report = check(join({command, end_command()}));
        EXPECT_EQ(report.status, AVOCET_STATUS_ILLEGAL_FIELD) << row->name << " word " << word << " bit " << bit;
        EXPECT_STREQ(report.reason, "reserved bits");
        ++tried;
      }
  EXPECT_GT(tried, 100);
}

TEST(StreamCheck, WeightBytesRoundUpToWholeTiles) {
  struct {
    int channels, bytes;
  } cases[] = {{1, 256}, {16, 256}, {17, 512}, {32, 512}, {33, 768}};
  for (auto [channels, bytes] : cases)
    for (int extra : {-256, 0, 256}) {
      if (bytes + extra == 0) continue;
      std::string text = replaced(kMatmul, "channels=20", "channels=" + std::to_string(channels));
      text = replaced(text, "weight_bytes=512", "weight_bytes=" + std::to_string(bytes + extra));
      EXPECT_EQ(check_text(text + kEnd).status, extra ? AVOCET_STATUS_ILLEGAL_FIELD : AVOCET_STATUS_OK)
          << channels << " " << extra;
    }
}

TEST(StreamCheck, StepByStepSeesTheSame) {
  Words stream = avocet::isa::assemble(kFill + kLoad + kMatmul + kEnd);
  avocet_stream_report report;
  avocet_stream_begin(&report);
  std::vector<uint64_t> positions;
  while (!report.ended) {
    ASSERT_EQ(avocet_stream_step(&stream[report.next], stream.size() - report.next, &kLimits, &report),
              AVOCET_STATUS_OK);
    positions.push_back(report.position);
  }
  EXPECT_EQ(positions, (std::vector<uint64_t>{0, 7, 20, 33}));
  EXPECT_EQ(report.next, stream.size());
  EXPECT_EQ(avocet_stream_step(stream.data(), 1, &kLimits, &report), AVOCET_STATUS_NO_END);
}

TEST(PartsCheck, StreamsOneBehindTheOther) {
  const Words words = avocet::isa::assemble(kFill + kEnd + kEnd + kLoad + kMatmul + kEnd);
  avocet_parts parts;
  avocet_stream_report report;
  EXPECT_EQ(avocet_parts_check(words.data(), words.size(), 16, &kLimits, &parts, &report), AVOCET_STATUS_OK);
  ASSERT_EQ(parts.count, 3u);
  EXPECT_EQ(parts.words[0], 8u);
  EXPECT_EQ(parts.words[1], 1u);
  EXPECT_EQ(parts.words[2], 27u);
  EXPECT_EQ(report.commands, 6u);
  EXPECT_EQ(report.tag_count, 4u);
  EXPECT_EQ(report.region_bytes[3], 0x1000u + 64);
  EXPECT_EQ(report.next, words.size());
}

TEST(PartsCheck, PositionsCountFromTheFirstWord) {
  avocet_parts parts;
  avocet_stream_report report;
  Words words = avocet::isa::assemble(kEnd + kLoad + kEnd);
  words[1] = 0;
  EXPECT_EQ(avocet_parts_check(words.data(), words.size(), 16, &kLimits, &parts, &report), AVOCET_STATUS_ILLEGAL_OPCODE);
  EXPECT_EQ(report.position, 1u);
  words = avocet::isa::assemble(kEnd + kLoad);
  EXPECT_EQ(avocet_parts_check(words.data(), words.size(), 16, &kLimits, &parts, &report), AVOCET_STATUS_NO_END);
  EXPECT_EQ(report.position, words.size());
  words.assign(17, avocet_command_header(AVOCET_OP_END, AVOCET_END_WORDS, 0));
  for (uint32_t most : {1u, 3u, 16u}) {
    EXPECT_EQ(avocet_parts_check(words.data(), words.size(), most, &kLimits, &parts, &report), AVOCET_STATUS_NO_END);
    EXPECT_EQ(report.position, most);
  }
  EXPECT_EQ(avocet_parts_check(words.data(), 0, 16, &kLimits, &parts, &report), AVOCET_STATUS_NO_END);
  EXPECT_EQ(avocet_parts_check(words.data(), AVOCET_STREAM_BYTES_MAX / 4 + 1, 16, &kLimits, &parts, &report),
            AVOCET_STATUS_ILLEGAL_LENGTH);
}

TEST(StreamCheck, TooLongAStreamIsRefusedUnread) {
  avocet_stream_report report;
  EXPECT_EQ(avocet_stream_check(nullptr, AVOCET_STREAM_BYTES_MAX / 4 + 1, &kLimits, &report),
            AVOCET_STATUS_ILLEGAL_LENGTH);
  EXPECT_EQ(avocet_stream_check(nullptr, UINT64_MAX, &kLimits, &report), AVOCET_STATUS_ILLEGAL_LENGTH);
  EXPECT_EQ(report.position, 0u);
}

TEST(StreamCheck, UnusableLimitsAreRefused) {
  Words stream = avocet::isa::assemble(kMatmul + kEnd);
  for (auto spoil : {+[](avocet_limits& l) { l.array_rows = 0; }, +[](avocet_limits& l) { l.array_cols = 0; },
                     +[](avocet_limits& l) { l.dma_channels = 0; }, +[](avocet_limits& l) { l.dma_channels = 9; }}) {
    avocet_limits limits = kLimits;
    spoil(limits);
    avocet_stream_report report = check(stream, limits);
    EXPECT_EQ(report.status, AVOCET_STATUS_ILLEGAL_FIELD);
    EXPECT_STREQ(report.reason, "unusable device limits");
  }
}

TEST(StreamCheck, StatusNames) {
  EXPECT_STREQ(avocet_status_text(AVOCET_STATUS_ILLEGAL_WAIT), "ILLEGAL_WAIT");
  EXPECT_STREQ(avocet_status_text(99), "?");
}

}  // namespace
