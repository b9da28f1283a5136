/* SPDX-License-Identifier: Apache-2.0 */
/* The stream checker. For each command, in this order: opcode, length, reserved bits, tag, values of fields, rules of
 * the command, ranges of its accesses. The first violation is reported; a command counts only once it has passed. */
#include "avocet_stream.h"
#include "command_rules.h"

static int refuse(struct avocet_stream_report* report, uint32_t status, const char* reason) {
  report->status = status;
  report->position = report->next;
  report->reason = reason;
  return (int)status;
}

static int is_named(const struct avocet_enum_info* names, uint32_t value) {
  for (uint32_t i = 0; i < names->value_count; ++i)
    if (names->values[i].value == value) return 1;
  return 0;
}

static int unit_exists(uint32_t unit, const struct avocet_limits* limits) {
  if (unit >= AVOCET_UNIT_DMA0) return unit - AVOCET_UNIT_DMA0 < limits->dma_channels;
  return unit == AVOCET_UNIT_MAC || unit == AVOCET_UNIT_REQUANT || unit == AVOCET_UNIT_VECTOR;
}

static int value_is_legal(const struct avocet_field_info* field, const uint32_t* words,
                          const struct avocet_limits* limits) {
  uint32_t value = avocet_bits(words[field->word], field->lsb, field->bits);
  switch (field->kind) {
    case AVOCET_KIND_LENGTH:
      return value >= 1;
    case AVOCET_KIND_UNIT:
      return unit_exists(value, limits);
    case AVOCET_KIND_CHANNEL:
      return value < limits->dma_channels;
    case AVOCET_KIND_REGION:
      return value < AVOCET_REGIONS;
    case AVOCET_KIND_ENUM:
      return is_named(field->names, value);
    default:
      return 1; /* every value is legal by itself */
  }
}

static int check_fields(const struct avocet_command_info* command, const uint32_t* words,
                        const struct avocet_limits* limits, struct avocet_stream_report* report) {
  for (uint32_t i = 0; i < command->words; ++i)
    if (words[i] & ~command->defined_bits[i]) return refuse(report, AVOCET_STATUS_ILLEGAL_FIELD, "reserved bits");
  if (avocet_command_tag(words[0]) >= AVOCET_TAGS_MAX) return refuse(report, AVOCET_STATUS_ILLEGAL_FIELD, "tag");
  for (uint32_t i = 0; i < command->field_count; ++i)
    if (!value_is_legal(&command->fields[i], words, limits))
      return refuse(report, AVOCET_STATUS_ILLEGAL_FIELD, command->fields[i].name);
  const char* broken = avocet_command_rules_broken(words, limits);
  return broken ? refuse(report, AVOCET_STATUS_ILLEGAL_FIELD, broken) : AVOCET_STATUS_OK;
}

/* A WAIT can only name commands that stand before it: this is why no stream can deadlock. */
static int check_wait(const uint32_t* words, struct avocet_stream_report* report) {
  struct avocet_cmd_wait wait;
  avocet_wait_decode(words, &wait);
  if (wait.unit == wait.producer) return refuse(report, AVOCET_STATUS_ILLEGAL_WAIT, "unit waits for itself");
  if (wait.count == 0) return refuse(report, AVOCET_STATUS_ILLEGAL_WAIT, "count is 0");
  if (wait.count > report->unit_commands[wait.producer])
    return refuse(report, AVOCET_STATUS_ILLEGAL_WAIT, "count exceeds the producer's commands");
  return AVOCET_STATUS_OK;
}

static int check_ranges(const struct avocet_access* accesses, uint32_t count, const struct avocet_limits* limits,
                        struct avocet_stream_report* report) {
  for (uint32_t i = 0; i < count; ++i) {
    const struct avocet_access* access = &accesses[i];
    uint64_t limit = access->space == AVOCET_SPACE_SRAM  ? limits->sram_bytes
                     : access->space == AVOCET_SPACE_ACC ? limits->acc_rows
                     : limits->region_bytes              ? limits->region_bytes[access->region]
                                                         : ~(uint64_t)0;
    if (access->address <= limit && access->extent <= limit - access->address) continue;
    report->address = access->address > limit ? access->address : limit;
    return refuse(report, AVOCET_STATUS_OUT_OF_RANGE, access->name);
  }
  return AVOCET_STATUS_OK;
}

static void note_regions(const struct avocet_access* accesses, uint32_t count, struct avocet_stream_report* report) {
  for (uint32_t i = 0; i < count; ++i) {
    const struct avocet_access* access = &accesses[i];
    if (access->space != AVOCET_SPACE_DRAM) continue;
    uint64_t end = access->address + access->extent;
    if (end > report->region_bytes[access->region]) report->region_bytes[access->region] = end;
    report->region_modes[access->region] |= access->mode;
  }
}

static void accept(const struct avocet_command_info* command, const uint32_t* words,
                   struct avocet_stream_report* report) {
  uint32_t tag = avocet_command_tag(words[0]);
  if (tag >= report->tag_count) report->tag_count = tag + 1;
  report->commands += 1;
  report->position = report->next;
  report->next += command->words;
  if (command->opcode == AVOCET_OP_END)
    report->ended = 1;
  else if (command->opcode != AVOCET_OP_WAIT)
    report->unit_commands[avocet_command_unit(words)] += 1;
}

