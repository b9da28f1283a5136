// SPDX-License-Identifier: Apache-2.0
// Pictures and raw files as input tensors.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "input_error.hpp"
#include "inputs/picture.hpp"
#include "inputs/tensor_input.hpp"
#include "report/temporary_directory.hpp"

namespace avocet::tools {
namespace {

class PictureTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  static ImportedTensor tensor(const std::string& type, std::vector<uint32_t> dims) {
    ImportedTensor t;
    t.type = type;
    t.dims = std::move(dims);
    t.element_bytes = type == "float32" ? 4 : 1;
    return t;
  }
  TemporaryDirectory folder_{"avocet-picture-test"};
};

TEST_F(PictureTest, GreyPixelsFillTheWholeRange) {
  const std::string path = write("a.pgm", std::string("P5\n2 2\n255\n") + std::string("\x00\x7f\x80\xff", 4));
  EXPECT_EQ(picture_to_tensor(path, tensor("uint8", {1, 2, 2, 1})), (std::vector<uint8_t>{0, 127, 128, 255}));
  EXPECT_EQ(picture_to_tensor(path, tensor("int8", {1, 2, 2, 1})), (std::vector<uint8_t>{0x80, 0xff, 0x00, 0x7f}));
  const auto floats = picture_to_tensor(path, tensor("float32", {1, 2, 2}));
  float last;
  std::memcpy(&last, floats.data() + 12, 4);
  EXPECT_EQ(last, 1.0f);
}

TEST_F(PictureTest, ColoursAreInterleavedOrInPlanes) {
  const std::string path = write("a.ppm", "P6\n2 1\n255\n\x01\x02\x03\x04\x05\x06");
  EXPECT_EQ(picture_to_tensor(path, tensor("uint8", {1, 1, 2, 3})), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(picture_to_tensor(path, tensor("uint8", {1, 3, 1, 2})), (std::vector<uint8_t>{1, 4, 2, 5, 3, 6}));
}

TEST_F(PictureTest, BmpIsReadBottomUpAndBlueFirst) {
  std::string bmp(54 + 8, '\0');
  bmp.replace(0, 2, "BM");
  bmp[2] = 62;
  bmp[10] = 54;
  bmp[14] = 40;
  bmp[18] = 1;  // width
  bmp[22] = 2;  // height
  bmp[26] = 1;
  bmp[28] = 24;
  bmp.replace(54, 8, std::string("\x03\x02\x01\x00\x06\x05\x04\x00", 8));
  const std::string path = write("a.bmp", bmp);
  EXPECT_EQ(picture_to_tensor(path, tensor("uint8", {1, 2, 1, 3})), (std::vector<uint8_t>{4, 5, 6, 1, 2, 3}));
}

TEST_F(PictureTest, ResizingKeepsAFlatColour) {
  const std::string path = write("a.pgm", "P5\n8 8\n255\n" + std::string(64, '\x42'));
  const auto bytes = picture_to_tensor(path, tensor("uint8", {1, 5, 3, 1}));
  EXPECT_EQ(bytes, std::vector<uint8_t>(15, 0x42));
}

TEST_F(PictureTest, RawFilesMustHaveTheSizeOfTheTensor) {
  const std::string path = write("a.bin", "12345");
  EXPECT_EQ(read_tensor_input(path, tensor("uint8", {5}), 0).size(), 5u);
  try {
    read_tensor_input(path, tensor("int8", {2, 3}), 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), path + ": 5 bytes, but input 1 (int8 [2, 3]) has 6");
  }
}

TEST_F(PictureTest, DamagedPicturesAndTensorsThatAreNoneAreRefused) {
  const std::string damaged = write("a.png", std::string("\x89PNG\r\n\x1a\nrubbish"));
  EXPECT_THROW(read_tensor_input(damaged, tensor("uint8", {1, 4, 4, 3}), 0), InputError);
  const std::string path = write("b.pgm", "P5\n1 1\n255\nx");
  EXPECT_THROW(picture_to_tensor(path, tensor("uint8", {1, 4, 4, 7})), InputError);
  EXPECT_THROW(picture_to_tensor(path, tensor("int32", {1, 4, 4, 3})), InputError);
  EXPECT_THROW(read_file(folder_.path() + "/missing"), InputError);
}

TEST_F(PictureTest, RandomInputsAreTheSameEveryTime) {
  const auto first = random_tensor_input(tensor("int8", {100}), 5);
  EXPECT_EQ(first, random_tensor_input(tensor("int8", {100}), 5));
  EXPECT_NE(first, random_tensor_input(tensor("int8", {100}), 6));
  const auto floats = random_tensor_input(tensor("float32", {100}), 5);
  for (size_t i = 0; i < 100; ++i) {
    float value;
    std::memcpy(&value, floats.data() + i * 4, 4);
    EXPECT_GE(value, -1.0f);
    EXPECT_LT(value, 1.0f);
  }
}

}  // namespace
}  // namespace avocet::tools
