/* SPDX-License-Identifier: Apache-2.0 */
/* A job from SUBMIT to its end, and as long as its fence is held. It waits in its lane until nothing it depends on is left and the
 * jobs before it are in the ring; then it lies in the ring until the firmware completes it. */
#ifndef AVOCET_PENDING_H
#define AVOCET_PENDING_H

#include "fence.h"
#include "os.h"
#include "pages.h"
/* after os.h */
#include "avocet_isa.h"

struct avocet_context;
struct avocet_device;
struct avocet_lane;
struct avocet_object;

enum { AVOCET_JOB_OBJECTS = AVOCET_REGIONS + 2, AVOCET_JOB_USES = AVOCET_REGIONS + 1 };

/* All but `fence` belongs to the submitting thread until the job is queued; then it is guarded by jobs_lock. */
struct avocet_pending {
  struct avocet_fence fence; /* first member: the job's end, and the job's reference count */
  struct avocet_job descriptor;
  uint32_t priority;   /* enum priority of the contract */
  bool is_explicit;    /* does not wait for jobs that use the same buffers */
  bool doomed;         /* a fence it waited for has an error */
  struct avocet_object *objects[AVOCET_JOB_OBJECTS]; /* program and buffers: kept alive by the job */
  uint32_t object_count;
  struct avocet_use uses[AVOCET_JOB_USES];
  uint32_t use_count;
  struct avocet_dependency *dependencies; /* room for capacity; count are in use, unmet of them wait */
  uint32_t dependency_capacity, dependency_count, unmet;
  struct avocet_descriptor *out_fence; /* until it is installed */

  struct avocet_context *context; /* valid until the job has ended */
  uint64_t number;                /* in its context, from 1 */
  uint64_t serial;                /* on the device, from 1 */
  uint32_t index;                 /* in its ring, once published */
  bool published;
  struct avocet_pending *next;    /* in its lane */
};

struct avocet_pending *avocet_pending_alloc(struct avocet_device *device, uint32_t dependencies);
static inline void avocet_pending_get(struct avocet_pending *job) { avocet_fence_get(&job->fence); }
static inline void avocet_pending_put(struct avocet_pending *job) { avocet_fence_put(&job->fence); }
/* Room for so many dependencies, keeping those there are. The job is not queued. */
int avocet_pending_grow(struct avocet_pending *job, uint32_t dependencies);

/* Adds one; takes a reference to the fence. There must be room. */
void avocet_pending_depend(struct avocet_pending *job, struct avocet_fence *fence, bool is_explicit);
/* One of its fences has signalled. jobs_lock is held. */
void avocet_pending_released(struct avocet_pending *job);

/* How many jobs of other lanes this one has to wait for because of its buffers; with `add` it does. jobs_lock is held. */
uint32_t avocet_pending_conflicts(struct avocet_pending *job, bool add);

#endif
