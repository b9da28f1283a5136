// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV_2D: the gradient of a convolution, each input pixel spread over the output by the filter.
#include "row.hpp"
#include "rows.hpp"
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

}  // namespace

constinit const Operation kTransposeConv2d = unimplemented<kSignature>(ANEURALNETWORKS_TRANSPOSE_CONV_2D, "TRANSPOSE_CONV_2D");

}  // namespace avocet::runtime
