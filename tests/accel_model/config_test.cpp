// SPDX-License-Identifier: Apache-2.0
// Configuration files: defaults, round trip, messages, the reference page. AVOCET_REGENERATE=1 rewrites the page.
#include "config.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "config_keys.hpp"

namespace avocet::model {
namespace {

const std::string kFolder = AVOCET_SOURCE_DIR "/accel_model/configs/";

std::string message_of(const std::string &text, const char *engine = nullptr) {
  try {
    parse_config(text, "hw.json", engine);
  } catch (const ConfigError &error) {
    return error.what();
  }
  return "";
}

TEST(Config, DefaultsAreAvocet256) {
  EXPECT_EQ(config_text(read_config(nullptr, nullptr)), config_text(read_config((kFolder + "avocet_256.json").c_str(), nullptr)));
}

TEST(Config, EveryFileReadsAndPrintsBack) {
  const struct {
    const char *file, *engine;
    uint32_t multipliers;
  } rows[] = {{"avocet_64.json", "rtl", 64}, {"avocet_256.json", "rtl", 256}, {"avocet_1024.json", "rtl", 1024},
              {"u65_384k.json", "timed", 512}, {"u65_512k.json", "timed", 512}};
  for (const auto &[file, engine, multipliers] : rows) {
    Config config = read_config((kFolder + file).c_str(), engine);
    EXPECT_EQ(config.name + ".json", file);
    EXPECT_EQ(config.array_rows * config.array_columns, multipliers);
    std::string text = config_text(config);
    EXPECT_EQ(config_text(parse_config(text, "printed", nullptr)), text);
  }
}

TEST(Config, DecimalsOfBandwidth) {
  EXPECT_EQ(parse_config(R"({"dram": {"bytes_per_cycle": 12.8}})", "hw.json", nullptr).dram_millibytes_per_cycle, 12800u);
  EXPECT_EQ(parse_config(R"({"clock_mhz": 933.333})", "hw.json", nullptr).clock_khz, 933333u);
}

TEST(Config, EngineOptionWins) {
  EXPECT_EQ(parse_config(R"({"engine": "rtl"})", "hw.json", "functional").engine, "functional");
  EXPECT_EQ(message_of("{}", "warp"), "option: engine: \"warp\" is not allowed (one of: functional timed rtl timing, word)");
}

TEST(Config, FirmwareIsAGroupOrTheKindAlone) {
  EXPECT_EQ(parse_config("{}", "hw.json", nullptr).firmware_kind, "native");
  EXPECT_EQ(parse_config(R"({"firmware": "riscv"})", "hw.json", nullptr).firmware_kind, "riscv");
  Config config = parse_config(R"({"firmware": {"kind": "riscv", "memory_cycles": 9}})", "hw.json", nullptr);
  EXPECT_EQ(config.firmware_kind, "riscv");
  EXPECT_EQ(config.firmware_memory_cycles, 9u);
  EXPECT_EQ(parse_config(R"({"firmware": "native"})", "hw.json", nullptr, "riscv").firmware_kind, "riscv");
  EXPECT_EQ(message_of(R"({"firmware": "arm"})"), "hw.json: firmware.kind: \"arm\" is not allowed (one of: native riscv, word)");
  EXPECT_EQ(message_of(R"({"firmware": 5})"), "hw.json: firmware: 5 is not allowed (an object)");
  EXPECT_EQ(message_of(R"({"array": "riscv"})"), "hw.json: array: \"riscv\" is not allowed (an object)");
}

TEST(Config, MessagesNameFileKeyValueAndRange) {
  EXPECT_EQ(message_of(R"({"array": {"rows": 0}})"), "hw.json: array.rows: 0 is not allowed (1 to 256, PEs)");
  EXPECT_EQ(message_of(R"({"array": {"rows": 1.5}})"), "hw.json: array.rows: 1.5 is not allowed (1 to 256, PEs)");
  EXPECT_EQ(message_of(R"({"array": {"rows": -3}})"), "hw.json: array.rows: -3 is not allowed (1 to 256, PEs)");
  EXPECT_EQ(message_of(R"({"array": {"rows": "16"}})"), "hw.json: array.rows: \"16\" is not allowed (1 to 256, PEs)");
  EXPECT_EQ(message_of(R"({"dram": {"bytes_per_cycle": 1e300}})"),
            "hw.json: dram.bytes_per_cycle: 1e+300 is not allowed (0.001 to 4096, B/cycle)");
  EXPECT_EQ(message_of(R"({"sram": {"banks": 12}})"),
            "hw.json: sram.banks: 12 is not allowed (1 to 256, a power of two, banks)");
  EXPECT_EQ(message_of(R"({"array": 16})"), "hw.json: array: 16 is not allowed (an object)");
  EXPECT_EQ(message_of(R"({"arrays": {}})"), "hw.json: \"arrays\": unknown key (configs/README.md lists the known ones)");
  EXPECT_EQ(message_of(R"({"array": {"row": 1}})"),
            "hw.json: \"array.row\": unknown key (configs/README.md lists the known ones)");
  EXPECT_EQ(message_of("[1]"), "hw.json: the whole file: [1] is not allowed (an object)");
  EXPECT_EQ(message_of("{\n\"name\": \"x\",\n}"), "hw.json: line 3: not valid JSON");
  EXPECT_EQ(message_of(""), "hw.json: line 1: not valid JSON");
  EXPECT_EQ(message_of(R"({"name": "two words"})"),
            "hw.json: name: \"two words\" is not allowed (1 to 64 letters, digits, '_', '-', '.', text)");
  EXPECT_EQ(message_of(R"({"array": {"rows": 16, "columns": 8}})", "rtl"),
            "hw.json: array: 16x8 is not allowed with engine rtl (8x8, 16x16 or 32x32; the other engines take any size)");
  EXPECT_EQ(message_of(R"({"array": {"rows": 3, "columns": 5}})", "timed"), "");
}

TEST(Config, MissingFile) {
  try {
    read_config("/nonexistent/hw.json", nullptr);
    FAIL();
  } catch (const ConfigError &error) {
    EXPECT_TRUE(error.missing_file);
    EXPECT_EQ(std::string(error.what()).substr(0, 21), "/nonexistent/hw.json:");
  }
}

TEST(Config, ReferencePageIsUpToDate) {
  const std::string path = kFolder + "README.md";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::string page = text.str();
  size_t begin = page.find("| key |");
  ASSERT_NE(begin, std::string::npos);
  size_t end = page.find("\n\n", begin);
  if (end != std::string::npos) ++end;
  std::string fresh = page;
  fresh.replace(begin, end == std::string::npos ? end : end - begin, config_reference());
  if (std::getenv("AVOCET_REGENERATE") != nullptr) std::ofstream(path) << fresh;
  EXPECT_EQ(page, fresh) << "run this test with AVOCET_REGENERATE=1";
}

} // namespace
} // namespace avocet::model
