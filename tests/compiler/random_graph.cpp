// SPDX-License-Identifier: Apache-2.0
#include "random_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "stream_interpreter.hpp"

namespace avocet::compiler::test {

uint32_t GraphBuilder::add_tensor(std::vector<uint32_t> dims, ElementType type, float scale, int32_t zero_point) {
  Tensor tensor;
  tensor.name = std::to_string(graph_.tensors.size());
  tensor.type = type;
  tensor.dims = std::move(dims);
  tensor.scale = scale;
  tensor.zero_point = zero_point;
  graph_.tensors.push_back(std::move(tensor));
  return static_cast<uint32_t>(graph_.tensors.size() - 1);
}

Bytes GraphBuilder::random_bytes(size_t count) {
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random_());
  return bytes;
}

uint32_t GraphBuilder::input(std::vector<uint32_t> dims, ElementType type) {
  const int32_t zero = static_cast<int32_t>(between(0, 255)) - (type == ElementType::kInt8 ? 128 : 0);
  const uint32_t tensor = add_tensor(std::move(dims), type, static_cast<float>(between(1, 1000)) / 3000.0f, zero);
  graph_.inputs.push_back(tensor);
  return tensor;
}

uint32_t GraphBuilder::constant(std::vector<uint32_t> dims, ElementType type) {
  const uint32_t tensor = input(std::move(dims), type);
  graph_.inputs.pop_back();
  size_t count = 1;
  for (uint32_t dim : graph_.tensors[tensor].dims) count *= dim;
  constants_.push_back(random_bytes(count));
  graph_.tensors[tensor].data = constants_.back().data();
  return tensor;
}

double GraphBuilder::weight_unit(double products) const { return keeps_scales_ ? 1 / (0.55 * std::sqrt(products)) : 1; }
double GraphBuilder::spread_of_sums(double input_scale, double products) const {
  return input_scale * 0.01 * 5500 * std::sqrt(products) * weight_unit(products);
}

uint32_t GraphBuilder::add_weights(std::vector<uint32_t> dims, ElementType activations, uint32_t channels) {
  const bool per_channel = chance(activations == ElementType::kInt8 ? 60 : 20);
  const ElementType type = per_channel || activations == ElementType::kInt8 ? ElementType::kInt8 : ElementType::kUint8;
  int32_t zero = 0;
  if (type == ElementType::kUint8) zero = static_cast<int32_t>(between(0, 255));
  if (!per_channel && type == ElementType::kInt8 && chance(30)) zero = static_cast<int32_t>(between(0, 255)) - 128;
  size_t count = 1;
  for (uint32_t dim : dims) count *= dim;
  const auto unit = static_cast<float>(weight_unit(1.0 * count / channels));
  const uint32_t weights = add_tensor(std::move(dims), type, static_cast<float>(between(1, 1000)) / 50000.0f * unit, zero);
  constants_.push_back(random_bytes(count));
  graph_.tensors[weights].data = constants_.back().data();
  if (per_channel)
    for (uint32_t c = 0; c < channels; ++c)
      graph_.tensors[weights].channel_scales.push_back(static_cast<float>(between(1, 1000)) / 50000.0f * unit);

  const uint32_t bias = add_tensor({channels}, ElementType::kInt32, 0.0f, 0);
  Bytes values(size_t{channels} * 4);
  for (uint32_t c = 0; c < channels; ++c) {
    const auto value = static_cast<int32_t>(between(0, 20000)) - 10000;
    std::memcpy(values.data() + size_t{c} * 4, &value, 4);
  }
  constants_.push_back(std::move(values));
  graph_.tensors[bias].data = constants_.back().data();
  return weights;
}

