// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE and SPACE_TO_DEPTH: blocks of pixels to channels and back.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {image("input", kColumnA, "batches,height,width,depth"), int32("block_size").range(1),
                                  layout().optional().since(29)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,out_depth").quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kDepthToSpace = unimplemented<kSignature>(ANEURALNETWORKS_DEPTH_TO_SPACE, "DEPTH_TO_SPACE");
constinit const Operation kSpaceToDepth = unimplemented<kSignature>(ANEURALNETWORKS_SPACE_TO_DEPTH, "SPACE_TO_DEPTH");

}  // namespace avocet::runtime
