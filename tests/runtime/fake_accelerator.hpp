// SPDX-License-Identifier: Apache-2.0
// An accelerator for tests: supports the operation codes it is told to, computes them with the CPU path's rows, and
// fails on command. Its programs are a few bytes that say what they were compiled from.
#pragma once

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>

#include "accelerator.hpp"
#include "frame.hpp"
#include "operations/failure.hpp"

namespace avocet::test {

namespace rt = avocet::runtime;

/// What the fake does next, and what it has done; shared with the test.
struct FakeControl {
  std::mutex mutex;
  std::set<int32_t> codes;  // supported operations
  int compile_result = 0;   // returned by compile()
  int run_result = 0;       // returned by run()
  std::string version = "fake-1";
  std::atomic<int> compiled{0}, loaded{0}, refused{0}, ran{0}, waited{0};
  std::vector<rt::SubModel> groups;  // of all compile() calls

  void reset(std::set<int32_t> supported) {
    std::lock_guard lock(mutex);
    codes = std::move(supported);
    compile_result = run_result = 0;
    version = "fake-1";
    compiled = loaded = refused = ran = waited = 0;
    groups.clear();
  }
};

class FakeProgram : public rt::PreparedProgram {
 public:
  FakeProgram(FakeControl& control, rt::SubModel group) : control_(control), group_(std::move(group)) {}

  rt::Status run(std::span<const rt::InputBuffer> inputs, std::span<const rt::OutputBuffer> outputs,
                 const rt::RunOptions& options, rt::ExecutionProfile& profile) override {
    ++control_.ran;
    {
      std::lock_guard lock(control_.mutex);
      if (control_.run_result) return {control_.run_result, "told to fail"};
    }
    const rt::Model& model = *group_.model;
    std::vector<std::vector<uint8_t>> values(model.operands().size());
    std::vector<const void*> data(values.size());
    for (size_t i = 0; i < data.size(); ++i) data[i] = model.operand(static_cast<uint32_t>(i)).data;
    for (size_t i = 0; i < inputs.size(); ++i) data[group_.inputs[i]] = inputs[i].data;
    for (uint32_t index : group_.operations) {
      AVOCET_RETURN_IF_FAILED(run_one(model, index, values, data));
      if (!options.profile_layers) continue;
      rt::LayerProfile layer;
      layer.operations = {index};
      layer.name = model.operations()[index].name();
      layer.device = "test-fake";
      layer.cycles = 10;
      profile.layers.push_back(layer);
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::vector<uint8_t>& value = values[group_.outputs[i]];
      if (value.size() != outputs[i].bytes) return rt::op_failed("output ", i, " has another size");
      std::memcpy(outputs[i].data, value.data(), value.size());
    }
    profile.cycles = 10 * group_.operations.size();
    profile.simulated_seconds = 1e-6 * static_cast<double>(group_.operations.size());
    profile.npu_macs = 5 * group_.operations.size();
    profile.mac_utilisation = 0.5;  // of a peak of 1 MAC per cycle
    return {};
  }

  std::vector<uint8_t> bytes() const override {
    std::vector<uint8_t> result{'F', 'A', 'K', 'E'};
    for (uint32_t i : group_.operations) result.push_back(static_cast<uint8_t>(i));
    return result;
  }

 private:
  rt::Status run_one(const rt::Model& model, uint32_t index, std::vector<std::vector<uint8_t>>& values,
                     std::vector<const void*>& data) const {
    const rt::ModelOperation& operation = model.operations()[index];
    std::vector<rt::OperandView> in, out;
    std::vector<void*> buffers;
    for (uint32_t i : operation.inputs) {
      in.push_back(rt::view_of(model.operand(i)));
      in.back().data = data[i];
      in.back().bytes = rt::value_bytes(in.back().type, in.back().dims).value_or(0);
    }
    for (uint32_t i : operation.outputs) {
      out.push_back(rt::view_of(model.operand(i)));
      out.back().bytes = rt::value_bytes(out.back().type, out.back().dims).value_or(0);
      values[i].resize(out.back().bytes);
      data[i] = values[i].data();
      buffers.push_back(values[i].data());
    }
    rt::OperationContext context;
    context.inputs = in;
    context.outputs = out;
    context.output_buffers = buffers;
    AVOCET_RETURN_IF_FAILED(operation.row->infer(context));
    return operation.row->execute(context);
  }

  FakeControl& control_;
  const rt::SubModel group_;
};

class FakeAccelerator : public rt::Accelerator {
 public:
  explicit FakeAccelerator(FakeControl& control) : control_(control) {}

  const std::string& name() const override { return name_; }
  const std::string& version() const override { return control_.version; }

  rt::Support supports(const rt::Model& model, uint32_t operation) const override {
    std::lock_guard lock(control_.mutex);
    if (control_.codes.count(model.operations()[operation].code)) return {true, ""};
    return {false, "the fake was not told to"};
  }

  rt::Status compile(const rt::SubModel& group, const rt::CompileOptions&,
                     std::unique_ptr<rt::PreparedProgram>* program) override {
    ++control_.compiled;
    std::lock_guard lock(control_.mutex);
    control_.groups.push_back(group);
    if (control_.compile_result) return {control_.compile_result, "told to fail"};
    *program = std::make_unique<FakeProgram>(control_, group);
    return {};
  }

  rt::Status load(const rt::SubModel& group, const rt::CompileOptions&, std::span<const uint8_t> bytes,
                  std::unique_ptr<rt::PreparedProgram>* program) override {
    auto made = std::make_unique<FakeProgram>(control_, group);
    const std::vector<uint8_t> expected = made->bytes();
    if (!std::equal(bytes.begin(), bytes.end(), expected.begin(), expected.end())) {
      ++control_.refused;
      return rt::bad_data("not a program of the fake's");
    }
    ++control_.loaded;
    *program = std::move(made);
    return {};
  }

  rt::Status wait_until_live() override {
    ++control_.waited;
    return {};
  }

 private:
  FakeControl& control_;
  const std::string name_ = "test-fake";
};

}  // namespace avocet::test
