// SPDX-License-Identifier: Apache-2.0
// Regions of interest in the coordinates of a feature map, checked, for ROI_ALIGN and ROI_POOLING, whose first seven inputs
// are the same.
#pragma once

#include <vector>

#include "boxes.hpp"
#include "operation.hpp"

namespace avocet::runtime {

struct Region {
  size_t image;
  Box box;
};

/// Regions from inputs 1, 2, 5 and 6 (boxes, images, ratios), which lie within the feature map, input 0 in NHWC.
/// OP_FAILED for one with an image that is not there, corners out of order, or a part outside.
Status read_regions(const OperationContext& context, std::vector<Region>* regions);

/// Output dimensions for input 0 in NHWC: regions, inputs 3 and 4, channels.
Status region_output(OperationContext& context);

}  // namespace avocet::runtime
