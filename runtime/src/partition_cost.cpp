// SPDX-License-Identifier: Apache-2.0
#include "partition_cost.hpp"

#include <android/NeuralNetworks.h>

#include <cstdio>

#include "operations/shape.hpp"

namespace avocet::runtime {
namespace {

// One core of an ordinary machine: 8-bit products, elements that are computed one by one, the start of a kernel.
constexpr double kSecondsPerMac = 0.1e-9, kSecondsPerElement = 1e-9, kSecondsPerOperation = 1e-6;
// System call, doorbell, firmware, interrupt, and waking the thread that waits.
constexpr double kWaySeconds = 20e-6;
constexpr double kCopySecondsPerByte = 0.25e-9;
// Nobody needs an exact answer for runs as long as this.
constexpr double kSurelyWorthSeconds = 2e-3;

double elements(const Model& model, uint32_t operand) {
  double count = 1;
  for (uint32_t extent : model.operand(operand).dims) count *= extent;
  return count;
}

/// Products for each output element; 0 for operations without weights.
double products_per_output(const Model& model, const ModelOperation& operation) {
  const auto weights = [&](size_t from) {
    const Dimensions& dims = model.operand(operation.inputs[1]).dims;
    double count = 1;
    for (size_t i = from; i < dims.size(); ++i) count *= dims[i];
    return count;
  };
  switch (operation.code) {
    case ANEURALNETWORKS_CONV_2D:
    case ANEURALNETWORKS_GROUPED_CONV_2D:
    case ANEURALNETWORKS_TRANSPOSE_CONV_2D:
    case ANEURALNETWORKS_FULLY_CONNECTED:
      return weights(1);
    case ANEURALNETWORKS_DEPTHWISE_CONV_2D: {
      const Dimensions& dims = model.operand(operation.inputs[1]).dims;
      return dims.size() == 4 ? double{1} * dims[1] * dims[2] : 1;
    }
    default:
      return 0;
  }
}

std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f us", seconds * 1e6);
  return text;
}

}  // namespace

double cpu_seconds(const Model& model, uint32_t index) {
  const ModelOperation& operation = model.operations()[index];
  double sum = kSecondsPerOperation;
  for (uint32_t operand : operation.outputs) {
    const double count = elements(model, operand);
    sum += count * (kSecondsPerElement + products_per_output(model, operation) * kSecondsPerMac);
  }
  for (uint32_t operand : operation.inputs) {
    const Operand& input = model.operand(operand);
    const bool is_data = is_tensor(input.type) && input.lifetime != Lifetime::kConstant && input.lifetime != Lifetime::kNoValue;
    if (is_data) sum += elements(model, operand) * kSecondsPerElement;
  }
  return sum;
}

std::optional<double> accelerator_seconds(const Accelerator& accelerator, const SubModel& group) {
  const std::optional<double> work = accelerator.estimate(group);
  if (!work) return std::nullopt;
  double bytes = 0;
  for (const std::vector<uint32_t>* list : {&group.inputs, &group.outputs})
    for (uint32_t operand : *list)
      bytes += elements(*group.model, operand) * static_cast<double>(element_size(group.model->operand(operand).type));
  return *work + kWaySeconds + bytes * kCopySecondsPerByte;
}

std::optional<std::string> not_worth_the_way(const Accelerator& accelerator, const SubModel& group) {
  double here = 0;
  for (uint32_t operation : group.operations) here += cpu_seconds(*group.model, operation);
  if (here >= kSurelyWorthSeconds) return std::nullopt;
  const std::optional<double> there = accelerator_seconds(accelerator, group);
  if (!there || here >= *there) return std::nullopt;
  const size_t others = group.operations.size() - 1;
  return (others ? "together with " + std::to_string(others) + " neighbours " : std::string()) +
         "it is not worth the way to " + accelerator.name() + ": estimated " + microseconds(here) + " here, " +
         microseconds(*there) + " there and back";
}

}  // namespace avocet::runtime
