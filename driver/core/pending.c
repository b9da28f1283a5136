/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs and what they wait for. */
#include "pending.h"

#include "context.h"
#include "device.h"

static void release(struct avocet_fence *fence) {
  struct avocet_pending *job = (struct avocet_pending *)fence; /* first member */
  struct avocet_device *device = fence->device;
  for (uint32_t i = 0; i < job->dependency_count; i++) avocet_fence_put(job->dependencies[i].fence);
  avocet_os_free(job->dependencies);
  avocet_os_free(job);
  avocet_device_put(device);
}

struct avocet_pending *avocet_pending_alloc(struct avocet_device *device, uint32_t dependencies) {
  struct avocet_pending *job = avocet_os_alloc(sizeof *job);
  if (!job) return NULL;
  if (dependencies > 0 && avocet_pending_grow(job, dependencies) != 0) {
    avocet_os_free(job);
    return NULL;
  }
  avocet_device_get(device);
  avocet_fence_init(&job->fence, device, release);
  return job;
}

int avocet_pending_grow(struct avocet_pending *job, uint32_t dependencies) {
  if (dependencies <= job->dependency_capacity) return 0;
  struct avocet_dependency *larger = avocet_os_alloc(dependencies * sizeof *larger);
  if (!larger) return -ENOMEM;
  if (job->dependency_count) memcpy(larger, job->dependencies, job->dependency_count * sizeof *larger);
  avocet_os_free(job->dependencies);
  job->dependencies = larger;
  job->dependency_capacity = dependencies;
  return 0;
}

void avocet_pending_depend(struct avocet_pending *job, struct avocet_fence *fence, bool is_explicit) {
  avocet_fence_get(fence);
  job->dependencies[job->dependency_count++] =
      (struct avocet_dependency){.fence = fence, .job = job, .is_explicit = is_explicit};
}

void avocet_pending_released(struct avocet_pending *job) {
  if (--job->unmet == 0) avocet_lane_advance_later(job->context->queue.lanes[job->priority]);
}

/* The same lane keeps its own order. */
static bool conflict(const struct avocet_use *earlier, const struct avocet_use *later) {
  const struct avocet_pending *a = earlier->job, *b = later->job;
  return (earlier->write || later->write) && (a->context != b->context || a->priority != b->priority);
}

uint32_t avocet_pending_conflicts(struct avocet_pending *job, bool add) {
  uint32_t count = 0;
  if (job->is_explicit) return 0;
  for (uint32_t i = 0; i < job->use_count; i++) {
    for (const struct avocet_use *use = job->uses[i].pages->first; use; use = use->next) {
      if (!conflict(use, &job->uses[i])) continue;
      count++;
      if (add) avocet_pending_depend(job, &use->job->fence, false);
    }
  }
  return count;
}
