// SPDX-License-Identifier: Apache-2.0
#include "importer/model_file.hpp"

#include "importer/onnx/onnx_file.hpp"
#include "importer/onnx/onnx_importer.hpp"
#include "inputs/tensor_input.hpp"
#include "workload/workload.hpp"

namespace avocet::tools {
namespace {

bool is_tflite(const std::vector<uint8_t>& bytes) {
  return bytes.size() >= 8 && bytes[4] == 'T' && bytes[5] == 'F' && bytes[6] == 'L' && bytes[7] == '3';
}

bool is_onnx(const std::vector<uint8_t>& bytes, const std::string& path) {
  return !is_tflite(bytes) && (path.ends_with(".onnx") || onnx::looks_like_onnx(bytes));
}

}  // namespace

bool is_model_file(const std::vector<uint8_t>& bytes, const std::string& path) {
  return is_tflite(bytes) || is_onnx(bytes, path);
}

ModelFile read_model_file(const std::string& path) {
  std::vector<uint8_t> bytes = read_file(path);
  if (is_onnx(bytes, path)) return onnx::parse_onnx(bytes, path);
  return TfliteFile(std::move(bytes), path);
}

ImportedModel import_model(const ModelFile& file, const ImportOptions& options) {
  if (const auto* tflite = std::get_if<TfliteFile>(&file)) return import_tflite(*tflite);
  return onnx::import_onnx(std::get<onnx::Model>(file), options);
}

ImportedModel import_model(const std::string& path, const ImportOptions& options, bool values) {
  if (is_workload_path(path)) return import_workload(path, values);
  return import_model(read_model_file(path), options);
}

}  // namespace avocet::tools
