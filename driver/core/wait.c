/* SPDX-License-Identifier: Apache-2.0 */
/* WAIT and BUFFER_WAIT. */
#include "wait.h"

#include "buffer.h"
#include "context.h"
#include "device.h"
#include "file.h"

static uint64_t deadline(int64_t timeout_ns) { return timeout_ns > 0 ? (uint64_t)timeout_ns : 0; }

/* ---- a job ---- */

struct job_wait {
  const struct avocet_job_slot *slot;
  uint64_t number;
};

static bool job_ended(void *argument) {
  const struct job_wait *wait = argument;
  return avocet_os_load64(&wait->slot->ended) >= wait->number; /* a later job in the slot: ours ended long ago */
}

int avocet_wait_job(struct avocet_file *file, struct avocet_accel_wait *arguments) {
  struct avocet_job_result result;
  if (arguments->flags != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!object) return -ENOENT;
  struct avocet_queue *queue = &avocet_context_of(object)->queue;
  int error = avocet_queue_result(avocet_context_of(object), arguments->job_id, &result);
  if (error == -EAGAIN) {
    struct job_wait wait = {.number = arguments->job_id & AVOCET_JOB_NUMBER_MASK};
    wait.slot = avocet_queue_slot(queue, wait.number);
    error = avocet_os_waitq_wait(&queue->waiters, job_ended, &wait, deadline(arguments->timeout_ns), true);
    if (!error) error = avocet_queue_result(avocet_context_of(object), arguments->job_id, &result);
  }
  avocet_object_put(object);
  if (error) return error;
  arguments->status = result.status;
  arguments->position = result.position;
  arguments->address = result.address;
  arguments->doorbell_cycle = result.doorbell_cycle;
  arguments->start_cycle = result.start_cycle;
  arguments->end_cycle = result.end_cycle;
  arguments->commands = result.commands;
  arguments->generation = result.generation;
  return 0;
}

/* ---- a buffer ---- */

struct buffer_wait {
  const uint64_t *oldest; /* serial number of the oldest job that matters */
  uint64_t serial;        /* of the last job that was submitted when the wait began */
};

static bool buffer_idle(void *argument) {
  const struct buffer_wait *wait = argument;
  return avocet_os_load64(wait->oldest) > wait->serial;
}

int avocet_wait_buffer(struct avocet_file *file, struct avocet_accel_buffer_wait *arguments) {
  if ((arguments->flags & ~(uint32_t)AVOCET_ACCEL_BUFFER_WAIT_READ) != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_find(file, arguments->handle, AVOCET_OBJECT_BUFFER);
  if (!object) return -ENOENT;
  struct avocet_pages *pages = avocet_buffer_of(object)->mapping.pages;
  struct buffer_wait wait = {
      .oldest = arguments->flags & AVOCET_ACCEL_BUFFER_WAIT_READ ? &pages->oldest_write : &pages->oldest_use,
      .serial = avocet_os_load64(&file->device->jobs_serial)};
  int error = avocet_os_waitq_wait(&pages->waiters, buffer_idle, &wait, deadline(arguments->timeout_ns), true);
  avocet_object_put(object);
  return error;
}
