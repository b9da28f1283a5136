// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV_2D: the gradient of a convolution, each input pixel spread over the output by the filter. Computed as one
// plain convolution of stride 1 for each pair of residues of the strides, so that nothing is accumulated in memory.
#include <limits>
#include <memory>
#include <vector>

#include "output_stage.hpp"
#include "row.hpp"
#include "rows.hpp"
#include "shape.hpp"
#include "transposed_phases.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr OperandRule kInputImage = image("input", kColumnA, "batches,height,width,depth_in");
constexpr OperandRule kFilter = shaped("filter", kColumnB, "depth_out,filter_height,filter_width,depth_in").channel(0);
constexpr OperandRule kBias = shaped("bias", kColumnC, "depth_out");

constexpr OperandRule kImplicit[] = {kInputImage,
                                     kFilter,
                                     kBias,
                                     shaped("output_shape", kTensorInt32, "4"),
                                     padding_scheme(),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     activation(),
                                     layout()};
constexpr OperandRule kExplicit[] = {kInputImage,
                                     kFilter,
                                     kBias,
                                     int32("padding_left").range(0),
                                     int32("padding_right").range(0),
                                     int32("padding_top").range(0),
                                     int32("padding_bottom").range(0),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     activation(),
                                     layout()};
constexpr Form kInputs[] = {{.name = "implicit padding", .operands = kImplicit}, {.name = "explicit padding", .operands = kExplicit}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth_out")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 29, .types = kConvolutionTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

bool is_explicit(const OperationContext& context) { return context.inputs.size() == std::size(kExplicit); }

struct Strides {
  int32_t width, height, activation;
};

Strides read_strides(const OperationContext& context) {
  const size_t first = is_explicit(context) ? 7 : 5;
  return {context.scalar<int32_t>(first, 1), context.scalar<int32_t>(first + 1, 1), context.scalar<int32_t>(first + 2, 0)};
}

/// Axis of the window with everything but the output extent, and the padding at its end.
struct PaddedAxis {
  TransposedAxis axis;
  int64_t pad_after = 0;
};

PaddedAxis read_axis(const OperationContext& context, bool height) {
  const Strides strides = read_strides(context);
  PaddedAxis padded;
  padded.axis.stride = height ? strides.height : strides.width;
  padded.axis.filter = context.inputs[1].dims[height ? 1 : 2];
  if (is_explicit(context)) {
    padded.axis.pad_before = context.scalar<int32_t>(height ? 5 : 3, 0);
    padded.pad_after = context.scalar<int32_t>(height ? 6 : 4, 0);
  }
  return padded;
}

/// Padding scheme SAME, as the plain convolution from the output to the input would have it.
void set_same_padding(TransposedAxis& axis) {
  const int64_t steps = (axis.output + axis.stride - 1) / axis.stride;
  axis.pad_before = std::max<int64_t>(0, (steps - 1) * axis.stride + axis.filter - axis.output) / 2;
}

/// The axis as execute() needs it: the output extent is known.
TransposedAxis whole_axis(const OperationContext& context, bool height) {
  TransposedAxis axis = read_axis(context, height).axis;
  axis.output = context.outputs[0].dims[height ? 1 : 2];
  if (!is_explicit(context) && context.scalar<int32_t>(4, 0) == ANEURALNETWORKS_PADDING_SAME) set_same_padding(axis);
  return axis;
}

Status explicit_extent(const OperationContext& context, bool height, uint32_t* extent) {
  const PaddedAxis padded = read_axis(context, height);
  const int64_t in = context.input(0).dims[height ? 1 : 2];
  const int64_t out = (in - 1) * padded.axis.stride + padded.axis.filter - padded.axis.pad_before - padded.pad_after;
  if (out < 1 || out > std::numeric_limits<int32_t>::max()) {
    return op_failed("the output ", height ? "height" : "width", " would be ", out);
  }
  *extent = static_cast<uint32_t>(out);
  return {};
}

/// The output's dimensions from input 3, which is written in the layout of the images.
Status given_dims(const OperationContext& context, bool nchw, Dimensions* dims) {
  const int32_t* shape = context.in<int32_t>(3);
  const int32_t nhwc[] = {shape[0], shape[nchw ? 2 : 1], shape[nchw ? 3 : 2], shape[nchw ? 1 : 3]};
  const uint32_t batches = context.input(0).dims[0], depth = context.input(1).dims[0];
  if (nhwc[0] < 0 || static_cast<uint32_t>(nhwc[0]) != batches || nhwc[1] < 1 || nhwc[2] < 1 || nhwc[3] < 1 ||
      static_cast<uint32_t>(nhwc[3]) != depth) {
    return op_failed("an output of ", nhwc[0], " images of ", nhwc[1], " by ", nhwc[2], " pixels and ", nhwc[3],
                     " channels is asked for; ", batches, " images and ", depth, " channels are computed");
  }
  *dims = {batches, static_cast<uint32_t>(nhwc[1]), static_cast<uint32_t>(nhwc[2]), depth};
  return {};
}

template <bool nchw>
Status infer(OperationContext& context) {
  const Dimensions& in = context.input(0).dims;
  const OperandView& filter = context.input(1);
  AVOCET_RETURN_IF_FAILED(check_bias_scale(context.input(0), filter, context.input(2)));
  if (extent_product(filter.dims, 0, 4) == 0 || in[1] == 0 || in[2] == 0) {
    return op_failed("an input of shape ", dims_text(in), " or a filter of shape ", dims_text(filter.dims), " is empty");
  }
  if (std::max(filter.dims[1], filter.dims[2]) > uint32_t{std::numeric_limits<int32_t>::max()}) {
    return op_failed("a filter of shape ", dims_text(filter.dims), " is too large");
  }
  Dimensions& out = context.output(0).dims;
  if (!is_explicit(context)) return given_dims(context, nchw, &out);
  uint32_t height = 0, width = 0;
  AVOCET_RETURN_IF_FAILED(explicit_extent(context, true, &height));
  AVOCET_RETURN_IF_FAILED(explicit_extent(context, false, &width));
  out = {in[0], height, width, filter.dims[0]};
  return {};
}

/// Pixels that no tap reaches, which exist when a stride is larger than the filter, get what a sum of nothing gives.
template <typename T>
void fill_unreached(OperationContext& context, const TransposedAxis& height, const TransposedAxis& width, const T* pixel) {
  if (height.stride <= height.filter && width.stride <= width.filter) return;
  const size_t columns = context.output(0).dims[3], pixels = extent_product(context.output(0).dims, 0, 3);
  context.parallel_for(pixels, std::max<size_t>(1, 65536 / columns), [&](size_t begin, size_t end) {
    for (size_t p = begin; p < end; ++p) std::copy(pixel, pixel + columns, context.out<T>(0) + p * columns);
  });
}

void execute_float(OperationContext& context, const PreparedPhases& packed, const TransposedAxis& height,
                   const TransposedAxis& width) {
  const Range<float> range = float_activation_range(read_strides(context).activation);
  const float* bias = context.in<float>(2);
  std::vector<float> pixel(bias, bias + context.output(0).dims[3]);
  for (float& value : pixel) value = clamp_to(value, range);
  fill_unreached(context, height, width, pixel.data());
  const auto multiply = [&](size_t i, const PatchGeometry& geometry, const ProductBlock& block, float* to, size_t stride) {
    convolve_block(geometry, context.in<float>(0), block, packed.float_weights[i], bias, range, to, stride);
  };
  run_phases<float>(context, height, width, multiply);
}

Status execute_quantised(OperationContext& context, const PreparedPhases& packed, const TransposedAxis& height,
                         const TransposedAxis& width) {
  const OperandView& output = context.output(0);
  std::vector<QuantisedMultiplier> multipliers;
  AVOCET_RETURN_IF_FAILED(
      convolution_multipliers(FilteredLayer::kConvolution, context.input(0), context.input(1), output, &multipliers));
  const size_t columns = output.dims[3];
  const OutputStage stage(columns, context.in<int32_t>(2), multipliers, output.zero_point,
                          quantised_activation_range(read_strides(context).activation, output));
  std::vector<uint8_t> pixel(columns);
  constexpr int32_t kNothing[OutputStage::kWidth] = {};
  for (size_t c = 0; c < columns; c += OutputStage::kWidth) {
    stage.store(kNothing, c, pixel.data() + c, std::min(OutputStage::kWidth, columns - c));
  }
  fill_unreached(context, height, width, pixel.data());
  const QuantisedImages images = quantised_images(context.input(0));
  const auto multiply = [&](size_t i, const PatchGeometry& geometry, const ProductBlock& block, uint8_t* to, size_t stride) {
    convolve_block(geometry, images, block, packed.weights[i], stage, to, stride);
  };
  run_phases<uint8_t>(context, height, width, multiply);
  return {};
}

Status execute(OperationContext& context) {
  const TransposedAxis height = whole_axis(context, true), width = whole_axis(context, false);
  const bool quantised = is_quant8(context.input(0).type);
  const auto* packed = static_cast<const PreparedPhases*>(context.prepared);
  std::unique_ptr<PreparedPhases> packed_now;
  if (!packed) {
    packed_now = pack_phases(context.input(1), quantised, height, width);
    packed = packed_now.get();
  }
  if (quantised) return execute_quantised(context, *packed, height, width);
  execute_float(context, *packed, height, width);
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  const OperandView& filter = context.input(1);
  const size_t first_stride = is_explicit(context) ? 7 : 5;
  for (size_t i : {size_t{1}, first_stride, first_stride + 1}) {
    if (!context.input(i).constant || !context.input(i).data) return nullptr;
  }
  if (filter.dims.size() != 4) return nullptr;
  return pack_phases(filter, is_quant8(context.input(0).type), read_axis(context, true).axis, read_axis(context, false).axis);
}

constexpr Operation row() {
  Operation row = operation<kSignature, infer<false>, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_TRANSPOSE_CONV_2D,
                                                                                       "TRANSPOSE_CONV_2D");
  // infer() sees images as NHWC; the tensor with the output's shape stays as it was written.
  row.infer = [](OperationContext& context) {
    const bool nchw = context.scalar<uint8_t>(is_explicit(context) ? 10 : 8, 0) != 0;
    return infer_checked(kSignature, context, nchw ? infer<true> : infer<false>);
  };
  return row;
}

}  // namespace

constinit const Operation kTransposeConv2d = row();

}  // namespace avocet::runtime
