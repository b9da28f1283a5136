// SPDX-License-Identifier: Apache-2.0
#include "npu/npu_accelerator.hpp"

#include <avocet/compiler/compiler.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "avocet_isa.h"
#include "npu/device_session.hpp"
#include "npu/lowering.hpp"
#include "npu/npu_program.hpp"
#include "operations/failure.hpp"

namespace avocet::runtime::npu {
namespace {

class NpuAccelerator final : public Accelerator {
 public:
  const std::string& name() const override { return name_; }
  const std::string& version() const override { return version_; }

  Support supports(const Model& model, uint32_t operation) const override {
    compiler::Graph graph;
    if (Status status = lower_one(model, operation, &graph); !status.ok()) return {false, status.message};
    DeviceSession* session = nullptr;
    if (Status status = DeviceSession::open(&session); !status.ok()) return {false, status.message};
    for (uint32_t i = 0; i < graph.operations.size(); ++i) {
      const compiler::Support support = compiler::supports(graph, i, session->config());
      if (!support.supported) return {false, support.reason};
    }
    return {true, {}};
  }

  bool may_support(const Model& model, uint32_t operation, std::vector<uint32_t>* constants) const override {
    return may_lower(model, operation, constants);
  }

  std::optional<double> estimate(const SubModel& group) const override {
    DeviceSession* session = nullptr;
    compiler::Program compiled;
    if (!compile(group, 1, &session, &compiled).ok()) return std::nullopt;
    return double(compiled.predicted_cycles) / (session->config().clock_khz * 1e3);
  }

  Status compile(const SubModel& group, const CompileOptions& options, std::unique_ptr<PreparedProgram>* program) override {
    DeviceSession* session = nullptr;
    compiler::Program compiled;
    uint32_t cores = 1;
    AVOCET_RETURN_IF_FAILED(choose_cores(options, &cores));
    AVOCET_RETURN_IF_FAILED(compile(group, cores, &session, &compiled));
    return make_program(session, std::move(compiled), program);
  }

  Status load(const SubModel& group, const CompileOptions&, std::span<const uint8_t> bytes,
              std::unique_ptr<PreparedProgram>* program) override {
    DeviceSession* session = nullptr;
    AVOCET_RETURN_IF_FAILED(DeviceSession::open(&session));
    compiler::Program parsed;
    try {
      parsed = compiler::Program::parse(bytes);
    } catch (const compiler::ProgramError& error) {
      return op_failed("avocet-npu: ", error.what());
    }
    if (parsed.device != session->config()) {
      return op_failed("avocet-npu: the program was made for another configuration");
    }
    if (session->moves_values() && parsed.constants.size() != parsed.constant_bytes) {
      return op_failed("avocet-npu: the program was made without its constants, for engine timing");
    }
    if (!bindings_fit(*group.model, group.inputs, parsed.inputs, parsed.input_bytes) ||
        !bindings_fit(*group.model, group.outputs, parsed.outputs, parsed.output_bytes)) {
      return op_failed("avocet-npu: the program has other inputs or outputs");
    }
    return make_program(session, std::move(parsed), program);
  }

 private:
  /// Who wants one answer fast gets all cores; who wants many answers, or spares energy, has one core for each job: then jobs run side
  /// by side, without waiting for each other's cores. AVOCET_CORES_PER_JOB decides for all.
  static Status choose_cores(const CompileOptions& options, uint32_t* cores) {
    *cores = options.preference == ANEURALNETWORKS_PREFER_FAST_SINGLE_ANSWER ? AVOCET_CORES_MAX : 1;
    const char* wanted = std::getenv("AVOCET_CORES_PER_JOB");
    if (!wanted || !*wanted) return {};
    const char* end = wanted + std::strlen(wanted);
    const auto [rest, error] = std::from_chars(wanted, end, *cores);
    if (error == std::errc() && rest == end && *cores >= 1 && *cores <= AVOCET_CORES_MAX) return {};
    return op_failed("avocet-npu: AVOCET_CORES_PER_JOB is ", wanted, "; it must be 1 to ", AVOCET_CORES_MAX);
  }

  /// `cores`: at most so many share the program.
  static Status compile(const SubModel& group, uint32_t cores, DeviceSession** session, compiler::Program* program) {
    AVOCET_RETURN_IF_FAILED(DeviceSession::open(session));
    compiler::Graph graph;
    AVOCET_RETURN_IF_FAILED(lower(*group.model, group.operations, group.inputs, group.outputs, &graph));
    try {
      *program = compiler::compile(graph, (*session)->config(),
                                   (*session)->moves_values() ? compiler::ConstantBytes::kPacked
                                                              : compiler::ConstantBytes::kOmitted,
                                   cores);
    } catch (const compiler::CompileError& error) {
      return op_failed("avocet-npu: ", error.what());
    }
    return {};
  }

  static Status make_program(DeviceSession* session, compiler::Program compiled, std::unique_ptr<PreparedProgram>* program) {
    auto made = std::make_unique<NpuProgram>(session, std::move(compiled));
    AVOCET_RETURN_IF_FAILED(made->load());
    *program = std::move(made);
    return {};
  }

  static bool bindings_fit(const Model& model, const std::vector<uint32_t>& operands,
                           const std::vector<compiler::Binding>& bindings, uint64_t region_bytes) {
    if (operands.size() != bindings.size()) return false;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Operand& operand = model.operand(operands[i]);
      if (value_bytes(operand.type, operand.dims) != bindings[i].bytes) return false;
      if (bindings[i].offset > region_bytes || bindings[i].bytes > region_bytes - bindings[i].offset) return false;
    }
    return true;
  }

  const std::string name_ = "avocet-npu";
  // Programs depend on the contract and the compiler, which are built together.
  const std::string version_ =
      std::to_string(AVOCET_VERSION_MAJOR) + "." + std::to_string(AVOCET_VERSION_MINOR) + "-" AVOCET_RUNTIME_VERSION;
};

}  // namespace

std::unique_ptr<Accelerator> make_npu_accelerator() { return std::make_unique<NpuAccelerator>(); }

}  // namespace avocet::runtime::npu
