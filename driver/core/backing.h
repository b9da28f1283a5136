/* SPDX-License-Identifier: Apache-2.0 */
/* Memory mapped into a context: what buffers and programs consist of. */
#ifndef AVOCET_BACKING_H
#define AVOCET_BACKING_H

#include "os.h"

struct avocet_context;

struct avocet_backing {
  struct avocet_context *context; /* counted reference */
  struct avocet_memory memory;
  uint64_t iova;
};

/* -ENOMEM, -ENOSPC, -ENOENT (the context is being destroyed). */
int avocet_backing_create(struct avocet_context *context, uint64_t bytes, bool device_writes,
                          struct avocet_backing *backing);
/* Unmaps, makes sure that the device has forgotten it, frees. May sleep; no lock held. */
void avocet_backing_destroy(struct avocet_backing *backing);

#endif
