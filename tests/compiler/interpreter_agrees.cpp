// SPDX-License-Identifier: Apache-2.0
// The interpreter of this folder and the reference of the model's tests, written apart, give the same bytes for random
// vector commands.
#include <gtest/gtest.h>

#include "random_commands.hpp"
#include "reference.hpp"
#include "stream_builder.hpp"
#include "stream_interpreter.hpp"

namespace avocet::compiler::test {
namespace {

using avocet::test::RandomCommands;
using avocet::test::Reference;
using avocet::test::StreamBuilder;

constexpr uint32_t kSram = 128 * 1024;

void add_random_command(RandomCommands& random, StreamBuilder& stream) {
  switch (random.number(0, 9)) {
    case 0:
      return stream.add(random.depthwise());
    case 1:
      return stream.add(random.pool());
    case 2:
      return stream.add(random.add());
    case 3:
      return stream.add(random.binary());
    case 4:
      return stream.add(random.table());
    case 5:
      return stream.add(random.reduce());
    case 6:
      return stream.add(random.softmax());
    case 7:
      return stream.add(random.resize());
    case 8:
      return stream.add(random.arg_reduce());
    default:
      return stream.add(random.l2_normalise());
  }
}

TEST(InterpreterAgrees, WithTheReferenceOnVectorCommands) {
  DeviceConfig device;
  device.array_rows = device.array_cols = 16;
  device.acc_rows = 64;
  device.sram_bytes = kSram;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomCommands random({16, 16, device.acc_rows, kSram, 1}, seed);
    Program program;
    program.constants.resize(kSram);
    random.fill(program.constants);
    random.fill_input({program.constants.data(), random.input_bytes()});
    program.outputs = {{0, kSram}};
    program.output_bytes = kSram;

    StreamBuilder stream;
    avocet_cmd_dma_load load{};
    load.region = kConstants;
    load.row_bytes = kSram;
    load.count0 = load.count1 = load.count2 = 1;
    stream.add(load);
    stream.wait_for_all(AVOCET_UNIT_VECTOR);
    for (int i = 0; i < 20; ++i) add_random_command(random, stream);
    stream.wait_for_all(AVOCET_UNIT_DMA0);
    avocet_cmd_dma_store store{};
    store.region = kOutputs;
    store.row_bytes = kSram;
    store.count0 = store.count1 = store.count2 = 1;
    stream.add(store);
    program.stream = stream.finish();

    StreamInterpreter interpreter(program, device, seed);
    interpreter.run_in_order();
    Reference reference(16, 16, device.acc_rows, kSram);
    reference.regions[kConstants] = program.constants;
    reference.regions[kOutputs].resize(kSram);
    reference.run(program.stream);
    ASSERT_EQ(interpreter.output(0), reference.regions[kOutputs]) << "seed " << seed;
  }
}

}  // namespace
}  // namespace avocet::compiler::test
