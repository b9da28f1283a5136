// SPDX-License-Identifier: Apache-2.0
// From one 8 bit quantisation to another.
#pragma once

#include "importer/operand_builder.hpp"

namespace avocet::tools {

/// Emits what turns quantised `input` into quantised `output` of another scale, zero point or signedness, applying
/// `activation` (a scalar operand), with TensorFlow Lite's integer rounding.
void emit_requantise(OperandBuilder& graph, uint32_t input, uint32_t output, uint32_t activation);

}  // namespace avocet::tools
