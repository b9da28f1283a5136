// SPDX-License-Identifier: Apache-2.0
// Looks ahead along the one reader that a value has. A node is only absorbed when all that it says is understood: what
// is left alone here is converted, or refused, when its turn comes.
#include "importer/onnx/fusion.hpp"

#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "importer/onnx/attributes.hpp"
#include "importer/onnx/constant.hpp"
#include "importer/onnx/shapes.hpp"

namespace avocet::tools::onnx {
namespace {

class Planner {
 public:
  Planner(Conversion& conversion, size_t position, const OperatorRow& row)
      : conversion_(conversion), order_(conversion.order()), node_(order_.node(position)), row_(row) {
    form_.output = node_.outputs.empty() ? "" : node_.outputs.front();
  }

  Form plan(bool allow_quantised) {
    if (row_.quantised != QuantisedForm::never && allow_quantised && all_data_dequantised()) {
      if (moves_bytes()) {
        form_.mode = Mode::moves;
        return form_;
      }
      const Form untouched = form_;
      if (ends_quantised()) return form_;
      form_ = untouched;
    }
    absorb_arithmetic();
    if (row_.activation && computes_reals()) {
      if (const size_t at = reader("Relu", "Clip"); at != order_.size()) {
        const auto bounds = bounds_of(conversion_, order_.node(at));
        const auto code = bounds ? activation_code(*bounds) : std::nullopt;
        if (code) {
          form_.activation = *code;
          absorb(at);
        }
      }
    }
    return form_;
  }

 private:
  size_t data_count() const {
    return row_.data_inputs == kAllInputs ? node_.inputs.size()
                                          : std::min<size_t>(row_.data_inputs, node_.inputs.size());
  }

  bool all_data_dequantised() {
    if (node_.inputs.size() < row_.min_inputs) return false;
    for (size_t i = 0; i < data_count(); ++i) {
      const Value* value = conversion_.find(node_.inputs[i]);
      if (!value || !value->quantised || !is_8bit(value->quantised->type)) return false;
      const bool weights = row_.weights && i == 1 && value->quantised->constant;
      if (!value->quantisation->per_tensor() && !weights) return false;
    }
    return true;
  }

  bool computes_reals() {
    const Value* value = node_.has_input(0) ? conversion_.find(node_.inputs[0]) : nullptr;
    return value && is_real(value->type);
  }

  bool all_data_alike() {
    const Value& first = conversion_.value(node_.inputs[0]);
    return std::all_of(node_.inputs.begin(), node_.inputs.end(), [&](const std::string& name) {
      const Value& value = conversion_.value(name);
      return value.quantisation == first.quantisation && value.quantised->type == first.quantised->type;
    });
  }

  bool moves_bytes() {
    switch (row_.quantised) {
      case QuantisedForm::moves: return true;
      case QuantisedForm::joins: return all_data_alike();
      case QuantisedForm::resizes: return AttributeReader(node_).text("mode", "nearest") == "nearest";
      default: return false;
    }
  }

  /// The position of the only reader of the form's output, when it is one of these operators and reads it first.
  size_t reader(const char* op, const char* other = nullptr) const {
    const size_t at = order_.only_reader(form_.output);
    if (at == order_.size()) return at;
    const Node& node = order_.node(at);
    const bool fits = (node.is(op) || (other && node.is(other))) && node.has_input(0) &&
                      node.inputs[0] == form_.output && node.outputs.size() == 1;
    return fits ? at : order_.size();
  }

  void absorb(size_t position) {
    form_.absorbed.push_back(position);
    form_.output = order_.node(position).outputs.front();
  }

  void absorb_arithmetic() {
    if (node_.op == "HardSigmoid") absorb_multiplication();
    if (node_.op == "MatMul") absorb_bias();
    if (node_.op == "Conv" || node_.op == "ConvTranspose") {
      while (absorb_channel_affine()) {
      }
    }
  }

  bool ends_quantised() {
    absorb_arithmetic();
    std::optional<Bounds> bounds;
    if (row_.activation) {
      if (const size_t at = reader("Relu", "Clip"); at != order_.size()) {
        bounds = bounds_of(conversion_, order_.node(at));
        if (!bounds) return false;
        absorb(at);
      }
    }
    if (!absorb_quantize()) return false;
    if (!bounds) return true;
    const auto code = activation_code(*bounds);
    if (code) form_.activation = *code;
    return code || beyond_target(*bounds);
  }

