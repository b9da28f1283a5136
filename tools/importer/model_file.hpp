// SPDX-License-Identifier: Apache-2.0
// A model file of any format that can be imported.
#pragma once

#include <string>
#include <variant>

#include "importer/importer.hpp"
#include "importer/onnx/model.hpp"
#include "importer/tflite_file.hpp"

namespace avocet::tools {

using ModelFile = std::variant<TfliteFile, onnx::Model>;

/// Reads a TensorFlow Lite or ONNX file: by its identifier, else by the suffix .onnx, else by how it begins. Throws
/// InputError ("PATH: ...") when it cannot be read or is no well-formed model.
ModelFile read_model_file(const std::string& path);
/// Whether bytes and name are those of a model, as read_model_file() decides.
bool is_model_file(const std::vector<uint8_t>& bytes, const std::string& path);

/// Throws InputError for what the API cannot express.
ImportedModel import_model(const ModelFile& file, const ImportOptions& options = {});
/// Takes networks given as workloads, too; without `values` their seeded weights are shapes alone.
ImportedModel import_model(const std::string& path, const ImportOptions& options = {}, bool values = true);

}  // namespace avocet::tools
