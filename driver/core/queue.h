/* SPDX-License-Identifier: Apache-2.0 */
/* A context's job queues, one for each priority: the ring that the firmware serves, what each unfinished job holds, and how the
 * last jobs ended. The jobs of a queue end in their order; job n (from 1) lies at ring index n - 1, also after a reset. Jobs of
 * different queues have no order. */
#ifndef AVOCET_QUEUE_H
#define AVOCET_QUEUE_H

#include "os.h"
#include "ring.h"

struct avocet_context;
struct avocet_device;
struct avocet_object;

enum {
  AVOCET_QUEUE_JOBS = 64,      /* unfinished jobs of a queue */
  AVOCET_QUEUE_RESULTS = 1024, /* ended jobs that can be asked for */
  AVOCET_JOB_OBJECTS = AVOCET_REGIONS + 2,
};

/* Job id = context's name << 40 | priority << 38 | number. */
#define AVOCET_JOB_NAME_SHIFT 40
#define AVOCET_JOB_PRIORITY_SHIFT 38
#define AVOCET_JOB_NUMBER_MASK ((1ull << AVOCET_JOB_PRIORITY_SHIFT) - 1)

/* What a job keeps alive: its program and buffers. */
struct avocet_job_holds {
  struct avocet_object *objects[AVOCET_JOB_OBJECTS];
  uint32_t count;
};

/* A checked job on its way into a queue; descriptor.job_id is known when it is there. */
struct avocet_ready_job {
  enum avocet_priority priority;
  struct avocet_job descriptor;
  struct avocet_job_holds holds;
};

struct avocet_job_result {
  uint32_t status, position, commands, generation;
  uint64_t address, doorbell_cycle, start_cycle, end_cycle;
};

/* Members are written under the lock of avocet_queues. */
struct avocet_queue {
  struct avocet_shared_ring ring;
  uint64_t submitted; /* number of the last job */
  uint64_t completed; /* all up to this one ended; atomic */
  uint32_t resubmits; /* resets that the oldest unfinished job survived */
  struct avocet_job_holds holds[AVOCET_QUEUE_JOBS]; /* of job n at (n - 1) % JOBS */
  struct avocet_job_result *results;                /* of job n at (n - 1) % RESULTS */
};

struct avocet_queues {
  struct avocet_spinlock lock;
  uint64_t name;
  uint32_t stopped; /* no more jobs: the context is going; under lock */
  uint32_t faulted; /* no more jobs: one broke the context; atomic, written under lock */
  struct avocet_queue *of[AVOCET_PRIORITY_COUNT]; /* NULL until the first job of that priority; set under lock, stays */
  struct avocet_waitq waiters;
};

/* A core's job when the device was stopped. */
struct avocet_running_job {
  uint32_t context; /* 0 = none */
  uint64_t descriptor; /* bus address */
};

int avocet_queues_init(struct avocet_context *context); /* with the queue of MEDIUM */
void avocet_queues_destroy(struct avocet_context *context);
void avocet_queues_name(struct avocet_context *context, uint64_t name);
/* A queue on its way to context->queues. */
int avocet_queue_create(struct avocet_context *context, struct avocet_queue **queue);
void avocet_queue_free(struct avocet_context *context, struct avocet_queue *queue);
void avocet_queue_set(struct avocet_context *context, enum avocet_priority priority, struct avocet_queue *queue);
struct avocet_queue *avocet_queue_get(struct avocet_context *context, uint32_t priority); /* NULL: there is none */

/* Queues all or none, each in the queue of its priority, which is there; on success the jobs own their holds and have their ids.
 * -EBUSY, -EBADFD, -ENOENT (the context is going). The caller rings the doorbell. */
int avocet_queue_push(struct avocet_context *context, struct avocet_ready_job *jobs, uint32_t count);
/* A completion came in (interrupt handler); false when it is not the oldest unfinished job's of a queue. */
bool avocet_queue_complete(struct avocet_context *context, const struct avocet_completion *completion);
/* Ends all unfinished jobs with this status; with HANG the context is unusable afterwards. */
void avocet_queue_fail(struct avocet_context *context, enum avocet_status status);
void avocet_queue_stop(struct avocet_context *context); /* no more jobs */
bool avocet_queue_stopped(struct avocet_context *context);
/* The device was stopped: ends the jobs that had started. One in hardware is to blame and breaks its context with HANG; a
 * preempted one cannot be run again and is ABORTED. When no core is known to run one, all that had started are to blame. */
void avocet_queue_end_started(struct avocet_context *context, const struct avocet_running_job *running, uint32_t count);
/* Lets a new firmware see the unfinished jobs again; false when the oldest of a queue was there for too many resets. */
bool avocet_queue_rewind(struct avocet_context *context, uint32_t resubmits_max);
uint64_t avocet_queue_unfinished(struct avocet_context *context);
/* How the job ended: 0, -EAGAIN (not yet), -ENOENT. */
int avocet_queue_result(struct avocet_context *context, uint64_t job_id, struct avocet_job_result *result);
/* Whether a job whose result was there or gave -EAGAIN has ended. Takes no lock. */
bool avocet_queue_ended(struct avocet_context *context, uint64_t job_id);

#endif
