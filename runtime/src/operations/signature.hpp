// SPDX-License-Identifier: Apache-2.0
// The declarative row of an operation: the types, ranks, optional operands, forms and feature levels the API documents.
// Everything is constexpr data, so that validation, documentation and the generator of random models read one table.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <limits>
#include <span>

#include "operation.hpp"

namespace avocet::runtime {

/// A type as rows write it: an operand type code, a column of the signature's type table, or anything.
enum class Type : int16_t {
  kFloat32 = ANEURALNETWORKS_FLOAT32,
  kInt32 = ANEURALNETWORKS_INT32,
  kUint32 = ANEURALNETWORKS_UINT32,
  kBool = ANEURALNETWORKS_BOOL,
  kFloat16 = ANEURALNETWORKS_FLOAT16,
  kModel = ANEURALNETWORKS_MODEL,
  kTensorFloat32 = ANEURALNETWORKS_TENSOR_FLOAT32,
  kTensorFloat16 = ANEURALNETWORKS_TENSOR_FLOAT16,
  kTensorInt32 = ANEURALNETWORKS_TENSOR_INT32,
  kTensorBool8 = ANEURALNETWORKS_TENSOR_BOOL8,
  kQuant8 = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM,
  kQuant8Signed = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED,
  kQuant8Symm = ANEURALNETWORKS_TENSOR_QUANT8_SYMM,
  kQuant8PerChannel = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL,
  kQuant16 = ANEURALNETWORKS_TENSOR_QUANT16_ASYMM,
  kQuant16Symm = ANEURALNETWORKS_TENSOR_QUANT16_SYMM,
  kColumnA = 100,  // the operand has the type in this column of the matching TypeRow
  kColumnB,
  kColumnC,
  kColumnD,
  kAny,        // any type at all
  kAnyTensor,  // any tensor type
};

inline constexpr size_t kTypeColumns = 4;
inline constexpr uint8_t kAnyRank = 255;
inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// One documented combination of types, and the feature level it exists from.
struct TypeRow {
  uint8_t level = 27;
  Type columns[kTypeColumns] = {};
};

/// How scale and zero point of a quantised operand are bound. Checked when the operation runs, as the API's own runtime
/// does: a model that breaks them can be built.
enum class Quantisation : uint8_t { kFree, kSameAsInput, kFixed };

/// One input or output. Built by the functions below and refined by its member functions, which return a changed copy.
struct OperandRule {
  const char* name = "";
  Type type = Type::kAny;
  /// Symbolic shape, comma separated: equal names are equal extents, numbers are themselves, anything else ("4*classes")
  /// is documentation. Null: any shape of the allowed ranks. For images in NHWC order.
  const char* extents = nullptr;
  uint8_t min_rank = 0;
  uint8_t max_rank = 0;
  uint32_t old_ranks = 0;   // when not 0: bit r set = rank r allowed before level 29; other ranks need 29
  uint8_t from_level = 27;  // giving this operand needs this level
  bool may_be_absent = false;    // trailing operand that need not be there; then it has default_value
  bool with_previous = false;    // present exactly when the operand before it is
  bool may_be_omitted = false;   // may have no value (its place stays)
  bool repeats = false;          // stands for one or more operands (none or more when may_be_absent)
  bool is_image = false;         // rank 4, laid out as the layout input says
  bool is_layout = false;        // the BOOL that is true for NCHW
  int8_t channel_dim = -1;       // required channelDim of a per-channel tensor
  double lowest = -kNoLimit;     // allowed range of a scalar
  double highest = kNoLimit;
  uint32_t one_of = 0;           // when not 0: bit v set = the scalar may be v
  double default_value = 0.0;
  Quantisation quantisation = Quantisation::kFree;
  uint8_t same_as = 0;           // kSameAsInput: index of the input
  float fixed_scale = 0.0f;      // kFixed
  int32_t fixed_zero_unsigned = 0;
  int32_t fixed_zero_signed = 0;

