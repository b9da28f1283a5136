// SPDX-License-Identifier: Apache-2.0
// What the API does not tell: where each operation of a compilation runs and why, and what an execution cost.
// For programs that link the static runtime (the avocet command, tests); never exported by libneuralnetworks.so.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <string>
#include <vector>

namespace avocet::runtime {

/// Where one operation of the model runs. Valid after ANeuralNetworksCompilation_finish.
struct Placement {
  uint32_t operation = 0;  // index in the order of adding
  std::string name;        // CONV_2D, ...
  std::string device;      // avocet-npu or nnapi-reference
  std::string reason;      // when not on the NPU: the sentence why; empty on the NPU
  uint32_t step = 0;       // partition number, in execution order
};

/// One row of the per-layer table. Cycles are device cycles and 0 on the CPU path.
struct LayerProfile {
  std::vector<uint32_t> operations;  // model operations this layer covers (fused ones together), in the order of adding
  std::string name;                  // operation names joined by '+'
  std::vector<uint32_t> shape;       // dimensions of the layer's output
  std::string device;
  uint64_t macs = 0;
  uint64_t cycles = 0;      // simulated cycles by which the layer's end lies behind those of the layers before it: they add up to
                            // the job's; 0 for a layer that was done in the shadow of others
  uint32_t cores = 1;       // that shared the layer's job
  uint64_t mac_cycles = 0;  // cycles in which the MAC array was busy for this layer, summed over the cores
  double mac_utilisation = 0.0;  // MACs on the array / (max(cycles, mac_cycles / cores) * peak MACs per cycle of all cores)
  uint64_t dram_read_bytes = 0;
  uint64_t dram_write_bytes = 0;
  double host_seconds = 0.0;
  uint64_t job_id = 0;  // of the device, and the layer's tag in it; 0 on the CPU path
  uint32_t tag = 0;
};

struct ExecutionProfile {
  uint64_t cycles = 0;  // sum over the NPU jobs, first doorbell to last completion
  double simulated_seconds = 0.0;
  uint64_t npu_macs = 0;           // useful multiplications, MAC array and vector unit
  uint64_t array_macs = 0;         // those of the MAC array
  uint64_t mac_cycles = 0;         // MAC array busy cycles
  double mac_utilisation = 0.0;    // array_macs / (cycles * peak MACs per cycle)
  uint64_t dram_read_bytes = 0;
  uint64_t dram_write_bytes = 0;
  uint32_t npu_operations = 0;
  uint32_t cpu_operations = 0;
  double host_seconds = 0.0;
  std::vector<LayerProfile> layers;  // in execution order
};

/// Placement of every operation, in the order of adding; empty before finish succeeded.
std::vector<Placement> placements(const ANeuralNetworksCompilation* compilation);

/// Profile of a completed execution; all zero before completion or after a failure. Per-layer numbers are collected only
/// when enable_profiling(true) was called before the compilation was finished.
ExecutionProfile execution_profile(const ANeuralNetworksExecution* execution);
void enable_profiling(bool enable);

/// Threads of the CPU path for executions started from now on; 0 = one per processor. Default 0.
void set_cpu_threads(unsigned threads);

/// The program container of step `step` of a finished compilation, as made by the compiler; empty when that step is on the CPU.
std::vector<uint8_t> step_program(const ANeuralNetworksCompilation* compilation, uint32_t step);

/// The reference page (markdown) of the operation called `name`, or of all of them when it is empty: types, operands, defaults and
/// feature levels, from the rows that drive validation. Empty when there is no such operation.
std::string operations_reference(const std::string& name = {});

}  // namespace avocet::runtime
