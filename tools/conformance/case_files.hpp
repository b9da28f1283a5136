// SPDX-License-Identifier: Apache-2.0
// The files of a folder of test vectors, cut into cases but not parsed: a file has one case on each line between its
// first line and its last.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace avocet::tools {

struct CaseLine {
  std::string spec;  // folder and file, "V1_0/add"
  std::string name;
  std::string_view json;  // of the mapped file
  std::string full_name() const { return spec + "/" + name; }
};

class CaseFiles {
 public:
  /// All *.json below `directory` (or the one file that it names), in the order of their names.
  /// Throws InputError when there is none or one is not of this form.
  explicit CaseFiles(const std::string& directory);
  ~CaseFiles();
  CaseFiles(const CaseFiles&) = delete;
  CaseFiles& operator=(const CaseFiles&) = delete;
  const std::vector<CaseLine>& cases() const { return cases_; }

 private:
  void add_file(const std::string& path);

  struct Mapping {
    void* data;
    size_t bytes;
  };
  std::vector<Mapping> mappings_;
  std::vector<CaseLine> cases_;
};

}  // namespace avocet::tools
