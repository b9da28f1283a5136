// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP and HASHTABLE_LOOKUP: slices of a table by index, and by key.
#include <algorithm>
#include <cstring>

#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "shape_values.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kEmbeddingTypes[] = {{27, {kTensorFloat32}}, {29, {kTensorInt32}}, {29, {kQuant8}},
                                       {30, {kTensorFloat16}}, {30, {kQuant8Signed}}};
constexpr OperandRule kEmbeddingInput[] = {shaped("lookups", kTensorInt32, "lookup_count"), tensor("values", kColumnA, 2)};
constexpr Form kEmbeddingInputs[] = {{.operands = kEmbeddingInput}};
constexpr OperandRule kEmbeddingOutput[] = {tensor("output", kColumnA, 2).quantised_as_input(1)};
constexpr Form kEmbeddingOutputs[] = {{.operands = kEmbeddingOutput}};
constexpr Signature kEmbeddingSignature{
    .level = 27, .types = kEmbeddingTypes, .inputs = kEmbeddingInputs, .outputs = kEmbeddingOutputs};

constexpr TypeRow kHashtableTypes[] = {{27, {kTensorFloat32}}, {27, {kTensorInt32}}, {27, {kQuant8}}};
constexpr OperandRule kHashtableInput[] = {shaped("lookups", kTensorInt32, "lookup_count"), shaped("keys", kTensorInt32, "key_count"),
                                           tensor("values", kColumnA, 2)};
constexpr Form kHashtableInputs[] = {{.operands = kHashtableInput}};
constexpr OperandRule kHashtableOutput[] = {tensor("output", kColumnA, 2).quantised_as_input(2),
                                            shaped("hits", kQuant8, "lookup_count").quantised_as(1.0f, 0, 0)};
constexpr Form kHashtableOutputs[] = {{.operands = kHashtableOutput}};
constexpr Signature kHashtableSignature{
    .level = 27, .types = kHashtableTypes, .inputs = kHashtableInputs, .outputs = kHashtableOutputs};

/// The shape of `values` with as many slices as there are lookups.
Dimensions looked_up(const OperationContext& context, const OperandView& values) {
  Dimensions dims = values.dims;
  dims[0] = context.input(0).dims[0];
  return dims;
}

size_t slice_bytes(const OperandView& values) { return extent_product(values.dims, 1, values.dims.size()) * element_size(values.type); }

size_t lookup_grain(size_t slice) { return std::max<size_t>(1, 65536 / slice); }

Status infer_embedding(OperationContext& context) {
  context.output(0).dims = looked_up(context, context.input(1));
  return {};
}

Status execute_embedding(OperationContext& context) {
  const OperandView& values = context.input(1);
  std::vector<int32_t> lookups;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 0, context.input(0).dims[0], "lookups", &lookups));
  for (size_t i = 0; i < lookups.size(); ++i) {
    if (lookups[i] < 0 || static_cast<uint32_t>(lookups[i]) >= values.dims[0]) {
      return op_failed("lookup ", i, " is ", lookups[i], " but there are ", values.dims[0], " slices");
    }
  }
  const size_t slice = slice_bytes(values);
  const uint8_t* from = context.in<uint8_t>(1);
  uint8_t* to = context.out<uint8_t>(0);
  context.parallel_for(lookups.size(), lookup_grain(slice), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) std::memcpy(to + i * slice, from + static_cast<size_t>(lookups[i]) * slice, slice);
  });
  return {};
}

Status infer_hashtable(OperationContext& context) {
  const OperandView &keys = context.input(1), &values = context.input(2);
  if (keys.dims[0] != values.dims[0]) return op_failed("there are ", keys.dims[0], " keys for ", values.dims[0], " slices");
  context.output(0).dims = looked_up(context, values);
  context.output(1).dims = context.input(0).dims;
  return {};
}

Status execute_hashtable(OperationContext& context) {
  std::vector<int32_t> lookups, keys;
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 0, context.input(0).dims[0], "lookups", &lookups));
  AVOCET_RETURN_IF_FAILED(read_int32s(context, 1, context.input(1).dims[0], "keys", &keys));
  const auto unsorted = std::is_sorted_until(keys.begin(), keys.end());
  if (unsorted != keys.end()) return op_failed("the keys are not in ascending order: ", *(unsorted - 1), " stands before ", *unsorted);
  const size_t slice = slice_bytes(context.input(2));
  const uint8_t* from = context.in<uint8_t>(2);
  uint8_t *to = context.out<uint8_t>(0), *hits = context.out<uint8_t>(1);
  context.parallel_for(lookups.size(), lookup_grain(slice), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const auto key = std::lower_bound(keys.begin(), keys.end(), lookups[i]);
      hits[i] = key != keys.end() && *key == lookups[i];
      if (hits[i]) {
        std::memcpy(to + i * slice, from + static_cast<size_t>(key - keys.begin()) * slice, slice);
      } else {
        std::memset(to + i * slice, 0, slice);  // as TensorFlow Lite: stored zeros, also with another zero point
      }
    }
  });
  return {};
}

}  // namespace

constinit const Operation kEmbeddingLookup =
    operation<kEmbeddingSignature, infer_embedding, execute_embedding, Halves::kAsTheyAre>(
        ANEURALNETWORKS_EMBEDDING_LOOKUP, "EMBEDDING_LOOKUP");
constinit const Operation kHashtableLookup =
    operation<kHashtableSignature, infer_hashtable, execute_hashtable, Halves::kAsTheyAre>(
        ANEURALNETWORKS_HASHTABLE_LOOKUP, "HASHTABLE_LOOKUP");

}  // namespace avocet::runtime
