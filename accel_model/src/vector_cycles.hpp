// SPDX-License-Identifier: Apache-2.0
// How long the vector unit with `lanes` int8 lanes is occupied by a command, before its pipeline's latency.
#pragma once

#include <cstdint>

#include "avocet_isa.h"

namespace avocet::model {

constexpr uint64_t kVectorLatency = 8;          // pipeline depth; the next command may begin meanwhile
constexpr uint64_t kIndexBytes = 4;             // of ARG_REDUCE
constexpr uint64_t kReciprocalCycles = 16;      // of SOFTMAX: three steps of Newton's method
constexpr uint64_t kInverseRootCycles = 32;     // of L2_NORMALISE: five steps of Newton's method

// A tap takes one cycle per group of `lanes` outputs of a row; the parameters arrive at `lanes` bytes per cycle.
uint64_t depthwise_cycles(const avocet_cmd_depthwise &c, uint64_t lanes);
uint64_t pool_cycles(const avocet_cmd_pool &c, uint64_t lanes);
// Each operand takes a cycle per group of `lanes` elements, or one for the row when it is scalar.
uint64_t add_cycles(const avocet_cmd_add &c, uint64_t lanes);
uint64_t binary_cycles(const avocet_cmd_binary &c, uint64_t lanes);
// One look-up per lane and cycle; the table arrives at `lanes` bytes per cycle.
uint64_t table_cycles(const avocet_cmd_table &c, uint64_t lanes);
// `lanes` contiguous bytes per cycle; a cycle per group of `lanes` outputs to scale them.
uint64_t reduce_cycles(const avocet_cmd_reduce &c, uint64_t lanes);
// Cells as in REDUCE; meanwhile the group before writes its indices, `lanes` bytes per cycle.
uint64_t arg_reduce_cycles(const avocet_cmd_arg_reduce &c, uint64_t lanes);
// Three passes over the elements and a reciprocal per row. Lanes take the contiguous dimension; without one, a
// single element per cycle.
uint64_t softmax_cycles(const avocet_cmd_softmax &c, uint64_t lanes);
// Four cells per output, or one.
uint64_t resize_cycles(const avocet_cmd_resize &c, uint64_t lanes);
// Two passes over the elements and an inverse square root per row; lanes as in SOFTMAX.
uint64_t l2_normalise_cycles(const avocet_cmd_l2_normalise &c, uint64_t lanes);

} // namespace avocet::model
