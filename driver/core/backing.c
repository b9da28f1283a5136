/* SPDX-License-Identifier: Apache-2.0 */
/* Memory mapped into a context. */
#include "backing.h"

#include "context.h"
#include "device.h"

static int map(struct avocet_context *context, bool device_writes, struct avocet_backing *backing) {
  int error = -ENOENT;
  avocet_os_mutex_lock(&context->mmu_lock);
  if (context->mmu_open) error = avocet_mmu_map(&context->mmu, &backing->memory, device_writes, &backing->iova);
  avocet_os_mutex_unlock(&context->mmu_lock);
  return error;
}

int avocet_backing_create(struct avocet_context *context, uint64_t bytes, bool device_writes,
                          struct avocet_backing *backing) {
  struct avocet_device *device = context->device;
  if (bytes > AVOCET_IOVA_END - AVOCET_IOVA_BEGIN) return -ENOSPC;
  int error = avocet_os_memory_alloc(device->os, bytes, &backing->memory);
  if (error) return error;
  error = map(context, device_writes, backing);
  if (error) {
    avocet_os_memory_free(device->os, &backing->memory);
    return error;
  }
  backing->context = context;
  avocet_object_get(&context->object);
  avocet_os_add64(&context->counters.memory_bytes, backing->memory.bytes);
  avocet_os_add64(&device->counters.memory_bytes, backing->memory.bytes);
  return 0;
}

void avocet_backing_destroy(struct avocet_backing *backing) {
  struct avocet_context *context = backing->context;
  struct avocet_device *device = context->device;
  uint64_t bytes = backing->memory.bytes;
  avocet_os_mutex_lock(&context->mmu_lock);
  bool mapped = context->mmu_open; /* else the whole address space is gone already */
  if (mapped) avocet_mmu_unmap(&context->mmu, backing->iova, bytes);
  avocet_os_mutex_unlock(&context->mmu_lock);
  if (mapped) {
    avocet_context_flush(context);
    avocet_os_mutex_lock(&context->mmu_lock);
    if (context->mmu_open) avocet_mmu_reuse(&context->mmu, backing->iova, bytes);
    avocet_os_mutex_unlock(&context->mmu_lock);
  }
  avocet_os_memory_free(device->os, &backing->memory);
  avocet_os_add64(&context->counters.memory_bytes, -bytes);
  avocet_os_add64(&device->counters.memory_bytes, -bytes);
  avocet_object_put(&context->object);
}
