/* SPDX-License-Identifier: Apache-2.0 */
/* A context's job queues. A slot is free when its job has ended, not when the firmware took it: the hardware reads the descriptor
 * in the ring. */
#include "queue.h"

#include "context.h"
#include "device.h"

int avocet_queue_create(struct avocet_context *context, struct avocet_queue **result) {
  struct avocet_queue *queue = avocet_os_alloc(sizeof *queue);
  int error = -ENOMEM;
  if (!queue) return error;
  queue->results = avocet_os_alloc(AVOCET_QUEUE_RESULTS * sizeof *queue->results);
  if (!queue->results) goto free_queue;
  error = avocet_shared_ring_create(context->device->os, AVOCET_QUEUE_JOBS, sizeof(struct avocet_job), &queue->ring);
  if (error) goto free_results;
  *result = queue;
  return 0;

free_results:
  avocet_os_free(queue->results);
free_queue:
  avocet_os_free(queue);
  return error;
}

void avocet_queue_free(struct avocet_context *context, struct avocet_queue *queue) {
  avocet_shared_ring_destroy(context->device->os, &queue->ring);
  avocet_os_free(queue->results);
  avocet_os_free(queue);
}

int avocet_queues_init(struct avocet_context *context) {
  struct avocet_queues *queues = &context->queues;
  int error = avocet_queue_create(context, &queues->of[AVOCET_PRIORITY_MEDIUM]);
  if (error) return error;
  avocet_os_spin_init(&queues->lock);
  avocet_os_waitq_init(&queues->waiters);
  return 0;
}

void avocet_queues_destroy(struct avocet_context *context) {
  struct avocet_queues *queues = &context->queues;
  avocet_os_waitq_destroy(&queues->waiters);
  avocet_os_spin_destroy(&queues->lock);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    if (queues->of[i]) avocet_queue_free(context, queues->of[i]);
  }
}

void avocet_queues_name(struct avocet_context *context, uint64_t name) { context->queues.name = name; }

void avocet_queue_set(struct avocet_context *context, enum avocet_priority priority, struct avocet_queue *queue) {
  unsigned long flags = avocet_os_spin_lock(&context->queues.lock);
  context->queues.of[priority] = queue;
  avocet_os_spin_unlock(&context->queues.lock, flags);
}

struct avocet_queue *avocet_queue_get(struct avocet_context *context, uint32_t priority) {
  if (priority >= AVOCET_PRIORITY_COUNT) return NULL;
  unsigned long flags = avocet_os_spin_lock(&context->queues.lock);
  struct avocet_queue *queue = context->queues.of[priority];
  avocet_os_spin_unlock(&context->queues.lock, flags);
  return queue;
}

static uint64_t id_of(const struct avocet_queues *queues, uint32_t priority, uint64_t number) {
  return queues->name << AVOCET_JOB_NAME_SHIFT | (uint64_t)priority << AVOCET_JOB_PRIORITY_SHIFT | number;
}

static uint32_t priority_of(uint64_t job_id) {
  return (uint32_t)(job_id >> AVOCET_JOB_PRIORITY_SHIFT) & ((1u << (AVOCET_JOB_NAME_SHIFT - AVOCET_JOB_PRIORITY_SHIFT)) - 1);
}

/* Of the queue that the id names, or NULL. lock is held. */
static struct avocet_queue *queue_of(const struct avocet_queues *queues, uint64_t job_id) {
  uint32_t priority = priority_of(job_id);
  if (job_id >> AVOCET_JOB_NAME_SHIFT != queues->name || priority >= AVOCET_PRIORITY_COUNT) return NULL;
  return queues->of[priority];
}

static int may_push(const struct avocet_queues *queues, const struct avocet_ready_job *jobs, uint32_t count) {
  uint32_t wanted[AVOCET_PRIORITY_COUNT] = {0};
  if (queues->stopped) return -ENOENT;
  if (queues->faulted) return -EBADFD;
  for (uint32_t i = 0; i < count; i++) wanted[jobs[i].priority]++;
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    const struct avocet_queue *queue = queues->of[i];
    if (wanted[i] > 0 && AVOCET_QUEUE_JOBS - (queue->submitted - queue->completed) < wanted[i]) return -EBUSY;
  }
  return 0;
}

