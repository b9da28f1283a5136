// SPDX-License-Identifier: Apache-2.0
// The seam between the API (models, compilations, executions) and the operations: what an operation's row looks
// like and what its functions see. The API side calls validate, prepare, infer and execute and knows no kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace avocet::runtime {

/// A result code of the API with a sentence for the log. Empty message means the code says it all.
struct [[nodiscard]] Status {
  int code = 0;  // ANEURALNETWORKS_*
  std::string message;
  bool ok() const { return code == 0; }
};

using Dimensions = std::vector<uint32_t>;

/// An operand as validators, shape inference and kernels see it. Owns nothing.
struct OperandView {
  int32_t type = 0;  // ANEURALNETWORKS_* operand type code
  Dimensions dims;   // empty for scalars; for tensors empty = unknown rank and 0 = unknown extent (while validating);
                     // fully known, with 0 = really empty, in infer (inputs) and execute (all)
  float scale = 0.0f;
  int32_t zero_point = 0;
  std::span<const float> channel_scales;  // TENSOR_QUANT8_SYMM_PER_CHANNEL only
  uint32_t channel_dim = 0;
  const void* data = nullptr;  // null: value not known at this moment, or omitted, or empty
  size_t bytes = 0;
  bool constant = false;  // the value is fixed by the model: kernels may prepare it (pack weights)
  bool omitted = false;   // NO_VALUE operand, or an input set to null at execution, or an absent trailing input

  template <typename T>
  const T* as() const {
    return static_cast<const T*>(data);
  }
};

/// Runs `body(begin, end)` over [0, count) on the execution's threads, in pieces of at least `grain`.
using ParallelFor = std::function<void(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body)>;

/// What prepare() made from constant inputs; shared, read-only, by all executions of a compilation.
struct PreparedState {
  virtual ~PreparedState() = default;
};

/// What infer() computed on the way to the dimensions and execute() can use: for outputs whose extents depend on values.
struct InferredState {
  virtual ~InferredState() = default;
};

/// What the functions of an operation see. Inputs beyond those given by the model read as omitted.
class OperationContext {
 public:
  std::span<const OperandView> inputs;
  std::span<OperandView> outputs;          // infer() writes dims; execute() writes through output_data()
  std::span<void* const> output_buffers;   // execute(): outputs[i].bytes writable bytes each; null when the output is empty
  const PreparedState* prepared = nullptr;  // what prepare() returned, or null: execute() must work without it
  std::shared_ptr<const InferredState> inferred;  // left by infer(); may be null: execute() must work without it
  const ParallelFor* parallel = nullptr;    // null: run on the calling thread
  bool relaxed_float = false;               // float32 may be computed with float16's range and precision

  bool has_input(size_t i) const { return i < inputs.size() && !inputs[i].omitted; }
  const OperandView& input(size_t i) const { return inputs[i]; }
  OperandView& output(size_t i) { return outputs[i]; }

  template <typename T>
  const T* in(size_t i) const {
    return has_input(i) ? inputs[i].as<T>() : nullptr;
  }
  template <typename T>
  T* out(size_t i) {
    return static_cast<T*>(output_buffers[i]);
  }
  /// The scalar input i, or `absent` when it is omitted or its value is not known yet.
  template <typename T>
  T scalar(size_t i, T absent) const {
    return has_input(i) && inputs[i].data ? *inputs[i].as<T>() : absent;
  }
  void parallel_for(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) const {
    if (parallel && *parallel && count > grain) {
      (*parallel)(count, grain, body);
    } else if (count) {
      body(0, count);
    }
  }
};

struct Signature;  // signature.hpp: the declarative row that drives validation, documentation and random models

/// One operation: one row of the explicit table in operations.cpp.
struct Operation {
  int32_t code;  // ANEURALNETWORKS_*
  const char* name;
  const Signature* signature;
  /// Checks beyond the signature (relations between operands, values of constant scalars). May be null.
  Status (*check)(const OperationContext&) = nullptr;
  /// Output dimensions from input shapes and values. Called with every input value known. Overflow and impossible shapes
  /// are OP_FAILED. Also sees the output's declared dims (0/empty where unknown) and must not contradict them silently.
  Status (*infer)(OperationContext&) = nullptr;
  /// Computes the outputs. Called only after infer() succeeded and buffers of the right size are there.
  Status (*execute)(OperationContext&) = nullptr;
  /// Optional: prepares constant inputs once per compilation; may return null when there is nothing to gain.
  std::unique_ptr<PreparedState> (*prepare)(const OperationContext&) = nullptr;
};

/// The row of an operation code, or null for a code the API does not define. IF and WHILE have rows (for validation
/// and documentation) but no infer/execute: the executor runs them.
const Operation* find_operation(int32_t code);
std::span<const Operation> all_operations();

/// Signature, then check(): operand counts, types, ranks, optional inputs, relations. BAD_DATA with a sentence on failure.
/// `min_feature_level` (27..30) receives the level from which this form of the operation exists.
Status validate_operation(const Operation&, const OperationContext&, int* min_feature_level);

}  // namespace avocet::runtime
