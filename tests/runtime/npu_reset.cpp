// SPDX-License-Identifier: Apache-2.0
// Executions that a device reset or a fault hits, from the API down to the model: a compilation for the device alone gets an error,
// one that may use the CPU gets the same values from there, and the next execution works.
#include <avocet_device.h>

#include <avocet/runtime/introspection.hpp>

#include "api_fixture.hpp"

namespace avocet::test {
namespace {

/// Two bytes added, element by element.
struct Sum {
  Sum() {
    const Type type(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {1, 8, 8, 16}, 0.5f, 0);
    const uint32_t a = model.operand(type), b = model.operand(type);
    const uint32_t none = model.constant(ANEURALNETWORKS_FUSED_NONE);
    const uint32_t out = model.operand(type);
    EXPECT_EQ(model.operation(ANEURALNETWORKS_ADD, {a, b, none}, {out}), ANEURALNETWORKS_NO_ERROR);
    model.done({a, b}, {out});
  }
  int run(const CompilationPtr& compilation, std::vector<uint8_t>* out) {
    const ExecutionPtr execution = create_execution(compilation);
    std::vector<uint8_t> a(1024), b(1024);
    for (size_t i = 0; i < a.size(); i++) {
      a[i] = static_cast<uint8_t>(i % 100);
      b[i] = static_cast<uint8_t>(i % 7);
    }
    out->assign(1024, 0xEE);
    set_input(execution, 0, a);
    set_input(execution, 1, b);
    set_output(execution, 0, *out);
    return ANeuralNetworksExecution_compute(execution.get());
  }
  std::vector<uint8_t> expected() const {
    std::vector<uint8_t> sum(1024);
    for (size_t i = 0; i < sum.size(); i++) sum[i] = static_cast<uint8_t>(i % 100 + i % 7);
    return sum;
  }
  Model model;
};

/// What strikes the first job after it is set, and costs that job.
const char* const kFaults[] = {"firmware-crash:nth=2,halt=on", "unit-stuck", "unit-stuck:abort=off",
                               "unit-stuck:abort=off,reset=off", "iommu-fault", "bus-error", "dram-flip:bits=2"};

class NpuReset : public testing::TestWithParam<const char*> {
 protected:
  ~NpuReset() override { avocet_sim_set_faults(""); }
  Sum sum;
  std::vector<uint8_t> out;
};

TEST_P(NpuReset, ACompilationForTheDeviceAloneGetsAnErrorAndGoesOn) {
  const CompilationPtr compilation = compile_for(sum.model, {find_device("avocet-npu")});
  ASSERT_EQ(runtime::placements(compilation.get()).at(0).device, "avocet-npu");
  ASSERT_EQ(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, sum.expected());
  ASSERT_EQ(avocet_sim_set_faults(GetParam()), 0) << avocet_sim_error();
  EXPECT_NE(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(avocet_sim_faults_struck(0), 1);
  ASSERT_EQ(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR) << "the next execution works";
  EXPECT_EQ(out, sum.expected());
}

TEST_P(NpuReset, ACompilationThatMayUseTheCpuGetsItsValuesThere) {
  const CompilationPtr compilation = compile(sum.model);
  ASSERT_EQ(runtime::placements(compilation.get()).at(0).device, "avocet-npu");
  ASSERT_EQ(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR);
  ASSERT_EQ(avocet_sim_set_faults(GetParam()), 0) << avocet_sim_error();
  EXPECT_EQ(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, sum.expected());
  EXPECT_EQ(avocet_sim_faults_struck(0), 1);
  EXPECT_EQ(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR);
  EXPECT_EQ(out, sum.expected());
}

INSTANTIATE_TEST_SUITE_P(Faults, NpuReset, testing::ValuesIn(kFaults));

TEST(NpuResetBetween, AnAdministratorsResetBetweenExecutionsShowsNowhere) {
  Sum sum;
  std::vector<uint8_t> out;
  const CompilationPtr compilation = compile_for(sum.model, {find_device("avocet-npu")});
  for (int i = 0; i < 3; i++) {
    ASSERT_EQ(sum.run(compilation, &out), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(out, sum.expected());
    EXPECT_EQ(avocet_sim_reset(), 0);
  }
}

}  // namespace
}  // namespace avocet::test
