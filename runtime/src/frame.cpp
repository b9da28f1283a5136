// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "memory_plan.hpp"
#include "operations/failure.hpp"
#include "plan.hpp"

namespace avocet::runtime {
namespace {

constexpr size_t kMostIdleFrames = 4;
constexpr size_t kMostSpareBuffers = 16;

}  // namespace

Buffer::Buffer(size_t capacity) : capacity_(capacity) {
  if (capacity == 0) return;
  const size_t rounded = (capacity + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
  data_.reset(static_cast<uint8_t*>(std::aligned_alloc(kBufferAlignment, rounded)));
  if (!data_) throw std::bad_alloc();
}

void Buffer::Free::operator()(uint8_t* p) const { std::free(p); }

Frame::Frame(const Plan& plan) : plan_(plan), cells_(plan.model().operands().size()), block_(plan.layout_.block_bytes) {
  const Model& model = plan.model();
  const FrameLayout& layout = plan.layout_;
  input_views_.reserve(layout.inputs);
  output_views_.reserve(layout.outputs);
  output_buffers_.resize(layout.outputs);
  for (const ModelOperation& operation : model.operations()) {
    for (uint32_t i : operation.inputs) input_views_.push_back(view_of(model.operand(i)));
    for (uint32_t i : operation.outputs) output_views_.push_back(view_of(model.operand(i)));
  }
  for (uint32_t i = 0; i < cells_.size(); ++i) {
    const Operand& operand = model.operand(i);
    cells_[i].dims = operand.dims;
    cells_[i].omitted = operand.lifetime == Lifetime::kNoValue;
    if (operand.lifetime == Lifetime::kConstant) {
      cells_[i].data = const_cast<void*>(operand.data);
      cells_[i].bytes = operand.bytes;
    }
  }
}

Value Frame::value(uint32_t operand) const {
  const Cell& cell = cells_[operand];
  return {cell.data, cell.bytes, &cell.dims, cell.omitted};
}

void Frame::bind_input(uint32_t operand, const Value& value) {
  Cell& cell = cells_[operand];
  cell.data = const_cast<void*>(value.data);
  cell.bytes = value.bytes;
  cell.omitted = value.omitted;
  if (!plan_.layout_.dims_fixed[operand]) cell.dims = value.omitted ? plan_.model().operand(operand).dims : *value.dims;
}

OperationContext Frame::context(uint32_t index) {
  const ModelOperation& operation = plan_.model().operations()[index];
  const FrameLayout::Slots& slots = plan_.layout_.slots[index];
  OperationContext context;
  context.inputs = std::span(input_views_).subspan(slots.first_input, operation.inputs.size());
  context.outputs = std::span(output_views_).subspan(slots.first_output, operation.outputs.size());
  context.output_buffers = std::span(output_buffers_).subspan(slots.first_output, operation.outputs.size());
  for (size_t i = 0; i < operation.inputs.size(); ++i) {
    const Cell& cell = cells_[operation.inputs[i]];
    OperandView& view = input_views_[slots.first_input + i];
    view.data = cell.data;
    view.bytes = cell.bytes;
    view.omitted = cell.omitted;
    if (!plan_.layout_.dims_fixed[operation.inputs[i]]) view.dims = cell.dims;
  }
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    const uint32_t operand = operation.outputs[i];
    OperandView& view = output_views_[slots.first_output + i];
    view.data = nullptr;
    view.bytes = 0;
    if (plan_.layout_.dims_fixed[operand]) continue;
    const OutputSink* sink = cells_[operand].sink;
    view.dims = sink ? sink->dims : plan_.model().operand(operand).dims;
  }
  return context;
}

Status Frame::place(uint32_t operand, const Dimensions& dims) {
  Cell& cell = cells_[operand];
  const Operand& declared = plan_.model().operand(operand);
  const bool tensor = is_tensor(declared.type);
  const Dimensions& wanted = cell.sink && !cell.sink->known ? cell.sink->dims : declared.dims;
  if (tensor && dims.empty()) return op_failed("operand ", operand, " has no dimensions");
  if (!agrees(wanted, dims)) {
    return op_failed("operand ", operand, " becomes ", dims_text(dims), " but is declared ", dims_text(wanted));
  }
  // Only declared extents can be unknown; an extent of 0 here is a tensor without elements.
  const std::optional<size_t> bytes = value_bytes(declared.type, dims);
  if (!bytes) return op_failed("operand ", operand, ": ", dims_text(dims), " needs more than 2^32 - 1 bytes");
  const FrameLayout& layout = plan_.layout_;
  if (!layout.dims_fixed[operand]) cell.dims = dims;
  cell.bytes = *bytes;
  if (OutputSink* sink = cell.sink) {
    sink->dims = dims;
    sink->known = true;
    sink->refused = !sink->reserve(*bytes, &cell.data);
    if (!sink->refused) return {};
  } else if (layout.offset[operand] != FrameLayout::kNoOffset) {
    cell.data = block_.data() + layout.offset[operand];
    return {};
  }
  if (cell.buffer.capacity() < *bytes) cell.buffer = take_buffer(*bytes);
  cell.data = *bytes ? cell.buffer.data() : nullptr;
  return {};
}

void Frame::bind_output_buffers(uint32_t index) {
  const ModelOperation& operation = plan_.model().operations()[index];
  const uint32_t first = plan_.layout_.slots[index].first_output;
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    const Cell& cell = cells_[operation.outputs[i]];
    output_views_[first + i].data = cell.data;
    output_views_[first + i].bytes = cell.bytes;
    output_buffers_[first + i] = cell.bytes ? cell.data : nullptr;
  }
}

void Frame::write(uint32_t operand, const void* data, size_t bytes) {
  if (bytes) std::memcpy(cells_[operand].data, data, bytes);
}

Buffer Frame::take_buffer(size_t bytes) {
  auto best = spare_.end();
  for (auto it = spare_.begin(); it != spare_.end(); ++it) {
    if (it->capacity() >= bytes && (best == spare_.end() || it->capacity() < best->capacity())) best = it;
  }
  if (best == spare_.end()) return Buffer(bytes);
  Buffer buffer = std::move(*best);
  spare_.erase(best);
  return buffer;
}

void Frame::retire_operand(uint32_t operand) {
  Cell& cell = cells_[operand];
  if (cell.buffer.capacity() == 0) return;
  cell.data = nullptr;
  if (spare_.size() < kMostSpareBuffers) spare_.push_back(std::move(cell.buffer));
  cell.buffer = Buffer();
}

void Frame::retire(uint32_t operation) {
  for (uint32_t operand : plan_.layout_.last_read[operation]) retire_operand(operand);
}

void Frame::clear() {
  const Model& model = plan_.model();
  for (uint32_t i : model.inputs()) {
    cells_[i].data = nullptr;
    cells_[i].omitted = false;
  }
  for (uint32_t i : model.outputs()) {
    cells_[i].data = nullptr;
    cells_[i].sink = nullptr;
    retire_operand(i);
  }
}

std::unique_ptr<Frame> FramePool::take(const Plan& plan) {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<Frame> frame = std::move(idle_.back());
      idle_.pop_back();
      return frame;
    }
  }
  return std::make_unique<Frame>(plan);
}

void FramePool::give_back(std::unique_ptr<Frame> frame) {
  frame->clear();
  std::lock_guard lock(mutex_);
  if (idle_.size() < kMostIdleFrames) idle_.push_back(std::move(frame));
}

}  // namespace avocet::runtime