static int limits_are_usable(const struct avocet_limits* limits) {
  return limits->array_rows >= 1 && limits->array_cols >= 1 && limits->dma_channels >= 1 &&
         limits->dma_channels <= AVOCET_UNIT_COUNT - AVOCET_UNIT_DMA0;
}

void avocet_stream_begin(struct avocet_stream_report* report) {
  *report = (struct avocet_stream_report){.status = AVOCET_STATUS_OK};
}

int avocet_stream_step(const uint32_t* words, uint64_t available, const struct avocet_limits* limits,
                       struct avocet_stream_report* report) {
  if (!limits_are_usable(limits)) return refuse(report, AVOCET_STATUS_ILLEGAL_FIELD, "unusable device limits");
  if (available == 0 || report->ended)
    return refuse(report, AVOCET_STATUS_NO_END, report->ended ? "commands behind END" : "END is missing");

  const struct avocet_command_info* command = avocet_command_by_opcode[avocet_command_opcode(words[0])];
  if (!command) return refuse(report, AVOCET_STATUS_ILLEGAL_OPCODE, "opcode");
  if (avocet_command_length(words[0]) != command->words) return refuse(report, AVOCET_STATUS_ILLEGAL_LENGTH, "length");
  if (command->words > available)
    return refuse(report, AVOCET_STATUS_ILLEGAL_LENGTH, "the stream ends inside the command");

  int status = check_fields(command, words, limits, report);
  if (status == AVOCET_STATUS_OK && command->opcode == AVOCET_OP_WAIT) status = check_wait(words, report);
  if (status != AVOCET_STATUS_OK) return status;

  struct avocet_access accesses[AVOCET_ACCESSES_MAX];
  uint32_t count = avocet_command_accesses(words, accesses);
  status = check_ranges(accesses, count, limits, report);
  if (status != AVOCET_STATUS_OK) return status;
  note_regions(accesses, count, report);
  accept(command, words, report);
  return AVOCET_STATUS_OK;
}

int avocet_stream_check(const uint32_t* words, uint64_t count, const struct avocet_limits* limits,
                        struct avocet_stream_report* report) {
  avocet_stream_begin(report);
  if (count > AVOCET_STREAM_BYTES_MAX / 4)
    return refuse(report, AVOCET_STATUS_ILLEGAL_LENGTH, "the stream is too long");
  while (!report->ended) {
    int status = avocet_stream_step(words + report->next, count - report->next, limits, report);
    if (status != AVOCET_STATUS_OK) return status;
  }
  if (report->next != count) return refuse(report, AVOCET_STATUS_NO_END, "commands behind END");
  return AVOCET_STATUS_OK;
}

/* `part` begins at `from`. */
static void add_part(struct avocet_stream_report* sum, const struct avocet_stream_report* part, uint64_t from) {
  sum->status = part->status;
  sum->reason = part->reason;
  sum->address = part->address;
  sum->position = from + part->position;
  sum->next = from + part->next;
  sum->ended = part->ended;
  sum->commands += part->commands;
  if (part->tag_count > sum->tag_count) sum->tag_count = part->tag_count;
  for (uint32_t i = 0; i < AVOCET_UNIT_COUNT; ++i) sum->unit_commands[i] += part->unit_commands[i];
  for (uint32_t i = 0; i < AVOCET_REGIONS; ++i) {
    if (part->region_bytes[i] > sum->region_bytes[i]) sum->region_bytes[i] = part->region_bytes[i];
    sum->region_modes[i] |= part->region_modes[i];
  }
}

int avocet_parts_check(const uint32_t* words, uint64_t count, uint32_t parts_max, const struct avocet_limits* limits,
                       struct avocet_parts* parts, struct avocet_stream_report* report) {
  *parts = (struct avocet_parts){0};
  avocet_stream_begin(report);
  if (count > AVOCET_STREAM_BYTES_MAX / 4)
    return refuse(report, AVOCET_STATUS_ILLEGAL_LENGTH, "the stream is too long");
  do {
    const uint64_t from = report->next;
    struct avocet_stream_report part;
    if (parts->count == parts_max || parts->count == AVOCET_CORES_MAX)
      return refuse(report, AVOCET_STATUS_NO_END, parts_max > 1 ? "more streams than cores" : "commands behind END");
    avocet_stream_begin(&part);
    while (!part.ended && part.status == AVOCET_STATUS_OK)
      avocet_stream_step(words + from + part.next, count - from - part.next, limits, &part);
    add_part(report, &part, from);
    if (report->status != AVOCET_STATUS_OK) return (int)report->status;
    parts->words[parts->count++] = (uint32_t)part.next;
  } while (report->next < count);
  return AVOCET_STATUS_OK;
}

const char* avocet_status_text(uint32_t status) {
#define TEXT(name, value, doc) \
  if (status == (value)) return #name;
  AVOCET_ENUM_STATUS(TEXT)
#undef TEXT
  return "?";
}
