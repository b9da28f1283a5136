// SPDX-License-Identifier: Apache-2.0
// An imported model, compiled once and run any number of times through the C API.
#pragma once

#include <avocet/runtime/introspection.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "importer/importer.hpp"
#include "input_error.hpp"
#include "nnapi/device_choice.hpp"
#include "nnapi/model_builder.hpp"

namespace avocet::tools {

using TensorBytes = std::vector<uint8_t>;

struct InferenceResult {
  std::vector<TensorBytes> outputs;  // in the file's element types
  double host_seconds = 0;           // of the execution alone
  runtime::ExecutionProfile profile;
};

/// The API does not accept the model itself (as opposed to failing to compile or to run it).
class ModelRefused : public InputError {
 public:
  using InputError::InputError;
};

class Inference {
 public:
  /// Builds and compiles. Throws ModelRefused when the model is not accepted, InputError when it cannot be compiled.
  /// Not copyable or movable: the API may keep pointers into the model's constants.
  Inference(ImportedModel model, DeviceChoice device);
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  const ImportedModel& model() const { return model_; }
  const ANeuralNetworksCompilation* compilation() const { return compilation_.get(); }
  std::vector<runtime::Placement> placements() const { return runtime::placements(compilation_.get()); }

  /// Runs once. `inputs` have the sizes of the model's inputs. Throws ApiError.
  InferenceResult run(const std::vector<TensorBytes>& inputs);

 private:
  ImportedModel model_;
  BuiltModel built_;
  CompilationHandle compilation_;
  unsigned runs_ = 0;
};

}  // namespace avocet::tools
