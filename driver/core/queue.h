/* SPDX-License-Identifier: Apache-2.0 */
/* A context's jobs: a lane for each priority, and how the last ones ended. Jobs are numbered from 1 in the order in which they
 * were submitted; those of one lane end in this order. */
#ifndef AVOCET_QUEUE_H
#define AVOCET_QUEUE_H

#include "lane.h"
#include "os.h"
#include "pending.h"

struct avocet_context;
struct avocet_device;

enum {
  AVOCET_QUEUE_JOBS = 64,      /* unfinished jobs of a lane */
  AVOCET_QUEUE_RESULTS = 1024, /* the last jobs can be asked for */
};

/* Job id = context's name << 40 | number. */
#define AVOCET_JOB_NAME_SHIFT 40
#define AVOCET_JOB_NUMBER_MASK ((1ull << AVOCET_JOB_NAME_SHIFT) - 1)

struct avocet_job_result {
  uint32_t status, position, commands, generation;
  uint64_t address, doorbell_cycle, start_cycle, end_cycle;
};

/* Of job n at (n - 1) % RESULTS. */
struct avocet_job_slot {
  uint64_t number;
  uint64_t ended; /* number, when it has ended; atomic, written under jobs_lock after the result */
  struct avocet_pending *job; /* while unfinished */
  bool waited; /* somebody waits for it */
  struct avocet_job_result result;
};

/* Guarded by jobs_lock. */
struct avocet_queue {
  struct avocet_lane *lanes[AVOCET_PRIORITY_COUNT]; /* NULL until the first job of that priority; then it stays */
  uint64_t name;
  uint64_t submitted; /* number of the last job */
  uint32_t unfinished; /* atomic as well */
  bool stopped;       /* no more jobs: the context is going */
  uint32_t faulted;   /* no more jobs: one broke the context; atomic */
  uint64_t condemned; /* number of the job for whose fault the context's jobs are being aborted; 0 = none */
  uint32_t condemned_as; /* with which status it ends */
  uint32_t bad_ring;  /* status: the firmware cannot make sense of a ring, the watchdog is to end the context's jobs; 0 = no; atomic */
  uint32_t resubmits; /* resets since the last job ended */
  struct avocet_job_slot *slots;
  struct avocet_waitq waiters;
};

/* A core's job when the device was stopped. */
struct avocet_running_job {
  uint32_t context;    /* 0 = none */
  uint64_t descriptor; /* bus address */
};

int avocet_queue_init(struct avocet_context *context); /* with the lane of MEDIUM */
void avocet_queue_destroy(struct avocet_context *context);
void avocet_queue_name(struct avocet_context *context, uint64_t name);

/* Queues all or none; on success the jobs own what they hold, and first_id is the id of the first, the others follow. -EBUSY, -EBADFD,
 * -ENOENT (the context is going), -EAGAIN: a job needs more room for dependencies, *needed of them. */
int avocet_queue_push(struct avocet_context *context, struct avocet_pending *const *jobs, uint32_t count,
                      uint64_t *first_id, uint32_t *needed);
/* A completion came in (interrupt handler; jobs_lock is held); false when it can belong to none of the context's jobs. One that names no job of a
 * context with jobs in hardware, or whose ring gave more of them than there were, is the fault of a ring that was overwritten. */
bool avocet_queue_complete(struct avocet_context *context, const struct avocet_completion *completion);
/* The firmware found that the ring of this priority makes no sense (interrupt handler; jobs_lock is held). */
void avocet_queue_reject(struct avocet_context *context, uint32_t priority, uint32_t status);
/* A job ended. jobs_lock is held. */
void avocet_queue_end(struct avocet_pending *job, const struct avocet_job_result *result);
/* Makes the lane of a job that was checked, when it is not there yet. *announce: the firmware must be told. -ENOMEM, -ENOENT. */
int avocet_queue_open_lane(struct avocet_context *context, uint32_t priority, bool *announce);
/* Ends all unfinished jobs with ABORTED; `broken`: and takes no more. */
void avocet_queue_abort(struct avocet_context *context, bool broken);
/* The device was stopped: ends the jobs that had started. One that a core was running is to blame: it ends with HANG and costs its
 * context. A preempted one cannot be run again and is ABORTED. When no core is known to run one, all that had started are to
 * blame. Returns how many jobs were lost. */
uint32_t avocet_queue_end_started(struct avocet_context *context, const struct avocet_running_job *running, uint32_t count);
/* The job with this serial number hangs and is going to be aborted: it will end with HANG, and no more jobs are taken. */
void avocet_queue_condemn(struct avocet_context *context, uint64_t serial);
static inline bool avocet_queue_rejected(const struct avocet_queue *queue) { return avocet_os_load32(&queue->bad_ring) != 0; }
void avocet_queue_stop(struct avocet_context *context); /* no more jobs */
bool avocet_queue_stopped(struct avocet_context *context);
/* Serial number (and id) of the job that this core is running; of the oldest one that the firmware has taken. 0 = there is none. */
uint64_t avocet_queue_running(struct avocet_context *context, const struct avocet_running_job *running, uint64_t *job_id);
uint64_t avocet_queue_in_hardware(struct avocet_context *context);
/* Prepares the rings for a new firmware; false when that happened too often since a job ended. *jobs: how many are in them. */
bool avocet_queue_rewind(struct avocet_context *context, uint32_t resubmits_max, uint32_t *jobs);
/* Lets the firmware see them. */
void avocet_queue_show(struct avocet_context *context);
static inline uint32_t avocet_queue_unfinished(const struct avocet_queue *queue) {
  return avocet_os_load32(&queue->unfinished);
}
struct avocet_job_slot *avocet_queue_slot(const struct avocet_queue *queue, uint64_t number);
/* How the job ended: 0, -EAGAIN (not yet: its end will wake the queue's waiters), -ENOENT. */
int avocet_queue_result(struct avocet_context *context, uint64_t job_id, struct avocet_job_result *result);

#endif
