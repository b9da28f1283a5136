// SPDX-License-Identifier: Apache-2.0
// Maps the files and finds the lines; only the case names are read here, so that 70 MB cost no time at the start.
#include "conformance/case_files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/test_case.hpp"
#include "input_error.hpp"

namespace avocet::tools {
namespace fs = std::filesystem;

CaseFiles::CaseFiles(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  if (fs::is_directory(directory, error)) {
    for (const auto& entry : fs::recursive_directory_iterator(directory, error)) {
      if (entry.is_regular_file() && entry.path().extension() == ".json") paths.push_back(entry.path().string());
    }
  } else {
    paths.push_back(directory);
  }
  if (error) throw InputError(directory + ": " + error.message());
  if (paths.empty()) throw InputError(directory + ": no .json file in it");
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) add_file(path);
}

CaseFiles::~CaseFiles() {
  for (const Mapping& mapping : mappings_) munmap(mapping.data, mapping.bytes);
}

void CaseFiles::add_file(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat info {};
  if (fd < 0 || fstat(fd, &info) != 0) throw InputError(path + ": cannot be read");
  const auto bytes = static_cast<size_t>(info.st_size);
  void* data = bytes ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (data == MAP_FAILED) throw InputError(path + ": cannot be read");
  mappings_.push_back({data, bytes});

  // 1. The first line opens the object and the list and names the specification.
  const std::string_view text(static_cast<const char*>(data), bytes);
  size_t at = text.find('\n');
  const std::string head(text.substr(0, at));
  const auto header = nlohmann::json::parse(head + "]}", nullptr, false);
  if (at == std::string_view::npos || !header.is_object() || !header.contains("cases")) {
    throw InputError(path + ": line 1: not the head of a file of test vectors");
  }
  const std::string spec = header.value("spec", fs::path(path).stem().string());
  // 2. One case a line, separated by commas, up to the line "]}".
  for (size_t line_number = 2; at + 1 < bytes; ++line_number) {
    const size_t begin = at + 1;
    at = std::min(text.find('\n', begin), bytes);
    std::string_view line = text.substr(begin, at - begin);
    while (!line.empty() && (line.back() == ',' || line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line == "]}") continue;
    try {
      cases_.push_back({.spec = spec, .name = parse_test_case_name(line), .json = line});
    } catch (const std::exception& error) {
      throw InputError(path + ": line " + std::to_string(line_number) + ": " + error.what());
    }
  }
}

}  // namespace avocet::tools
