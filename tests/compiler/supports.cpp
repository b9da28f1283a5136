// SPDX-License-Identifier: Apache-2.0
// The sentences on what is not supported, and errors of whole graphs.
#include <gtest/gtest.h>

#include <functional>

#include "random_graph.hpp"

namespace avocet::compiler::test {
namespace {

/// A convolution [1,8,8,4] -> [1,8,8,6], 3x3, changed by `change`.
std::string reason(const std::function<void(Graph&)>& change, const DeviceConfig& device = avocet_256()) {
  GraphBuilder b(11);
  GraphBuilder::Window window;
  window.height = window.width = 3;
  b.return_tensor(b.convolution(b.input({1, 8, 8, 4}, ElementType::kInt8), 6, window));
  Graph graph = b.graph();
  change(graph);
  return supports(graph, 0, device).reason;
}

TEST(Supports, AnOrdinaryConvolution) {
  EXPECT_EQ(reason([](Graph&) {}), "");
}

TEST(Supports, NamesWhatIsWrong) {
  EXPECT_EQ(reason([](Graph& g) { g.tensors[0].type = ElementType::kInt32; }), "its input is neither int8 nor uint8");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[0].scale = 0; }), "its input has no positive scale");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[0].zero_point = 200; }), "its input has a zero point outside its type");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[1].data = nullptr; }), "its weights are not constant");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[1].dims[3] = 2; }), "its weights are for 2 channels, its input has 4");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[2].dims = {5}; }), "its bias is not int32 [6]");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[3].type = ElementType::kUint8, g.tensors[3].zero_point = 100; }),
            "its input and output differ in type");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[3].dims[0] = 2; }), "its input and output differ in batch");
  EXPECT_EQ(reason([](Graph& g) {
              g.tensors[0].dims = {8, 8, 4};
            }),
            "its input [8,8,4] and output [1,8,8,6] are not both of rank 4");
  EXPECT_EQ(reason([](Graph& g) { g.operations[0].attributes.stride_x = 0; }), "its stride is 0");
  EXPECT_EQ(reason([](Graph& g) { g.operations[0].attributes.pad_top = 40000; }), "its padding exceeds 32767");
  EXPECT_EQ(reason([](Graph& g) { g.operations[0].inputs.pop_back(); }),
            "it has not the inputs and outputs of CONV_2D");
  EXPECT_EQ(reason([](Graph& g) { g.operations[0].inputs[0] = 77; }), "it names tensor 77, which is not there");
  EXPECT_EQ(reason([](Graph& g) { g.tensors[3].dims[1] = 0; }), "its tensor [1,0,8,6] is empty");
}

TEST(Supports, NeedsMemoryForOneTile) {
  DeviceConfig device = avocet_256();
  // 3 x 3 x 4 bytes of input, 3 tiles of 16 x 16 weights, 6 x 12 bytes of parameters, 6 of output, in units of 16.
  device.sram_bytes = 912;
  EXPECT_EQ(reason([](Graph&) {}, device), "");
  device.sram_bytes = 911;
  EXPECT_EQ(reason([](Graph&) {}, device), "its smallest tile needs 912 bytes of SRAM and the device has 911");
}

TEST(Supports, NamesUnusableDevices) {
  DeviceConfig device = avocet_256();
  device.dma_channels = 0;
  EXPECT_EQ(reason([](Graph&) {}, device), "the device's dma_channels is 0; it must be 1 to 8");
}

TEST(Supports, BroadcastsWhatGoesTogether) {
  GraphBuilder b(12);
  const uint32_t a = b.input({1, 4, 4, 2}, ElementType::kInt8);
  const uint32_t sum = b.add(a, a);
  b.return_tensor(sum);
  Graph graph = b.graph();
  graph.tensors.push_back(graph.tensors[a]);
  graph.tensors.back().dims = {1, 1, 1, 2};
  graph.operations[0].inputs[1] = static_cast<uint32_t>(graph.tensors.size() - 1);
  EXPECT_EQ(supports(graph, 0, avocet_256()).reason, "");
  graph.tensors.back().dims = {3, 1, 2};
  EXPECT_EQ(supports(graph, 0, avocet_256()).reason,
            "it broadcasts [1,4,4,2] and [3,1,2] to [1,4,4,2], which do not go together");
}

TEST(Supports, FindsIndicesOfWhatFits) {
  GraphBuilder b(15);
  b.return_tensor(b.random_arg(b.input({4, 5, 6}, ElementType::kInt8)));
  Graph graph = b.graph();
  Operation& operation = graph.operations.back();
  operation.inputs = {0};
  operation.attributes.across_channels = true;
  graph.tensors[operation.outputs[0]].dims = {20};
  graph.operations = {operation};
  const auto reason = [&] { return supports(graph, 0, avocet_256()).reason; };
  EXPECT_EQ(reason(), "");
  graph.operations[0].attributes.across_channels = false;
  EXPECT_EQ(reason(), "its input and output do not go together");
  graph.tensors[operation.outputs[0]].dims = {4, 6};
  EXPECT_EQ(reason(), "");
  graph.tensors[operation.outputs[0]].type = ElementType::kInt8;
  EXPECT_EQ(reason(), "its output is not int32");
  graph.tensors[operation.outputs[0]].type = ElementType::kInt32;
  graph.tensors[0].dims = {4, 30};
  EXPECT_EQ(reason(), "its input [4,30] is not [outer,axis,inner]");
  graph.tensors[0].type = ElementType::kInt32;
  EXPECT_EQ(reason(), "its input is neither int8 nor uint8");
}

std::string fault(const Graph& graph, const DeviceConfig& device = avocet_256()) {
  try {
    compile(graph, device);
    return {};
  } catch (const CompileError& error) {
    return error.what();
  }
}

TEST(Compile, NamesTheFaultOfAGraph) {
  GraphBuilder b(13);
  const uint32_t in = b.input({1, 4, 4, 2}, ElementType::kInt8);
  const uint32_t first = b.add(in, in), second = b.add(first, in);
  b.return_tensor(second);
  Graph graph = b.graph();
  EXPECT_EQ(fault(graph), "");

  Graph order = graph;
  std::swap(order.operations[0], order.operations[1]);
  EXPECT_EQ(fault(order), "operation 0 (ADD) reads tensor 1 before anything has written it");
  Graph twice = graph;
  twice.operations[1].outputs[0] = first;
  EXPECT_EQ(fault(twice), "operation 1 (ADD) writes tensor 1, which is already written");
  Graph unwritten = graph;
  unwritten.tensors.push_back(unwritten.tensors[0]);
  unwritten.outputs = {3};
  EXPECT_EQ(fault(unwritten), "nothing writes output tensor 3");
  unwritten.outputs = {9};
  EXPECT_EQ(fault(unwritten), "output tensor 9 is not there");
  unwritten.inputs = {8};
  EXPECT_EQ(fault(unwritten), "input tensor 8 is not there");
  DeviceConfig device = avocet_256();
  device.array_rows = 0;
  EXPECT_EQ(fault(graph, device), "the device's array_rows is 0; it must be 1 to 65536");
  device = avocet_256();
  device.sram_bytes = 40;
  EXPECT_EQ(fault(graph, device), "ADD needs 48 bytes of SRAM for its smallest tile; there are 40");
}

TEST(Compile, TakesAGraphWithoutOperations) {
  GraphBuilder b(14);
  const uint32_t in = b.input({3, 5}, ElementType::kUint8);
  b.return_tensor(in);
  EXPECT_EQ(check_compiled(b.graph(), b.random_inputs(), avocet_256(), 1), "");
}

}  // namespace
}  // namespace avocet::compiler::test
