// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: which optional groups are there together, and the shapes of sequences.
#include <algorithm>
#include <cmath>

#include "draw_rows.hpp"

namespace avocet::random_models::draw {
namespace {

/// Weights and states that keep the values of a sequence small.
void tame(OperationDraw& d) {
  for (OperandDraw& operand : d.in) {
    if (!operand.fed && is_float_type(operand.type) && is_tensor_type(operand.type)) operand.fill(-0.8, 0.8);
  }
}

void omit(OperationDraw& d, std::initializer_list<const char*> names, const std::string& prefix, bool omitted) {
  for (const char* name : names) {
    if (OperandDraw* operand = d.find(prefix + name)) operand->omitted = omitted;
  }
}

/// A sequence of rank 3 and the extents it shares with the rest.
void draw_sequence(OperationDraw& d, bool time_major) {
  OperandDraw& input = d.in[0];
  const Dims dims = input.fed ? input.dims : Dims{d.random.extent(1, 3), d.random.extent(1, 3), d.random.extent(1, 4)};
  input.shape(dims);
  d.set("batch", time_major ? dims[1] : dims[0]);
  d.set("input_size", dims[2]);
}

Dims sequence_dims(OperationDraw& d, uint32_t size) { return {d.in[0].dims[0], d.in[0].dims[1], size}; }

/// The groups of optional inputs of one LSTM cell.
void draw_cell(OperationDraw& d, const std::string& prefix) {
  const bool coupled = d.random.chance(40), peephole = d.random.chance(50), projection = d.random.chance(50);
  const bool bias = d.random.chance(50), norm = d.random.chance(40);
  omit(d, {"input_to_input_weights", "recurrent_to_input_weights", "input_gate_bias"}, prefix, coupled);
  omit(d, {"cell_to_input_weights"}, prefix, coupled || !peephole);
  omit(d, {"cell_to_forget_weights", "cell_to_output_weights"}, prefix, !peephole);
  omit(d, {"projection_weights"}, prefix, !projection);
  omit(d, {"projection_bias"}, prefix, !projection || !bias);
  omit(d, {"input_layer_norm_weights"}, prefix, coupled || !norm);
  omit(d, {"forget_layer_norm_weights", "cell_layer_norm_weights", "output_layer_norm_weights"}, prefix, !norm);
  if (!projection) d.set(prefix + "output_size", d.symbol(prefix + "units"));
}

void draw_clips(OperationDraw& d) {
  for (const char* name : {"cell_clip", "projection_clip"}) d.set_scalar(name, d.random.chance(50) ? 0 : d.random.real(0.2, 2));
}

/// Both directions see both inputs (cross-linking), the backward one sees the auxiliary input (parallel), or there is none.
void draw_auxiliary(OperationDraw& d, std::initializer_list<const char*> weights, bool* parallel) {
  OperandDraw& aux = d.input("aux_input");
  const bool cross = d.random.chance(30);
  *parallel = !cross && d.random.chance(40);
  aux.omitted = !cross && !*parallel;
  omit(d, weights, "fw_", !cross);
  omit(d, weights, "bw_", !cross);
  if (!aux.omitted) aux.shape(sequence_dims(d, d.symbol("aux_input_size")));
  d.set("bw_input_size", d.symbol(*parallel ? "aux_input_size" : "input_size"));
}

bool draw_merge(OperationDraw& d, uint32_t fw, uint32_t bw) {
  const bool merge = d.output_form().starts_with("merged");
  d.set_scalar("merge_outputs", merge);
  d.out[0].shape(sequence_dims(d, merge ? fw + bw : fw));
  if (!merge) d.out[1].shape(sequence_dims(d, bw));
  return true;
}

}  // namespace

bool recurrent(OperationDraw& d) {
  tame(d);
  return true;
}

bool svdf(OperationDraw& d) {
  tame(d);
  const uint32_t rank = static_cast<uint32_t>(d.scalar("rank", 1));
  d.set("filters", d.symbol("units") * rank);
  d.set("state_size", d.symbol("memory_size") * d.symbol("filters"));
  return true;
}

bool lstm(OperationDraw& d) {
  tame(d);
  draw_cell(d, "");
  draw_clips(d);
  d.set("scratch_size", d.symbol("units") * (d.input("input_to_input_weights").omitted ? 3 : 4));
  return true;
}

bool unidirectional_sequence_rnn(OperationDraw& d) {
  tame(d);
  draw_sequence(d, d.scalar("time_major", 0) != 0);
  d.out[0].shape(sequence_dims(d, d.symbol("units")));
  return true;
}

bool bidirectional_sequence_rnn(OperationDraw& d) {
  draw_sequence(d, d.scalar("time_major", 0) != 0);
  bool parallel = false;
  draw_auxiliary(d, {"aux_weights"}, &parallel);
  tame(d);
  return draw_merge(d, d.symbol("fw_units"), d.symbol("bw_units"));
}

bool unidirectional_sequence_lstm(OperationDraw& d) {
  tame(d);
  draw_sequence(d, d.scalar("time_major", 0) != 0);
  draw_cell(d, "");
  draw_clips(d);
  d.out[0].shape(sequence_dims(d, d.symbol("output_size")));
  return true;
}

bool bidirectional_sequence_lstm(OperationDraw& d) {
  tame(d);
  draw_sequence(d, d.scalar("time_major", 0) != 0);
  for (const char* prefix : {"fw_", "bw_"}) draw_cell(d, prefix);
  draw_clips(d);
  bool parallel = false;
  draw_auxiliary(d, {"aux_input_to_input_weights", "aux_input_to_forget_weights", "aux_input_to_cell_weights", "aux_input_to_output_weights"},
                 &parallel);
  for (const char* prefix : {"fw_", "bw_"}) {  // a coupled cell has no input gate to feed
    if (d.input(std::string(prefix) + "input_to_input_weights").omitted) omit(d, {"aux_input_to_input_weights"}, prefix, true);
  }
  return draw_merge(d, d.symbol("fw_output_size"), d.symbol("bw_output_size"));
}

/// All weights share one scale and zero point; biases have the product of scales.
bool quantized_16bit_lstm(OperationDraw& d) {
  const auto scale = static_cast<float>(std::exp2(d.random.real(-9, -7)));
  const int32_t zero_point = static_cast<int32_t>(d.random.between(90, 160));
  for (OperandDraw& operand : d.in) {
    if (std::string_view(operand.rule->name).ends_with("weights")) operand.quantise(scale, zero_point);
    if (operand.type != ANEURALNETWORKS_TENSOR_INT32) continue;
    operand.scale = scale / 128;
    operand.fresh = true;
    operand.shape({d.symbol("output_size")});
    for (uint32_t i = 0; i < operand.dims[0]; ++i) operand.stored.push_back(static_cast<double>(d.random.between(-30000, 30000)));
  }
  return true;
}

/// Without layer normalisation the intermediate results have 12 fraction bits, and without a projection the hidden state is the
/// output. The cell state's scale is a power of two.
bool quantized_lstm(OperationDraw& d) {
  draw_cell(d, "");
  const bool norm = !d.input("forget_layer_norm_weights").omitted, projection = !d.input("projection_weights").omitted;
  const auto input_scale = static_cast<float>(std::exp2(d.random.real(-8, -6)));
  const auto weight_scale = static_cast<float>(std::exp2(d.random.real(-8, -6)));
  const float hidden_scale = 0x1.4p-7f;  // with these zero points no hidden value saturates
  // Without a projection the sign of this zero point is not the same in the API's text and in TensorFlow Lite's kernels.
  const int32_t hidden_zero = projection ? static_cast<int32_t>(d.random.between(-20, 20)) : 0;
  d.in[0].quantise(input_scale, static_cast<int32_t>(d.random.between(-20, 20)));
  const float state_scale = projection ? static_cast<float>(std::exp2(d.random.real(-8, -6))) : hidden_scale;
  // The projection clip means real numbers in the API's text, stored ones in TensorFlow Lite's kernels.
  const bool clipped = !d.input("projection_clip").omitted;
  const int32_t state_zero = projection && !clipped ? static_cast<int32_t>(d.random.between(-20, 20)) : 0;
  d.input("output_state_in").quantise(state_scale, state_zero);
  const auto cell_scale = static_cast<float>(std::exp2(static_cast<double>(d.random.between(-15, -11))));
  d.input("cell_state_in").quantise(cell_scale, 0);
  for (OperandDraw& operand : d.in) {
    const std::string_view name = operand.rule->name;
    if (operand.type == ANEURALNETWORKS_TENSOR_QUANT8_SYMM) operand.quantise(weight_scale, 0);
    if (name.ends_with("norm_weights")) operand.quantise(0x1p-15f, 0);
    if (name.starts_with("cell_to_")) operand.quantise(0x1p-15f, 0);
    if (name.ends_with("intermediate_scale")) operand.stored = {norm ? d.random.real(0.003, 0.01) : 0x1p-12};
    if (name.ends_with("intermediate_scale")) operand.stored[0] = static_cast<double>(static_cast<float>(operand.stored[0]));
    if (operand.type != ANEURALNETWORKS_TENSOR_INT32 || operand.omitted) continue;
    operand.fresh = true;
    operand.shape({d.symbol(name == "projection_bias" ? "output_size" : "units")});
    const int64_t most = name == "projection_bias" || !norm ? 4000 : 10000000;
    for (uint32_t i = 0; i < operand.dims[0]; ++i) operand.stored.push_back(static_cast<double>(d.random.between(-most, most)));
  }
  d.set_scalar("hidden_state_scale", hidden_scale);
  d.set_scalar("hidden_state_zero_point", hidden_zero);
  for (const char* name : {"cell_clip", "projection_clip"}) {
    if (!d.input(name).omitted) d.set_scalar(name, d.random.chance(50) ? 0 : d.random.real(0.2, 0.9));
  }
  d.out[0].quantise(state_scale, state_zero);
  d.out[1].quantise(cell_scale, 0);
  d.out[2].quantise(state_scale, state_zero);
  return true;
}

}  // namespace avocet::random_models::draw
