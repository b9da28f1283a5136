// SPDX-License-Identifier: Apache-2.0
// DEPTHWISE_CONV_2D: a filter of its own for each channel, pixel by pixel with the channels side by side.
#include <memory>
#include <optional>
#include <vector>

#include "depthwise_kernels.hpp"
#include "output_stage.hpp"
#include "padding.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInputImage = image("input", kColumnA, "batches,height,width,depth_in");
constexpr OperandRule kFilter = shaped("filter", kColumnB, "1,filter_height,filter_width,depth_out").channel(3);
constexpr OperandRule kBias = shaped("bias", kColumnC, "depth_out");
constexpr OperandRule kLayout = layout().optional().since(29);
constexpr OperandRule kDilationWidth = int32("dilation_width").range(1).optional(1).since(29);
constexpr OperandRule kDilationHeight = int32("dilation_height").range(1).optional(1).joined().since(29);

constexpr OperandRule kImplicit[] = {kInputImage,
                                     kFilter,
                                     kBias,
                                     padding_scheme(),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     int32("multiplier").range(1),
                                     activation(),
                                     kLayout,
                                     kDilationWidth,
                                     kDilationHeight};
constexpr OperandRule kExplicit[] = {kInputImage,
                                     kFilter,
                                     kBias,
                                     int32("padding_left").range(0),
                                     int32("padding_right").range(0),
                                     int32("padding_top").range(0),
                                     int32("padding_bottom").range(0),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     int32("multiplier").range(1),
                                     activation(),
                                     kLayout,
                                     kDilationWidth,
                                     kDilationHeight};
