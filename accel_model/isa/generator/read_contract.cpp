// SPDX-License-Identifier: Apache-2.0
// JSON to rows. Each reader takes the keys it knows out of its object and refuses what is left over, so that a
// misspelt key is an error instead of a default.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "contract.hpp"

namespace avocet::isa_generator {
namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& where, const std::string& what) { throw ContractError(where + ": " + what); }

void allow_keys(const Json& object, const std::string& where, std::initializer_list<const char*> keys) {
  if (!object.is_object()) fail(where, "must be an object");
  for (const auto& item : object.items())
    if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
      fail(where, "unknown key \"" + item.key() + "\"");
}

const Json& required(const Json& object, const std::string& where, const char* key) {
  auto found = object.find(key);
  if (found == object.end()) fail(where, std::string("\"") + key + "\" is missing");
  return *found;
}

std::string text(const Json& object, const std::string& where, const char* key) {
  const Json& value = required(object, where, key);
  if (!value.is_string()) fail(where, std::string("\"") + key + "\" must be a string");
  return value.get<std::string>();
}

// A number, or a string that spells one in decimal or with 0x.
uint64_t number(const Json& value, const std::string& where) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (!value.is_string()) fail(where, "must be a non-negative number or a string that spells one");
  std::string spelling = value.get<std::string>();
  bool hexadecimal = spelling.starts_with("0x");
  const char* begin = spelling.data() + (hexadecimal ? 2 : 0);
  const char* end = spelling.data() + spelling.size();
  uint64_t result = 0;
  auto [stop, error] = std::from_chars(begin, end, result, hexadecimal ? 16 : 10);
  if (error != std::errc() || stop != end) fail(where, "\"" + spelling + "\" is not a number");
  return result;
}

uint32_t number32(const Json& object, const std::string& where, const char* key) {
  uint64_t value = number(required(object, where, key), where + "." + key);
  if (value > UINT32_MAX) fail(where + "." + key, "does not fit 32 bits");
  return static_cast<uint32_t>(value);
}

const Json& list(const Json& object, const std::string& where, const char* key) {
  const Json& value = required(object, where, key);
  if (!value.is_array()) fail(where, std::string("\"") + key + "\" must be a list");
  return value;
}

BitField read_bits(const Json& json, const std::string& where, const std::string& name) {
  BitField bits;
  bits.name = name;
  bits.lsb = number32(json, where, "lsb");
  bits.bits = number32(json, where, "bits");
  return bits;
}

Constant read_constant(const Json& json, const std::string& where) {
  allow_keys(json, where, {"name", "value", "doc"});
  Constant row;
  row.name = text(json, where, "name");
  row.doc = text(json, where, "doc");
  const Json& value = required(json, where, "value");
  row.value = number(value, where + "." + row.name);
  row.spelling = value.is_string() ? value.get<std::string>() : std::to_string(row.value);
  return row;
}

Enum read_enum(const Json& json, const std::string& where) {
  allow_keys(json, where, {"name", "doc", "values"});
  Enum row{text(json, where, "name"), text(json, where, "doc"), {}};
  for (const Json& value : list(json, where, "values")) {
    std::string here = where + " " + row.name;
    allow_keys(value, here, {"name", "value", "doc"});
    row.values.push_back({text(value, here, "name"), text(value, here, "doc"), number32(value, here, "value")});
  }
  return row;
}

Register read_register(const Json& json, const std::string& where) {
  allow_keys(json, where, {"name", "offset", "access", "doc", "fields"});
  Register row;
  row.name = text(json, where, "name");
  row.offset = number32(json, where, "offset");
  row.access = text(json, where, "access");
  row.doc = text(json, where, "doc");
  if (!json.contains("fields")) return row;
  for (const Json& field : list(json, where, "fields")) {
    std::string here = where + " " + row.name;
    allow_keys(field, here, {"name", "lsb", "bits", "doc"});
    BitField bits = read_bits(field, here, text(field, here, "name"));
    bits.doc = text(field, here, "doc");
    row.fields.push_back(bits);
  }
  return row;
}

Struct read_struct(const Json& json, const std::string& where) {
  allow_keys(json, where, {"name", "doc", "fields"});
  Struct row{text(json, where, "name"), text(json, where, "doc"), {}};
  for (const Json& field : list(json, where, "fields")) {
    std::string here = where + " " + row.name;
    allow_keys(field, here, {"name", "type", "count", "doc"});
    Member member{text(field, here, "name"), text(field, here, "type"), text(field, here, "doc"), 1};
    if (field.contains("count")) member.count = number32(field, here, "count");
    row.members.push_back(member);
  }
  return row;
}

Field read_field(const Json& json, const std::string& where) {
  allow_keys(json, where, {"name", "word", "lsb", "bits", "kind", "doc"});
  Field field;
  field.name = text(json, where, "name");
  std::string here = where + "." + field.name;
  field.doc = text(json, here, "doc");
  field.word = number32(json, here, "word");
  field.lsb = number32(json, here, "lsb");
  field.bits = number32(json, here, "bits");
  std::string kind = text(json, here, "kind");
  if (kind.starts_with("enum:")) {
    field.enum_name = kind.substr(5);
    kind = "enum";
  } else if (kind == "enum") {
    fail(here, "kind enum needs a name: enum:<name>");
  }
  std::optional<Kind> known = kind_from(kind);
  if (!known) fail(here, "unknown kind \"" + kind + "\"");
  field.kind = *known;
  return field;
}

