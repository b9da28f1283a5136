// SPDX-License-Identifier: Apache-2.0
// LSH_PROJECTION: locality sensitive hashing to a bit vector. A bit is the sign of the weighted sum of the rows' fingerprints,
// each taken over the float32 seed of the bit and the bytes of the row as they are stored.
#include <bit>
#include <cstring>
#include <vector>

#include "fingerprint.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kTypes[] = {{27, {kTensorFloat32, kTensorFloat32}}, {27, {kTensorFloat32, kTensorInt32}},
                              {27, {kTensorFloat32, kQuant8}},        {29, {kTensorFloat32, kTensorFloat16}},
                              {29, {kTensorFloat16, kTensorFloat16}}, {29, {kTensorFloat16, kTensorFloat32}},
                              {29, {kTensorFloat16, kTensorInt32}},   {29, {kTensorFloat16, kQuant8}}};
constexpr OperandRule kInput[] = {shaped("hash", kColumnA, "hash_count,bits"), tensor("input", kColumnB),
                                  shaped("weight", kColumnA, "input_count").omittable(), int32("projection_type").values(0b1110)};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output", kTensorInt32, "signature_size")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kTypes, .inputs = kInputs, .outputs = kOutputs};

enum Projection : int32_t { kSparseDeprecated = 1, kDense = 2, kSparse = 3 };

Status infer(OperationContext& context) {
  const Dimensions& hash = context.input(0).dims;
  const Dimensions& input = context.input(1).dims;
  if (context.has_input(2) && context.input(2).dims[0] != input[0]) {
    return op_failed("there are ", context.input(2).dims[0], " weights for ", input[0], " rows of the input");
  }
  const int32_t projection = context.scalar<int32_t>(3, kDense);
  if (projection == kDense) {
    const auto size = element_count(hash);
    if (!size) return op_failed("hash of shape ", dims_text(hash), " has too many bits");
    context.output(0).dims = {*size};
    return {};
  }
  const uint32_t prefix = projection == kSparse ? static_cast<uint32_t>(std::bit_width(hash[0] - 1)) : 0;  // ceil(log2())
  if (hash[1] > 32 - prefix) {
    return op_failed("hash of shape ", dims_text(hash), " needs ", hash[1], " + ", prefix, " bits, but a sparse signature has 32");
  }
  context.output(0).dims = {hash[0]};
  return {};
}

/// T is the type of hash and weight.
template <typename T>
class Hasher {
 public:
  explicit Hasher(const OperationContext& context)
      : seeds_(context.in<T>(0)),
        rows_(context.in<uint8_t>(1)),
        weights_(context.in<T>(2)),
        count_(context.inputs[1].dims[0]),
        row_bytes_(count_of(context.inputs[1]) / count_ * element_size(context.inputs[1].type)),
        key_(sizeof(float) + row_bytes_) {}

  /// Bit `index` of all hash functions' bits in a row.
  uint32_t bit(size_t index) {
    const float seed = static_cast<float>(seeds_[index]);
    std::memcpy(key_.data(), &seed, sizeof seed);
    double score = 0.0;
    for (size_t i = 0; i < count_; ++i) {
      std::memcpy(key_.data() + sizeof seed, rows_ + i * row_bytes_, row_bytes_);
      const double value = static_cast<double>(static_cast<int64_t>(fingerprint64(key_.data(), key_.size())));
      score += weights_ ? static_cast<double>(static_cast<float>(weights_[i])) * value : value;
    }
    return score > 0.0 ? 1 : 0;
  }

 private:
  const T* seeds_;
  const uint8_t* rows_;
  const T* weights_;  // null: all are 1
  size_t count_, row_bytes_;
  std::vector<uint8_t> key_;
};

template <typename T>
void project(OperationContext& context) {
  const int32_t projection = context.scalar<int32_t>(3, kDense);
  const size_t bits = projection == kDense ? 1 : context.input(0).dims[1];  // in an output element
  int32_t* results = context.out<int32_t>(0);
  const size_t grain = std::max<size_t>(1, 4096 / (bits * count_of(context.input(1))));
  context.parallel_for(count_of(context.output(0)), grain, [&](size_t begin, size_t end) {
    Hasher<T> hasher(context);
    for (size_t i = begin; i < end; ++i) {
      uint64_t signature = 0;
      for (size_t j = 0; j < bits; ++j) signature = signature << 1 | hasher.bit(i * bits + j);
      if (projection == kSparse) signature += uint64_t{i} << bits;
      results[i] = static_cast<int32_t>(static_cast<uint32_t>(signature));
    }
  });
}

Status execute(OperationContext& context) {
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_FLOAT16) {
    project<Float16>(context);
  } else {
    project<float>(context);
  }
  return {};
}

}  // namespace

constinit const Operation kLshProjection =
    operation<kSignature, infer, execute, Halves::kAsTheyAre>(ANEURALNETWORKS_LSH_PROJECTION, "LSH_PROJECTION");

}  // namespace avocet::runtime
