// SPDX-License-Identifier: Apache-2.0
// FILL: a tensor of one value; RANK: the number of dimensions of a tensor.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kFillTypes[] = {{30, {kTensorFloat32, kFloat32}}, {30, {kTensorFloat16, kFloat16}}, {30, {kTensorInt32, kInt32}}};
constexpr OperandRule kFillInput[] = {shaped("shape", kTensorInt32, "rank"), scalar("value", kColumnB)};
constexpr Form kFillInputs[] = {{.operands = kFillInput}};
constexpr OperandRule kFillOutput[] = {tensor("output", kColumnA)};
constexpr Form kFillOutputs[] = {{.operands = kFillOutput}};
constexpr Signature kFillSignature{.level = 30, .types = kFillTypes, .inputs = kFillInputs, .outputs = kFillOutputs};

constexpr TypeRow kRankTypes[] = {{30, {kTensorFloat32}}, {30, {kTensorFloat16}},    {30, {kTensorInt32}}, {30, {kQuant8}},
                                  {30, {kQuant16Symm}},   {30, {kTensorBool8}},      {30, {kQuant8PerChannel}},
                                  {30, {kQuant16}},       {30, {kQuant8Symm}},       {30, {kQuant8Signed}}};
constexpr OperandRule kRankInput[] = {tensor("input", kColumnA)};
constexpr Form kRankInputs[] = {{.operands = kRankInput}};
constexpr OperandRule kRankOutput[] = {int32("rank")};
constexpr Form kRankOutputs[] = {{.operands = kRankOutput}};
constexpr Signature kRankSignature{.level = 30, .types = kRankTypes, .inputs = kRankInputs, .outputs = kRankOutputs};

}  // namespace

constinit const Operation kFill = unimplemented<kFillSignature>(ANEURALNETWORKS_FILL, "FILL");
constinit const Operation kRank = unimplemented<kRankSignature>(ANEURALNETWORKS_RANK, "RANK");

}  // namespace avocet::runtime
