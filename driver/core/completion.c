/* SPDX-License-Identifier: Apache-2.0 */
/* The completion ring. What the firmware writes is checked like any input: nonsense asks for a reset, it is never followed. */
#include "completion.h"

#include "context.h"
#include "device.h"

enum { COMPLETION_ENTRIES = 256 };

int avocet_completion_init(struct avocet_device *device) {
  struct avocet_completions *completions = &device->completions;
  int error = avocet_shared_ring_create(device->os, COMPLETION_ENTRIES, sizeof(struct avocet_completion),
                                        &completions->ring);
  if (error) return error;
  avocet_os_spin_init(&completions->lock);
  return 0;
}

void avocet_completion_destroy(struct avocet_device *device) {
  avocet_os_spin_destroy(&device->completions.lock);
  avocet_shared_ring_destroy(device->os, &device->completions.ring);
}

static struct avocet_context *context_of(struct avocet_device *device, const struct avocet_completion *completion) {
  return completion->context < AVOCET_CONTEXTS_MAX ? device->contexts[completion->context] : NULL;
}

/* jobs_lock is held. */
static void take(struct avocet_device *device, const struct avocet_completion *completion) {
  struct avocet_context *context = context_of(device, completion);
  switch (completion->type) {
    case AVOCET_COMPLETION_TYPE_MESSAGE:
      avocet_admin_answer(device, completion);
      return;
    case AVOCET_COMPLETION_TYPE_JOB:
      if (!context || !avocet_queue_complete(context, completion))
        avocet_reset_request(device, AVOCET_ACCEL_RESET_PROTOCOL, "completion of no job");
      return;
    case AVOCET_COMPLETION_TYPE_RING:
      if (context && (completion->status == AVOCET_STATUS_BAD_MESSAGE || completion->status == AVOCET_STATUS_BUS_ERROR))
        avocet_queue_reject(context, completion->request, completion->status);
      else
        avocet_reset_request(device, AVOCET_ACCEL_RESET_PROTOCOL, "report of no bad ring");
      return;
    default:
      avocet_reset_request(device, AVOCET_ACCEL_RESET_PROTOCOL, "completion of unknown type");
  }
}

void avocet_completion_reset(struct avocet_device *device) {
  unsigned long flags = avocet_os_spin_lock(&device->completions.lock);
  device->completions.head = 0;
  avocet_shared_ring_reset(&device->completions.ring, 0, 0);
  avocet_os_spin_unlock(&device->completions.lock, flags);
}

void avocet_completion_drain(struct avocet_device *device) {
  struct avocet_shared_ring *ring = &device->completions.ring;
  unsigned long flags = avocet_os_spin_lock(&device->completions.lock);
  for (;;) {
    uint32_t head = device->completions.head;
    uint32_t tail = avocet_shared_ring_tail(ring);
    if (tail - head > ring->count) {
      avocet_reset_request(device, AVOCET_ACCEL_RESET_PROTOCOL, "completion ring indices are nonsense");
      break;
    }
    if (tail == head) break;
    unsigned long job_flags = avocet_jobs_lock(device); /* once for all: others submit meanwhile */
    for (uint32_t i = head; i != tail; i++) {
      struct avocet_completion completion;
      memcpy(&completion, avocet_shared_ring_entry(ring, i), sizeof completion);
      take(device, &completion);
    }
    avocet_jobs_unlock(device, job_flags);
    device->completions.head = tail;
    avocet_shared_ring_consume(ring, tail);
    /* A firmware that found the ring full waits for the doorbell. It wrote its tail, then looked at our head; we wrote
     * our head and now look at its tail: one of the two sees the other. */
    avocet_os_barrier();
    if (avocet_shared_ring_tail(ring) - head >= ring->count) avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  }
  avocet_os_spin_unlock(&device->completions.lock, flags);
}
