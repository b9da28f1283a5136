// SPDX-License-Identifier: Apache-2.0
// isa_generate CONTRACT.json DIRECTORY: checks the rows and writes every generated file into the directory.
// Nothing is written unless all of it could be made.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "contract.hpp"
#include "writers.hpp"

using namespace avocet::isa_generator;

namespace {

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  if (!file) throw ContractError(path.string() + ": cannot be written");
}

void generate(const std::filesystem::path& source, const std::filesystem::path& directory) {
  Contract contract = read_contract(source);
  try {
    check_contract(contract);
  } catch (const ContractError& error) {
    throw ContractError(source.string() + ": " + error.what());
  }
  const std::vector<GeneratedFile> files = write_all(contract);
  std::filesystem::create_directories(directory);
  for (const GeneratedFile& file : files) write_file(directory / file.name, file.content);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: isa_generate CONTRACT.json DIRECTORY\n";
    return 2;
  }
  try {
    generate(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "isa_generate: " << error.what() << "\n";
    return 2;
  }
  return 0;
}
