// SPDX-License-Identifier: Apache-2.0
// `verify` on a tiny manifest made here: equal outputs pass, a wrong byte fails and names the operator, what cannot be
// imported is skipped. Runs on the CPU path.
#include <gtest/gtest.h>

#include <fstream>

#include "inference/inference.hpp"
#include "input_error.hpp"
#include "report/crc32.hpp"
#include "report/temporary_directory.hpp"
#include "tflite_writer.hpp"
#include "verify/sample_verifier.hpp"

namespace avocet::tools {
namespace {

using test::TfliteWriter;
using tflite::BuiltinOperator;

class VerifyTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::vector<uint8_t>& bytes) {
    std::ofstream stream(folder_.path() + "/" + name, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void write(const std::string& name, const std::string& text) {
    write(name, std::vector<uint8_t>(text.begin(), text.end()));
  }
  /// relu then relu6 of int8 [4], scale 1, zero point 0; `second` is what the layers file expects of the second.
  void write_folder(const std::vector<uint8_t>& expected, const std::vector<uint8_t>& second) {
    TfliteWriter w;
    const int in = w.int8({1, 4}, 1.0f, 0);
    const int middle = w.int8({1, 4}, 1.0f, 0);
    const int out = w.int8({1, 4}, 1.0f, 0);
    w.op(BuiltinOperator::RELU, {in}, {middle});
    w.op(BuiltinOperator::RELU6, {middle}, {out});
    write("m.tflite", w.finish({in}, {out}));
    write("in.bin", std::vector<uint8_t>{0xfd, 3, 9, 0});
    write("out.bin", expected);
    const std::vector<uint8_t> first = {0, 3, 9, 0};
    write("layers.json", R"([{"op":0,"type":"RELU","tensor":1,"crc32":")" + crc32_text(first) +
                             R"("},{"op":1,"type":"RELU6","tensor":2,"crc32":")" + crc32_text(second) + R"("}])");
    write("manifest.json", R"({"models":{"m":{"file":"m.tflite","outputs":[{"type":"int8"}],)"
                           R"("layers":[{"n":0,"file":"layers.json"}],"samples":[{"n":0,"input_files":["in.bin"],)"
                           R"("output_files":["out.bin"],"outputs":[{"crc32":")" +
                               crc32_text(expected) + R"("}]}]}}})");
  }
  Outcome verify() {
    models_ = read_manifest(folder_.path());
    return SampleVerifier(DeviceChoice::cpu).verify(models_.at(0), models_.at(0).samples.at(0));
  }
  TemporaryDirectory folder_{"avocet-verify-test"};
  std::vector<ManifestModel> models_;
};

TEST_F(VerifyTest, EqualOutputsPass) {
  write_folder({0, 3, 6, 0}, {0, 3, 6, 0});
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.kind, Outcome::Kind::passed) << outcome.detail;
}

TEST_F(VerifyTest, ADifferenceNamesTheElementAndTheOperator) {
  write_folder({0, 3, 7, 0}, {0, 3, 7, 0});
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.kind, Outcome::Kind::failed);
  EXPECT_NE(outcome.detail.find("1 of 4 elements differ, the first at [0, 2]: got 6, expected 7"), std::string::npos)
      << outcome.detail;
  EXPECT_NE(outcome.detail.find("first differing operator 1 (RELU6), tensor 2"), std::string::npos) << outcome.detail;
}

TEST_F(VerifyTest, UnsupportedOperatorsAreSkippedWithTheReason) {
  write_folder({0, 3, 6, 0}, {0, 3, 6, 0});
  TfliteWriter w;
  const int in = w.int8({1, 4}, 1.0f, 0);
  const int out = w.int8({1, 4}, 1.0f, 0);
  w.op(BuiltinOperator::CUMSUM, {in}, {out});
  write("m.tflite", w.finish({in}, {out}));
  const Outcome outcome = verify();
  EXPECT_EQ(outcome.kind, Outcome::Kind::skipped);
  EXPECT_NE(outcome.detail.find("operator 0 (CUMSUM)"), std::string::npos) << outcome.detail;
}

TEST_F(VerifyTest, ADamagedModelFails) {
  write_folder({0, 3, 6, 0}, {0, 3, 6, 0});
  write("m.tflite", "rubbish");
  EXPECT_EQ(verify().kind, Outcome::Kind::failed);
}

TEST_F(VerifyTest, ADamagedManifestIsAnInputError) {
  EXPECT_THROW(read_manifest(folder_.path()), InputError);
  write("manifest.json", "{\"models\":{\"m\":{}}}");
  EXPECT_THROW(read_manifest(folder_.path()), InputError);
  write("manifest.json", "{");
  EXPECT_THROW(read_manifest(folder_.path()), InputError);
}

TEST(CompareOutput, UnderstandsInt64CutDownToBytes) {
  const TemporaryDirectory folder("avocet-verify-test");
  const std::string path = folder.path() + "/out.bin";
  std::ofstream(path, std::ios::binary) << std::string("\x05\x06", 2);
  ImportedTensor tensor;
  tensor.type = "int64";
  tensor.dims = {2};
  tensor.element_bytes = 8;
  TensorBytes got(16);
  got[0] = 5;
  got[8] = 6;
  EXPECT_FALSE(compare_output(tensor, got, {.file = path, .crc32 = crc32_text(got), .stored_as = "uint8"}));
  got[8] = 7;
  EXPECT_EQ(compare_output(tensor, got, {.file = path, .crc32 = "", .stored_as = "uint8"}),
            "1 of 2 elements differ, the first at [1]: got 7, expected 6");
}

}  // namespace
}  // namespace avocet::tools