  constexpr OperandRule rank(uint8_t low, uint8_t high) const { return with(&OperandRule::min_rank, low).with(&OperandRule::max_rank, high); }
  constexpr OperandRule rank_before_29(uint32_t bits) const { return with(&OperandRule::old_ranks, bits); }
  constexpr OperandRule since(uint8_t level) const { return with(&OperandRule::from_level, level); }
  constexpr OperandRule optional(double value = 0.0) const { return omittable().with(&OperandRule::may_be_absent, true).with(&OperandRule::default_value, value); }
  constexpr OperandRule joined() const { return with(&OperandRule::with_previous, true); }
  constexpr OperandRule omittable() const { return with(&OperandRule::may_be_omitted, true); }
  constexpr OperandRule repeated() const { return with(&OperandRule::repeats, true); }
  constexpr OperandRule channel(int8_t dim) const { return with(&OperandRule::channel_dim, dim); }
  constexpr OperandRule range(double low, double high = kNoLimit) const { return with(&OperandRule::lowest, low).with(&OperandRule::highest, high); }
  constexpr OperandRule values(uint32_t bits) const { return with(&OperandRule::one_of, bits); }
  constexpr OperandRule quantised_as_input(uint8_t input) const {
    return with(&OperandRule::quantisation, Quantisation::kSameAsInput).with(&OperandRule::same_as, input);
  }
  /// Zero points for the unsigned types and for TENSOR_QUANT8_ASYMM_SIGNED.
  constexpr OperandRule quantised_as(float scale, int32_t zero_unsigned, int32_t zero_signed) const {
    return with(&OperandRule::quantisation, Quantisation::kFixed)
        .with(&OperandRule::fixed_scale, scale)
        .with(&OperandRule::fixed_zero_unsigned, zero_unsigned)
        .with(&OperandRule::fixed_zero_signed, zero_signed);
  }

  template <typename Field, typename Value>
  constexpr OperandRule with(Field OperandRule::* field, Value value) const {
    OperandRule copy = *this;
    copy.*field = static_cast<Field>(value);
    return copy;
  }
};

/// One way of giving the operands; an operation has several when the API documents alternatives (explicit padding).
struct Form {
  const char* name = "";
  uint8_t level = 27;
  std::span<const OperandRule> operands = {};
};

/// The row. Spans point to constexpr arrays next to it.
struct Signature {
  uint8_t level = 27;                // the operation exists from here
  std::span<const TypeRow> types = {};  // empty: no column is used
  std::span<const Form> inputs;      // tried in order: by count, then by type
  std::span<const Form> outputs;
  bool zero_sized = false;           // inputs may have extents of 0 when it runs (since level 29)
  /// For documentation and generators: the result differs from run to run (RANDOM_MULTINOMIAL).
  bool random = false;
};

// ---- Building blocks of rows -------------------------------------------------------------------------------------

/// A tensor of any rank >= 1, or of `min..max`.
constexpr OperandRule tensor(const char* name, Type type, uint8_t min_rank = 1, uint8_t max_rank = kAnyRank) {
  return {.name = name, .type = type, .min_rank = min_rank, .max_rank = max_rank};
}

/// A tensor of a symbolic shape: tensor("filter", kColumnB, "depth_out,height,width,depth_in").
constexpr OperandRule shaped(const char* name, Type type, const char* extents) {
  uint8_t rank = 1;
  for (const char* c = extents; *c; ++c) rank += *c == ',';
  return {.name = name, .type = type, .extents = extents, .min_rank = rank, .max_rank = rank};
}

/// A rank 4 tensor laid out as the layout input says; extents in NHWC order.
constexpr OperandRule image(const char* name, Type type, const char* extents) {
  return shaped(name, type, extents).with(&OperandRule::is_image, true);
}

constexpr OperandRule scalar(const char* name, Type type) { return {.name = name, .type = type}; }
constexpr OperandRule int32(const char* name) { return scalar(name, Type::kInt32); }
constexpr OperandRule boolean(const char* name) { return scalar(name, Type::kBool); }
constexpr OperandRule float32(const char* name) { return scalar(name, Type::kFloat32); }

/// The layout flag: true for NCHW.
constexpr OperandRule layout() { return boolean("nchw").with(&OperandRule::is_layout, true); }
/// A fused activation, by FuseCode.
constexpr OperandRule activation() { return int32("activation").values(0b1111); }
/// PADDING_SAME or PADDING_VALID.
constexpr OperandRule padding_scheme() { return int32("padding_scheme").values(0b110); }
constexpr OperandRule axis() { return int32("axis"); }

/// Which form, and which row of the type table, the operands of an operation have.
struct Match {
  Status status;  // BAD_DATA with a sentence when nothing matches
  const Form* inputs = nullptr;
  const Form* outputs = nullptr;
  const TypeRow* types = nullptr;  // null when the signature has no table
};

/// The rule of operand `index` of `count` under a form: repeated rules cover as many operands as the count needs.
/// Null when there is none.
const OperandRule* rule_of(const Form& form, size_t index, size_t count);

/// Finds form and types by counts and types alone.
Match match_signature(const char* name, const Signature&, const OperationContext&);

/// The signature part of validate_operation(): match, then ranks, presence, values of constant scalars, channel dimensions.
Status validate_signature(const char* name, const Signature&, const OperationContext&, int* min_feature_level);

}  // namespace avocet::runtime
