// SPDX-License-Identifier: Apache-2.0
// BMP, PNG, JPEG and PGM/PPM pictures as input tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "importer/importer.hpp"

namespace avocet::tools {

struct Picture {
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t channels = 0;  // 1, 3 or 4
  std::vector<uint8_t> pixels;  // row major, channels interleaved
};

/// Whether the file begins like a picture of one of these kinds.
bool looks_like_picture(const std::string& path);

/// Decodes with this number of channels. Throws InputError ("PATH: ...").
Picture load_picture(const std::string& path, uint32_t channels);

/// Resizes the whole picture; the aspect ratio is not kept.
Picture resize_picture(const Picture& picture, uint32_t width, uint32_t height);

/// The tensor's bytes. The pixel range 0..255 becomes the whole range of an 8-bit tensor, so quantised value = pixel for
/// uint8 and pixel - 128 for int8; float32 tensors get 0..1. Channels first where the tensor's dimensions say so.
/// Throws InputError when the tensor is no picture.
std::vector<uint8_t> picture_to_tensor(const std::string& path, const ImportedTensor& tensor);

}  // namespace avocet::tools
