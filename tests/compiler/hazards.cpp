// SPDX-License-Identifier: Apache-2.0
// The WAITs that pairs and chains of commands need, and those that others already imply.
#include "hazards.hpp"

#include <gtest/gtest.h>

#include <avocet/compiler/program.hpp>

#include "avocet_isa.h"

namespace avocet::compiler::test {
namespace {

struct Words {
  uint32_t words[AVOCET_WORDS_MAX] = {};
};

Words load(uint32_t channel, uint32_t sram, uint32_t bytes, uint32_t dram = 0) {
  avocet_cmd_dma_load c{};
  c.channel = channel;
  c.region = kScratch;
  c.sram = sram;
  c.dram = dram;
  c.row_bytes = bytes;
  c.count0 = c.count1 = c.count2 = 1;
  Words w;
  avocet_dma_load_encode(&c, 0, w.words);
  return w;
}

Words store(uint32_t channel, uint32_t sram, uint32_t bytes, uint32_t dram = 0) {
  Words w = load(channel, sram, bytes, dram);
  w.words[0] = avocet_command_header(AVOCET_OP_DMA_STORE, AVOCET_DMA_STORE_WORDS, 0);
  return w;
}

/// Vector unit: reads a and b, writes out.
Words sum(uint32_t a, uint32_t b, uint32_t out, uint32_t bytes) {
  avocet_cmd_add c{};
  c.a = a;
  c.b = b;
  c.ofm = out;
  c.row_bytes = bytes;
  c.y_count = 1;
  Words w;
  avocet_add_encode(&c, 0, w.words);
  return w;
}

std::string text(const std::vector<Hazards::Wait>& waits) {
  std::string result;
  for (const Hazards::Wait& wait : waits)
    result += std::to_string(wait.producer) + ":" + std::to_string(wait.count) + " ";
  return result;
}

constexpr uint32_t kVector = AVOCET_UNIT_VECTOR;

TEST(Hazards, ReadAfterWrite) {
  Hazards hazards;
  EXPECT_EQ(text(hazards.issue(load(0, 0, 64).words)), "");
  EXPECT_EQ(text(hazards.issue(load(1, 64, 64).words)), "");
  EXPECT_EQ(text(hazards.issue(sum(0, 64, 128, 64).words)), "8:1 9:1 ");
  EXPECT_EQ(text(hazards.issue(sum(0, 64, 192, 64).words)), "");  // waited already
}

TEST(Hazards, WriteAfterReadAndWrite) {
  Hazards hazards;
  hazards.issue(load(0, 0, 64).words);
  hazards.issue(sum(0, 0, 64, 64).words);
  EXPECT_EQ(text(hazards.issue(load(1, 32, 8).words)), "2:1 ");   // its reader implies the first load
  EXPECT_EQ(text(hazards.issue(load(2, 100, 8).words)), "2:1 ");  // overwrites the sum's output
  EXPECT_EQ(text(hazards.issue(load(3, 128, 8).words)), "");      // one past the end
}

TEST(Hazards, NeighboursDoNotTouch) {
  Hazards hazards;
  hazards.issue(load(0, 64, 64).words);
  EXPECT_EQ(text(hazards.issue(sum(0, 0, 128, 64).words)), "");
  EXPECT_EQ(text(hazards.issue(sum(0, 1, 128, 64).words)), "8:1 ");
}

TEST(Hazards, OneUnitNeedsNoWaits) {
  Hazards hazards;
  hazards.issue(sum(0, 0, 64, 64).words);
  EXPECT_EQ(text(hazards.issue(sum(64, 64, 0, 64).words)), "");
  hazards.issue(load(5, 512, 4).words);
  EXPECT_EQ(text(hazards.issue(store(5, 512, 4, 0).words)), "");
}

TEST(Hazards, DramRegionsAreTracked) {
  Hazards hazards;
  hazards.issue(store(0, 0, 64, 1000).words);
  EXPECT_EQ(text(hazards.issue(load(1, 512, 64, 936).words)), "");
  EXPECT_EQ(text(hazards.issue(load(1, 512, 65, 936).words)), "8:1 ");
}

TEST(Hazards, WhatAProducerKnewIsImplied) {
  Hazards hazards;
  hazards.issue(load(0, 0, 64).words);
  hazards.issue(sum(0, 0, 64, 64).words);                             // waits for the load
  EXPECT_EQ(text(hazards.issue(store(1, 64, 64, 0).words)), "2:1 ");  // waits for the sum
  EXPECT_EQ(text(hazards.issue(store(1, 0, 64, 64).words)), "");      // knows of the load through the sum
}

TEST(Hazards, LaterCommandsAreNotImplied) {
  Hazards hazards;
  hazards.issue(load(0, 0, 64).words);
  hazards.issue(sum(0, 0, 64, 64).words);
  hazards.issue(load(0, 256, 64, 4096).words);
  EXPECT_EQ(text(hazards.issue(store(1, 64, 64, 0).words)), "2:1 ");
  EXPECT_EQ(text(hazards.issue(store(1, 256, 64, 64).words)), "8:2 ");
}

TEST(Hazards, ManyReadersOfOneRange) {
  Hazards hazards;
  hazards.issue(load(0, 0, 64).words);
  hazards.issue(store(1, 0, 32, 0).words);
  hazards.issue(store(2, 16, 48, 64).words);
  hazards.issue(sum(0, 0, 256, 16).words);
  EXPECT_EQ(text(hazards.issue(load(3, 0, 64, 200).words)), std::to_string(kVector) + ":1 9:1 10:1 ");
}

TEST(Hazards, WhatNothingWritesIsNotTracked) {
  Hazards hazards;
  for (uint32_t region : {kConstants, kInputs}) {
    Words bytes = store(0, 0, 64, 0);
    avocet_cmd_dma_store c;
    avocet_dma_store_decode(bytes.words, &c);
    c.region = region;
    avocet_dma_store_encode(&c, 0, bytes.words);
    hazards.issue(bytes.words);
    c.channel = 1;
    avocet_dma_store_encode(&c, 0, bytes.words);
    EXPECT_EQ(text(hazards.issue(bytes.words)), "");
  }
}

TEST(Hazards, ABarrierComesBehindWhatUsesTheDram) {
  Hazards hazards;
  Words barrier;
  const avocet_cmd_barrier c{1};
  avocet_barrier_encode(&c, 0, barrier.words);
  hazards.issue(store(0, 0, 64, 0).words);
  hazards.issue(load(2, 128, 64, 4096).words);  // other cores may write there later
  hazards.issue(sum(128, 128, 192, 64).words);
  hazards.issue(store(1, 192, 64, 512).words);
  EXPECT_EQ(text(hazards.issue(barrier.words)), "8:1 ") << "what the store of its own channel waited for is implied";
  EXPECT_EQ(text(hazards.issue(load(3, 512, 64, 64).words)), "9:2 ");
  EXPECT_EQ(text(hazards.issue(load(3, 576, 64, 8192).words)), "") << "waited already";
  EXPECT_EQ(text(hazards.issue(store(1, 0, 64, 1024).words)), "") << "in the order of its channel";
}

TEST(Hazards, ManyRangesReadAtOnce) {
  Hazards hazards;
  for (uint32_t i = 0; i < 100; ++i) hazards.issue(load(0, i * 8, 8, i * 8).words);
  EXPECT_EQ(text(hazards.issue(sum(0, 0, 4096, 800).words)), "8:100 ");
  // Now one range: its first bytes count as written by the latest load, and read.
  EXPECT_EQ(text(hazards.issue(load(1, 0, 8, 5000).words)), std::to_string(kVector) + ":1 ");
  EXPECT_EQ(text(hazards.issue(store(2, 8, 8, 6000).words)), "8:100 ");
}

}  // namespace
}  // namespace avocet::compiler::test
