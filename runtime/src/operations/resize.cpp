// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR, by size and by scale.
#include "row.hpp"
#include "rows.hpp"
#include "type_tables.hpp"

namespace avocet::runtime {
namespace {

using enum Type;

constexpr TypeRow kBilinearTypes[] = {{27, {kTensorFloat32, kFloat32}},
                                      {29, {kTensorFloat16, kFloat16}},
                                      {29, {kQuant8, kFloat32}},
                                      {30, {kQuant8Signed, kFloat32}}};
constexpr OperandRule kImage = image("input", kColumnA, "batches,height,width,depth");
constexpr OperandRule kAlign = boolean("align_corners").optional().since(30);
constexpr OperandRule kHalfPixel = boolean("half_pixel_centers").optional().since(30);

constexpr OperandRule kBilinearShape[] = {kImage, int32("out_width").range(1), int32("out_height").range(1),
                                          layout().optional().since(29), kAlign, kHalfPixel};
constexpr OperandRule kBilinearScale[] = {kImage, scalar("width_scale", kColumnB).range(kPositive),
                                          scalar("height_scale", kColumnB).range(kPositive), layout().optional().since(29), kAlign,
                                          kHalfPixel};
constexpr Form kBilinearInputs[] = {{.name = "by size", .operands = kBilinearShape},
                                    {.name = "by scale", .level = 29, .operands = kBilinearScale}};

constexpr OperandRule kNearestShape[] = {kImage, int32("out_width").range(1), int32("out_height").range(1), layout(), kAlign, kHalfPixel};
constexpr OperandRule kNearestScale[] = {kImage, scalar("width_scale", kColumnB).range(kPositive),
                                         scalar("height_scale", kColumnB).range(kPositive), layout(), kAlign, kHalfPixel};
constexpr Form kNearestInputs[] = {{.name = "by size", .operands = kNearestShape}, {.name = "by scale", .operands = kNearestScale}};

constexpr OperandRule kOutput[] = {image("output", kColumnA, "batches,out_height,out_width,depth").quantised_as_input(0)};
constexpr Form kOutputs[] = {{.operands = kOutput}};

constexpr Signature kBilinearSignature{
    .level = 27, .types = kBilinearTypes, .inputs = kBilinearInputs, .outputs = kOutputs, .zero_sized = true};
constexpr Signature kNearestSignature{
    .level = 29, .types = kBilinearTypes, .inputs = kNearestInputs, .outputs = kOutputs, .zero_sized = true};

}  // namespace

constinit const Operation kResizeBilinear = unimplemented<kBilinearSignature>(ANEURALNETWORKS_RESIZE_BILINEAR, "RESIZE_BILINEAR");
constinit const Operation kResizeNearestNeighbor =
    unimplemented<kNearestSignature>(ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR, "RESIZE_NEAREST_NEIGHBOR");

}  // namespace avocet::runtime
