// SPDX-License-Identifier: Apache-2.0
// The shapes of well-known networks, with weights drawn from a seed.
#pragma once

#include "random_graph.hpp"

namespace avocet::compiler::test {

/// ResNet-50 for 224x224 pictures, strides in the 3x3 convolutions: 4.09 billion products.
void build_resnet50(GraphBuilder& builder);
/// MobileNetV2 of width 1.0 for 224x224 pictures: 0.30 billion products.
void build_mobilenet_v2(GraphBuilder& builder);

/// A 16x32 array as accel_model/configs/u65_*.json have it.
DeviceConfig u65(uint32_t sram_kib, uint32_t dram_millibytes_per_cycle);

}  // namespace avocet::compiler::test
