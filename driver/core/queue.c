/* SPDX-License-Identifier: Apache-2.0 */
/* Queueing, completion and failure of a context's jobs. */
#include "queue.h"

#include "context.h"
#include "device.h"

int avocet_queue_init(struct avocet_context *context) {
  struct avocet_queue *queue = &context->queue;
  queue->slots = avocet_os_alloc(AVOCET_QUEUE_RESULTS * sizeof *queue->slots);
  if (!queue->slots) return -ENOMEM;
  int error = avocet_lane_create(context, &queue->lanes[AVOCET_PRIORITY_MEDIUM]);
  if (error) {
    avocet_os_free(queue->slots);
    return error;
  }
  avocet_os_waitq_init(&queue->waiters);
  return 0;
}

void avocet_queue_destroy(struct avocet_context *context) {
  struct avocet_queue *queue = &context->queue;
  avocet_os_waitq_destroy(&queue->waiters);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    if (queue->lanes[i]) avocet_lane_free(queue->lanes[i]);
  }
  avocet_os_free(queue->slots);
}

void avocet_queue_name(struct avocet_context *context, uint64_t name) { context->queue.name = name; }

static uint64_t id_of(const struct avocet_queue *queue, uint64_t number) {
  return queue->name << AVOCET_JOB_NAME_SHIFT | number;
}

struct avocet_job_slot *avocet_queue_slot(const struct avocet_queue *queue, uint64_t number) {
  return &queue->slots[(number - 1) % AVOCET_QUEUE_RESULTS];
}

/* ---- submission ---- */

int avocet_queue_open_lane(struct avocet_context *context, uint32_t priority, bool *announce) {
  struct avocet_queue *queue = &context->queue;
  struct avocet_lane *lane;
  *announce = false;
  if (avocet_os_load_pointer(&queue->lanes[priority])) return 0;
  int error = avocet_lane_create(context, &lane);
  if (error) return error;
  unsigned long flags = avocet_jobs_lock(context->device);
  if (queue->stopped) {
    error = -ENOENT;
  } else if (!queue->lanes[priority]) {
    avocet_os_store_pointer(&queue->lanes[priority], lane);
    *announce = true;
  }
  avocet_jobs_unlock(context->device, flags);
  if (!*announce) avocet_lane_free(lane);
  return error;
}

static int may_push(const struct avocet_queue *queue, struct avocet_pending *const *jobs, uint32_t count) {
  uint32_t more[AVOCET_PRIORITY_COUNT] = {0};
  if (queue->stopped) return -ENOENT;
  if (queue->faulted) return -EBADFD;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t priority = jobs[i]->priority;
    if (queue->lanes[priority]->count + ++more[priority] > AVOCET_QUEUE_JOBS) return -EBUSY;
    /* One of a low priority may be older than all results that are kept. */
    if (avocet_queue_slot(queue, queue->submitted + 1 + i)->job) return -EBUSY;
  }
  return 0;
}

static int enough_room(struct avocet_pending *const *jobs, uint32_t count, uint32_t *needed) {
  for (uint32_t i = 0; i < count; i++) {
    *needed = jobs[i]->dependency_count + avocet_pending_conflicts(jobs[i], false);
    /* Earlier jobs of this submission in another lane: every pair of uses at most. */
    for (uint32_t k = 0; k < i && !jobs[i]->is_explicit; k++) {
      if (jobs[k]->priority != jobs[i]->priority) *needed += jobs[k]->use_count * jobs[i]->use_count;
    }
    if (*needed > jobs[i]->dependency_capacity) return -EAGAIN;
  }
  return 0;
}

static void wait_for_dependencies(struct avocet_pending *job) {
  (void)avocet_pending_conflicts(job, true);
  job->unmet = 0;
  for (uint32_t i = 0; i < job->dependency_count; i++) {
    struct avocet_dependency *dependency = &job->dependencies[i];
    int32_t status = avocet_fence_status(dependency->fence);
    if (status < 0 && dependency->is_explicit) job->doomed = true;
    if (status != 0) continue;
    avocet_dependency_wait(dependency, dependency->fence);
    job->unmet++;
  }
}

static void enqueue(struct avocet_context *context, struct avocet_pending *job) {
  struct avocet_queue *queue = &context->queue;
  struct avocet_lane *lane = queue->lanes[job->priority];
  avocet_pending_get(job); /* the queue's reference */
  job->context = context;
  job->number = ++queue->submitted;
  job->serial = context->device->jobs_serial + 1;
  avocet_os_store64(&context->device->jobs_serial, job->serial);
  job->descriptor.job_id = id_of(queue, job->number);
  wait_for_dependencies(job);
  for (uint32_t i = 0; i < job->object_count; i++) avocet_os_add32(&job->objects[i]->jobs, 1);
  for (uint32_t i = 0; i < job->use_count; i++) avocet_pages_use(&job->uses[i]);
  struct avocet_job_slot *slot = avocet_queue_slot(queue, job->number);
  slot->number = job->number;
  slot->job = job;
  slot->waited = false;
  avocet_lane_append(lane, job);
  avocet_lane_advance_later(lane);
}

