/* SPDX-License-Identifier: Apache-2.0 */
/* Memory mapped into a context. */
#include "mapping.h"

#include "context.h"

int avocet_mapping_create(struct avocet_context *context, struct avocet_pages *pages, bool device_writes,
                          struct avocet_mapping *mapping) {
  int error = -ENOENT;
  avocet_os_mutex_lock(&context->mmu_lock);
  if (context->mmu_open) error = avocet_mmu_map(&context->mmu, &pages->memory, device_writes, &mapping->iova);
  avocet_os_mutex_unlock(&context->mmu_lock);
  if (error) return error;
  avocet_object_get(&context->object);
  avocet_pages_get(pages);
  mapping->context = context;
  mapping->pages = pages;
  return 0;
}

void avocet_mapping_destroy(struct avocet_mapping *mapping) {
  struct avocet_context *context = mapping->context;
  uint64_t bytes = mapping->pages->memory.bytes;
  avocet_os_mutex_lock(&context->mmu_lock);
  bool mapped = context->mmu_open; /* else the whole address space is gone already */
  if (mapped) avocet_mmu_unmap(&context->mmu, mapping->iova, bytes);
  avocet_os_mutex_unlock(&context->mmu_lock);
  if (mapped) {
    avocet_context_flush(context);
    avocet_os_mutex_lock(&context->mmu_lock);
    if (context->mmu_open) avocet_mmu_reuse(&context->mmu, mapping->iova, bytes);
    avocet_os_mutex_unlock(&context->mmu_lock);
  }
  avocet_pages_put(mapping->pages);
  avocet_object_put(&context->object);
}
