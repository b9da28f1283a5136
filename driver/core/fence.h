/* SPDX-License-Identifier: Apache-2.0 */
/* Fences: something that will have happened. Each signals once, always, perhaps with an error; jobs and descriptors wait for it. A
 * fence is part of what it stands for (a job, a wish to hear of resets), which lives as long as its references. */
#ifndef AVOCET_FENCE_H
#define AVOCET_FENCE_H

#include "os.h"
/* after os.h */
#include "uapi/avocet_accel.h"

struct avocet_device;
struct avocet_file;
struct avocet_pending;
struct avocet_dependency;

struct avocet_fence {
  struct avocet_refs refs;
  struct avocet_device *device;
  void (*release)(struct avocet_fence *); /* sleeps only when it lets the last reference to the device go */
  bool of_reset;                          /* no job may wait for it: nobody knows when it will signal */
  int32_t status;   /* 0, 1 or -errno as in FENCE_INFO; atomic, written under jobs_lock */
  uint64_t time_ns; /* when it signalled */
  struct avocet_dependency *waiters;    /* guarded by jobs_lock, as the next */
  struct avocet_descriptor *descriptor; /* at most one */
};

/* A job that waits for a fence; part of the job, which holds a reference to the fence. Guarded by jobs_lock. */
struct avocet_dependency {
  struct avocet_fence *fence;
  struct avocet_pending *job;
  struct avocet_dependency *next, **link; /* link = NULL: not waiting */
  bool is_explicit;                       /* an error of the fence aborts the job */
};

extern const struct avocet_descriptor_type avocet_fence_descriptor;

void avocet_fence_init(struct avocet_fence *fence, struct avocet_device *device, void (*release)(struct avocet_fence *));
static inline void avocet_fence_get(struct avocet_fence *fence) { avocet_os_refs_get(&fence->refs); }
void avocet_fence_put(struct avocet_fence *fence);
static inline int32_t avocet_fence_status(const struct avocet_fence *fence) {
  return (int32_t)avocet_os_load32((const uint32_t *)&fence->status);
}

/* jobs_lock is held; wakes those who wait. */
void avocet_fence_signal(struct avocet_fence *fence, int32_t status);
void avocet_dependency_wait(struct avocet_dependency *dependency, struct avocet_fence *fence);
void avocet_dependency_cancel(struct avocet_dependency *dependency);

int avocet_fence_info(struct avocet_file *file, struct avocet_accel_fence_info *arguments);
int avocet_fence_for_reset(struct avocet_file *file, struct avocet_accel_reset_fence *arguments);
/* Signals all fences that wait for a reset. */
void avocet_fence_reset_happened(struct avocet_device *device, int32_t status);

#endif
