// SPDX-License-Identifier: Apache-2.0
// The seam between the runtime and an accelerator. The runtime asks which operations it supports, hands it groups of
// them to compile, and runs the results; everything it does not take runs on the CPU path.
#pragma once

#include <avocet/runtime/introspection.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "deadline.hpp"
#include "model.hpp"

namespace avocet::runtime {

/// Whether an accelerator takes an operation, and if not, one sentence why.
struct Support {
  bool supported = false;
  std::string reason;
};

/// A group of operations of a model, to become one program. Numbers are those of the model (the order of adding).
struct SubModel {
  const Model* model = nullptr;
  std::vector<uint32_t> operations;  // in an order they can run in
  std::vector<uint32_t> inputs;      // operands read and not written here; constants are not among them
  std::vector<uint32_t> outputs;     // operands written here and needed by others or by the client
  uint32_t model_number = 0;         // tells the main model and those it refers to apart, the same in every compilation
};

struct InputBuffer {
  const void* data;
  size_t bytes;
};

struct OutputBuffer {
  void* data;
  size_t bytes;
};

struct RunOptions {
  Deadline deadline;
  int priority = ANEURALNETWORKS_PRIORITY_DEFAULT;
  bool profile_layers = false;
};

/// A compiled group. Used by several threads at once.
class PreparedProgram {
 public:
  virtual ~PreparedProgram() = default;

  /// Reads `inputs`, writes `outputs`: in the order of the SubModel's lists, each exactly as large as its operand.
  /// Adds what it cost to `profile` (cycles, simulated time, MACs, bytes; layers when asked for). On failure the
  /// content of the outputs does not matter. MISSED_DEADLINE_* for the deadline, DEAD_OBJECT when the device was lost.
  virtual Status run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                     const RunOptions& options, ExecutionProfile& profile) = 0;

  /// The program container, as load() takes it.
  virtual std::vector<uint8_t> bytes() const = 0;
};

/// What a compilation may know and ask for.
struct CompileOptions {
  int32_t preference = ANEURALNETWORKS_PREFER_FAST_SINGLE_ANSWER;
  int priority = ANEURALNETWORKS_PRIORITY_DEFAULT;
  bool profile_layers = false;
  Deadline deadline;
};

/// A device. Lives as long as the library; used by several threads at once.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  virtual const std::string& name() const = 0;
  virtual const std::string& version() const = 0;  // changes whenever programs or results may change
  virtual int64_t feature_level() const { return 30; }
  virtual int32_t type() const { return ANEURALNETWORKS_DEVICE_ACCELERATOR; }

  /// `operation` is an index in the model's order of adding. Only operations whose operands all have known, non-zero
  /// dimensions are asked about.
  virtual Support supports(const Model& model, uint32_t operation) const = 0;

  /// Whether an operation that is not supported as it stands may be, once the extents of all its operands and the values of
  /// those added to `constants` are known: at execution.
  virtual bool may_support(const Model&, uint32_t, std::vector<uint32_t>*) const { return false; }

  /// Seconds that a job of this group takes on the device, from its start to its end, when it compiles. nullopt: there is
  /// no telling, and the group runs here whatever it costs.
  virtual std::optional<double> estimate(const SubModel&) const { return std::nullopt; }

  /// On success `*program` is set. A failure is a result code with a sentence; the runtime falls back where it may.
  virtual Status compile(const SubModel& group, const CompileOptions& options,
                         std::unique_ptr<PreparedProgram>* program) = 0;

  /// The program compile() would make for `group`, from bytes() of an earlier one. Any doubt about them is a failure:
  /// the bytes come from a file anybody may have written.
  virtual Status load(const SubModel& group, const CompileOptions& options, std::span<const uint8_t> bytes,
                      std::unique_ptr<PreparedProgram>* program) = 0;

  /// Blocks until the device works again after a fault.
  virtual Status wait_until_live() { return {}; }
};

/// The accelerators of this build, in the order they are offered (accelerators.cpp).
std::vector<std::unique_ptr<Accelerator>> make_accelerators();

}  // namespace avocet::runtime
