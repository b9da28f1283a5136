// SPDX-License-Identifier: Apache-2.0
// The committed files are what the generator makes of the rows, byte for byte; nothing else lies beside them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "contract.hpp"
#include "writers.hpp"

using namespace avocet::isa_generator;

namespace {

const std::filesystem::path kIsa = std::filesystem::path(AVOCET_SOURCE_DIR) / "accel_model/isa";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

size_t first_different_line(const std::string& a, const std::string& b) {
  size_t line = 1;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) line += a[i] == '\n';
  return line;
}

TEST(Regeneration, CommittedFilesAreTheGenerators) {
  Contract contract = read_contract(kIsa / "contract.json");
  check_contract(contract);
  std::set<std::string> names;
  for (const GeneratedFile& file : write_all(contract)) {
    names.insert(file.name);
    std::string committed = read_file(kIsa / "generated" / file.name);
    EXPECT_TRUE(committed == file.content)
        << file.name << " differs from line " << first_different_line(committed, file.content)
        << " on: run ninja isa_regenerate";
  }
  EXPECT_EQ(names.size(), 5u);
  for (const auto& entry : std::filesystem::directory_iterator(kIsa / "generated"))
    EXPECT_TRUE(names.count(entry.path().filename().string())) << entry.path() << " is not generated";
}

TEST(Regeneration, SameRowsGiveTheSameBytes) {
  Contract first = read_contract(kIsa / "contract.json"), second = read_contract(kIsa / "contract.json");
  std::vector<GeneratedFile> a = write_all(first), b = write_all(second);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].content == b[i].content) << a[i].name;
}

TEST(Regeneration, FilesNameNoPath) {
  for (const GeneratedFile& file : write_all(read_contract(kIsa / "contract.json")))
    EXPECT_EQ(file.content.find(AVOCET_SOURCE_DIR), std::string::npos) << file.name;
}

}  // namespace