static void push(struct avocet_queues *queues, struct avocet_ready_job *job) {
  struct avocet_queue *queue = queues->of[job->priority];
  uint64_t index = queue->submitted++;
  job->descriptor.job_id = id_of(queues, job->priority, index + 1);
  memcpy(avocet_shared_ring_entry(&queue->ring, (uint32_t)index), &job->descriptor, sizeof job->descriptor);
  for (uint32_t h = 0; h < job->holds.count; h++) avocet_os_add32(&job->holds.objects[h]->jobs, 1);
  queue->holds[index % AVOCET_QUEUE_JOBS] = job->holds;
}

int avocet_queue_push(struct avocet_context *context, struct avocet_ready_job *jobs, uint32_t count) {
  struct avocet_queues *queues = &context->queues;
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  int error = may_push(queues, jobs, count);
  if (!error) {
    avocet_os_store32(&context->tlb_dirty, 1);
    avocet_os_add64(&context->counters.jobs_submitted, count);
    avocet_os_add64(&context->device->counters.jobs_submitted, count);
    for (uint32_t i = 0; i < count; i++) push(queues, &jobs[i]);
    for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
      struct avocet_queue *queue = queues->of[i];
      if (queue) avocet_shared_ring_publish(&queue->ring, (uint32_t)queue->submitted);
    }
  }
  avocet_os_spin_unlock(&queues->lock, flags);
  return error;
}

static void count(struct avocet_accel_counters *counters, const struct avocet_job_result *result, bool fault) {
  avocet_os_add64(result->status == AVOCET_STATUS_OK ? &counters->jobs_completed : &counters->jobs_failed, 1);
  avocet_os_add64(&counters->busy_cycles, result->end_cycle - result->start_cycle);
  if (fault) avocet_os_add64(&counters->faults, 1);
}

/* The queue's oldest unfinished job ended. lock is held. */
static void end_oldest(struct avocet_context *context, struct avocet_queue *queue, const struct avocet_job_result *result) {
  uint64_t index = queue->completed; /* number - 1 */
  struct avocet_job_holds *holds = &queue->holds[index % AVOCET_QUEUE_JOBS];
  for (uint32_t i = 0; i < holds->count; i++) {
    avocet_os_add32(&holds->objects[i]->jobs, (uint32_t)-1);
    avocet_object_put_later(holds->objects[i]);
  }
  holds->count = 0;
  bool fault = result->status == AVOCET_STATUS_IOMMU_FAULT || result->status == AVOCET_STATUS_BUS_ERROR ||
               result->status == AVOCET_STATUS_HANG;
  if (fault) avocet_os_store32(&context->queues.faulted, 1);
  count(&context->counters, result, fault);
  count(&context->device->counters, result, fault);
  queue->results[index % AVOCET_QUEUE_RESULTS] = *result;
  queue->resubmits = 0;
  avocet_os_store64(&queue->completed, index + 1);
}

bool avocet_queue_complete(struct avocet_context *context, const struct avocet_completion *completion) {
  struct avocet_queues *queues = &context->queues;
  struct avocet_job_result result = {
      .status = completion->status,
      .position = completion->position,
      .commands = completion->commands,
      .generation = avocet_reset_generation(context->device),
      .address = completion->address,
      .doorbell_cycle = completion->doorbell_cycle,
      .start_cycle = completion->start_cycle,
      .end_cycle = completion->end_cycle,
  };
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  struct avocet_queue *queue = queue_of(queues, completion->job_id);
  bool expected = queue && queue->completed < queue->submitted &&
                  (completion->job_id & AVOCET_JOB_NUMBER_MASK) == queue->completed + 1;
  if (expected) end_oldest(context, queue, &result);
  avocet_os_spin_unlock(&queues->lock, flags);
  if (!expected) return false;
  avocet_os_waitq_wake(&queues->waiters);
  if (result.status > AVOCET_STATUS_DEADLINE) avocet_reset_request(context->device, "unknown job status");
  return true;
}

/* Whether the firmware took the queue's oldest unfinished job. lock is held. */
static bool oldest_started(const struct avocet_queue *queue) {
  return queue->completed < queue->submitted && avocet_shared_ring_head(&queue->ring) != (uint32_t)queue->completed;
}

static void fail_queue(struct avocet_context *context, struct avocet_queue *queue, enum avocet_status status) {
  struct avocet_job_result result = {.status = status, .generation = avocet_reset_generation(context->device)};
  while (queue->completed < queue->submitted) {
    end_oldest(context, queue, &result);
    result.status = AVOCET_STATUS_ABORTED; /* the first is to blame, the others only lie behind it */
  }
}