constexpr Form kInputs[] = {{.name = "implicit padding", .operands = kImplicit}, {.name = "explicit padding", .operands = kExplicit}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth_out")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 27, .types = kConvolutionTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

constexpr WindowLayout kWindow{.first = 3, .multiplier_input = true};

Status infer(OperationContext& context) {
  const OperandView& filter = context.input(1);
  AVOCET_RETURN_IF_FAILED(check_bias_scale(context.input(0), filter, context.input(2)));
  const Window2d window = read_window(context, kWindow, &filter.dims[1]);
  const uint64_t depth_out = uint64_t{context.input(0).dims[3]} * static_cast<uint32_t>(window.multiplier);
  if (depth_out != filter.dims[3]) {
    return op_failed("the filter has ", filter.dims[3], " channels; input depth times multiplier is ", depth_out);
  }
  uint32_t height = 0, width = 0;
  AVOCET_RETURN_IF_FAILED(window_output(context, window, &height, &width));
  context.output(0).dims = {context.input(0).dims[0], height, width, filter.dims[3]};
  return {};
}

/// The input pixels under the filter for one output pixel, as pointers to their channels.
template <typename T>
class TapReader {
 public:
  TapReader(const OperationContext& context, const Window2d& window, size_t padded_taps, T padding)
      : window_(window),
        height_(context.inputs[0].dims[1]),
        width_(context.inputs[0].dims[2]),
        in_channels_(context.inputs[0].dims[3]),
        out_channels_(context.outputs[0].dims[3]),
        out_height_(context.outputs[0].dims[1]),
        out_width_(context.outputs[0].dims[2]),
        image_(context.inputs[0].as<T>()),
        padding_(out_channels_, padding),
        taps_(padded_taps, padding_.data()) {
    if (window.multiplier > 1) repeated_.resize(padded_taps * out_channels_);
  }

  /// Taps of output pixel `index`, counted through all batches.
  const T* const* read(size_t index) {
    const size_t pixels = out_height_ * out_width_;
    const T* image = image_ + index / pixels * height_ * width_ * in_channels_;
    const int64_t y0 = static_cast<int64_t>(index % pixels / out_width_) * window_.height.stride - window_.height.pad_before;
    const int64_t x0 = static_cast<int64_t>(index % out_width_) * window_.width.stride - window_.width.pad_before;
    size_t t = 0;
    for (int32_t ky = 0; ky < window_.height.filter; ++ky) {
      const int64_t y = y0 + int64_t{ky} * window_.height.dilation;
      for (int32_t kx = 0; kx < window_.width.filter; ++kx, ++t) {
        const int64_t x = x0 + int64_t{kx} * window_.width.dilation;
        const bool inside = y >= 0 && y < static_cast<int64_t>(height_) && x >= 0 && x < static_cast<int64_t>(width_);
        taps_[t] = inside ? tap(image + (static_cast<size_t>(y) * width_ + static_cast<size_t>(x)) * in_channels_, t)
                          : padding_.data();
      }
    }
    return taps_.data();
  }

 private:
  /// With a multiplier, each input channel is repeated for the filters that share it.
  const T* tap(const T* pixel, size_t t) {
    if (window_.multiplier == 1) return pixel;
    T* to = repeated_.data() + t * out_channels_;
    for (size_t c = 0; c < in_channels_; ++c) {
      to = std::fill_n(to, window_.multiplier, pixel[c]);
    }
    return repeated_.data() + t * out_channels_;
  }

  Window2d window_;
  size_t height_, width_, in_channels_, out_channels_, out_height_, out_width_;
  const T* image_;
  std::vector<T> padding_;
  std::vector<T> repeated_;
  std::vector<const T*> taps_;
};

struct PreparedDepthwise : PreparedState {
  std::optional<PackedDepthwiseWeights> weights;
};

PackedDepthwiseWeights pack(const OperandView& filter) {
  const size_t taps = extent_product(filter.dims, 1, 3), channels = filter.dims[3];
  if (filter.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM) return {filter.as<uint8_t>(), taps, channels, filter.zero_point};
  return {filter.as<int8_t>(), taps, channels, filter.zero_point};
}

size_t grain(const OperationContext& context, size_t taps) {
  constexpr size_t kWorthAThread = 1 << 16;  // multiplications
  return std::max<size_t>(1, kWorthAThread / (taps * context.outputs[0].dims[3]));
}

Status execute_float(OperationContext& context, const Window2d& window) {
  const Dimensions& out_dims = context.output(0).dims;
  const size_t channels = out_dims[3], taps = extent_product(context.input(1).dims, 1, 3);
  const Range<float> range = float_activation_range(window.activation);
  context.parallel_for(extent_product(out_dims, 0, 3), grain(context, taps), [&](size_t begin, size_t end) {
    TapReader<float> reader(context, window, taps, 0.0f);
    for (size_t i = begin; i < end; ++i) {
      depthwise_pixel(reader.read(i), taps, context.in<float>(1), context.in<float>(2), channels, range,
                      context.out<float>(0) + i * channels);
    }
  });
  return {};
}

Status execute_quantised(OperationContext& context, const Window2d& window) {
  const OperandView& input = context.input(0);
  const OperandView& output = context.output(0);
  const auto* prepared = static_cast<const PreparedDepthwise*>(context.prepared);
  std::optional<PackedDepthwiseWeights> packed_now;
  const PackedDepthwiseWeights& weights =
      prepared && prepared->weights ? *prepared->weights : packed_now.emplace(pack(context.input(1)));
  std::vector<QuantisedMultiplier> multipliers;
  AVOCET_RETURN_IF_FAILED(convolution_multipliers(FilteredLayer::kConvolution, input, context.input(1), output, &multipliers));
  const size_t channels = output.dims[3];
  const OutputStage stage(channels, context.in<int32_t>(2), multipliers, output.zero_point,
                          quantised_activation_range(window.activation, output));
  const bool is_signed = input.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
  context.parallel_for(extent_product(output.dims, 0, 3), grain(context, weights.taps()), [&](size_t begin, size_t end) {
    TapReader<uint8_t> reader(context, window, weights.padded_taps(), static_cast<uint8_t>(input.zero_point));
    for (size_t i = begin; i < end; ++i) {
      depthwise_pixel(reader.read(i), is_signed, input.zero_point, weights, stage, context.out<uint8_t>(0) + i * channels);
    }
  });
  return {};
}

Status execute(OperationContext& context) {
  const Window2d window = read_window(context, kWindow, &context.input(1).dims[1]);
  return is_quant8(context.input(0).type) ? execute_quantised(context, window) : execute_float(context, window);
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  const OperandView& filter = context.input(1);
  if (!filter.constant || !filter.data || !is_quant8(context.input(0).type)) return nullptr;
  auto prepared = std::make_unique<PreparedDepthwise>();
  prepared->weights.emplace(pack(filter));
  return prepared;
}

}  // namespace

constinit const Operation kDepthwiseConv2d =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_DEPTHWISE_CONV_2D, "DEPTHWISE_CONV_2D");

}  // namespace avocet::runtime
