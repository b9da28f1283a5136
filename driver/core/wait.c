/* SPDX-License-Identifier: Apache-2.0 */
/* WAIT. Waiters are also the ones who notice a lost interrupt or a stuck device: none of them sleeps longer than the check
 * interval at a time. */
#include "wait.h"

#include "context.h"
#include "device.h"
#include "file.h"

struct waiting {
  struct avocet_context *context;
  uint64_t job_id;
};

static bool ended(const struct waiting *waiting) {
  return avocet_queue_ended(waiting->context, waiting->job_id);
}

static bool ended_or_reset_wanted(void *argument) {
  const struct waiting *waiting = argument;
  return ended(waiting) || avocet_os_load32(&waiting->context->device->recovery.wanted);
}

static int wait_until(const struct waiting *waiting, uint64_t deadline_ns) {
  struct avocet_device *device = waiting->context->device;
  uint64_t interval = device->parameters.check_interval_ms * 1000000ull;
  for (;;) {
    uint64_t slice = avocet_os_now_ns() + interval;
    int error = avocet_os_waitq_wait(&waiting->context->queues.waiters, ended_or_reset_wanted, (void *)waiting,
                                     slice < deadline_ns ? slice : deadline_ns);
    if (ended(waiting)) return 0;
    if (error == -EINTR) return error;
    avocet_reset_check(device);
    if (ended(waiting)) return 0;
    if (avocet_os_now_ns() >= deadline_ns) return -ETIMEDOUT;
  }
}

int avocet_wait_job(struct avocet_file *file, struct avocet_accel_wait *arguments) {
  struct avocet_job_result result;
  if (arguments->flags != 0) return -EINVAL;
  struct avocet_object *object = avocet_file_find(file, arguments->context, AVOCET_OBJECT_CONTEXT);
  if (!object) return -ENOENT;
  struct waiting waiting = {.context = avocet_context_of(object), .job_id = arguments->job_id};
  int error = avocet_queue_result(waiting.context, arguments->job_id, &result);
  if (error == -EAGAIN) {
    error = wait_until(&waiting, arguments->timeout_ns > 0 ? (uint64_t)arguments->timeout_ns : 0);
    if (!error) error = avocet_queue_result(waiting.context, arguments->job_id, &result);
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
