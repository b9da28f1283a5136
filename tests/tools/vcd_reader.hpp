// SPDX-License-Identifier: Apache-2.0
// Reads a value change dump and complains about whatever a viewer might.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace avocet::tools::test {

class VcdReader {
 public:
  struct Change {
    uint64_t time;
    std::string value;  // binary digits, x, or a word
  };
  struct Signal {
    std::string type;
    unsigned bits = 0;
    std::vector<Change> changes;
  };

  explicit VcdReader(const std::string& text) : words_(text) {
    while (next() != "$enddefinitions") declare();
    require(next() == "$end", "$enddefinitions");
    require(scope_.empty(), "a scope is open");
    while (words_ >> word_) change();
  }

  const std::string& timescale() const { return timescale_; }
  uint64_t end() const { return time_; }
  const std::map<std::string, Signal>& signals() const { return signals_; }
  const Signal& of(const std::string& name) const {
    auto found = signals_.find(name);
    if (found == signals_.end()) throw std::runtime_error("no signal " + name);
    return found->second;
  }

  /// How long the signal had this value, in [0, until).
  uint64_t time_at(const std::string& name, const std::string& value, uint64_t until) const {
    return time_of_all({{name, value}}, until);
  }
  /// How long all of them had their values together.
  uint64_t time_of_all(const std::vector<std::pair<std::string, std::string>>& wanted, uint64_t until) const {
    std::map<uint64_t, int> edges;  // how many more (or fewer) fit from here on
    for (const auto& [name, value] : wanted) {
      bool fits = false;
      for (const Change& change : of(name).changes) {
        if ((change.value == value) != fits) edges[change.time] += fits ? -1 : 1;
        fits = change.value == value;
      }
    }
    uint64_t sum = 0, since = 0;
    size_t count = 0;
    for (const auto& [time, edge] : edges) {
      if (count == wanted.size()) sum += std::min(time, until) - std::min(since, until);
      count += edge;
      since = time;
    }
    return sum + (count == wanted.size() ? until - std::min(since, until) : 0);
  }

 private:
  void require(bool good, const std::string& what) const {
    if (!good) throw std::runtime_error("VCD: " + what + " near '" + word_ + "' at " + std::to_string(time_));
  }
  const std::string& next() {
    require(static_cast<bool>(words_ >> word_), "the header ends early");
    return word_;
  }
  std::string until_end() {
    std::string text;
    while (next() != "$end") text += (text.empty() ? "" : " ") + word_;
    return text;
  }

  void declare() {
    const std::string keyword = word_;
    if (keyword == "$version" || keyword == "$comment") {
      until_end();
    } else if (keyword == "$timescale") {
      timescale_ = until_end();
    } else if (keyword == "$scope") {
      require(next() == "module", "scope");
      scope_.push_back(next());
      require(next() == "$end", "scope");
    } else if (keyword == "$upscope") {
      require(!scope_.empty() && next() == "$end", "upscope");
      scope_.pop_back();
    } else {
      require(keyword == "$var", "keyword");
      declare_variable();
    }
  }

  void declare_variable() {
    Signal signal;
    signal.type = next();
    signal.bits = static_cast<unsigned>(std::stoul(next()));
    const std::string code = next();
    std::string name;
    for (const std::string& part : scope_) name += part + ".";
    name += next();
    if (next() != "$end") {
      require(word_ == "[" + std::to_string(signal.bits - 1) + ":0]" && next() == "$end", "range");
    }
    require(codes_.emplace(code, name).second && signals_.emplace(name, signal).second, "declared twice");
  }

  void change() {
    if (word_ == "$dumpvars" || word_ == "$end") return;
    if (word_[0] == '#') {
      const uint64_t time = std::stoull(word_.substr(1));
      require(first_ || time > time_, "time goes back");
      time_ = time;
      first_ = false;
      return;
    }
    require(!first_, "a value before the first time");
    const bool wide = word_[0] == 'b' || word_[0] == 's';
    const std::string value = wide ? word_.substr(1) : word_.substr(0, 1);
    const std::string code = wide ? next() : word_.substr(1);
    require(codes_.count(code) == 1, "unknown signal");
    Signal& signal = signals_.at(codes_.at(code));
    if (signal.type != "string") {
      require(!value.empty() && value.size() <= signal.bits && value.find_first_not_of("01x") == std::string::npos, "value");
      require(wide == (signal.bits > 1), "width");
    }
    require(signal.changes.empty() || signal.changes.back().value != value, "no change of " + codes_.at(code));
    signal.changes.push_back({time_, value});
  }

  std::istringstream words_;
  std::string word_, timescale_;
  std::vector<std::string> scope_;
  std::map<std::string, std::string> codes_;
  std::map<std::string, Signal> signals_;
  uint64_t time_ = 0;
  bool first_ = true;
};

}  // namespace avocet::tools::test
