// SPDX-License-Identifier: Apache-2.0
// Reads manifest.json and layers files; a missing or ill-typed key is an InputError that names the file.
#include "verify/manifest.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "input_error.hpp"

namespace avocet::tools {
namespace {

using nlohmann::json;

json read_json(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw InputError(path + ": cannot be opened");
  try {
    return json::parse(stream);
  } catch (const json::exception& error) {
    throw InputError(path + ": " + error.what());
  }
}

ManifestSample parse_sample(const json& sample, const json& model, const std::string& folder) {
  ManifestSample result;
  result.number = sample.at("n").get<int>();
  for (const json& file : sample.at("input_files")) result.input_files.push_back(folder + file.get<std::string>());
  const json& files = sample.at("output_files");
  for (size_t i = 0; i < files.size(); ++i) {
    ManifestOutput output{.file = folder + files[i].get<std::string>(), .crc32 = {}, .stored_as = {}};
    if (sample.contains("outputs")) output.crc32 = sample["outputs"].at(i).value("crc32", "");
    if (model.contains("outputs")) output.stored_as = model["outputs"].at(i).value("stored_as", "");
    result.outputs.push_back(std::move(output));
  }
  if (model.contains("layers")) {
    for (const json& layers : model["layers"]) {
      if (layers.at("n").get<int>() == result.number) result.layers_file = folder + layers.at("file").get<std::string>();
    }
  }
  return result;
}

}  // namespace

std::vector<ManifestModel> read_manifest(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const std::string path = fs::is_directory(directory, ignored) ? directory + "/manifest.json" : directory;
  const std::string folder = (fs::path(path).parent_path() / "").string();
  const json manifest = read_json(path);
  std::vector<ManifestModel> models;
  try {
    for (const auto& [name, model] : manifest.at("models").items()) {
      ManifestModel result{.name = name, .file = folder + model.at("file").get<std::string>(), .samples = {}};
      for (const json& sample : model.at("samples")) result.samples.push_back(parse_sample(sample, model, folder));
      models.push_back(std::move(result));
    }
  } catch (const json::exception& error) {
    throw InputError(path + ": " + error.what());
  }
  return models;
}

std::vector<LayerRecord> read_layers(const std::string& path) {
  const json layers = read_json(path);
  std::vector<LayerRecord> records;
  try {
    for (const json& layer : layers) {
      records.push_back({.op = layer.at("op").get<uint32_t>(),
                         .tensor = layer.at("tensor").get<int>(),
                         .type = layer.at("type").get<std::string>(),
                         .crc32 = layer.at("crc32").get<std::string>()});
    }
  } catch (const json::exception& error) {
    throw InputError(path + ": " + error.what());
  }
  return records;
}

}  // namespace avocet::tools
