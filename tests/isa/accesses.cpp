// SPDX-License-Identifier: Apache-2.0
// What the tables say a command touches, against loops that visit every byte as the command's description says.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "legal_commands.hpp"

using namespace avocet::isa_test;

namespace {

struct Hull {
  int64_t first = INT64_MAX, last = -1;
  void touch(int64_t address) {
    first = std::min(first, address);
    last = std::max(last, address);
  }
};

// One hull per access, in the order of the command's row.
using Hulls = std::vector<Hull>;

void touch_rows(Hull& hull, int64_t base, int64_t bytes, std::vector<std::pair<int64_t, int64_t>> dimensions) {
  if (dimensions.empty()) {
    for (int64_t i = 0; i < bytes; ++i) hull.touch(base + i);
    return;
  }
  auto [count, stride] = dimensions.back();
  dimensions.pop_back();
  for (int64_t i = 0; i < count; ++i) touch_rows(hull, base + i * stride, bytes, dimensions);
}

Hulls visit_dma_load(const uint32_t* words) {
  avocet_cmd_dma_load c;
  avocet_dma_load_decode(words, &c);
  Hulls hulls(2);
  for (int64_t k = 0; k < c.count2; ++k)
    for (int64_t j = 0; j < c.count1; ++j)
      for (int64_t i = 0; i < c.count0; ++i)
        for (int64_t b = 0; b < c.row_bytes; ++b) {
          hulls[0].touch(c.dram + k * c.dram_stride2 + j * c.dram_stride1 + i * c.dram_stride0 + b);
          hulls[1].touch(c.sram + k * c.sram_stride2 + j * c.sram_stride1 + i * c.sram_stride0 + b);
        }
  return hulls;
}

Hulls visit_dma_store(const uint32_t* words) {
  Hulls hulls = visit_dma_load(words);  // the same fields; reads SRAM first
  std::swap(hulls[0], hulls[1]);
  return hulls;
}

Hulls visit_dma_fill(const uint32_t* words) {
  avocet_cmd_dma_fill c;
  avocet_dma_fill_decode(words, &c);
  Hulls hulls(1);
  touch_rows(hulls[0], c.sram, c.row_bytes, {{c.count0, c.stride0}, {c.count1, c.stride1}});
  return hulls;
}

Hulls visit_matmul(const uint32_t* words) {
  avocet_cmd_matmul c;
  avocet_matmul_decode(words, &c);
  Hulls hulls(3);
  int64_t blocks = (c.channels + 15) / 16, pass = 0;
  for (int64_t ky = 0; ky < c.ky_count; ++ky)
    for (int64_t kx = 0; kx < c.kx_count; ++kx)
      for (int64_t block = 0; block < blocks; ++block, ++pass) {
        for (int64_t i = 0; i < 16 * 16; ++i) hulls[1].touch(c.weights + pass * 16 * 16 + i);
        for (int64_t y = 0; y < c.y_count; ++y)
          for (int64_t x = 0; x < c.x_count; ++x) {
            hulls[2].touch(c.acc + y * c.x_count + x);
            for (int64_t lane = 0; lane < 16 && block * 16 + lane < c.channels; ++lane)
              hulls[0].touch(c.ifm + y * c.y_stride + x * c.x_stride + ky * c.ky_stride + kx * c.kx_stride +
                             block * 16 + lane);
          }
      }
  return hulls;
}

Hulls visit_requant(const uint32_t* words) {
  avocet_cmd_requant c;
  avocet_requant_decode(words, &c);
  Hulls hulls(3);
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x) {
      hulls[0].touch(c.acc + y * c.x_count + x);
      for (int64_t channel = 0; channel < c.channels; ++channel) {
        for (int64_t b = 0; b < AVOCET_PARAMETER_BYTES; ++b)
          hulls[1].touch(c.parameters + channel * AVOCET_PARAMETER_BYTES + b);
        hulls[2].touch(c.ofm + y * c.y_stride + x * c.x_stride + channel);
      }
    }
  return hulls;
}

Hulls visit_depthwise(const uint32_t* words) {
  avocet_cmd_depthwise c;
  avocet_depthwise_decode(words, &c);
  Hulls hulls(4);
  touch_rows(hulls[0], c.ifm, c.input_channels, {{c.in_width, c.in_x_stride}, {c.in_height, c.in_y_stride}});
  for (int64_t i = 0; i < int64_t{c.kernel_height} * c.kernel_width * c.channels; ++i) hulls[1].touch(c.weights + i);
  for (int64_t i = 0; i < int64_t{c.channels} * AVOCET_PARAMETER_BYTES; ++i) hulls[2].touch(c.parameters + i);
  touch_rows(hulls[3], c.ofm, c.channels, {{c.x_count, c.x_stride}, {c.y_count, c.y_stride}});
  return hulls;
}

