// SPDX-License-Identifier: Apache-2.0
#include "onnx_writer.hpp"

#include <onnx/onnx_pb.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "importer/onnx/onnx_file.hpp"
#include "importer/onnx/onnx_importer.hpp"
#include "inference/inference.hpp"
#include "nnapi/operand_types.hpp"

namespace avocet::tools::test {

struct OnnxWriter::Proto {
  ::onnx::ModelProto model;
};

namespace {

void describe(::onnx::TensorProto& tensor, const std::string& name, ElementType type, const Shape& shape) {
  tensor.set_name(name);
  tensor.set_data_type(static_cast<int32_t>(type));
  for (const int64_t extent : shape) tensor.add_dims(extent);
}

void set_attribute(::onnx::AttributeProto& proto, const std::string& name, const AttributeValue& value) {
  proto.set_name(name);
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    proto.set_type(::onnx::AttributeProto::INT);
    proto.set_i(*integer);
  } else if (const auto* real = std::get_if<float>(&value)) {
    proto.set_type(::onnx::AttributeProto::FLOAT);
    proto.set_f(*real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    proto.set_type(::onnx::AttributeProto::STRING);
    proto.set_s(*text);
  } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
    proto.set_type(::onnx::AttributeProto::INTS);
    for (const int64_t i : *integers) proto.add_ints(i);
  } else {
    proto.set_type(::onnx::AttributeProto::FLOATS);
    for (const float f : std::get<std::vector<float>>(value)) proto.add_floats(f);
  }
}

Bytes serialised(const ::onnx::ModelProto& model) {
  const std::string text = model.SerializeAsString();
  return {text.begin(), text.end()};
}

}  // namespace

OnnxWriter::OnnxWriter(int64_t opset) : proto_(std::make_unique<Proto>()) {
  proto_->model.set_ir_version(8);
  proto_->model.add_opset_import()->set_version(opset);
  auto* microsoft = proto_->model.add_opset_import();
  microsoft->set_domain("com.microsoft");
  microsoft->set_version(1);
  proto_->model.mutable_graph()->set_name("test");
}

OnnxWriter::OnnxWriter(OnnxWriter&& other) noexcept = default;
OnnxWriter::~OnnxWriter() = default;

OnnxWriter& OnnxWriter::input(const std::string& name, ElementType type, const Shape& shape) {
  auto* input = proto_->model.mutable_graph()->add_input();
  input->set_name(name);
  auto* tensor = input->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(static_cast<int32_t>(type));
  tensor->mutable_shape();
  for (const int64_t extent : shape) tensor->mutable_shape()->add_dim()->set_dim_value(extent);
  return *this;
}

OnnxWriter& OnnxWriter::symbolic_input(const std::string& name, ElementType type, const Names& dims) {
  input(name, type, {});
  auto* graph = proto_->model.mutable_graph();
  auto* shape = graph->mutable_input(graph->input_size() - 1)->mutable_type()->mutable_tensor_type()->mutable_shape();
  for (const std::string& dim : dims) {
    auto* proto = shape->add_dim();
    if (!dim.empty()) proto->set_dim_param(dim);
  }
  return *this;
}

OnnxWriter& OnnxWriter::output(const std::string& name) {
  proto_->model.mutable_graph()->add_output()->set_name(name);
  return *this;
}

OnnxWriter& OnnxWriter::floats(const std::string& name, const Shape& shape, const std::vector<float>& values) {
  auto* tensor = proto_->model.mutable_graph()->add_initializer();
  describe(*tensor, name, ElementType::float32, shape);
  for (const float value : values) tensor->add_float_data(value);
  return *this;
}

OnnxWriter& OnnxWriter::integers(const std::string& name, ElementType type, const Shape& shape,
                                 const std::vector<int64_t>& values) {
  Bytes bytes;
  const size_t size = onnx::element_type_info(type).element_bytes;
  for (const int64_t value : values) {
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
  }
  return raw(name, type, shape, bytes);
}

OnnxWriter& OnnxWriter::quantisation(const std::string& name, ElementType type, const std::vector<float>& scales,
                                     const std::vector<int64_t>& zero_points) {
  const Shape shape = scales.size() == 1 ? Shape{} : Shape{static_cast<int64_t>(scales.size())};
  floats(name + "_scale", shape, scales);
  return integers(name + "_zero", type, shape, zero_points);
}

