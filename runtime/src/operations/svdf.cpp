// SPDX-License-Identifier: Apache-2.0
// SVDF: a densely connected layer over time, factored into feature and time filters. The state holds, for each filter, its
// results of the last steps, oldest first. In practice it has memory_size columns, of which the last one is not read and written
// as zero; the form that the API's text gives, memory_size - 1 columns, is taken as well.
#include <algorithm>
#include <optional>
#include <vector>

#include "recurrent_product.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("input", kColumnA, "batch,input_size"),
                                  shaped("weights_feature", kColumnA, "filters,input_size"),
                                  shaped("weights_time", kColumnA, "filters,memory_size"),
                                  shaped("bias", kColumnA, "units").omittable(),
                                  shaped("state_in", kColumnA, "batch,state_size"),
                                  int32("rank").range(1),
                                  activation().omittable()};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("state_out", kColumnA, "batch,state_size"), shaped("output", kColumnA, "batch,units")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 27, .types = kFloats, .inputs = kInputs, .outputs = kOutputs};

constexpr size_t kWeightsFeature = 1, kWeightsTime = 2, kBias = 3, kStateIn = 4, kRank = 5, kActivation = 6;
constexpr size_t kStateOut = 0, kOutputPlace = 1;

struct Extents {
  uint32_t batch, filters, memory, rank, units;
  uint32_t columns;  // of the state, for each filter
};

Status read_extents(const OperationContext& context, Extents* extents) {
  const Dimensions &time = context.input(kWeightsTime).dims, &state = context.input(kStateIn).dims;
  const uint32_t filters = time[0], rank = static_cast<uint32_t>(context.scalar<int32_t>(kRank, 1));
  if (filters % rank != 0) return op_failed("rank ", rank, " does not divide the ", filters, " filters");
  if (context.has_input(kBias) && context.input(kBias).dims[0] != filters / rank) {
    return op_failed("the bias has ", context.input(kBias).dims[0], " elements, there are ", filters / rank, " units");
  }
  const uint32_t columns = state[1] / filters;
  if (state[1] % filters != 0 || (columns != time[1] && columns + 1 != time[1])) {
    return op_failed("the state has rows of ", state[1], " elements, which does not fit ", filters, " filters with a memory of ",
                     time[1]);
  }
  *extents = {.batch = state[0], .filters = filters, .memory = time[1], .rank = rank, .units = filters / rank, .columns = columns};
  return {};
}

Status infer(OperationContext& context) {
  Extents extents{};
  AVOCET_RETURN_IF_FAILED(read_extents(context, &extents));
  context.output(kStateOut).dims = context.input(kStateIn).dims;
  context.output(kOutputPlace).dims = {extents.batch, extents.units};
  return {};
}

struct Prepared : PreparedState {
  explicit Prepared(PackedFloatWeights packed) : features(std::move(packed)) {}
  PackedFloatWeights features;
};

PackedFloatWeights pack(const OperandView& weights) { return {weights.as<float>(), weights.dims[0], weights.dims[1]}; }

/// One filter: the time filter over what is remembered and the newest result; the state moves on by one step.
float filter_step(const float* weights, const Extents& extents, const float* from, float newest, float* to) {
  const size_t remembered = extents.memory - 1;
  float sum = weights[remembered] * newest;
  for (size_t i = 0; i < remembered; ++i) sum += weights[i] * from[i];
  std::copy(from + 1, from + std::max<size_t>(remembered, 1), to);
  if (remembered) to[remembered - 1] = newest;
  if (extents.columns == extents.memory) to[remembered] = 0.0f;
  return sum;
}

Status execute(OperationContext& context) {
  Extents extents{};
  AVOCET_RETURN_IF_FAILED(read_extents(context, &extents));
  const auto* prepared = static_cast<const Prepared*>(context.prepared);
  std::optional<PackedFloatWeights> packed_now;
  const PackedFloatWeights& features = prepared ? prepared->features : packed_now.emplace(pack(context.input(kWeightsFeature)));
  std::vector<float> newest(size_t{extents.batch} * extents.filters);
  recurrent_product(context, context.in<float>(0), extents.batch, features, nullptr,
                    float_activation_range(ANEURALNETWORKS_FUSED_NONE), newest.data());
  const Range<float> range = float_activation_range(context.scalar<int32_t>(kActivation, ANEURALNETWORKS_FUSED_NONE));
  const float* bias = context.in<float>(kBias);
  const float* state_in = context.in<float>(kStateIn);
  float *state_out = context.out<float>(kStateOut), *output = context.out<float>(kOutputPlace);
  const size_t grain = std::max<size_t>(1, 16384 / (size_t{extents.rank} * extents.memory));
  context.parallel_for(size_t{extents.batch} * extents.units, grain, [&](size_t begin, size_t end) {
    for (size_t index = begin; index < end; ++index) {  // of a unit in a batch; its filters stand together
      const size_t unit = index % extents.units;
      float sum = 0.0f;
      for (size_t r = 0; r < extents.rank; ++r) {
        const size_t filter = unit * extents.rank + r, place = index * extents.rank + r;
        sum += filter_step(context.in<float>(kWeightsTime) + filter * extents.memory, extents, state_in + place * extents.columns,
                           newest[place], state_out + place * extents.columns);
      }
      output[index] = clamp_to(bias ? sum + bias[unit] : sum, range);
    }
  });
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  const OperandView& weights = context.input(kWeightsFeature);
  if (!weights.constant || !weights.data || weights.dims.size() != 2) return nullptr;
  return std::make_unique<Prepared>(pack(weights));
}

}  // namespace

constinit const Operation kSvdf =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_SVDF, "SVDF");

}  // namespace avocet::runtime
