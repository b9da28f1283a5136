// SPDX-License-Identifier: Apache-2.0
// The published test cases of ../shared/conformance as operand views, for tests that drive operations through the seam.
// Values, omitted operands and the comparison follow the README of that folder.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "operations/shape.hpp"

namespace avocet::runtime::published {

inline std::filesystem::path folder() {
  const char* shared = std::getenv("AVOCET_SHARED");
  return std::filesystem::path(shared ? shared : AVOCET_SOURCE_DIR "/../shared") / "conformance";
}

inline int32_t type_code(const std::string& name) {
  for (int32_t code = 0; code <= ANEURALNETWORKS_MODEL; ++code) {
    if (name == type_name(code)) return code;
  }
  if (name == "SUBGRAPH") return ANEURALNETWORKS_MODEL;
  throw std::runtime_error("unknown operand type " + name);
}

inline const Operation* operation_named(const std::string& name) {
  for (const Operation& operation : all_operations()) {
    if (name == operation.name) return &operation;
  }
  throw std::runtime_error("unknown operation " + name);
}

template <typename Stored, typename Number>
void store_all(const nlohmann::json& values, std::vector<uint8_t>* bytes) {
  bytes->resize(values.size() * sizeof(Stored));
  for (size_t i = 0; i < values.size(); ++i) {
    const Stored stored = static_cast<Stored>(values[i].get<Number>());
    std::memcpy(bytes->data() + i * sizeof(Stored), &stored, sizeof stored);
  }
}

inline std::vector<uint8_t> bytes_of(int32_t type, const nlohmann::json& values) {
  std::vector<uint8_t> bytes;
  switch (type) {
    case ANEURALNETWORKS_FLOAT32:
    case ANEURALNETWORKS_TENSOR_FLOAT32: store_all<float, double>(values, &bytes); break;
    case ANEURALNETWORKS_FLOAT16:
    case ANEURALNETWORKS_TENSOR_FLOAT16: store_all<_Float16, float>(values, &bytes); break;
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_INT32: store_all<int32_t, int64_t>(values, &bytes); break;
    case ANEURALNETWORKS_UINT32: store_all<uint32_t, int64_t>(values, &bytes); break;
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: store_all<uint16_t, int64_t>(values, &bytes); break;
    case ANEURALNETWORKS_MODEL: break;
    default: store_all<uint8_t, int64_t>(values, &bytes);
  }
  return bytes;
}

/// The operands of one graph; owns values and scales. Not copyable, because views point into it.
class Graph {
 public:
  explicit Graph(const nlohmann::json& graph) : json_(graph), bytes_(graph.at("operands").size()), scales_(bytes_.size()) {
    const nlohmann::json& operands = graph.at("operands");
    for (size_t i = 0; i < operands.size(); ++i) views_.push_back(make_view(operands[i], i));
  }
  Graph(const Graph&) = delete;

  const nlohmann::json& json() const { return json_; }
  OperandView& view(size_t i) { return views_[i]; }
  /// Gives operand i room for its (now known) dimensions.
  void* allocate(size_t i) {
    OperandView& view = views_[i];
    view.bytes = count_of(view) * element_size(view.type);
    bytes_[i].assign(view.bytes, 0xCD);
    view.data = view.bytes ? bytes_[i].data() : nullptr;
    return view.bytes ? bytes_[i].data() : nullptr;
  }

 private:
  OperandView make_view(const nlohmann::json& from, size_t i) {
    OperandView view;
    view.type = type_code(from.at("type"));
    view.dims = from.value("dims", Dimensions{});
    view.scale = from.value("scale", 0.0f);
    view.zero_point = from.value("zero_point", 0);
    const std::string lifetime = from.at("lifetime");
    view.constant = lifetime.starts_with("CONSTANT");
    view.omitted = lifetime == "NO_VALUE";
    if (const auto quant = from.find("channel_quant"); quant != from.end()) {
      scales_[i] = quant->at("scales").get<std::vector<float>>();
      view.channel_scales = scales_[i];
      view.channel_dim = quant->at("dim");
    }
    const auto data = from.find("data");
    const bool has_value = (view.constant || lifetime == "SUBGRAPH_INPUT") && data != from.end() && data->is_array();
    if (has_value) {
      bytes_[i] = bytes_of(view.type, *data);
      view.bytes = bytes_[i].size();
      view.data = bytes_[i].empty() ? nullptr : bytes_[i].data();
      if (lifetime == "SUBGRAPH_INPUT" && data->empty()) view.omitted = true;
    }
    return view;
  }

  const nlohmann::json& json_;
  std::vector<OperandView> views_;
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<std::vector<float>> scales_;
};

/// The stored number of element i.
inline double element(const OperandView& view, const uint8_t* bytes, size_t i) {
  const auto read = [&](auto number) {
    std::memcpy(&number, bytes + i * sizeof number, sizeof number);
    return static_cast<double>(number);
  };
  switch (view.type) {
    case ANEURALNETWORKS_TENSOR_FLOAT32: return read(float{});
    case ANEURALNETWORKS_TENSOR_FLOAT16: return static_cast<double>(static_cast<float>([&] {
      _Float16 half;
      std::memcpy(&half, bytes + i * sizeof half, sizeof half);
      return half;
    }()));
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_INT32: return read(int32_t{});
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM: return read(int16_t{});
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM: return read(uint16_t{});
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM:
    case ANEURALNETWORKS_TENSOR_BOOL8: return read(uint8_t{});
    default: return read(int8_t{});
  }
}

}  // namespace avocet::runtime::published
