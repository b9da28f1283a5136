// SPDX-License-Identifier: Apache-2.0
// Compiled networks on a device of several cores (AVOCET_CONFIG, AVOCET_ENGINE): shared between cores they give the bytes that one core
// gives, in fewer cycles, and in the same number every time. With AVOCET_SHARED_NETWORK=resnet50|mobilenet_v2 the test
// ScalesWithCores prints the cycles and waits of that network on 1, 2, 4, ... cores instead of a small one's.
#include <avocet/compiler/compiler.hpp>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "avocet_device.h"
#include "avocet_model.h"
#include "driver/client.hpp"
#include "networks.hpp"

namespace avocet::test {
namespace {

using namespace compiler;
using compiler::test::Bytes;
using compiler::test::GraphBuilder;

struct Waits {
  uint64_t cycles = 0, cores = 0, dram = 0, array = 0;  // of all cores: job, DMA channels at BARRIERs and for the memory, array busy
};
std::mutex waits_mutex;
std::map<uint64_t, Waits> waits;  // by job

/// Before the device is opened.
const bool listening = [] {
  avocet_sim_listen(
      [](void*, const avocet_model_job* job) {
        const std::lock_guard lock(waits_mutex);
        Waits& sum = waits[job->job_id];
        sum.cycles += job->end_cycle - job->start_cycle;
        sum.array += job->units[AVOCET_UNIT_MAC].cycles[AVOCET_CYCLE_BUSY];
        for (uint32_t unit = AVOCET_UNIT_DMA0; unit < AVOCET_UNIT_COUNT; unit++) {
          sum.cores += job->units[unit].cycles[AVOCET_CYCLE_CORES];
          sum.dram += job->units[unit].cycles[AVOCET_CYCLE_DRAM];
        }
      },
      nullptr);
  return true;
}();

class SharedNetworks : public testing::Test {
 protected:
  SharedNetworks() : client_([this](unsigned long request, void* argument) { return avocet_ioctl(device_, request, argument); }) {
    EXPECT_TRUE(listening);
    device_ = avocet_open();
    EXPECT_GE(device_, 0) << avocet_sim_error();
    info_ = client_.query<avocet_accel_info>(AVOCET_ACCEL_QUERY_INFO);
    config_ = {info_.array_rows,   info_.array_cols,          info_.acc_rows,                 info_.vector_lanes, info_.sram_bytes, info_.sram_banks,
               info_.dma_channels, info_.dma_bytes_per_cycle, info_.dram_millibytes_per_cycle, info_.dram_latency, info_.clock_khz,  info_.cores};
  }
  ~SharedNetworks() override { avocet_close(device_); }

  bool moves_values() const { return info_.engine != AVOCET_ENGINE_TIMING; }

  struct Run {
    Bytes outputs;
    uint64_t cycles = 0;
    Waits waited;
  };

  /// In a context of its own.
  Run run(const Program& program, const std::vector<Bytes>& inputs) {
    const uint32_t context = client_.context();
    avocet_accel_program_create made = client_.program_arguments(context, program.stream);
    made.flags = AVOCET_ACCEL_PROGRAM_GANG;
    EXPECT_EQ(client_.ioctl(AVOCET_ACCEL_PROGRAM_CREATE, &made), 0) << "status " << made.status << " at word " << made.position;
    const uint64_t bytes[] = {program.constant_bytes, program.scratch_bytes, program.input_bytes, program.output_bytes};
    avocet_accel_job job{};
    job.program = made.handle;
    uint8_t* data[std::size(bytes)] = {};
    for (uint32_t region = 0; region < std::size(bytes); region++) {
      if (made.region_flags[region] == 0) continue;
      const avocet_accel_buffer_create buffer = client_.buffer_full(context, bytes[region]);
      data[region] = static_cast<uint8_t*>(avocet_mmap(device_, buffer.mmap_offset, bytes[region]));
      job.region[region] = {buffer.handle, made.region_flags[region], 0, bytes[region]};
    }
    if (moves_values()) {
      if (data[kConstants]) std::memcpy(data[kConstants], program.constants.data(), program.constants.size());
      for (size_t i = 0; i < inputs.size(); i++)
        std::memcpy(data[kInputs] + program.inputs[i].offset, inputs[i].data(), inputs[i].size());
    }
    Run result;
    for (int warm = 0; warm < 2; warm++) {  // with the TLB as another execution leaves it
      const int64_t id = client_.submit(context, job);
      avocet_accel_wait ended{};
      EXPECT_EQ(client_.wait(context, static_cast<uint64_t>(id), in_ms(600000), &ended), 0);
      EXPECT_EQ(ended.status, AVOCET_STATUS_OK) << "at word " << ended.position;
      result.cycles = ended.end_cycle - ended.start_cycle;
      const std::lock_guard lock(waits_mutex);
      result.waited = waits[static_cast<uint64_t>(id)];
    }
    if (moves_values()) result.outputs.assign(data[kOutputs], data[kOutputs] + program.output_bytes);
    EXPECT_EQ(client_.destroy(context), 0);
    return result;
  }