unsigned field_index(const Command& command, const std::string& name, const std::string& where) {
  for (unsigned i = 0; i < command.fields.size(); ++i)
    if (command.fields[i].name == name) return i;
  fail(where, "\"" + name + "\" is not a field of " + command.name);
}

// "channels*kernel_width", "row_bytes", 12 or "12".
Term read_term(const Json& json, const Command& command, const std::string& where) {
  Term term;
  if (json.is_number()) {
    term.factor = static_cast<uint32_t>(number(json, where));
    return term;
  }
  if (!json.is_string()) fail(where, "must be a number or an expression");
  std::string expression = json.get<std::string>();
  for (size_t begin = 0; begin <= expression.size();) {
    size_t end = std::min(expression.find('*', begin), expression.size());
    std::string factor = expression.substr(begin, end - begin);
    begin = end + 1;
    if (!factor.empty() && factor.find_first_not_of("0123456789") == std::string::npos)
      term.factor *= static_cast<uint32_t>(number(Json(factor), where));
    else
      term.fields.push_back(field_index(command, factor, where));
  }
  if (term.fields.size() > 2) fail(where, "\"" + expression + "\" multiplies more than two fields");
  return term;
}

Access read_access(const Json& json, const Command& command, const std::string& where) {
  allow_keys(json, where, {"space", "mode", "region", "address", "bytes", "single_if", "dims"});
  Access access;
  access.space = text(json, where, "space");
  access.mode = text(json, where, "mode");
  access.address = field_index(command, text(json, where, "address"), where);
  if (json.contains("region")) access.region = field_index(command, text(json, where, "region"), where);
  access.bytes = read_term(required(json, where, "bytes"), command, where + ".bytes");
  if (json.contains("single_if")) access.single_if = field_index(command, text(json, where, "single_if"), where);
  for (const Json& pair : list(json, where, "dims")) {
    if (!pair.is_array() || pair.size() != 2) fail(where, "a dimension is a list of count and stride");
    access.dimensions.push_back(
        {read_term(pair[0], command, where + ".dims"), read_term(pair[1], command, where + ".dims")});
  }
  return access;
}

Command read_command(const Json& json, const std::vector<Command>& earlier, const std::string& where) {
  allow_keys(json, where, {"name", "opcode", "unit", "doc", "fields", "fields_of", "accesses"});
  Command command;
  command.name = text(json, where, "name");
  std::string here = where + " " + command.name;
  command.opcode = number32(json, here, "opcode");
  command.unit = text(json, here, "unit");
  command.doc = text(json, here, "doc");
  if (json.contains("fields") == json.contains("fields_of")) fail(here, "needs either \"fields\" or \"fields_of\"");
  if (json.contains("fields_of")) {
    std::string name = text(json, here, "fields_of");
    auto source = std::find_if(earlier.begin(), earlier.end(), [&](const Command& c) { return c.name == name; });
    if (source == earlier.end()) fail(here, "fields_of \"" + name + "\" is no command above this one");
    command.fields = source->fields;
  } else {
    for (const Json& field : list(json, here, "fields")) command.fields.push_back(read_field(field, here));
  }
  const Json& accesses = list(json, here, "accesses");
  for (size_t i = 0; i < accesses.size(); ++i)
    command.accesses.push_back(read_access(accesses[i], command, here + ".accesses[" + std::to_string(i) + "]"));
  return command;
}

template <typename Row, typename Reader>
std::vector<Row> read_rows(const Json& root, const char* key, Reader reader) {
  std::vector<Row> rows;
  for (const Json& json : list(root, "contract", key)) rows.push_back(reader(json, key));
  return rows;
}

Contract read_root(const Json& root) {
  allow_keys(root, "contract", {"version", "constants", "enums", "registers", "structs", "command_header", "commands"});
  Contract contract;
  const Json& version = required(root, "contract", "version");
  allow_keys(version, "version", {"major", "minor"});
  contract.major = number32(version, "version", "major");
  contract.minor = number32(version, "version", "minor");
  contract.constants = read_rows<Constant>(root, "constants", read_constant);
  contract.enums = read_rows<Enum>(root, "enums", read_enum);
  contract.registers = read_rows<Register>(root, "registers", read_register);
  contract.structs = read_rows<Struct>(root, "structs", read_struct);
  const Json& header = required(root, "contract", "command_header");
  allow_keys(header, "command_header", {"opcode", "length", "tag", "doc"});
  contract.opcode = read_bits(required(header, "command_header", "opcode"), "command_header.opcode", "opcode");
  contract.length = read_bits(required(header, "command_header", "length"), "command_header.length", "length");
  contract.tag = read_bits(required(header, "command_header", "tag"), "command_header.tag", "tag");
  contract.header_doc = text(header, "command_header", "doc");
  for (const Json& json : list(root, "contract", "commands"))
    contract.commands.push_back(read_command(json, contract.commands, "commands"));
  return contract;
}

}  // namespace

Contract read_contract(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw ContractError(path.string() + ": cannot be read");
  try {
    return read_root(Json::parse(file));
  } catch (const Json::parse_error& error) {
    throw ContractError(path.string() + ": " + error.what());
  } catch (const ContractError& error) {
    throw ContractError(path.string() + ": " + error.what());
  }
}

}  // namespace avocet::isa_generator
