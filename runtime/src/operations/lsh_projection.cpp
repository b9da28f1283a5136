// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION: locality sensitive hashing to a bit vector.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("hash", kColumnA, "hash_count,bits"), tensor("input", kAnyTensor),
                                  shaped("weight", kColumnA, "input_count").omittable(), int32("projection_type").values(0b1110)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output", kTensorInt32, "signature_size")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

}  // namespace

constinit const Operation kLshProjection = unimplemented<kSignature>(ANEURALNETWORKS_LSH_PROJECTION, "LSH_PROJECTION");

}  // namespace avocet::runtime
