/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the generated tables: the contract's rows as constant data, so that one loop can decode, check, print or
 * assemble every command. Freestanding; the tables themselves are declared in avocet_isa_tables.h. */
#ifndef AVOCET_ISA_ROWS_H
#define AVOCET_ISA_ROWS_H

#include "avocet_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a field means, and so which values are legal. */
enum avocet_kind {
  AVOCET_KIND_FLAG,
  AVOCET_KIND_SCALAR,          /* unsigned, any value */
  AVOCET_KIND_SIGNED,          /* two's complement */
  AVOCET_KIND_COUNT_MINUS_ONE, /* 1 to 2^bits, stored minus one */
  AVOCET_KIND_LENGTH,          /* at least 1 */
  AVOCET_KIND_STRIDE,          /* unsigned bytes between repetitions */
  AVOCET_KIND_SRAM,            /* SRAM byte address */
  AVOCET_KIND_DRAM,            /* byte offset in a region */
  AVOCET_KIND_ACC,             /* accumulator row */
  AVOCET_KIND_UNIT,            /* enum avocet_unit, a unit that the device has */
  AVOCET_KIND_CHANNEL,         /* a DMA channel that the device has */
  AVOCET_KIND_REGION,          /* below AVOCET_REGIONS */
  AVOCET_KIND_ENUM             /* a value of the field's enum */
};

enum avocet_space { AVOCET_SPACE_SRAM, AVOCET_SPACE_DRAM, AVOCET_SPACE_ACC };

/* Modes of an access: a set of bits. */
enum { AVOCET_MODE_READ = 1, AVOCET_MODE_WRITE = 2 };

enum avocet_register_access {
  AVOCET_REGISTER_RO,
  AVOCET_REGISTER_RW,
  AVOCET_REGISTER_WO,
  AVOCET_REGISTER_W1C, /* reads pending bits, writing 1 clears them */
  AVOCET_REGISTER_CORE /* reached by the management core alone */
};

struct avocet_enum_value_info {
  const char* name;
  uint32_t value;
};

struct avocet_enum_info {
  const char* name;
  uint32_t value_count;
  const struct avocet_enum_value_info* values;
};

struct avocet_field_info {
  const char* name;
  uint8_t word, lsb, bits;
  uint8_t kind;                         /* enum avocet_kind */
  const struct avocet_enum_info* names; /* of AVOCET_KIND_ENUM and AVOCET_KIND_UNIT, else null */
};

/* factor * field[0] * field[1]; fields are indices into the command's fields, -1 = absent. */
struct avocet_term {
  uint32_t factor;
  int8_t field[2];
};

struct avocet_dimension_info {
  struct avocet_term count, stride;
};

#define AVOCET_DIMENSIONS_MAX 4

/* `bytes` contiguous bytes (in AVOCET_SPACE_ACC: rows) at the address, one when the flag single_field is set, repeated
 * count times at stride in each dimension. */
struct avocet_access_info {
  uint8_t space; /* enum avocet_space */
  uint8_t mode;  /* AVOCET_MODE_* */
  int8_t address_field;
  int8_t region_field; /* -1 unless AVOCET_SPACE_DRAM */
  int8_t single_field; /* -1: there is no such flag */
  uint8_t dimension_count;
  struct avocet_term bytes;
  struct avocet_dimension_info dimensions[AVOCET_DIMENSIONS_MAX];
};

struct avocet_command_info {
  const char* name;
  uint8_t opcode;
  uint8_t words; /* length including word 0 */
  uint8_t unit;  /* enum avocet_unit; AVOCET_UNIT_DMA0 stands for all channels, AVOCET_UNIT_COUNT for the sequencer */
  int8_t channel_field; /* field that selects the DMA channel, else -1 */
  uint8_t field_count;
  uint8_t access_count;
  const struct avocet_field_info* fields;
  const struct avocet_access_info* accesses;
  const uint32_t* defined_bits; /* per word; the others are reserved and zero */
};

struct avocet_bit_field_info {
  const char* name;
  uint32_t mask;
};

struct avocet_register_info {
  const char* name;
  uint32_t offset;
  uint8_t access; /* enum avocet_register_access */
  uint8_t field_count;
  const struct avocet_bit_field_info* fields;
};

/* The field's natural value in a whole command: sign-extended, counts as real counts. */
static inline int64_t avocet_field_value(const struct avocet_field_info* field, const uint32_t* words) {
  uint32_t word = words[field->word];
  if (field->kind == AVOCET_KIND_SIGNED) return avocet_signed_bits(word, field->lsb, field->bits);
  int64_t value = avocet_bits(word, field->lsb, field->bits);
  return field->kind == AVOCET_KIND_COUNT_MINUS_ONE ? value + 1 : value;
}

/* The smallest and the largest natural value that the field can hold. */
static inline int64_t avocet_field_minimum(const struct avocet_field_info* field) {
  if (field->kind == AVOCET_KIND_SIGNED) return -((int64_t)1 << (field->bits - 1));
  return field->kind == AVOCET_KIND_COUNT_MINUS_ONE ? 1 : 0;
}
static inline int64_t avocet_field_maximum(const struct avocet_field_info* field) {
  if (field->kind == AVOCET_KIND_SIGNED) return ((int64_t)1 << (field->bits - 1)) - 1;
  return field->kind == AVOCET_KIND_COUNT_MINUS_ONE ? (int64_t)1 << field->bits : ((int64_t)1 << field->bits) - 1;
}

/* Writes a natural value within these limits; a value outside is cut to the field's width. */
static inline void avocet_field_set(const struct avocet_field_info* field, uint32_t* words, int64_t value) {
  if (field->kind == AVOCET_KIND_COUNT_MINUS_ONE) value -= 1;
  words[field->word] &= ~avocet_place_bits(0xFFFFFFFFu, field->lsb, field->bits);
  words[field->word] |= avocet_place_bits((uint32_t)value, field->lsb, field->bits);
}

#ifdef __cplusplus
}
#endif
#endif
