// SPDX-License-Identifier: Apache-2.0
// Graphs, inputs and devices drawn from a seed.
#pragma once

#include <avocet/compiler/compiler.hpp>
#include <deque>
#include <random>
#include <vector>

#include "reference_kernels.hpp"

namespace avocet::compiler::test {

/// Builds a graph operation by operation; owns its constants.
class GraphBuilder {
 public:
  explicit GraphBuilder(uint64_t seed) : random_(seed) {}

  /// Weights so small that results have about the scale of the inputs: else that grows too large after a dozen layers.
  void keep_scales() { keeps_scales_ = true; }

  uint32_t between(uint32_t low, uint32_t high) {
    return low + static_cast<uint32_t>(random_() % (uint64_t{high} - low + 1));
  }
  bool chance(uint32_t percent) { return between(0, 99) < percent; }

  uint32_t input(std::vector<uint32_t> dims, ElementType type);
  /// An activation whose values are constant.
  uint32_t constant(std::vector<uint32_t> dims, ElementType type);

  struct Window {
    uint32_t height = 1, width = 1;
    Attributes attributes;
    uint32_t out_height = 0, out_width = 0;  // 0: as many as fit with the padding of `same`
    bool same = true;
  };
  uint32_t convolution(uint32_t input, uint32_t channels, const Window& window);
  uint32_t depthwise(uint32_t input, uint32_t multiplier, const Window& window);
  uint32_t grouped(uint32_t input, uint32_t groups, uint32_t channels_of_group, const Window& window);
  /// The output has room for all that the kernel reaches, less some padding.
  uint32_t transposed(uint32_t input, uint32_t channels, uint32_t side_max, uint32_t stride_max);
  uint32_t pool(uint32_t input, bool average, const Window& window);
  uint32_t fully_connected(uint32_t input, uint32_t inputs, uint32_t units);
  uint32_t add(uint32_t a, uint32_t b);
  /// kAdd, kMultiply, kMaximum, kMinimum or kPrelu, with broadcasting.
  uint32_t binary(OperationType type, uint32_t a, uint32_t b, bool subtract = false);
  /// A second input for `a`: extents of 1 and fewer dimensions here and there; sometimes constant.
  uint32_t broadcast_partner(uint32_t a, bool same_scale);
  uint32_t random_binary(uint32_t a);
  uint32_t look_up(uint32_t input, std::vector<uint8_t> table, ElementType type);
  uint32_t random_table(uint32_t input);
  /// kArgMaximum or kArgMinimum along any axis of any tensor.
  uint32_t random_arg(uint32_t input);
  /// Along an axis of any tensor, seen as [outer, axis, inner].
  uint32_t random_along_axis(uint32_t input);
  uint32_t resize(uint32_t input, uint32_t height, uint32_t width);
  uint32_t reshape(uint32_t input, std::vector<uint32_t> dims);
  /// Outputs with these dimensions; all inputs have the type of the first.
  std::vector<uint32_t> move(std::vector<uint32_t> inputs, Movement movement, std::vector<std::vector<uint32_t>> outputs);
  uint32_t concatenate(const std::vector<uint32_t>& inputs, uint32_t axis);
  std::vector<uint32_t> split(uint32_t input, uint32_t axis, uint32_t parts);
  uint32_t pad(uint32_t input, const std::vector<movements::Padding>& paddings);
  /// Any movement of one tensor; its first output.
  uint32_t random_movement(uint32_t input);

  Window random_window(uint32_t input, uint32_t side_max, bool dilated);
  /// Any operation on tensors so far.
  void random_operation(ElementType type);
  void return_tensor(uint32_t tensor) { graph_.outputs.push_back(tensor); }
  /// Returns whatever no operation reads, and some of the others.
  void return_loose_ends();

  const Graph& graph() const { return graph_; }
  const Tensor& tensor(uint32_t index) const { return graph_.tensors[index]; }
  std::vector<Bytes> random_inputs();

 private:
  uint32_t add_tensor(std::vector<uint32_t> dims, ElementType type, float scale, int32_t zero_point);
  uint32_t add_weights(std::vector<uint32_t> dims, ElementType activations, uint32_t channels);
  uint32_t add_output(std::vector<uint32_t> dims, ElementType type, double spread);
  uint32_t random_reshape(uint32_t input);
  uint32_t random_slice(uint32_t input);
  uint32_t random_blocks(uint32_t input);
  uint32_t add_operation(OperationType type, std::vector<uint32_t> inputs, uint32_t output, Attributes attributes);
  std::vector<uint32_t> placed(uint32_t input, Window& window, uint32_t channels);
  Activation random_activation();
  Bytes random_bytes(size_t count);

  /// What the scale of weights with so many products for each output is multiplied with.
  double weight_unit(double products) const;
  double spread_of_sums(double input_scale, double products) const;

  bool keeps_scales_ = false;
  std::mt19937_64 random_;
  Graph graph_;
  std::deque<Bytes> constants_;
};

/// How many times the usual number of random cases: AVOCET_RANDOM_ROUNDS of the environment, else 1. Each round has
/// other seeds.
uint64_t random_rounds();

DeviceConfig avocet_256();
DeviceConfig random_device(uint64_t seed, uint32_t sram_min, uint32_t sram_max);

/// Everything that must hold of a graph of supported operations: results in stream order and in others, no race, the
/// same bytes when compiled again, the same program out of its container. Empty, or what went wrong. `shared_by`: compiled for
/// all cores of the device; receives how many share the program.
std::string check_compiled(const Graph& graph, const std::vector<Bytes>& inputs, const DeviceConfig& device,
                           uint64_t seed, uint32_t* shared_by = nullptr);

}  // namespace avocet::compiler::test