  Program compile_for(const Graph& graph, uint32_t cores) const {
    return compile(graph, config_, moves_values() ? ConstantBytes::kPacked : ConstantBytes::kOmitted, cores);
  }

  int device_ = -1;
  Client client_;
  avocet_accel_info info_{};
  DeviceConfig config_;
};

/// Some layers of the kinds that cores share in different ways: wide maps first, then many channels.
void build_small(GraphBuilder& b) {
  GraphBuilder::Window square;
  square.height = square.width = 3;
  GraphBuilder::Window wide = square;
  wide.attributes.stride_y = wide.attributes.stride_x = 2;
  uint32_t x = b.input({1, 48, 40, 3}, ElementType::kInt8);
  x = b.convolution(x, 32, wide);
  x = b.depthwise(x, 1, square);
  const uint32_t shortcut = x = b.convolution(x, 48, {});
  x = b.convolution(x, 96, {});
  x = b.depthwise(x, 1, square);
  x = b.convolution(x, 48, {});
  x = b.add(x, shortcut);
  x = b.convolution(x, 256, wide);
  x = b.pool(x, false, wide);
  x = b.convolution(x, 300, square);
  b.return_tensor(x);
}

TEST_F(SharedNetworks, GiveTheBytesOfOneCore) {
  GraphBuilder b(1);
  build_small(b);
  const std::vector<Bytes> inputs = b.random_inputs();
  const Run alone = run(compile_for(b.graph(), 1), inputs);
  for (uint32_t cores = 2; cores <= info_.cores; cores++) {
    const Program program = compile_for(b.graph(), cores);
    EXPECT_EQ(program.cores(), cores);
    const Run first = run(program, inputs), second = run(program, inputs);
    EXPECT_EQ(first.outputs, alone.outputs) << cores << " cores";
    EXPECT_EQ(first.cycles, second.cycles) << cores << " cores";
    if (info_.engine == AVOCET_ENGINE_FUNCTIONAL) continue;
    EXPECT_LT(first.cycles, alone.cycles) << cores << " cores";
    EXPECT_GT(first.waited.cores, 0u);
    // The event model leaves out TLB misses and the start.
    EXPECT_NEAR(static_cast<double>(program.predicted_cycles), static_cast<double>(first.cycles), 0.12 * static_cast<double>(first.cycles));
  }
}

TEST_F(SharedNetworks, ScalesWithCores) {
  const char* name = std::getenv("AVOCET_SHARED_NETWORK");
  if (!name) GTEST_SKIP() << "AVOCET_SHARED_NETWORK is not set";
  GraphBuilder b(1);
  std::strcmp(name, "resnet50") == 0 ? compiler::test::build_resnet50(b) : compiler::test::build_mobilenet_v2(b);
  const std::vector<Bytes> inputs = b.random_inputs();
  for (uint32_t cores = 1; cores <= info_.cores; cores *= 2) {
    const Program program = compile_for(b.graph(), cores);
    const Run result = run(program, inputs);
    std::printf("%s: %u cores: %llu cycles (predicted %llu); of the cores' cycles: array busy %.1f %%; channels wait for cores %.1f %%, for DRAM "
                "%.1f %%\n",
                name, program.cores(), static_cast<unsigned long long>(result.cycles),
                static_cast<unsigned long long>(program.predicted_cycles), 100.0 * result.waited.array / result.waited.cycles,
                100.0 * result.waited.cores / result.waited.cycles, 100.0 * result.waited.dram / result.waited.cycles);
  }
}

}  // namespace
}  // namespace avocet::test
