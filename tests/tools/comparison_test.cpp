// SPDX-License-Identifier: Apache-2.0
// The conformance rules: parsing of cases, tolerances, dimensions, distributions, variations and their applicability.
#include <android/NeuralNetworks.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conformance/comparison.hpp"
#include "conformance/variations.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools {
namespace {

TestCase one_output(int32_t type, const std::vector<double>& values, const std::string& name = "case") {
  TestCase test;
  test.name = name;
  Operand output;
  output.type = type;
  output.dims = {static_cast<uint32_t>(values.size())};
  output.lifetime = Lifetime::output;
  output.value.emplace();
  for (const double value : values) append_element(type, value, *output.value);
  test.main.operands = {output};
  test.main.outputs = {0};
  return test;
}

std::optional<std::string> compare(const TestCase& test, const std::vector<double>& actual) {
  const Operand& output = test.main.operands[0];
  ActualOutput got{.dims = {static_cast<uint32_t>(actual.size())}, .bytes = {}};
  for (const double value : actual) append_element(output.type, value, got.bytes);
  return first_difference(test, std::span<const ActualOutput>(&got, 1));
}

TEST(Comparison, Float32AllowsFiveUnitsAndOneHundredThousandth) {
  const TestCase test = one_output(ANEURALNETWORKS_TENSOR_FLOAT32, {1, 1000});
  EXPECT_FALSE(compare(test, {1.000009, 1000.0005}));
  EXPECT_TRUE(compare(test, {1.00002, 1000}));
  EXPECT_EQ(compare(test, {1, 1000.01}).value().substr(0, 21), "output 0, element [1]");
}

TEST(Comparison, RelaxedFloatsHaveFloat16sPrecision) {
  TestCase test = one_output(ANEURALNETWORKS_TENSOR_FLOAT32, {1});
  EXPECT_TRUE(compare(test, {1.009}));
  test.main.relaxed = true;
  EXPECT_FALSE(compare(test, {1.009}));
  EXPECT_TRUE(compare(test, {1.01}));
  TestCase with_half = one_output(ANEURALNETWORKS_TENSOR_FLOAT32, {1});
  with_half.referenced.emplace_back().operands.emplace_back().type = ANEURALNETWORKS_TENSOR_FLOAT16;
  EXPECT_FALSE(compare(with_half, {1.009}));
}

TEST(Comparison, IntegersAllowOne) {
  for (const int32_t type : {ANEURALNETWORKS_TENSOR_INT32, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM,
                             ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED, ANEURALNETWORKS_TENSOR_QUANT16_SYMM}) {
    EXPECT_FALSE(compare(one_output(type, {5}), {6})) << type;
    EXPECT_TRUE(compare(one_output(type, {5}), {7})) << type;
  }
  EXPECT_FALSE(compare(one_output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {5}, "mobilenet_224"), {8}));
  EXPECT_TRUE(compare(one_output(ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, {5}, "mobilenet_224"), {9}));
  EXPECT_TRUE(compare(one_output(ANEURALNETWORKS_TENSOR_BOOL8, {1}), {0}));
}

TEST(Comparison, NanAndOtherTypesFail) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(compare(one_output(ANEURALNETWORKS_TENSOR_FLOAT32, {1}), {nan}));
  EXPECT_TRUE(compare(one_output(ANEURALNETWORKS_TENSOR_FLOAT32, {nan}), {nan}));
  EXPECT_TRUE(compare(one_output(ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL, {1}), {1}));
}

TEST(Comparison, DimensionsCountUnlessIgnored) {
  TestCase test = one_output(ANEURALNETWORKS_TENSOR_INT32, {1, 2});
  EXPECT_EQ(compare(test, {1, 2, 3}), "output 0, dimensions: got [3], expected [2]");
  test.main.operands[0].ignored = true;
  EXPECT_FALSE(compare(test, {1, 2, 3}));
}

TEST(Comparison, DistributionsAreCounted) {
  TestCase test = one_output(ANEURALNETWORKS_TENSOR_INT32, {0, 0, 0, 0});
  test.main.operands[0].dims = {1, 4};
  test.multinomial_tolerance = 0.1;
  Operand input;
  input.type = ANEURALNETWORKS_TENSOR_FLOAT32;
  input.dims = {1, 2};
  input.value.emplace();
  append_element(input.type, std::log(3.0), *input.value);
  append_element(input.type, 0, *input.value);
  test.main.operands.push_back(input);
  test.main.inputs = {1};
  const auto judge = [&](std::vector<double> samples) {
    ActualOutput got{.dims = {1, 4}, .bytes = {}};
    for (const double s : samples) append_element(ANEURALNETWORKS_TENSOR_INT32, s, got.bytes);
    return first_difference(test, std::span<const ActualOutput>(&got, 1));
  };
  EXPECT_FALSE(judge({0, 0, 1, 0}));
  EXPECT_TRUE(judge({0, 1, 1, 0}));
  EXPECT_TRUE(judge({0, 0, 7, 0}));
}

