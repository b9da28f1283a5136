// SPDX-License-Identifier: Apache-2.0
// The values of one run of a plan. Frames are kept and used again, with their views and buffers, so that a run in the
// steady state allocates nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "model.hpp"
#include "operations/operation.hpp"

namespace avocet::runtime {

class Plan;

/// A value handed to a plan as an input. Owns nothing.
struct Value {
  const void* data = nullptr;
  size_t bytes = 0;
  const Dimensions* dims = nullptr;
  bool omitted = false;
};

/// Where an output goes. The dimensions may be unknown until the plan has run.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  /// Sets `*data` to `bytes` writable bytes (null when 0). False: there is not enough room. Called with `dims` known;
  /// may be called again when a step is repeated on another device.
  virtual bool reserve(size_t bytes, void** data) = 0;

  Dimensions dims;       // before: what is known; after: the output's
  bool known = false;    // dims are the output's
  bool refused = false;  // reserve() said no
};

/// Memory of at least `capacity` bytes, aligned for any kernel.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t capacity);
  uint8_t* data() const { return data_.get(); }
  size_t capacity() const { return capacity_; }

 private:
  struct Free {
    void operator()(uint8_t* p) const;
  };
  std::unique_ptr<uint8_t, Free> data_;
  size_t capacity_ = 0;
};

/// What all frames of a plan have in common.
struct FrameLayout {
  struct Slots {
    uint32_t first_input = 0, first_output = 0;  // in the frame's lists of views
  };
  static constexpr size_t kNoOffset = SIZE_MAX;

  std::vector<Slots> slots;                      // per operation
  size_t inputs = 0, outputs = 0;                // number of views
  std::vector<bool> dims_fixed;                  // per operand: dimensions are those of the model
  std::vector<size_t> offset;                    // per operand: place in the block, kNoOffset when it has none
  std::vector<size_t> bytes;                     // per operand: size, where dims_fixed
  std::vector<std::vector<uint32_t>> last_read;  // per operation: operands nobody reads after it
  size_t block_bytes = 0;
};

class Frame {
 public:
  explicit Frame(const Plan& plan);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  struct Cell {
    void* data = nullptr;
    size_t bytes = 0;
    Dimensions dims;
    bool omitted = false;
    OutputSink* sink = nullptr;
    Buffer buffer;  // when neither the block nor the sink has room for it
  };

  Cell& cell(uint32_t operand) { return cells_[operand]; }
  /// A cell as an input of another plan.
  Value value(uint32_t operand) const;

  void bind_input(uint32_t operand, const Value& value);
  void bind_output(uint32_t operand, OutputSink* sink) { cells_[operand].sink = sink; }

  /// The views of an operation with the values of now; outputs with the dimensions known before it runs.
  OperationContext context(uint32_t operation);

  /// Gives an operand its final dimensions and the memory for them.
  Status place(uint32_t operand, const Dimensions& dims);

  /// Points the operation's output views to the memory placed for them.
  void bind_output_buffers(uint32_t operation);

  /// Copies a value into a placed operand.
  void write(uint32_t operand, const void* data, size_t bytes);

  /// After an operation ran: memory of operands nobody reads any more may be used for others.
  void retire(uint32_t operation);
  void retire_operand(uint32_t operand);

  /// Forgets the client's memory, keeps its own.
  void clear();

 private:
  Buffer take_buffer(size_t bytes);

  const Plan& plan_;
  std::vector<Cell> cells_;
  std::vector<OperandView> input_views_, output_views_;
  std::vector<void*> output_buffers_;
  Buffer block_;
  std::vector<Buffer> spare_;
};

class FramePool {
 public:
  std::unique_ptr<Frame> take(const Plan& plan);
  /// Only frames whose run succeeded come back: after a failure views may hold anything.
  void give_back(std::unique_ptr<Frame> frame);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Frame>> idle_;
};

}  // namespace avocet::runtime
