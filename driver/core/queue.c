/* SPDX-License-Identifier: Apache-2.0 */
/* A context's job queue. A slot is free when its job has ended, not when the firmware took it: the hardware reads the descriptor
 * in the ring. */
#include "queue.h"

#include "context.h"
#include "device.h"

int avocet_queue_init(struct avocet_context *context) {
  struct avocet_queue *queue = &context->queue;
  queue->results = avocet_os_alloc(AVOCET_QUEUE_RESULTS * sizeof *queue->results);
  if (!queue->results) return -ENOMEM;
  int error =
      avocet_shared_ring_create(context->device->os, AVOCET_QUEUE_JOBS, sizeof(struct avocet_job), &queue->ring);
  if (error) {
    avocet_os_free(queue->results);
    return error;
  }
  avocet_os_spin_init(&queue->lock);
  avocet_os_waitq_init(&queue->waiters);
  return 0;
}

void avocet_queue_destroy(struct avocet_context *context) {
  struct avocet_queue *queue = &context->queue;
  avocet_os_waitq_destroy(&queue->waiters);
  avocet_os_spin_destroy(&queue->lock);
  avocet_shared_ring_destroy(context->device->os, &queue->ring);
  avocet_os_free(queue->results);
}

void avocet_queue_name(struct avocet_context *context, uint64_t name) { context->queue.name = name; }

static uint64_t id_of(const struct avocet_queue *queue, uint64_t number) {
  return queue->name << AVOCET_JOB_NUMBER_BITS | number;
}

static int may_push(const struct avocet_queue *queue, uint32_t count) {
  if (queue->stopped) return -ENOENT;
  if (queue->faulted) return -EBADFD;
  if (AVOCET_QUEUE_JOBS - (queue->submitted - queue->completed) < count) return -EBUSY;
  return 0;
}

int avocet_queue_push(struct avocet_context *context, const struct avocet_ready_job *jobs, uint32_t count,
                      uint64_t *first_id) {
  struct avocet_queue *queue = &context->queue;
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  int error = may_push(queue, count);
  if (!error) {
    uint64_t first = queue->submitted + 1;
    for (uint32_t i = 0; i < count; i++) {
      struct avocet_job *entry = avocet_shared_ring_entry(&queue->ring, (uint32_t)(first + i - 1));
      memcpy(entry, &jobs[i].descriptor, sizeof *entry);
      entry->job_id = id_of(queue, first + i);
      for (uint32_t h = 0; h < jobs[i].holds.count; h++) avocet_os_add32(&jobs[i].holds.objects[h]->jobs, 1);
      queue->holds[(first + i - 1) % AVOCET_QUEUE_JOBS] = jobs[i].holds;
    }
    queue->submitted += count;
    avocet_os_store32(&context->tlb_dirty, 1);
    avocet_os_add64(&context->counters.jobs_submitted, count);
    avocet_os_add64(&context->device->counters.jobs_submitted, count);
    avocet_shared_ring_publish(&queue->ring, (uint32_t)queue->submitted);
    *first_id = id_of(queue, first);
  }
  avocet_os_spin_unlock(&queue->lock, flags);
  return error;
}

static void count(struct avocet_accel_counters *counters, const struct avocet_job_result *result, bool fault) {
  avocet_os_add64(result->status == AVOCET_STATUS_OK ? &counters->jobs_completed : &counters->jobs_failed, 1);
  avocet_os_add64(&counters->busy_cycles, result->end_cycle - result->start_cycle);
  if (fault) avocet_os_add64(&counters->faults, 1);
}

/* The oldest unfinished job ended. lock is held. */
static void end_oldest(struct avocet_context *context, const struct avocet_job_result *result) {
  struct avocet_queue *queue = &context->queue;
  uint64_t index = queue->completed; /* number - 1 */
  struct avocet_job_holds *holds = &queue->holds[index % AVOCET_QUEUE_JOBS];
  for (uint32_t i = 0; i < holds->count; i++) {
    avocet_os_add32(&holds->objects[i]->jobs, (uint32_t)-1);
    avocet_object_put_later(holds->objects[i]);
  }
  holds->count = 0;
  bool fault = result->status == AVOCET_STATUS_IOMMU_FAULT || result->status == AVOCET_STATUS_BUS_ERROR ||
               result->status == AVOCET_STATUS_HANG;
  if (fault) avocet_os_store32(&queue->faulted, 1);
  count(&context->counters, result, fault);
  count(&context->device->counters, result, fault);
  queue->results[index % AVOCET_QUEUE_RESULTS] = *result;
  queue->resubmits = 0;
  avocet_os_store64(&queue->completed, index + 1);
}