uint32_t GraphBuilder::add_output(std::vector<uint32_t> dims, ElementType type, double spread) {
  const int32_t zero = static_cast<int32_t>(between(60, 196)) - (type == ElementType::kInt8 ? 128 : 0);
  // Now and then too fine, so that outputs clamp and multipliers exceed 1.
  const double scale = spread / 100.0 * (chance(15) ? 0.05 : 1.0);
  return add_tensor(std::move(dims), type, static_cast<float>(std::max(scale, 1e-6)), zero);
}

Activation GraphBuilder::random_activation() {
  return chance(50) ? Activation::kNone : static_cast<Activation>(between(1, 3));
}

uint32_t GraphBuilder::add_operation(OperationType type, std::vector<uint32_t> inputs, uint32_t output,
                                     Attributes attributes) {
  graph_.operations.push_back(
      {type, std::move(inputs), {output}, attributes, {}, {}, {}, static_cast<uint32_t>(graph_.operations.size() + 100), {}});
  return output;
}

std::vector<uint32_t> GraphBuilder::placed(uint32_t input, Window& w, uint32_t channels) {
  const std::vector<uint32_t>& in = graph_.tensors[input].dims;
  Attributes& a = w.attributes;
  const uint32_t height = (w.height - 1) * a.dilation_y + 1, width = (w.width - 1) * a.dilation_x + 1;
  if (w.out_height == 0) {
    if (!w.same && (in[1] < height || in[2] < width)) w.same = true;
    w.out_height = w.same ? (in[1] + a.stride_y - 1) / a.stride_y : (in[1] - height) / a.stride_y + 1;
    w.out_width = w.same ? (in[2] + a.stride_x - 1) / a.stride_x : (in[2] - width) / a.stride_x + 1;
    const auto before = [](int64_t needed, int64_t have) {
      return static_cast<uint32_t>(std::max<int64_t>(0, needed - have) / 2);
    };
    a.pad_top = before(int64_t{w.out_height - 1} * a.stride_y + height, in[1]);
    a.pad_left = before(int64_t{w.out_width - 1} * a.stride_x + width, in[2]);
  }
  return {in[0], w.out_height, w.out_width, channels};
}

uint32_t GraphBuilder::convolution(uint32_t input, uint32_t channels, const Window& window) {
  Window w = window;
  const Tensor in = graph_.tensors[input];
  const uint32_t weights = add_weights({channels, w.height, w.width, in.dims[3]}, in.type, channels);
  const double spread = spread_of_sums(in.scale, 1.0 * w.height * w.width * in.dims[3]);
  const uint32_t output = add_output(placed(input, w, channels), in.type, spread);
  w.attributes.activation = random_activation();
  return add_operation(OperationType::kConv2d, {input, weights, weights + 1}, output, w.attributes);
}

uint32_t GraphBuilder::depthwise(uint32_t input, uint32_t multiplier, const Window& window) {
  Window w = window;
  const Tensor in = graph_.tensors[input];
  const uint32_t channels = in.dims[3] * multiplier;
  const uint32_t weights = add_weights({1, w.height, w.width, channels}, in.type, channels);
  const double spread = spread_of_sums(in.scale, 1.0 * w.height * w.width);
  const uint32_t output = add_output(placed(input, w, channels), in.type, spread);
  w.attributes.activation = random_activation();
  return add_operation(OperationType::kDepthwiseConv2d, {input, weights, weights + 1}, output, w.attributes);
}

uint32_t GraphBuilder::grouped(uint32_t input, uint32_t groups, uint32_t channels_of_group, const Window& window) {
  Window w = window;
  const Tensor in = graph_.tensors[input];
  const uint32_t inputs = in.dims[3] / groups, channels = groups * channels_of_group;
  const uint32_t weights = add_weights({channels, w.height, w.width, inputs}, in.type, channels);
  const double spread = spread_of_sums(in.scale, 1.0 * w.height * w.width * inputs);
  const uint32_t output = add_output(placed(input, w, channels), in.type, spread);
  w.attributes.activation = random_activation();
  w.attributes.groups = groups;
  return add_operation(OperationType::kGroupedConv2d, {input, weights, weights + 1}, output, w.attributes);
}

