// SPDX-License-Identifier: Apache-2.0
// A manifest.json of models, input files and expected output files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace avocet::tools {

struct ManifestOutput {
  std::string file;       // path of the raw tensor
  std::string crc32;      // of the whole tensor in its own type
  std::string stored_as;  // element type in the file where it differs ("uint8" for int64 cut down); else empty
};

struct ManifestSample {
  int number = 0;
  std::vector<std::string> input_files;
  std::vector<ManifestOutput> outputs;
  std::string layers_file;  // empty: none
};

struct ManifestModel {
  std::string name;
  std::string file;
  std::vector<ManifestSample> samples;
};

/// One row of a layers file: what an operator's output has to be.
struct LayerRecord {
  uint32_t op = 0;
  int tensor = 0;
  std::string type;
  std::string crc32;
};

/// Paths come out complete. `directory` may also name the manifest itself. Throws InputError.
std::vector<ManifestModel> read_manifest(const std::string& directory);
std::vector<LayerRecord> read_layers(const std::string& path);

}  // namespace avocet::tools
