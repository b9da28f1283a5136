// SPDX-License-Identifier: Apache-2.0
// The one custom operator with an operation of its own: TFLite_Detection_PostProcess. Its options are a flexbuffer map;
// the API works on floats, gives the outputs in another order and classes and count as integers.
#include <android/NeuralNetworks.h>
#include <flatbuffers/flexbuffers.h>

#include <algorithm>

#include "importer/operators.hpp"

namespace avocet::tools {
namespace {

uint32_t read_as_float(OperatorContext& context, size_t i) {
  const TensorView view = context.in(i);
  const uint32_t operand = context.read(i);
  if (view.type == ANEURALNETWORKS_TENSOR_FLOAT32) return operand;
  if (!view.quantised()) context.refuse("input " + std::to_string(i) + " is neither float32 nor 8 bit");
  GraphBuilder& graph = context.graph();
  const uint32_t real = graph.add_temporary(ANEURALNETWORKS_TENSOR_FLOAT32, view.dims);
  graph.emit(ANEURALNETWORKS_DEQUANTIZE, {operand}, {real});
  return real;
}

/// The operator's options; the reader is given only bytes that passed the flexbuffers verifier.
class Options {
 public:
  explicit Options(OperatorContext& context) {
    const auto* bytes = context.op().custom_options();
    if (!bytes || bytes->size() < 3 || !flexbuffers::VerifyBuffer(bytes->data(), bytes->size(), &reuse_)) {
      context.refuse("damaged options");
    }
    const auto root = flexbuffers::GetRoot(bytes->data(), bytes->size());
    if (!root.IsMap()) context.refuse("options that are no map");
    map_ = root.AsMap();
  }
  int32_t integer(const char* name, int32_t absent = 0) const {
    const auto value = map_[name];
    return value.IsNull() ? absent : value.AsInt32();
  }
  float real(const char* name) const { return map_[name].AsFloat(); }
  bool flag(const char* name) const { return map_[name].AsBool(); }

 private:
  std::vector<uint8_t> reuse_;
  flexbuffers::Map map_ = flexbuffers::Map::EmptyMap();
};

void convert_detection(OperatorContext& context) {
  GraphBuilder& graph = context.graph();
  const Options options(context);
  const TensorView boxes = context.in(0);
  const TensorView scores = context.in(1);
  if (boxes.dims.size() != 3 || scores.dims.size() != 3) context.refuse("boxes and scores must have rank 3");
  const auto classes = static_cast<uint32_t>(options.integer("num_classes"));
  if (scores.dims[2] != classes + 1) context.refuse("scores without a background class have no form in the API");
  const int32_t detections = options.integer("max_detections");
  if (detections <= 0 || detections > 100'000) context.refuse("max_detections " + std::to_string(detections));
  const uint32_t batches = boxes.dims[0];
  const auto count = static_cast<uint32_t>(detections);
  const std::vector<uint32_t> inputs = {
      read_as_float(context, 1),
      read_as_float(context, 0),
      read_as_float(context, 2),
      graph.float_scalar(options.real("y_scale")),
      graph.float_scalar(options.real("x_scale")),
      graph.float_scalar(options.real("h_scale")),
      graph.float_scalar(options.real("w_scale")),
      graph.bool_scalar(options.flag("use_regular_nms")),
      graph.int_scalar(detections),
      graph.int_scalar(options.integer("max_classes_per_detection", 1)),
      graph.int_scalar(options.integer("detections_per_class", 100)),
      graph.float_scalar(options.real("nms_score_threshold")),
      graph.float_scalar(options.real("nms_iou_threshold")),
      graph.bool_scalar(false),  // classes count from 0 without the background
  };
  const uint32_t class_numbers = graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {batches, count});
  const uint32_t valid = graph.add_temporary(ANEURALNETWORKS_TENSOR_INT32, {batches});
  const uint32_t out_boxes = graph.write(context.output_tensor(0), {batches, count, 4});
  const uint32_t out_scores = graph.write(context.output_tensor(2), {batches, count});
  graph.emit(ANEURALNETWORKS_DETECTION_POSTPROCESSING, inputs, {out_scores, out_boxes, class_numbers, valid});
  graph.emit(ANEURALNETWORKS_CAST, {class_numbers}, {graph.write(context.output_tensor(1), {batches, count})});
  graph.emit(ANEURALNETWORKS_CAST, {valid}, {graph.write(context.output_tensor(3), {batches})});
}

}  // namespace

void convert_custom(OperatorContext& context, int32_t) {
  if (context.graph().file().operator_name(context.op()) == "CUSTOM:TFLite_Detection_PostProcess") {
    return convert_detection(context);
  }
  context.refuse("a custom operator has no form in the API");
}

}  // namespace avocet::tools