uint32_t GraphBuilder::transposed(uint32_t input, uint32_t channels, uint32_t side_max, uint32_t stride_max) {
  const Tensor in = graph_.tensors[input];
  Attributes a;
  a.stride_x = between(1, stride_max);
  a.stride_y = between(1, stride_max);
  const uint32_t height = between(1, side_max), width = between(1, side_max);
  const auto extent = [&](uint32_t count, uint32_t stride, uint32_t kernel, uint32_t* pad) {
    const uint32_t all = (count - 1) * stride + kernel;
    *pad = between(0, std::min(kernel, all) - 1);
    const uint32_t rest = all - *pad;
    return chance(30) ? rest + between(0, 3) : between(std::max(1u, rest - std::min(rest, kernel - 1)), rest);
  };
  const uint32_t out_height = extent(in.dims[1], a.stride_y, height, &a.pad_top);
  const uint32_t out_width = extent(in.dims[2], a.stride_x, width, &a.pad_left);
  const uint32_t weights = add_weights({channels, height, width, in.dims[3]}, in.type, channels);
  const double spread = spread_of_sums(in.scale, 1.0 * height * width * in.dims[3]);
  const uint32_t output = add_output({in.dims[0], out_height, out_width, channels}, in.type, spread);
  a.activation = random_activation();
  return add_operation(OperationType::kTransposeConv2d, {input, weights, weights + 1}, output, a);
}

uint32_t GraphBuilder::pool(uint32_t input, bool average, const Window& window) {
  Window w = window;
  const Tensor in = graph_.tensors[input];
  w.attributes.window_y = w.height;
  w.attributes.window_x = w.width;
  const uint32_t output = add_tensor(placed(input, w, in.dims[3]), in.type, in.scale, in.zero_point);
  w.attributes.activation = random_activation();
  return add_operation(average ? OperationType::kAveragePool2d : OperationType::kMaxPool2d, {input}, output,
                       w.attributes);
}

uint32_t GraphBuilder::fully_connected(uint32_t input, uint32_t inputs, uint32_t units) {
  const Tensor in = graph_.tensors[input];
  uint32_t count = 1;
  for (uint32_t dim : in.dims) count *= dim;
  const uint32_t weights = add_weights({units, inputs}, in.type, units);
  const uint32_t output =
      add_output({count / inputs, units}, in.type, spread_of_sums(in.scale, 1.0 * inputs));
  Attributes attributes;
  attributes.activation = random_activation();
  return add_operation(OperationType::kFullyConnected, {input, weights, weights + 1}, output, attributes);
}

GraphBuilder::Window GraphBuilder::random_window(uint32_t input, uint32_t side_max, bool dilated) {
  const std::vector<uint32_t> in = graph_.tensors[input].dims;
  Window w;
  w.height = between(1, side_max);
  w.width = chance(50) ? w.height : between(1, side_max);
  w.attributes.stride_y = between(1, 3);
  w.attributes.stride_x = chance(60) ? w.attributes.stride_y : between(1, 3);
  if (dilated && chance(30)) {
    w.attributes.dilation_y = between(1, 3);
    w.attributes.dilation_x = between(1, 3);
  }
  w.same = chance(70);
  if (chance(15)) {  // anything, also cropping and one-sided padding, as long as every window touches the input
    const uint32_t height = (w.height - 1) * w.attributes.dilation_y + 1,
                   width = (w.width - 1) * w.attributes.dilation_x + 1;
    w.attributes.pad_top = between(0, height - 1);
    w.attributes.pad_left = between(0, width - 1);
    w.out_height = between(1, (in[1] + w.attributes.pad_top - 1) / w.attributes.stride_y + 1);
    w.out_width = between(1, (in[2] + w.attributes.pad_left - 1) / w.attributes.stride_x + 1);
  }
  return w;
}