int avocet_queue_push(struct avocet_context *context, struct avocet_pending *const *jobs, uint32_t count,
                      uint64_t *first_id, uint32_t *needed) {
  struct avocet_device *device = context->device;
  struct avocet_queue *queue = &context->queue;
  unsigned long flags = avocet_jobs_lock(device);
  int error = may_push(queue, jobs, count);
  if (!error) error = enough_room(jobs, count, needed);
  if (!error) {
    *first_id = id_of(queue, queue->submitted + 1);
    for (uint32_t i = 0; i < count; i++) enqueue(context, jobs[i]);
    avocet_os_store32(&queue->unfinished, queue->unfinished + count);
    avocet_device_busy(device, count);
    avocet_os_add64(&context->counters.jobs_submitted, count);
    avocet_os_add64(&device->counters.jobs_submitted, count);
  }
  avocet_jobs_unlock(device, flags);
  return error;
}

/* ---- ends ---- */

/* After these the memory, the hardware or the ring behind the context cannot be trusted. */
static bool breaks_context(uint32_t status) {
  return status == AVOCET_STATUS_IOMMU_FAULT || status == AVOCET_STATUS_BUS_ERROR || status == AVOCET_STATUS_HANG ||
         status == AVOCET_STATUS_BAD_MESSAGE;
}

static void count(struct avocet_accel_counters *counters, uint32_t status, uint64_t cycles, bool fault) {
  avocet_os_add64(status == AVOCET_STATUS_OK ? &counters->jobs_completed : &counters->jobs_failed, 1);
  avocet_os_add64(&counters->busy_cycles, cycles);
  if (fault) avocet_os_add64(&counters->faults, 1);
}

static int32_t fence_status(uint32_t status) {
  switch (status) {
    case AVOCET_STATUS_OK:
      return 1;
    case AVOCET_STATUS_ABORTED:
      return -ECANCELED;
    case AVOCET_STATUS_DEADLINE:
      return -ETIME;
    default:
      return -EIO;
  }
}

static void let_go(struct avocet_pending *job) {
  for (uint32_t i = 0; i < job->dependency_count; i++) avocet_dependency_cancel(&job->dependencies[i]);
  for (uint32_t i = 0; i < job->use_count; i++) avocet_pages_unuse(&job->uses[i]);
  for (uint32_t i = 0; i < job->object_count; i++) {
    avocet_os_add32(&job->objects[i]->jobs, (uint32_t)-1);
    avocet_object_put_later(job->objects[i]);
  }
  job->object_count = job->use_count = 0;
}

void avocet_queue_end(struct avocet_pending *job, const struct avocet_job_result *result) {
  struct avocet_context *context = job->context;
  struct avocet_device *device = context->device;
  struct avocet_queue *queue = &context->queue;
  struct avocet_lane *lane = queue->lanes[job->priority];
  struct avocet_job_slot *slot = avocet_queue_slot(queue, job->number);
  uint32_t status = result->status;
  if (job->number == queue->condemned && status == AVOCET_STATUS_ABORTED) status = queue->condemned_as;
  bool fault = breaks_context(status);
  if (fault) avocet_os_store32(&queue->faulted, 1);
  count(&context->counters, status, result->end_cycle - result->start_cycle, fault);
  count(&device->counters, status, result->end_cycle - result->start_cycle, fault);
  avocet_lane_remove(lane, job);
  if (lane->unpublished) avocet_lane_advance_later(lane); /* a slot is free */
  let_go(job);
  queue->resubmits = 0;
  slot->result = *result;
  slot->result.status = status;
  slot->result.generation = avocet_reset_generation(device);
  slot->job = NULL;
  avocet_os_store64(&slot->ended, job->number);
  avocet_os_store32(&queue->unfinished, queue->unfinished - 1);
  avocet_device_busy(device, -1);
  bool gone = avocet_os_load32(&device->state) == AVOCET_DEVICE_GONE;
  avocet_fence_signal(&job->fence, gone && status == AVOCET_STATUS_ABORTED ? -ENODEV : fence_status(status));
  if (slot->waited) avocet_os_waitq_wake(&queue->waiters); /* not for every job that is ahead of the one waited for */
  avocet_pending_put(job);
}

