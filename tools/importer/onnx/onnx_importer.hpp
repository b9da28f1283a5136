// SPDX-License-Identifier: Apache-2.0
// An ONNX model as a description of an NNAPI model.
#pragma once

#include "importer/importer.hpp"
#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

/// Throws InputError: "PATH: node 12 (Einsum 'name'): ..." for what the API cannot express.
ImportedModel import_onnx(Model model, const ImportOptions& options = {});

}  // namespace avocet::tools::onnx
