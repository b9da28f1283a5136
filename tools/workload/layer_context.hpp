// SPDX-License-Identifier: Apache-2.0
// One layer of a workload on its way into a model: its keys, its inputs, and its constants, which are seeded or, for a device that
// moves no values, shapes alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "importer/operand_builder.hpp"
#include "workload/strict_json.hpp"

namespace avocet::tools {

inline constexpr uint32_t kExtentMax = 65535;

/// Settings of a whole workload.
struct WorkloadDefaults {
  bool is_unsigned = false;  // uint8 instead of int8
  bool values = true;        // false: constants are placeholders
  uint64_t seed = 1;
};

class LayerContext {
 public:
  LayerContext(OperandBuilder& builder, StrictObject& keys, const WorkloadDefaults& defaults, std::vector<uint32_t> inputs,
               uint64_t seed)
      : builder_(builder), keys_(keys), defaults_(defaults), inputs_(std::move(inputs)), random_(seed) {}

  OperandBuilder& builder() { return builder_; }
  StrictObject& keys() { return keys_; }
  bool is_unsigned() const { return defaults_.is_unsigned; }
  const std::vector<uint32_t>& inputs() const { return inputs_; }
  const Operand& input(size_t i) const { return builder_.description().operands[inputs_[i]]; }
  const std::vector<uint32_t>& dims(size_t i = 0) const { return input(i).dims; }
  /// Extents of input 0, which must have this rank.
  const std::vector<uint32_t>& dims_of_rank(size_t rank) const;
  [[noreturn]] void refuse(const std::string& sentence) const { throw InputError(keys_.place() + ": " + sentence); }

  /// none, relu, relu1 or relu6 as the API's number.
  uint32_t activation();
  /// A new tensor with the scale and zero point that the layer's keys give, else the standard ones.
  uint32_t output(std::vector<uint32_t> dims);
  uint32_t output_like(uint32_t operand, std::vector<uint32_t> dims);
  /// Where the API fixes the scale.
  uint32_t output_fixed(std::vector<uint32_t> dims, float scale, bool centred);

  /// Weights with a standard deviation that keeps the activations' spread, and the int32 biases that go with them. `channel_axis`:
  /// of the outputs; `channels_apart`: each has a scale of its own where the type allows it.
  struct Weights {
    uint32_t weights, bias;
  };
  Weights weights(const std::vector<uint32_t>& dims, uint32_t channel_axis, uint64_t products, bool channels_apart,
                  uint32_t output);
  /// A constant activation.
  uint32_t constant(std::vector<uint32_t> dims);

 private:
  uint64_t next_random();
  std::vector<uint8_t> random_bytes(size_t bytes);
  uint32_t add_constant(Operand operand, bool is_bias, double bias_range);
  Operand activation_operand(std::vector<uint32_t> dims) const;

  OperandBuilder& builder_;
  StrictObject& keys_;
  const WorkloadDefaults& defaults_;
  const std::vector<uint32_t> inputs_;
  uint64_t random_;
};

/// Throws InputError when a tensor of these extents has more than 2^31 - 1 elements.
uint64_t checked_elements(const std::vector<uint32_t>& dims, const std::string& place);

}  // namespace avocet::tools
