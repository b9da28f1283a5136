// SPDX-License-Identifier: Apache-2.0
// Whether actual outputs are what the naive evaluator expects.
#include <algorithm>
#include <cstdio>

#include "naive_evaluator.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::random_models {
namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Beyond these, float results are infinite or may be.
double largest_finite(int32_t type) { return is_half_type(type) ? 65504.0 : double{std::numeric_limits<float>::max()}; }

/// One element, as the stored number `got`. Empty text: right.
std::string judge(const Expected& expected, size_t i, double got, const Accuracy& accuracy, bool relaxed) {
  if (const auto found = expected.alternatives.find(i); found != expected.alternatives.end()) {
    if (std::find(found->second.begin(), found->second.end(), got) != found->second.end()) return {};
  }
  const double slack = expected.slack.empty() ? 0 : expected.slack[i];
  if (std::isinf(slack)) return {};
  Value like;
  like.type = expected.type;
  like.scale = expected.scale;
  like.zero_point = expected.zero_point;
  const double want = to_stored(like, expected.real[i]);
  double allowed = 0;
  if (is_float_type(expected.type)) {
    if (std::isnan(want)) return std::isnan(got) ? "" : "got " + number(got) + ", expected NaN";
    if (got == want) return {};
    if (accuracy.exact) return "got " + number(got) + ", expected " + number(want) + " exactly";
    const auto tolerance = *tools::tolerance_for(is_half_type(expected.type) ? ANEURALNETWORKS_TENSOR_FLOAT16 : ANEURALNETWORKS_TENSOR_FLOAT32,
                                                 relaxed, false);
    const double real = expected.real[i];
    allowed = slack + tolerance.absolute + tolerance.relative * std::fabs(real);
    // Close to the end of the range rounding decides between a finite number and infinity.
    if (std::isinf(got)) got = std::copysign(std::max(largest_finite(expected.type), std::fabs(real)), got);
    if (std::fabs(got - (std::isinf(want) ? real : want)) <= allowed || got == real) return {};
  } else {
    const int32_t type = expected.type;
    const bool wide = type == ANEURALNETWORKS_TENSOR_QUANT16_ASYMM || type == ANEURALNETWORKS_TENSOR_QUANT16_SYMM;
    const double quanta = accuracy.exact || !is_quantised_type(type) ? 0 : wide ? accuracy.quanta16 : accuracy.quanta8;
    allowed = quanta + (is_quantised_type(type) ? slack / expected.scale : 0);
    if (std::fabs(got - want) <= allowed) return {};
  }
  return "got " + number(got) + ", expected " + number(want) + " (" + number(expected.real[i]) + "), tolerance " + number(allowed);
}

double element(const tools::ActualOutput& actual, int32_t type, size_t i) {
  return tools::read_element(type, actual.bytes.data() + i * tools::operand_type_info(type)->element_bytes);
}

std::string judge_dims(const Expected& expected, const tools::ActualOutput& actual) {
  if (expected.dims_known && actual.dims != expected.dims) {
    return "dimensions: got " + tools::format_dimensions(actual.dims) + ", expected " + tools::format_dimensions(expected.dims);
  }
  if (actual.bytes.size() < count_of(actual.dims) * tools::operand_type_info(expected.type)->element_bytes) return "too few bytes";
  return {};
}

/// Row r of all outputs without an order against row `e` of what is expected.
bool rows_agree(const std::vector<Expected>& expected, const std::vector<std::optional<tools::ActualOutput>>& actual, size_t e,
                size_t r, const Accuracy& accuracy, bool relaxed) {
  for (size_t o = 0; o < expected.size(); ++o) {
    if (!expected[o].any_order || !actual[o]) continue;
    const size_t length = count_of(Dims(expected[o].dims.begin() + 1, expected[o].dims.end()));
    for (size_t k = 0; k < length; ++k) {
      const double got = element(*actual[o], expected[o].type, r * length + k);
      if (!judge(expected[o], e * length + k, got, accuracy, relaxed).empty()) return false;
    }
  }
  return true;
}

std::string judge_rows(const std::vector<Expected>& expected, const std::vector<std::optional<tools::ActualOutput>>& actual,
                       const Accuracy& accuracy, bool relaxed) {
  const size_t rows = expected[0].dims[0];
  std::vector<bool> used(rows, false);
  for (size_t e = 0; e < rows; ++e) {
    size_t r = 0;
    while (r < rows && (used[r] || !rows_agree(expected, actual, e, r, accuracy, relaxed))) ++r;
    if (r == rows) return "no row is the expected one number " + std::to_string(e) + " with the score " + number(expected[0].real[e]);
    used[r] = true;
  }
  return {};
}

}  // namespace

std::optional<std::string> difference(const std::vector<Expected>& expected,
                                      const std::vector<std::optional<tools::ActualOutput>>& actual, const Accuracy& accuracy,
                                      bool relaxed) {
  for (size_t o = 0; o < expected.size(); ++o) {
    if (!actual[o]) continue;
    const std::string where = "output " + std::to_string(o) + ": ";
    if (std::string text = judge_dims(expected[o], *actual[o]); !text.empty()) return where + text;
    if (!expected[o].values_known || expected[o].any_order) continue;
    for (size_t i = 0; i < expected[o].real.size(); ++i) {
      const std::string text = judge(expected[o], i, element(*actual[o], expected[o].type, i), accuracy, relaxed);
      if (!text.empty()) return where + "element " + tools::format_position(i, expected[o].dims) + ": " + text;
    }
  }
  if (expected[0].any_order && expected[0].values_known) {
    if (std::string text = judge_rows(expected, actual, accuracy, relaxed); !text.empty()) return text;
  }
  return std::nullopt;
}

}  // namespace avocet::random_models
