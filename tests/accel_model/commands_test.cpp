// SPDX-License-Identifier: Apache-2.0
// Every command with random parameters against the plain reference, on the engine of $AVOCET_ENGINE. One device for the whole
// suite: SystemC elaborates once in a process.
#include <gtest/gtest.h>

#include "random_program.hpp"

namespace avocet::test {
namespace {

class Commands : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(host_.open(), "");
    host_.boot();
  }

  // `add` puts one random command (with what it needs around it) into the stream.
  template <typename Add> void check(uint32_t seed, int commands, Add add) {
    ProgramRunner runner(host_, seed);
    StreamBuilder stream;
    runner.begin(&stream);
    for (int i = 0; i < commands; ++i) add(runner, stream);
    JobResult result = runner.run(&stream);
    ASSERT_EQ(result.completion.status, unsigned{AVOCET_STATUS_OK}) << "at word " << result.completion.position;
    EXPECT_TRUE(runner.sram_matches()) << "seed " << seed << ", SRAM address " << runner.first_difference();
    EXPECT_TRUE(runner.region_matches(ProgramRunner::kScratch)) << "seed " << seed;
  }

  FakeHost host_;
};

TEST_F(Commands, MatmulAndRequant) {
  for (uint32_t seed = 0; seed < 6; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      avocet_cmd_matmul m = runner.random().matmul();
      avocet_cmd_requant r = runner.random().requant(m);
      stream.wait_for_all(AVOCET_UNIT_MAC); // REQUANTs of the command before read what this one overwrites
      stream.add(m);
      stream.wait_for_all(AVOCET_UNIT_REQUANT);
      stream.add(r);
    });
}

// Back to back in the array: accumulating into the same rows, then stored bit by bit.
TEST_F(Commands, MatmulsWithoutGapsAccumulate) {
  for (uint32_t seed = 100; seed < 104; ++seed)
    check(seed, 3, [](ProgramRunner &runner, StreamBuilder &stream) {
      avocet_cmd_matmul first = runner.random().matmul();
      stream.wait_for_all(AVOCET_UNIT_MAC);
      for (int i = 0; i < 5; ++i) {
        avocet_cmd_matmul m = runner.random().matmul();
        m.acc = first.acc;
        m.x_count = first.x_count;
        m.y_count = first.y_count;
        m.x_stride = first.x_stride;
        m.y_stride = first.y_stride;
        m.accumulate = i > 0;
        m.ifm = first.ifm;
        if (m.kx_count * m.kx_stride + m.ky_count * m.ky_stride + m.channels >
            first.kx_count * first.kx_stride + first.ky_count * first.ky_stride + first.channels)
          continue;
        stream.add(m);
      }
      stream.wait_for_all(AVOCET_UNIT_REQUANT);
      stream.add(runner.random().requant(first));
    });
}

TEST_F(Commands, Depthwise) {
  for (uint32_t seed = 200; seed < 206; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().depthwise());
    });
}

TEST_F(Commands, Pool) {
  for (uint32_t seed = 300; seed < 306; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().pool());
    });
}

TEST_F(Commands, Add) {
  for (uint32_t seed = 400; seed < 406; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().add());
    });
}

TEST_F(Commands, Binary) {
  for (uint32_t seed = 1000; seed < 1012; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().binary());
    });
}

TEST_F(Commands, Table) {
  for (uint32_t seed = 1100; seed < 1104; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().table());
    });
}

TEST_F(Commands, Reduce) {
  for (uint32_t seed = 1200; seed < 1212; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().reduce());
    });
}

TEST_F(Commands, ArgReduce) {
  for (uint32_t seed = 1700; seed < 1712; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().arg_reduce());
    });
}

TEST_F(Commands, Softmax) {
  for (uint32_t seed = 1300; seed < 1312; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().softmax());
    });
}

TEST_F(Commands, Resize) {
  for (uint32_t seed = 1400; seed < 1412; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().resize());
    });
}

TEST_F(Commands, L2Normalise) {
  for (uint32_t seed = 1500; seed < 1512; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(runner.random().l2_normalise());
    });
}

// Elementwise commands may write over their input.
TEST_F(Commands, InPlace) {
  for (uint32_t seed = 1600; seed < 1604; ++seed)
    check(seed, 4, [](ProgramRunner &runner, StreamBuilder &stream) {
      RandomCommands &random = runner.random();
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      avocet_cmd_table table = random.table();
      table.ifm = table.ofm;
      table.in_y_stride = table.y_stride;
      stream.add(table);
      avocet_cmd_binary binary = random.binary();
      binary.a = binary.ofm;
      binary.a_stride = binary.y_stride;
      binary.a_scalar = 0;
      stream.add(binary);
      avocet_cmd_add add = random.add();
      add.b = add.ofm;
      add.b_stride = add.y_stride;
      add.b_scalar = 0;
      stream.add(add);
      avocet_cmd_softmax softmax = random.softmax();
      softmax.ifm = softmax.ofm;
      softmax.in_x_stride = softmax.x_stride;
      softmax.in_y_stride = softmax.y_stride;
      stream.add(softmax);
      // Each row is read before it is written, also where that is of no use to anybody.
      softmax.ofm = random.input_bytes() + 1000;
      softmax.ifm = softmax.ofm - 1;
      softmax.in_x_stride = softmax.x_stride + 1;
      softmax.y_count = 1;
      stream.add(softmax);
    });
}

TEST_F(Commands, DmaOnAllChannels) {
  for (uint32_t seed = 500; seed < 506; ++seed)
    check(seed, 12, [](ProgramRunner &runner, StreamBuilder &stream) {
      RandomCommands &random = runner.random();
      auto in_turn = [&](const auto &command) {
        stream.wait_for_all(AVOCET_UNIT_DMA0 + command.channel);
        stream.add(command);
      };
      switch (random.number(0, 2)) {
      case 0: return in_turn(random.dma_load(ProgramRunner::kScratch, ProgramRunner::kScratchBytes));
      case 1: return in_turn(random.dma_store(ProgramRunner::kScratch, ProgramRunner::kScratchBytes));
      default: return in_turn(random.dma_fill());
      }
    });
}

// Rows of a transfer that repeat (stride 0) in numbers beyond one chunk.
TEST_F(Commands, DmaWithManyShortRows) {
  check(600, 1, [](ProgramRunner &, StreamBuilder &stream) {
    stream.wait_for_all(AVOCET_UNIT_DMA0);
    avocet_cmd_dma_load load{};
    load.region = ProgramRunner::kScratch;
    load.sram = 200 * 1024;
    load.row_bytes = 3;
    load.count0 = 5000;
    load.count1 = 3;
    load.count2 = 1;
    load.dram_stride0 = 7;
    load.sram_stride0 = 4;
    load.sram_stride1 = 20000;
    stream.add(load);
  });
}

// A queue holds QUEUE_DEPTH commands: more than that behind a WAIT must neither be lost nor deadlock.
TEST_F(Commands, FullQueues) {
  check(700, 60, [](ProgramRunner &runner, StreamBuilder &stream) {
    if (stream.count(AVOCET_UNIT_VECTOR) == 0) stream.wait_for_all(AVOCET_UNIT_VECTOR);
    stream.add(runner.random().pool());
  });
}

} // namespace
} // namespace avocet::test
