// SPDX-License-Identifier: Apache-2.0
// From JSON to models. Layers are read in order; a name means the output of that layer, or an input.
#include "workload/workload.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <map>

#include "nnapi/operand_types.hpp"
#include "workload/layer_types.hpp"

namespace avocet::tools {
namespace {

constexpr char kShapeText[] = "a shape of 1 to 4 extents, 1 to 2147483647 each";

std::string layer_type_names() {
  std::string text;
  for (const LayerType& type : layer_types()) text += std::string(text.empty() ? "" : ", ") + type.name;
  return text;
}

ImportedTensor describe(const OperandBuilder& builder, uint32_t operand, std::string name, int index) {
  const Operand& o = builder.description().operands[operand];
  return {.index = index, .name = std::move(name), .type = o.type == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM ? "uint8" : "int8",
          .dims = o.dims, .scale = o.scale, .zero_point = o.zero_point, .operand = operand, .element_bytes = 1};
}

/// One model while its layers are added.
class Assembler {
 public:
  Assembler(const std::string& path, const WorkloadDefaults& defaults)
      : defaults_(defaults), model_{.path = path, .description = {}, .inputs = {}, .outputs = {}, .operators = {}} {}

  uint32_t add_input(const std::string& name, const std::vector<uint32_t>& dims, const std::string& place) {
    checked_elements(dims, place);
    Operand operand;
    operand.type = defaults_.is_unsigned ? ANEURALNETWORKS_TENSOR_QUANT8_ASYMM : ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
    operand.dims = dims;
    operand.scale = 0.05f;
    operand.zero_point = defaults_.is_unsigned ? 128 : 0;
    operand.lifetime = Lifetime::input;
    const uint32_t index = builder_.add(std::move(operand));
    builder_.description().inputs.push_back(index);
    model_.inputs.push_back(describe(builder_, index, name, static_cast<int>(model_.inputs.size())));
    return index;
  }

  uint32_t add_layer(const std::string& name, const LayerType& type, StrictObject& keys, std::vector<uint32_t> inputs,
                     uint64_t seed) {
    LayerContext layer(builder_, keys, defaults_, std::move(inputs), seed);
    ImportedOperator op;
    op.name = name;
    op.first_operation = static_cast<uint32_t>(builder_.description().operations.size());
    const uint32_t output = type.build(layer);
    op.operation_count = static_cast<uint32_t>(builder_.description().operations.size()) - op.first_operation;
    op.outputs.push_back(describe(builder_, output, name, static_cast<int>(model_.operators.size())));
    model_.operators.push_back(std::move(op));
    return output;
  }

  /// False when the operand is no layer's output, or one already.
  bool add_output(uint32_t operand, const std::string& name) {
    Operand& o = builder_.description().operands[operand];
    if (o.lifetime != Lifetime::temporary) return false;
    o.lifetime = Lifetime::output;
    builder_.description().outputs.push_back(operand);
    model_.outputs.push_back(describe(builder_, operand, name, static_cast<int>(model_.outputs.size())));
    return true;
  }

  ImportedModel take() {
    model_.description = std::move(builder_.description());
    return std::move(model_);
  }

 private:
  const WorkloadDefaults& defaults_;
  OperandBuilder builder_;
  ImportedModel model_;
};

std::vector<uint32_t> shape_of(const StrictObject& keys, const std::string& key, const Json& value) {
  if (!value.is_array() || value.empty() || value.size() > 4) keys.refuse(key, value, kShapeText);
  std::vector<uint32_t> dims;
  for (const Json& extent : value) {
    if (!extent.is_number_unsigned() || extent.get<uint64_t>() < 1 || extent.get<uint64_t>() > INT32_MAX)
      keys.refuse(key, value, kShapeText);
    dims.push_back(extent.get<uint32_t>());
  }
  return dims;
}

/// What "input" or "inputs" of a layer holds: names, or shapes. Empty when neither is there.
std::vector<Json> read_inputs(StrictObject& keys) {
  const Json *one = keys.find("input"), *many = keys.find("inputs");
  if (one && many) throw InputError(keys.place() + ": input and inputs are not allowed together");
  if (one) return {*one};
  if (!many) return {};
  if (!many->is_array() || many->empty() || many->size() > 256) keys.refuse("inputs", *many, "an array of 1 to 256 inputs");
  return {many->begin(), many->end()};
}

class Reader {
 public:
  Reader(const Json& root, const std::string& path, const std::function<std::string(size_t)>& place_of,
         const WorkloadOptions& options)
      : path_(path), place_of_(place_of), options_(options), root_(root, path) {}

  Workload read() {
    Workload workload;
    workload.name = root_.text("name");
    defaults_.is_unsigned = root_.word("type", {"int8", "uint8"}) == "uint8";
    defaults_.values = options_.values;
    defaults_.seed = root_.whole_or("seed", 0, UINT32_MAX, 1);
    workload.layers_alone = root_.word("run", {"network", "layers"}) == "layers";
    layers_ = &root_.required("layers", "an array of 1 to 65535 layers");
    if (!layers_->is_array() || layers_->empty() || layers_->size() > 65535)
      root_.refuse("layers", *layers_, "an array of 1 to 65535 layers");
    if (workload.layers_alone)
      read_layers_alone(workload);
    else
      read_network(workload);
    return workload;
  }

