// SPDX-License-Identifier: Apache-2.0
// Filters and counts.
#include "fault_injector.hpp"

#include "avocet_isa.h"

namespace avocet::model {

namespace {

bool concerns(const std::optional<uint64_t> &wanted, const std::optional<uint64_t> &actual) {
  return !wanted || wanted == actual;
}

std::optional<uint64_t> page_of(const std::optional<uint64_t> &address) {
  if (!address) return std::nullopt;
  return *address / AVOCET_PAGE_BYTES;
}

bool concerns(const FaultRule &rule, const FaultScene &scene) {
  // A rule about a bus address counts accesses to the bus, others of its kind those behind the IOMMU.
  if (rule.kind == FaultKind::kBusError && rule[FaultParameter::kAddress].has_value() != scene.address.has_value()) return false;
  return concerns(rule[FaultParameter::kContext], scene.context) && concerns(rule[FaultParameter::kTag], scene.tag) &&
         concerns(rule[FaultParameter::kUnit], scene.unit) &&
         concerns(page_of(rule[FaultParameter::kIova]), page_of(scene.iova)) &&
         concerns(page_of(rule[FaultParameter::kAddress]), page_of(scene.address));
}

// splitmix64's mixing.
uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

} // namespace

bool FaultInjector::set(const std::string &text, std::string *complaint) {
  FaultRules read;
  if (!parse_faults(text, &read, complaint)) return false;
  std::lock_guard lock(mutex_);
  rules_.clear();
  for (FaultRule &rule : read.rules) rules_.push_back({std::move(rule)});
  seed_ = read.seed;
  armed_.store(!rules_.empty(), std::memory_order_relaxed);
  return true;
}

std::optional<FaultStrike> FaultInjector::strikes(FaultKind kind, const FaultScene &scene) {
  std::optional<FaultStrike> strike;
  std::lock_guard lock(mutex_);
  for (size_t i = 0; i < rules_.size(); ++i) {
    Counted &counted = rules_[i];
    if (counted.rule.kind != kind || !concerns(counted.rule, scene)) continue;
    const uint64_t nth = counted.rule.value(FaultParameter::kNth), count = counted.rule.value(FaultParameter::kCount);
    if (++counted.seen < nth || counted.seen - nth >= (count != 0 ? count : 1)) continue;
    ++counted.struck;
    if (!strike) strike = FaultStrike{counted.rule, mix(seed_ ^ mix(i << 32 ^ counted.struck))};
  }
  return strike;
}

bool FaultInjector::in_force(FaultKind kind) const {
  std::lock_guard lock(mutex_);
  for (const Counted &counted : rules_)
    if (counted.rule.kind == kind) return true;
  return false;
}

bool FaultInjector::report(size_t index, std::string *text, uint64_t *struck) const {
  std::lock_guard lock(mutex_);
  if (index >= rules_.size()) return false;
  *text = rules_[index].rule.text;
  *struck = rules_[index].struck;
  return true;
}

} // namespace avocet::model
