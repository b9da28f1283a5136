// SPDX-License-Identifier: Apache-2.0
// A row says where the triples (bytes, scale, zero point) of the inputs and the pair of the output stand.
#include "importer/onnx/qlinear.hpp"

#include <algorithm>
#include <array>

namespace avocet::tools::onnx {
namespace {

constexpr size_t kNone = 99;

struct QlinearRow {
  const char* domain;
  const char* op;
  const char* stands_for;
  size_t first = kNone;   // data input: its bytes; scale and zero point follow
  size_t second = kNone;  // weights or a second data input
  int second_axis = 0;    // of its scales, when there are several
  size_t raw = kNone;     // an int32 bias, whose scale is the product of the two others
  size_t result = kNone;  // scale of the output; its zero point follows
};

constexpr const char* kMicrosoft = "com.microsoft";

constexpr auto kRows = std::to_array<QlinearRow>({
    {"", "QLinearConv", "Conv", 0, 3, 0, 8, 6},
    {"", "QLinearMatMul", "MatMul", 0, 3, -1, kNone, 6},
    {kMicrosoft, "QGemm", "Gemm", 0, 3, 0, 6, 7},
    {kMicrosoft, "QLinearAdd", "Add", 0, 3, 0, kNone, 6},
    {kMicrosoft, "QLinearMul", "Mul", 0, 3, 0, kNone, 6},
    {kMicrosoft, "QLinearSigmoid", "Sigmoid", 0, kNone, 0, kNone, 3},
    {kMicrosoft, "QLinearLeakyRelu", "LeakyRelu", 0, kNone, 0, kNone, 3},
    {kMicrosoft, "QLinearSoftmax", "Softmax", 0, kNone, 0, kNone, 3},
    {kMicrosoft, "QLinearAveragePool", "AveragePool", 0, kNone, 0, kNone, 3},
    {kMicrosoft, "QLinearGlobalAveragePool", "GlobalAveragePool", 0, kNone, 0, kNone, 3},
    {kMicrosoft, "QLinearReduceMean", "ReduceMean", 0, kNone, 0, kNone, 3},
});

class Expansion {
 public:
  Expansion(const Model& model, const Node& node, std::vector<Node>& out) : model_(model), node_(node), out_(out) {
    written_as_ = node.op;
  }

  void expand(const QlinearRow& row) {
    Node core = standard(row.stands_for);
    core.attributes = node_.attributes;
    core.inputs.push_back(dequantised(row.first, 0));
    if (row.second != kNone) core.inputs.push_back(dequantised(row.second, second_axis(row)));
    if (row.raw != kNone && node_.has_input(row.raw)) {
      core.inputs.resize(2);
      core.inputs.push_back(node_.inputs[row.raw]);
    }
    finish(std::move(core), row.result);
  }

  /// Scale and zero point of the result come first, then any number of triples.
  void expand_concat() {
    if (node_.inputs.size() < 5 || (node_.inputs.size() - 2) % 3 != 0) fail("needs three inputs for each tensor");
    Node core = standard("Concat");
    core.attributes = node_.attributes;
    for (size_t i = 2; i < node_.inputs.size(); i += 3) core.inputs.push_back(dequantised(i, 0));
    finish(std::move(core), 0);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { onnx::fail(model_, node_.label() + ": " + what); }

  Node standard(const char* op) const {
    Node node;
    node.number = node_.number;
    node.name = node_.name;
    node.op = op;
    node.written_as = written_as_;
    return node;
  }

  int64_t second_axis(const QlinearRow& row) const {
    if (node_.op != "QGemm") return row.second_axis;
    const auto transposed = node_.attributes.find("transB");
    return transposed != node_.attributes.end() && transposed->second.integer != 0 ? 0 : 1;
  }

  std::string fresh_name() { return written_as_ + "#" + std::to_string(node_.number) + "." + std::to_string(names_++); }

  std::string dequantised(size_t at, int64_t axis) {
    if (!node_.has_input(at) || !node_.has_input(at + 1))
      fail("input " + std::to_string(at) + " or its scale is missing");
    Node node = standard("DequantizeLinear");
    node.inputs = {node_.inputs[at], node_.inputs[at + 1]};
    if (node_.has_input(at + 2)) node.inputs.push_back(node_.inputs[at + 2]);
    node.attributes["axis"] = {.kind = Attribute::Kind::integer, .integer = axis};
    node.outputs = {fresh_name()};
    out_.push_back(node);
    return out_.back().outputs[0];
  }

  void finish(Node core, size_t scale) {
    if (node_.outputs.size() != 1) fail("has one output");
    const bool quantises = node_.has_input(scale);
    if (!quantises && node_.op != "QGemm") fail("the scale of its output is missing");
    core.outputs = {quantises ? fresh_name() : node_.outputs[0]};
    out_.push_back(core);
    if (!quantises) return;  // QGemm without one gives floats
    Node node = standard("QuantizeLinear");
    node.inputs = {core.outputs[0], node_.inputs[scale]};
    if (node_.has_input(scale + 1)) node.inputs.push_back(node_.inputs[scale + 1]);
    node.outputs = node_.outputs;
    out_.push_back(std::move(node));
  }

  const Model& model_;
  const Node& node_;
  std::vector<Node>& out_;
  std::string written_as_;
  size_t names_ = 0;
};

}  // namespace

void expand_qlinear_nodes(Model& model) {
  std::vector<Node> nodes;
  for (Node& node : model.nodes) {
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const QlinearRow& candidate) {
      return node.domain == candidate.domain && node.op == candidate.op;
    });
    if (row != kRows.end()) {
      Expansion(model, node, nodes).expand(*row);
    } else if (node.domain == kMicrosoft && node.op == "QLinearConcat") {
      Expansion(model, node, nodes).expand_concat();
    } else {
      // Microsoft's own QuantizeLinear and DequantizeLinear only take more types.
      const bool same = node.op == "QuantizeLinear" || node.op == "DequantizeLinear";
      if (node.domain == kMicrosoft && same) node.domain.clear();
      nodes.push_back(std::move(node));
    }
  }
  model.nodes = std::move(nodes);
}

}  // namespace avocet::tools::onnx
