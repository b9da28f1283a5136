// SPDX-License-Identifier: Apache-2.0
// The explicit table of what the signature rows cannot say about drawing an operation.
#pragma once

#include "operation_draw.hpp"

namespace avocet::random_models {

struct DrawRow {
  int32_t code;
  /// Makes shapes and values consistent; null for IF and WHILE, which draw_control_flow.cpp makes.
  bool (*draw)(OperationDraw&);
  /// The input that may be any operand of the graph of the right type and rank; -1: all inputs are drawn.
  int primary = 0;
  enum : uint8_t { kPlain, kNonNegative, kWild } results = kPlain;  // wild: numbers may be far from 1
  bool needs_non_negative = false;  // of the primary input
};

const DrawRow& draw_row(int32_t code);

}  // namespace avocet::random_models
