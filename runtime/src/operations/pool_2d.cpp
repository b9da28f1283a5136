// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D: only cells inside the image count. A window that lies wholly in the padding
// gives zero, and the lowest value for the maximum.
#include <cmath>
#include <limits>
#include <vector>

#include "padding.hpp"
#include "requantise.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInputImage = image("input", kColumnA, "batches,height,width,depth");
constexpr OperandRule kImplicit[] = {kInputImage,
                                     padding_scheme(),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     int32("filter_width").range(1),
                                     int32("filter_height").range(1),
                                     activation(),
                                     layout().optional().since(29)};
constexpr OperandRule kExplicit[] = {kInputImage,
                                     int32("padding_left").range(0),
                                     int32("padding_right").range(0),
                                     int32("padding_top").range(0),
                                     int32("padding_bottom").range(0),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     int32("filter_width").range(1),
                                     int32("filter_height").range(1),
                                     activation(),
                                     layout().optional().since(29)};
constexpr Form kInputs[] = {{.name = "implicit padding", .operands = kImplicit}, {.name = "explicit padding", .operands = kExplicit}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth").quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 27, .types = kFloatsAndQuant8, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};
constexpr Signature kL2Signature{.level = 27, .types = kFloats, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

constexpr WindowLayout kWindow{.first = 1, .filter_inputs = true};

Status infer(OperationContext& context) {
  const Window2d window = read_window(context, kWindow, nullptr);
  uint32_t height = 0, width = 0;
  AVOCET_RETURN_IF_FAILED(window_output(context, window, &height, &width));
  const Dimensions& in = context.input(0).dims;
  context.output(0).dims = {in[0], height, width, in[3]};
  return {};
}

/// Cells of the window along one axis that lie inside the image.
Range<size_t> inside(const WindowAxis& axis, size_t out_index, size_t extent) {
  const int64_t from = static_cast<int64_t>(out_index) * axis.stride - axis.pad_before;
  const int64_t to = std::min<int64_t>(from + axis.filter, static_cast<int64_t>(extent));
  const int64_t first = std::max<int64_t>(from, 0);
  return {static_cast<size_t>(first), static_cast<size_t>(std::max(first, to))};
}

/// For each output pixel: sums start at `initial`, take(sum, value) for each cell, then finish(sum, cells) is stored.
template <typename T, typename Sum, typename Take, typename Finish>
void pool(OperationContext& context, const Window2d& window, Sum initial, const Take& take, const Finish& finish) {
  const Dimensions& in = context.input(0).dims;
  const Dimensions& out = context.output(0).dims;
  const size_t depth = in[3], pixels = size_t{out[1]} * out[2];
  const T* images = context.in<T>(0);
  T* results = context.out<T>(0);
  const size_t cells = static_cast<size_t>(window.height.filter) * static_cast<size_t>(window.width.filter);
  const size_t grain = std::max<size_t>(1, 65536 / std::max<size_t>(1, cells * depth));
  context.parallel_for(out[0] * pixels, grain, [&](size_t begin, size_t end) {
    std::vector<Sum> sums(depth);
    for (size_t index = begin; index < end; ++index) {
      const T* image = images + index / pixels * in[1] * in[2] * depth;
      const Range<size_t> rows = inside(window.height, index % pixels / out[2], in[1]);
      const Range<size_t> columns = inside(window.width, index % out[2], in[2]);
      std::fill(sums.begin(), sums.end(), initial);
      for (size_t y = rows.low; y < rows.high; ++y) {
        const T* cell = image + (y * in[2] + columns.low) * depth;
        for (size_t x = columns.low; x < columns.high; ++x, cell += depth) {
          for (size_t c = 0; c < depth; ++c) sums[c] = take(sums[c], cell[c]);
        }
      }
      const size_t count = (rows.high - rows.low) * (columns.high - columns.low);
      for (size_t c = 0; c < depth; ++c) results[index * depth + c] = finish(sums[c], count);
    }
  });
}

template <typename T, typename Sum>
void average_quantised(OperationContext& context, const Window2d& window) {
  const Range<int32_t> range = quantised_activation_range(window.activation, context.output(0));
  const Sum zero_point = context.output(0).zero_point;
  pool<T>(
      context, window, Sum{0}, [](Sum sum, T value) { return sum + value; },
      [&](Sum sum, size_t count) {
        const Sum n = static_cast<Sum>(count);
        const Sum mean = n == 0 ? zero_point : sum >= 0 ? (sum + n / 2) / n : (sum - n / 2) / n;
        return static_cast<T>(clamp_to(static_cast<int32_t>(mean), range));
      });
}

template <typename T>
void average_quantised(OperationContext& context, const Window2d& window) {
  const Dimensions& in = context.input(0).dims;
  constexpr size_t kCellsIn32Bits = std::numeric_limits<int32_t>::max() / 256;
  if (size_t{in[1]} * in[2] < kCellsIn32Bits) {
    average_quantised<T, int32_t>(context, window);
  } else {
    average_quantised<T, int64_t>(context, window);
  }
}

template <typename T>
void max_quantised(OperationContext& context, const Window2d& window) {
  const Range<int32_t> range = quantised_activation_range(window.activation, context.output(0));
  pool<T>(
      context, window, std::numeric_limits<T>::min(), [](T sum, T value) { return std::max(sum, value); },
      [&](T sum, size_t) { return static_cast<T>(clamp_to(int32_t{sum}, range)); });
}

Status execute_average(OperationContext& context) {
  const Window2d window = read_window(context, kWindow, nullptr);
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) {
    average_quantised<uint8_t>(context, window);
  } else if (context.input(0).type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED) {
    average_quantised<int8_t>(context, window);
  } else {
    const Range<float> range = float_activation_range(window.activation);
    pool<float>(
        context, window, 0.0f, [](float sum, float value) { return sum + value; },
        [&](float sum, size_t count) { return clamp_to(count ? sum / static_cast<float>(count) : 0.0f, range); });
  }
  return {};
}

Status execute_max(OperationContext& context) {
  const Window2d window = read_window(context, kWindow, nullptr);
  if (context.input(0).type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) {
    max_quantised<uint8_t>(context, window);
  } else if (context.input(0).type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED) {
    max_quantised<int8_t>(context, window);
  } else {
    const Range<float> range = float_activation_range(window.activation);
    pool<float>(
        context, window, std::numeric_limits<float>::lowest(), [](float sum, float value) { return value > sum ? value : sum; },
        [&](float sum, size_t) { return clamp_to(sum, range); });
  }
  return {};
}

Status execute_l2(OperationContext& context) {
  const Window2d window = read_window(context, kWindow, nullptr);
  const Range<float> range = float_activation_range(window.activation);
  pool<float>(
      context, window, 0.0f, [](float sum, float value) { return sum + value * value; },
      [&](float sum, size_t count) { return clamp_to(count ? std::sqrt(sum / static_cast<float>(count)) : 0.0f, range); });
  return {};
}



}  // namespace

constinit const Operation kAveragePool2d =
    operation<kSignature, infer, execute_average>(ANEURALNETWORKS_AVERAGE_POOL_2D, "AVERAGE_POOL_2D");
constinit const Operation kMaxPool2d =
    operation<kSignature, infer, execute_max>(ANEURALNETWORKS_MAX_POOL_2D, "MAX_POOL_2D");
constinit const Operation kL2Pool2d =
    operation<kL2Signature, infer, execute_l2>(ANEURALNETWORKS_L2_POOL_2D, "L2_POOL_2D");

}  // namespace avocet::runtime