 private:
  struct Layer {
    StrictObject keys;
    std::string name;
    const LayerType* type;  // null: gemm
    uint64_t seed;
    std::vector<Json> inputs;
  };

  Layer open_layer(size_t i, bool gemm_allowed) {
    Layer layer{StrictObject((*layers_)[i], place_of_(i)), "", nullptr, 0, {}};
    StrictObject& keys = layer.keys;
    layer.name = keys.text_or("name", "layer" + std::to_string(i));
    if (keys.find("name")) keys.set_place(keys.place() + " (" + layer.name + ")");
    const std::string allowed = "one of " + layer_type_names() + (gemm_allowed ? ", gemm" : "");
    const std::string type = keys.required("op", allowed).is_string() ? keys.text("op") : "";
    layer.type = find_layer_type(type);
    if (!layer.type && !(gemm_allowed && type == "gemm")) keys.refuse("op", keys.required("op", allowed), allowed);
    layer.seed = defaults_.seed * 0x100000001B3u + keys.whole_or("seed", 0, UINT32_MAX, static_cast<uint32_t>(i));
    layer.inputs = read_inputs(keys);
    return layer;
  }

  void check_count(const Layer& layer, size_t count) const {
    if (count >= layer.type->inputs_min && count <= layer.type->inputs_max) return;
    throw InputError(layer.keys.place() + ": inputs: " + std::to_string(count) + " are not allowed (" +
                     std::to_string(layer.type->inputs_min) +
                     (layer.type->inputs_max > layer.type->inputs_min ? " to " + std::to_string(layer.type->inputs_max) : "") +
                     " for " + layer.type->name + ")");
  }

  // ---- one model

  void read_network(Workload& workload) {
    Assembler assembler(path_, defaults_);
    std::map<std::string, uint32_t> operands;
    read_network_inputs(assembler, operands);
    uint32_t previous = operands.size() == 1 ? operands.begin()->second : UINT32_MAX;
    std::string last;
    for (size_t i = 0; i < layers_->size(); ++i) {
      Layer layer = open_layer(i, false);
      std::vector<uint32_t> inputs;
      for (const Json& name : layer.inputs) inputs.push_back(operand_named(layer.keys, name, operands));
      if (layer.inputs.empty()) {
        if (previous == UINT32_MAX) throw InputError(layer.keys.place() + ": input is missing (the name of an input)");
        inputs = {previous};
      }
      check_count(layer, inputs.size());
      previous = assembler.add_layer(layer.name, *layer.type, layer.keys, std::move(inputs), layer.seed);
      layer.keys.finish(layer.type->name);
      if (!operands.emplace(layer.name, previous).second)
        throw InputError(layer.keys.place() + ": name: " + shown(layer.name) + " is not allowed (it is there already)");
      last = layer.name;
    }
    read_outputs(assembler, operands, last);
    workload.parts.push_back({workload.name, assembler.take(), 1});
  }

  void read_network_inputs(Assembler& assembler, std::map<std::string, uint32_t>& operands) {
    const Json& inputs = root_.required("inputs", "an array of 1 to 256 objects with name and shape");
    if (!inputs.is_array() || inputs.empty() || inputs.size() > 256)
      root_.refuse("inputs", inputs, "an array of 1 to 256 objects with name and shape");
    for (size_t i = 0; i < inputs.size(); ++i) {
      StrictObject input(inputs[i], path_ + ": inputs[" + std::to_string(i) + "]");
      const std::string name = input.text("name");
      const std::vector<uint32_t> dims = shape_of(input, "shape", input.required("shape", kShapeText));
      input.finish("an input");
      if (!operands.emplace(name, assembler.add_input(name, dims, input.place())).second)
        throw InputError(input.place() + ": name: " + shown(name) + " is not allowed (it is there already)");
    }
  }

  uint32_t operand_named(const StrictObject& keys, const Json& name, const std::map<std::string, uint32_t>& operands) const {
    const auto found = name.is_string() ? operands.find(name.get<std::string>()) : operands.end();
    if (found == operands.end()) keys.refuse("input", name, "the name of an input or of an earlier layer");
    return found->second;
  }

  void read_outputs(Assembler& assembler, const std::map<std::string, uint32_t>& operands, const std::string& last) {
    const Json* names = root_.find("outputs");
    root_.finish("a workload");
    if (!names) {
      assembler.add_output(operands.at(last), last);
      return;
    }
    const std::string allowed = "an array of names of layers, each once";
    if (!names->is_array() || names->empty()) root_.refuse("outputs", *names, allowed);
    for (const Json& name : *names) {
      const auto found = name.is_string() ? operands.find(name.get<std::string>()) : operands.end();
      if (found == operands.end() || !assembler.add_output(found->second, found->first))
        root_.refuse("outputs", name, allowed);
    }
  }

