// SPDX-License-Identifier: Apache-2.0
// Functions of one 8-bit value as tables of 256 bytes, made by the CPU path's own kernels: one fact, one place.
#pragma once

#include "npu/graph_lowering.hpp"

namespace avocet::runtime::npu {

/// What the operation makes of each stored byte of its input 0; its other inputs are scalars.
Status unary_table(const NamedOperands& named, std::vector<uint8_t>* table);

/// What CONCATENATION makes of each byte of its input i.
Status concatenation_table(const NamedOperands& named, size_t i, std::vector<uint8_t>* table);

/// Looks `input` up in a table; the result has the type and scale of operand `like`.
Status emit_table(OperationLowering& op, std::vector<uint8_t> table, uint32_t input, uint32_t like, uint32_t* output);

}  // namespace avocet::runtime::npu
