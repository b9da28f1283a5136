// SPDX-License-Identifier: Apache-2.0
// IEEE half precision: see float16.hpp.
#include "float16.hpp"

#include <android/NeuralNetworks.h>

#include <vector>

#include "processor.hpp"
#include "shape.hpp"

#if AVOCET_X86
#include <immintrin.h>
#endif

namespace avocet::runtime {
namespace {

#if AVOCET_X86
__attribute__((target("avx,f16c"))) size_t widen_f16c(const Float16* from, float* to, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
  return i;
}

__attribute__((target("avx,f16c"))) size_t narrow_f16c(const float* from, Float16* to, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), half);
  }
  return i;
}
#endif

int32_t widened_type(int32_t type) {
  if (type == ANEURALNETWORKS_TENSOR_FLOAT16) return ANEURALNETWORKS_TENSOR_FLOAT32;
  if (type == ANEURALNETWORKS_FLOAT16) return ANEURALNETWORKS_FLOAT32;
  return type;
}

/// Copies of the operand views whose float16 values are float32; owns the widened values.
class WidenedInputs {
 public:
  explicit WidenedInputs(std::span<const OperandView> inputs) : views_(inputs.begin(), inputs.end()) {
    values_.reserve(views_.size());
    for (OperandView& view : views_) {
      if (!is_float16(view.type)) continue;
      const size_t count = view.bytes / sizeof(Float16);
      if (view.data && count) {
        values_.emplace_back(new float[count]);
        widen(view.as<Float16>(), values_.back().get(), count);
        view.data = values_.back().get();
      }
      view.bytes = count * sizeof(float);
      view.type = widened_type(view.type);
    }
  }
  std::span<const OperandView> views() const { return views_; }

 private:
  std::vector<OperandView> views_;
  std::vector<std::unique_ptr<float[]>> values_;
};

bool any_float16(const OperationContext& context) {
  for (const OperandView& view : context.inputs) {
    if (is_float16(view.type)) return true;
  }
  for (const OperandView& view : context.outputs) {
    if (is_float16(view.type)) return true;
  }
  return false;
}

}  // namespace

void widen(const Float16* from, float* to, size_t count) {
  size_t i = 0;
#if AVOCET_X86
  if (processor_has_f16c()) i = widen_f16c(from, to, count);
#endif
  for (; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

void narrow(const float* from, Float16* to, size_t count) {
  size_t i = 0;
#if AVOCET_X86
  if (processor_has_f16c()) i = narrow_f16c(from, to, count);
#endif
  for (; i < count; ++i) to[i] = static_cast<Float16>(from[i]);
}

Status run_in_float32(OperationContext& context, Status (*execute)(OperationContext&)) {
  if (!any_float16(context)) return execute(context);
  const WidenedInputs inputs(context.inputs);
  std::vector<OperandView> outputs(context.outputs.begin(), context.outputs.end());
  std::vector<void*> buffers(context.output_buffers.begin(), context.output_buffers.end());
  std::vector<std::unique_ptr<float[]>> values(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!is_float16(outputs[i].type)) continue;
    outputs[i].type = widened_type(outputs[i].type);
    outputs[i].bytes = count_of(outputs[i]) * sizeof(float);
    if (!buffers[i]) continue;
    values[i].reset(new float[outputs[i].bytes / sizeof(float)]);
    buffers[i] = values[i].get();
  }
  OperationContext wide = context;
  wide.inputs = inputs.views();
  wide.outputs = outputs;
  wide.output_buffers = buffers;
  Status status = execute(wide);
  if (!status.ok()) return status;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (values[i]) narrow(values[i].get(), context.out<Float16>(i), count_of(outputs[i]));
  }
  return status;
}

std::unique_ptr<PreparedState> prepare_in_float32(const OperationContext& context,
                                                  std::unique_ptr<PreparedState> (*prepare)(const OperationContext&)) {
  if (!any_float16(context)) return prepare(context);
  const WidenedInputs inputs(context.inputs);
  std::vector<OperandView> outputs(context.outputs.begin(), context.outputs.end());
  for (OperandView& output : outputs) output.type = widened_type(output.type);
  OperationContext wide = context;
  wide.inputs = inputs.views();
  wide.outputs = outputs;
  return prepare(wide);
}

float float_scalar(const OperationContext& context, size_t i, float absent) {
  if (!context.has_input(i) || !context.input(i).data) return absent;
  if (context.input(i).type == ANEURALNETWORKS_FLOAT16) return static_cast<float>(*context.input(i).as<Float16>());
  return *context.input(i).as<float>();
}

}  // namespace avocet::runtime
