// SPDX-License-Identifier: Apache-2.0
// Tables of kinds and parameters, and the reader.
#include "fault_rules.hpp"

#include <charconv>
#include <string_view>

#include "avocet_isa.h"

namespace avocet::model {

namespace {

constexpr uint64_t kAll = UINT64_MAX;

struct Word {
  const char *name;
  uint64_t value;
};

struct ParameterRow {
  FaultParameter parameter;
  const char *name;
  uint64_t low, high;
  std::array<Word, 12> words; // accepted beside numbers; only words when low > high
  const char *standard;       // default as text; "" = none
  const char *doc;
};

constexpr Word kUnitWords[] = {{"mac", AVOCET_UNIT_MAC}, {"requant", AVOCET_UNIT_REQUANT}, {"vector", AVOCET_UNIT_VECTOR},
                               {"dma0", AVOCET_UNIT_DMA0}, {"dma1", AVOCET_UNIT_DMA0 + 1}, {"dma2", AVOCET_UNIT_DMA0 + 2},
                               {"dma3", AVOCET_UNIT_DMA0 + 3}, {"dma4", AVOCET_UNIT_DMA0 + 4}, {"dma5", AVOCET_UNIT_DMA0 + 5},
                               {"dma6", AVOCET_UNIT_DMA0 + 6}, {"dma7", AVOCET_UNIT_DMA0 + 7}};

constexpr std::array<Word, 12> unit_words() {
  std::array<Word, 12> words{};
  for (size_t i = 0; i < std::size(kUnitWords); ++i) words[i] = kUnitWords[i];
  return words;
}

constexpr std::array<Word, 12> kOnOff = {Word{"off", 0}, Word{"on", 1}};

const ParameterRow kParameters[] = {
    {FaultParameter::kNth, "nth", 1, UINT64_MAX, {}, "1", "the first occurrence that fails, counted from when the fault is set"},
    {FaultParameter::kCount, "count", 1, UINT64_MAX, {Word{"all", kAll}}, "1", "occurrences in a row that fail"},
    {FaultParameter::kContext, "context", 1, AVOCET_CONTEXTS_MAX - 1, {}, "", "only of this context of the device"},
    {FaultParameter::kTag, "tag", 0, AVOCET_TAGS_MAX - 1, {}, "", "only of commands with this layer tag"},
    {FaultParameter::kIova, "iova", 0, UINT32_MAX, {}, "", "only accesses to the page of this device address"},
    {FaultParameter::kAddress, "address", 0, UINT64_MAX, {}, "", "only accesses to the page of this bus address, behind the IOMMU or not"},
    {FaultParameter::kUnit, "unit", 1, 0, unit_words(), "", "only of this unit"},
    {FaultParameter::kCycles, "cycles", 1, 1000000000, {}, "10000", "device cycles"},
    {FaultParameter::kBit, "bit", 0, 511, {}, "", "which bit, by the seed where it is left out"},
    {FaultParameter::kBits, "bits", 1, 8, {}, "1", "bits that flip; an ECC corrects one and detects more"},
    {FaultParameter::kEcc, "ecc", 1, 0, kOnOff, "on", "off: the memory has no ECC, and wrong data goes on"},
    {FaultParameter::kAbort, "abort", 1, 0, kOnOff, "on", "off: the unit does not let go of an aborted job either"},
    {FaultParameter::kReset, "reset", 1, 0, kOnOff, "on", "off: nor does it when its core is reset: only a reset of the device helps"},
    {FaultParameter::kHalt, "halt", 1, 0, kOnOff, "off", "on: the firmware reports HALTED; off: it falls silent"},
    {FaultParameter::kVersion, "version", 0, UINT32_MAX, {}, "0x00020000", "MAJOR << 16 | MINOR"},
};

const FaultKindRow kKinds[] = {
    {FaultKind::kInterruptLost, "irq-lost", "interrupts", "nth count", "the interrupt does not reach the host"},
    {FaultKind::kInterruptDuplicate, "irq-duplicate", "interrupts", "nth count", "the host's handler runs twice"},
    {FaultKind::kDoorbellLost, "doorbell-lost", "doorbells", "nth count", "the doorbell does not reach the device"},
    {FaultKind::kCompletionDelay, "completion-delay", "completion entries", "nth count cycles",
     "the entry becomes visible cycles later, behind its interrupt"},
    {FaultKind::kCompletionCorrupt, "completion-corrupt", "completion entries", "nth count bit", "one bit of the entry is wrong"},
    {FaultKind::kSramFlip, "sram-flip", "commands that read the SRAM", "nth count context tag unit bit bits ecc",
     "bits of what the command reads flip: corrected and counted, or ECC_ERROR"},
    {FaultKind::kDramFlip, "dram-flip", "DMA_LOAD commands", "nth count context tag unit bit bits ecc",
     "bits of what the command reads flip: corrected and counted, or ECC_ERROR"},
    {FaultKind::kBusError, "bus-error", "accesses behind the IOMMU, one a page", "nth count context iova address",
     "the memory does not answer: BUS_ERROR"},
    {FaultKind::kIommuFault, "iommu-fault", "accesses behind the IOMMU, one a page", "nth count context iova",
     "the translation is not valid: IOMMU_FAULT"},
    {FaultKind::kUnitStuck, "unit-stuck", "commands", "nth count context tag unit abort reset",
     "the unit does not end the command"},
    {FaultKind::kFirmwareCrash, "firmware-crash", "events that the firmware serves", "nth count halt",
     "the firmware does nothing more until it is booted again"},
    {FaultKind::kHeartbeatStale, "heartbeat-stale", "heartbeats", "nth count=all", "FW_HEARTBEAT keeps its value"},
    {FaultKind::kFirmwareVersion, "firmware-version", "boots", "nth count version", "the firmware says another version"},
    {FaultKind::kUnplug, "unplug", "doorbells", "nth", "the device is gone: registers read all ones, nothing is written"},
    {FaultKind::kNullHardware, "null-hardware", "", "",
     "test mode, from power-on only: the driver completes every job at once, without the device"},
    {FaultKind::kNullSubmission, "null-submission", "jobs", "nth count=all context",
     "test mode: the firmware takes the job and completes it, nothing is run"},
};

const FaultKindRow &row_of(FaultKind kind) {
  for (const FaultKindRow &row : kKinds)
    if (row.kind == kind) return row;
  return kKinds[0];
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Takes what stands before `separator` out of *text.
std::string_view take(std::string_view *text, char separator) {
  size_t end = text->find(separator);
  std::string_view part = text->substr(0, end);
  *text = end == std::string_view::npos ? std::string_view() : text->substr(end + 1);
  return trim(part);
}

std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t value = 0;
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<uint64_t> value_of(const ParameterRow &row, std::string_view text) {
  for (const Word &word : row.words)
    if (word.name != nullptr && text == word.name) return word.value;
  if (row.low > row.high) return std::nullopt;
  std::optional<uint64_t> value = number_of(text);
  return value && *value >= row.low && *value <= row.high ? value : std::nullopt;
}

std::string allowed(const ParameterRow &row) {
  std::string text;
  if (row.low <= row.high)
    text = std::to_string(row.low) + (row.high == UINT64_MAX ? " or more" : " to " + std::to_string(row.high));
  for (const Word &word : row.words)
    if (word.name != nullptr) text += (text.empty() ? "" : ", ") + std::string(word.name);
  return text;
}

// The kind's parameters, each with its own default or "".
template <typename Visit> void for_each_parameter(const FaultKindRow &kind, Visit visit) {
  std::string_view names = kind.parameters;
  while (!names.empty()) {
    std::string_view standard = take(&names, ' ');
    std::string_view name = take(&standard, '=');
    for (const ParameterRow &row : kParameters)
      if (name == row.name) visit(row, standard.empty() ? std::string_view(row.standard) : standard);
  }
}

const ParameterRow *find_parameter(const FaultKindRow &kind, std::string_view name) {
  const ParameterRow *found = nullptr;
  for_each_parameter(kind, [&](const ParameterRow &row, std::string_view) {
    if (name == row.name) found = &row;
  });
  return found;
}

std::string names_of_kinds() {
  std::string text;
  for (const FaultKindRow &row : kKinds) text += (text.empty() ? "" : ", ") + std::string(row.name);
  return text;
}

bool complain(std::string_view rule, const std::string &what, std::string *complaint) {
  *complaint = "fault '" + std::string(rule.substr(0, 80)) + "': " + what;
  return false;
}

bool parse_parameter(const FaultKindRow &kind, std::string_view text, FaultRule *rule, std::string *complaint) {
  std::string_view value = text;
  std::string_view name = take(&value, '=');
  const ParameterRow *row = find_parameter(kind, name);
  if (row == nullptr)
    return complain(rule->text, "unknown parameter '" + std::string(name) + "' (" +
                                    (kind.parameters[0] ? kind.parameters : "it takes none") + ")", complaint);
  std::optional<uint64_t> &place = rule->values[static_cast<size_t>(row->parameter)];
  if (place) return complain(rule->text, std::string(name) + " is given twice", complaint);
  place = value_of(*row, trim(value));
  if (place) return true;
  return complain(rule->text, std::string(name) + "=" + std::string(trim(value)) + " is not allowed (" + allowed(*row) + ")",
                  complaint);
}

bool parse_rule(std::string_view text, FaultRules *rules, std::string *complaint) {
  FaultRule rule;
  rule.text = text;
  if (text.starts_with("seed=")) {
    std::optional<uint64_t> seed = number_of(text.substr(5));
    if (!seed) return complain(text, "the seed is a number", complaint);
    rules->seed = *seed;
    return true;
  }
  std::string_view name = take(&text, ':');
  for (const FaultKindRow &kind : kKinds) {
    if (name != kind.name) continue;
    rule.kind = kind.kind;
    while (!text.empty())
      if (!parse_parameter(kind, take(&text, ','), &rule, complaint)) return false;
    rules->rules.push_back(std::move(rule));
    return true;
  }
  return complain(rule.text, "unknown kind '" + std::string(name) + "' (seed=N, " + names_of_kinds() + ")", complaint);
}

} // namespace

uint64_t FaultRule::value(FaultParameter parameter) const {
  if (const auto &given = (*this)[parameter]) return *given;
  uint64_t found = 0;
  for_each_parameter(row_of(kind), [&](const ParameterRow &row, std::string_view standard) {
    if (row.parameter == parameter && !standard.empty()) found = value_of(row, standard).value_or(0);
  });
  return found;
}

std::span<const FaultKindRow> fault_kinds() { return kKinds; }

bool parse_faults(const std::string &text, FaultRules *rules, std::string *complaint) {
  *rules = {};
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view rule = take(&rest, ';');
    if (!rule.empty() && !parse_rule(rule, rules, complaint)) return false;
  }
  return true;
}

std::string fault_parameter_help(const FaultKindRow &row) {
  std::string text;
  for_each_parameter(row, [&](const ParameterRow &parameter, std::string_view standard) {
    text += std::string(parameter.name) + "=" + (parameter.low > parameter.high ? "WORD" : "N") + " (" + allowed(parameter) +
            (standard.empty() ? "" : "; default " + std::string(standard)) + "): " + parameter.doc + "\n";
  });
  return text;
}

} // namespace avocet::model