Hulls visit_pool(const uint32_t* words) {
  avocet_cmd_pool c;
  avocet_pool_decode(words, &c);
  Hulls hulls(2);
  touch_rows(hulls[0], c.ifm, c.channels, {{c.in_width, c.in_x_stride}, {c.in_height, c.in_y_stride}});
  touch_rows(hulls[1], c.ofm, c.channels, {{c.x_count, c.x_stride}, {c.y_count, c.y_stride}});
  return hulls;
}

Hulls visit_add(const uint32_t* words) {
  avocet_cmd_add c;
  avocet_add_decode(words, &c);
  Hulls hulls(3);
  touch_rows(hulls[0], c.a, c.a_scalar ? 1 : c.row_bytes, {{c.y_count, c.a_stride}});
  touch_rows(hulls[1], c.b, c.b_scalar ? 1 : c.row_bytes, {{c.y_count, c.b_stride}});
  touch_rows(hulls[2], c.ofm, c.row_bytes, {{c.y_count, c.y_stride}});
  return hulls;
}

Hulls visit_binary(const uint32_t* words) {
  avocet_cmd_binary c;
  avocet_binary_decode(words, &c);
  Hulls hulls(3);
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t i = 0; i < c.row_bytes; ++i) {
      hulls[0].touch(c.a + y * c.a_stride + (c.a_scalar ? 0 : i));
      hulls[1].touch(c.b + y * c.b_stride + (c.b_scalar ? 0 : i));
      hulls[2].touch(c.ofm + y * c.y_stride + i);
    }
  return hulls;
}

Hulls visit_table(const uint32_t* words) {
  avocet_cmd_table c;
  avocet_table_decode(words, &c);
  Hulls hulls(3);
  touch_rows(hulls[0], c.ifm, c.row_bytes, {{c.y_count, c.in_y_stride}});
  for (int64_t i = 0; i < 256; ++i) hulls[1].touch(c.table + i);
  touch_rows(hulls[2], c.ofm, c.row_bytes, {{c.y_count, c.y_stride}});
  return hulls;
}

Hulls visit_reduce(const uint32_t* words) {
  avocet_cmd_reduce c;
  avocet_reduce_decode(words, &c);
  Hulls hulls(2);
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t channel = 0; channel < c.channels; ++channel) {
      hulls[1].touch(c.ofm + y * c.y_stride + channel);
      for (int64_t j = 0; j < c.axis1_count; ++j)
        for (int64_t i = 0; i < c.axis0_count; ++i)
          hulls[0].touch(c.ifm + y * c.in_y_stride + j * c.axis1_stride + i * c.axis0_stride + channel);
    }
  return hulls;
}

Hulls visit_arg_reduce(const uint32_t* words) {
  avocet_cmd_arg_reduce c;
  avocet_arg_reduce_decode(words, &c);
  Hulls hulls(2);
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t channel = 0; channel < c.channels; ++channel) {
      for (int64_t byte = 0; byte < 4; ++byte) hulls[1].touch(c.ofm + y * c.y_stride + channel * 4 + byte);
      for (int64_t i = 0; i < c.axis_count; ++i) hulls[0].touch(c.ifm + y * c.in_y_stride + i * c.axis_stride + channel);
    }
  return hulls;
}

// Rows of elements any distance apart: SOFTMAX and L2_NORMALISE.
template <typename Command>
void touch_elements(const Command& c, Hull& in, Hull& out) {
  for (int64_t y = 0; y < c.y_count; ++y)
    for (int64_t x = 0; x < c.x_count; ++x) {
      in.touch(c.ifm + y * c.in_y_stride + x * c.in_x_stride);
      out.touch(c.ofm + y * c.y_stride + x * c.x_stride);
    }
}

Hulls visit_softmax(const uint32_t* words) {
  avocet_cmd_softmax c;
  avocet_softmax_decode(words, &c);
  Hulls hulls(3);
  touch_elements(c, hulls[0], hulls[2]);
  for (int64_t i = 0; i < 256 * 4; ++i) hulls[1].touch(c.exponentials + i);
  return hulls;
}

Hulls visit_l2_normalise(const uint32_t* words) {
  avocet_cmd_l2_normalise c;
  avocet_l2_normalise_decode(words, &c);
  Hulls hulls(2);
  touch_elements(c, hulls[0], hulls[1]);
  return hulls;
}

Hulls visit_resize(const uint32_t* words) {
  avocet_cmd_resize c;
  avocet_resize_decode(words, &c);
  Hulls hulls(2);
  touch_rows(hulls[0], c.ifm, c.channels, {{c.in_width, c.in_x_stride}, {c.in_height, c.in_y_stride}});
  touch_rows(hulls[1], c.ofm, c.channels, {{c.x_count, c.x_stride}, {c.y_count, c.y_stride}});
  return hulls;
}