constexpr const char* kAdd =
    R"({"name":"add","min_feature_level":27,"main":{"operands":[)"
    R"({"type":"TENSOR_QUANT8_ASYMM","dims":[2],"scale":0.5,"zero_point":3,"lifetime":"SUBGRAPH_INPUT","data":[1,255]},)"
    R"({"type":"INT32","lifetime":"CONSTANT_COPY","data":[0]},)"
    R"({"type":"TENSOR_QUANT8_ASYMM","dims":[2],"scale":1,"lifetime":"SUBGRAPH_OUTPUT","data":[4,6]}],)"
    R"("operations":[{"op":"ADD","inputs":[0,0,1],"outputs":[2]}],"inputs":[0],"outputs":[2]}})";

TEST(TestCase, IsParsed) {
  const TestCase test = parse_test_case(kAdd);
  EXPECT_EQ(parse_test_case_name(kAdd), "add");
  EXPECT_EQ(test.name, "add");
  EXPECT_EQ(*test.main.operands[0].value, (std::vector<uint8_t>{1, 255}));
  EXPECT_EQ(test.main.operands[0].zero_point, 3);
  EXPECT_EQ(test.main.operations[0].code, ANEURALNETWORKS_ADD);
}

TEST(TestCase, RejectsWhatItDoesNotKnow) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kAdd;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THROW(parse_test_case(changed("\"ADD\"", "\"ADDD\"")), std::runtime_error);
  EXPECT_THROW(parse_test_case(changed("\"dims\"", "\"dimz\"")), std::runtime_error);
  EXPECT_THROW(parse_test_case(changed("[0,0,1]", "[0,9,1]")), std::runtime_error);
  EXPECT_THROW(parse_test_case(changed("[1,255]", "[1,\"x\"]")), std::runtime_error);
  EXPECT_THROW(parse_test_case("{"), std::runtime_error);
}

TEST(Variations, ChangeTheCase) {
  const TestCase test = parse_test_case(kAdd);
  const TestCase dynamic = apply_variation(test, Variation::dynamic);
  EXPECT_EQ(dynamic.main.operands[2].dims, std::vector<uint32_t>{0});
  const TestCase as_signed = apply_variation(test, Variation::as_signed);
  EXPECT_EQ(as_signed.main.operands[0].type, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED);
  EXPECT_EQ(as_signed.main.operands[0].zero_point, -125);
  EXPECT_EQ(read_element(as_signed.main.operands[0].type, as_signed.main.operands[0].value->data()), -127);
  EXPECT_EQ(read_element(as_signed.main.operands[0].type, as_signed.main.operands[0].value->data() + 1), 127);
}

TEST(Variations, SkipWhereTheRulesSaySo) {
  TestCase test = parse_test_case(kAdd);
  for (const Variation variation : all_variations()) EXPECT_FALSE(skip_reason(test, variation));
  test.main.operations[0].code = ANEURALNETWORKS_CAST;
  EXPECT_TRUE(skip_reason(test, Variation::as_signed));
  test.main.operations[0].code = ANEURALNETWORKS_RANK;
  EXPECT_TRUE(skip_reason(test, Variation::dynamic));
  EXPECT_FALSE(skip_reason(test, Variation::cached));
  test.main.operands[2].value->clear();
  EXPECT_TRUE(skip_reason(test, Variation::domains));
  EXPECT_TRUE(skip_reason(test, Variation::fenced));
  test.expect_failure = true;
  EXPECT_TRUE(skip_reason(test, Variation::burst));
  EXPECT_FALSE(skip_reason(test, Variation::plain));
  test.main.operations[0].code = ANEURALNETWORKS_WHILE;
  EXPECT_TRUE(skip_reason(test, Variation::plain));
}

TEST(Half, RoundsToNearestEvenAndBack) {
  EXPECT_EQ(half_from_double(0.0), 0);
  EXPECT_EQ(half_from_double(-0.0), 0x8000);
  EXPECT_EQ(half_from_double(1.0), 0x3c00);
  EXPECT_EQ(half_from_double(65504.0), 0x7bff);
  EXPECT_EQ(half_from_double(65520.0), 0x7c00);
  EXPECT_EQ(half_from_double(std::ldexp(1.0, -24)), 1);
  EXPECT_EQ(half_from_double(std::ldexp(1.0, -14)), 0x0400);
  EXPECT_EQ(half_from_double(1.0 + std::ldexp(1.0, -11)), 0x3c00);      // halfway, to even
  EXPECT_EQ(half_from_double(1.0 + 3 * std::ldexp(1.0, -11)), 0x3c02);  // halfway, to even
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    EXPECT_EQ(half_from_double(double_from_half(static_cast<uint16_t>(bits))), bits);
  }
}

}  // namespace
}  // namespace avocet::tools
