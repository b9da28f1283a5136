// SPDX-License-Identifier: Apache-2.0
// A compiled model: steps in the order of running, each on one device, over one set of values (a Frame). A plan is
// immutable and shared by executions; models that IF and WHILE refer to have plans of their own.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "accelerator.hpp"
#include "compilation_cache.hpp"
#include "device.hpp"
#include "frame.hpp"
#include "late_program.hpp"
#include "model.hpp"
#include "partition.hpp"

namespace avocet::runtime {

struct Step {
  const Device* device = nullptr;
  std::vector<uint32_t> operations;          // in the order of running
  SubModel group;                            // accelerator steps
  std::unique_ptr<PreparedProgram> program;  // accelerator steps
  std::unique_ptr<LateProgram> late;         // accelerator steps whose program is made at execution
};

/// How an execution runs its plans.
struct RunContext {
  Deadline deadline;
  uint64_t loop_timeout = 0;  // nanoseconds
  int priority = ANEURALNETWORKS_PRIORITY_DEFAULT;
  const ParallelFor* parallel = nullptr;
  bool relaxed_float = false;
  bool may_fall_back = false;  // failed accelerator steps run again on the CPU
  bool profile_layers = false;
  ExecutionProfile* profile = nullptr;
};

class Plan {
 public:
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Inputs and outputs in the model's order. Outputs whose sink refused get computed nevertheless, and thrown away:
  /// their dimensions are known afterwards. MISSED_DEADLINE_* between operations.
  Status run(std::span<const Value> inputs, std::span<OutputSink* const> outputs, const RunContext& context) const;

  const Model& model() const { return *model_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Why operation `i` does not run on an accelerator; empty when it does.
  const std::string& reason(uint32_t i) const { return reasons_[i]; }

 private:
  friend class PlanBuilder;
  friend class Frame;

  Status run_steps(Frame& frame, const RunContext& context) const;
  Status run_accelerator_step(Frame& frame, const Step& step, const RunContext& context) const;
  Status run_late_step(Frame& frame, const Step& step, const Specialised& specialised, const RunContext& context) const;
  Status run_program(Frame& frame, const Step& step, PreparedProgram& program, std::span<const uint32_t> input_operands,
                     const RunContext& context) const;
  Status run_operation(Frame& frame, uint32_t operation, const RunContext& context) const;
  Status run_row(Frame& frame, uint32_t operation, const RunContext& context) const;
  Status run_if(Frame& frame, uint32_t operation, const RunContext& context) const;
  Status run_while(Frame& frame, uint32_t operation, const RunContext& context) const;

  const Model* model_ = nullptr;
  std::vector<Step> steps_;
  std::vector<std::string> reasons_;
  FrameLayout layout_;
  std::vector<std::unique_ptr<PreparedState>> prepared_;  // per operation
  std::map<const Model*, const Plan*> inner_;             // plans of the models referred to
  mutable FramePool frames_;
};

/// What plans are made with.
struct PlanOptions {
  std::vector<const Device*> devices;  // in the order of preference
  bool may_fall_back = false;          // what an accelerator does not compile goes to the CPU
  CompileOptions compile;
  const CompilationCache* cache = nullptr;
};

/// Makes the plan of a model and of all models it refers to.
class PlanBuilder {
 public:
  explicit PlanBuilder(const PlanOptions& options) : options_(options) {}

  /// BAD_DATA when an operation runs on none of the devices.
  Status build(const Model& model, const Plan** plan);

  /// All plans made; they live as long as these.
  std::vector<std::unique_ptr<Plan>> take_plans() { return std::move(plans_); }

 private:
  /// Where each operation runs, and of those that an accelerator takes at execution what has to be known then.
  struct Choice {
    std::vector<uint32_t> device_of;
    std::vector<bool> late;
    std::vector<std::vector<uint32_t>> constants;
    bool any_late = false;
  };
  const Device* cpu() const;
  Status choose_devices(Plan& plan, Choice* choice) const;
  std::vector<OperationGroup> partition_by_cost(Plan& plan, Choice& choice) const;
  Status compile_step(Plan& plan, Step& step, uint32_t number);
  void prepare_late_step(const Plan& plan, Step& step, const Choice& choice);
  void prepare_step(Plan& plan, const Step& step);

  const PlanOptions& options_;
  std::vector<std::unique_ptr<Plan>> plans_;
  std::map<const Model*, const Plan*> done_;
};

}  // namespace avocet::runtime
