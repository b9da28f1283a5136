/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that jobs use. */
#include "pages.h"

#include "context.h"
#include "device.h"

static void count_bytes(struct avocet_context *context, uint64_t bytes) {
  avocet_os_add64(&context->counters.memory_bytes, bytes);
  avocet_os_add64(&context->device->counters.memory_bytes, bytes);
}

int avocet_pages_create(struct avocet_context *context, uint64_t bytes, struct avocet_pages **result) {
  struct avocet_device *device = context->device;
  if (bytes > AVOCET_IOVA_END - AVOCET_IOVA_BEGIN) return -ENOSPC;
  struct avocet_pages *pages = avocet_os_alloc(sizeof *pages);
  if (!pages) return -ENOMEM;
  int error = avocet_os_memory_alloc(device->os, bytes, &pages->memory);
  if (error) {
    avocet_os_free(pages);
    return error;
  }
  avocet_os_refs_init(&pages->refs);
  avocet_os_waitq_init(&pages->waiters);
  pages->context = context;
  pages->oldest_use = pages->oldest_write = UINT64_MAX;
  avocet_object_get(&context->object);
  count_bytes(context, pages->memory.bytes);
  uint64_t now = avocet_os_load64(&device->counters.memory_bytes);
  if (now > avocet_os_load64(&device->memory_peak)) avocet_os_store64(&device->memory_peak, now);
  *result = pages;
  return 0;
}

void avocet_pages_put(struct avocet_pages *pages) {
  if (!avocet_os_refs_put(&pages->refs)) return;
  struct avocet_context *context = pages->context;
  count_bytes(context, -pages->memory.bytes);
  avocet_os_memory_free(context->device->os, &pages->memory);
  avocet_os_waitq_destroy(&pages->waiters);
  avocet_os_free(pages);
  avocet_object_put(&context->object);
}

/* The list is short: no longer than the unfinished jobs that use this memory. */
static void find_oldest(struct avocet_pages *pages) {
  const struct avocet_use *use = pages->first;
  avocet_os_store64(&pages->oldest_use, use ? use->job->serial : UINT64_MAX);
  while (use && !use->write) use = use->next;
  avocet_os_store64(&pages->oldest_write, use ? use->job->serial : UINT64_MAX);
}

void avocet_pages_use(struct avocet_use *use) {
  struct avocet_pages *pages = use->pages;
  use->next = NULL;
  use->previous = pages->last;
  if (pages->last)
    pages->last->next = use;
  else
    pages->first = use;
  pages->last = use;
  if (pages->oldest_use == UINT64_MAX) avocet_os_store64(&pages->oldest_use, use->job->serial);
  if (use->write && pages->oldest_write == UINT64_MAX) avocet_os_store64(&pages->oldest_write, use->job->serial);
}

void avocet_pages_unuse(struct avocet_use *use) {
  struct avocet_pages *pages = use->pages;
  if (use->previous)
    use->previous->next = use->next;
  else
    pages->first = use->next;
  if (use->next)
    use->next->previous = use->previous;
  else
    pages->last = use->previous;
  if (pages->oldest_use != use->job->serial && pages->oldest_write != use->job->serial) return;
  find_oldest(pages);
  avocet_os_waitq_wake(&pages->waiters);
}
