// SPDX-License-Identifier: Apache-2.0
// A model file as a description of an NNAPI model, with what is needed to feed it and to read its results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nnapi/model_description.hpp"

namespace avocet::tools {

class TfliteFile;

/// A tensor of the file and the operand that stands for it.
struct ImportedTensor {
  int index = 0;  // in the file
  std::string name;
  std::string type;  // element type in the file: "int8", "int64", ...
  std::vector<uint32_t> dims;
  float scale = 0;  // 0: not quantised
  int32_t zero_point = 0;
  uint32_t operand = 0;
  size_t element_bytes = 0;  // in the file
  bool widened = false;      // int64 in the file, int32 in the API: results are widened after the execution

  size_t elements() const;
  /// Size of the buffer that the API is given.
  size_t operand_bytes() const;
};

/// One operator of the file and the operations that express it.
struct ImportedOperator {
  std::string name;
  uint32_t first_operation = 0;
  uint32_t operation_count = 0;
  std::vector<ImportedTensor> outputs;
};

/// What a file may leave open.
struct ImportOptions {
  /// Extents by the name of a symbolic dimension ("height"), or by input and axis ("image.2").
  std::map<std::string, uint32_t> dimensions{};
};

struct ImportedModel {
  std::string path;
  ModelDescription description;
  std::vector<ImportedTensor> inputs;
  std::vector<ImportedTensor> outputs;
  std::vector<ImportedOperator> operators;
};

/// Throws InputError: "PATH: operator 37 (FLOOR_MOD): ..." for what the API cannot express.
ImportedModel import_tflite(const std::string& path);
ImportedModel import_tflite(const TfliteFile& file);

/// Makes the outputs of every operator outputs of the model, in the order of the operators; a tensor appears once.
/// `model.outputs` becomes that list.
void expose_all_operators(ImportedModel& model);

}  // namespace avocet::tools
