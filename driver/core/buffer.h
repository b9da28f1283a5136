/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers: memory of a context that the caller may map and jobs may use. Several may be over the same pages, each in a context and
 * at a device address of its own. */
#ifndef AVOCET_BUFFER_H
#define AVOCET_BUFFER_H

#include "os.h"
/* after os.h */
#include "mapping.h"
#include "object.h"
#include "uapi/avocet_accel.h"

struct avocet_file;

struct avocet_buffer {
  struct avocet_object object;
  struct avocet_mapping mapping;
  uint32_t flags; /* enum avocet_accel_buffer_flags */
  bool imported;
};

extern const struct avocet_descriptor_type avocet_buffer_descriptor;

static inline struct avocet_buffer *avocet_buffer_of(struct avocet_object *object) {
  return (struct avocet_buffer *)object; /* first member */
}
static inline uint64_t avocet_buffer_bytes(const struct avocet_buffer *buffer) {
  return buffer->mapping.pages->memory.bytes;
}

int avocet_buffer_create(struct avocet_file *file, struct avocet_accel_buffer_create *arguments);
int avocet_buffer_info(struct avocet_file *file, struct avocet_accel_buffer_info *arguments);
int avocet_buffer_close(struct avocet_file *file, struct avocet_accel_buffer_close *arguments);
int avocet_buffer_export(struct avocet_file *file, struct avocet_accel_buffer_export *arguments);
int avocet_buffer_import(struct avocet_file *file, struct avocet_accel_buffer_import *arguments);
/* For the port's mmap: the buffer at this offset, with a reference that the mapping keeps. -EINVAL: no buffer there, more bytes
 * than it has, or none; -EACCES: created with NO_MMAP. */
int avocet_buffer_for_mmap(struct avocet_file *file, uint64_t offset, uint64_t bytes, struct avocet_buffer **buffer);

#endif
