// SPDX-License-Identifier: Apache-2.0
// How many of the 8-bit operations of the published cases the NPU runs, each at execution: shapes and weights that come with the
// inputs count where they become a program in time. Prints one line for each operation.
#include <android/NeuralNetworks.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <avocet/runtime/introspection.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "conformance/case_files.hpp"
#include "conformance/test_case.hpp"
#include "nnapi/device_choice.hpp"
#include "nnapi/model_builder.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet {
namespace {

std::filesystem::path folder() {
  const char* shared = std::getenv("AVOCET_SHARED");
  return std::filesystem::path(shared ? shared : AVOCET_SOURCE_DIR "/../shared") / "conformance";
}

bool is_quantised(int32_t type) {
  return type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM || type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
}

/// Operations that the NPU has in the 8-bit types; a QUANTIZE or DEQUANTIZE counts where both ends are of these types, which the API's
/// own never are.
const std::set<std::string> kListed = {
    "CONV_2D", "DEPTHWISE_CONV_2D", "GROUPED_CONV_2D", "TRANSPOSE_CONV_2D", "FULLY_CONNECTED", "ADD", "SUB", "MUL", "MAXIMUM",
    "MINIMUM", "AVERAGE_POOL_2D", "MAX_POOL_2D", "MEAN", "REDUCE_MAX", "REDUCE_MIN", "RELU", "RELU1", "RELU6", "LOGISTIC", "TANH",
    "ELU", "HARD_SWISH", "PRELU", "SOFTMAX", "L2_NORMALIZATION", "CONCATENATION", "SPLIT", "SLICE", "STRIDED_SLICE", "PAD",
    "PAD_V2", "RESHAPE", "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "SPACE_TO_DEPTH", "DEPTH_TO_SPACE", "SPACE_TO_BATCH_ND",
    "BATCH_TO_SPACE_ND", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "TILE", "GATHER", "CHANNEL_SHUFFLE", "ARGMAX", "ARGMIN"};

struct Share {
  size_t listed = 0, there = 0;
  std::map<std::string, size_t> reasons;
};

/// Executes, and says what ran on the CPU.
std::vector<uint32_t> operations_on_cpu(ANeuralNetworksCompilation* compilation, const tools::TestCase& test) {
  const tools::ExecutionHandle execution = tools::create_execution(compilation);
  for (size_t i = 0; i < test.main.inputs.size(); ++i) {
    const std::vector<uint8_t>& value = *test.main.operands[test.main.inputs[i]].value;
    const void* data = value.empty() ? nullptr : value.data();
    tools::check(ANeuralNetworksExecution_setInput(execution.get(), static_cast<int32_t>(i), nullptr, data, value.size()), "setInput");
  }
  std::vector<std::vector<uint8_t>> outputs;
  for (size_t i = 0; i < test.main.outputs.size(); ++i) {
    auto& output = outputs.emplace_back(std::max<size_t>(test.main.operands[test.main.outputs[i]].value->size(), 1));
    tools::check(ANeuralNetworksExecution_setOutput(execution.get(), static_cast<int32_t>(i), nullptr, output.data(), output.size()),
                 "setOutput");
  }
  tools::check(ANeuralNetworksExecution_compute(execution.get()), "compute");
  std::vector<uint32_t> operations;
  for (const runtime::LayerProfile& layer : runtime::execution_profile(execution.get()).layers)
    if (layer.device == tools::kCpuDevice) operations.insert(operations.end(), layer.operations.begin(), layer.operations.end());
  return operations;
}

class NpuShare : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder())) GTEST_SKIP() << folder() << " is not there; set AVOCET_SHARED";
    runtime::enable_profiling(true);
  }
  void TearDown() override { runtime::enable_profiling(false); }

  void count(const tools::TestCase& test, const std::string& name) {
    const tools::BuiltModel model = tools::build_model(test.main, test.referenced);
    const tools::CompilationHandle compilation = tools::create_finished_compilation(model.get(), tools::DeviceChoice::npu);
    std::set<uint32_t> here;
    for (const uint32_t operation : operations_on_cpu(compilation.get(), test)) here.insert(operation);
    const auto placements = runtime::placements(compilation.get());
    for (uint32_t i = 0; i < test.main.operations.size(); ++i) {
      const tools::OperationDescription& operation = test.main.operations[i];
      const std::string kind = tools::operation_name(operation.code);
      if (!kListed.contains(kind) || !is_quantised(test.main.operands[operation.inputs[0]].type)) continue;
      Share& share = shares_[kind];
      ++share.listed;
      if (!here.contains(i)) {
        ++share.there;
        continue;
      }
      const std::string& reason = placements[i].reason;
      ++share.reasons[reason.empty() ? "at execution, e.g. " + name : reason];
    }
  }

  std::map<std::string, Share> shares_;
};

TEST_F(NpuShare, IsNineTenthsOfTheListedOperations) {
  const tools::CaseFiles files(folder().string());
  for (const tools::CaseLine& line : files.cases()) {
    const tools::TestCase test = tools::parse_test_case(line.json);
    const auto& operands = test.main.operands;
    const bool quantised = std::any_of(operands.begin(), operands.end(), [](const tools::Operand& o) { return is_quantised(o.type); });
    if (quantised && !test.expect_failure && test.referenced.empty()) count(test, line.full_name());
  }
  size_t listed = 0, there = 0;
  for (const auto& [kind, share] : shares_) {
    listed += share.listed;
    there += share.there;
    std::printf("%-24s %4zu of %4zu\n", kind.c_str(), share.there, share.listed);
    for (const auto& [reason, times] : share.reasons) std::printf("    %4zu %s\n", times, reason.c_str());
  }
  std::printf("%zu of %zu\n", there, listed);
  EXPECT_GT(listed, 1000u);
  EXPECT_GE(there * 10, listed * 9);
}

}  // namespace
}  // namespace avocet
