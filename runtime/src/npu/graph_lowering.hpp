// SPDX-License-Identifier: Apache-2.0
// The compiler's graph while operations of a model are put into it. Images that a model keeps as NCHW have a twin in NHWC, on
// which operations work; the transposes between neighbours are never made.
#pragma once

#include <avocet/compiler/graph.hpp>

#include <unordered_map>

#include "model.hpp"
#include "npu/named_operands.hpp"

namespace avocet::runtime::npu {

class GraphLowering {
 public:
  GraphLowering(const Model& model, compiler::Graph* graph) : model_(model), graph_(graph) {}

  const Model& model() const { return model_; }
  compiler::Graph& graph() { return *graph_; }

  /// The tensor of an operand as the model has it.
  Status tensor_of(uint32_t operand, uint32_t* tensor);
  /// A tensor that the model does not have: like an operand, with other extents.
  Status new_tensor(uint32_t like, compiler::movements::Extents dims, uint32_t* tensor);

  uint32_t twin_of(uint32_t operand) const {
    const auto twin = twins_.find(operand);
    return twin == twins_.end() ? kNone : twin->second;
  }
  void set_twin(uint32_t operand, uint32_t tensor) { twins_[operand] = tensor; }
  static constexpr uint32_t kNone = UINT32_MAX;

 private:
  const Model& model_;
  compiler::Graph* graph_;
  std::unordered_map<uint32_t, uint32_t> tensors_;  // operand -> tensor
  std::unordered_map<uint32_t, uint32_t> twins_;    // operand -> tensor in NHWC
};

/// One operation on its way into the graph.
class OperationLowering {
 public:
  OperationLowering(GraphLowering& lowering, uint32_t index) : lowering_(lowering), index_(index) {}

  Status open() { return named_.open(lowering_.model(), operation()); }
  const NamedOperands& named() const { return named_; }
  const Model& model() const { return lowering_.model(); }
  const ModelOperation& operation() const { return lowering_.model().operations()[index_]; }
  const compiler::Tensor& tensor(uint32_t i) { return lowering_.graph().tensors[i]; }

  /// Input i of the operation as a tensor; with `nchw` its twin in NHWC.
  Status input(size_t i, uint32_t* tensor) { return lowering_.tensor_of(operation().inputs[i], tensor); }
  Status image(size_t i, bool nchw, uint32_t* tensor);
  bool has_twin(size_t i) const { return lowering_.twin_of(operation().inputs[i]) != GraphLowering::kNone; }
  /// An operand of the model that need not be one of this operation.
  Status operand(uint32_t index, uint32_t* tensor) { return lowering_.tensor_of(index, tensor); }
  /// Constants: weights and biases.
  Status constant(size_t i, uint32_t* tensor);

  /// Adds an operation whose output is output i of the model's operation; with `nchw` it makes the twin.
  Status emit(compiler::OperationType type, std::vector<uint32_t> inputs, const compiler::Attributes& attributes,
              bool nchw = false);
  Status emit(compiler::Movement movement, std::vector<uint32_t> inputs, bool nchw = false);
  Status emit(compiler::Operation lowered, bool nchw = false);
  /// A movement to all outputs.
  Status emit_all(compiler::Movement movement, std::vector<uint32_t> inputs);
  /// To a tensor that the model does not have, with the type and scale of operand `like`.
  Status emit_like(compiler::Operation lowered, uint32_t like, compiler::movements::Extents dims, uint32_t* output);
  /// To a tensor that the model does not have: like tensor `like`, with other extents.
  void emit_between(compiler::Operation lowered, uint32_t like, compiler::movements::Extents dims, uint32_t* output);
  void emit_between(compiler::Movement movement, uint32_t input, compiler::movements::Extents dims, uint32_t* output);

  /// "nchw" of the operation.
  Status layout(bool* nchw) const;
  /// Extents of output 0 in NHWC.
  compiler::movements::Extents output_dims(bool nchw) const;

 private:
  void add(compiler::Operation lowered);

  GraphLowering& lowering_;
  const uint32_t index_;
  NamedOperands named_;
};

}  // namespace avocet::runtime::npu
