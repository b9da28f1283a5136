// SPDX-License-Identifier: Apache-2.0
// MobileNetV2 1.0 at 224x224 as a model in float32: the published shapes with seeded weights, for measuring.
#pragma once

#include "nnapi/model_description.hpp"

namespace avocet::bench {

/// One input [1, 224, 224, 3], one output [1, 1001] of logits; 300.8 million multiplications.
tools::ModelDescription float_mobilenet_v2();

}  // namespace avocet::bench
