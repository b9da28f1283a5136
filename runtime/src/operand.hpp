// SPDX-License-Identifier: Apache-2.0
// Operands of a model, and the rules of their types: sizes, quantisation parameters, compatible dimensions.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "operations/operation.hpp"
#include "operations/shape.hpp"

namespace avocet::runtime {

class Model;

/// Vendor types, which clients may still declare; no device here runs an operation on them.
inline constexpr int32_t kOemScalar = 10000;
inline constexpr int32_t kTensorOemByte = 10001;
inline constexpr int32_t kOemOperation = 10000;

/// Where an operand's value comes from. Exactly one of them, once the model is finished.
enum class Lifetime : uint8_t { kTemporary, kInput, kOutput, kConstant, kNoValue, kModel };

struct Operand {
  int32_t type = 0;
  Dimensions dims;  // 0 = unknown extent; empty for a tensor = unknown rank
  float scale = 0.0f;
  int32_t zero_point = 0;
  std::vector<float> channel_scales;
  uint32_t channel_dim = 0;
  Lifetime lifetime = Lifetime::kTemporary;
  const void* data = nullptr;  // kConstant: the client's memory, or copy.data()
  size_t bytes = 0;
  std::vector<uint8_t> copy;     // short constants
  const Model* model = nullptr;  // kModel
};

bool is_known_type(int32_t type);
/// Element size, which for the vendor tensor is 1; 0 for types without a fixed one (MODEL, vendor scalar).
size_t element_bytes(int32_t type);

/// Scalars, and tensors of known rank of which no extent is 0.
bool fully_specified(int32_t type, const Dimensions& dims);

/// Bytes of a value; nothing when they do not fit into 32 bits. Extents of 0 are zero-sized here, not unknown.
std::optional<size_t> value_bytes(int32_t type, const Dimensions& dims);

/// Checks an operand type as a client gives it: code, pointer and count, quantisation, product of dimensions.
Status check_operand_type(const ANeuralNetworksOperandType& type);

/// Neither contradicts the other: unknown ranks and extents agree with everything.
bool compatible(const Dimensions& a, const Dimensions& b);

/// `actual`, in which 0 is really empty, is one of the shapes that `declared` leaves open.
bool agrees(const Dimensions& declared, const Dimensions& actual);

/// What both know together. Only for compatible ones.
Dimensions combine(const Dimensions& a, const Dimensions& b);

/// Same type, scale, zero point and channel parameters.
bool same_type(const Operand& a, const Operand& b);

/// Dimensions of an operand type structure that passed check_operand_type.
Dimensions dims_of(const ANeuralNetworksOperandType& type);

/// The operand as validators and kernels see it: declared dimensions; data for constants only.
OperandView view_of(const Operand& operand);

}  // namespace avocet::runtime
