// SPDX-License-Identifier: Apache-2.0
// BATCH_TO_SPACE_ND and SPACE_TO_BATCH_ND: blocks of pixels to batches and back.
#include <algorithm>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "strided_copy.hpp"
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

// Index of a batch on the side of the batches: (row in the block * block width + column in the block) * images + image.

Status read_blocks(const OperationContext& context, std::vector<int32_t>* blocks) {
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, 2, "block_shape", blocks));
  for (int32_t block : *blocks) {
    if (block < 1) return op_failed("the block shape has the extent ", block);
  }
  return {};
}

Status infer_batch_to_space(OperationContext& context) {
  const Dimensions& from = context.input(0).dims;
  std::vector<int32_t> blocks;
  AVOCET_RETURN_IF_FAILED(read_blocks(context, &blocks));
  const uint64_t height = static_cast<uint32_t>(blocks[0]), width = static_cast<uint32_t>(blocks[1]);
  if (from[0] % (height * width) != 0) {
    return op_failed(from[0], " batches do not make blocks of ", height, " by ", width);
  }
  Dimensions to{static_cast<uint32_t>(from[0] / (height * width))};
  AVOCET_RETURN_IF_FAILED(append_extent(from[1] * height, &to));
  AVOCET_RETURN_IF_FAILED(append_extent(from[2] * width, &to));
  to.push_back(from[3]);
  context.output(0).dims = std::move(to);
  return {};
}

Status execute_batch_to_space(OperationContext& context) {
  const Dimensions &from = context.input(0).dims, &to = context.output(0).dims;
  // The blocks follow from the shapes, which cannot have changed since infer.
  const uint32_t dims[] = {to[1] / from[1], to[2] / from[2], to[0], from[1], from[2], from[3]};
  constexpr uint32_t kOrder[] = {2, 3, 0, 4, 1, 5};
  copy_permuted(context, dims, kOrder);
  return {};
}

/// One spatial axis on its way into batches.
struct BlockedAxis {
  int64_t block;
  int64_t before;  // padding in front
  int64_t input;   // extents
  int64_t output;

  /// Of the output positions that take element `offset` of their block, those that lie in the input: [first, end).
  int64_t first(int64_t offset) const { return std::max<int64_t>(0, (before - offset + block - 1) / block); }
  int64_t end(int64_t offset) const {
    const int64_t reach = before + input - offset;
    return reach <= 0 ? 0 : std::min(output, (reach + block - 1) / block);
  }
};

Status plan_space_to_batch(const OperationContext& context, BlockedAxis (&axes)[2], Dimensions* dims) {
  const Dimensions& from = context.input(0).dims;
  std::vector<int32_t> blocks, paddings;
  AVOCET_RETURN_IF_FAILED(read_blocks(context, &blocks));
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 2, 4, "paddings", &paddings));
  Dimensions spatial;
  for (size_t i = 0; i < 2; ++i) {
    const int32_t before = paddings[2 * i], after = paddings[2 * i + 1];
    if (before < 0 || after < 0) return op_failed("the paddings ", before, " and ", after, " may not be negative");
    const int64_t padded = int64_t{before} + from[i + 1] + after;
    if (padded % blocks[i] != 0) {
      return op_failed("the padded extent ", padded, " is not a multiple of ", blocks[i], ", its extent in the block shape");
    }
    axes[i] = {blocks[i], before, from[i + 1], padded / blocks[i]};
    AVOCET_RETURN_IF_FAILED(append_extent(static_cast<uint64_t>(axes[i].output), &spatial));
  }
  const uint64_t cells = static_cast<uint64_t>(axes[0].block) * static_cast<uint64_t>(axes[1].block);
  if (cells > UINT32_MAX) return op_failed("the block of ", axes[0].block, " by ", axes[1].block, " is too large");
  dims->clear();
  AVOCET_RETURN_IF_FAILED(append_extent(cells * from[0], dims));
  dims->insert(dims->end(), {spatial[0], spatial[1], from[3]});
  return {};
}

Status infer_space_to_batch(OperationContext& context) {
  BlockedAxis axes[2];
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(plan_space_to_batch(context, axes, &dims));
  context.output(0).dims = std::move(dims);
  return {};
}

/// The images' pixels at one place of their blocks, without the padding, to their batches.
void copy_block_offset(OperationContext& context, const BlockedAxis& y, const BlockedAxis& x, int64_t row, int64_t column) {
  const int64_t y0 = y.first(row), y1 = y.end(row), x0 = x.first(column), x1 = x.end(column);
  if (y0 >= y1 || x0 >= x1) return;
  const Dimensions& from = context.input(0).dims;
  const OperandView& output = context.output(0);
  const int64_t depth = from[3], element = static_cast<int64_t>(element_size(output.type));
  const int64_t in_image = y.input * x.input * depth, out_image = y.output * x.output * depth;
  const int64_t source = ((y0 * y.block + row - y.before) * x.input + x0 * x.block + column - x.before) * depth;
  const int64_t destination = (row * x.block + column) * from[0] * out_image + (y0 * x.output + x0) * depth;
  copy_strided(context, context.in<uint8_t>(0) + source * element, context.out<uint8_t>(0) + destination * element,
               {{from[0], in_image, out_image},
                {static_cast<size_t>(y1 - y0), y.block * x.input * depth, x.output * depth},
                {static_cast<size_t>(x1 - x0), x.block * depth, depth},
                {from[3], 1, 1}},
               static_cast<size_t>(element));
}

Status execute_space_to_batch(OperationContext& context) {
  BlockedAxis axes[2];
  Dimensions dims;
  AVOCET_RETURN_IF_FAILED(plan_space_to_batch(context, axes, &dims));
  const OperandView& output = context.output(0);
  AVOCET_RETURN_IF_FAILED(check_unchanged(dims, output));
  const uint32_t zero = is_quant8(output.type) ? static_cast<uint8_t>(output.zero_point) : 0;
  fill_elements(context, context.out<void>(0), count_of(output), &zero, element_size(output.type));
  for (int64_t row = 0; row < axes[0].block; ++row) {
    for (int64_t column = 0; column < axes[1].block; ++column) copy_block_offset(context, axes[0], axes[1], row, column);
  }
  return {};
}

}  // namespace

constinit const Operation kBatchToSpaceNd =
    operation<kToSpaceSignature, infer_batch_to_space, execute_batch_to_space, Halves::kAsTheyAre>(
        ANEURALNETWORKS_BATCH_TO_SPACE_ND, "BATCH_TO_SPACE_ND");
constinit const Operation kSpaceToBatchNd =
    operation<kToBatchSignature, infer_space_to_batch, execute_space_to_batch, Halves::kAsTheyAre>(
        ANEURALNETWORKS_SPACE_TO_BATCH_ND, "SPACE_TO_BATCH_ND");

}  // namespace avocet::runtime
