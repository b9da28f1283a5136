// SPDX-License-Identifier: Apache-2.0
// CONV_2D as a matrix product: each output pixel's patch times the filters, packed once per compilation when they are constant.
#include <memory>
#include <optional>

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
constexpr OperandRule kFilter = shaped("filter", kColumnB, "depth_out,filter_height,filter_width,depth_in").channel(0);
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
                                     activation(),
                                     kLayout,
                                     kDilationWidth,
                                     kDilationHeight};
constexpr Form kInputs[] = {{.name = "implicit padding", .operands = kImplicit}, {.name = "explicit padding", .operands = kExplicit}};
constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth_out")};
constexpr Form kOutputs[] = {{.operands = kOutput}};
constexpr Signature kSignature{
    .level = 27, .types = kConvolutionTypes, .inputs = kInputs, .outputs = kOutputs, .zero_sized = true};

constexpr WindowLayout kWindow{.first = 3};

Status infer(OperationContext& context) {
  const OperandView& filter = context.input(1);
  AVOCET_RETURN_IF_FAILED(check_bias_scale(context.input(0), filter, context.input(2)));
  if (filter.dims[0] == 0) return op_failed("there is no filter");
  const Window2d window = read_window(context, kWindow, &filter.dims[1]);
  uint32_t height = 0, width = 0;
  AVOCET_RETURN_IF_FAILED(window_output(context, window, &height, &width));
  context.output(0).dims = {context.input(0).dims[0], height, width, filter.dims[0]};
  return {};
}

PatchGeometry geometry_of(const OperationContext& context) {
  const Dimensions& in = context.inputs[0].dims;
  const Dimensions& out = context.outputs[0].dims;
  return {.height = in[1],
          .width = in[2],
          .image_channels = in[3],
          .channels = in[3],
          .out_height = out[1],
          .out_width = out[2],
          .window = read_window(context, kWindow, &context.inputs[1].dims[1])};
}

struct PreparedConvolution : PreparedState {
  std::optional<PackedWeights> weights;
  std::optional<PackedFloatWeights> float_weights;
  std::optional<OutputStage> stage;
};

PackedWeights pack_quantised(const OperandView& filter) {
  return pack_filters(filter, filter.data, filter.dims[0], extent_product(filter.dims, 1, 4));
}

PackedFloatWeights pack_float(const OperandView& filter) {
  return {filter.as<float>(), filter.dims[0], extent_product(filter.dims, 1, 4)};
}

Status make_stage(const OperationContext& context, int32_t activation, std::optional<OutputStage>* stage) {
  std::vector<QuantisedMultiplier> multipliers;
  const OperandView& output = context.outputs[0];
  AVOCET_RETURN_IF_FAILED(
      convolution_multipliers(FilteredLayer::kConvolution, context.input(0), context.input(1), output, &multipliers));
  stage->emplace(context.input(1).dims[0], context.in<int32_t>(2), multipliers, output.zero_point,
                 quantised_activation_range(activation, output));
  return {};
}

Status execute_float(OperationContext& context) {
  const PatchGeometry geometry = geometry_of(context);
  const auto* prepared = static_cast<const PreparedConvolution*>(context.prepared);
  std::optional<PackedFloatWeights> packed_now;
  const PackedFloatWeights& weights =
      prepared && prepared->float_weights ? *prepared->float_weights : packed_now.emplace(pack_float(context.input(1)));
  const size_t columns = weights.columns(), rows = extent_product(context.output(0).dims, 0, 3);
  const Range<float> range = float_activation_range(geometry.window.activation);
  const size_t row_bytes = weights.depth() * sizeof(float);
  for_product_blocks(context, rows, row_bytes, weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
    convolve_block(geometry, context.in<float>(0), {r0, r1, p0, p1}, weights, context.in<float>(2), range,
                   context.out<float>(0) + r0 * columns, columns);
  });
  return {};
}

Status execute_quantised(OperationContext& context) {
  const PatchGeometry geometry = geometry_of(context);
  const auto* prepared = static_cast<const PreparedConvolution*>(context.prepared);
  std::optional<PackedWeights> packed_now;
  const PackedWeights& weights =
      prepared && prepared->weights ? *prepared->weights : packed_now.emplace(pack_quantised(context.input(1)));
  std::optional<OutputStage> stage_now;
  if (!prepared || !prepared->stage) AVOCET_RETURN_IF_FAILED(make_stage(context, geometry.window.activation, &stage_now));
  const OutputStage& stage = stage_now ? *stage_now : *prepared->stage;

  const QuantisedImages images = quantised_images(context.input(0));
  const size_t columns = weights.columns(), rows = extent_product(context.output(0).dims, 0, 3);
  const size_t row_bytes = weights.row_length() * sizeof(int16_t);
  for_product_blocks(context, rows, row_bytes, weights.panels(), [&](size_t r0, size_t r1, size_t p0, size_t p1) {
    convolve_block(geometry, images, {r0, r1, p0, p1}, weights, stage, context.out<uint8_t>(0) + r0 * columns, columns);
  });
  return {};
}

Status execute(OperationContext& context) {
  return is_quant8(context.input(0).type) ? execute_quantised(context) : execute_float(context);
}

std::unique_ptr<PreparedState> prepare(const OperationContext& context) {
  const OperandView& filter = context.input(1);
  if (!filter.constant || !filter.data) return nullptr;
  auto prepared = std::make_unique<PreparedConvolution>();
  if (!is_quant8(context.input(0).type)) {
    prepared->float_weights.emplace(pack_float(filter));
    return prepared;
  }
  prepared->weights.emplace(pack_quantised(filter));
  // The activation is read again at execution if it is not known now.
  const bool is_explicit = context.inputs.size() >= 10 && context.input(7).type == ANEURALNETWORKS_INT32;
  const OperandView& activation = context.input(is_explicit ? 9 : 6);
  if (context.input(2).constant && context.input(2).data && activation.constant && activation.data) {
    const Status status = make_stage(context, *activation.as<int32_t>(), &prepared->stage);
    if (!status.ok()) prepared->stage.reset();  // execute() meets the same failure and reports it
  }
  return prepared;
}

}  // namespace

constinit const Operation kConv2d =
    operation<kSignature, infer, execute, Halves::kWidened, prepare>(ANEURALNETWORKS_CONV_2D, "CONV_2D");

}  // namespace avocet::runtime
