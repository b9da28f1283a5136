// SPDX-License-Identifier: Apache-2.0
// Sizes are checked against the model, so what reaches the API always has the length it expects.
#include "inputs/tensor_input.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "input_error.hpp"
#include "inputs/picture.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools {

std::vector<uint8_t> read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw InputError(path + ": is a directory");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError(path + ": cannot be opened");
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InputError(path + ": cannot be read");
  return bytes;
}

std::vector<uint8_t> read_tensor_input(const std::string& path, const ImportedTensor& tensor, size_t index) {
  std::vector<uint8_t> bytes = read_file(path);
  // A raw tensor may begin with any bytes: the size decides first.
  if (bytes.size() == tensor.operand_bytes()) return bytes;
  if (looks_like_picture(path)) return picture_to_tensor(path, tensor);
  throw InputError(path + ": " + std::to_string(bytes.size()) + " bytes, but input " + std::to_string(index) + " (" +
                   tensor.type + " " + format_dimensions(tensor.dims) + ") has " +
                   std::to_string(tensor.operand_bytes()));
}

std::vector<uint8_t> random_tensor_input(const ImportedTensor& tensor, uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<uint8_t> bytes(tensor.operand_bytes());
  if (tensor.type == "float32") {
    for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      const float value = static_cast<float>(static_cast<int64_t>(generator() >> 40) - (1 << 23)) / (1 << 23);
      std::memcpy(bytes.data() + at, &value, 4);
    }
  } else if (tensor.type == "float16") {
    for (size_t at = 0; at + 2 <= bytes.size(); at += 2) {
      const uint16_t value = half_from_double(static_cast<double>(static_cast<int64_t>(generator() >> 53) - 1024) / 1024);
      std::memcpy(bytes.data() + at, &value, 2);
    }
  } else {
    const uint8_t mask = tensor.type == "bool" ? 1 : 0xff;
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(generator() >> 56) & mask;
  }
  return bytes;
}

std::vector<std::vector<uint8_t>> make_inputs(const ImportedModel& model, const std::vector<std::string>& files,
                                              uint64_t seed) {
  if (files.size() > model.inputs.size()) {
    throw InputError(model.path + ": " + std::to_string(files.size()) + " inputs given, the model has " +
                     std::to_string(model.inputs.size()));
  }
  std::vector<std::vector<uint8_t>> inputs;
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    inputs.push_back(i < files.size() ? read_tensor_input(files[i], model.inputs[i], i)
                                      : random_tensor_input(model.inputs[i], seed + i));
  }
  return inputs;
}

}  // namespace avocet::tools
