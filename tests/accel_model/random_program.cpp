// SPDX-License-Identifier: Apache-2.0
// See random_program.hpp.
#include "random_program.hpp"

#include <algorithm>
#include <cstring>

namespace avocet::test {

Hardware hardware_of_device() {
  return {FakeHost::read(AVOCET_REG_ARRAY_ROWS), FakeHost::read(AVOCET_REG_ARRAY_COLS), FakeHost::read(AVOCET_REG_ACC_ROWS),
          FakeHost::read(AVOCET_REG_SRAM_BYTES), FakeHost::read(AVOCET_REG_DMA_CHANNELS)};
}

ProgramRunner::ProgramRunner(FakeHost &host, uint32_t seed)
    : host_(host), hardware_(hardware_of_device()), random_(hardware_, seed),
      reference_(hardware_.array_rows, hardware_.array_columns, hardware_.accumulator_rows, hardware_.sram_bytes) {
  const uint32_t bytes[3] = {random_.input_bytes(), hardware_.sram_bytes, kScratchBytes};
  for (uint32_t i = 0; i < 3; ++i) {
    regions_[i] = host.region(i, bytes[i]);
    std::span<uint8_t> region(regions_[i], bytes[i]);
    if (i == kInput)
      random_.fill_input(region);
    else
      random_.fill(region);
    reference_.regions[i].assign(region.begin(), region.end());
  }
}

void ProgramRunner::begin(StreamBuilder *stream) {
  avocet_cmd_dma_load load{};
  load.region = kInput;
  load.row_bytes = random_.input_bytes();
  load.count0 = load.count1 = load.count2 = 1;
  stream->add(load);
  avocet_cmd_dma_fill fill{};
  fill.channel = hardware_.dma_channels - 1;
  fill.value = random_.number(0, 255);
  fill.sram = random_.input_bytes();
  fill.row_bytes = hardware_.sram_bytes - random_.input_bytes();
  fill.count0 = fill.count1 = 1;
  stream->add(fill);
  // Accumulators keep what the job before left there: overwrite them all.
  stream->wait_for_all(AVOCET_UNIT_MAC);
  avocet_cmd_matmul clear{};
  clear.weights = 12 * random_.parameter_records();
  clear.ifm = clear.weights;
  clear.weight_bytes = hardware_.array_rows * hardware_.array_columns;
  clear.x_count = hardware_.accumulator_rows;
  clear.y_count = clear.kx_count = clear.ky_count = clear.channels = 1;
  stream->add(clear);
}

StreamBuilder ProgramRunner::random_stream(uint32_t steps) {
  RandomCommands &random = random_;
  StreamBuilder stream;
  begin(&stream);
  for (uint32_t i = 0; i < steps; ++i) {
    stream.set_tag(1 + i % 4);
    if (random.number(0, 2) == 0) stream.wait_for_all(random.number(AVOCET_UNIT_MAC, AVOCET_UNIT_VECTOR));
    switch (random.number(0, 9)) {
    case 0: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.pool());
      break;
    }
    case 1: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.depthwise());
      break;
    }
    case 2: {
      avocet_cmd_dma_load load = random.dma_load(ProgramRunner::kScratch, ProgramRunner::kScratchBytes);
      stream.wait_for_all(AVOCET_UNIT_DMA0 + load.channel);
      stream.add(load);
      break;
    }
    case 3: {
      avocet_cmd_matmul m = random.matmul();
      stream.wait(AVOCET_UNIT_MAC, AVOCET_UNIT_REQUANT);
      stream.add(m);
      stream.wait_for_all(AVOCET_UNIT_REQUANT);
      stream.add(random.requant(m));
      break;
    }
    case 4: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.add());
      stream.add(random.binary());
      stream.add(random.table());
      break;
    }
    case 5: {
      stream.wait_for_all(AVOCET_UNIT_VECTOR);
      stream.add(random.reduce());
      stream.add(random.arg_reduce());
      stream.add(random.softmax());
      stream.add(random.resize());
      stream.add(random.l2_normalise());
      break;
    }
    default:
      stream.wait(AVOCET_UNIT_MAC, AVOCET_UNIT_REQUANT);
      stream.add(random.matmul());
      break;
    }
  }
  return stream;
}

std::vector<uint32_t> ProgramRunner::finish(StreamBuilder *stream) {
  stream->wait_for_all(AVOCET_UNIT_DMA0);
  avocet_cmd_dma_store store{};
  store.region = kSramImage;
  store.row_bytes = hardware_.sram_bytes;
  store.count0 = store.count1 = store.count2 = 1;
  stream->add(store);
  std::vector<uint32_t> words = stream->finish();
  reference_.run(words);
  return words;
}

JobResult ProgramRunner::run(StreamBuilder *stream, uint32_t profile_entries) {
  return host_.run(finish(stream), profile_entries);
}

bool ProgramRunner::sram_matches() const {
  return std::memcmp(regions_[kSramImage], reference_.regions[kSramImage].data(), hardware_.sram_bytes) == 0;
}

bool ProgramRunner::region_matches(uint32_t region) const {
  return std::memcmp(regions_[region], reference_.regions[region].data(), reference_.regions[region].size()) == 0;
}

uint32_t ProgramRunner::first_difference() const {
  const std::vector<uint8_t> &expected = reference_.regions[kSramImage];
  return static_cast<uint32_t>(std::mismatch(expected.begin(), expected.end(), regions_[kSramImage]).first -
                               expected.begin());
}

uint32_t ProgramRunner::sram_checksum() const {
  uint32_t hash = 2166136261u;
  for (uint32_t i = 0; i < hardware_.sram_bytes; ++i) hash = (hash ^ regions_[kSramImage][i]) * 16777619u;
  return hash;
}

} // namespace avocet::test
