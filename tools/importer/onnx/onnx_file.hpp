// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of an .onnx file. The only part that knows protobuf; its headers are heavy, so they stay in the one
// source.
#pragma once

#include <string>
#include <vector>

#include "importer/onnx/model.hpp"

namespace avocet::tools::onnx {

/// Throws InputError ("PATH: ...") when the bytes are no well-formed model; `path` is only for messages.
Model parse_onnx(const std::vector<uint8_t>& bytes, const std::string& path);

/// Whether these could be the first bytes of an ONNX model (there is no magic number).
bool looks_like_onnx(const std::vector<uint8_t>& bytes);

}  // namespace avocet::tools::onnx
