// SPDX-License-Identifier: Apache-2.0
// BATCH_TO_SPACE_ND and SPACE_TO_BATCH_ND: blocks of pixels to batches and back.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kOutput[] = {image("output", kColumnA, "out_batches,out_height,out_width,depth").quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};

constexpr OperandRule kToSpaceInput[] = {image("input", kColumnA, "batches,height,width,depth"),
                                         shaped("block_shape", kTensorInt32, "2"), layout().optional().since(29)};
constexpr Form kToSpaceInputs[] = {{.operands = kToSpaceInput}};
constexpr Signature kToSpaceSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kToSpaceInputs, .outputs = kOutputs};

constexpr OperandRule kToBatchInput[] = {image("input", kColumnA, "batches,height,width,depth"),
                                         shaped("block_shape", kTensorInt32, "2"), shaped("paddings", kTensorInt32, "2,2"),
                                         layout().optional().since(29)};
constexpr Form kToBatchInputs[] = {{.operands = kToBatchInput}};
constexpr Signature kToBatchSignature{.level = 28, .types = kFloatsAndQuant8, .inputs = kToBatchInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kBatchToSpaceNd = unimplemented<kToSpaceSignature>(ANEURALNETWORKS_BATCH_TO_SPACE_ND, "BATCH_TO_SPACE_ND");
constinit const Operation kSpaceToBatchNd = unimplemented<kToBatchSignature>(ANEURALNETWORKS_SPACE_TO_BATCH_ND, "SPACE_TO_BATCH_ND");

}  // namespace avocet::runtime
