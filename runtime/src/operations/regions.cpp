// SPDX-License-Identifier: Apache-2.0
// Regions of interest: see regions.hpp.
#include "regions.hpp"

#include "failure.hpp"
#include "float16.hpp"
#include "real_values.hpp"
#include "shape.hpp"

namespace avocet::runtime {

Status read_regions(const OperationContext& context, std::vector<Region>* regions) {
  const Dimensions& in = context.input(0).dims;
  const float height = static_cast<float>(in[1]), width = static_cast<float>(in[2]);
  const float y_ratio = float_scalar(context, 5, 1), x_ratio = float_scalar(context, 6, 1);
  const std::vector<float> corners = real_values(context.input(1));
  const int32_t* image = context.in<int32_t>(2);
  regions->clear();
  for (size_t i = 0; i < corners.size() / 4; ++i) {
    if (image[i] < 0 || static_cast<uint32_t>(image[i]) >= in[0]) {
      return op_failed("region ", i, " belongs to image ", image[i], " of ", in[0]);
    }
    const Box given = box_at(corners, i);
    const Box box{given.x1 / x_ratio, given.y1 / y_ratio, given.x2 / x_ratio, given.y2 / y_ratio};
    if (!(box.is_ordered() && box.x1 >= 0 && box.y1 >= 0 && box.x2 <= width && box.y2 <= height)) {
      return op_failed("region ", i, " from ", given.x1, ", ", given.y1, " to ", given.x2, ", ", given.y2,
                       " is not within the image");
    }
    regions->push_back({static_cast<size_t>(image[i]), box});
  }
  return {};
}

Status region_output(OperationContext& context) {
  const Dimensions& in = context.input(0).dims;
  if (in[1] == 0 || in[2] == 0 || in[3] == 0) return op_failed("a feature map of shape ", dims_text(in), " is empty");
  context.output(0).dims = {context.input(1).dims[0], static_cast<uint32_t>(context.scalar<int32_t>(3, 1)),
                            static_cast<uint32_t>(context.scalar<int32_t>(4, 1)), in[3]};
  return {};
}

}  // namespace avocet::runtime
