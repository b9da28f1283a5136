// SPDX-License-Identifier: Apache-2.0
// EMBEDDING_LOOKUP and HASHTABLE_LOOKUP: slices of a table by index, and by key.
#include "row.hpp"
#include "rows.hpp"
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

}  // namespace

constinit const Operation kEmbeddingLookup = unimplemented<kEmbeddingSignature>(ANEURALNETWORKS_EMBEDDING_LOOKUP, "EMBEDDING_LOOKUP");
constinit const Operation kHashtableLookup = unimplemented<kHashtableSignature>(ANEURALNETWORKS_HASHTABLE_LOOKUP, "HASHTABLE_LOOKUP");

}  // namespace avocet::runtime
