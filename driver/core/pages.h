/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of buffers and programs, apart from where it is mapped: counted references of mappings into address spaces and of
 * descriptors; and which unfinished jobs use it. */
#ifndef AVOCET_PAGES_H
#define AVOCET_PAGES_H

#include "os.h"

struct avocet_context;
struct avocet_pending;

/* One unfinished job's use of one buffer; part of the job. Guarded by jobs_lock. */
struct avocet_use {
  struct avocet_pages *pages; /* kept alive by the buffer that the job holds */
  struct avocet_pending *job;
  struct avocet_use *next, *previous; /* in the order of the jobs' submission */
  bool write;
};

struct avocet_pages {
  struct avocet_refs refs;
  struct avocet_context *context; /* in which it was made: counted reference, for its memory counter */
  struct avocet_memory memory;
  struct avocet_use *first, *last; /* guarded by jobs_lock */
  uint64_t oldest_use, oldest_write; /* serial number of the job, UINT64_MAX = none; atomic */
  struct avocet_waitq waiters;
};

/* With one reference. -ENOMEM, -ENOSPC (more than any address space). */
int avocet_pages_create(struct avocet_context *context, uint64_t bytes, struct avocet_pages **pages);
static inline void avocet_pages_get(struct avocet_pages *pages) { avocet_os_refs_get(&pages->refs); }
void avocet_pages_put(struct avocet_pages *pages); /* may sleep */

/* jobs_lock is held. */
void avocet_pages_use(struct avocet_use *use);
void avocet_pages_unuse(struct avocet_use *use);

#endif
