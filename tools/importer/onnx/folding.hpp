// SPDX-License-Identifier: Apache-2.0
// Nodes whose result is known at import: constants, shapes, and what is computed from them.
#pragma once

#include "importer/onnx/conversion.hpp"

namespace avocet::tools::onnx {

/// Whether the node's outputs became constants (or, for moved bytes, dequantised constants). False: it has to be
/// converted. Throws std::runtime_error when the node is one that cannot be right.
bool fold_node(Conversion& conversion, const Node& node);

}  // namespace avocet::tools::onnx
