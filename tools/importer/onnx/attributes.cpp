// SPDX-License-Identifier: Apache-2.0
#include "importer/onnx/attributes.hpp"

#include <stdexcept>

namespace avocet::tools::onnx {

const Attribute* AttributeReader::find(const char* name) {
  read_.insert(name);
  const auto found = node_.attributes.find(name);
  return found == node_.attributes.end() ? nullptr : &found->second;
}

const Attribute* AttributeReader::find(const char* name, Attribute::Kind kind, const char* what) {
  const Attribute* found = find(name);
  if (found && found->kind != kind) throw std::runtime_error(std::string("attribute '") + name + "' is not " + what);
  return found;
}

int64_t AttributeReader::integer(const char* name, int64_t absent) {
  const Attribute* found = find(name, Attribute::Kind::integer, "an integer");
  return found ? found->integer : absent;
}

float AttributeReader::real(const char* name, float absent) {
  const Attribute* found = find(name, Attribute::Kind::real, "a float");
  return found ? found->real : absent;
}

std::string AttributeReader::text(const char* name, const char* absent) {
  const Attribute* found = find(name, Attribute::Kind::text, "a string");
  return found ? found->text : absent;
}

std::vector<int64_t> AttributeReader::integers(const char* name) {
  const Attribute* found = find(name, Attribute::Kind::integers, "a list of integers");
  return found ? found->integers : std::vector<int64_t>();
}

std::vector<float> AttributeReader::reals(const char* name) {
  const Attribute* found = find(name, Attribute::Kind::reals, "a list of floats");
  return found ? found->reals : std::vector<float>();
}

TensorPtr AttributeReader::tensor(const char* name) {
  const Attribute* found = find(name, Attribute::Kind::tensor, "a tensor");
  return found ? found->tensor : nullptr;
}

std::optional<std::string> AttributeReader::unread() const {
  for (const auto& [name, attribute] : node_.attributes) {
    if (!read_.contains(name)) return name;
  }
  return std::nullopt;
}

void AttributeReader::require_all_read() const {
  if (const auto name = unread()) throw std::runtime_error("attribute '" + *name + "' has no form in the API");
}

}  // namespace avocet::tools::onnx
