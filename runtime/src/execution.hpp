// SPDX-License-Identifier: Apache-2.0
// ANeuralNetworksExecution: arguments, one computation, and what came of it.
#pragma once

#include <android/NeuralNetworks.h>

#include <atomic>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "compilation.hpp"
#include "event.hpp"
#include "frame.hpp"
#include "memory.hpp"

namespace avocet::runtime {

class DeviceMemory;

/// One input or output as the client set it.
struct Argument {
  enum class State : uint8_t { kUnset, kOmitted, kPointer, kMemory };
  State state = State::kUnset;
  Dimensions dims;       // the model's, completed by the client's
  void* data = nullptr;  // kPointer
  size_t offset = 0;     // kMemory
  size_t length = 0;
  Reference<Memory> memory;  // kMemory
};

class Execution {
 public:
  static Execution* of(ANeuralNetworksExecution* handle) { return reinterpret_cast<Execution*>(handle); }
  static const Execution* of(const ANeuralNetworksExecution* handle) {
    return reinterpret_cast<const Execution*>(handle);
  }
  ANeuralNetworksExecution* handle() { return reinterpret_cast<ANeuralNetworksExecution*>(this); }

  explicit Execution(const Compilation& compilation);
  /// Waits for a computation that goes on: its buffers are the client's to free next.
  ~Execution();

  Status set_argument(MemoryUse use, int32_t index, const ANeuralNetworksOperandType* type, void* buffer,
                      size_t length);
  Status set_argument(MemoryUse use, int32_t index, const ANeuralNetworksOperandType* type, Memory& memory,
                      size_t offset, size_t length);
  Status set_timeout(uint64_t duration);
  Status set_loop_timeout(uint64_t duration);
  Status set_measure_timing(bool measure);

  Status compute();
  Status start(std::unique_ptr<Event>* event);
  Status start_after(std::vector<std::shared_ptr<EventState>> dependencies, uint64_t duration,
                     std::unique_ptr<Event>* event);

  Status output_rank(int32_t index, uint32_t* rank) const;
  Status output_dimensions(int32_t index, uint32_t* dimensions) const;
  Status duration(int32_t code, uint64_t* duration) const;

  const Compilation& compilation() const { return *compilation_; }
  /// All zero before a successful end.
  ExecutionProfile profile() const;

 private:
  enum class State : uint8_t { kPreparing, kRunning, kFinished };

  /// An output argument as the plan sees it.
  class Sink : public OutputSink {
   public:
    bool reserve(size_t bytes, void** data) override;
    Argument* argument = nullptr;

   private:
    Buffer unwanted_;  // of an omitted output
  };

  Status check_preparing() const;
  Status find_argument(MemoryUse use, int32_t index, Argument** argument, const Operand** operand);
  Status begin(bool fenced);
  Status launch(std::vector<std::shared_ptr<EventState>> dependencies, uint64_t duration, bool fenced,
                std::unique_ptr<Event>* event);
  Status run(const Deadline& deadline) noexcept;
  Status run_plan(const Deadline& deadline);
  Status bind_inputs(std::vector<Value>* values);
  Status bind_outputs(std::vector<OutputSink*>* sinks);
  Status check_finished_output(int32_t index) const;

  const Reference<const Compilation> compilation_;
  std::vector<Argument> inputs_, outputs_;
  std::vector<Sink> sinks_;
  uint64_t timeout_ = 0;
  uint64_t loop_timeout_;
  bool measure_ = false;
  std::atomic<State> state_{State::kPreparing};
  int result_ = ANEURALNETWORKS_NO_ERROR;  // once finished
  ExecutionProfile profile_;
  std::thread thread_;
};

}  // namespace avocet::runtime
