// SPDX-License-Identifier: Apache-2.0
// A model under construction, and, once finished, the graph everything else works on. Operand and operation numbers are
// always those of the order of adding; order() is the order to run them in.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <span>
#include <vector>

#include "memory.hpp"
#include "operand.hpp"
#include "operations/operation.hpp"
#include "reference_counted.hpp"

namespace avocet::runtime {

struct ModelOperation {
  int32_t code = 0;
  const Operation* row = nullptr;  // null for the vendor operation
  std::vector<uint32_t> inputs, outputs;
  int feature_level = 27;  // from which this form of the operation exists

  const char* name() const { return row ? row->name : "OEM_OPERATION"; }
};

class Model : public ReferenceCounted {
 public:
  static Model* of(ANeuralNetworksModel* handle) { return reinterpret_cast<Model*>(handle); }
  static const Model* of(const ANeuralNetworksModel* handle) { return reinterpret_cast<const Model*>(handle); }
  ANeuralNetworksModel* handle() { return reinterpret_cast<ANeuralNetworksModel*>(this); }

  // ---- Building. BAD_STATE once finish() was called, whatever it returned.
  Status add_operand(const ANeuralNetworksOperandType& type);
  Status set_value(int32_t index, const void* buffer, size_t length);
  Status set_channel_params(int32_t index, const ANeuralNetworksSymmPerChannelQuantParams& params);
  Status set_value_from_memory(int32_t index, const Memory& memory, size_t offset, size_t length);
  Status set_value_from_model(int32_t index, const Model& value);
  Status add_operation(int32_t code, std::span<const uint32_t> inputs, std::span<const uint32_t> outputs);
  Status identify(std::span<const uint32_t> inputs, std::span<const uint32_t> outputs);
  Status relax(bool allow);
  Status finish();

  // ---- Finished
  bool finished() const { return finished_; }
  bool valid() const { return finished_ && !invalid_; }
  const std::vector<Operand>& operands() const { return operands_; }
  const Operand& operand(uint32_t index) const { return operands_[index]; }
  const std::vector<ModelOperation>& operations() const { return operations_; }
  const std::vector<uint32_t>& order() const {
    return order_;
  }  // a topological order, the order of adding where possible
  const std::vector<uint32_t>& inputs() const { return inputs_; }
  const std::vector<uint32_t>& outputs() const { return outputs_; }
  bool relaxed() const { return relaxed_; }
  /// The first operation, here or in a model referred to, that the CPU path has no kernel for; null when it has all.
  const char* missing_kernel() const { return missing_kernel_; }

 private:
  Status check_building() const;
  Status check_index(int32_t index) const;
  Status finish_graph();
  Status check_operands() const;
  Status sort_operations();
  void set_depth();
  void set_missing_kernel();

  std::vector<Operand> operands_;
  std::vector<ModelOperation> operations_;
  std::vector<uint32_t> order_, inputs_, outputs_;
  std::vector<Reference<const Memory>> memories_;  // of constants
  std::vector<Reference<const Model>> models_;     // referred to
  uint32_t depth_ = 1;                             // of nested models
  const char* missing_kernel_ = nullptr;
  bool relaxed_ = false;
  bool identified_ = false;
  bool finished_ = false;
  bool invalid_ = false;
};

/// IF and WHILE: that the referenced models agree with the operation (model_control_flow.cpp). Models not set yet pass
/// unless `complete`.
Status check_control_flow(const Model& model, const ModelOperation& operation, bool complete);

}  // namespace avocet::runtime
