/* SPDX-License-Identifier: Apache-2.0 */
/* Pages mapped into a context's address space: what buffers and programs consist of. */
#ifndef AVOCET_MAPPING_H
#define AVOCET_MAPPING_H

#include "os.h"
#include "pages.h"

struct avocet_mapping {
  struct avocet_context *context; /* counted reference */
  struct avocet_pages *pages;     /* counted reference */
  uint64_t iova;
};

/* Takes references of its own. -ENOMEM, -ENOSPC, -ENOENT (the context is being destroyed). */
int avocet_mapping_create(struct avocet_context *context, struct avocet_pages *pages, bool device_writes,
                          struct avocet_mapping *mapping);
/* Unmaps, makes sure that the device has forgotten it, lets the pages go. May sleep; no lock held. */
void avocet_mapping_destroy(struct avocet_mapping *mapping);

#endif
