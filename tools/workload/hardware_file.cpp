// SPDX-License-Identifier: Apache-2.0
// What maps: the array's sides, the three SRAMs as one scratchpad of their sum, the bandwidth in words (bytes) per cycle. With
// InterfaceBandwidth CALC, SCALE-Sim never waits for memory: then bandwidth is the most a configuration can have, latency 0.
#include "workload/hardware_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <sstream>

#include "inputs/tensor_input.hpp"
#include "report/output_file.hpp"
#include "report/temporary_directory.hpp"

namespace avocet::tools {
namespace {

struct Entry {
  std::string key, value;  // as in the file
  size_t line;
};

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Keys of SCALE-Sim that say nothing about this device: addresses, file names, what its reports hold.
bool is_without_meaning(const std::string& key) {
  static const char* const kKeys[] = {"ifmapoffset",    "filteroffset",      "ofmapoffset", "memorybanks",
                                      "run_name",       "usesramulatortrace", "useramulatortrace", "topology"};
  return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) { read_entries(); }

  Json configuration() {
    Json config = {{"name", name()}};
    config["array"]["rows"] = whole("arrayheight", 1, 256);
    config["array"]["columns"] = whole("arraywidth", 1, 256);
    const uint64_t kib = uint64_t{whole("ifmapsramszkb", 1, 65536)} + whole("filtersramszkb", 1, 65536) +
                         whole("ofmapsramszkb", 1, 65536);
    if (kib > 65536) throw InputError(path_ + ": the three SRAMs have " + std::to_string(kib) + " KiB (3 to 65536)");
    config["sram"]["kib"] = std::max<uint64_t>(kib, 4);
    set_bandwidth(config);
    read_dataflow();
    for (const auto& [key, entry] : entries_)
      if (!is_without_meaning(key)) throw InputError(place(entry) + ": " + shown(entry.key) + " is no key that is known here");
    return config;
  }

 private:
  void read_entries() {
    const std::vector<uint8_t> bytes = read_file(path_);
    std::istringstream lines(std::string(bytes.begin(), bytes.end()));
    std::string line, section;
    for (size_t number = 1; std::getline(lines, line); ++number) {
      line = trimmed(line.substr(0, line.find_first_of("#;")));
      if (line.empty()) continue;
      if (line.front() == '[' && line.back() == ']') {
        section = lower(line);
        continue;
      }
      const size_t at = line.find_first_of(":=");
      if (at == std::string::npos || section.empty())
        throw InputError(path_ + ": line " + std::to_string(number) + ": " + shown(line) +
                         " is not allowed ([section], KEY : VALUE or KEY = VALUE)");
      Entry entry{trimmed(line.substr(0, at)), trimmed(line.substr(at + 1)), number};
      const std::string key = lower(entry.key);
      if (section == "[layout]" || section == "[sparsity]") {
        if (key == "sparsitysupport" && lower(entry.value) != "false")
          refuse_value(place(entry), entry.key, entry.value, "false: the array multiplies every weight");
        continue;
      }
      entries_[key] = std::move(entry);
    }
  }

  std::string place(const Entry& entry) const { return path_ + ": line " + std::to_string(entry.line); }

  Entry take(const std::string& key, const std::string& allowed) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) throw InputError(path_ + ": " + key + " is missing (" + allowed + ")");
    Entry entry = std::move(found->second);
    entries_.erase(found);
    return entry;
  }

  uint32_t whole(const std::string& key, uint32_t low, uint32_t high) {
    const std::string allowed = std::to_string(low) + " to " + std::to_string(high);
    const Entry entry = take(key, allowed);
    const bool digits = !entry.value.empty() && entry.value.size() <= 9 &&
                        std::all_of(entry.value.begin(), entry.value.end(), [](unsigned char c) { return std::isdigit(c); });
    const unsigned long value = digits ? std::stoul(entry.value) : 0;
    if (!digits || value < low || value > high)
      refuse_value(place(entry), entry.key, entry.value, allowed);
    return static_cast<uint32_t>(value);
  }

  std::string name() const {
    const auto found = entries_.find("run_name");
    std::string name = found == entries_.end() ? "" : found->second.value;
    std::erase_if(name, [](unsigned char c) { return !std::isalnum(c) && c != '_' && c != '-' && c != '.'; });
    return name.empty() ? "scale_sim" : name.substr(0, 64);
  }

  void set_bandwidth(Json& config) {
    bool calculated = false;
    if (entries_.contains("interfacebandwidth")) {
      const Entry entry = take("interfacebandwidth", "CALC or USER");
      if (lower(entry.value) != "calc" && lower(entry.value) != "user")
        refuse_value(place(entry), entry.key, entry.value, "CALC or USER");
      calculated = lower(entry.value) == "calc";
    }
    if (calculated) {
      entries_.erase("bandwidth");
      config["dma"] = {{"bytes_per_cycle", 1024}, {"outstanding", 1024}};
      config["dram"] = {{"bytes_per_cycle", 4096}, {"latency_cycles", 0}};
      return;
    }
    const uint32_t bandwidth = whole("bandwidth", 1, 4096);
    config["dma"] = {{"bytes_per_cycle", std::min(bandwidth, 1024u)}};
    config["dram"] = {{"bytes_per_cycle", bandwidth}};
  }

  void read_dataflow() {
    if (!entries_.contains("dataflow")) return;
    const Entry entry = take("dataflow", "ws, os or is");
    const std::string flow = lower(entry.value);
    if (flow != "ws" && flow != "os" && flow != "is") refuse_value(place(entry), entry.key, entry.value, "ws, os or is");
    if (flow != "ws")
      std::fprintf(stderr, "avocet: %s: %s: %s: the array is weight-stationary, the figures are those of ws\n",
                   place(entry).c_str(), entry.key.c_str(), entry.value.c_str());
  }

  const std::string& path_;
  std::map<std::string, Entry> entries_;  // by key in lower case
};

}  // namespace

bool is_hardware_file(const std::string& path) { return path.ends_with(".cfg"); }

Json read_hardware_file(const std::string& path) { return Reader(path).configuration(); }

std::string configuration_file(const std::string& path) {
  if (!is_hardware_file(path)) return path;
  static const TemporaryDirectory folder("avocet-hardware");
  const Json config = read_hardware_file(path);
  const std::string file = folder.path() + "/" + config["name"].get<std::string>() + ".json";
  write_file(file, config.dump(1) + "\n");
  return file;
}

}  // namespace avocet::tools
