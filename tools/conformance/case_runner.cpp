// SPDX-License-Identifier: Apache-2.0
// The order of judgement: build (refusals count for cases that expect a failure, except at finish), compile, execute,
// compare. The original case holds the expected dimensions, the changed one what the API is told.
#include "conformance/case_runner.hpp"

#include <array>
#include <avocet/runtime/introspection.hpp>
#include <functional>

#include "conformance/case_execution.hpp"
#include "conformance/comparison.hpp"
#include "nnapi/model_builder.hpp"

namespace avocet::tools {
namespace {

/// 32 bytes that depend on the whole name, as a client would derive a token from its model.
std::array<uint8_t, 32> cache_token(const std::string& name) {
  std::array<uint8_t, 32> token{};
  for (size_t i = 0; i < 4; ++i) {
    uint64_t hash = std::hash<std::string>{}(name + static_cast<char>('0' + i));
    for (size_t b = 0; b < 8; ++b, hash >>= 8) token[i * 8 + b] = static_cast<uint8_t>(hash);
  }
  return token;
}

CompilationHandle compile(ANeuralNetworksModel* model, const TestCase& test, Variation variation, DeviceChoice device,
                          const std::string& scratch) {
  CompilationHandle compilation;
  const int rounds = variation == Variation::cached ? 2 : 1;
  for (int round = 0; round < rounds; ++round) {
    compilation = create_compilation(model, device);
    if (variation == Variation::cached) {
      check(ANeuralNetworksCompilation_setCaching(compilation.get(), scratch.c_str(), cache_token(test.name).data()),
            "Compilation_setCaching");
    }
    check(ANeuralNetworksCompilation_finish(compilation.get()), "Compilation_finish");
  }
  return compilation;
}

unsigned count_npu_operations(const ANeuralNetworksCompilation* compilation) {
  unsigned count = 0;
  for (const auto& placement : runtime::placements(compilation)) count += placement.device == kNpuDevice;
  return count;
}

}  // namespace

Outcome run_test_case(const TestCase& original, Variation variation, DeviceChoice device, const std::string& scratch) {
  if (auto reason = skip_reason(original, variation)) {
    return Outcome::skipped(*reason);
  }
  const TestCase test = apply_variation(original, variation);
  // What is expected: with unknown output dimensions the original's, with other types the changed case's.
  const TestCase& expected = variation == Variation::dynamic ? original : test;
  Outcome outcome;
  try {
    const BuiltModel model = build_model(test.main, test.referenced);
    const CompilationHandle compilation = compile(model.get(), test, variation, device, scratch);
    outcome.npu_operations = count_npu_operations(compilation.get());
    for (const auto& outputs : execute_case(compilation.get(), test, variation)) {
      if (test.expect_failure) continue;
      if (auto difference = first_difference(expected, outputs)) {
        outcome.kind = Outcome::Kind::failed;
        outcome.detail = *difference;
        return outcome;
      }
    }
  } catch (const ApiError& error) {
    if (!test.expect_failure) return Outcome::failed(error.what());
    if (error.call() == "Model_finish") return Outcome::failed(std::string(error.what()) + ", though its parts were accepted");
    return {};
  }
  if (test.expect_failure) return Outcome::failed("expected a failure, but the model was accepted and executed");
  return outcome;
}

}  // namespace avocet::tools
