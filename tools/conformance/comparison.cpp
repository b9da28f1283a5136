// SPDX-License-Identifier: Apache-2.0
// The comparison rules. Elements are compared as stored numbers in double, never dequantised.
#include "conformance/comparison.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

constexpr double kHalfTolerance = 5.0 / 1024;                             // 5 units in the last place of float16
constexpr Tolerance kFloat = {static_cast<double>(1e-5f), 5.0 / 8388608};  // and of float32

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::optional<std::string> compare_elements(const Operand& expected, const ActualOutput& actual,
                                            const Tolerance& tolerance) {
  const size_t size = operand_type_info(expected.type)->element_bytes;
  const size_t count = expected.value->size() / size;
  for (size_t i = 0; i < count; ++i) {
    const double want = read_element(expected.type, expected.value->data() + i * size);
    const double got = read_element(expected.type, actual.bytes.data() + i * size);
    const double allowed = tolerance.absolute + tolerance.relative * std::fabs(want);
    if (std::fabs(got - want) <= allowed) continue;  // false for NaN on either side
    return "element " + format_position(i, expected.dims) + ": got " + number(got) + ", expected " + number(want) +
           ", tolerance " + number(allowed);
  }
  return std::nullopt;
}

/// For each class: its share of the samples against exp(input) over the sum of exp(input).
std::optional<std::string> compare_distribution(const TestCase& test, const ActualOutput& actual) {
  const Operand& input = test.main.operands[test.main.inputs.front()];
  if (input.dims.size() != 2 || actual.dims.size() != 2) return "a distribution must have two dimensions";
  const size_t classes = input.dims[1];
  const size_t samples = actual.dims[1];
  const size_t size = operand_type_info(input.type)->element_bytes;
  for (size_t batch = 0; batch < input.dims[0]; ++batch) {
    std::vector<double> share(classes);
    std::vector<double> counts(classes);
    double sum = 0;
    for (size_t c = 0; c < classes; ++c) {
      share[c] = std::exp(read_element(input.type, input.value->data() + (batch * classes + c) * size));
      sum += share[c];
    }
    for (size_t s = 0; s < samples; ++s) {
      const double drawn = read_element(ANEURALNETWORKS_TENSOR_INT32, actual.bytes.data() + (batch * samples + s) * 4);
      if (drawn < 0 || drawn >= static_cast<double>(classes)) return "sample " + number(drawn) + " is no class";
      counts[static_cast<size_t>(drawn)] += 1;
    }
    for (size_t c = 0; c < classes; ++c) {
      const double got = counts[c] / static_cast<double>(samples);
      const double want = share[c] / sum;
      if (std::fabs(got - want) <= test.multinomial_tolerance) continue;
      return "class " + std::to_string(c) + ": got " + number(got) + " of the samples, expected " + number(want) +
             ", tolerance " + number(test.multinomial_tolerance);
    }
  }
  return std::nullopt;
}

std::optional<std::string> compare_output(const TestCase& test, const Operand& expected, const ActualOutput& actual,
                                          bool relaxed, bool mobilenet) {
  if (actual.dims != expected.dims) {
    return "dimensions: got " + format_dimensions(actual.dims) + ", expected " + format_dimensions(expected.dims);
  }
  if (actual.bytes.size() < expected.value->size()) return "too few bytes";
  if (test.multinomial_tolerance > 0) return compare_distribution(test, actual);
  const auto tolerance = tolerance_for(expected.type, relaxed, mobilenet);
  if (!tolerance) return "its type has no rule of comparison";
  return compare_elements(expected, actual, *tolerance);
}

}  // namespace

std::optional<Tolerance> tolerance_for(int32_t type, bool relaxed_float, bool mobilenet) {
  switch (type) {
    case ANEURALNETWORKS_TENSOR_FLOAT32:
      return relaxed_float ? Tolerance{kHalfTolerance, kHalfTolerance} : kFloat;
    case ANEURALNETWORKS_TENSOR_FLOAT16: return Tolerance{kHalfTolerance, kHalfTolerance};
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM: return Tolerance{mobilenet ? 3.0 : 1.0, 0};
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_INT32:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: return Tolerance{1, 0};
    case ANEURALNETWORKS_TENSOR_BOOL8: return Tolerance{0, 0};
    default: return std::nullopt;
  }
}

bool uses_relaxed_tolerance(const TestCase& test) {
  const auto has_half = [](const ModelDescription& graph) {
    return std::any_of(graph.operands.begin(), graph.operands.end(),
                       [](const Operand& operand) { return operand.type == ANEURALNETWORKS_TENSOR_FLOAT16; });
  };
  return test.main.relaxed || has_half(test.main) ||
         std::any_of(test.referenced.begin(), test.referenced.end(), has_half);
}

std::optional<std::string> first_difference(const TestCase& test, std::span<const ActualOutput> actual) {
  const bool relaxed = uses_relaxed_tolerance(test);
  const bool mobilenet = test.name.find("mobilenet") != std::string::npos;
  for (size_t i = 0; i < test.main.outputs.size(); ++i) {
    const Operand& expected = test.main.operands[test.main.outputs[i]];
    if (expected.ignored) continue;
    if (auto difference = compare_output(test, expected, actual[i], relaxed, mobilenet)) {
      return "output " + std::to_string(i) + ", " + *difference;
    }
  }
  return std::nullopt;
}

}  // namespace avocet::tools