  /// Every reader is a QuantizeLinear, and all quantise alike.
  bool absorb_quantize() {
    const std::vector<size_t> readers = order_.readers(form_.output);
    if (readers.empty() || order_.is_output(form_.output)) return false;
    for (const size_t at : readers) {
      const Node& node = order_.node(at);
      if (!node.is("QuantizeLinear") || node.inputs[0] != form_.output || node.outputs.size() != 1) return false;
      const NodeQuantisation found = quantisation_of(conversion_, node, 0);
      if (!found.problem.empty() || !found.quantisation.per_tensor() || !is_8bit(found.type)) return false;
      const bool first = at == readers.front();
      if (!first && (found.quantisation != form_.target || found.type != form_.target_type)) return false;
      form_.target = found.quantisation;
      form_.target_type = found.type;
      form_.absorbed.push_back(at);
      if (!first) form_.same.push_back(node.outputs.front());
    }
    form_.output = order_.node(readers.front()).outputs.front();
    form_.mode = Mode::quantised;
    return true;
  }

  /// The bytes of the target reach no number outside the bounds: clipping changes nothing.
  bool beyond_target(const Bounds& bounds) const {
    const bool is_signed = form_.target_type == ElementType::int8;
    const double low = (is_signed ? -128 : 0) - form_.target.zero_point();
    const double high = (is_signed ? 127 : 255) - form_.target.zero_point();
    return bounds.low <= low * form_.target.scale() && bounds.high >= high * form_.target.scale();
  }

  void absorb_multiplication() {
    AttributeReader attributes(node_);
    const bool usual =
        std::fabs(attributes.real("alpha", 0.2f) - 1.0f / 6) < 1e-6f && attributes.real("beta", 0.5f) == 0.5f;
    const size_t at = order_.only_reader(form_.output);
    if (!usual || at == order_.size() || node_.inputs.empty()) return;
    const Node& product = order_.node(at);
    if (!product.is("Mul") || product.inputs.size() != 2 || product.outputs.size() != 1) return;
    const std::string& other = product.inputs[product.inputs[0] == form_.output ? 1 : 0];
    if (other != node_.inputs[0]) return;
    form_.hard_swish = true;
    absorb(at);
  }

  /// The number of output channels of a convolution with constant weights; 0 when that is not what it is.
  uint32_t output_channels() {
    const Value* weights = node_.has_input(1) ? conversion_.find(node_.inputs[1]) : nullptr;
    if (!weights || !weights->is_constant() || weights->dims.size() < 3) return 0;
    if (node_.op == "Conv") return weights->dims[0];
    const int64_t groups = AttributeReader(node_).integer("group", 1);
    return groups == 1 ? weights->dims[1] : 0;
  }

  /// A constant with one number per channel of a convolution's output, or one for all of them.
  std::vector<double> channel_values(const std::string& name, uint32_t channels) {
    Value* value = conversion_.find(name);
    const Value* weights = conversion_.find(node_.inputs[1]);
    if (!value || !value->is_constant() || !is_real(value->type) || value->dims.size() > weights->dims.size())
      return {};
    const uint64_t count = element_count_of(value->dims);
    Dims per_channel(weights->dims.size() - 1, 1);
    per_channel[0] = channels;
    Dims aligned = value->dims;
    if (aligned.size() == weights->dims.size() && aligned[0] == 1) aligned.erase(aligned.begin());
    if (count != 1 && aligned != per_channel) return {};
    const std::vector<double> values = reals_of(*conversion_.constant_of(*value));
    return count == 1 ? std::vector<double>(channels, values.front()) : values;
  }

