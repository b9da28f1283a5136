// SPDX-License-Identifier: Apache-2.0
// GROUPED_CONV_2D: a convolution of each group of channels with filters of its own, group by group the matrix products of
// CONV_2D on a view of the image.
#include <memory>
#include <vector>

#include "convolution_product.hpp"
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
constexpr OperandRule kFilter = shaped("filter", kColumnB, "depth_out,filter_height,filter_width,depth_group").channel(0);
constexpr OperandRule kBias = shaped("bias", kColumnC, "depth_out");

constexpr OperandRule kImplicit[] = {kInputImage,
                                     kFilter,
                                     kBias,
                                     padding_scheme(),
                                     int32("stride_width").range(1),
                                     int32("stride_height").range(1),
                                     int32("num_groups").range(1),
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
                                     int32("num_groups").range(1),
                                     activation(),
                                     layout()};
constexpr Form kInputs[] = {{.name = "implicit padding", .operands = kImplicit}, {.name = "explicit padding", .operands = kExplicit}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth_out")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{.level = 29, .types = kConvolutionTypes, .inputs = kInputs, .outputs = kOutputs};

constexpr WindowLayout kWindow{.first = 3, .multiplier_input = true};  // the group count stands where a multiplier would

Status infer(OperationContext& context) {
  const Dimensions& in = context.input(0).dims;
  const OperandView& filter = context.input(1);
  AVOCET_RETURN_IF_FAILED(check_bias_scale(context.input(0), filter, context.input(2)));
  const Window2d window = read_window(context, kWindow, &filter.dims[1]);
  const uint32_t groups = static_cast<uint32_t>(window.multiplier);
  if (uint64_t{groups} * filter.dims[3] != in[3] || filter.dims[0] % groups != 0) {
    return op_failed("an input of ", in[3], " channels and a filter of shape ", dims_text(filter.dims),
                     " cannot be divided into ", groups, " groups");
  }
  uint32_t height = 0, width = 0;
  AVOCET_RETURN_IF_FAILED(window_output(context, window, &height, &width));
  context.output(0).dims = {in[0], height, width, filter.dims[0]};
  return {};
}

/// Geometry of group 0; the others start at later channels.
PatchGeometry geometry_of(const OperationContext& context) {
  const Dimensions& in = context.inputs[0].dims;
  const Dimensions& out = context.outputs[0].dims;
  return {.height = in[1],
          .width = in[2],
          .image_channels = in[3],
          .channels = context.inputs[1].dims[3],
          .out_height = out[1],
          .out_width = out[2],
          .window = read_window(context, kWindow, &context.inputs[1].dims[1])};
}

/// Filters of each group; one of the two is empty.
struct PreparedGroups : PreparedState {
  std::vector<PackedWeights> weights;
  std::vector<PackedFloatWeights> float_weights;
};

std::unique_ptr<PreparedGroups> pack(const OperandView& input, const OperandView& filter, size_t groups) {
  auto packed = std::make_unique<PreparedGroups>();
  const size_t columns = filter.dims[0] / groups, depth = extent_product(filter.dims, 1, 4);
  for (size_t g = 0; g < groups; ++g) {
    const size_t first = g * columns * depth;
    if (is_quant8(input.type)) {
      packed->weights.push_back(pack_filters(filter, filter.as<uint8_t>() + first, columns, depth));
    } else {
      packed->float_weights.emplace_back(filter.as<float>() + first, columns, depth);
    }
  }
  return packed;
}

/// Calls body(group, context for its product): many groups are given to the threads whole, few are divided further.
template <typename Body>
void for_groups(const OperationContext& context, size_t groups, const Body& body) {
  constexpr size_t kMany = 8;
  if (groups < kMany) {
    for (size_t g = 0; g < groups; ++g) body(g, context);
    return;
  }
  OperationContext alone = context;
  alone.parallel = nullptr;
  context.parallel_for(groups, 1, [&](size_t begin, size_t end) {
    for (size_t g = begin; g < end; ++g) body(g, alone);
  });
}

void execute_float(OperationContext& context, const PreparedGroups& packed) {
  const PatchGeometry plain = geometry_of(context);
  const size_t rows = extent_product(context.output(0).dims, 0, 3), depth_out = context.output(0).dims[3];
  const Range<float> range = float_activation_range(plain.window.activation);
  for_groups(context, packed.float_weights.size(), [&](size_t g, const OperationContext& divisible) {
    const PackedFloatWeights& weights = packed.float_weights[g];
    PatchGeometry geometry = plain;
    geometry.first_channel = g * plain.channels;
    const float* bias = context.in<float>(2) + g * weights.columns();
    float* out = context.out<float>(0) + g * weights.columns();
    const size_t row_bytes = weights.depth() * sizeof(float);
    for_product_blocks(divisible, rows, row_bytes, weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
      convolve_block(geometry, context.in<float>(0), {r0, r1, p0, p1}, weights, bias, range, out + r0 * depth_out, depth_out);
    });
  });
}

