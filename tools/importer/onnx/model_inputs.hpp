// SPDX-License-Identifier: Apache-2.0
// The model's inputs as operands.
#pragma once

#include "importer/onnx/conversion.hpp"

namespace avocet::tools::onnx {

/// Defines a value, and an operand that is a model input, for each. An extent that the file leaves open is what the
/// options say, else 1 in the first dimension; any other is refused. 8 bit inputs get scale and zero point from the
/// DequantizeLinear that reads them, or are plain numbers. int64 inputs are taken as int32. Throws InputError.
void define_model_inputs(Conversion& conversion, const ImportOptions& options, ImportedModel& imported);

}  // namespace avocet::tools::onnx
