// SPDX-License-Identifier: Apache-2.0
// Single operations on the CPU path, one thread, shapes of MobileNetV2 and ResNet-50, in float32 and int8. The rate counts
// multiplications, or elements where there are none.
#include <avocet/runtime/introspection.hpp>
#include <benchmark/benchmark.h>

#include "description_builder.hpp"
#include "nnapi/device_choice.hpp"
#include "nnapi/model_builder.hpp"

namespace {

namespace tools = avocet::tools;
using avocet::bench::DescriptionBuilder;

constexpr int32_t kFloat = ANEURALNETWORKS_TENSOR_FLOAT32, kInt8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;

void run(benchmark::State& state, const tools::ModelDescription& description, double items) {
  avocet::runtime::set_cpu_threads(1);
  const tools::BuiltModel model = tools::build_model(description);
  const tools::CompilationHandle compilation = tools::create_finished_compilation(model.get(), tools::DeviceChoice::cpu);
  const auto bytes_of = [&](uint32_t operand) {
    size_t bytes = description.operands[operand].type == kFloat ? 4 : 1;
    for (uint32_t extent : description.operands[operand].dims) bytes *= extent;
    return bytes;
  };
  std::vector<std::vector<uint8_t>> buffers;
  for (uint32_t operand : description.inputs) buffers.emplace_back(bytes_of(operand), uint8_t{0x3D});  // float: 0.046
  std::vector<uint8_t> output(bytes_of(description.outputs[0]));
  for (auto _ : state) {
    const tools::ExecutionHandle execution = tools::create_execution(compilation.get());
    for (size_t i = 0; i < buffers.size(); ++i) {
      tools::check(ANeuralNetworksExecution_setInput(execution.get(), static_cast<int32_t>(i), nullptr, buffers[i].data(),
                                                     buffers[i].size()),
                   "setInput");
    }
    tools::check(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(), output.size()), "setOutput");
    tools::check(ANeuralNetworksExecution_compute(execution.get()), "compute");
  }
  state.counters["items/s"] = benchmark::Counter(items, benchmark::Counter::kIsIterationInvariantRate);
}

/// Arguments: size of the square image, channels in, channels out, kernel.
void convolution(benchmark::State& state, int32_t type) {
  const auto size = static_cast<uint32_t>(state.range(0)), in = static_cast<uint32_t>(state.range(1));
  const auto out = static_cast<uint32_t>(state.range(2)), kernel = static_cast<uint32_t>(state.range(3));
  DescriptionBuilder b(type);
  const uint32_t input = b.input({1, size, size, in}), output = b.tensor({1, size, size, out});
  b.emit(ANEURALNETWORKS_CONV_2D,
         {input, b.weights({out, kernel, kernel, in}, 0.1f), b.bias(out, 0.1f), b.scalar(ANEURALNETWORKS_PADDING_SAME), b.scalar(1),
          b.scalar(1), b.scalar(ANEURALNETWORKS_FUSED_RELU)},
         output);
  run(state, b.finish(output), 1.0 * size * size * in * out * kernel * kernel);
}
BENCHMARK_CAPTURE(convolution, float32, kFloat)->Args({56, 24, 144, 1})->Args({14, 384, 64, 1})->Args({28, 128, 128, 3})->Args({7, 512, 512, 3});
BENCHMARK_CAPTURE(convolution, int8, kInt8)->Args({56, 24, 144, 1})->Args({14, 384, 64, 1})->Args({28, 128, 128, 3})->Args({7, 512, 512, 3});

/// Arguments: size, channels.
void depthwise(benchmark::State& state, int32_t type) {
  const auto size = static_cast<uint32_t>(state.range(0)), channels = static_cast<uint32_t>(state.range(1));
  DescriptionBuilder b(type);
  const uint32_t input = b.input({1, size, size, channels}), output = b.tensor({1, size, size, channels});
  b.emit(ANEURALNETWORKS_DEPTHWISE_CONV_2D,
         {input, b.weights({1, 3, 3, channels}, 0.3f), b.bias(channels, 0.1f), b.scalar(ANEURALNETWORKS_PADDING_SAME), b.scalar(1),
          b.scalar(1), b.scalar(1), b.scalar(ANEURALNETWORKS_FUSED_RELU6)},
         output);
  run(state, b.finish(output), 9.0 * size * size * channels);
}
BENCHMARK_CAPTURE(depthwise, float32, kFloat)->Args({112, 32})->Args({14, 384});
BENCHMARK_CAPTURE(depthwise, int8, kInt8)->Args({112, 32})->Args({14, 384});

/// Arguments: inputs, units.
void fully_connected(benchmark::State& state, int32_t type) {
  const auto in = static_cast<uint32_t>(state.range(0)), out = static_cast<uint32_t>(state.range(1));
  DescriptionBuilder b(type);
  const uint32_t input = b.input({1, in}), output = b.tensor({1, out});
  b.emit(ANEURALNETWORKS_FULLY_CONNECTED,
         {input, b.weights({out, in}, 0.1f), b.bias(out, 0.1f), b.scalar(ANEURALNETWORKS_FUSED_NONE)}, output);
  run(state, b.finish(output), 1.0 * in * out);
}
BENCHMARK_CAPTURE(fully_connected, float32, kFloat)->Args({1280, 1001});
BENCHMARK_CAPTURE(fully_connected, int8, kInt8)->Args({1280, 1001});

/// On 28x28x192 images.
void elementwise(benchmark::State& state, int32_t type, int32_t code, int inputs) {
  DescriptionBuilder b(type);
  const std::vector<uint32_t> dims{1, 28, 28, 192};
  std::vector<uint32_t> operands;
  for (int i = 0; i < inputs; ++i) operands.push_back(b.input(dims));
  if (inputs == 2) operands.push_back(b.scalar(ANEURALNETWORKS_FUSED_NONE));
  const uint32_t output = b.tensor(dims);
  if (code == ANEURALNETWORKS_LOGISTIC && type == kInt8) {
    b.operand(output).scale = 1.0f / 256;
    b.operand(output).zero_point = -128;
  }
  b.emit(code, operands, output);
  run(state, b.finish(output), 28.0 * 28 * 192);
}
BENCHMARK_CAPTURE(elementwise, add_float32, kFloat, ANEURALNETWORKS_ADD, 2);
BENCHMARK_CAPTURE(elementwise, add_int8, kInt8, ANEURALNETWORKS_ADD, 2);
BENCHMARK_CAPTURE(elementwise, mul_int8, kInt8, ANEURALNETWORKS_MUL, 2);
BENCHMARK_CAPTURE(elementwise, logistic_float32, kFloat, ANEURALNETWORKS_LOGISTIC, 1);
BENCHMARK_CAPTURE(elementwise, logistic_int8, kInt8, ANEURALNETWORKS_LOGISTIC, 1);
BENCHMARK_CAPTURE(elementwise, relu6_int8, kInt8, ANEURALNETWORKS_RELU6, 1);

/// 1000 classes.
void softmax(benchmark::State& state, int32_t type) {
  DescriptionBuilder b(type);
  const uint32_t input = b.input({1, 1000}), output = b.tensor({1, 1000});
  if (type == kInt8) {
    b.operand(output).scale = 1.0f / 256;
    b.operand(output).zero_point = -128;
  }
  b.emit(ANEURALNETWORKS_SOFTMAX, {input, b.scalar(1.0f)}, output);
  run(state, b.finish(output), 1000);
}
BENCHMARK_CAPTURE(softmax, float32, kFloat);
BENCHMARK_CAPTURE(softmax, int8, kInt8);

}  // namespace

BENCHMARK_MAIN();
