// SPDX-License-Identifier: Apache-2.0
#include "importer/onnx/model.hpp"

#include "input_error.hpp"

namespace avocet::tools::onnx {

ElementTypeInfo element_type_info(ElementType type) {
  switch (type) {
    case ElementType::float32: return {"float32", 4};
    case ElementType::uint8: return {"uint8", 1};
    case ElementType::int8: return {"int8", 1};
    case ElementType::uint16: return {"uint16", 2};
    case ElementType::int16: return {"int16", 2};
    case ElementType::int32: return {"int32", 4};
    case ElementType::int64: return {"int64", 8};
    case ElementType::boolean: return {"bool", 1};
    case ElementType::float16: return {"float16", 2};
    case ElementType::float64: return {"float64", 8};
    case ElementType::uint32: return {"uint32", 4};
    case ElementType::uint64: return {"uint64", 8};
    default: break;
  }
  // Types that models use, but that nothing here computes with.
  switch (static_cast<int32_t>(type)) {
    case 8: return {"string", 0};
    case 14: return {"complex64", 0};
    case 15: return {"complex128", 0};
    case 16: return {"bfloat16", 0};
    case 17:
    case 18:
    case 19:
    case 20: return {"float8", 0};
    case 21: return {"uint4", 0};
    case 22: return {"int4", 0};
    case 23: return {"float4", 0};
    default: return {"an unknown type", 0};
  }
}

size_t Tensor::count() const { return bytes.size() / element_type_info(type).element_bytes; }

std::string Node::label() const {
  std::string text = "node " + std::to_string(number) + " (" + (written_as.empty() ? op : written_as);
  if (!name.empty()) text += " '" + name + "'";
  return text + ")";
}

void fail(const Model& model, const std::string& what) {
  std::string line = what;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  throw InputError(model.path + ": " + line);
}

}  // namespace avocet::tools::onnx