static struct avocet_pending *find_in_hardware(struct avocet_queue *queue, uint64_t job_id) {
  uint64_t number = job_id & AVOCET_JOB_NUMBER_MASK;
  if (job_id >> AVOCET_JOB_NAME_SHIFT != queue->name || number == 0) return NULL;
  struct avocet_job_slot *slot = avocet_queue_slot(queue, number);
  return slot->job && slot->number == number && slot->job->published ? slot->job : NULL;
}

/* A completion names no job: whether one of the rings may be why, and the job to blame, if there is one. jobs_lock is held. */
static bool has_bad_ring(struct avocet_queue *queue, struct avocet_pending **blamed) {
  bool bad = false;
  *blamed = NULL;
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    struct avocet_lane *lane = queue->lanes[i];
    if (!lane) continue;
    if (avocet_lane_overrun(lane)) bad = true;
    if (!lane->first || !avocet_lane_in_hardware(lane, lane->first)) continue;
    bad = true;
    if (!*blamed || lane->first->number < (*blamed)->number) *blamed = lane->first;
  }
  return bad;
}

/* The job to blame ends with `status` when the watchdog has the context's jobs aborted. jobs_lock is held. */
static void reject(struct avocet_context *context, const struct avocet_pending *blamed, uint32_t status) {
  struct avocet_queue *queue = &context->queue;
  if (queue->condemned == 0 && blamed) {
    queue->condemned = blamed->number;
    queue->condemned_as = status;
  }
  avocet_os_store32(&queue->faulted, 1);
  avocet_os_store32(&queue->bad_ring, status);
  avocet_os_work_after(&context->device->watchdog, 0);
}

void avocet_queue_reject(struct avocet_context *context, uint32_t priority, uint32_t status) {
  struct avocet_queue *queue = &context->queue;
  struct avocet_lane *lane = priority < AVOCET_PRIORITY_COUNT ? queue->lanes[priority] : NULL;
  const struct avocet_pending *job = lane ? lane->first : NULL;
  while (job && avocet_lane_in_hardware(lane, job)) job = job->next; /* that one was still understood */
  reject(context, job, status);
}

bool avocet_queue_complete(struct avocet_context *context, const struct avocet_completion *completion) {
  struct avocet_queue *queue = &context->queue;
  struct avocet_job_result result = {
      .status = completion->status,
      .position = completion->position,
      .commands = completion->commands,
      .address = completion->address,
      .doorbell_cycle = completion->doorbell_cycle,
      .start_cycle = completion->start_cycle,
      .end_cycle = completion->end_cycle,
  };
  struct avocet_pending *job = find_in_hardware(queue, completion->job_id);
  struct avocet_pending *blamed;
  bool bad_ring = !job && has_bad_ring(queue, &blamed);
  if (job) avocet_queue_end(job, &result);
  if (bad_ring) reject(context, blamed, AVOCET_STATUS_BAD_MESSAGE);
  if (job && result.status >= AVOCET_STATUS_PREEMPTED)
    avocet_reset_request(context->device, AVOCET_ACCEL_RESET_PROTOCOL, "unknown job status");
  return job || bad_ring;
}

static struct avocet_pending *any_unfinished(struct avocet_queue *queue) {
  struct avocet_pending *oldest = NULL;
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    struct avocet_pending *job = queue->lanes[i] ? queue->lanes[i]->first : NULL;
    if (job && (!oldest || job->number < oldest->number)) oldest = job;
  }
  return oldest;
}

void avocet_queue_abort(struct avocet_context *context, bool broken) {
  struct avocet_pending *job;
  unsigned long flags = avocet_jobs_lock(context->device);
  while ((job = any_unfinished(&context->queue)))
    avocet_queue_end(job, &(struct avocet_job_result){.status = AVOCET_STATUS_ABORTED});
  if (broken) avocet_os_store32(&context->queue.faulted, 1);
  avocet_jobs_unlock(context->device, flags);
}

static bool lies_at(const struct avocet_lane *lane, const struct avocet_pending *job,
                    const struct avocet_running_job *running) {
  return job->published && running->context == lane->context->id &&
         running->descriptor == avocet_shared_ring_entry_bus(&lane->ring, job->index);
}

/* The verdict on a job that the firmware had taken. */
static uint32_t verdict(const struct avocet_lane *lane, const struct avocet_pending *job,
                        const struct avocet_running_job *running, uint32_t count) {
  bool anything_runs = false;
  for (uint32_t i = 0; i < count; i++) {
    if (running[i].context == 0) continue;
    anything_runs = true;
    if (lies_at(lane, job, &running[i])) return AVOCET_STATUS_HANG;
  }
  return anything_runs ? AVOCET_STATUS_ABORTED : AVOCET_STATUS_HANG;
}

