// SPDX-License-Identifier: Apache-2.0
// IEEE half precision: conversion of arrays (F16C where the processor has it), and running a float32 kernel on float16
// operands. Both conversions round to nearest even, so that every processor gives the same bits.
#pragma once

#include <cstddef>

#include "operation.hpp"

namespace avocet::runtime {

using Float16 = _Float16;

void widen(const Float16* from, float* to, size_t count);
void narrow(const float* from, Float16* to, size_t count);

/// Runs `execute` on a view of the context in which float16 tensors and scalars are float32, then narrows the outputs.
/// Without a float16 operand it is `execute(context)`.
Status run_in_float32(OperationContext& context, Status (*execute)(OperationContext&));

/// The same for prepare(): constant float16 inputs are seen as float32.
std::unique_ptr<PreparedState> prepare_in_float32(const OperationContext& context,
                                                  std::unique_ptr<PreparedState> (*prepare)(const OperationContext&));

/// Scalar input i of type FLOAT32 or FLOAT16, or `absent`.
float float_scalar(const OperationContext& context, size_t i, float absent);

}  // namespace avocet::runtime