Status execute_quantised(OperationContext& context, const PreparedGroups& packed) {
  const PatchGeometry plain = geometry_of(context);
  const OperandView& output = context.output(0);
  std::vector<QuantisedMultiplier> multipliers;
  AVOCET_RETURN_IF_FAILED(
      convolution_multipliers(FilteredLayer::kConvolution, context.input(0), context.input(1), output, &multipliers));
  const size_t rows = extent_product(output.dims, 0, 3), depth_out = output.dims[3];
  const QuantisedImages images = quantised_images(context.input(0));
  const Range<int32_t> range = quantised_activation_range(plain.window.activation, output);
  for_groups(context, packed.weights.size(), [&](size_t g, const OperationContext& divisible) {
    const PackedWeights& weights = packed.weights[g];
    const size_t columns = weights.columns();
    const std::span<const QuantisedMultiplier> all(multipliers);
    const OutputStage stage(columns, context.in<int32_t>(2) + g * columns,
                            all.size() == 1 ? all : all.subspan(g * columns, columns), output.zero_point, range);
    PatchGeometry geometry = plain;
    geometry.first_channel = g * plain.channels;
    uint8_t* out = context.out<uint8_t>(0) + g * columns;
    const size_t row_bytes = weights.row_length() * sizeof(int16_t);
    for_product_blocks(divisible, rows, row_bytes, weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
      convolve_block(geometry, images, {r0, r1, p0, p1}, weights, stage, out + r0 * depth_out, depth_out);
    });
  });
  return {};
}

Status execute(OperationContext& context) {
  const auto* packed = static_cast<const PreparedGroups*>(context.prepared);
  std::unique_ptr<PreparedGroups> packed_now;
  if (!packed) {
    packed_now = pack(context.input(0), context.input(1), context.input(0).dims[3] / context.input(1).dims[3]);
    packed = packed_now.get();
  }
  if (is_quant8(context.input(0).type)) return execute_quantised(context, *packed);
  execute_float(context, *packed);
  return {};
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  const OperandView& filter = context.input(1);
  const bool is_explicit = context.inputs.size() == std::size(kExplicit);
  const OperandView& groups = context.input(is_explicit ? 9 : 6);
  if (!filter.constant || !filter.data || !groups.constant || !groups.data) return nullptr;
  const uint32_t count = static_cast<uint32_t>(*groups.as<int32_t>());
  // What does not fit together is reported by infer().
  if (filter.dims.size() != 4 || filter.dims[0] % count != 0 || filter.dims[0] == 0) return nullptr;
  return pack(context.input(0), filter, count);
}

}  // namespace

constinit const Operation kGroupedConv2d =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_GROUPED_CONV_2D, "GROUPED_CONV_2D");

}  // namespace avocet::runtime
