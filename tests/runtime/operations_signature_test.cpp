// SPDX-License-Identifier: Apache-2.0
// The table of operations: complete, in order, and accepting exactly the forms the API documents. The published test cases
// serve as a second reading of the specification: every operation in them that must be accepted has a matching row.
#include <gtest/gtest.h>

#include <set>

#include "operations/reference_page.hpp"
#include "operations/signature.hpp"
#include "published_cases.hpp"

namespace avocet::runtime {
namespace {

using nlohmann::json;

TEST(OperationTable, HasEveryCodeInOrder) {
  const auto all = all_operations();
  ASSERT_EQ(all.size(), 102u);
  std::set<std::string> names;
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].code, static_cast<int32_t>(i)) << all[i].name;
    ASSERT_NE(all[i].signature, nullptr);
    EXPECT_TRUE(names.insert(all[i].name).second) << all[i].name;
    EXPECT_EQ(find_operation(all[i].code), &all[i]);
  }
  EXPECT_EQ(find_operation(-1), nullptr);
  EXPECT_EQ(find_operation(102), nullptr);
  EXPECT_STREQ(find_operation(ANEURALNETWORKS_TRANSPOSE_CONV_2D)->name, "TRANSPOSE_CONV_2D");
}

TEST(OperationTable, ReferencePageSaysWhatTheRowsSay) {
  const std::string conv = reference_page({find_operation(ANEURALNETWORKS_CONV_2D), 1});
  EXPECT_NE(conv.find("## CONV_2D\n\nCode 3, feature level 27; inputs may be empty"), std::string::npos) << conv;
  EXPECT_NE(conv.find("| 1 | `filter` | column B | [depth_out,filter_height,filter_width,depth_in] | per channel of dimension 0 |"),
            std::string::npos)
      << conv;
  EXPECT_NE(conv.find("| 7 | `nchw` | BOOL | scalar | level 29; optional, default 0 |"), std::string::npos) << conv;
  const std::string all = reference_page(all_operations());
  for (const Operation& operation : all_operations()) {
    EXPECT_NE(all.find(std::string("\n## ") + operation.name + "\n"), std::string::npos) << operation.name;
  }
}

TEST(OperationTable, RowsAreWellFormed) {
  for (const Operation& operation : all_operations()) {
    SCOPED_TRACE(operation.name);
    const Signature& signature = *operation.signature;
    EXPECT_GE(signature.level, 27);
    EXPECT_LE(signature.level, 30);
    EXPECT_FALSE(signature.inputs.empty());
    EXPECT_FALSE(signature.outputs.empty());
    for (const auto& forms : {signature.inputs, signature.outputs}) {
      for (const Form& form : forms) {
        bool optional_seen = false;
        int repeated = 0;
        std::set<std::string> names;
        for (const OperandRule& rule : form.operands) {
          EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
          EXPECT_FALSE(optional_seen && !rule.may_be_absent) << rule.name << " is required after an optional operand";
          optional_seen |= rule.may_be_absent && !rule.repeats;
          repeated += rule.repeats;
          EXPECT_TRUE(rule.type < Type::kColumnA || rule.type > Type::kColumnD || !signature.types.empty()) << rule.name;
          EXPECT_TRUE(!rule.is_image || rule.min_rank == 4) << rule.name;
        }
        EXPECT_LE(repeated, 1);
      }
    }
  }
}

TEST(OperationTable, AcceptsThePublishedCases) {
  const std::filesystem::path folder = published::folder();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there; set AVOCET_SHARED";
  size_t operations = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    const json document = json::parse(file);
    for (const json& one : document.at("cases")) {
      if (one.value("expect_failure", false)) continue;
      std::vector<json> graphs = one.value("referenced", std::vector<json>{});
      graphs.push_back(one.at("main"));
      for (const json& graph : graphs) {
        published::Graph operands(graph);
        for (const json& op : graph.at("operations")) {
          const Operation* operation = published::operation_named(op.at("op"));
          std::vector<OperandView> inputs, outputs;
          for (size_t i : op.at("inputs")) inputs.push_back(operands.view(i));
          for (size_t i : op.at("outputs")) outputs.push_back(operands.view(i));
          OperationContext context;
          context.inputs = inputs;
          context.outputs = outputs;
          int level = 0;
          const Status status = validate_signature(operation->name, *operation->signature, context, &level);
          ++operations;
          refused += !status.ok();
          EXPECT_TRUE(status.ok()) << one.at("name") << ": " << status.message;
          if (!one.value("level_inferred", false)) {
            EXPECT_LE(level, one.at("min_feature_level").get<int>()) << one.at("name") << " " << operation->name;
          }
          ASSERT_LT(refused, 20u);
        }
      }
    }
  }
  EXPECT_GT(operations, 10000u);
}

}  // namespace
}  // namespace avocet::runtime
