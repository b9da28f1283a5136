// SPDX-License-Identifier: Apache-2.0
// CAST: stored numbers to another type, without regard to scale and zero point.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{29, {kTensorFloat16, kTensorFloat16}}, {29, {kTensorFloat16, kTensorFloat32}},
                              {29, {kTensorFloat16, kTensorInt32}},   {29, {kTensorFloat16, kQuant8}},
                              {29, {kTensorFloat32, kTensorFloat16}}, {29, {kTensorFloat32, kTensorFloat32}},
                              {29, {kTensorFloat32, kTensorInt32}},   {29, {kTensorFloat32, kQuant8}},
                              {29, {kTensorInt32, kTensorFloat16}},   {29, {kTensorInt32, kTensorFloat32}},
                              {29, {kTensorInt32, kTensorInt32}},     {29, {kTensorInt32, kQuant8}},
                              {29, {kQuant8, kTensorFloat16}},        {29, {kQuant8, kTensorFloat32}},
                              {29, {kQuant8, kTensorInt32}},          {29, {kQuant8, kQuant8}},
                              {30, {kTensorBool8, kTensorBool8}},     {30, {kQuant16, kQuant16}},
                              {30, {kQuant16Symm, kQuant16Symm}},     {30, {kQuant8Signed, kQuant8Signed}},
                              {30, {kQuant8Symm, kQuant8Symm}}};
constexpr OperandRule kInput[] = {tensor("input", kColumnA)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {tensor("output", kColumnB)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kCast = unimplemented<kSignature>(ANEURALNETWORKS_CAST, "CAST");

}  // namespace avocet::runtime
