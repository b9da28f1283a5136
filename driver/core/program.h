/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: validated command streams in memory that nobody can write any more. */
#ifndef AVOCET_PROGRAM_H
#define AVOCET_PROGRAM_H

#include "os.h"
/* after os.h */
#include "avocet_stream.h"
#include "mapping.h"
#include "object.h"
#include "uapi/avocet_accel.h"

struct avocet_file;

struct avocet_program {
  struct avocet_object object;
  struct avocet_mapping mapping;
  uint32_t stream_bytes; /* of all streams */
  struct avocet_parts parts;
  uint32_t tags;
  uint64_t region_bytes[AVOCET_REGIONS]; /* what a job must give */
  uint32_t region_flags[AVOCET_REGIONS]; /* enum avocet_accel_region_flags */
};

static inline struct avocet_program *avocet_program_of(struct avocet_object *object) {
  return (struct avocet_program *)object; /* first member */
}

int avocet_program_create(struct avocet_file *file, struct avocet_accel_program_create *arguments);
int avocet_program_close(struct avocet_file *file, struct avocet_accel_program_close *arguments);

#endif
