// SPDX-License-Identifier: Apache-2.0
// Operations that move the pixels of images.
#include "npu/lowering_rows.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime::npu {
namespace {

namespace movements = compiler::movements;
using movements::Extents;

/// Checks the parameters and gives input 0 in NHWC.
Status open(OperationLowering& op, bool* nchw, uint32_t* input) {
  AVOCET_RETURN_IF_FAILED(op.named().infer());
  AVOCET_RETURN_IF_FAILED(op.layout(nchw));
  return op.image(0, *nchw, input);
}

Status emit(OperationLowering& op, movements::MaybeMovement movement, uint32_t input, bool nchw) {
  if (!movement) return op_failed("it falls into more than ", movements::kBoxesMax, " pieces");
  return op.emit(std::move(*movement), {input}, nchw);
}

Status lower_blocks(OperationLowering& op, compiler::Movement (*move)(std::string, const Extents&, uint32_t)) {
  bool nchw = false;
  uint32_t input = 0;
  int32_t block = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &nchw, &input));
  AVOCET_RETURN_IF_FAILED(op.named().scalar("block_size", 1, &block));
  return emit(op, move(op.operation().name(), op.tensor(input).dims, static_cast<uint32_t>(block)), input, nchw);
}

}  // namespace

Status lower_space_to_depth(OperationLowering& op) { return lower_blocks(op, movements::space_to_depth); }
Status lower_depth_to_space(OperationLowering& op) { return lower_blocks(op, movements::depth_to_space); }

Status lower_space_to_batch(OperationLowering& op) {
  bool nchw = false;
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &nchw, &input));
  std::vector<int32_t> block, paddings;
  AVOCET_RETURN_IF_FAILED(op.named().values("block_shape", &block));
  AVOCET_RETURN_IF_FAILED(op.named().values("paddings", &paddings));
  const movements::Padding rows{static_cast<uint32_t>(paddings[0]), static_cast<uint32_t>(paddings[1])};
  const movements::Padding columns{static_cast<uint32_t>(paddings[2]), static_cast<uint32_t>(paddings[3])};
  return emit(op,
              movements::space_to_batch(op.operation().name(), op.tensor(input).dims, static_cast<uint32_t>(block[0]),
                                        static_cast<uint32_t>(block[1]), rows, columns, static_cast<uint8_t>(op.tensor(input).zero_point)),
              input, nchw);
}

Status lower_batch_to_space(OperationLowering& op) {
  bool nchw = false;
  uint32_t input = 0;
  AVOCET_RETURN_IF_FAILED(open(op, &nchw, &input));
  std::vector<int32_t> block;
  AVOCET_RETURN_IF_FAILED(op.named().values("block_shape", &block));
  return emit(op, movements::batch_to_space(op.operation().name(), op.tensor(input).dims, static_cast<uint32_t>(block[0]), static_cast<uint32_t>(block[1])),
              input, nchw);
}

}  // namespace avocet::runtime::npu
