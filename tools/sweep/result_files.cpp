// SPDX-License-Identifier: Apache-2.0
#include "sweep/result_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/output_file.hpp"

namespace avocet::tools {
namespace {

constexpr const char* kFigures[] = {"cycles",          "simulated_seconds", "macs",           "mac_cycles",
                                    "mac_utilisation", "dram_read_bytes",   "dram_write_bytes", "npu_operations",
                                    "cpu_operations",  "host_seconds",      "memory_kib"};

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string cell(const Json& value) { return cell(value.is_string() ? value.get<std::string>() : value.dump()); }

/// One write, so that a reader sees whole lines; more only where there is no room, for the error.
void append_line(const std::string& path, const std::string& line) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  int error = fd < 0 ? errno : 0;
  for (size_t done = 0; done < line.size() && error == 0;) {
    const ssize_t written = write(fd, line.data() + done, line.size() - done);
    if (written > 0)
      done += static_cast<size_t>(written);
    else if (errno != EINTR)
      error = errno;
  }
  if (fd >= 0 && close(fd) != 0 && error == 0) error = errno;
  if (error != 0) throw InputError(path + ": " + std::strerror(error));
}

/// Replaces the file as a whole.
void replace(const std::string& path, const std::string& text) {
  write_file(path + ".new", text);
  if (std::rename((path + ".new").c_str(), path.c_str()) != 0) throw InputError(path + ": " + std::strerror(errno));
}

}  // namespace

ResultFiles::ResultFiles(std::string stem, std::vector<std::string> keys, bool resume)
    : stem_(std::move(stem)), keys_(std::move(keys)) {
  require_writable(json_path());
  require_writable(csv_path());
  if (resume) {
    read_back();
    return;
  }
  for (const std::string& path : {json_path(), csv_path()})
    if (std::filesystem::exists(path)) throw InputError(path + ": is there already (--resume goes on with it)");
  replace(json_path(), "");
  replace(csv_path(), csv_head());
}

void ResultFiles::read_back() {
  std::ifstream file(json_path(), std::ios::binary);
  std::ostringstream whole;
  whole << file.rdbuf();
  const std::string text = whole.str();
  std::string kept, csv = csv_head();
  size_t begin = 0, number = 1;
  for (size_t end = text.find('\n'); end != std::string::npos; begin = end + 1, end = text.find('\n', begin), ++number) {
    const std::string line = text.substr(begin, end - begin);
    const Json result = Json::parse(line, nullptr, false);
    if (!result.is_object() || !result.value("identity", Json()).is_string())
      throw InputError(json_path() + ": line " + std::to_string(number) + ": is no result of a sweep");
    if (result.contains("error")) continue;
    if (!done_.insert(result["identity"].get<std::string>()).second) continue;
    results_.push_back(result);
    kept += line + "\n";
    csv += csv_line(result);
  }
  replace(json_path(), kept);
  replace(csv_path(), csv);
}

void ResultFiles::append(const Json& result) {
  append_line(json_path(), result.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  append_line(csv_path(), csv_line(result));
  if (!result.contains("error")) results_.push_back(result);
}

std::string ResultFiles::csv_head() const {
  std::string line = "workload";
  for (const std::string& key : keys_) line += "," + cell(key);
  for (const char* figure : kFigures) line += std::string(",") + figure;
  return line + ",error\n";
}

std::string ResultFiles::csv_line(const Json& result) const {
  std::string line = cell(result.value("workload", Json("")));
  const Json settings = result.value("settings", Json::object());
  for (const std::string& key : keys_) line += "," + (settings.contains(key) ? cell(settings[key]) : "");
  for (const char* figure : kFigures) line += "," + (result.contains(figure) ? cell(result[figure]) : "");
  return line + "," + (result.contains("error") ? cell(result["error"]) : "") + "\n";
}

}  // namespace avocet::tools
