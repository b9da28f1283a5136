/* SPDX-License-Identifier: Apache-2.0 */
/* Fences, their descriptors, and those that stand for the next reset. */
#include "fence.h"

#include "device.h"
#include "file.h"
#include "pending.h"

/* ---- fences ---- */

void avocet_fence_init(struct avocet_fence *fence, struct avocet_device *device, void (*release)(struct avocet_fence *)) {
  avocet_os_refs_init(&fence->refs);
  fence->device = device;
  fence->release = release;
}

void avocet_fence_put(struct avocet_fence *fence) {
  if (avocet_os_refs_put(&fence->refs)) fence->release(fence);
}

void avocet_fence_signal(struct avocet_fence *fence, int32_t status) {
  if (fence->status != 0) return;
  fence->time_ns = avocet_os_now_ns();
  avocet_os_store32((uint32_t *)&fence->status, (uint32_t)status);
  if (fence->descriptor) avocet_os_descriptor_signal(fence->descriptor);
  while (fence->waiters) {
    struct avocet_dependency *dependency = fence->waiters;
    struct avocet_pending *job = dependency->job;
    if (status < 0 && dependency->is_explicit) job->doomed = true;
    avocet_dependency_cancel(dependency);
    avocet_pending_released(job);
  }
}

void avocet_dependency_wait(struct avocet_dependency *dependency, struct avocet_fence *fence) {
  dependency->next = fence->waiters;
  if (dependency->next) dependency->next->link = &dependency->next;
  dependency->link = &fence->waiters;
  fence->waiters = dependency;
}

void avocet_dependency_cancel(struct avocet_dependency *dependency) {
  if (!dependency->link) return;
  *dependency->link = dependency->next;
  if (dependency->next) dependency->next->link = dependency->link;
  dependency->link = NULL;
}

/* ---- descriptors ---- */

static void get(void *object) { avocet_fence_get(object); }
static bool signalled(void *object) { return avocet_fence_status(object) != 0; }

static void closed(void *object, struct avocet_descriptor *descriptor) {
  struct avocet_fence *fence = object;
  unsigned long flags = avocet_jobs_lock(fence->device);
  if (fence->descriptor == descriptor) fence->descriptor = NULL;
  avocet_jobs_unlock(fence->device, flags);
  avocet_fence_put(fence);
}

const struct avocet_descriptor_type avocet_fence_descriptor = {
    .name = "fence", .get = get, .signalled = signalled, .closed = closed};

int avocet_fence_info(struct avocet_file *file, struct avocet_accel_fence_info *arguments) {
  void *object;
  if (arguments->flags != 0 || arguments->pad != 0) return -EINVAL;
  int error = avocet_os_descriptor_find(file->device->os, &avocet_fence_descriptor, arguments->fd, &object);
  if (error) return error;
  struct avocet_fence *fence = object;
  arguments->status = avocet_fence_status(fence);
  arguments->time_ns = arguments->status ? fence->time_ns : 0;
  avocet_fence_put(fence);
  return 0;
}

/* ---- resets ---- */

struct avocet_reset_fence {
  struct avocet_fence fence;
  struct avocet_reset_fence *next; /* guarded by jobs_lock; the list has a reference */
};

static void release_reset_fence(struct avocet_fence *fence) {
  struct avocet_device *device = fence->device;
  avocet_os_free(fence); /* first member */
  avocet_device_put(device);
}

/* Nobody listens any more: out of the list, at the latest when the next one comes. jobs_lock is held. */
static void forget_closed(struct avocet_device *device) {
  for (struct avocet_reset_fence **link = &device->reset_fences; *link;) {
    struct avocet_reset_fence *fence = *link;
    if (fence->fence.descriptor) {
      link = &fence->next;
      continue;
    }
    *link = fence->next;
    avocet_fence_put(&fence->fence);
  }
}

static int32_t status_now(struct avocet_device *device, uint32_t generation) {
  int error = avocet_device_usable(device);
  if (error) return error;
  return avocet_reset_generation(device) != generation;
}

int avocet_fence_for_reset(struct avocet_file *file, struct avocet_accel_reset_fence *arguments) {
  struct avocet_device *device = file->device;
  struct avocet_descriptor *descriptor;
  if (arguments->flags != 0 || arguments->pad != 0) return -EINVAL;
  struct avocet_reset_fence *fence = avocet_os_alloc(sizeof *fence);
  if (!fence) return -ENOMEM;
  avocet_fence_init(&fence->fence, device, release_reset_fence);
  fence->fence.of_reset = true;
  int error = avocet_os_descriptor_create(device->os, &avocet_fence_descriptor, &fence->fence, &descriptor, &arguments->fd);
  if (error) {
    avocet_os_free(fence);
    return error;
  }
  avocet_device_get(device);
  avocet_fence_get(&fence->fence); /* the list's */
  unsigned long flags = avocet_jobs_lock(device);
  forget_closed(device);
  fence->fence.descriptor = descriptor;
  int32_t status = status_now(device, arguments->generation);
  if (status == 0) {
    fence->next = device->reset_fences;
    device->reset_fences = fence;
  } else { /* nothing to wait for: a list of a device that is gone would keep both alive */
    avocet_fence_signal(&fence->fence, status);
    avocet_fence_put(&fence->fence);
  }
  avocet_jobs_unlock(device, flags);
  avocet_os_descriptor_install(descriptor);
  return 0;
}

void avocet_fence_reset_happened(struct avocet_device *device, int32_t status) {
  unsigned long flags = avocet_jobs_lock(device);
  while (device->reset_fences) {
    struct avocet_reset_fence *fence = device->reset_fences;
    device->reset_fences = fence->next;
    avocet_fence_signal(&fence->fence, status);
    avocet_fence_put(&fence->fence);
  }
  avocet_jobs_unlock(device, flags);
}
