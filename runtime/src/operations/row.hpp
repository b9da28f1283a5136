// SPDX-License-Identifier: Apache-2.0
// How a family file writes its rows: operation<signature, infer, execute>(code, name).
// Between the seam and the kernel stand the run-time checks of the signature, NCHW and float16: kernels see NHWC and float32.
#pragma once

#include "failure.hpp"
#include "float16.hpp"
#include "operation.hpp"
#include "signature.hpp"

namespace avocet::runtime {

using InferFunction = Status (*)(OperationContext&);
using ExecuteFunction = Status (*)(OperationContext&);
using PrepareFunction = std::unique_ptr<PreparedState> (*)(const OperationContext&);

/// Whether float16 operands reach the kernel as they are (it moves elements of any type) or as float32.
enum class Halves : uint8_t { kWidened, kAsTheyAre };

/// Presence, scalar values, zero extents, quantisation and symbolic extents; then `infer` in NHWC; then the result against
/// the declared dimensions and the size limit. OP_FAILED with a sentence.
Status infer_checked(const Signature& signature, OperationContext& context, InferFunction infer);

/// `execute` in NHWC and, when asked, float32. Does nothing when all outputs are empty.
Status execute_adapted(const Signature& signature, OperationContext& context, ExecuteFunction execute, Halves halves);

/// `prepare` when everything it may read has passed the checks of the row: null while a scalar is not known yet, or when a
/// constant breaks a rule (which infer_checked() then reports, when the operation runs).
std::unique_ptr<PreparedState> prepare_checked(const Signature& signature, const OperationContext& context,
                                               PrepareFunction prepare, Halves halves);

template <const Signature& kSignature, InferFunction kInfer, ExecuteFunction kExecute, Halves kHalves = Halves::kWidened,
          PrepareFunction kPrepare = nullptr>
constexpr Operation operation(int32_t code, const char* name, Status (*check)(const OperationContext&) = nullptr) {
  Operation row{.code = code, .name = name, .signature = &kSignature, .check = check};
  row.infer = [](OperationContext& context) { return infer_checked(kSignature, context, kInfer); };
  row.execute = [](OperationContext& context) { return execute_adapted(kSignature, context, kExecute, kHalves); };
  if constexpr (kPrepare != nullptr) {
    row.prepare = [](const OperationContext& context) { return prepare_checked(kSignature, context, kPrepare, kHalves); };
  }
  return row;
}

/// infer of the many operations whose single output has the shape of input 0.
Status infer_same_shape(OperationContext& context);

}  // namespace avocet::runtime
