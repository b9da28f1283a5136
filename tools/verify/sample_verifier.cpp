// SPDX-License-Identifier: Apache-2.0
// A difference is pinned to an operator by running the model again with every operator's output as a model output.
#include "verify/sample_verifier.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "input_error.hpp"
#include "importer/model_file.hpp"
#include "inputs/tensor_input.hpp"
#include "nnapi/operand_types.hpp"
#include "report/crc32.hpp"

namespace avocet::tools {
namespace {

/// The file's elements in the tensor's own type: int64 may be stored cut down to uint8.
TensorBytes expand_stored(TensorBytes stored, const std::string& stored_as, const ImportedTensor& tensor) {
  if (stored_as.empty() || stored_as == tensor.type) return stored;
  if (stored_as != "uint8") throw InputError("outputs stored as " + stored_as + " are not understood");
  TensorBytes bytes(stored.size() * tensor.element_bytes);
  for (size_t i = 0; i < stored.size(); ++i) bytes[i * tensor.element_bytes] = stored[i];
  return bytes;
}

double element(const TensorBytes& bytes, size_t i, const std::string& type) {
  const uint8_t* at = bytes.data();
  const auto load = [&](auto value) {
    std::memcpy(&value, at + i * sizeof value, sizeof value);
    return static_cast<double>(value);
  };
  if (type == "float32") return load(float{});
  if (type == "int32") return load(int32_t{});
  if (type == "int64") return load(int64_t{});
  if (type == "int16") return load(int16_t{});
  if (type == "int8") return load(int8_t{});
  return load(uint8_t{});
}

bool agree(double got, double want, bool is_float) {
  return is_float ? std::fabs(got - want) <= 1e-5 + 1e-5 * std::fabs(want) : got == want;
}

std::vector<TensorBytes> read_inputs(const ImportedModel& model, const ManifestSample& sample) {
  if (sample.input_files.size() != model.inputs.size()) throw InputError("the sample has another number of inputs");
  return make_inputs(model, sample.input_files, 0);
}

const ImportedTensor* output_of(const ImportedModel& model, const LayerRecord& layer) {
  if (layer.op >= model.operators.size()) return nullptr;
  for (const ImportedTensor& tensor : model.operators[layer.op].outputs) {
    if (tensor.index == layer.tensor) return &tensor;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> compare_output(const ImportedTensor& tensor, const TensorBytes& got,
                                          const ManifestOutput& expected) {
  const TensorBytes want = expand_stored(read_file(expected.file), expected.stored_as, tensor);
  if (want.size() != got.size()) {
    return std::to_string(got.size()) + " bytes, expected " + std::to_string(want.size());
  }
  const bool is_float = tensor.type == "float32";
  const size_t count = got.size() / tensor.element_bytes;
  size_t different = 0;
  size_t first = 0;
  for (size_t i = 0; i < count; ++i) {
    if (agree(element(got, i, tensor.type), element(want, i, tensor.type), is_float)) continue;
    if (different++ == 0) first = i;
  }
  if (different > 0) {
    char text[160];
    std::snprintf(text, sizeof text, "%zu of %zu elements differ, the first at %s: got %.9g, expected %.9g", different,
                  count, format_position(first, tensor.dims).c_str(), element(got, first, tensor.type),
                  element(want, first, tensor.type));
    return text;
  }
  if (!is_float && !expected.crc32.empty() && crc32_text(got) != expected.crc32) {
    return "crc32 " + crc32_text(got) + ", the manifest has " + expected.crc32;
  }
  return std::nullopt;
}

void SampleVerifier::load(const ManifestModel& model) {
  if (loaded_ == model.name) return;
  inference_.reset();
  unsupported_.clear();
  loaded_ = model.name;
  const ModelFile file = read_model_file(model.file);  // a file that cannot be read is a failure
  std::optional<ImportedModel> imported;
  try {
    imported = import_model(file);
  } catch (const InputError& error) {
    unsupported_ = error.what();
    return;
  }
  try {
    inference_ = std::make_unique<Inference>(std::move(*imported), device_);
  } catch (const ModelRefused& error) {
    unsupported_ = error.what();
  }
}

std::string SampleVerifier::find_operator(const ManifestModel& model, const ManifestSample& sample,
                                          const std::vector<TensorBytes>& inputs) const {
  if (sample.layers_file.empty()) return "";
  ImportedModel exposed = import_model(model.file);
  expose_all_operators(exposed);
  Inference inference(std::move(exposed), device_);
  const InferenceResult result = inference.run(inputs);
  for (const LayerRecord& layer : read_layers(sample.layers_file)) {
    const ImportedTensor* tensor = output_of(inference.model(), layer);
    if (!tensor || tensor->type == "float32") continue;
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      if (inference.model().outputs[i].index != layer.tensor) continue;
      const std::string got = crc32_text(result.outputs[i]);
      if (got != layer.crc32) {
        return "; first differing operator " + std::to_string(layer.op) + " (" + layer.type + "), tensor " +
               std::to_string(layer.tensor) + ": crc32 " + got + ", expected " + layer.crc32;
      }
    }
  }
  return "; no operator differs when every operator's output is a model output";
}

Outcome SampleVerifier::verify(const ManifestModel& model, const ManifestSample& sample) {
  try {
    load(model);
    if (!inference_) {
      if (unsupported_.empty()) unsupported_ = "the model could not be compiled";
      return Outcome::skipped(unsupported_);
    }
    const auto inputs = read_inputs(inference_->model(), sample);
    const InferenceResult result = inference_->run(inputs);
    Outcome outcome;
    outcome.npu_operations = result.profile.npu_operations;
    if (sample.outputs.size() != result.outputs.size()) return Outcome::failed("another number of outputs");
    for (size_t i = 0; i < result.outputs.size(); ++i) {
      const auto difference = compare_output(inference_->model().outputs[i], result.outputs[i], sample.outputs[i]);
      if (!difference) continue;
      return Outcome::failed("output " + std::to_string(i) + ": " + *difference + find_operator(model, sample, inputs));
    }
    char text[120];
    std::snprintf(text, sizeof text, "%u operations on NPU, %u on CPU, %.1f ms", result.profile.npu_operations,
                  result.profile.cpu_operations, result.host_seconds * 1e3);
    outcome.detail = text;
    return outcome;
  } catch (const std::exception& error) {
    loaded_.clear();
    return Outcome::failed(error.what());
  }
}

}  // namespace avocet::tools
