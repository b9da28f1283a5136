// SPDX-License-Identifier: Apache-2.0
// A counter's line is: C '<0x01>key<0x02>value...' count. Keys: f file, l line, S lines of the block ("12-14,17"), page v_line or
// v_toggle with the module, o the signal's bit.
#include "coverage_report.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace avocet::rtl_test {
namespace {

std::map<std::string, std::string> fields_of(const std::string &line) {
  std::map<std::string, std::string> fields;
  for (size_t at = line.find('\x01'); at != std::string::npos; at = line.find('\x01', at + 1)) {
    const size_t middle = line.find('\x02', at), end = std::min(line.find('\x01', at + 1), line.rfind('\''));
    if (middle < end) fields[line.substr(at + 1, middle - at - 1)] = line.substr(middle + 1, end - middle - 1);
  }
  return fields;
}

void count_lines(const std::map<std::string, std::string> &fields, bool hit, std::map<int, bool> *lines) {
  const auto listed = fields.find("S");
  std::istringstream ranges(listed != fields.end() && !listed->second.empty() ? listed->second : fields.at("l"));
  for (std::string range; std::getline(ranges, range, ',');) {
    const size_t dash = range.find('-');
    const int first = std::stoi(range), last = dash == std::string::npos ? first : std::stoi(range.substr(dash + 1));
    for (int line = first; line <= last; ++line) lines->emplace(line, true).first->second &= hit;
  }
}

double per_cent(uint64_t part, uint64_t whole) { return whole == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole); }

uint64_t hit(const std::map<int, bool> &lines) {
  uint64_t count = 0;
  for (const auto &[line, run] : lines) count += run;
  return count;
}

void print_row(const char *name, uint64_t lines, uint64_t lines_hit, uint64_t toggles, uint64_t toggled) {
  std::printf("%-26s %6llu %6llu %7.1f %% %8llu %8llu %7.1f %%\n", name, static_cast<unsigned long long>(lines),
              static_cast<unsigned long long>(lines_hit), per_cent(lines_hit, lines), static_cast<unsigned long long>(toggles),
              static_cast<unsigned long long>(toggled), per_cent(toggled, toggles));
}

void print_details(const std::string &name, const FileCoverage &file) {
  for (const auto &[line, run] : file.lines)
    if (!run) std::printf("%s:%d: not all of this line has run\n", name.c_str(), line);
  for (const auto &[signal, bits] : file.still)
    std::printf("%s: %s: %llu bit(s) never changed\n", name.c_str(), signal.c_str(), static_cast<unsigned long long>(bits));
}

} // namespace

std::map<std::string, FileCoverage> read_coverage(const std::string &data) {
  std::map<std::string, FileCoverage> files;
  std::istringstream text(data);
  for (std::string line; std::getline(text, line);) {
    if (line.rfind("C '", 0) != 0) continue;
    const auto fields = fields_of(line);
    const std::string &path = fields.at("f"), &page = fields.at("page");
    FileCoverage &file = files[path.substr(path.rfind('/') + 1)];
    const bool run = std::stoull(line.substr(line.rfind('\'') + 1)) > 0;
    if (page.rfind("v_toggle", 0) == 0) {
      ++file.toggles;
      file.toggled += run;
      const std::string &bit = fields.at("o");
      if (!run) ++file.still[bit.substr(0, bit.find('['))];
    } else {
      count_lines(fields, run, &file.lines);
    }
  }
  return files;
}

bool print_coverage(const std::map<std::string, FileCoverage> &files, double least, bool details) {
  std::printf("%-26s %6s %6s %9s %8s %8s %9s\n", "file", "lines", "hit", "", "bits", "toggled", "");
  FileCoverage total;
  uint64_t lines = 0, lines_hit = 0;
  for (const auto &[name, file] : files) {
    print_row(name.c_str(), file.lines.size(), hit(file.lines), file.toggles, file.toggled);
    lines += file.lines.size();
    lines_hit += hit(file.lines);
    total.toggles += file.toggles;
    total.toggled += file.toggled;
  }
  print_row("all", lines, lines_hit, total.toggles, total.toggled);
  if (details)
    for (const auto &[name, file] : files) print_details(name, file);
  return lines > 0 && per_cent(lines_hit, lines) >= least;
}

} // namespace avocet::rtl_test
