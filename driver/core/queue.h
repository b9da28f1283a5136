/* SPDX-License-Identifier: Apache-2.0 */
/* A context's job queue: the ring that the firmware serves, what each unfinished job holds, and how the last jobs ended.
 * The jobs of a context end in their order; job n (from 1) lies at ring index n - 1, also after a reset. */
#ifndef AVOCET_QUEUE_H
#define AVOCET_QUEUE_H

#include "os.h"
#include "ring.h"

struct avocet_context;
struct avocet_device;
struct avocet_object;

enum {
  AVOCET_QUEUE_JOBS = 64,      /* unfinished jobs */
  AVOCET_QUEUE_RESULTS = 1024, /* ended jobs that can be asked for */
  AVOCET_JOB_OBJECTS = AVOCET_REGIONS + 2,
};

/* Job id = context's name << 40 | number. */
#define AVOCET_JOB_NUMBER_BITS 40
#define AVOCET_JOB_NUMBER_MASK ((1ull << AVOCET_JOB_NUMBER_BITS) - 1)

/* What a job keeps alive: its program and buffers. */
struct avocet_job_holds {
  struct avocet_object *objects[AVOCET_JOB_OBJECTS];
  uint32_t count;
};

/* A checked job on its way into the queue; descriptor.job_id is still open. */
struct avocet_ready_job {
  struct avocet_job descriptor;
  struct avocet_job_holds holds;
};

struct avocet_job_result {
  uint32_t status, position, commands, generation;
  uint64_t address, doorbell_cycle, start_cycle, end_cycle;
};

struct avocet_queue {
  struct avocet_spinlock lock;
  struct avocet_shared_ring ring;
  uint64_t name;
  uint64_t submitted; /* number of the last job; written under lock */
  uint64_t completed; /* all up to this one ended; atomic, written under lock */
  uint32_t stopped;   /* no more jobs: the context is going; under lock */
  uint32_t faulted;   /* no more jobs: one broke the context; atomic, written under lock */
  uint32_t resubmits; /* resets that the oldest unfinished job survived */
  struct avocet_job_holds holds[AVOCET_QUEUE_JOBS]; /* of job n at (n - 1) % JOBS */
  struct avocet_job_result *results;                /* of job n at (n - 1) % RESULTS */
  struct avocet_waitq waiters;
};

int avocet_queue_init(struct avocet_context *context);
void avocet_queue_destroy(struct avocet_context *context);
void avocet_queue_name(struct avocet_context *context, uint64_t name);

/* Queues all or none; on success the jobs own their holds and first_id is the id of the first, the others follow. -EBUSY, -EBADFD,
 * -ENOENT (the context is going). The caller rings the doorbell. */
int avocet_queue_push(struct avocet_context *context, const struct avocet_ready_job *jobs, uint32_t count,
                      uint64_t *first_id);
/* A completion came in (interrupt handler); false when it is not the oldest unfinished job's. */
bool avocet_queue_complete(struct avocet_context *context, const struct avocet_completion *completion);
/* Ends all unfinished jobs with this status; with HANG the context is unusable afterwards. */
void avocet_queue_fail(struct avocet_context *context, enum avocet_status status);
void avocet_queue_stop(struct avocet_context *context); /* no more jobs */
bool avocet_queue_stopped(struct avocet_context *context);
/* The firmware took the oldest unfinished job and did not complete it. */
bool avocet_queue_in_hardware(struct avocet_context *context);
/* Lets a new firmware see the unfinished jobs again; false when the oldest was there for too many resets. */
bool avocet_queue_rewind(struct avocet_context *context, uint32_t resubmits_max);
uint64_t avocet_queue_unfinished(struct avocet_context *context);
/* How the job ended: 0, -EAGAIN (not yet), -ENOENT. */
int avocet_queue_result(struct avocet_context *context, uint64_t job_id, struct avocet_job_result *result);

#endif
