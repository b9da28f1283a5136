// SPDX-License-Identifier: Apache-2.0
// DEPTH_TO_SPACE and SPACE_TO_DEPTH: blocks of pixels to channels and back.
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
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

// A pixel of depth block * block * depth is a block of pixels row by row, in both directions. Seen with six dimensions, both
// operations swap the third and the fourth.
constexpr uint32_t kSwapped[] = {0, 1, 3, 2, 4, 5};

Status infer_depth_to_space(OperationContext& context) {
  const Dimensions& from = context.input(0).dims;
  const uint64_t block = static_cast<uint32_t>(context.scalar<int32_t>(1, 0));
  if (block == 0 || from[3] % (block * block) != 0) {
    return op_failed("the depth ", from[3], " is not a multiple of the block size ", block, " squared");
  }
  Dimensions to{from[0]};
  AVOCET_RETURN_IF_FAILED(append_extent(from[1] * block, &to));
  AVOCET_RETURN_IF_FAILED(append_extent(from[2] * block, &to));
  AVOCET_RETURN_IF_FAILED(append_extent(from[3] / (block * block), &to));
  context.output(0).dims = std::move(to);
  return {};
}

Status infer_space_to_depth(OperationContext& context) {
  const Dimensions& from = context.input(0).dims;
  const uint64_t block = static_cast<uint32_t>(context.scalar<int32_t>(1, 0));
  if (block == 0 || from[1] % block != 0 || from[2] % block != 0) {
    return op_failed("the image of ", from[1], " by ", from[2], " does not divide into blocks of ", block, " by ", block);
  }
  // The product does not wrap: block * block is at most height * width, which is at most 32 bits large.
  Dimensions to{from[0], static_cast<uint32_t>(from[1] / block), static_cast<uint32_t>(from[2] / block)};
  AVOCET_RETURN_IF_FAILED(append_extent(from[3] * block * block, &to));
  context.output(0).dims = std::move(to);
  return {};
}

// The block size follows from the shapes, which cannot have changed since infer.

Status execute_depth_to_space(OperationContext& context) {
  const Dimensions &from = context.input(0).dims, &to = context.output(0).dims;
  const uint32_t block = to[1] / from[1];
  const uint32_t dims[] = {from[0], from[1], from[2], block, block, to[3]};
  copy_permuted(context, dims, kSwapped);
  return {};
}

Status execute_space_to_depth(OperationContext& context) {
  const Dimensions &from = context.input(0).dims, &to = context.output(0).dims;
  const uint32_t block = from[1] / to[1];
  const uint32_t dims[] = {from[0], to[1], block, to[2], block, from[3]};
  copy_permuted(context, dims, kSwapped);
  return {};
}

}  // namespace

constinit const Operation kDepthToSpace = operation<kSignature, infer_depth_to_space, execute_depth_to_space, Halves::kAsTheyAre>(
    ANEURALNETWORKS_DEPTH_TO_SPACE, "DEPTH_TO_SPACE");
constinit const Operation kSpaceToDepth = operation<kSignature, infer_space_to_depth, execute_space_to_depth, Halves::kAsTheyAre>(
    ANEURALNETWORKS_SPACE_TO_DEPTH, "SPACE_TO_DEPTH");

}  // namespace avocet::runtime
