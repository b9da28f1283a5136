// SPDX-License-Identifier: Apache-2.0
// A compiled group of operations on the accelerator: the program with its constants in device memory, and a set of job buffers
// for each execution that runs at the same time.
#pragma once

#include <avocet/compiler/program.hpp>

#include <memory>
#include <mutex>
#include <vector>

#include "accelerator.hpp"
#include "avocet_isa.h"
#include "npu/device_session.hpp"

namespace avocet::runtime::npu {

class NpuProgram final : public PreparedProgram {
 public:
  NpuProgram(DeviceSession* session, compiler::Program program)
      : session_(session), program_(std::move(program)), cores_(program_.cores()) {}

  /// Puts program and constants into the device. Called once before run(); again by run() after a context was lost.
  Status load();

  Status run(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs, const RunOptions& options,
             ExecutionProfile& profile) override;
  std::vector<uint8_t> bytes() const override { return program_.serialise(); }

 private:
  /// What all executions share in one context.
  struct Loaded {
    std::shared_ptr<Context> context;
    DeviceProgram program;
    Buffer constants;
  };
  /// What one execution needs for itself.
  struct JobBuffers {
    std::shared_ptr<Loaded> loaded;
    Buffer scratch, inputs, outputs, profile;
  };

  Status take(JobBuffers* job);
  void give_back(JobBuffers job);
  void forget(const std::shared_ptr<Loaded>& loaded);
  Status check_sizes(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) const;
  Status submit_and_wait(const JobBuffers& job, const RunOptions& options, avocet_accel_wait* result, bool* refused);
  /// Of all cores together.
  avocet_profile layer_record(const JobBuffers& job, size_t tag) const;
  void add_profile(const JobBuffers& job, const avocet_accel_wait& result, bool layers, ExecutionProfile& profile) const;

  DeviceSession* session_;
  compiler::Program program_;
  const uint32_t cores_;
  std::mutex mutex_;
  std::shared_ptr<Loaded> loaded_;
  std::vector<JobBuffers> idle_;
};

}  // namespace avocet::runtime::npu
