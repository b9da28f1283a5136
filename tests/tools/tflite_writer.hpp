// SPDX-License-Identifier: Apache-2.0
// Makes small .tflite files for tests, through the same schema that the importer reads.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tflite_generated.h"

namespace avocet::tools::test {

namespace tfl = avocet::tflite;

class TfliteWriter {
 public:
  using Builder = flatbuffers::FlatBufferBuilder;

  TfliteWriter() { buffers_.push_back(tfl::CreateBuffer(builder_)); }

  int tensor(tfl::TensorType type, std::vector<int32_t> shape, std::vector<float> scales = {},
             std::vector<int64_t> zero_points = {}, const std::vector<uint8_t>& data = {}, int quantized_dimension = 0) {
    uint32_t buffer = 0;
    if (!data.empty()) {
      builder_.ForceVectorAlignment(data.size(), 1, 16);
      buffers_.push_back(tfl::CreateBufferDirect(builder_, &data));
      buffer = static_cast<uint32_t>(buffers_.size() - 1);
    }
    flatbuffers::Offset<tfl::QuantizationParameters> quantization;
    if (!scales.empty()) {
      quantization = tfl::CreateQuantizationParametersDirect(builder_, nullptr, nullptr, &scales, &zero_points,
                                                             tfl::QuantizationDetails::NONE, 0, quantized_dimension);
    }
    const std::string name = "tensor" + std::to_string(tensors_.size());
    tensors_.push_back(tfl::CreateTensorDirect(builder_, &shape, type, buffer, name.c_str(), quantization));
    return static_cast<int>(tensors_.size() - 1);
  }
  template <typename T>
  int constant(tfl::TensorType type, std::vector<int32_t> shape, const std::vector<T>& values,
               std::vector<float> scales = {}, std::vector<int64_t> zero_points = {}, int quantized_dimension = 0) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return tensor(type, std::move(shape), std::move(scales), std::move(zero_points), bytes, quantized_dimension);
  }
  int int8(std::vector<int32_t> shape, float scale, int64_t zero_point) {
    return tensor(tfl::TensorType::INT8, std::move(shape), {scale}, {zero_point});
  }
  int uint8(std::vector<int32_t> shape, float scale, int64_t zero_point) {
    return tensor(tfl::TensorType::UINT8, std::move(shape), {scale}, {zero_point});
  }

  void op(tfl::BuiltinOperator code, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
          tfl::BuiltinOptions kind = tfl::BuiltinOptions::NONE,
          const std::function<flatbuffers::Offset<void>(Builder&)>& options = {}, const char* custom_name = nullptr) {
    const auto number = static_cast<int8_t>(std::min(static_cast<int32_t>(code), 127));
    codes_.push_back(tfl::CreateOperatorCodeDirect(builder_, number, custom_name, 1, code));
    const flatbuffers::Offset<void> offset = options ? options(builder_) : flatbuffers::Offset<void>();
    operators_.push_back(tfl::CreateOperatorDirect(builder_, static_cast<uint32_t>(codes_.size() - 1), &inputs, &outputs,
                                                   kind, offset));
  }

  std::vector<uint8_t> finish(std::vector<int32_t> inputs, std::vector<int32_t> outputs) {
    const std::vector graphs = {tfl::CreateSubGraphDirect(builder_, &tensors_, &inputs, &outputs, &operators_, "main")};
    tfl::FinishModelBuffer(builder_, tfl::CreateModelDirect(builder_, 3, &codes_, &graphs, "test", &buffers_));
    return {builder_.GetBufferPointer(), builder_.GetBufferPointer() + builder_.GetSize()};
  }

 private:
  Builder builder_;
  std::vector<flatbuffers::Offset<tfl::Buffer>> buffers_;
  std::vector<flatbuffers::Offset<tfl::Tensor>> tensors_;
  std::vector<flatbuffers::Offset<tfl::OperatorCode>> codes_;
  std::vector<flatbuffers::Offset<tfl::Operator>> operators_;
};

/// int8 [1,4,4,2] -> CONV_2D 3x3 to 3 channels, scales per channel -> AVERAGE_POOL_2D 2x2 -> RESHAPE -> SOFTMAX.
inline std::vector<uint8_t> small_convolution_model() {
  using tfl::BuiltinOperator;
  TfliteWriter w;
  const int in = w.int8({1, 4, 4, 2}, 0.5f, -3);
  std::vector<int8_t> weights(3 * 3 * 3 * 2);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int8_t>(static_cast<int>(i * 7 % 31) - 15);
  const int filter = w.constant<int8_t>(tfl::TensorType::INT8, {3, 3, 3, 2}, weights, {0.1f, 0.2f, 0.3f}, {0, 0, 0});
  const int bias = w.constant<int32_t>(tfl::TensorType::INT32, {3}, {5, -6, 7}, {0.05f, 0.1f, 0.15f}, {0, 0, 0}, 3);
  const int conv = w.int8({1, 4, 4, 3}, 1.0f, 4);
  const int pool = w.int8({1, 2, 2, 3}, 1.0f, 4);
  const int shape = w.constant<int32_t>(tfl::TensorType::INT32, {2}, {1, 12});
  const int flat = w.int8({1, 12}, 1.0f, 4);
  const int out = w.int8({1, 12}, 1.0f / 256, -128);
  w.op(BuiltinOperator::CONV_2D, {in, filter, bias}, {conv}, tfl::BuiltinOptions::Conv2DOptions, [](auto& b) {
    return tfl::CreateConv2DOptions(b, tfl::Padding::SAME, 1, 1, tfl::Activation::RELU).Union();
  });
  w.op(BuiltinOperator::AVERAGE_POOL_2D, {conv}, {pool}, tfl::BuiltinOptions::Pool2DOptions, [](auto& b) {
    return tfl::CreatePool2DOptions(b, tfl::Padding::VALID, 2, 2, 2, 2).Union();
  });
  w.op(BuiltinOperator::RESHAPE, {pool, shape}, {flat});
  w.op(BuiltinOperator::SOFTMAX, {flat}, {out}, tfl::BuiltinOptions::SoftmaxOptions,
       [](auto& b) { return tfl::CreateSoftmaxOptions(b, 1.0f).Union(); });
  return w.finish({in}, {out});
}

}  // namespace avocet::tools::test
