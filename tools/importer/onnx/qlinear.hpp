// SPDX-License-Identifier: Apache-2.0
// The QLinear operators are the QDQ form in one node. They are written out as it, so that both take the same way.
#pragma once

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

/// Replaces each QLinear node of the standard and of Microsoft's operators by DequantizeLinear nodes, the float
/// operator and a QuantizeLinear. Throws InputError for one that lacks inputs.
void expand_qlinear_nodes(Model& model);

}  // namespace avocet::tools::onnx
