// SPDX-License-Identifier: Apache-2.0
// SLICE by begin and size, and STRIDED_SLICE by begin, end and stride with masks.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kSliceInput[] = {tensor("input", kColumnA), shaped("begin", kTensorInt32, "rank"), shaped("size", kTensorInt32, "rank")};
constexpr Form kSliceInputs[] = {{.operands = kSliceInput}};
constexpr OperandRule kSliceOutput[] = {tensor("output", kColumnA).quantised_as_input(0)};
constexpr Form kSliceOutputs[] = {{.operands = kSliceOutput}};
constexpr Signature kSliceSignature{
    .level = 29, .types = kFloatsInt32AndQuant8, .inputs = kSliceInputs, .outputs = kSliceOutputs, .zero_sized = true};

constexpr OperandRule kStridedInput[] = {tensor("input", kColumnA, 1, 4),
                                         shaped("begin", kTensorInt32, "rank"),
                                         shaped("end", kTensorInt32, "rank"),
                                         shaped("strides", kTensorInt32, "rank"),
                                         int32("begin_mask"),
                                         int32("end_mask"),
                                         int32("shrink_axis_mask")};
constexpr Form kStridedInputs[] = {{.operands = kStridedInput}};
constexpr OperandRule kStridedOutput[] = {tensor("output", kColumnA, 1, 4).quantised_as_input(0)};
constexpr Form kStridedOutputs[] = {{.operands = kStridedOutput}};
constexpr Signature kStridedSignature{
    .level = 28, .types = kFloatsAndQuant8, .inputs = kStridedInputs, .outputs = kStridedOutputs};

}  // namespace

constinit const Operation kSlice = unimplemented<kSliceSignature>(ANEURALNETWORKS_SLICE, "SLICE");
constinit const Operation kStridedSlice = unimplemented<kStridedSignature>(ANEURALNETWORKS_STRIDED_SLICE, "STRIDED_SLICE");

}  // namespace avocet::runtime
