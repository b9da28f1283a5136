// SPDX-License-Identifier: Apache-2.0
// RANDOM_MULTINOMIAL: samples of a distribution given by its logarithms. Seeds that are not both 0 give the same samples every
// time; each batch has a generator of its own.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInput[] = {shaped("log_probabilities", kColumnA, "batches,classes"), int32("samples").range(1),
                                  shaped("seeds", kTensorInt32, "2")};
constexpr Form kInputs[] = {{.operands = kInput}};
constexpr OperandRule kOutput[] = {shaped("output", kTensorInt32, "batches,samples")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kFloats, .inputs = kInputs, .outputs = kOutputs, .random = true};

Status infer(OperationContext& context) {
  context.output(0).dims = {context.input(0).dims[0], static_cast<uint32_t>(context.scalar<int32_t>(1, 1))};
  return {};
}

/// Sums of the probabilities up to each class, not normalised. Minus infinity is a class that never comes.
Status accumulate(const float* logits, size_t classes, size_t batch, std::vector<double>* sums) {
  float highest = logits[0];
  for (size_t i = 0; i < classes; ++i) {
    if (std::isnan(logits[i]) || logits[i] == INFINITY) {
      return op_failed("the log-probability of class ", i, " in batch ", batch, " is ", logits[i]);
    }
    highest = std::max(highest, logits[i]);
  }
  if (highest == -INFINITY) return op_failed("no class in batch ", batch, " has a probability above 0");
  double sum = 0.0;
  for (size_t i = 0; i < classes; ++i) {
    sum += std::exp(double{logits[i]} - double{highest});
    (*sums)[i] = sum;
  }
  return {};
}

void draw(const std::vector<double>& sums, std::mt19937_64& random, int32_t* samples, size_t count) {
  constexpr double kUnit = 0x1p-53;
  for (size_t s = 0; s < count; ++s) {
    const double point = static_cast<double>(random() >> 11) * kUnit * sums.back();  // in [0, sum)
    // The first class whose sum lies above the point; a class of probability 0 adds nothing and is never the first.
    samples[s] = static_cast<int32_t>(std::upper_bound(sums.begin(), sums.end(), point) - sums.begin());
  }
}

Status execute(OperationContext& context) {
  const size_t batches = context.input(0).dims[0], classes = context.input(0).dims[1], count = context.output(0).dims[1];
  const int32_t* given = context.in<int32_t>(2);
  uint32_t seeds[2] = {static_cast<uint32_t>(given[0]), static_cast<uint32_t>(given[1])};
  if (seeds[0] == 0 && seeds[1] == 0) {
    std::random_device device;
    for (uint32_t& seed : seeds) seed = device();
  }
  std::vector<double> sums(classes);
  for (size_t batch = 0; batch < batches; ++batch) {
    AVOCET_RETURN_IF_FAILED(accumulate(context.in<float>(0) + batch * classes, classes, batch, &sums));
    std::seed_seq sequence{seeds[0], seeds[1], static_cast<uint32_t>(batch)};
    std::mt19937_64 random(sequence);
    draw(sums, random, context.out<int32_t>(0) + batch * count, count);
  }
  return {};
}

}  // namespace

constinit const Operation kRandomMultinomial =
    operation<kSignature, infer, execute>(ANEURALNETWORKS_RANDOM_MULTINOMIAL, "RANDOM_MULTINOMIAL");

}  // namespace avocet::runtime
