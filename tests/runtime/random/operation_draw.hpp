// SPDX-License-Identifier: Apache-2.0
// One operation as it is being drawn. The signature row decides forms, types, counts, omitted operands, scalars, symbolic extents
// and bound scales; what the row cannot say (a filter fits its input) is added by the function of draw_table.cpp in between.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "naive_value.hpp"
#include "operations/signature.hpp"
#include "random.hpp"

namespace avocet::random_models {

struct OperandDraw {
  const runtime::OperandRule* rule = nullptr;
  int32_t type = 0;
  Dims dims;  // actual; of a scalar: none
  bool shaped = false;
  float scale = 0;
  int32_t zero_point = 0;
  bool quantised = false;  // scale and zero point are decided
  std::vector<float> channel_scales;
  uint32_t channel_dim = 0;
  bool omitted = false;
  std::optional<uint32_t> fed;      // the operand of the graph that is used
  bool fresh = false;               // may not be an operand of the graph: its values matter
  bool non_negative = false;        // only such operands of the graph
  std::optional<double> low, high;  // real numbers to fill it with; else what is usual for the type
  bool distinct = false;            // no two elements alike
  std::vector<double> stored;       // the elements, when decided
  bool data_dependent = false;      // an output whose dimensions are not known before; `dims` are the largest possible

  void shape(Dims new_dims) {
    dims = std::move(new_dims);
    shaped = true;
  }
  void fill(double from, double to) {
    low = from;
    high = to;
    fresh = true;
  }
  void quantise(float new_scale, int32_t new_zero_point) {
    scale = new_scale;
    zero_point = new_zero_point;
    quantised = true;
  }
  /// A TENSOR_INT32 (or scalar) of these numbers.
  void values(std::vector<double> numbers) {
    if (!shaped) shape({static_cast<uint32_t>(numbers.size())});
    stored = std::move(numbers);
    fresh = true;
  }
};

class OperationDraw {
 public:
  OperationDraw(Random& random, const runtime::Operation& operation) : random(random), operation_(operation) {}

  /// Form, types and counts, with the omitted operands and scalars. Of the type rows those that give input `primary` the type
  /// `primary_type`, when that is not negative; quantised rows alone when `quantised_only`. False: there is none.
  bool choose(int primary, int32_t primary_type, bool quantised_only);
  /// Input i is the operand `index` of the graph.
  void feed(size_t i, uint32_t index, const Dims& dims, float scale, int32_t zero_point);
  /// Whatever the operation's own function left open: dimensions by symbols, scales, values. False: an extent contradicts.
  bool finish();

  Random& random;
  std::vector<OperandDraw> in, out;

  int32_t code() const { return operation_.code; }
  const runtime::Signature& signature() const { return *operation_.signature; }
  std::string_view input_form() const { return inputs_->name; }
  std::string_view output_form() const { return outputs_->name; }
  /// The input of that name, or null when this form has none or it is absent.
  OperandDraw* find(std::string_view name);
  OperandDraw& input(std::string_view name) { return *find(name); }
  double scalar(std::string_view name, double absent);
  void set_scalar(std::string_view name, double value);
  bool nchw();
  /// The extent of that name, drawn when it has none yet.
  uint32_t symbol(const std::string& name);
  void set(const std::string& name, uint32_t extent) { symbols_[name] = extent; }
  bool has_symbol(const std::string& name) const { return symbols_.contains(name); }
  /// Number of operands that the repeated rule stands for.
  void repeat_inputs(size_t count);
  void repeat_outputs(size_t count);
  /// Gives input i a shape: the one it has, or a random one within its rule.
  const Dims& shape_input(size_t i, uint32_t most = 5);
  /// An axis of a tensor of that rank, counted from either end.
  double axis(size_t rank) { return static_cast<double>(random.between(-static_cast<int64_t>(rank), static_cast<int64_t>(rank) - 1)); }
  /// Scale and zero point for numbers up to this size.
  void quantise_for(OperandDraw& operand, double magnitude);
  /// The largest real number an input is likely to hold.
  double magnitude(size_t i);

 private:
  bool choose_types(int primary, int32_t primary_type, bool quantised_only);
  void add_operands(const runtime::Form& form, size_t count, std::vector<OperandDraw>& list);
  int32_t resolve(runtime::Type type) const;
  void draw_scalar(OperandDraw& operand);
  bool shape_by_symbols(OperandDraw& operand, bool bind);
  void draw_quantisation(OperandDraw& operand);
  void draw_values(OperandDraw& operand);

  const runtime::Operation& operation_;
  const runtime::Form* inputs_ = nullptr;
  const runtime::Form* outputs_ = nullptr;
  const runtime::TypeRow* types_ = nullptr;
  std::map<std::string, uint32_t, std::less<>> symbols_;
};

}  // namespace avocet::random_models
