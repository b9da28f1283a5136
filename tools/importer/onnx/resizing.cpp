// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample. The file has many rules for where a pixel comes from, the API three: a rule is taken when it
// leads to the same places for the sizes at hand. Nearest pixels can always be gathered, axis by axis.
#include <android/NeuralNetworks.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "importer/onnx/constant.hpp"
#include "importer/onnx/fold_functions.hpp"
#include "importer/onnx/node_context.hpp"
#include "importer/onnx/shapes.hpp"
#include "importer/onnx/window.hpp"

namespace avocet::tools::onnx {
namespace {

struct Axis {
  uint32_t input = 1;
  uint32_t output = 1;
  double scale = 1;
  bool changes() const { return input != output; }
};

/// Where in the input element `i` of the output lies, by the file's rule.
double position(const Axis& axis, uint32_t i, const std::string& rule) {
  const double half_pixel = (i + 0.5) / axis.scale - 0.5;
  if (rule == "half_pixel") return half_pixel;
  if (rule == "pytorch_half_pixel") return axis.output > 1 ? half_pixel : 0;
  if (rule == "asymmetric") return i / axis.scale;
  if (rule == "tf_half_pixel_for_nn") return (i + 0.5) / axis.scale;
  if (rule == "align_corners") return axis.output > 1 ? i * double{axis.input - 1.0} / (axis.output - 1.0) : 0;
  if (rule == "half_pixel_symmetric") {
    const double centre = axis.input / 2.0;
    return centre * (1 - axis.output / (axis.scale * axis.input)) + half_pixel;
  }
  refuse("coordinate_transformation_mode '" + rule + "'");
}

double rounded(double x, const std::string& mode) {
  if (mode == "round_prefer_floor") return std::ceil(x - 0.5);
  if (mode == "round_prefer_ceil") return std::floor(x + 0.5);
  if (mode == "floor") return std::floor(x);
  if (mode == "ceil") return std::ceil(x);
  refuse("nearest_mode '" + mode + "'");
}

/// The API's three rules.
struct ApiRule {
  bool align_corners, half_pixel_centers;
};
constexpr ApiRule kApiRules[] = {{false, false}, {false, true}, {true, false}};

double api_position(const Axis& axis, uint32_t i, ApiRule rule, bool nearest) {
  const bool corners = rule.align_corners && axis.output > 1;
  const double scale = corners ? (axis.input - 1.0) / (axis.output - 1.0) : double(axis.input) / axis.output;
  if (!nearest) return rule.half_pixel_centers ? (i + 0.5) * scale - 0.5 : i * scale;
  // float32, as the API computes it: at the edge between two pixels that decides.
  const float at = (static_cast<float>(i) + (rule.half_pixel_centers ? 0.5f : 0.0f)) * static_cast<float>(scale);
  return rule.align_corners ? std::round(at) : std::floor(at);
}

double clamped(double x, const Axis& axis) { return std::clamp(x, 0.0, axis.input - 1.0); }

/// Source positions along an axis by the file's rules; whole numbers for nearest.
std::vector<double> positions(const Axis& axis, const std::string& rule, const std::string& nearest_mode) {
  std::vector<double> result(axis.output);
  for (uint32_t i = 0; i < axis.output; ++i) {
    const double x = position(axis, i, rule);
    result[i] = clamped(nearest_mode.empty() ? x : rounded(x, nearest_mode), axis);
  }
  return result;
}

bool agrees(const Axis& axis, const std::vector<double>& wanted, ApiRule rule, bool nearest) {
  if (!axis.changes()) return true;
  for (uint32_t i = 0; i < axis.output; ++i) {
    if (std::fabs(clamped(api_position(axis, i, rule, nearest), axis) - wanted[i]) > 1e-4) return false;
  }
  return true;
}

struct Resize {
  Dims dims;
  std::vector<Axis> axes;
  std::string rule;
  std::string nearest_mode;  // empty: linear

