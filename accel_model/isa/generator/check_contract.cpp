// SPDX-License-Identifier: Apache-2.0
// What the rows must satisfy together. The generated C shares one name space, so names are checked as the C
// identifiers that they become: an enum and a struct of the same name, for example, would collide.
#include <map>
#include <set>

#include "contract.hpp"
#include "text.hpp"

namespace avocet::isa_generator {
namespace {

void require(bool condition, const std::string& where, const std::string& what) {
  if (!condition) throw ContractError(where + ": " + what);
}

class Identifiers {
 public:
  void add(const std::string& identifier, const std::string& where) {
    auto [position, added] = owners_.emplace(identifier, where);
    require(added, where, "the name " + identifier + " is taken by " + position->second);
  }

 private:
  std::map<std::string, std::string> owners_;
};

void check_bits(const std::string& where, unsigned lsb, unsigned bits) {
  require(bits >= 1 && lsb < 32 && bits <= 32 - lsb, where, "does not fit a 32-bit word");
}

// Claims bits of a word; `used` holds those claimed before.
void claim(uint32_t& used, const std::string& where, unsigned lsb, unsigned bits) {
  check_bits(where, lsb, bits);
  uint32_t mask = field_mask(lsb, bits);
  require((used & mask) == 0, where, "overlaps another field");
  used |= mask;
}

void check_enums(const Contract& contract, Identifiers& names) {
  for (const Enum& row : contract.enums) {
    std::string where = "enum " + row.name;
    names.add("avocet_" + row.name, where);
    require(!row.values.empty(), where, "has no values");
    std::set<uint32_t> seen;
    for (const EnumValue& value : row.values) {
      names.add(upper(row.name) + "_" + value.name, where);
      require(seen.insert(value.value).second, where + "." + value.name, "its value is taken");
    }
  }
}

void check_registers(const Contract& contract, Identifiers& names) {
  static const std::set<std::string> kAccesses{"ro", "rw", "wo", "w1c", "core"};
  uint64_t window = contract.constant("REGISTER_BYTES");
  std::set<uint32_t> offsets;
  for (const Register& row : contract.registers) {
    std::string where = "register " + row.name;
    names.add("REG_" + row.name, where);
    require(kAccesses.count(row.access) == 1, where, "unknown access \"" + row.access + "\"");
    require(row.offset % 4 == 0 && row.offset < window, where, "its offset is unaligned or outside the window");
    require(offsets.insert(row.offset).second, where, "its offset is taken");
    uint32_t used = 0;
    for (const BitField& field : row.fields) {
      names.add(row.name + "_" + field.name, where);
      claim(used, where + "." + field.name, field.lsb, field.bits);
    }
  }
}

void check_structs(const Contract& contract, Identifiers& names) {
  std::set<std::string> defined;
  for (const Struct& row : contract.structs) {
    std::string where = "struct " + row.name;
    names.add("avocet_" + row.name, where);
    names.add(upper(row.name) + "_BYTES", where);
    uint64_t offset = 0;
    std::set<std::string> members;
    for (const Member& member : row.members) {
      std::string here = where + "." + member.name;
      require(members.insert(member.name).second, here, "named twice");
      require(!contract.find_struct(member.type) || defined.count(member.type) == 1, here,
              "struct " + member.type + " must stand above");
      std::optional<Layout> element = layout_of_type(contract, member.type);
      require(element.has_value(), here, "unknown type \"" + member.type + "\"");
      require(member.count >= 1, here, "count must be at least 1");
      require(offset % element->alignment == 0, here, "is not naturally aligned: hidden padding");
      offset += element->bytes * member.count;
    }
    require(offset != 0 && offset % layout_of(contract, row).alignment == 0, where, "hidden padding at its end");
    defined.insert(row.name);
  }
}

void check_kind(const Contract& contract, const Field& field, const std::string& where) {
  require(field.kind != Kind::flag || field.bits == 1, where, "a flag has one bit");
  require(field.kind != Kind::count_minus_one || field.bits < 32, where, "a count of 32 bits could be 2^32");
  require(field.kind != Kind::unit || contract.find_enum("unit"), where, "needs enum unit");
  require(field.kind != Kind::region || contract.constant("REGIONS") <= (uint64_t{1} << field.bits), where,
          "cannot name every region");
  if (field.kind != Kind::enumeration) return;
  const Enum* row = contract.find_enum(field.enum_name);
  require(row != nullptr, where, "unknown enum \"" + field.enum_name + "\"");
  for (const EnumValue& value : row->values)
    require((value.value & ~field_mask(0, field.bits)) == 0, where, "too narrow for " + value.name);
}

void check_access(const Command& command, const Access& access, const std::string& where) {
  static const std::map<std::string, Kind> kSpaces{{"sram", Kind::sram}, {"dram", Kind::dram}, {"acc", Kind::acc}};
  static const std::set<std::string> kModes{"r", "w", "rw"};
  auto space = kSpaces.find(access.space);
  require(space != kSpaces.end(), where, "unknown space \"" + access.space + "\"");
  require(kModes.count(access.mode) == 1, where, "unknown mode \"" + access.mode + "\"");
  require(command.fields[access.address].kind == space->second, where, "the address is not of kind " + access.space);
  require(access.region.has_value() == (access.space == "dram"), where, "dram has a region, and only dram");
  if (access.region)
    require(command.fields[*access.region].kind == Kind::region, where, "the region is not of kind region");
  require(access.bytes.factor != 0, where, "zero bytes");
  for (unsigned field : access.bytes.fields)
    require(command.fields[field].kind == Kind::length || command.fields[field].kind == Kind::count_minus_one, where,
            command.fields[field].name + " could be zero: neither length nor count");
  if (access.single_if)
    require(command.fields[*access.single_if].kind == Kind::flag, where,
            command.fields[*access.single_if].name + " is no flag");
  for (const Dimension& dimension : access.dimensions) {
    require(dimension.count.factor != 0, where, "a dimension counts zero");
    for (unsigned field : dimension.count.fields)
      require(command.fields[field].kind == Kind::count_minus_one, where, command.fields[field].name + " is no count");
    for (unsigned field : dimension.stride.fields)
      require(command.fields[field].kind != Kind::is_signed, where, command.fields[field].name + " is signed");
  }
}

void check_command(const Contract& contract, const Command& command, Identifiers& names) {
  static const std::set<std::string> kUnits{"sequencer", "dma", "mac", "requant", "vector"};
  std::string where = "command " + command.name;
  names.add("avocet_" + lower(command.name) + "_encode", where);
  names.add("avocet_cmd_" + lower(command.name), where);
  names.add("OP_" + command.name, where);
  names.add(command.name + "_WORDS", where);
  require(command.opcode != 0 && command.opcode < field_mask(0, contract.opcode.bits), where,
          "opcode 0 and all ones are illegal");
  require(kUnits.count(command.unit) == 1, where, "unknown unit \"" + command.unit + "\"");
  uint64_t longest = contract.constant("COMMAND_WORDS_MAX");
  require(command.words() <= longest, where, "longer than COMMAND_WORDS_MAX");
  std::vector<uint32_t> used(longest);
  std::set<std::string> fields;
  unsigned channels = 0;
  for (const Field& field : command.fields) {
    std::string here = where + "." + field.name;
    require(fields.insert(field.name).second, here, "named twice");
    require(field.name != "tag", here, "tag is the header's");
    require(field.word >= 1 && field.word < longest, here, "its word is the header's or too far");
    claim(used[field.word], here, field.lsb, field.bits);
    check_kind(contract, field, here);
    channels += field.kind == Kind::channel;
  }
  require(channels == (command.unit == "dma" ? 1u : 0u), where,
          "a dma command has one channel, and only a dma command");
  for (const Access& access : command.accesses) check_access(command, access, where);
}

}  // namespace

void check_contract(const Contract& contract) {
  require(contract.major <= 0xFFFF && contract.minor <= 0xFFFF, "version", "does not fit 16 bits");
  Identifiers names;
  for (const char* name : {"VERSION", "VERSION_MAJOR", "VERSION_MINOR"}) names.add(name, "version");
  for (const Constant& row : contract.constants) {
    names.add(row.name, "constant " + row.name);
    require(row.value <= UINT32_MAX, "constant " + row.name, "does not fit 32 bits");
  }
  check_enums(contract, names);
  check_registers(contract, names);
  check_structs(contract, names);
  uint32_t used = 0;
  for (const BitField* field : {&contract.opcode, &contract.length, &contract.tag})
    claim(used, "command_header." + field->name, field->lsb, field->bits);
  require(contract.constant("COMMAND_WORDS_MAX") <= field_mask(0, contract.length.bits), "command_header.length",
          "cannot hold COMMAND_WORDS_MAX");
  require(contract.constant("TAGS_MAX") <= field_mask(0, contract.tag.bits), "command_header.tag", "cannot hold a tag");
  std::set<uint32_t> opcodes;
  for (const Command& command : contract.commands) {
    check_command(contract, command, names);
    require(opcodes.insert(command.opcode).second, "command " + command.name, "its opcode is taken");
  }
}

}  // namespace avocet::isa_generator
