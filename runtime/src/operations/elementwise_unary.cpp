// SPDX-License-Identifier: Apache-2.0
// Element by element functions of one tensor: FLOOR, ABS, EXP, LOG, NEG, RSQRT, SIN, SQRT, LOGICAL_NOT.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kOneTensor[] = {tensor("input", kColumnA)};
constexpr OperandRule kOneResult[] = {tensor("output", kColumnA)};
constexpr Form kOneInput[] = {{.operands = kOneTensor}};
constexpr Form kOneOutput[] = {{.operands = kOneResult}};

constexpr OperandRule kFloorInput[] = {tensor("input", kColumnA, 1, 4)};
constexpr Form kFloorInputs[] = {{.operands = kFloorInput}};
constexpr Signature kFloorSignature{.level = 27, .types = kFloats, .inputs = kFloorInputs, .outputs = kOneOutput};

constexpr Signature kFloatSignature{.level = 29, .types = kFloats, .inputs = kOneInput, .outputs = kOneOutput};

constexpr TypeRow kAbsTypes[] = {{29, {kTensorFloat32}}, {29, {kTensorFloat16}}, {30, {kTensorInt32}}};
constexpr Signature kAbsSignature{.level = 29, .types = kAbsTypes, .inputs = kOneInput, .outputs = kOneOutput};

constexpr TypeRow kNegTypes[] = {{29, {kTensorFloat32}}, {29, {kTensorFloat16}}, {29, {kTensorInt32}}};
constexpr Signature kNegSignature{.level = 29, .types = kNegTypes, .inputs = kOneInput, .outputs = kOneOutput};

constexpr TypeRow kNotTypes[] = {{29, {kTensorBool8}}};
constexpr Signature kNotSignature{.level = 29, .types = kNotTypes, .inputs = kOneInput, .outputs = kOneOutput};

}  // namespace

constinit const Operation kFloor = unimplemented<kFloorSignature>(ANEURALNETWORKS_FLOOR, "FLOOR");
constinit const Operation kAbs = unimplemented<kAbsSignature>(ANEURALNETWORKS_ABS, "ABS");
constinit const Operation kExp = unimplemented<kFloatSignature>(ANEURALNETWORKS_EXP, "EXP");
constinit const Operation kLog = unimplemented<kFloatSignature>(ANEURALNETWORKS_LOG, "LOG");
constinit const Operation kNeg = unimplemented<kNegSignature>(ANEURALNETWORKS_NEG, "NEG");
constinit const Operation kRsqrt = unimplemented<kFloatSignature>(ANEURALNETWORKS_RSQRT, "RSQRT");
constinit const Operation kSin = unimplemented<kFloatSignature>(ANEURALNETWORKS_SIN, "SIN");
constinit const Operation kSqrt = unimplemented<kFloatSignature>(ANEURALNETWORKS_SQRT, "SQRT");
constinit const Operation kLogicalNot = unimplemented<kNotSignature>(ANEURALNETWORKS_LOGICAL_NOT, "LOGICAL_NOT");

}  // namespace avocet::runtime