  Dims result() const {
    Dims to;
    for (const Axis& axis : axes) to.push_back(axis.output);
    return to;
  }
};

void set_scales(Resize& resize, const std::vector<size_t>& named, const std::vector<double>& scales) {
  if (scales.size() != named.size())
    refuse(std::to_string(scales.size()) + " scales for shape " + dims_text(resize.dims));
  for (size_t i = 0; i < named.size(); ++i) {
    Axis& axis = resize.axes[named[i]];
    const double extent = std::floor(axis.input * scales[i]);
    if (!(extent >= 1 && extent <= INT32_MAX)) refuse("a scale of " + std::to_string(scales[i]));
    axis.scale = scales[i];
    axis.output = static_cast<uint32_t>(extent);
  }
}

void set_sizes(Resize& resize, const std::vector<size_t>& named, const std::vector<int64_t>& sizes) {
  if (sizes.size() != named.size()) refuse(std::to_string(sizes.size()) + " sizes for shape " + dims_text(resize.dims));
  for (size_t i = 0; i < named.size(); ++i) {
    Axis& axis = resize.axes[named[i]];
    if (sizes[i] < 1 || sizes[i] > INT32_MAX) refuse("a size of " + std::to_string(sizes[i]));
    axis.output = static_cast<uint32_t>(sizes[i]);
    axis.scale = double(axis.output) / axis.input;
  }
}

/// Scales or sizes, wherever the operator set has them.
void read_extents(NodeContext& context, Resize& resize) {
  std::vector<size_t> named;
  for (const int64_t axis : context.attributes().integers("axes"))
    named.push_back(normal_axis(axis, resize.dims.size()));
  if (named.empty()) {
    named.resize(resize.dims.size());
    std::iota(named.begin(), named.end(), size_t{0});
  }
  if (context.attributes().text("keep_aspect_ratio_policy", "stretch") != "stretch") refuse("a kept aspect ratio");
  const std::vector<float> attribute = context.attributes().reals("scales");
  const bool old = context.node().op == "Upsample" || context.opset() < 11;
  const size_t scales = old ? 1 : 2;
  if (!attribute.empty()) {
    set_scales(resize, named, {attribute.begin(), attribute.end()});
  } else if (!old && context.has(3)) {
    set_sizes(resize, named, context.integers(3));
  } else if (context.has(scales) && element_count_of(context.dims(scales)) > 0) {
    set_scales(resize, named, reals_of(*context.constant(scales)));
  } else {
    refuse("neither scales nor sizes");
  }
}

Resize read_resize(NodeContext& context) {
  Resize resize{.dims = context.dims(0), .axes = {}, .rule = {}, .nearest_mode = {}};
  for (const uint32_t extent : resize.dims) resize.axes.push_back({.input = extent, .output = extent, .scale = 1});
  const bool old = context.node().op == "Upsample" || context.opset() < 11;
  const std::string mode = context.attributes().text("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear") refuse("mode '" + mode + "'");
  resize.rule = context.attributes().text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  const std::string nearest_mode = context.attributes().text("nearest_mode", old ? "floor" : "round_prefer_floor");
  if (mode == "nearest") resize.nearest_mode = nearest_mode;
  for (const char* unused : {"cubic_coeff_a", "extrapolation_value"}) context.attributes().has(unused);
  if (context.attributes().integer("antialias", 0) != 0) refuse("an antialiasing filter");
  if (context.attributes().integer("exclude_outside", 0) != 0) refuse("exclude_outside");
  read_extents(context, resize);
  element_count_of(resize.result());
  return resize;
}

void emit_gathers(NodeContext& context, const Resize& resize, const std::vector<std::vector<double>>& places) {
  OperandBuilder& builder = context.builder();
  uint32_t operand = context.read(0);
  const uint32_t output = context.write(resize.result());
  Dims dims = resize.dims;
  size_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i) last = resize.axes[i].changes() ? i : last;
  for (size_t i = 0; i <= last; ++i) {
    if (!resize.axes[i].changes()) continue;
    dims[i] = resize.axes[i].output;
    const uint32_t next = i == last ? output : builder.add_temporary_like(operand, operand_dims(dims));
    const std::vector<int32_t> indices(places[i].begin(), places[i].end());
    context.emit(ANEURALNETWORKS_GATHER,
                 {operand, builder.int_scalar(static_cast<int32_t>(i)), builder.int_tensor(indices)}, {next});
    operand = next;
  }
}

/// One operation for axes `first` and `first + 1` of an image whose two others stay; false when no rule of the API
/// fits.
bool emit_resize(NodeContext& context, const Resize& resize, const std::vector<std::vector<double>>& places,
                 size_t first) {
  const bool nearest = !resize.nearest_mode.empty();
  const Axis& height = resize.axes[first];
  const Axis& width = resize.axes[first + 1];
  const auto* rule = std::find_if(std::begin(kApiRules), std::end(kApiRules), [&](ApiRule candidate) {
    return agrees(height, places[first], candidate, nearest) && agrees(width, places[first + 1], candidate, nearest);
  });
  if (rule == std::end(kApiRules)) return false;
  OperandBuilder& builder = context.builder();
  const uint32_t input = context.read(0);
  context.emit(nearest ? ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR : ANEURALNETWORKS_RESIZE_BILINEAR,
               {input, builder.int_scalar(static_cast<int32_t>(width.output)),
                builder.int_scalar(static_cast<int32_t>(height.output)), builder.bool_scalar(first == 2),
                builder.bool_scalar(rule->align_corners), builder.bool_scalar(rule->half_pixel_centers)},
               {context.write(resize.result())});
  return true;
}

/// The first of the two image axes: 2 for NCHW, 1 for NHWC; nullopt when others change.
std::optional<size_t> image_axes(const Resize& resize) {
  if (resize.axes.size() != 4 || resize.axes[0].changes()) return std::nullopt;
  if (!resize.axes[1].changes()) return 2;
  if (!resize.axes[3].changes()) return 1;
  return std::nullopt;
}

}  // namespace

void convert_resize(NodeContext& context, int32_t) {
  const Resize resize = read_resize(context);
  if (resize.result() == resize.dims) {
    if (context.quantised()) throw NeedsFloats{};
    return convert_identity(context, 0);
  }
  std::vector<std::vector<double>> places;
  for (const Axis& axis : resize.axes) check_folded_size({axis.output});
  for (const Axis& axis : resize.axes) places.push_back(positions(axis, resize.rule, resize.nearest_mode));
  const std::optional<size_t> first = image_axes(resize);
  if (first && emit_resize(context, resize, places, *first)) return;
  if (!resize.nearest_mode.empty()) return emit_gathers(context, resize, places);
  if (!first) refuse("linear interpolation of other than two dimensions of an image");
  refuse("coordinates '" + resize.rule + "' with these sizes have no form in the API");
}

}  // namespace avocet::tools::onnx
