/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the access rows of a command. All arithmetic is unsigned 64-bit and saturates, so an impossible access
 * never looks like a small one. */
#include "avocet_stream.h"

#define SATURATED (~(uint64_t)0)

static uint64_t add(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? SATURATED : sum;
}

static uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? SATURATED : product;
}

/* Fields in terms are never of kind signed: the generator refuses such rows. */
static uint64_t evaluate(const struct avocet_term* term, const struct avocet_field_info* fields,
                         const uint32_t* words) {
  uint64_t value = term->factor;
  for (int i = 0; i < 2; ++i)
    if (term->field[i] >= 0) value = multiply(value, (uint64_t)avocet_field_value(&fields[term->field[i]], words));
  return value;
}

uint32_t avocet_command_accesses(const uint32_t* words, struct avocet_access accesses[AVOCET_ACCESSES_MAX]) {
  const struct avocet_command_info* command = avocet_command_by_opcode[avocet_command_opcode(words[0])];
  if (!command) return 0;
  const struct avocet_field_info* fields = command->fields;
  for (uint32_t i = 0; i < command->access_count; ++i) {
    const struct avocet_access_info* row = &command->accesses[i];
    struct avocet_access* access = &accesses[i];
    access->space = row->space;
    access->mode = row->mode;
    access->region = row->region_field < 0 ? 0 : (uint8_t)avocet_field_value(&fields[row->region_field], words);
    access->address = (uint64_t)avocet_field_value(&fields[row->address_field], words);
    access->name = fields[row->address_field].name;
    int single = row->single_field >= 0 && avocet_field_value(&fields[row->single_field], words) != 0;
    access->extent = access->volume = single ? 1 : evaluate(&row->bytes, fields, words);
    for (uint32_t d = 0; d < row->dimension_count; ++d) {
      uint64_t count = evaluate(&row->dimensions[d].count, fields, words); /* at least 1 */
      access->volume = multiply(access->volume, count);
      access->extent = add(access->extent, multiply(count - 1, evaluate(&row->dimensions[d].stride, fields, words)));
    }
  }
  return command->access_count;
}

uint32_t avocet_command_unit(const uint32_t* words) {
  const struct avocet_command_info* command = avocet_command_by_opcode[avocet_command_opcode(words[0])];
  if (!command) return AVOCET_UNIT_COUNT;
  if (command->opcode == AVOCET_OP_WAIT) {
    struct avocet_cmd_wait wait;
    avocet_wait_decode(words, &wait);
    return wait.unit;
  }
  if (command->channel_field < 0) return command->unit;
  return command->unit + (uint32_t)avocet_field_value(&command->fields[command->channel_field], words);
}