  /// One step of a chain: Mul, Div, Add or Sub with a constant.
  std::optional<ChannelAffine> arithmetic_step(const Node& node, uint32_t channels) {
    if (node.inputs.size() != 2 || node.outputs.size() != 1 || !node.attributes.empty()) return std::nullopt;
    const bool first = node.inputs[0] == form_.output;
    if (!first && (node.is("Div") || node.is("Sub"))) return std::nullopt;
    ChannelAffine step{.scales = std::vector<double>(channels, 1), .offsets = std::vector<double>(channels, 0)};
    std::vector<double> values = channel_values(node.inputs[first ? 1 : 0], channels);
    if (values.empty()) return std::nullopt;
    if (node.is("Div")) {
      for (double& value : values) value = 1 / value;
    } else if (node.is("Sub")) {
      for (double& value : values) value = -value;
    }
    if (node.is("Mul") || node.is("Div")) {
      step.scales = std::move(values);
    } else if (node.is("Add") || node.is("Sub")) {
      step.offsets = std::move(values);
    } else {
      return std::nullopt;
    }
    return step;
  }

  bool absorb_channel_affine() {
    const size_t at = order_.only_reader(form_.output);
    const uint32_t channels = output_channels();
    if (at == order_.size() || channels == 0) return false;
    const Node& node = order_.node(at);
    const bool norm = reader("BatchNormalization") == at;
    const std::optional<ChannelAffine> step =
        norm ? channel_affine_of(conversion_, node) : arithmetic_step(node, channels);
    if (!step || step->scales.size() != channels) return false;
    if (!form_.affine) form_.affine = {std::vector<double>(channels, 1), std::vector<double>(channels, 0)};
    for (uint32_t c = 0; c < channels; ++c) {
      form_.affine->scales[c] *= step->scales[c];
      form_.affine->offsets[c] = form_.affine->offsets[c] * step->scales[c] + step->offsets[c];
    }
    absorb(at);
    return true;
  }

  void absorb_bias() {
    if (!node_.has_input(1)) return;
    const size_t at = order_.only_reader(form_.output);
    const Value* weights = conversion_.find(node_.inputs[1]);
    if (at == order_.size() || !weights || weights->dims.size() != 2 || !weights->is_constant()) return;
    const Node& sum = order_.node(at);
    if (!sum.is("Add") || sum.inputs.size() != 2 || sum.outputs.size() != 1) return;
    const std::string& other = sum.inputs[sum.inputs[0] == form_.output ? 1 : 0];
    const Value* bias = conversion_.find(other);
    if (!bias || !bias->is_constant() || bias->dims != Dims{weights->dims[1]}) return;
    form_.bias = other;
    absorb(at);
  }

