// SPDX-License-Identifier: Apache-2.0
// The second opinion: what the outputs of an operation should be, and whether actual ones are that.
#pragma once

#include <optional>

#include "conformance/comparison.hpp"
#include "naive_value.hpp"

namespace avocet::random_models {

/// How far an operation's results may be from real arithmetic.
struct Accuracy {
  bool exact = false;    // stored numbers are moved, not computed
  bool compares = false; // which of them depends on their order: NaN has none
  double quanta8 = 1;    // steps of 8 bit results
  double quanta16 = 1;   // steps of 16 bit results
};

Accuracy accuracy_of(int32_t operation);

/// `referenced`: the graphs that operands of lifetime subgraph name. Inputs that are omitted have that mark; inputs of type
/// MODEL hold the number of their graph.
std::vector<Expected> evaluate_operation(const tools::ModelDescription& graph, const tools::OperationDescription& operation,
                                         std::vector<Value> inputs, std::span<const tools::ModelDescription> referenced);

/// The outputs of a whole graph, each operation's results being rounded to their types.
std::vector<Value> evaluate_graph(const tools::ModelDescription& graph, std::vector<Value> inputs,
                                  std::span<const tools::ModelDescription> referenced);

/// The value an operand has before anything is executed (constants, omitted and MODEL operands), or nothing.
std::optional<Value> fixed_value(const tools::Operand& operand);
/// The most likely value of an output.
Value rounded(const Expected& expected);

/// Nothing when `actual` are right results, else a sentence. Outputs without a counterpart (empty optional) are not looked at.
std::optional<std::string> difference(const std::vector<Expected>& expected,
                                      const std::vector<std::optional<tools::ActualOutput>>& actual, const Accuracy& accuracy,
                                      bool relaxed);

}  // namespace avocet::random_models
