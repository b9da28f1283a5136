// SPDX-License-Identifier: Apache-2.0
// One operation called through the seam in a test: operands are added in order, run() validates, prepares, infers, executes.
#pragma once

#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "operations/shape.hpp"

namespace avocet::runtime {

class OperationCall {
 public:
  explicit OperationCall(int32_t code) : operation_(find_operation(code)) {}

  /// A tensor with values. `constant` lets prepare() see them.
  template <typename T>
  OperationCall& input(int32_t type, Dimensions dims, const std::vector<T>& values, float scale = 0, int32_t zero_point = 0,
                       bool constant = false) {
    OperandView view;
    view.type = type;
    view.dims = std::move(dims);
    view.scale = scale;
    view.zero_point = zero_point;
    view.constant = constant;
    return add(view, values);
  }
  /// A constant filter quantised per channel.
  OperationCall& per_channel(Dimensions dims, const std::vector<int8_t>& values, std::vector<float> scales, uint32_t channel_dim) {
    OperandView view;
    view.type = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL;
    view.dims = std::move(dims);
    view.channel_scales = scales_.emplace_back(std::move(scales));
    view.channel_dim = channel_dim;
    view.constant = true;
    return add(view, values);
  }
  OperationCall& floats(Dimensions dims, const std::vector<float>& values, bool constant = false) {
    return input(ANEURALNETWORKS_TENSOR_FLOAT32, std::move(dims), values, 0, 0, constant);
  }
  OperationCall& halves(Dimensions dims, const std::vector<float>& values, bool constant = false) {
    const std::vector<_Float16> stored(values.begin(), values.end());
    return input(ANEURALNETWORKS_TENSOR_FLOAT16, std::move(dims), stored, 0, 0, constant);
  }
  OperationCall& ints(Dimensions dims, const std::vector<int32_t>& values, float scale = 0, bool constant = false) {
    return input(ANEURALNETWORKS_TENSOR_INT32, std::move(dims), values, scale, 0, constant);
  }
  OperationCall& int32(int32_t value) { return input<int32_t>(ANEURALNETWORKS_INT32, {}, {value}, 0, 0, true); }
  OperationCall& float32(float value) { return input<float>(ANEURALNETWORKS_FLOAT32, {}, {value}, 0, 0, true); }
  OperationCall& boolean(bool value) { return input<uint8_t>(ANEURALNETWORKS_BOOL, {}, {static_cast<uint8_t>(value)}, 0, 0, true); }
  OperationCall& omitted(int32_t type) {
    OperandView view;
    view.type = type;
    view.omitted = true;
    inputs_.push_back(view);
    return *this;
  }
  OperationCall& output(int32_t type, float scale = 0, int32_t zero_point = 0, Dimensions declared = {}) {
    OperandView view;
    view.type = type;
    view.scale = scale;
    view.zero_point = zero_point;
    view.dims = std::move(declared);
    outputs_.push_back(view);
    return *this;
  }
  /// Splits parallel work into pieces of one grain each, run last to first.
  OperationCall& in_pieces() {
    parallel_ = [](size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) {
      for (size_t begin = (count - 1) / grain * grain + grain; begin > 0; begin -= grain) {
        body(begin - grain, std::min(begin, count));
      }
    };
    return *this;
  }
  /// execute() sees nothing of what infer() computed.
  OperationCall& forgetting() {
    forgets_ = true;
    return *this;
  }

  Status run() {
    OperationContext context;
    context.inputs = inputs_;
    context.outputs = outputs_;
    context.parallel = &parallel_;
    int level = 0;
    if (Status status = validate_operation(*operation_, context, &level); !status.ok()) return status;
    const std::unique_ptr<PreparedState> prepared = operation_->prepare ? operation_->prepare(context) : nullptr;
    context.prepared = prepared.get();
    if (Status status = operation_->infer(context); !status.ok()) return status;
    std::vector<void*> buffers;
    results_.resize(outputs_.size());
    for (size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i].bytes = count_of(outputs_[i]) * element_size(outputs_[i].type);
      results_[i].assign(outputs_[i].bytes + kGuard, 0xCD);
      buffers.push_back(outputs_[i].bytes ? results_[i].data() : nullptr);
    }
    context.output_buffers = buffers;
    if (forgets_) context.inferred.reset();
    Status status = operation_->execute(context);
    for (size_t i = 0; i < outputs_.size(); ++i) {
      for (size_t g = 0; g < kGuard; ++g) {
        if (results_[i][outputs_[i].bytes + g] != 0xCD) return Status{-1, "wrote past the end of output " + std::to_string(i)};
      }
    }
    return status;
  }

  const Dimensions& dims(size_t i = 0) const { return outputs_[i].dims; }
  template <typename T>
  std::vector<T> values(size_t i = 0) const {
    std::vector<T> all(outputs_[i].bytes / sizeof(T));
    if (!all.empty()) std::memcpy(all.data(), results_[i].data(), outputs_[i].bytes);
    return all;
  }
  std::vector<float> half_values(size_t i = 0) const {
    const std::vector<_Float16> stored = values<_Float16>(i);
    return {stored.begin(), stored.end()};
  }

 private:
  static constexpr size_t kGuard = 64;

  template <typename T>
  OperationCall& add(OperandView view, const std::vector<T>& values) {
    std::vector<uint8_t>& bytes = bytes_.emplace_back(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    view.bytes = bytes.size();
    view.data = bytes.empty() ? nullptr : bytes.data();
    inputs_.push_back(view);
    return *this;
  }

  const Operation* operation_;
  std::vector<OperandView> inputs_, outputs_;
  std::deque<std::vector<uint8_t>> bytes_;
  std::deque<std::vector<float>> scales_;
  std::vector<std::vector<uint8_t>> results_;
  ParallelFor parallel_;
  bool forgets_ = false;
};

}  // namespace avocet::runtime
