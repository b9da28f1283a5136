// SPDX-License-Identifier: Apache-2.0
// Decoding and resizing through stb; the mapping of pixels to tensor elements is ours.
#include "inputs/picture.hpp"

#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>

#include <cstring>
#include <fstream>

#include "input_error.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

struct PictureLayout {
  uint32_t width, height, channels;
  bool channels_first;
};

/// [1, H, W, C], [1, C, H, W], [1, H, W] or [H, W].
PictureLayout layout_of(const ImportedTensor& tensor, const std::string& path) {
  std::vector<uint32_t> dims = tensor.dims;
  while (dims.size() > 3 && dims.front() == 1) dims.erase(dims.begin());
  if (dims.size() == 2) return {.width = dims[1], .height = dims[0], .channels = 1, .channels_first = false};
  if (dims.size() == 3 && (dims[2] == 1 || dims[2] == 3 || dims[2] == 4)) {
    return {.width = dims[1], .height = dims[0], .channels = dims[2], .channels_first = false};
  }
  if (dims.size() == 3 && (dims[0] == 1 || dims[0] == 3)) {
    return {.width = dims[2], .height = dims[1], .channels = dims[0], .channels_first = true};
  }
  throw InputError(path + ": a picture does not fit an input of shape " + format_dimensions(tensor.dims));
}

void append_pixel(std::vector<uint8_t>& bytes, uint8_t pixel, const std::string& type) {
  if (type == "uint8") {
    bytes.push_back(pixel);
  } else if (type == "int8") {
    bytes.push_back(pixel ^ 0x80);
  } else {
    const float value = static_cast<float>(pixel) / 255.0f;
    const size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
}

}  // namespace

bool looks_like_picture(const std::string& path) {
  unsigned char head[8] = {};
  std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(head), sizeof head);
  const bool bmp = head[0] == 'B' && head[1] == 'M';
  const bool png = std::memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0;
  const bool jpeg = head[0] == 0xff && head[1] == 0xd8 && head[2] == 0xff;
  const bool pnm = head[0] == 'P' && (head[1] == '5' || head[1] == '6') && (head[2] == '\n' || head[2] == ' ');
  return bmp || png || jpeg || pnm;
}

Picture load_picture(const std::string& path, uint32_t channels) {
  int width = 0;
  int height = 0;
  int in_file = 0;
  stbi_uc* pixels = stbi_load(path.c_str(), &width, &height, &in_file, static_cast<int>(channels));
  if (!pixels) throw InputError(path + ": not a readable picture (" + stbi_failure_reason() + ")");
  Picture picture{.width = static_cast<uint32_t>(width), .height = static_cast<uint32_t>(height), .channels = channels,
                  .pixels = {}};
  picture.pixels.assign(pixels, pixels + static_cast<size_t>(width) * static_cast<size_t>(height) * channels);
  stbi_image_free(pixels);
  return picture;
}

Picture resize_picture(const Picture& picture, uint32_t width, uint32_t height) {
  if (picture.width == width && picture.height == height) return picture;
  Picture resized{.width = width, .height = height, .channels = picture.channels, .pixels = {}};
  resized.pixels.resize(static_cast<size_t>(width) * height * picture.channels);
  if (!stbir_resize_uint8(picture.pixels.data(), static_cast<int>(picture.width), static_cast<int>(picture.height), 0,
                          resized.pixels.data(), static_cast<int>(width), static_cast<int>(height), 0,
                          static_cast<int>(picture.channels))) {
    throw InputError("a picture could not be resized to " + std::to_string(width) + "x" + std::to_string(height));
  }
  return resized;
}

std::vector<uint8_t> picture_to_tensor(const std::string& path, const ImportedTensor& tensor) {
  if (tensor.type != "uint8" && tensor.type != "int8" && tensor.type != "float32") {
    throw InputError(path + ": a picture does not fit an input of type " + tensor.type);
  }
  const PictureLayout layout = layout_of(tensor, path);
  const Picture picture = resize_picture(load_picture(path, layout.channels), layout.width, layout.height);
  std::vector<uint8_t> bytes;
  bytes.reserve(tensor.operand_bytes());
  const size_t plane = static_cast<size_t>(layout.width) * layout.height;
  for (size_t i = 0; i < plane * layout.channels; ++i) {
    const size_t source = layout.channels_first ? (i % plane) * layout.channels + i / plane : i;
    append_pixel(bytes, picture.pixels[source], tensor.type);
  }
  return bytes;
}

}  // namespace avocet::tools