void GraphBuilder::random_operation(ElementType type) {
  std::vector<uint32_t> activations;
  for (uint32_t i = 0; i < graph_.tensors.size(); ++i) {
    const Tensor& t = graph_.tensors[i];
    const bool weights =
        t.data && std::any_of(graph_.operations.begin(), graph_.operations.end(), [&](const Operation& o) {
          return o.inputs.size() == 3 && (o.inputs[1] == i || o.inputs[2] == i);
        });
    if (t.type == type && !weights) activations.push_back(i);
  }
  const size_t recent = std::min<size_t>(activations.size(), 3);
  const uint32_t input = activations[activations.size() - 1 -
                                     between(0, static_cast<uint32_t>(chance(70) ? recent : activations.size()) - 1)];
  const std::vector<uint32_t> dims = graph_.tensors[input].dims;
  uint32_t count = 1;
  for (uint32_t dim : dims) count *= dim;
  const bool image = dims.size() == 4;
  switch (between(0, 18)) {
    case 0:
    case 1:
    case 2:
      if (image) convolution(input, between(1, 24), random_window(input, 4, true));
      return;
    case 14:
    case 15:
      random_binary(input);
      return;
    case 16:
      random_table(input);
      return;
    case 17:
      random_along_axis(input);
      return;
    case 18:
      if (image && count <= 4000) resize(input, between(1, 2 * dims[1] + 3), between(1, 2 * dims[2] + 3));
      return;
    case 13:
      if (image && count <= 2000) {
        if (chance(50)) {
          transposed(input, between(1, 12), 4, 3);
          return;
        }
        uint32_t groups = between(1, 4);
        while (dims[3] % groups != 0) --groups;
        grouped(input, groups, between(1, 6), random_window(input, 3, true));
      }
      return;
    case 3:
    case 4:
      if (image && dims[3] <= 40) depthwise(input, chance(80) ? 1 : between(2, 4), random_window(input, 4, true));
      return;
    case 5:
      if (image) pool(input, chance(50), random_window(input, 3, false));
      return;
    case 6:
    case 7: {
      std::vector<uint32_t> same;
      for (uint32_t other : activations)
        if (graph_.tensors[other].dims == dims) same.push_back(other);
      add(input, chance(10) ? constant(dims, type) : same[between(0, static_cast<uint32_t>(same.size()) - 1)]);
      return;
    }
    case 8:
    case 9:
    case 10: {
      std::vector<uint32_t> same;  // but for the channels
      for (uint32_t other : activations) {
        std::vector<uint32_t> shape = graph_.tensors[other].dims;
        if (shape.size() != dims.size()) continue;
        shape.back() = dims.back();
        if (shape == dims) same.push_back(other);
      }
      if (chance(50)) {
        random_movement(input);
        return;
      }
      std::vector<uint32_t> parts{input};
      for (uint32_t left = between(1, 3); left > 0; --left)
        parts.push_back(same[between(0, static_cast<uint32_t>(same.size()) - 1)]);
      concatenate(parts, static_cast<uint32_t>(dims.size()) - 1);
      return;
    }
    default:
      fully_connected(input, chance(50) ? count : count / dims[0], between(1, 20));
      return;
  }
}

void GraphBuilder::return_loose_ends() {
  for (const Operation& operation : graph_.operations) {
    const uint32_t output = operation.outputs[0];
    const bool read = std::any_of(graph_.operations.begin(), graph_.operations.end(), [&](const Operation& o) {
      return std::find(o.inputs.begin(), o.inputs.end(), output) != o.inputs.end();
    });
    if (!read || chance(15)) return_tensor(output);
  }
  if (chance(10)) return_tensor(graph_.inputs[0]);
  if (chance(10) && !graph_.outputs.empty()) return_tensor(graph_.outputs[0]);
}