void avocet_queue_fail(struct avocet_context *context, enum avocet_status status) {
  struct avocet_queues *queues = &context->queues;
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  if (status == AVOCET_STATUS_HANG) avocet_os_store32(&queues->faulted, 1);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    if (queues->of[i]) fail_queue(context, queues->of[i], status);
  }
  avocet_os_spin_unlock(&queues->lock, flags);
  avocet_os_waitq_wake(&queues->waiters);
}

static bool is_running(const struct avocet_context *context, const struct avocet_queue *queue,
                       const struct avocet_running_job *running, uint32_t count) {
  uint64_t descriptor = avocet_shared_ring_entry_bus(&queue->ring, (uint32_t)queue->completed);
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    if (running[i].context == context->id && running[i].descriptor == descriptor) return true;
    any = any || running[i].context != 0;
  }
  return !any;
}

void avocet_queue_end_started(struct avocet_context *context, const struct avocet_running_job *running, uint32_t count) {
  struct avocet_queues *queues = &context->queues;
  struct avocet_job_result aborted = {.status = AVOCET_STATUS_ABORTED,
                                      .generation = avocet_reset_generation(context->device)};
  bool broken = false;
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    struct avocet_queue *queue = queues->of[i];
    if (!queue || !oldest_started(queue)) continue;
    if (is_running(context, queue, running, count)) {
      avocet_os_store32(&queues->faulted, 1);
      fail_queue(context, queue, AVOCET_STATUS_HANG);
      broken = true;
    } else {
      end_oldest(context, queue, &aborted);
    }
  }
  avocet_os_spin_unlock(&queues->lock, flags);
  if (broken) avocet_queue_fail(context, AVOCET_STATUS_ABORTED);
  avocet_os_waitq_wake(&queues->waiters);
}

void avocet_queue_stop(struct avocet_context *context) {
  unsigned long flags = avocet_os_spin_lock(&context->queues.lock);
  context->queues.stopped = 1;
  avocet_os_spin_unlock(&context->queues.lock, flags);
}

bool avocet_queue_stopped(struct avocet_context *context) {
  unsigned long flags = avocet_os_spin_lock(&context->queues.lock);
  bool stopped = context->queues.stopped;
  avocet_os_spin_unlock(&context->queues.lock, flags);
  return stopped;
}

bool avocet_queue_rewind(struct avocet_context *context, uint32_t resubmits_max) {
  struct avocet_queues *queues = &context->queues;
  bool allowed = true;
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    struct avocet_queue *queue = queues->of[i];
    if (!queue) continue;
    if (queue->completed != queue->submitted && queue->resubmits++ >= resubmits_max) allowed = false;
    avocet_shared_ring_reset(&queue->ring, (uint32_t)queue->completed, (uint32_t)queue->submitted);
  }
  avocet_os_spin_unlock(&queues->lock, flags);
  return allowed;
}

uint64_t avocet_queue_unfinished(struct avocet_context *context) {
  struct avocet_queues *queues = &context->queues;
  uint64_t unfinished = 0;
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    if (queues->of[i]) unfinished += queues->of[i]->submitted - queues->of[i]->completed;
  }
  avocet_os_spin_unlock(&queues->lock, flags);
  return unfinished;
}

int avocet_queue_result(struct avocet_context *context, uint64_t job_id, struct avocet_job_result *result) {
  struct avocet_queues *queues = &context->queues;
  uint64_t number = job_id & AVOCET_JOB_NUMBER_MASK;
  int error = 0;
  unsigned long flags = avocet_os_spin_lock(&queues->lock);
  const struct avocet_queue *queue = queue_of(queues, job_id);
  if (!queue || number == 0 || number > queue->submitted)
    error = -ENOENT;
  else if (number > queue->completed)
    error = -EAGAIN;
  else if (queue->completed - number >= AVOCET_QUEUE_RESULTS)
    error = -ENOENT;
  else
    *result = queue->results[(number - 1) % AVOCET_QUEUE_RESULTS];
  avocet_os_spin_unlock(&queues->lock, flags);
  return error;
}

bool avocet_queue_ended(struct avocet_context *context, uint64_t job_id) {
  const struct avocet_queue *queue = context->queues.of[priority_of(job_id)];
  return avocet_os_load64(&queue->completed) >= (job_id & AVOCET_JOB_NUMBER_MASK);
}
