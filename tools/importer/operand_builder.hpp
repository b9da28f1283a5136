// SPDX-License-Identifier: Apache-2.0
// The operands and operations of an NNAPI model under construction, whatever file it comes from.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "nnapi/model_description.hpp"

namespace avocet::tools {

class OperandBuilder {
 public:
  ModelDescription& description() { return description_; }
  const ModelDescription& description() const { return description_; }

  uint32_t add(Operand operand);
  uint32_t add_constant(int32_t type, std::vector<uint32_t> dims, std::vector<uint8_t> bytes, float scale = 0,
                        int32_t zero_point = 0);
  uint32_t add_temporary(int32_t type, std::vector<uint32_t> dims, float scale = 0, int32_t zero_point = 0);
  /// A temporary of other dimensions with the type and quantisation of `operand`.
  uint32_t add_temporary_like(uint32_t operand, std::vector<uint32_t> dims);
  uint32_t int_scalar(int32_t value);
  uint32_t float_scalar(float value);
  uint32_t bool_scalar(bool value);
  uint32_t int_tensor(std::span<const int32_t> values, std::vector<uint32_t> dims = {});
  void emit(int32_t code, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);
  /// An operation that only moves elements of its first `data_inputs` inputs and that the API does not have for int32:
  /// there it goes through float32 and back, exact for values of at most 2^24.
  void emit_movement(int32_t code, size_t data_inputs, std::vector<uint32_t> inputs, uint32_t output);
  /// A RESHAPE of `input` to the dimensions of `output`.
  void emit_reshape(uint32_t input, uint32_t output);

 private:
  ModelDescription description_;
  std::map<int32_t, uint32_t> int_scalars_;
};

}  // namespace avocet::tools
