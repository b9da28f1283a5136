// SPDX-License-Identifier: Apache-2.0
// A group of operations that an accelerator can run once the extents of its operands, and the values of some inputs
// (weights, paddings), are known: at execution. A program is then made for exactly these, and kept for the next execution
// that has the same.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "accelerator.hpp"
#include "frame.hpp"

namespace avocet::runtime {

/// A program for one set of extents and values.
struct Specialised {
  Status status;  // why there is none: the group runs on the CPU then
  std::unique_ptr<PreparedProgram> program;
  std::vector<uint32_t> inputs;          // of the group's, those that the program reads
  std::vector<Dimensions> output_dims;   // of the group's outputs
};

class LateProgram {
 public:
  /// `constants`: operands whose values become part of the program.
  LateProgram(Accelerator* accelerator, SubModel group, CompileOptions options, std::vector<uint32_t> constants)
      : accelerator_(accelerator), group_(std::move(group)), options_(options), constants_(std::move(constants)) {}

  /// The program for the values in the frame, made now when there is none yet. Threads wait for each other.
  std::shared_ptr<const Specialised> specialise(Frame& frame);

 private:
  /// What programs differ in.
  struct Key {
    std::vector<Dimensions> dims;               // of the group's inputs
    std::vector<std::vector<uint8_t>> values;  // of the constants among them
    bool operator==(const Key&) const = default;
  };
  struct Entry {
    Key key;
    std::shared_ptr<const Specialised> specialised;
  };

  bool is_constant(uint32_t operand) const;
  Key key_of(Frame& frame) const;
  void make(Frame& frame, Specialised& made) const;

  Accelerator* accelerator_;
  const SubModel group_;
  const CompileOptions options_;
  const std::vector<uint32_t> constants_;
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the latest used one last
  uint32_t made_ = 0, found_ = 0;
};

}  // namespace avocet::runtime
