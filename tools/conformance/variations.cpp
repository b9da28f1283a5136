// SPDX-License-Identifier: Apache-2.0
// The variations' rules: the table of names, applicability, and the two forms that change the model.
#include "conformance/variations.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <array>

namespace avocet::tools {
namespace {

constexpr std::array<const char*, 9> kNames = {"plain",  "dynamic", "signed", "cached", "domains",
                                               "fenced", "burst",   "async",  "reuse"};

bool uses(const TestCase& test, std::initializer_list<int32_t> codes) {
  const auto in_graph = [&](const ModelDescription& graph) {
    return std::any_of(graph.operations.begin(), graph.operations.end(), [&](const OperationDescription& operation) {
      return std::find(codes.begin(), codes.end(), operation.code) != codes.end();
    });
  };
  return in_graph(test.main) || std::any_of(test.referenced.begin(), test.referenced.end(), in_graph);
}

std::optional<std::string> why_not_signed(const TestCase& test) {
  if (test.main.operations.size() != 1) return "more than one operation";
  if (!test.referenced.empty()) return "referenced graphs";
  const bool has_type = std::any_of(test.main.operands.begin(), test.main.operands.end(), [](const Operand& operand) {
    return operand.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM;
  });
  if (!has_type) return "no TENSOR_QUANT8_ASYMM operand";
  if (uses(test, {ANEURALNETWORKS_HASHTABLE_LOOKUP, ANEURALNETWORKS_LSH_PROJECTION, ANEURALNETWORKS_PAD_V2,
                  ANEURALNETWORKS_CAST, ANEURALNETWORKS_QUANTIZED_16BIT_LSTM})) {
    return "the operation's use of TENSOR_QUANT8_ASYMM has no signed form";
  }
  return std::nullopt;
}

bool all_outputs_have_elements(const TestCase& test) {
  return std::all_of(test.main.outputs.begin(), test.main.outputs.end(),
                     [&](uint32_t i) { return !test.main.operands[i].value->empty(); });
}

}  // namespace

std::optional<Variation> parse_variation(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Variation>(found - kNames.begin());
}

const char* variation_name(Variation variation) { return kNames[static_cast<size_t>(variation)]; }

std::vector<Variation> all_variations() {
  std::vector<Variation> all;
  for (size_t i = 0; i < kNames.size(); ++i) all.push_back(static_cast<Variation>(i));
  return all;
}

std::optional<std::string> skip_reason(const TestCase& test, Variation variation) {
  if (test.expect_failure && !test.main.operations.empty() &&
      test.main.operations.front().code == ANEURALNETWORKS_WHILE) {
    return "an endless loop, which the suite leaves out of this run";
  }
  if (variation == Variation::plain) return std::nullopt;
  if (test.expect_failure) return "expects a failure";
  switch (variation) {
    case Variation::dynamic:
      if (uses(test, {ANEURALNETWORKS_RANK, ANEURALNETWORKS_IF, ANEURALNETWORKS_WHILE})) {
        return "contains RANK, IF or WHILE";
      }
      return std::nullopt;
    case Variation::as_signed: return why_not_signed(test);
    case Variation::domains:
    case Variation::fenced:
      if (!all_outputs_have_elements(test)) return "an output without elements";
      return std::nullopt;
    default: return std::nullopt;
  }
}

TestCase apply_variation(TestCase test, Variation variation) {
  if (variation == Variation::dynamic) {
    // The expected dimensions move out of the model; the caller keeps the original case to compare with.
    for (const uint32_t i : test.main.outputs) {
      std::fill(test.main.operands[i].dims.begin(), test.main.operands[i].dims.end(), 0u);
    }
  } else if (variation == Variation::as_signed) {
    for (Operand& operand : test.main.operands) {
      if (operand.type != ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) continue;
      operand.type = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
      operand.zero_point -= 128;
      if (operand.value) {
        for (uint8_t& byte : *operand.value) byte ^= 0x80;  // subtracts 128
      }
    }
  }
  return test;
}

}  // namespace avocet::tools
