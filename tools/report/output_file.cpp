// SPDX-License-Identifier: Apache-2.0
#include "report/output_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "input_error.hpp"

namespace avocet::tools {

void require_writable(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty() || path == "-") return;
  std::error_code ignored;
  const std::string parent = fs::absolute(path, ignored).parent_path().string();
  const bool replaceable = !fs::exists(path, ignored) || (!fs::is_directory(path, ignored) && access(path.c_str(), W_OK) == 0);
  if (!replaceable || access(parent.c_str(), W_OK) != 0) throw InputError(path + ": cannot be written");
}

void write_file(const std::string& path, const void* data, size_t bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  stream.close();
  if (!stream) throw InputError(path + ": cannot be written");
}

void write_text(const std::string& path, const std::string& text) {
  if (path != "-") return write_file(path, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(path + ": " + error.message());
}

}  // namespace avocet::tools
