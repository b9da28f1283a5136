// SPDX-License-Identifier: Apache-2.0
// Where the input tensors of a run come from: raw files, pictures, or a seeded generator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "importer/importer.hpp"

namespace avocet::tools {

/// The whole file. Throws InputError.
std::vector<uint8_t> read_file(const std::string& path);

/// A raw little-endian tensor of exactly the input's size, or a picture. Throws InputError.
std::vector<uint8_t> read_tensor_input(const std::string& path, const ImportedTensor& tensor, size_t index);

/// Integers over the whole range of their type, floats in [-1, 1); the same on every machine.
std::vector<uint8_t> random_tensor_input(const ImportedTensor& tensor, uint64_t seed);

/// Inputs from `files` in order; the rest random.
std::vector<std::vector<uint8_t>> make_inputs(const ImportedModel& model, const std::vector<std::string>& files,
                                              uint64_t seed);

}  // namespace avocet::tools
