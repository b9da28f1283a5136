// SPDX-License-Identifier: Apache-2.0
#include "mobilenet_v2.hpp"

#include <cmath>

#include "description_builder.hpp"

namespace avocet::bench {
namespace {

/// A tensor [1, size, size, channels] under construction.
struct Image {
  uint32_t operand, size, channels;
};

class FloatNetwork {
 public:
  Image input(uint32_t size, uint32_t channels) { return {builder_.input({1, size, size, channels}), size, channels}; }
  Image convolution(Image from, uint32_t channels, uint32_t kernel, int32_t stride, int32_t activation) {
    const Image to = image((from.size + stride - 1) / stride, channels);
    const float deviation = 1.0f / std::sqrt(static_cast<float>(kernel * kernel * from.channels));
    builder_.emit(ANEURALNETWORKS_CONV_2D,
                  {from.operand, builder_.weights({channels, kernel, kernel, from.channels}, deviation),
                   builder_.bias(channels, 0.1f), builder_.scalar(ANEURALNETWORKS_PADDING_SAME), builder_.scalar(stride),
                   builder_.scalar(stride), builder_.scalar(activation)},
                  to.operand);
    return to;
  }
  Image depthwise(Image from, int32_t stride) {
    const Image to = image((from.size + stride - 1) / stride, from.channels);
    builder_.emit(ANEURALNETWORKS_DEPTHWISE_CONV_2D,
                  {from.operand, builder_.weights({1, 3, 3, from.channels}, 1.0f / 3), builder_.bias(from.channels, 0.1f),
                   builder_.scalar(ANEURALNETWORKS_PADDING_SAME), builder_.scalar(stride), builder_.scalar(stride),
                   builder_.scalar(1), builder_.scalar(ANEURALNETWORKS_FUSED_RELU6)},
                  to.operand);
    return to;
  }
  Image add(Image a, Image b) {
    const Image to = image(a.size, a.channels);
    builder_.emit(ANEURALNETWORKS_ADD, {a.operand, b.operand, builder_.scalar(ANEURALNETWORKS_FUSED_NONE)}, to.operand);
    return to;
  }
  Image average(Image from) {
    const Image to = image(1, from.channels);
    const int32_t size = static_cast<int32_t>(from.size);
    builder_.emit(ANEURALNETWORKS_AVERAGE_POOL_2D,
                  {from.operand, builder_.scalar(ANEURALNETWORKS_PADDING_VALID), builder_.scalar(1), builder_.scalar(1),
                   builder_.scalar(size), builder_.scalar(size), builder_.scalar(ANEURALNETWORKS_FUSED_NONE)},
                  to.operand);
    return to;
  }
  tools::ModelDescription finish(Image last) { return builder_.finish(last.operand); }

 private:
  Image image(uint32_t size, uint32_t channels) { return {builder_.tensor({1, size, size, channels}), size, channels}; }

  DescriptionBuilder builder_;
};

/// A block of the network: expansion, output channels, repetitions, stride of the first (Sandler et al. 2018, table 2).
struct Block {
  uint32_t expansion, channels, repetitions;
  int32_t stride;
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
      const int32_t stride = i == 0 ? block.stride : 1;
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
