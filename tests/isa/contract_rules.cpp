// SPDX-License-Identifier: Apache-2.0
// Rows that contradict each other or the rules are refused, and the message names the row. Each case damages the real
// contract in one place.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "contract.hpp"

using namespace avocet::isa_generator;
using Json = nlohmann::json;

namespace {

struct Damage {
  const char* name;
  std::function<void(Json&)> apply;
  std::string message;  // must occur in the error
};

void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

Json& row(Json& contract, const char* list, const std::string& name) {
  for (Json& json : contract.at(list))
    if (json.at("name") == name) return json;
  throw std::out_of_range(name);
}

Json& field(Json& contract, const std::string& command, const std::string& name) {
  for (Json& json : row(contract, "commands", command).at("fields"))
    if (json.at("name") == name) return json;
  throw std::out_of_range(name);
}

// The error of reading and checking, "" when there is none.
std::string refusal(const std::string& text) {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("avocet_contract_" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << text;
  std::string message;
  try {
    check_contract(read_contract(path));
  } catch (const ContractError& error) {
    message = error.what();
  }
  std::filesystem::remove(path);
  return message;
}

Json real_contract() {
  std::ifstream file(std::filesystem::path(AVOCET_SOURCE_DIR) / "accel_model/isa/contract.json");
  return Json::parse(file);
}

class ContractRules : public testing::TestWithParam<Damage> {};

TEST_P(ContractRules, Refuses) {
  Json contract = real_contract();
  GetParam().apply(contract);
  std::string message = refusal(contract.dump());
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << "got: \"" << message << '"';
}

const Damage kDamages[] = {
    {"misspelt_key", [](Json& c) { row(c, "registers", "ID")["acces"] = "ro"; }, "registers: unknown key \"acces\""},
    {"missing_key", [](Json& c) { row(c, "registers", "ID").erase("offset"); }, "\"offset\" is missing"},
    {"not_a_number", [](Json& c) { row(c, "registers", "ID")["offset"] = "0xZ"; }, "\"0xZ\" is not a number"},
    {"negative_number", [](Json& c) { row(c, "registers", "ID")["offset"] = -4; }, "registers.offset"},
    {"wide_constant", [](Json& c) { row(c, "constants", "MAGIC")["value"] = "0x100000000"; },
     "MAGIC: does not fit 32 bits"},
    {"register_offset_taken", [](Json& c) { row(c, "registers", "VERSION")["offset"] = 0; },
     "register VERSION: its offset is taken"},
    {"register_unaligned", [](Json& c) { row(c, "registers", "VERSION")["offset"] = 6; }, "register VERSION"},
    {"register_outside", [](Json& c) { row(c, "registers", "VERSION")["offset"] = 4096; }, "register VERSION"},
    {"register_access", [](Json& c) { row(c, "registers", "ID")["access"] = "rx"; }, "unknown access \"rx\""},
    {"register_name_twice", [](Json& c) { row(c, "registers", "VERSION")["name"] = "ID"; }, "REG_ID is taken"},
    {"register_fields_overlap", [](Json& c) { row(c, "registers", "CONTROL")["fields"][1]["lsb"] = 0; },
     "register CONTROL.RESET: overlaps"},
    {"enum_value_twice", [](Json& c) { row(c, "enums", "pool_mode")["values"][1]["value"] = 0; },
     "enum pool_mode.AVERAGE"},
    {"enum_named_like_a_struct", [](Json& c) { row(c, "enums", "message_type")["name"] = "message"; },
     "avocet_message is taken"},
    {"enum_too_wide_for_field", [](Json& c) { row(c, "enums", "pool_mode")["values"][1]["value"] = 16; },
     "too narrow for AVERAGE"},
    {"hidden_padding", [](Json& c) { row(c, "structs", "boot")["fields"].erase(1); },
     "struct boot.admin_ring: is not naturally aligned"},
    {"padding_at_the_end",
     [](Json& c) {
       row(c, "structs", "job")["fields"].push_back({{"name", "z"}, {"type", "u32"}, {"doc", ""}});
     },
     "struct job: hidden padding at its end"},
    {"struct_type", [](Json& c) { row(c, "structs", "boot")["fields"][0]["type"] = "u24"; }, "unknown type \"u24\""},
    {"struct_recursion", [](Json& c) { row(c, "structs", "region")["fields"][0]["type"] = "region"; },
     "struct region must stand above"},
    {"opcode_twice", [](Json& c) { row(c, "commands", "ADD")["opcode"] = "0x31"; }, "command ADD: its opcode is taken"},
    {"opcode_zero", [](Json& c) { row(c, "commands", "ADD")["opcode"] = 0; }, "command ADD: opcode 0"},
    {"opcode_all_ones", [](Json& c) { row(c, "commands", "ADD")["opcode"] = 255; }, "command ADD: opcode 0"},
    {"command_unit", [](Json& c) { row(c, "commands", "ADD")["unit"] = "alu"; }, "unknown unit \"alu\""},
    {"fields_overlap", [](Json& c) { field(c, "ADD", "left_shift")["lsb"] = 0; }, "command ADD.left_shift: overlaps"},
    {"field_straddles", [](Json& c) { field(c, "ADD", "clamp_max")["lsb"] = 17; },
     "command ADD.clamp_max: does not fit"},
    {"field_in_the_header", [](Json& c) { field(c, "ADD", "left_shift")["word"] = 0; }, "command ADD.left_shift"},
    {"command_too_long", [](Json& c) { field(c, "ADD", "left_shift")["word"] = 32; }, "command ADD: longer"},
    {"field_twice", [](Json& c) { field(c, "ADD", "left_shift")["name"] = "ofm"; }, "command ADD.ofm: named twice"},
    {"field_kind", [](Json& c) { field(c, "ADD", "b")["kind"] = "pointer"; }, "unknown kind \"pointer\""},
    {"field_enum", [](Json& c) { field(c, "POOL", "mode")["kind"] = "enum:mode"; }, "unknown enum \"mode\""},
    {"wide_flag", [](Json& c) { field(c, "ADD", "input_unsigned")["bits"] = 2; }, "a flag has one bit"},
    {"wide_count", [](Json& c) { field(c, "ADD", "row_bytes")["kind"] = "count_minus_one"; }, "a count of 32 bits"},
    {"fields_of_unknown", [](Json& c) { row(c, "commands", "DMA_STORE")["fields_of"] = "DMA"; }, "fields_of \"DMA\""},
    {"access_unknown_field", [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["bytes"] = "row"; },
     "\"row\" is not a field of ADD"},
    {"access_unknown_factor", [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["dims"][0][1] = "y_count*q"; },
     "\"q\" is not a field of ADD"},
    {"access_three_factors",
     [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["dims"][0][1] = "y_count*a_stride*b_stride"; },
     "more than two fields"},
    {"access_no_address", [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["address"] = "row_bytes"; },
     "the address is not of kind sram"},
    {"access_space", [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["space"] = "rom"; },
     "unknown space \"rom\""},
    {"access_mode", [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["mode"] = "x"; }, "unknown mode \"x\""},
    {"access_without_region", [](Json& c) { row(c, "commands", "DMA_LOAD")["accesses"][0].erase("region"); },
     "dram has a region"},
    {"access_count_is_a_stride", [](Json& c) { row(c, "commands", "ADD")["accesses"][0]["dims"][0][0] = "a_stride"; },
     "a_stride is no count"},
    {"access_single_if_no_flag", [](Json& c) { row(c, "commands", "ADD")["accesses"][1]["single_if"] = "left_shift"; },
     "left_shift is no flag"},
    {"access_single_if_unknown", [](Json& c) { row(c, "commands", "ADD")["accesses"][1]["single_if"] = "one"; },
     "\"one\" is not a field of ADD"},
    {"dma_without_channel", [](Json& c) { field(c, "DMA_FILL", "channel")["kind"] = "scalar"; },
     "command DMA_FILL: a dma command has one channel"},
};

INSTANTIATE_TEST_SUITE_P(Damages, ContractRules, testing::ValuesIn(kDamages),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Contract, TheRealOneIsAccepted) { EXPECT_EQ(refusal(real_contract().dump()), ""); }

TEST(Contract, TextThatIsNoJsonIsRefusedWithItsPlace) {
  EXPECT_NE(refusal("{\"version\": ").find("parse error"), std::string::npos);
}

TEST(Contract, MissingFileIsNamed) {
  try {
    read_contract("/nonexistent/contract.json");
    FAIL() << "accepted";
  } catch (const ContractError& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/contract.json"), std::string::npos);
  }
}

}  // namespace
