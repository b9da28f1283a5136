// SPDX-License-Identifier: Apache-2.0
// Many random valid models, executed in all ways.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "nnapi/operand_types.hpp"
#include "run_model.hpp"
#include "settings.hpp"

namespace avocet::random_models {
namespace {

constexpr size_t kReportedFailures = 60;

/// The operation that a failure's text starts with.
std::string subject(const std::string& text) { return text.substr(0, text.find(':')); }

void write_case(const RandomModel& model) {
  if (settings().write.empty()) return;
  std::filesystem::create_directories(settings().write);
  std::ofstream(settings().write + "/" + model.test.name + ".json") << to_case_file(model);
}

class ManyModels {
 public:
  void run(uint64_t turn, const RandomModel& model) {
    ++executed_;
    const Way way = way_of(model, turn);
    const auto text = settings().on_npu() ? check_on_npu(model, way, tally_) : check_on_cpu(model, way, tally_);
    if (!text) return;
    ++failures_[subject(*text)];
    write_case(model);
    if (++failed_ <= kReportedFailures) {
      ADD_FAILURE() << "seed " << model.seed << " (" << way_name(way) << "): " << *text;
    }
  }

  void print() const {
    std::printf("%zu models executed, %zu failed\n", executed_, failed_);
    for (const auto& [name, count] : failures_) std::printf("  %s: %zu failures\n", name.c_str(), count);
    if (settings().on_npu()) {
      std::printf("%zu operations on the accelerator\n", tally_.accelerated);
      return;
    }
    size_t compared = 0;
    for (const auto& [code, count] : tally_.operations) compared += count;
    std::printf("%zu operations of %zu kinds compared, %zu results without elements\n", compared, tally_.operations.size(), tally_.empty);
    for (const auto& [what, list] : {std::pair("several right results", &tally_.open), std::pair("wild inputs", &tally_.wild_inputs)}) {
      if (list->empty()) continue;
      std::printf("not compared (%s):", what);
      for (const auto& [code, count] : *list) std::printf(" %s %zu", tools::operation_name(code).c_str(), count);
      std::printf("\n");
    }
  }

  /// Every operation was seen.
  void expect_coverage() const {
    for (const runtime::Operation& operation : runtime::all_operations()) {
      const bool seen = tally_.operations.contains(operation.code);
      EXPECT_TRUE(seen) << operation.name << " never occurred with a result that could be compared";
    }
  }
  const Tally& tally() const { return tally_; }

 private:
  Tally tally_;
  std::map<std::string, size_t> failures_;
  size_t executed_ = 0, failed_ = 0;
};

TEST(RandomModels, GiveTheExpectedResults) {
  const Settings& s = settings();
  const Profile profile{.quantised_only = s.on_npu()};
  const auto first = tools::operation_code(s.operation);
  ManyModels many;
  for (uint64_t i = 0; i < s.models; ++i) {
    const RandomModel model = generate_model(s.seed + i, profile, first.value_or(-1));
    many.run(i, model);
  }
  many.print();
  if (!s.on_npu() && !first && s.models >= 2000) many.expect_coverage();
  if (s.on_npu() && s.models >= 100) {
    EXPECT_GT(many.tally().accelerated, s.models) << "hardly anything ran on the accelerator";
  }
}

/// What a signature can draw: its forms and its rows of types, each as its own string.
void add_all(const runtime::Operation& operation, std::set<std::string>& all) {
  const runtime::Signature& row = *operation.signature;
  for (size_t i = 0; i < row.inputs.size(); ++i) all.insert(std::string(operation.name) + " inputs " + std::to_string(i));
  for (size_t i = 0; i < row.outputs.size(); ++i) all.insert(std::string(operation.name) + " outputs " + std::to_string(i));
  for (size_t i = 0; i < row.types.size(); ++i) all.insert(std::string(operation.name) + " types " + std::to_string(i));
}

void erase_seen(const tools::ModelDescription& graph, const tools::OperationDescription& described, std::set<std::string>& all) {
  const runtime::Operation& operation = *runtime::find_operation(described.code);
  const runtime::Signature& row = *operation.signature;
  std::vector<runtime::OperandView> inputs, outputs;
  for (const uint32_t i : described.inputs) inputs.emplace_back().type = graph.operands[i].type;
  for (const uint32_t i : described.outputs) outputs.emplace_back().type = graph.operands[i].type;
  runtime::OperationContext context;
  context.inputs = inputs;
  context.outputs = outputs;
  const runtime::Match match = match_signature(operation.name, row, context);
  ASSERT_TRUE(match.status.ok()) << match.status.message;
  all.erase(std::string(operation.name) + " inputs " + std::to_string(match.inputs - row.inputs.data()));
  all.erase(std::string(operation.name) + " outputs " + std::to_string(match.outputs - row.outputs.data()));
  if (match.types) all.erase(std::string(operation.name) + " types " + std::to_string(match.types - row.types.data()));
}

TEST(RandomModels, CoverEveryFormAndEveryRowOfTypes) {
  std::set<std::string> left;
  for (const runtime::Operation& operation : runtime::all_operations()) add_all(operation, left);
  for (uint64_t seed = 0; seed < 20000 && !left.empty(); ++seed) {
    const RandomModel model = generate_model(seed);
    for (const auto& operation : model.test.main.operations) erase_seen(model.test.main, operation, left);
  }
  for (const std::string& what : left) ADD_FAILURE() << what << " never occurred";
}

/// Models are data of the seed alone.
TEST(RandomModels, AreTheSameForTheSameSeed) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(to_case_file(generate_model(seed)), to_case_file(generate_model(seed))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace avocet::random_models