struct Visitor {
  uint32_t opcode;
  std::function<Hulls(const uint32_t*)> visit;
  std::string modes;   // one letter per access: r, w, b (both)
  std::string spaces;  // s(ram), d(ram), a(cc)
};

const Visitor kVisitors[] = {
    {AVOCET_OP_DMA_LOAD, visit_dma_load, "rw", "ds"}, {AVOCET_OP_DMA_STORE, visit_dma_store, "rw", "sd"},
    {AVOCET_OP_DMA_FILL, visit_dma_fill, "w", "s"},   {AVOCET_OP_MATMUL, visit_matmul, "rrb", "ssa"},
    {AVOCET_OP_REQUANT, visit_requant, "rrw", "ass"}, {AVOCET_OP_DEPTHWISE, visit_depthwise, "rrrw", "ssss"},
    {AVOCET_OP_POOL, visit_pool, "rw", "ss"},         {AVOCET_OP_ADD, visit_add, "rrw", "sss"},
    {AVOCET_OP_BINARY, visit_binary, "rrw", "sss"},   {AVOCET_OP_TABLE, visit_table, "rrw", "sss"},
    {AVOCET_OP_REDUCE, visit_reduce, "rw", "ss"},     {AVOCET_OP_SOFTMAX, visit_softmax, "rrw", "sss"},
    {AVOCET_OP_RESIZE, visit_resize, "rw", "ss"},     {AVOCET_OP_L2_NORMALISE, visit_l2_normalise, "rw", "ss"},
    {AVOCET_OP_ARG_REDUCE, visit_arg_reduce, "rw", "ss"},
};

TEST(Accesses, HullsAreThoseOfTheBytesVisited) {
  std::mt19937 random(4);
  size_t compared = 0;
  for (const Visitor& visitor : kVisitors)
    for (int round = 0; round < 200; ++round) {
      Words command = legal_command(*avocet_command_by_opcode[visitor.opcode], random);
      Hulls expected = visitor.visit(command.data());
      avocet_access accesses[AVOCET_ACCESSES_MAX];
      uint32_t count = avocet_command_accesses(command.data(), accesses);
      ASSERT_EQ(count, expected.size()) << row_of(command).name;
      for (uint32_t i = 0; i < count; ++i, ++compared) {
        SCOPED_TRACE(std::string(row_of(command).name) + " " + accesses[i].name);
        EXPECT_EQ(accesses[i].address, static_cast<uint64_t>(expected[i].first));
        EXPECT_EQ(accesses[i].address + accesses[i].extent, static_cast<uint64_t>(expected[i].last) + 1);
        EXPECT_EQ("?rwb"[accesses[i].mode], visitor.modes[i]);
        EXPECT_EQ("sda"[accesses[i].space], visitor.spaces[i]);
        EXPECT_EQ(accesses[i].region, accesses[i].space == AVOCET_SPACE_DRAM ? get(command, "region") : 0);
      }
    }
  EXPECT_EQ(compared, 200u * (2 + 2 + 1 + 3 + 3 + 4 + 2 + 3 + 3 + 3 + 2 + 3 + 2 + 2 + 2));
}

TEST(Accesses, EveryWorkingCommandHasAVisitorHere) { EXPECT_EQ(working_rows().size(), std::size(kVisitors)); }

TEST(Accesses, UnitsOfCommands) {
  std::mt19937 random(5);
  Words load = legal_command(*avocet_command_by_opcode[AVOCET_OP_DMA_LOAD], random);
  set(load, "channel", 3);
  EXPECT_EQ(avocet_command_unit(load.data()), AVOCET_UNIT_DMA0 + 3u);
  Words add = legal_command(*avocet_command_by_opcode[AVOCET_OP_ADD], random);
  EXPECT_EQ(avocet_command_unit(add.data()), uint32_t{AVOCET_UNIT_VECTOR});
  uint32_t wait[AVOCET_WAIT_WORDS];
  avocet_cmd_wait fields{.unit = AVOCET_UNIT_REQUANT, .producer = AVOCET_UNIT_MAC, .count = 1};
  avocet_wait_encode(&fields, 0, wait);
  EXPECT_EQ(avocet_command_unit(wait), uint32_t{AVOCET_UNIT_REQUANT});
  EXPECT_EQ(avocet_command_unit(end_command().data()), uint32_t{AVOCET_UNIT_COUNT});
  uint32_t garbage = 0;
  EXPECT_EQ(avocet_command_unit(&garbage), uint32_t{AVOCET_UNIT_COUNT});
  avocet_access accesses[AVOCET_ACCESSES_MAX];
  EXPECT_EQ(avocet_command_accesses(&garbage, accesses), 0u);
}

}  // namespace
