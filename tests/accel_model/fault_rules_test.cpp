// SPDX-License-Identifier: Apache-2.0
// The language of faults and their counting. What each fault does to a driver is tested by `avocet kmd-test`.
#include <gtest/gtest.h>

#include "fault_injector.hpp"

namespace avocet::model {
namespace {

std::string complaint_about(const std::string &text) {
  FaultRules rules;
  std::string complaint;
  const bool good = parse_faults(text, &rules, &complaint);
  EXPECT_EQ(good, complaint.empty());
  return complaint;
}

TEST(FaultRules, AreRead) {
  FaultRules rules;
  std::string complaint;
  ASSERT_TRUE(parse_faults(" seed=0x10; unit-stuck : unit = dma1 , nth=3,count=all;\nirq-lost", &rules, &complaint)) << complaint;
  EXPECT_EQ(rules.seed, 16u);
  ASSERT_EQ(rules.rules.size(), 2u);
  EXPECT_EQ(rules.rules[0].kind, FaultKind::kUnitStuck);
  EXPECT_EQ(rules.rules[0].value(FaultParameter::kUnit), 9u);
  EXPECT_EQ(rules.rules[0].value(FaultParameter::kNth), 3u);
  EXPECT_EQ(rules.rules[0].value(FaultParameter::kCount), UINT64_MAX);
  EXPECT_EQ(rules.rules[0].value(FaultParameter::kAbort), 1u) << "its default";
  EXPECT_EQ(rules.rules[0].value(FaultParameter::kReset), 1u) << "its default";
  EXPECT_FALSE(rules.rules[0][FaultParameter::kContext].has_value());
  EXPECT_EQ(rules.rules[1].value(FaultParameter::kNth), 1u);
}

TEST(FaultRules, NothingIsNoFault) {
  for (const char *text : {"", " ", ";", " ;; ", "seed=3"}) {
    FaultRules rules;
    std::string complaint;
    EXPECT_TRUE(parse_faults(text, &rules, &complaint)) << text;
    EXPECT_TRUE(rules.rules.empty()) << text;
  }
}

TEST(FaultRules, ComplaintsNameTheRuleTheValueAndWhatIsAllowed) {
  EXPECT_EQ(complaint_about("sram-flip:bits=9"), "fault 'sram-flip:bits=9': bits=9 is not allowed (1 to 8)");
  EXPECT_EQ(complaint_about("irq-lost:nth=0"), "fault 'irq-lost:nth=0': nth=0 is not allowed (1 or more)");
  EXPECT_EQ(complaint_about("unit-stuck:abort=1"), "fault 'unit-stuck:abort=1': abort=1 is not allowed (off, on)");
  EXPECT_EQ(complaint_about("irq-lost:bit=1"), "fault 'irq-lost:bit=1': unknown parameter 'bit' (nth count)");
  EXPECT_EQ(complaint_about("irq-lost:nth=1,nth=1"), "fault 'irq-lost:nth=1,nth=1': nth is given twice");
  EXPECT_EQ(complaint_about("irq-lost;seed=x"), "fault 'seed=x': the seed is a number");
  EXPECT_NE(complaint_about("bogus").find("unknown kind 'bogus' (seed=N, irq-lost, "), std::string::npos);
}

TEST(FaultRules, EveryKindTakesItsDefaults) {
  for (const FaultKindRow &row : fault_kinds()) {
    EXPECT_EQ(complaint_about(row.name), "");
    EXPECT_EQ(fault_parameter_help(row).empty(), row.parameters[0] == '\0') << row.name;
  }
}

TEST(FaultInjector, CountsFromTheNthOn) {
  FaultInjector injector;
  std::string complaint;
  EXPECT_FALSE(injector.armed());
  ASSERT_TRUE(injector.set("irq-lost:nth=3,count=2", &complaint));
  EXPECT_TRUE(injector.armed());
  std::vector<bool> struck;
  for (int i = 0; i < 6; ++i) struck.push_back(injector.strikes(FaultKind::kInterruptLost).has_value());
  EXPECT_EQ(struck, (std::vector<bool>{false, false, true, true, false, false}));
  EXPECT_FALSE(injector.strikes(FaultKind::kDoorbellLost));
  std::string text;
  uint64_t times = 0;
  EXPECT_TRUE(injector.report(0, &text, &times));
  EXPECT_EQ(text, "irq-lost:nth=3,count=2");
  EXPECT_EQ(times, 2u);
  EXPECT_FALSE(injector.report(1, &text, &times));
}

TEST(FaultInjector, FiltersDecideWhatCounts) {
  FaultInjector injector;
  std::string complaint;
  ASSERT_TRUE(injector.set("bus-error:context=2,iova=0x12345,nth=2", &complaint));
  const FaultScene other{.context = 1, .iova = 0x12000}, page{.context = 2, .iova = 0x12FFF}, bus{.address = 0x12000};
  EXPECT_FALSE(injector.strikes(FaultKind::kBusError, other));
  EXPECT_FALSE(injector.strikes(FaultKind::kBusError, bus)) << "a bus address is no device address";
  EXPECT_FALSE(injector.strikes(FaultKind::kBusError, page));
  EXPECT_TRUE(injector.strikes(FaultKind::kBusError, page));
  EXPECT_FALSE(injector.strikes(FaultKind::kBusError, page));
}

TEST(FaultInjector, ABadSpecificationChangesNothing) {
  FaultInjector injector;
  std::string complaint;
  ASSERT_TRUE(injector.set("irq-lost:count=all", &complaint));
  EXPECT_FALSE(injector.set("irq-lost;bogus", &complaint));
  EXPECT_TRUE(injector.strikes(FaultKind::kInterruptLost));
  ASSERT_TRUE(injector.set("", &complaint));
  EXPECT_FALSE(injector.armed());
}

TEST(FaultInjector, TheSeedAloneChoosesWhatIsLeftOpen) {
  const auto random = [](const char *text) {
    FaultInjector injector;
    std::string complaint;
    EXPECT_TRUE(injector.set(text, &complaint));
    return injector.strikes(FaultKind::kSramFlip)->random;
  };
  EXPECT_EQ(random("seed=4;sram-flip"), random("seed=4;sram-flip:bits=2"));
  EXPECT_NE(random("seed=4;sram-flip"), random("seed=5;sram-flip"));
}

} // namespace
} // namespace avocet::model