  // ---- a model for each layer

  void read_layers_alone(Workload& workload) {
    root_.finish("a workload whose layers run alone");
    for (size_t i = 0; i < layers_->size(); ++i) {
      Layer layer = open_layer(i, true);
      if (layer.type)
        add_alone(layer, workload);
      else
        add_gemm(layer, workload);
    }
  }

  void add_alone(Layer& layer, Workload& workload) const {
    check_count(layer, layer.inputs.size());
    Assembler assembler(path_, defaults_);
    std::vector<uint32_t> inputs;
    for (size_t i = 0; i < layer.inputs.size(); ++i)
      inputs.push_back(assembler.add_input("input" + std::to_string(i), shape_of(layer.keys, "input", layer.inputs[i]),
                                           layer.keys.place()));
    const uint32_t output = assembler.add_layer(layer.name, *layer.type, layer.keys, std::move(inputs), layer.seed);
    layer.keys.finish(layer.type->name);
    assembler.add_output(output, layer.name);
    workload.parts.push_back({layer.name, assembler.take(), 1});
  }

  void add_gemm(Layer& layer, Workload& workload) const {
    if (!layer.inputs.empty()) throw InputError(layer.keys.place() + ": input is not allowed (gemm has m, n and k)");
    const uint32_t m = layer.keys.whole("m", 1, kExtentMax), n = layer.keys.whole("n", 1, kExtentMax),
                   k = layer.keys.whole("k", 1, 1u << 24);
    layer.keys.finish("gemm");
    const uint32_t columns = std::min(n, columns_of_a_slice(k)), rows = std::min(m, rows_of_a_slice(columns, k));
    for (const auto& [width, across] : {std::pair(columns, n / columns), std::pair(n % columns, 1u)})
      for (const auto& [height, down] : {std::pair(rows, m / rows), std::pair(m % rows, 1u)})
        if (width != 0 && height != 0) add_product(layer, workload, height, width, k, across * down);
  }

  /// A stream holds about three commands of some 12 words for each weight tile and each few hundred rows, and 64 MiB in all;
  /// smaller streams also need less memory while they are made.
  static constexpr uint64_t kTilesMax = uint64_t{1} << 19;

  uint32_t columns_of_a_slice(uint32_t k) const {
    if (options_.array_rows == 0) return kExtentMax;
    const uint64_t deep = (k - 1) / options_.array_rows + 1;
    return static_cast<uint32_t>(std::min<uint64_t>(kExtentMax, std::max<uint64_t>(1, kTilesMax / deep) * options_.array_columns));
  }

  uint32_t rows_of_a_slice(uint32_t n, uint32_t k) const {
    if (options_.array_rows == 0) return kExtentMax;
    constexpr uint32_t kRowsMin = 128;
    const uint64_t tiles = ((n - 1) / options_.array_columns + 1) * uint64_t{(k - 1) / options_.array_rows + 1};
    return static_cast<uint32_t>(std::min<uint64_t>(kExtentMax, std::max<uint64_t>(1, kTilesMax / tiles) * kRowsMin));
  }

  void add_product(const Layer& layer, Workload& workload, uint32_t m, uint32_t n, uint32_t k, uint32_t repeat) const {
    Assembler assembler(path_, defaults_);
    const uint32_t input = assembler.add_input("input0", {m, k}, layer.keys.place());
    const Json units = {{"units", n}};
    StrictObject keys(units, layer.keys.place());
    assembler.add_output(assembler.add_layer(layer.name, *find_layer_type("fully_connected"), keys, {input}, layer.seed),
                         layer.name);
    workload.parts.push_back({layer.name, assembler.take(), repeat});
  }

  const std::string& path_;
  const std::function<std::string(size_t)>& place_of_;
  const WorkloadOptions& options_;
  StrictObject root_;
  WorkloadDefaults defaults_;
  const Json* layers_ = nullptr;
};

}  // namespace

bool is_workload_path(const std::string& path) { return path.ends_with(".json") || path.ends_with(".csv"); }

Workload make_workload(const Json& root, const std::string& path, const std::function<std::string(size_t)>& place_of,
                       const WorkloadOptions& options) {
  return Reader(root, path, place_of, options).read();
}

Workload read_workload(const std::string& path, const WorkloadOptions& options) {
  if (path.ends_with(".csv")) {
    std::vector<std::string> places;
    const Json root = read_topology(path, places);
    return make_workload(root, path, [&](size_t i) { return places[i]; }, options);
  }
  const Json root = read_json_file(path);
  return make_workload(root, path, [&](size_t i) { return path + ": layers[" + std::to_string(i) + "]"; }, options);
}

ImportedModel import_workload(const std::string& path, bool values) {
  Workload workload = read_workload(path, {.values = values});
  if (workload.layers_alone)
    throw InputError(path + ": its layers run alone, one by one; only run and sweep take such a workload");
  return std::move(workload.parts.front().model);
}

}  // namespace avocet::tools