OnnxWriter& OnnxWriter::raw(const std::string& name, ElementType type, const Shape& shape, const Bytes& bytes) {
  auto* tensor = proto_->model.mutable_graph()->add_initializer();
  describe(*tensor, name, type, shape);
  tensor->set_raw_data(bytes.data(), bytes.size());
  return *this;
}

OnnxWriter& OnnxWriter::external(const std::string& name, const Shape& shape, const std::string& location) {
  auto* tensor = proto_->model.mutable_graph()->add_initializer();
  describe(*tensor, name, ElementType::float32, shape);
  tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* entry = tensor->add_external_data();
  entry->set_key("location");
  entry->set_value(location);
  return *this;
}

OnnxWriter& OnnxWriter::node(const std::string& op, const Names& inputs, const Names& outputs,
                             const Attributes& attributes, const std::string& domain, const std::string& name) {
  auto* node = proto_->model.mutable_graph()->add_node();
  node->set_op_type(op);
  node->set_domain(domain);
  node->set_name(name);
  for (const std::string& input : inputs) node->add_input(input);
  for (const std::string& output : outputs) node->add_output(output);
  for (const auto& [key, value] : attributes) set_attribute(*node->add_attribute(), key, value);
  return *this;
}

OnnxWriter& OnnxWriter::dequantise(const std::string& from, const std::string& to, const std::string& quantisation,
                                   int64_t axis) {
  return node("DequantizeLinear", {from, quantisation + "_scale", quantisation + "_zero"}, {to}, {{"axis", axis}});
}

OnnxWriter& OnnxWriter::quantise(const std::string& from, const std::string& to, const std::string& quantisation) {
  return node("QuantizeLinear", {from, quantisation + "_scale", quantisation + "_zero"}, {to});
}

Bytes OnnxWriter::bytes() const { return serialised(proto_->model); }

ImportedModel import_bytes(const Bytes& bytes, const ImportOptions& options) {
  return onnx::import_onnx(onnx::parse_onnx(bytes, "m.onnx"), options);
}

std::string refusal(const Bytes& bytes, const ImportOptions& options) {
  try {
    import_bytes(bytes, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

Names operation_names(const ImportedModel& model) {
  Names names;
  for (const auto& operation : model.description.operations) names.push_back(operation_name(operation.code));
  return names;
}

std::vector<Bytes> run(const OnnxWriter& writer, const std::vector<Bytes>& inputs) {
  return Inference(import_writer(writer), DeviceChoice::cpu).run(inputs).outputs;
}

Bytes bytes_of(const std::vector<float>& values) {
  Bytes bytes(values.size() * sizeof(float));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> floats_of(const Bytes& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

std::vector<float> run_floats(const OnnxWriter& writer, const std::vector<std::vector<float>>& inputs) {
  std::vector<Bytes> bytes;
  for (const auto& input : inputs) bytes.push_back(bytes_of(input));
  return floats_of(run(writer, bytes).at(0));
}

StoredTensor read_stored_tensor(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  // The importer's own reader of tensors, by way of a model that has it as an initialiser.
  ::onnx::ModelProto model;
  model.add_opset_import()->set_version(13);
  auto* tensor = model.mutable_graph()->add_initializer();
  if (!stream || !tensor->ParseFromString(text)) throw std::runtime_error(path + ": no tensor");
  tensor->set_name("tensor");
  auto* input = model.mutable_graph()->add_input();
  input->set_name("unused");
  input->mutable_type()->mutable_tensor_type()->set_elem_type(1);
  input->mutable_type()->mutable_tensor_type()->mutable_shape();
  model.mutable_graph()->add_output()->set_name("unused");
  const onnx::Model parsed = onnx::parse_onnx(serialised(model), path);
  const onnx::Tensor& stored = *parsed.initialisers.at("tensor");
  return {.type = stored.type, .shape = {stored.dims.begin(), stored.dims.end()}, .bytes = stored.bytes};
}

Bytes with_constants(const Bytes& model, const std::map<std::string, StoredTensor>& constants) {
  ::onnx::ModelProto proto;
  if (!proto.ParseFromArray(model.data(), static_cast<int>(model.size()))) throw std::runtime_error("no model");
  for (const auto& [name, constant] : constants) {
    auto* tensor = proto.mutable_graph()->add_initializer();
    describe(*tensor, name, constant.type, constant.shape);
    tensor->set_raw_data(constant.bytes.data(), constant.bytes.size());
  }
  return serialised(proto);
}

}  // namespace avocet::tools::test
