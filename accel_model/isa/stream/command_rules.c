/* SPDX-License-Identifier: Apache-2.0 */
/* See command_rules.h. A new command with such a rule gets a function and a case here. */
#include "command_rules.h"

static const char* matmul(const uint32_t* words, const struct avocet_limits* limits) {
  struct avocet_cmd_matmul c;
  avocet_matmul_decode(words, &c);
  /* 32-bit division: a 64-bit one would need a library on 32-bit targets. */
  uint32_t blocks = c.channels / limits->array_rows + (c.channels % limits->array_rows != 0);
  uint64_t passes, bytes;
  if (__builtin_mul_overflow((uint64_t)c.kx_count * c.ky_count, blocks, &passes) ||
      __builtin_mul_overflow((uint64_t)limits->array_rows * limits->array_cols, passes, &bytes) ||
      bytes != c.weight_bytes)
    return "weight_bytes is not passes * ARRAY_ROWS * ARRAY_COLS";
  return 0;
}

static const char* clamp(int32_t minimum, int32_t maximum) {
  return minimum > maximum ? "clamp_min is above clamp_max" : 0;
}

static const char* requant(const uint32_t* words, const struct avocet_limits* limits) {
  struct avocet_cmd_requant c;
  avocet_requant_decode(words, &c);
  if (c.channels > limits->array_cols) return "channels exceed ARRAY_COLS";
  return clamp(c.clamp_min, c.clamp_max);
}

static const char* depthwise(const uint32_t* words) {
  struct avocet_cmd_depthwise c;
  avocet_depthwise_decode(words, &c);
  if (c.channels != (uint64_t)c.input_channels * c.multiplier) return "channels are not input_channels * multiplier";
  return clamp(c.clamp_min, c.clamp_max);
}

static const char* pool(const uint32_t* words) {
  struct avocet_cmd_pool c;
  avocet_pool_decode(words, &c);
  return clamp(c.clamp_min, c.clamp_max);
}

static int shift_is_legal(int32_t shift) { return shift >= -31 && shift <= 30; }

static const char* elementwise_add(const uint32_t* words) {
  struct avocet_cmd_add c;
  avocet_add_decode(words, &c);
  if (c.left_shift > 22) return "left_shift is above 22";
  if (!shift_is_legal(c.a_shift)) return "a_shift is not within -31 to 30";
  if (!shift_is_legal(c.b_shift)) return "b_shift is not within -31 to 30";
  if (!shift_is_legal(c.out_shift)) return "out_shift is not within -31 to 30";
  return clamp(c.clamp_min, c.clamp_max);
}

static const char* binary(const uint32_t* words) {
  struct avocet_cmd_binary c;
  avocet_binary_decode(words, &c);
  if (!shift_is_legal(c.shift)) return "shift is not within -31 to 30";
  if (!shift_is_legal(c.negative_shift)) return "negative_shift is not within -31 to 30";
  return clamp(c.clamp_min, c.clamp_max);
}

static const char* reduce(const uint32_t* words) {
  struct avocet_cmd_reduce c;
  avocet_reduce_decode(words, &c);
  if (!shift_is_legal(c.shift)) return "shift is not within -31 to 30";
  return clamp(c.clamp_min, c.clamp_max);
}

static const char* softmax(const uint32_t* words) {
  struct avocet_cmd_softmax c;
  avocet_softmax_decode(words, &c);
  return clamp(c.clamp_min, c.clamp_max);
}

static const char* l2_normalise(const uint32_t* words) {
  struct avocet_cmd_l2_normalise c;
  avocet_l2_normalise_decode(words, &c);
  if (c.left_shift > 15) return "left_shift is above 15";
  if (c.out_shift < -16 || c.out_shift > 30) return "out_shift is not within -16 to 30";
  return clamp(c.clamp_min, c.clamp_max);
}

const char* avocet_command_rules_broken(const uint32_t* words, const struct avocet_limits* limits) {
  switch (avocet_command_opcode(words[0])) {
    case AVOCET_OP_MATMUL:
      return matmul(words, limits);
    case AVOCET_OP_REQUANT:
      return requant(words, limits);
    case AVOCET_OP_DEPTHWISE:
      return depthwise(words);
    case AVOCET_OP_POOL:
      return pool(words);
    case AVOCET_OP_ADD:
      return elementwise_add(words);
    case AVOCET_OP_BINARY:
      return binary(words);
    case AVOCET_OP_REDUCE:
      return reduce(words);
    case AVOCET_OP_SOFTMAX:
      return softmax(words);
    case AVOCET_OP_L2_NORMALISE:
      return l2_normalise(words);
    default:
      return 0;
  }
}
