// SPDX-License-Identifier: Apache-2.0
// What a graph and each of its operations must look like to be compiled, whatever the device's memory.
#pragma once

#include <avocet/compiler/graph.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace avocet::compiler {

/// A sentence on the first thing that keeps operation `index` off the NPU; nullopt when nothing does.
std::optional<std::string> operation_obstacle(const Graph& graph, uint32_t index);

/// A sentence on the first thing wrong with the graph as a whole: indices, order, producers; nullopt when well-formed.
std::optional<std::string> graph_fault(const Graph& graph);

uint64_t element_count(const Tensor& tensor);

/// Whether inputs 1 and 2 are weights and biases.
bool has_weights(OperationType type);

/// Whether it combines two activations element by element.
bool is_binary(OperationType type);

/// Whether it makes one value of each run along axis 1.
bool is_reduction(OperationType type);

/// Whether it makes indices, which are int32.
bool is_arg_reduction(OperationType type);

/// Whether one of the windows has no cell inside the input.
bool empty_window(const Attributes& attributes, uint32_t window_y, uint32_t window_x, const Tensor& input,
                  const Tensor& output);

/// How many of the operation's inputs, the first ones, are activations and no weights.
size_t activation_inputs(const Operation& operation);
/// Images in a feature map: the first of four dimensions, else 1.
uint32_t batch_of(const Tensor& tensor);

}  // namespace avocet::compiler
