// SPDX-License-Identifier: Apache-2.0
// The text of a value change dump.
#include "vcd_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace avocet::model {

namespace {

constexpr uint64_t kFemtoseconds = 1'000'000'000'000; // in a cycle of 1 kHz

struct Unit {
  const char *text;
  uint64_t femtoseconds;
};

constexpr Unit kUnits[] = {{"1 us", 1'000'000'000}, {"100 ns", 100'000'000}, {"10 ns", 10'000'000}, {"1 ns", 1'000'000},
                           {"100 ps", 100'000},     {"10 ps", 10'000},       {"1 ps", 1'000},       {"100 fs", 100},
                           {"10 fs", 10},           {"1 fs", 1}};

// Short names of printable characters: !, ", ... ~, !!, "!, ...
std::string code_of(uint32_t number) {
  std::string code;
  for (uint64_t left = uint64_t{number} + 1; left > 0; left = (left - 1) / 94) code += static_cast<char>('!' + (left - 1) % 94);
  return code;
}

std::vector<std::string> parts_of(const std::string &scope) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= scope.size();) {
    const size_t dot = std::min(scope.find('.', at), scope.size());
    parts.push_back(scope.substr(at, dot - at));
    at = dot + 1;
  }
  return parts;
}

const char *word_of(uint64_t value) { return reinterpret_cast<const char *>(static_cast<uintptr_t>(value)); }

} // namespace

VcdTimescale::VcdTimescale(uint64_t khz) : clock_khz(khz) {
  for (const Unit &unit : kUnits) {
    text = unit.text;
    units = kFemtoseconds / unit.femtoseconds;
    if (units % khz == 0) return;
  }
}

uint64_t VcdTimescale::time_of(uint64_t cycle) const {
  const uint64_t seconds = cycle / clock_khz, rest = cycle % clock_khz; // thousandths of a second
  return seconds * units + rest * units / clock_khz;
}

VcdWriter::~VcdWriter() { close(); }

void VcdWriter::close() {
  if (file_ != nullptr && std::fclose(file_) != 0 && error_ == 0) error_ = errno;
  file_ = nullptr;
}

int VcdWriter::open(const std::string &path) {
  file_ = std::fopen(path.c_str(), "we");
  if (file_ == nullptr) return errno;
  std::setvbuf(file_, nullptr, _IONBF, 0); // a child of fork must have nothing of it to write
  return 0;
}

VcdWriter::Signal VcdWriter::add(const std::string &scope, const std::string &name, unsigned bits, uint64_t initial) {
  const auto number = static_cast<Signal>(signals_.size());
  signals_.push_back({scope, name, code_of(number), bits, initial, initial});
  return number;
}

VcdWriter::Signal VcdWriter::declare(const std::string &scope, const std::string &name, unsigned bits) {
  return add(scope, name, bits, 0);
}

VcdWriter::Signal VcdWriter::declare_words(const std::string &scope, const std::string &name, const char *initial) {
  return add(scope, name, 0, reinterpret_cast<uintptr_t>(initial));
}

void VcdWriter::begin() {
  const std::string period = std::to_string(timescale_.time_of(1));
  const bool whole = timescale_.units % timescale_.clock_khz == 0;
  put("$version Avocet $end\n$comment Time 0 is power-on; a cycle of the device is " + period + (whole ? "" : " and a fraction") +
      " of the time unit. $end\n$timescale " + timescale_.text + " $end\n");
  write_declarations();
  put("$enddefinitions $end\n#0\n$dumpvars\n");
  for (const Declared &signal : signals_) write_value(signal);
  put("$end\n");
}

void VcdWriter::write_declarations() {
  std::vector<std::string> open;
  const auto leave = [&](size_t depth) {
    for (; open.size() > depth; open.pop_back()) put("$upscope $end\n");
  };
  for (const Declared &signal : signals_) {
    const std::vector<std::string> scope = parts_of(signal.scope);
    leave(static_cast<size_t>(std::mismatch(open.begin(), open.end(), scope.begin(), scope.end()).first - open.begin()));
    for (size_t i = open.size(); i < scope.size(); ++i) {
      open.push_back(scope[i]);
      put("$scope module " + scope[i] + " $end\n");
    }
    const std::string range = signal.bits > 1 ? " [" + std::to_string(signal.bits - 1) + ":0]" : "";
    put(std::string("$var ") + (signal.bits == 0 ? "string 1" : "wire " + std::to_string(signal.bits)) + " " + signal.code + " " +
        signal.name + range + " $end\n");
  }
  leave(0);
}

void VcdWriter::write_value(const Declared &signal) {
  if (signal.bits == 0) {
    put(std::string("s") + word_of(signal.value) + " " + signal.code + "\n");
    return;
  }
  if (signal.bits == 1) {
    put((signal.value == kUnknown ? "x" : signal.value != 0 ? "1" : "0") + signal.code + "\n");
    return;
  }
  char digits[65];
  char *first = digits + sizeof digits;
  for (uint64_t left = signal.value; first == digits + sizeof digits || left != 0; left >>= 1) *--first = left & 1 ? '1' : '0';
  const std::string value = signal.value == kUnknown ? "x" : std::string(first, digits + sizeof digits);
  put("b" + value + " " + signal.code + "\n");
}

void VcdWriter::put(const std::string &text) {
  text_ += text;
  if (text_.size() < 65536) return;
  if (file_ != nullptr && std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size() && error_ == 0) {
    error_ = errno;
    close();
  }
  text_.clear();
}

void VcdWriter::settle(uint64_t cycle) {
  std::stable_sort(pending_.begin(), pending_.end(), [](const Change &a, const Change &b) { return a.cycle < b.cycle; });
  size_t at = 0;
  while (at < pending_.size() && pending_[at].cycle < cycle) {
    const uint64_t now = pending_[at].cycle;
    for (; at < pending_.size() && pending_[at].cycle == now; ++at) {
      Declared &signal = signals_[pending_[at].signal];
      signal.next = pending_[at].value;
      if (!signal.touched) touched_.push_back(pending_[at].signal);
      signal.touched = true;
    }
    write_changes(now);
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at));
}

void VcdWriter::write_changes(uint64_t cycle) {
  const uint64_t time = timescale_.time_of(cycle);
  for (Signal number : touched_) {
    Declared &signal = signals_[number];
    signal.touched = false;
    const bool same = signal.bits == 0 ? std::strcmp(word_of(signal.value), word_of(signal.next)) == 0 : signal.value == signal.next;
    if (same) continue;
    signal.value = signal.next;
    if (time != written_) put("#" + std::to_string(time) + "\n");
    written_ = time;
    write_value(signal);
  }
  touched_.clear();
}

int VcdWriter::finish(uint64_t cycle) {
  if (file_ == nullptr) return error_;
  settle(cycle + 1);
  pending_.clear();
  if (timescale_.time_of(cycle) != written_) put("#" + std::to_string(timescale_.time_of(cycle)) + "\n");
  if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size() && error_ == 0) error_ = errno;
  text_.clear();
  close();
  return error_;
}

} // namespace avocet::model