uint32_t avocet_queue_end_started(struct avocet_context *context, const struct avocet_running_job *running,
                                  uint32_t count) {
  struct avocet_queue *queue = &context->queue;
  struct avocet_pending *job;
  uint32_t lost = 0;
  unsigned long flags = avocet_jobs_lock(context->device);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    struct avocet_lane *lane = queue->lanes[i];
    for (; lane && (job = lane->first) && avocet_lane_in_hardware(lane, job); lost++)
      avocet_queue_end(job, &(struct avocet_job_result){.status = verdict(lane, job, running, count)});
  }
  for (; queue->faulted && (job = any_unfinished(queue)); lost++)
    avocet_queue_end(job, &(struct avocet_job_result){.status = AVOCET_STATUS_ABORTED});
  avocet_jobs_unlock(context->device, flags);
  return lost;
}

static struct avocet_pending *find_serial(struct avocet_queue *queue, uint64_t serial) {
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    struct avocet_pending *job = queue->lanes[i] ? queue->lanes[i]->first : NULL;
    for (; job; job = job->next) {
      if (job->serial == serial) return job;
    }
  }
  return NULL;
}

void avocet_queue_condemn(struct avocet_context *context, uint64_t serial) {
  unsigned long flags = avocet_jobs_lock(context->device);
  const struct avocet_pending *job = find_serial(&context->queue, serial);
  context->queue.condemned = job ? job->number : 0;
  context->queue.condemned_as = AVOCET_STATUS_HANG;
  avocet_os_store32(&context->queue.faulted, 1);
  avocet_jobs_unlock(context->device, flags);
}

void avocet_queue_stop(struct avocet_context *context) {
  unsigned long flags = avocet_jobs_lock(context->device);
  context->queue.stopped = true;
  avocet_jobs_unlock(context->device, flags);
}

bool avocet_queue_stopped(struct avocet_context *context) {
  unsigned long flags = avocet_jobs_lock(context->device);
  bool stopped = context->queue.stopped;
  avocet_jobs_unlock(context->device, flags);
  return stopped;
}

/* ---- resets and questions ---- */

uint64_t avocet_queue_running(struct avocet_context *context, const struct avocet_running_job *running, uint64_t *job_id) {
  uint64_t serial = 0;
  unsigned long flags = avocet_jobs_lock(context->device);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    const struct avocet_lane *lane = context->queue.lanes[i];
    for (const struct avocet_pending *job = lane ? lane->first : NULL; job && !serial; job = job->next) {
      if (!lies_at(lane, job, running)) continue;
      serial = job->serial;
      *job_id = job->descriptor.job_id;
    }
  }
  avocet_jobs_unlock(context->device, flags);
  return serial;
}

uint64_t avocet_queue_in_hardware(struct avocet_context *context) {
  uint64_t oldest = 0;
  unsigned long flags = avocet_jobs_lock(context->device);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    const struct avocet_lane *lane = context->queue.lanes[i];
    if (!lane || !lane->first || !avocet_lane_in_hardware(lane, lane->first)) continue;
    if (oldest == 0 || lane->first->serial < oldest) oldest = lane->first->serial;
  }
  avocet_jobs_unlock(context->device, flags);
  return oldest;
}

bool avocet_queue_rewind(struct avocet_context *context, uint32_t resubmits_max, uint32_t *jobs) {
  struct avocet_queue *queue = &context->queue;
  unsigned long flags = avocet_jobs_lock(context->device);
  bool allowed = queue->unfinished == 0 || queue->resubmits++ < resubmits_max;
  *jobs = 0;
  avocet_os_store32(&queue->bad_ring, 0);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    if (!queue->lanes[i]) continue;
    avocet_lane_rebuild(queue->lanes[i]);
    *jobs += queue->lanes[i]->published;
  }
  avocet_jobs_unlock(context->device, flags);
  return allowed;
}

void avocet_queue_show(struct avocet_context *context) {
  unsigned long flags = avocet_jobs_lock(context->device);
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++) {
    if (context->queue.lanes[i]) avocet_lane_show(context->queue.lanes[i]);
  }
  avocet_jobs_unlock(context->device, flags);
}

int avocet_queue_result(struct avocet_context *context, uint64_t job_id, struct avocet_job_result *result) {
  struct avocet_queue *queue = &context->queue;
  uint64_t number = job_id & AVOCET_JOB_NUMBER_MASK;
  int error = -ENOENT;
  unsigned long flags = avocet_jobs_lock(context->device);
  if (job_id >> AVOCET_JOB_NAME_SHIFT == queue->name && number != 0 && number <= queue->submitted) {
    struct avocet_job_slot *slot = avocet_queue_slot(queue, number);
    if (slot->number == number) error = slot->job ? -EAGAIN : 0;
    if (!error) *result = slot->result;
    if (error == -EAGAIN) slot->waited = true;
  }
  avocet_jobs_unlock(context->device, flags);
  return error;
}
