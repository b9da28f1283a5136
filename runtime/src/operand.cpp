// SPDX-License-Identifier: Apache-2.0
#include "operand.hpp"

#include <cmath>
#include <limits>

#include "operations/failure.hpp"

namespace avocet::runtime {
namespace {

/// What scale and zero point of a type may be. TENSOR_INT32 may have a scale or not: it is a bias, or it is not.
struct QuantisationRow {
  int32_t type;
  bool needs_scale;
  bool may_have_scale;
  int32_t lowest_zero, highest_zero;
};

constexpr QuantisationRow kQuantisation[] = {
    {ANEURALNETWORKS_TENSOR_INT32, false, true, 0, 0},
    {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, true, true, 0, 255},
    {ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, true, true, -128, 127},
    {ANEURALNETWORKS_TENSOR_QUANT8_SYMM, true, true, 0, 0},
    {ANEURALNETWORKS_TENSOR_QUANT16_SYMM, true, true, 0, 0},
    {ANEURALNETWORKS_TENSOR_QUANT16_ASYMM, true, true, 0, 65535},
};
constexpr QuantisationRow kNotQuantised = {0, false, false, 0, 0};

const QuantisationRow& quantisation_of(int32_t type) {
  for (const QuantisationRow& row : kQuantisation) {
    if (row.type == type) return row;
  }
  return kNotQuantised;
}

Status check_quantisation(const ANeuralNetworksOperandType& type) {
  if (type.type == kOemScalar || type.type == kTensorOemByte) return {};  // the vendor's business
  const QuantisationRow& row = quantisation_of(type.type);
  const bool scale_fits = row.needs_scale      ? type.scale > 0.0f && std::isfinite(type.scale)
                          : row.may_have_scale ? type.scale >= 0.0f && std::isfinite(type.scale)
                                               : type.scale == 0.0f;
  if (!scale_fits) return bad_data("scale ", type.scale, " is not allowed for ", type_name(type.type));
  if (type.zeroPoint < row.lowest_zero || type.zeroPoint > row.highest_zero) {
    return bad_data("zeroPoint ", type.zeroPoint, " is outside ", row.lowest_zero, "..", row.highest_zero, " of ",
                    type_name(type.type));
  }
  return {};
}

}  // namespace

bool is_known_type(int32_t type) {
  return (type >= ANEURALNETWORKS_FLOAT32 && type <= ANEURALNETWORKS_MODEL) || type == kOemScalar ||
         type == kTensorOemByte;
}

size_t element_bytes(int32_t type) { return type == kTensorOemByte ? 1 : element_size(type); }

bool fully_specified(int32_t type, const Dimensions& dims) {
  if (type == kOemScalar || !is_tensor(type)) return true;
  for (uint32_t extent : dims) {
    if (extent == 0) return false;
  }
  return !dims.empty();
}

std::optional<size_t> value_bytes(int32_t type, const Dimensions& dims) {
  const std::optional<uint32_t> count = element_count(dims);
  if (!count) return std::nullopt;
  const uint64_t bytes = uint64_t{*count} * element_bytes(type);
  if (bytes > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<size_t>(bytes);
}

Status check_operand_type(const ANeuralNetworksOperandType& type) {
  if (!is_known_type(type.type)) return bad_data("operand type ", type.type, " is unknown");
  if ((type.dimensionCount == 0) != (type.dimensions == nullptr)) {
    return bad_data("dimensionCount is ", type.dimensionCount, " but dimensions is ",
                    type.dimensions ? "not null" : "null");
  }
  const bool scalar = type.type == kOemScalar || !is_tensor(type.type);
  if (scalar && type.dimensionCount != 0) return bad_data("a scalar has ", type.dimensionCount, " dimensions");
  // An extent of 0 is unknown: what comes before it must still fit.
  uint64_t bytes = element_bytes(type.type);
  for (uint32_t i = 0; i < type.dimensionCount && bytes != 0; ++i) {
    bytes *= type.dimensions[i];
    if (bytes > std::numeric_limits<uint32_t>::max()) return bad_data("the dimensions need more than 2^32 - 1 bytes");
  }
  return check_quantisation(type);
}

bool compatible(const Dimensions& a, const Dimensions& b) {
  if (a.empty() || b.empty()) return true;
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != 0 && b[i] != 0 && a[i] != b[i]) return false;
  }
  return true;
}

bool agrees(const Dimensions& declared, const Dimensions& actual) {
  if (declared.empty()) return true;
  if (declared.size() != actual.size()) return false;
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i] != 0 && declared[i] != actual[i]) return false;
  }
  return true;
}

Dimensions combine(const Dimensions& a, const Dimensions& b) {
  if (a.empty()) return b;
  Dimensions result = a;
  for (size_t i = 0; i < result.size() && i < b.size(); ++i) {
    if (result[i] == 0) result[i] = b[i];
  }
  return result;
}

bool same_type(const Operand& a, const Operand& b) {
  return a.type == b.type && a.scale == b.scale && a.zero_point == b.zero_point &&
         a.channel_scales == b.channel_scales && (a.channel_scales.empty() || a.channel_dim == b.channel_dim);
}

Dimensions dims_of(const ANeuralNetworksOperandType& type) {
  if (type.dimensionCount == 0) return {};
  return Dimensions(type.dimensions, type.dimensions + type.dimensionCount);
}

OperandView view_of(const Operand& operand) {
  OperandView view;
  view.type = operand.type;
  view.dims = operand.dims;
  view.scale = operand.scale;
  view.zero_point = operand.zero_point;
  view.channel_scales = operand.channel_scales;
  view.channel_dim = operand.channel_dim;
  view.constant = operand.lifetime == Lifetime::kConstant;
  view.omitted = operand.lifetime == Lifetime::kNoValue;
  if (view.constant) {
    view.data = operand.data;
    view.bytes = operand.bytes;
  }
  return view;
}

}  // namespace avocet::runtime
