// SPDX-License-Identifier: Apache-2.0
// NCHW: see layout.hpp.
#include "layout.hpp"

#include <cstring>
#include <vector>

#include "shape.hpp"

namespace avocet::runtime {
namespace {

constexpr uint8_t kFalse = 0;

void to_nhwc(Dimensions& dims) {
  if (dims.size() == 4) dims = {dims[0], dims[2], dims[3], dims[1]};
}

void to_nchw(Dimensions& dims) {
  if (dims.size() == 4) dims = {dims[0], dims[3], dims[1], dims[2]};
}

template <typename T>
void transpose_planes(const T* from, T* to, size_t batches, size_t rows, size_t columns) {
  constexpr size_t kBlock = 32;  // both sides of a block stay in the first-level cache
  for (size_t b = 0; b < batches; ++b, from += rows * columns, to += rows * columns) {
    for (size_t r0 = 0; r0 < rows; r0 += kBlock) {
      const size_t r1 = std::min(rows, r0 + kBlock);
      for (size_t c0 = 0; c0 < columns; c0 += kBlock) {
        const size_t c1 = std::min(columns, c0 + kBlock);
        for (size_t r = r0; r < r1; ++r) {
          for (size_t c = c0; c < c1; ++c) to[c * rows + r] = from[r * columns + c];
        }
      }
    }
  }
}

/// Each of `batches` matrices of [rows, columns] becomes [columns, rows].
void transpose_matrices(const void* from, void* to, size_t batches, size_t rows, size_t columns, size_t element) {
  switch (element) {
    case 1: return transpose_planes(static_cast<const uint8_t*>(from), static_cast<uint8_t*>(to), batches, rows, columns);
    case 2: return transpose_planes(static_cast<const uint16_t*>(from), static_cast<uint16_t*>(to), batches, rows, columns);
    default: return transpose_planes(static_cast<const uint32_t*>(from), static_cast<uint32_t*>(to), batches, rows, columns);
  }
}

/// The operands of an operation with its images seen as NHWC and its layout input seen as false.
struct NhwcView {
  std::vector<OperandView> inputs;
  std::vector<OperandView> outputs;
  std::vector<bool> is_output_image;

  NhwcView(const Match& match, const OperationContext& context)
      : inputs(context.inputs.begin(), context.inputs.end()), outputs(context.outputs.begin(), context.outputs.end()) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const OperandRule& rule = *rule_of(*match.inputs, i, inputs.size());
      if (rule.is_image) to_nhwc(inputs[i].dims);
      if (rule.is_layout) inputs[i].data = &kFalse;
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      is_output_image.push_back(rule_of(*match.outputs, i, outputs.size())->is_image);
      if (is_output_image[i]) to_nhwc(outputs[i].dims);
    }
  }
};

}  // namespace

bool may_be_nchw(const Signature& signature) {
  for (const Form& form : signature.inputs) {
    for (const OperandRule& rule : form.operands) {
      if (rule.is_layout) return true;
    }
  }
  return false;
}

bool is_nchw(const Form& inputs, const OperationContext& context) {
  for (size_t i = 0; i < context.inputs.size(); ++i) {
    if (rule_of(inputs, i, context.inputs.size())->is_layout) return context.scalar<uint8_t>(i, 0) != 0;
  }
  return false;
}

Status infer_in_nhwc(const Match& match, OperationContext& context, InferFunction infer) {
  NhwcView view(match, context);
  OperationContext nhwc = context;
  nhwc.inputs = view.inputs;
  nhwc.outputs = view.outputs;
  AVOCET_RETURN_IF_FAILED(infer(nhwc));
  context.inferred = std::move(nhwc.inferred);
  for (size_t i = 0; i < view.outputs.size(); ++i) {
    if (view.is_output_image[i]) to_nchw(view.outputs[i].dims);
    context.outputs[i].dims = view.outputs[i].dims;
  }
  return {};
}

Status execute_in_nhwc(const Match& match, OperationContext& context, ExecuteFunction execute, Halves halves) {
  NhwcView view(match, context);
  std::vector<std::unique_ptr<uint8_t[]>> owned;
  const auto allocate = [&owned](size_t bytes) { return owned.emplace_back(new uint8_t[bytes]).get(); };
  for (size_t i = 0; i < view.inputs.size(); ++i) {
    OperandView& input = view.inputs[i];
    if (!rule_of(*match.inputs, i, view.inputs.size())->is_image || !input.data || input.bytes == 0) continue;
    void* copy = allocate(input.bytes);
    transpose_matrices(input.data, copy, input.dims[0], input.dims[3], extent_product(input.dims, 1, 3), element_size(input.type));
    input.data = copy;
    input.constant = false;
  }
  std::vector<void*> buffers(context.output_buffers.begin(), context.output_buffers.end());
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (view.is_output_image[i] && buffers[i]) {
      buffers[i] = allocate(count_of(view.outputs[i]) * element_size(view.outputs[i].type));
    }
  }
  OperationContext nhwc = context;
  nhwc.inputs = view.inputs;
  nhwc.outputs = view.outputs;
  nhwc.output_buffers = buffers;
  AVOCET_RETURN_IF_FAILED(halves == Halves::kWidened ? run_in_float32(nhwc, execute) : execute(nhwc));
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!view.is_output_image[i] || !buffers[i]) continue;
    const OperandView& output = view.outputs[i];
    transpose_matrices(buffers[i], context.output_buffers[i], output.dims[0], extent_product(output.dims, 1, 3), output.dims[3],
                       element_size(output.type));
  }
  return {};
}

}  // namespace avocet::runtime
