/* SPDX-License-Identifier: Apache-2.0 */
/* Checks command streams against the contract and a device's limits: one loop over the generated tables. Driver, device
 * and compiler share it, so a stream that one of them accepts is legal for all. Freestanding, no allocation, no state
 * but the caller's report; any thread. */
#ifndef AVOCET_STREAM_H
#define AVOCET_STREAM_H

#include "avocet_isa_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the device, as its capability registers tell. */
struct avocet_limits {
  uint32_t array_rows; /* at least 1 */
  uint32_t array_cols; /* at least 1 */
  uint32_t acc_rows;
  uint32_t sram_bytes;
  uint32_t dma_channels; /* 1 to 8 */
  /* Sizes of the job's AVOCET_REGIONS regions, 0 = absent; null when they are not known yet: then the extents in the
   * report are for the caller to compare. */
  const uint64_t* region_bytes;
};

struct avocet_stream_report {
  uint32_t status;    /* enum avocet_status */
  uint64_t position;  /* word index of the command that status is about; of a missing END, where it should stand */
  uint64_t address;   /* OUT_OF_RANGE: the lowest unit of the access that is outside; else 0 */
  const char* reason; /* a field's name or a few words, static; null when status is OK */
  uint64_t next;      /* word index behind the last accepted command */
  uint32_t ended;     /* 1 after END */
  uint32_t commands;  /* accepted, with WAITs and END */
  uint32_t tag_count; /* 1 + highest layer tag */
  uint32_t unit_commands[AVOCET_UNIT_COUNT]; /* accepted, without WAITs */
  uint64_t region_bytes[AVOCET_REGIONS];     /* first byte behind every access to the region */
  uint8_t region_modes[AVOCET_REGIONS];      /* AVOCET_MODE_* */
};

/* Checks a whole stream of `count` words and returns report->status. Reads no word at or behind words[count]. */
int avocet_stream_check(const uint32_t* words, uint64_t count, const struct avocet_limits* limits,
                        struct avocet_stream_report* report);

/* Streams one behind the other, each up to its END: one for each core of a gang. */
struct avocet_parts {
  uint32_t count;
  uint32_t words[AVOCET_CORES_MAX];
};

/* Checks a program of 1 to `parts_max` streams (at most AVOCET_CORES_MAX) and returns report->status. The report is that of all
 * streams together: sums, highest tag and extents; positions count from the first stream's first word. */
int avocet_parts_check(const uint32_t* words, uint64_t count, uint32_t parts_max, const struct avocet_limits* limits,
                       struct avocet_parts* parts, struct avocet_stream_report* report);

/* One stream command by command, for a reader that executes as it goes: begin once, then step with `words` at the
 * stream's word report->next and `available` words from there on, until it fails or report->ended. A caller must itself
 * refuse words behind END (AVOCET_STATUS_NO_END). */
void avocet_stream_begin(struct avocet_stream_report* report);
int avocet_stream_step(const uint32_t* words, uint64_t available, const struct avocet_limits* limits,
                       struct avocet_stream_report* report);

/* What a command touches: the hull from `address` over `extent` bytes (AVOCET_SPACE_ACC: rows). */
struct avocet_access {
  uint8_t space;  /* enum avocet_space */
  uint8_t mode;   /* AVOCET_MODE_* */
  uint8_t region; /* of AVOCET_SPACE_DRAM, else 0 */
  uint64_t address;
  uint64_t extent;  /* at least 1 for a legal command; stops at UINT64_MAX */
  uint64_t volume;  /* units touched, one counted as often as it is; stops at UINT64_MAX */
  const char* name; /* of the address field */
};

/* Fills accesses[] for one whole command in the order of its row and returns their number; 0 for an unknown opcode. */
uint32_t avocet_command_accesses(const uint32_t* words, struct avocet_access accesses[AVOCET_ACCESSES_MAX]);

/* The unit whose queue takes this command: enum avocet_unit with the DMA channel or, for a WAIT, its `unit` field;
 * AVOCET_UNIT_COUNT for END and unknown opcodes. */
uint32_t avocet_command_unit(const uint32_t* words);

/* Names for messages: "ILLEGAL_FIELD", and "?" for an unknown status. */
const char* avocet_status_text(uint32_t status);

#ifdef __cplusplus
}
#endif
#endif
