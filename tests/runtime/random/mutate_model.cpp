// SPDX-License-Identifier: Apache-2.0
// The kinds of changes, in one table. What tools::build_model() relies on is kept: constants have bytes (if too few), and the
// numbers of referenced graphs exist.
#include "mutate_model.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace avocet::random_models {
namespace {

using tools::Lifetime;
using tools::ModelDescription;
using tools::Operand;
using tools::OperationDescription;

constexpr int32_t kLeast = std::numeric_limits<int32_t>::min(), kMost = std::numeric_limits<int32_t>::max();

struct Target {
  Random& random;
  tools::TestCase& test;
  ModelDescription& graph;  // the main one or a referenced one

  Operand& operand() { return random.pick(graph.operands); }
  OperationDescription& operation() { return random.pick(graph.operations); }
  uint32_t index() { return random.below(graph.operands.size()); }
  std::vector<uint32_t>& some_list() {
    OperationDescription& chosen = operation();
    return random.chance(70) ? chosen.inputs : chosen.outputs;
  }
  std::vector<uint32_t>& graph_list() { return random.chance(50) ? graph.inputs : graph.outputs; }
};

bool is_constant(const Operand& operand) {
  return operand.lifetime == Lifetime::constant_copy || operand.lifetime == Lifetime::constant_reference;
}

/// Constants and model inputs of the main graph.
bool has_bytes(const Operand& operand) {
  return (is_constant(operand) || operand.lifetime == Lifetime::input) && operand.value && !operand.value->empty();
}

bool has_unknown_output(const ModelDescription& graph) {
  return std::any_of(graph.operands.begin(), graph.operands.end(), [](const Operand& operand) {
    const bool result = operand.lifetime == Lifetime::temporary || operand.lifetime == Lifetime::output;
    return result && (operand.dims.empty() || count_of(operand.dims) == 0);
  });
}

bool change_type(Target& t) {
  static constexpr int32_t kStrange[] = {-1, 16, 99, 10000, 10001, kMost, kLeast};
  t.operand().type = t.random.chance(80) ? static_cast<int32_t>(t.random.below(16)) : t.random.pick(kStrange);
  return true;
}

bool change_rank(Target& t) {
  Dims& dims = t.operand().dims;
  if (t.random.chance(50) && !dims.empty()) {
    dims.erase(dims.begin() + t.random.below(dims.size()));
  } else {
    dims.insert(dims.begin() + t.random.below(dims.size() + 1), t.random.extent(0, 3));
  }
  return true;
}

bool change_extent(Target& t) {
  Dims& dims = t.operand().dims;
  if (dims.empty()) return false;
  static constexpr uint32_t kExtents[] = {0, 1, 2, 5, 17, 65536, 0x7fffffff, 0x80000000, 0xffffffff};
  uint32_t& extent = t.random.pick(dims);
  extent = t.random.chance(50) ? extent + 1 : t.random.pick(kExtents);
  return true;
}

bool change_scale(Target& t) {
  static constexpr float kScales[] = {0, -1, 1, 1e-30f, 1e30f, -0.0f, std::numeric_limits<float>::infinity(),
                                      std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::denorm_min()};
  t.operand().scale = t.random.pick(kScales);
  return true;
}

bool change_zero_point(Target& t) {
  static constexpr int32_t kZeros[] = {-1, 1, -128, 127, 128, 255, 256, 65536, kLeast, kMost};
  t.operand().zero_point = t.random.pick(kZeros);
  return true;
}

bool change_index(Target& t) {
  std::vector<uint32_t>& list = t.random.chance(80) ? t.some_list() : t.graph_list();
  if (list.empty()) return false;
  static constexpr uint32_t kStrange[] = {0xffffffff, 0x7fffffff, 0x80000000};
  uint32_t& index = t.random.pick(list);
  index = t.random.chance(70) ? t.index() : t.random.chance(50) ? static_cast<uint32_t>(t.graph.operands.size()) : t.random.pick(kStrange);
  return true;
}

bool change_count(Target& t) {
  std::vector<uint32_t>& list = t.random.chance(80) ? t.some_list() : t.graph_list();
  if (t.random.chance(60)) {
    if (list.empty()) return false;
    list.erase(list.begin() + t.random.below(list.size()));
  } else {
    list.insert(list.begin() + t.random.below(list.size() + 1), t.index());
  }
  return true;
}

bool swap_operands(Target& t) {
  std::vector<uint32_t>& list = t.some_list();
  if (list.size() < 2) return false;
  std::swap(t.random.pick(list), t.random.pick(list));
  return true;
}

bool omit_input(Target& t) {
  std::vector<uint32_t>& inputs = t.operation().inputs;
  if (inputs.empty()) return false;
  const uint32_t index = t.random.pick(inputs);
  if (index >= t.graph.operands.size()) return false;
  Operand& operand = t.graph.operands[index];
  if (operand.lifetime == Lifetime::input) {
    operand.value.emplace();  // left out at execution
  } else {
    operand.lifetime = Lifetime::no_value;
  }
  return true;
}

bool change_length(Target& t) {
  Operand& operand = t.operand();
  if (!has_bytes(operand)) return false;
  const size_t size = operand.value->size();
  operand.value->resize(t.random.chance(50) ? t.random.below(size) : size + t.random.extent(1, 200));
  return true;
}

/// Hostile numbers as scalars, indices, axes, extents, paddings...
bool change_number(Target& t) {
  Operand& operand = t.operand();
  if (!has_bytes(operand)) return false;
  std::vector<uint8_t>& bytes = *operand.value;
  const bool whole = operand.type == ANEURALNETWORKS_INT32 || operand.type == ANEURALNETWORKS_TENSOR_INT32;
  const bool real = operand.type == ANEURALNETWORKS_FLOAT32 || operand.type == ANEURALNETWORKS_TENSOR_FLOAT32;
  if ((!whole && !real) || bytes.size() < 4) {
    t.random.pick(bytes) = static_cast<uint8_t>(t.random.next());
    return true;
  }
  static constexpr int32_t kWhole[] = {kLeast, kLeast + 1, -70000, -129, -3, -1, 0, 1, 2, 7, 33, 1000, kMost - 1, kMost};
  static constexpr float kReal[] = {0, -0.0f, -1, 1e-38f, 1e38f, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                                    std::numeric_limits<float>::quiet_NaN(), 3e9f, -3e9f};
  int32_t number = whole ? t.random.pick(kWhole) : std::bit_cast<int32_t>(t.random.pick(kReal));
  // With unknown dimensions an enormous result is legal, but takes the machine's memory.
  if (whole && number > 1000 && has_unknown_output(t.graph)) number = 1000;
  if (real && std::fabs(std::bit_cast<float>(number)) > 1e3f && has_unknown_output(t.graph)) return false;
  const size_t at = t.random.below(bytes.size() / 4) * 4;
  for (size_t b = 0; b < 4; ++b) bytes[at + b] = static_cast<uint8_t>(static_cast<uint32_t>(number) >> (8 * b));
  return true;
}

bool change_code(Target& t) {
  static constexpr int32_t kStrange[] = {-1, 102, 1000, 10000, kLeast, kMost};
  t.operation().code = t.random.chance(80) ? static_cast<int32_t>(t.random.below(102)) : t.random.pick(kStrange);
  return true;
}

/// An operation reads what it, or one after it, writes; or two write the same.
bool make_cycle(Target& t) {
  OperationDescription &reader = t.operation(), &writer = t.operation();
  if (reader.inputs.empty() || writer.outputs.empty()) return false;
  if (t.random.chance(70)) {
    t.random.pick(reader.inputs) = t.random.pick(writer.outputs);
  } else if (!reader.outputs.empty()) {
    t.random.pick(reader.outputs) = t.random.pick(writer.outputs);
  }
  return true;
}

bool drop_operation(Target& t) {
  t.graph.operations.erase(t.graph.operations.begin() + t.random.below(t.graph.operations.size()));
  return !t.graph.operations.empty();
}

bool change_lifetime(Target& t) {
  static constexpr Lifetime kLifetimes[] = {Lifetime::temporary, Lifetime::input, Lifetime::output, Lifetime::constant_copy,
                                            Lifetime::constant_reference, Lifetime::no_value};
  Operand& operand = t.operand();
  if (operand.lifetime == Lifetime::subgraph) return false;
  operand.lifetime = t.random.pick(kLifetimes);
  if (!operand.value) operand.value.emplace(t.random.below(40), uint8_t{1});
  return true;
}

bool change_channels(Target& t) {
  for (Operand& operand : t.graph.operands) {
    if (operand.channel_scales.empty()) continue;
    switch (t.random.below(4)) {
      case 0: operand.channel_scales.pop_back(); break;
      case 1: operand.channel_scales.push_back(1); break;
      case 2: operand.channel_scales[0] = t.random.chance(50) ? -1 : std::numeric_limits<float>::quiet_NaN(); break;
      default: operand.channel_dim = t.random.chance(50) ? 0xffffffff : t.random.below(5);
    }
    return true;
  }
  return false;
}

bool change_model(Target& t) {
  for (Operand& operand : t.graph.operands) {
    if (operand.lifetime != Lifetime::subgraph || !t.random.chance(60)) continue;
    operand.subgraph = t.random.below(t.test.referenced.size());
    return true;
  }
  return false;
}

struct Mutation {
  const char* name;
  bool (*apply)(Target&);  // false: there is nothing of that kind
};

constexpr Mutation kMutations[] = {
    {"type", change_type},         {"rank", change_rank},           {"extent", change_extent},     {"scale", change_scale},
    {"zero point", change_zero_point}, {"index", change_index},     {"count", change_count},       {"order", swap_operands},
    {"omission", omit_input},      {"length", change_length},       {"number", change_number},     {"number", change_number},
    {"number", change_number},     {"operation code", change_code}, {"cycle", make_cycle},         {"lost operation", drop_operation},
    {"lifetime", change_lifetime}, {"channels", change_channels},   {"referenced model", change_model}};

}  // namespace

std::string mutate(Random& random, tools::TestCase& test) {
  std::string names;
  const uint32_t wanted = random.chance(60) ? 1 : random.extent(2, 3);
  for (uint32_t done = 0, attempts = 0; done < wanted && attempts < 50; ++attempts) {
    const bool referenced = !test.referenced.empty() && random.chance(30);
    Target target{random, test, referenced ? random.pick(test.referenced) : test.main};
    if (target.graph.operations.empty() || target.graph.operands.empty()) break;
    const Mutation& mutation = random.pick(kMutations);
    if (!mutation.apply(target)) continue;
    names += (done++ ? ", " : "") + std::string(mutation.name);
  }
  return names;
}

}  // namespace avocet::random_models
