/* SPDX-License-Identifier: Apache-2.0 */
/* An open file: its handles. Handles rise before they are used again, so a stale one is unknown for as long as possible. */
#ifndef AVOCET_FILE_H
#define AVOCET_FILE_H

#include "object.h"
#include "os.h"

enum { AVOCET_FILE_HANDLES_MAX = 65536 }; /* open at once */

struct avocet_file {
  struct avocet_device *device;
  uint64_t number;   /* of the device's open files, from 1 */
  uint32_t process;  /* that opened it */
  struct avocet_file *next; /* guarded by the device's files_lock */
  struct avocet_mutex lock;
  struct avocet_object **objects; /* handle - 1 */
  uint32_t capacity;
  uint32_t next_slot; /* where the search for a free handle begins */
};

/* -ENODEV when the device is gone. */
int avocet_file_open(struct avocet_device *device, struct avocet_file **file);
/* Ends everything of this file; no request may be under way. */
void avocet_file_close(struct avocet_file *file);

/* The table takes over the caller's reference on success. -ENOMEM, -EMFILE. */
int avocet_file_add(struct avocet_file *file, struct avocet_object *object, uint32_t *handle);
/* Takes out of the table; the caller gets its reference. NULL: unknown, or of another type. */
struct avocet_object *avocet_file_remove(struct avocet_file *file, uint32_t handle, enum avocet_object_type type);
/* With a new reference. NULL: unknown, or of another type. */
struct avocet_object *avocet_file_find(struct avocet_file *file, uint32_t handle, enum avocet_object_type type);
/* What the open handles stand for. */
struct avocet_file_usage {
  uint64_t contexts, buffers, programs, bytes, busy;
};
void avocet_file_count(struct avocet_file *file, struct avocet_file_usage *usage);
/* The same for any type. */
struct avocet_object *avocet_file_find_any(struct avocet_file *file, uint32_t handle);

#endif
