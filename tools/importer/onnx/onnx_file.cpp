// SPDX-License-Identifier: Apache-2.0
// protobuf makes the messages safe to read; the checks here make types, extents and sizes of data safe.
#include "importer/onnx/onnx_file.hpp"

#include <onnx/onnx_pb.h>

#include <cstring>
#include <limits>

#include "input_error.hpp"

namespace avocet::tools::onnx {
namespace {

constexpr uint64_t kMaxTensorBytes = uint64_t{1} << 30;
constexpr int kMaxRank = 8;
constexpr int64_t kNewestOpset = 23;  // what older ones had otherwise are attributes, which are refused by name

class Reader {
 public:
  explicit Reader(const std::string& path) { model_.path = path; }

  Model read(::onnx::ModelProto& proto) {
    read_opsets(proto);
    if (!proto.has_graph()) fail("no graph");
    ::onnx::GraphProto& graph = *proto.mutable_graph();
    if (graph.sparse_initializer_size() > 0) fail("sparse initialisers are not supported");
    for (::onnx::TensorProto& tensor : *graph.mutable_initializer()) {
      const std::string name = tensor.name();
      if (name.empty()) fail("an initialiser without a name");
      if (!model_.initialisers.emplace(name, read_tensor(tensor, "initialiser '" + name + "'")).second) {
        fail("initialiser '" + name + "' is there twice");
      }
    }
    for (const ::onnx::ValueInfoProto& input : graph.input()) {
      if (!model_.initialisers.contains(input.name())) model_.inputs.push_back(read_input(input));
    }
    for (const ::onnx::ValueInfoProto& output : graph.output()) model_.outputs.push_back(output.name());
    for (::onnx::NodeProto& node : *graph.mutable_node()) model_.nodes.push_back(read_node(node));
    if (model_.inputs.empty() || model_.outputs.empty()) fail("no inputs or no outputs");
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { onnx::fail(model_, what); }

  void read_opsets(const ::onnx::ModelProto& proto) {
    for (const auto& opset : proto.opset_import()) {
      if (opset.domain().empty() || opset.domain() == "ai.onnx") model_.opset = opset.version();
    }
    if (model_.opset < 1 || model_.opset > kNewestOpset) {
      fail("operator set " + std::to_string(model_.opset) + ", expected 1 to " + std::to_string(kNewestOpset));
    }
  }

  TensorPtr read_tensor(::onnx::TensorProto& proto, const std::string& where) const {
    Tensor tensor;
    tensor.type = static_cast<ElementType>(proto.data_type());
    const ElementTypeInfo info = element_type_info(tensor.type);
    if (info.element_bytes == 0) fail(where + ": tensors of type " + info.name + " are not supported");
    const bool external = proto.external_data_size() > 0 || proto.data_location() == ::onnx::TensorProto::EXTERNAL;
    if (external) fail(where + ": its data is in another file (external data), which is not supported");
    if (proto.has_segment()) fail(where + ": segmented data is not supported");
    if (proto.dims_size() > kMaxRank) fail(where + ": rank " + std::to_string(proto.dims_size()));
    uint64_t bytes = info.element_bytes;
    for (const int64_t extent : proto.dims()) {
      if (extent < 0 || extent > std::numeric_limits<int32_t>::max()) {
        fail(where + ": dimension " + std::to_string(extent));
      }
      bytes *= static_cast<uint64_t>(extent);
      if (bytes > kMaxTensorBytes) fail(where + ": larger than 1 GiB");
      tensor.dims.push_back(static_cast<uint32_t>(extent));
    }
    if (proto.has_raw_data()) {
      tensor.bytes.assign(proto.raw_data().begin(), proto.raw_data().end());
      proto.clear_raw_data();
    } else {
      append_typed_data(proto, tensor);
    }
    if (tensor.bytes.size() != bytes) {
      fail(where + ": its data has " + std::to_string(tensor.bytes.size()) + " bytes, its shape needs " +
           std::to_string(bytes));
    }
    return std::make_shared<const Tensor>(std::move(tensor));
  }

  template <typename Stored, typename Field>
  static void append(const Field& field, std::vector<uint8_t>& bytes) {
    bytes.resize(static_cast<size_t>(field.size()) * sizeof(Stored));
    size_t at = 0;
    for (const auto value : field) {
      const auto stored = static_cast<Stored>(value);
      std::memcpy(bytes.data() + at, &stored, sizeof stored);
      at += sizeof stored;
    }
  }

  /// Types narrower than their field hold its low bits; float16 is a bit pattern.
  static void append_typed_data(const ::onnx::TensorProto& proto, Tensor& tensor) {
    switch (tensor.type) {
      case ElementType::float32: return append<float>(proto.float_data(), tensor.bytes);
      case ElementType::float64: return append<double>(proto.double_data(), tensor.bytes);
      case ElementType::int64: return append<int64_t>(proto.int64_data(), tensor.bytes);
      case ElementType::uint32: return append<uint32_t>(proto.uint64_data(), tensor.bytes);
      case ElementType::uint64: return append<uint64_t>(proto.uint64_data(), tensor.bytes);
      case ElementType::int32: return append<int32_t>(proto.int32_data(), tensor.bytes);
      case ElementType::float16:
      case ElementType::int16:
      case ElementType::uint16: return append<uint16_t>(proto.int32_data(), tensor.bytes);
      default: return append<uint8_t>(proto.int32_data(), tensor.bytes);
    }
  }

  ModelInput read_input(const ::onnx::ValueInfoProto& proto) const {
    ModelInput input{.name = proto.name(), .type = ElementType::undefined, .dims = {}};
    const std::string where = "input '" + input.name + "'";
    if (input.name.empty()) fail("an input without a name");
    if (!proto.type().has_tensor_type()) fail(where + ": not a tensor");
    const auto& type = proto.type().tensor_type();
    input.type = static_cast<ElementType>(type.elem_type());
    if (!type.has_shape()) fail(where + ": its shape is unknown");
    if (type.shape().dim_size() > kMaxRank) fail(where + ": rank " + std::to_string(type.shape().dim_size()));
    for (const auto& dim : type.shape().dim()) {
      SymbolicExtent extent;
      if (dim.has_dim_value()) {
        extent.extent = dim.dim_value();
        // Some exporters write -1 or 0 for an extent that is not fixed.
        if (extent.extent == 0) extent.extent = -1;
        if (extent.extent < -1 || extent.extent > std::numeric_limits<int32_t>::max()) {
          fail(where + ": dimension " + std::to_string(dim.dim_value()));
        }
      } else {
        extent.name = dim.dim_param();
      }
      input.dims.push_back(std::move(extent));
    }
    return input;
  }

  Node read_node(::onnx::NodeProto& proto) {
    Node node;
    node.number = model_.nodes.size();
    node.name = proto.name();
    node.op = proto.op_type();
    node.domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
    node.inputs.assign(proto.input().begin(), proto.input().end());
    node.outputs.assign(proto.output().begin(), proto.output().end());
    for (::onnx::AttributeProto& attribute : *proto.mutable_attribute()) {
      const std::string where = node.label() + ": attribute '" + attribute.name() + "'";
      if (!node.attributes.emplace(attribute.name(), read_attribute(attribute, where)).second) {
        fail(where + " is there twice");
      }
    }
    return node;
  }

  Attribute read_attribute(::onnx::AttributeProto& proto, const std::string& where) const {
    Attribute attribute;
    switch (proto.type()) {
      case ::onnx::AttributeProto::INT:
        attribute.kind = Attribute::Kind::integer;
        attribute.integer = proto.i();
        break;
      case ::onnx::AttributeProto::FLOAT:
        attribute.kind = Attribute::Kind::real;
        attribute.real = proto.f();
        break;
      case ::onnx::AttributeProto::STRING:
        attribute.kind = Attribute::Kind::text;
        attribute.text = proto.s();
        break;
      case ::onnx::AttributeProto::INTS:
        attribute.kind = Attribute::Kind::integers;
        attribute.integers.assign(proto.ints().begin(), proto.ints().end());
        break;
      case ::onnx::AttributeProto::FLOATS:
        attribute.kind = Attribute::Kind::reals;
        attribute.reals.assign(proto.floats().begin(), proto.floats().end());
        break;
      case ::onnx::AttributeProto::TENSOR:
        attribute.kind = Attribute::Kind::tensor;
        attribute.tensor = read_tensor(*proto.mutable_t(), where);
        break;
      default: break;  // graphs, strings and the like: whoever wants the attribute refuses it
    }
    return attribute;
  }

  Model model_;
};

}  // namespace

Model parse_onnx(const std::vector<uint8_t>& bytes, const std::string& path) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()))
    throw InputError(path + ": larger than 2 GiB");
  ::onnx::ModelProto proto;
  if (bytes.empty() || !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InputError(path + ": damaged, or not an ONNX model: its protobuf message does not parse");
  }
  return Reader(path).read(proto);
}

bool looks_like_onnx(const std::vector<uint8_t>& bytes) {
  // Field 1 (the IR version, a small number) first, then another field of the model, as every writer does it.
  return bytes.size() > 2 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 0x40 && (bytes[2] & 7) <= 2 &&
         bytes[2] >= 0x10 && bytes[2] < 0xd0;
}

}  // namespace avocet::tools::onnx
