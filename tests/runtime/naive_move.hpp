// SPDX-License-Identifier: Apache-2.0
// A deliberately naive evaluator for operations that only move elements: for each index of the result, one function says
// which element of the source stands there.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "operation_call.hpp"

namespace avocet::runtime {

using Index = std::vector<int64_t>;

/// The element types that moving operations know, by size: what is moved has nothing to do with what it means.
struct MovedType {
  int32_t code;
  float scale;
  int32_t zero_point;
};
inline constexpr MovedType kMovedFloat{ANEURALNETWORKS_TENSOR_FLOAT32, 0, 0};
inline constexpr MovedType kMovedHalf{ANEURALNETWORKS_TENSOR_FLOAT16, 0, 0};
inline constexpr MovedType kMovedUint8{ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 0.5f, 7};
inline constexpr MovedType kMovedInt8{ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, 0.25f, -3};

inline size_t number_of(const Dimensions& dims) {
  return std::accumulate(dims.begin(), dims.end(), size_t{1}, [](size_t product, uint32_t extent) { return product * extent; });
}

/// Elements 1, 2, 3, ... as bit patterns; they wrap where T ends.
template <typename T>
std::vector<T> counted(const Dimensions& dims) {
  std::vector<T> values(number_of(dims));
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

inline int64_t position(const Index& index, const Dimensions& dims) {
  int64_t at = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (index[i] < 0 || index[i] >= int64_t{dims[i]}) return -1;
    at = at * dims[i] + index[i];
  }
  return at;
}

/// result[i] = from[source(i)] for all indices i of the result, or `outside` where source(i) lies outside of `from`.
template <typename T, typename Source>
std::vector<T> moved(const std::vector<T>& from, const Dimensions& from_dims, const Dimensions& to_dims, const Source& source,
                     T outside = T{}) {
  std::vector<T> result;
  Index index(to_dims.size(), 0);
  for (size_t n = number_of(to_dims); n > 0; --n) {
    const int64_t at = position(source(index), from_dims);
    result.push_back(at < 0 ? outside : from[static_cast<size_t>(at)]);
    for (size_t i = to_dims.size(); i-- > 0;) {
      if (++index[i] < int64_t{to_dims[i]}) break;
      index[i] = 0;
    }
  }
  return result;
}

inline Dimensions random_dims(std::mt19937& random, size_t rank, uint32_t most) {
  Dimensions dims;
  while (dims.size() < rank) dims.push_back(1 + static_cast<uint32_t>(random()) % most);
  return dims;
}

/// Runs infer, then lets `change` spoil the values of inputs, as a client's other thread could, then execute.
template <typename Change>
Status run_with_change(int32_t code, std::vector<OperandView> inputs, std::vector<OperandView> outputs, const Change& change) {
  OperationContext context;
  context.inputs = inputs;
  context.outputs = outputs;
  const Operation* operation = find_operation(code);
  EXPECT_TRUE(operation->infer(context).ok());
  std::vector<std::vector<uint8_t>> results;
  std::vector<void*> buffers;
  for (const OperandView& output : outputs) {
    results.emplace_back(count_of(output) * element_size(output.type));
    buffers.push_back(results.back().data());
  }
  context.output_buffers = buffers;
  change();
  return operation->execute(context);
}

/// A view of values that stay the caller's.
template <typename T>
OperandView view_of(int32_t type, Dimensions dims, std::vector<T>& values) {
  OperandView view;
  view.type = type;
  view.dims = std::move(dims);
  view.data = values.data();
  view.bytes = values.size() * sizeof(T);
  return view;
}

}  // namespace avocet::runtime