bool avocet_queue_complete(struct avocet_context *context, const struct avocet_completion *completion) {
  struct avocet_queue *queue = &context->queue;
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
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  bool expected = queue->completed < queue->submitted && completion->job_id == id_of(queue, queue->completed + 1);
  if (expected) end_oldest(context, &result);
  avocet_os_spin_unlock(&queue->lock, flags);
  if (!expected) return false;
  avocet_os_waitq_wake(&queue->waiters);
  if (result.status > AVOCET_STATUS_DEADLINE) avocet_reset_request(context->device, "unknown job status");
  return true;
}

void avocet_queue_fail(struct avocet_context *context, enum avocet_status status) {
  struct avocet_queue *queue = &context->queue;
  struct avocet_job_result result = {.status = status, .generation = avocet_reset_generation(context->device)};
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  if (status == AVOCET_STATUS_HANG) avocet_os_store32(&queue->faulted, 1);
  while (queue->completed < queue->submitted) {
    end_oldest(context, &result);
    result.status = AVOCET_STATUS_ABORTED; /* the first is to blame, the others only lie behind it */
  }
  avocet_os_spin_unlock(&queue->lock, flags);
  avocet_os_waitq_wake(&queue->waiters);
}

void avocet_queue_stop(struct avocet_context *context) {
  unsigned long flags = avocet_os_spin_lock(&context->queue.lock);
  context->queue.stopped = 1;
  avocet_os_spin_unlock(&context->queue.lock, flags);
}

bool avocet_queue_stopped(struct avocet_context *context) {
  unsigned long flags = avocet_os_spin_lock(&context->queue.lock);
  bool stopped = context->queue.stopped;
  avocet_os_spin_unlock(&context->queue.lock, flags);
  return stopped;
}

bool avocet_queue_in_hardware(struct avocet_context *context) {
  struct avocet_queue *queue = &context->queue;
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  bool taken = queue->completed < queue->submitted &&
               avocet_shared_ring_head(&queue->ring) != (uint32_t)queue->completed;
  avocet_os_spin_unlock(&queue->lock, flags);
  return taken;
}

bool avocet_queue_rewind(struct avocet_context *context, uint32_t resubmits_max) {
  struct avocet_queue *queue = &context->queue;
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  bool allowed = queue->completed == queue->submitted || queue->resubmits++ < resubmits_max;
  avocet_shared_ring_reset(&queue->ring, (uint32_t)queue->completed, (uint32_t)queue->submitted);
  avocet_os_spin_unlock(&queue->lock, flags);
  return allowed;
}

uint64_t avocet_queue_unfinished(struct avocet_context *context) {
  struct avocet_queue *queue = &context->queue;
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  uint64_t unfinished = queue->submitted - queue->completed;
  avocet_os_spin_unlock(&queue->lock, flags);
  return unfinished;
}

int avocet_queue_result(struct avocet_context *context, uint64_t job_id, struct avocet_job_result *result) {
  struct avocet_queue *queue = &context->queue;
  uint64_t number = job_id & AVOCET_JOB_NUMBER_MASK;
  int error = 0;
  unsigned long flags = avocet_os_spin_lock(&queue->lock);
  if (job_id >> AVOCET_JOB_NUMBER_BITS != queue->name || number == 0 || number > queue->submitted)
    error = -ENOENT;
  else if (number > queue->completed)
    error = -EAGAIN;
  else if (queue->completed - number >= AVOCET_QUEUE_RESULTS)
    error = -ENOENT;
  else
    *result = queue->results[(number - 1) % AVOCET_QUEUE_RESULTS];
  avocet_os_spin_unlock(&queue->lock, flags);
  return error;
}