  Conversion& conversion_;
  const NodeOrder& order_;
  const Node& node_;
  const OperatorRow& row_;
  Form form_;
};

bool usable_scale(float scale) { return std::isfinite(scale) && scale > 0; }

}  // namespace

Form plan_form(Conversion& conversion, size_t position, const OperatorRow& row, bool allow_quantised) {
  return Planner(conversion, position, row).plan(allow_quantised);
}

NodeQuantisation quantisation_of(Conversion& conversion, const Node& node, size_t rank) {
  const auto problem = [](const std::string& text) { return NodeQuantisation{.problem = text}; };
  AttributeReader attributes(node);
  const int64_t axis = attributes.integer("axis", 1);
  if (attributes.integer("block_size", 0) != 0) return problem("blocks of scales have no form in the API");
  attributes.integer("saturate", 1);
  if (attributes.integer("precision", 0) > 1) return problem("another precision than float32");
  const int64_t type = attributes.integer("output_dtype", 0);
  if (const auto unread = attributes.unread()) return problem("attribute '" + *unread + "' is not understood");
  if (!node.has_input(0) || !node.has_input(1)) return problem("an input is missing");
  const TensorPtr scale = conversion.constant_of(node.inputs[1]);
  const TensorPtr zero = node.has_input(2) ? conversion.constant_of(node.inputs[2]) : nullptr;
  if (!scale || (node.has_input(2) && !zero)) return problem("scale and zero point must be constants");
  if (!is_real(scale->type)) return problem("a scale that is not real");
  NodeQuantisation result;
  result.type = zero ? zero->type : type != 0 ? static_cast<ElementType>(type) : ElementType::uint8;
  if (is_real(result.type)) return problem("a float8 or other real zero point");
  for (const double value : reals_of(*scale)) {
    result.quantisation.scales.push_back(static_cast<float>(value));
    if (!usable_scale(result.quantisation.scales.back())) return problem("a scale of " + std::to_string(value));
  }
  const size_t count = result.quantisation.scales.size();
  if (count == 0) return problem("no scale");
  result.quantisation.zero_points.assign(count, 0);
  if (zero) {
    const std::vector<int64_t> points = integers_of(*zero);
    if (points.size() != count) return problem("scale and zero point differ in length");
    for (size_t i = 0; i < count; ++i) {
      if (points[i] < -32768 || points[i] > 65535) return problem("a zero point of " + std::to_string(points[i]));
      result.quantisation.zero_points[i] = static_cast<int32_t>(points[i]);
    }
  }
  if (count > 1 && rank > 0) result.quantisation.axis = static_cast<uint32_t>(normal_axis(axis, rank));
  return result;
}

std::optional<Bounds> bounds_of(Conversion& conversion, const Node& node) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (node.is("Relu")) return node.attributes.empty() ? std::optional<Bounds>({0, kInfinity}) : std::nullopt;
  AttributeReader attributes(node);
  Bounds bounds{-kInfinity, kInfinity};
  if (attributes.has("min")) bounds.low = attributes.real("min", 0);
  if (attributes.has("max")) bounds.high = attributes.real("max", 0);
  if (attributes.unread() || node.inputs.size() > 3) return std::nullopt;
  for (size_t i = 1; i < 3; ++i) {
    if (!node.has_input(i)) continue;
    const TensorPtr bound = conversion.constant_of(node.inputs[i]);
    if (!bound || bound->count() != 1) return std::nullopt;
    (i == 1 ? bounds.low : bounds.high) = reals_of(*bound).front();
  }
  // The largest float is how older exporters write "no bound".
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (bounds.low <= -kLargest) bounds.low = -kInfinity;
  if (bounds.high >= kLargest) bounds.high = kInfinity;
  if (std::isnan(bounds.low) || std::isnan(bounds.high)) return std::nullopt;
  return bounds;
}

std::optional<int32_t> activation_code(const Bounds& bounds) {
  const bool no_top = std::isinf(bounds.high) && bounds.high > 0;
  if (no_top && std::isinf(bounds.low) && bounds.low < 0) return ANEURALNETWORKS_FUSED_NONE;
  if (no_top && bounds.low == 0) return ANEURALNETWORKS_FUSED_RELU;
  if (bounds.low == -1 && bounds.high == 1) return ANEURALNETWORKS_FUSED_RELU1;
  if (bounds.low == 0 && bounds.high == 6) return ANEURALNETWORKS_FUSED_RELU6;
  return std::nullopt;
}

std::optional<ChannelAffine> channel_affine_of(Conversion& conversion, const Node& node) {
  if (node.inputs.size() != 5 || node.outputs.empty()) return std::nullopt;
  const bool statistics =
      std::any_of(node.outputs.begin() + 1, node.outputs.end(), [](const std::string& o) { return !o.empty(); });
  AttributeReader attributes(node);
  const double epsilon = attributes.real("epsilon", 1e-5f);
  attributes.real("momentum", 0.9f);
  const bool old = conversion.model().opset < 7;  // these say when they are for inference
  const bool inference = attributes.integer("training_mode", 0) == 0 && attributes.integer("spatial", 1) == 1 &&
                         attributes.integer("is_test", old ? 0 : 1) != 0;
  if (statistics || !inference || attributes.unread()) return std::nullopt;
  std::vector<double> parameters[4];
  for (size_t i = 0; i < 4; ++i) {
    const TensorPtr constant = node.has_input(i + 1) ? conversion.constant_of(node.inputs[i + 1]) : nullptr;
    if (!constant || !is_real(constant->type) || constant->dims.size() != 1) return std::nullopt;
    parameters[i] = reals_of(*constant);
    if (parameters[i].size() != parameters[0].size()) return std::nullopt;
  }
  const auto& [scale, bias, mean, variance] = parameters;
  ChannelAffine result;
  for (size_t c = 0; c < scale.size(); ++c) {
    result.scales.push_back(scale[c] / std::sqrt(variance[c] + epsilon));
    result.offsets.push_back(bias[c] - mean[c] * result.scales[c]);
  }
  return result;
}

}  // namespace avocet::tools::onnx