std::vector<Bytes> GraphBuilder::random_inputs() {
  std::vector<Bytes> inputs;
  for (uint32_t tensor : graph_.inputs) {
    size_t count = 1;
    for (uint32_t dim : graph_.tensors[tensor].dims) count *= dim;
    inputs.push_back(random_bytes(count));
  }
  return inputs;
}

uint64_t random_rounds() {
  const char* rounds = std::getenv("AVOCET_RANDOM_ROUNDS");
  return rounds ? std::strtoull(rounds, nullptr, 10) : 1;
}

DeviceConfig avocet_256() {
  DeviceConfig device;
  device.array_rows = device.array_cols = 16;
  device.acc_rows = 1024;
  device.vector_lanes = 64;
  device.sram_bytes = 384 * 1024;
  device.sram_banks = 16;
  device.dma_channels = 4;
  device.dma_bytes_per_cycle = 16;
  device.dram_millibytes_per_cycle = 8000;
  device.dram_latency = 100;
  device.clock_khz = 1000000;
  return device;
}

DeviceConfig random_device(uint64_t seed, uint32_t sram_min, uint32_t sram_max) {
  std::mt19937_64 random(seed);
  const auto pick = [&](std::initializer_list<uint32_t> values) { return values.begin()[random() % values.size()]; };
  static constexpr uint32_t kArrays[][2] = {{8, 8}, {16, 16}, {32, 32}, {3, 5}, {16, 32}, {1, 1}, {7, 2}};
  DeviceConfig device = avocet_256();
  const auto& array = kArrays[random() % std::size(kArrays)];
  device.array_rows = array[0];
  device.array_cols = array[1];
  device.acc_rows = pick({16, 40, 64, 256, 1024});
  device.vector_lanes = pick({1, 8, 30, 64});
  device.dma_channels = pick({1, 2, 3, 4, 8});
  device.dma_bytes_per_cycle = pick({1, 8, 16});
  device.dram_millibytes_per_cycle = pick({500, 3750, 8000, 64000});
  device.sram_bytes = sram_min + static_cast<uint32_t>(random() % (sram_max - sram_min + 1));
  return device;
}

std::string check_compiled(const Graph& graph, const std::vector<Bytes>& inputs, const DeviceConfig& device,
                           uint64_t seed, uint32_t* shared_by) {
  const uint32_t cores = shared_by ? device.cores : 1;
  const Program program = compile(graph, device, ConstantBytes::kPacked, cores);
  if (shared_by) *shared_by = program.cores();
  const std::vector<uint8_t> bytes = program.serialise();
  if (compile(graph, device, ConstantBytes::kPacked, cores).serialise() != bytes) return "compiled again, the program is another";
  if (Program::parse(bytes).serialise() != bytes) return "the container does not round-trip";
  if (const int64_t race = find_race(program); race >= 0) return "a race at word " + std::to_string(race);

  const std::vector<Bytes> expected = run_reference(graph, inputs);
  for (int order = 0; order < 3; ++order) {
    StreamInterpreter interpreter(program, device, seed + static_cast<uint64_t>(order));
    for (size_t i = 0; i < inputs.size(); ++i) interpreter.set_input(i, inputs[i]);
    if (order == 0)
      interpreter.run_in_order();
    else if (!interpreter.run_out_of_order(seed + static_cast<uint64_t>(order)))
      return "deadlock";
    for (size_t i = 0; i < graph.outputs.size(); ++i) {
      const Bytes got = interpreter.output(i);
      const Bytes& want = expected[graph.outputs[i]];
      const auto differs = std::mismatch(want.begin(), want.end(), got.begin(), got.end());
      if (differs.first == want.end() && differs.second == got.end()) continue;
      return "output " + std::to_string(i) + " differs at byte " + std::to_string(differs.first - want.begin()) +
             " of " + std::to_string(want.size()) + (order == 0 ? " in stream order" : " out of order");
    }
  }
  return {};
}

}  // namespace avocet::compiler::test
