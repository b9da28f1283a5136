// SPDX-License-Identifier: Apache-2.0
#include "mobilenet_v2.hpp"

#include <android/NeuralNetworks.h>

#include <cmath>
#include <cstring>
#include <random>

namespace avocet::bench {
namespace {

using tools::Lifetime;
using tools::Operand;

class FloatNetwork {
 public:
  /// A tensor [1, size, size, channels] under construction.
  struct Image {
    uint32_t operand, size, channels;
  };

  Image input(uint32_t size, uint32_t channels) {
    const Image image = image_of(size, channels, Lifetime::input);
    model_.inputs = {image.operand};
    return image;
  }
  Image convolution(Image from, uint32_t channels, uint32_t kernel, uint32_t stride, int32_t activation) {
    const Image to = image_of((from.size + stride - 1) / stride, channels, Lifetime::temporary);
    const float deviation = 1.0f / std::sqrt(static_cast<float>(kernel * kernel * from.channels));
    emit(ANEURALNETWORKS_CONV_2D,
         {from.operand, weights({channels, kernel, kernel, from.channels}, deviation), weights({channels}, 0.1f),
          scalar(ANEURALNETWORKS_PADDING_SAME), scalar(stride), scalar(stride), scalar(activation)},
         to);
    return to;
  }
  Image depthwise(Image from, uint32_t stride) {
    const Image to = image_of((from.size + stride - 1) / stride, from.channels, Lifetime::temporary);
    emit(ANEURALNETWORKS_DEPTHWISE_CONV_2D,
         {from.operand, weights({1, 3, 3, from.channels}, 1.0f / 3), weights({from.channels}, 0.1f),
          scalar(ANEURALNETWORKS_PADDING_SAME), scalar(stride), scalar(stride), scalar(1), scalar(ANEURALNETWORKS_FUSED_RELU6)},
         to);
    return to;
  }
  Image add(Image a, Image b) {
    const Image to = image_of(a.size, a.channels, Lifetime::temporary);
    emit(ANEURALNETWORKS_ADD, {a.operand, b.operand, scalar(ANEURALNETWORKS_FUSED_NONE)}, to);
    return to;
  }
  Image average(Image from) {
    const Image to = image_of(1, from.channels, Lifetime::temporary);
    emit(ANEURALNETWORKS_AVERAGE_POOL_2D,
         {from.operand, scalar(ANEURALNETWORKS_PADDING_VALID), scalar(1), scalar(1), scalar(from.size), scalar(from.size),
          scalar(ANEURALNETWORKS_FUSED_NONE)},
         to);
    return to;
  }
  tools::ModelDescription finish(Image last) {
    model_.operands[last.operand].lifetime = Lifetime::output;
    model_.outputs = {last.operand};
    return std::move(model_);
  }

 private:
  uint32_t push(Operand operand) {
    model_.operands.push_back(std::move(operand));
    return static_cast<uint32_t>(model_.operands.size() - 1);
  }
  Image image_of(uint32_t size, uint32_t channels, Lifetime lifetime) {
    Operand operand;
    operand.type = ANEURALNETWORKS_TENSOR_FLOAT32;
    operand.dims = {1, size, size, channels};
    operand.lifetime = lifetime;
    return {push(std::move(operand)), size, channels};
  }
  uint32_t weights(std::vector<uint32_t> dims, float deviation) {
    size_t count = 1;
    for (uint32_t extent : dims) count *= extent;
    std::vector<float> values(count);
    std::normal_distribution<float> normal(0.0f, deviation);
    for (float& value : values) value = normal(random_);
    Operand operand;
    operand.type = ANEURALNETWORKS_TENSOR_FLOAT32;
    operand.dims = std::move(dims);
    operand.lifetime = Lifetime::constant_copy;
    operand.value.emplace(count * sizeof(float));
    std::memcpy(operand.value->data(), values.data(), operand.value->size());
    return push(std::move(operand));
  }
  uint32_t scalar(uint32_t value) {
    Operand operand;
    operand.type = ANEURALNETWORKS_INT32;
    operand.lifetime = Lifetime::constant_copy;
    operand.value.emplace(sizeof value);
    std::memcpy(operand.value->data(), &value, sizeof value);
    return push(std::move(operand));
  }
  void emit(int32_t code, std::vector<uint32_t> inputs, Image output) {
    model_.operations.push_back({code, std::move(inputs), {output.operand}});
  }

  tools::ModelDescription model_;
  std::mt19937 random_{1};
};

/// A block of the network: expansion, output channels, repetitions, stride of the first (Sandler et al. 2018, table 2).
struct Block {
  uint32_t expansion, channels, repetitions, stride;
};
constexpr Block kBlocks[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

}  // namespace

tools::ModelDescription float_mobilenet_v2() {
  FloatNetwork network;
  auto image = network.convolution(network.input(224, 3), 32, 3, 2, ANEURALNETWORKS_FUSED_RELU6);
  for (const Block& block : kBlocks) {
    for (uint32_t i = 0; i < block.repetitions; ++i) {
      const auto from = image;
      const uint32_t stride = i == 0 ? block.stride : 1;
      if (block.expansion > 1) {
        image = network.convolution(image, image.channels * block.expansion, 1, 1, ANEURALNETWORKS_FUSED_RELU6);
      }
      image = network.convolution(network.depthwise(image, stride), block.channels, 1, 1, ANEURALNETWORKS_FUSED_NONE);
      if (stride == 1 && from.channels == image.channels) image = network.add(from, image);
    }
  }
  image = network.average(network.convolution(image, 1280, 1, 1, ANEURALNETWORKS_FUSED_RELU6));
  return network.finish(network.convolution(image, 1001, 1, 1, ANEURALNETWORKS_FUSED_NONE));
}

}  // namespace avocet::bench
