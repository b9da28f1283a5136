/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the firmware. */
#include "admin.h"

#include "device.h"

enum { ADMIN_ENTRIES = 16, LOST_INTERRUPT_MS = 20 };

int avocet_admin_init(struct avocet_device *device) {
  struct avocet_admin *admin = &device->admin;
  int error = avocet_shared_ring_create(device->os, ADMIN_ENTRIES, sizeof(struct avocet_message), &admin->ring);
  if (error) return error;
  avocet_os_mutex_init(&admin->lock);
  avocet_os_waitq_init(&admin->waiters);
  return 0;
}

void avocet_admin_destroy(struct avocet_device *device) {
  struct avocet_admin *admin = &device->admin;
  avocet_os_waitq_destroy(&admin->waiters);
  avocet_os_mutex_destroy(&admin->lock);
  avocet_shared_ring_destroy(device->os, &admin->ring);
}

static bool cancelled(struct avocet_device *device) {
  return avocet_os_load32(&device->admin.cancelled) || avocet_os_load32(&device->recovery.wanted);
}

static bool answered_or_cancelled(void *argument) {
  struct avocet_device *device = argument;
  return avocet_os_load32(&device->admin.answered) == device->admin.request || cancelled(device);
}

static int wait_for_answer(struct avocet_device *device) {
  struct avocet_admin *admin = &device->admin;
  /* In slices that are counted, as the watchdog's looks: time in which we did not run ourselves is not the firmware's. */
  uint32_t slices = device->parameters.admin_timeout_ms / LOST_INTERRUPT_MS + 1;
  for (uint32_t slice = 0;; slice++) {
    uint64_t until = avocet_os_now_ns() + LOST_INTERRUPT_MS * 1000000ull;
    (void)avocet_os_waitq_wait(&admin->waiters, answered_or_cancelled, device, until, false);
    if (avocet_os_load32(&admin->answered) == admin->request) return 0;
    if (cancelled(device)) return -ECANCELED;
    if (slice > slices) return -ETIMEDOUT;
    if (!avocet_device_poll(device)) return -ETIMEDOUT; /* its interrupt may be lost, */
    if (slice == slices / 4) avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1); /* or the doorbell */
  }
}

int avocet_admin_call(struct avocet_device *device, enum avocet_message_type type, uint32_t context, uint64_t argument0,
                      uint64_t argument1) {
  struct avocet_admin *admin = &device->admin;
  struct avocet_message message = {
      .type = type, .context = context, .argument0 = argument0, .argument1 = argument1};
  int error = -EBUSY;
  avocet_os_mutex_lock(&admin->lock);
  uint32_t tail = avocet_shared_ring_tail(&admin->ring);
  if (tail - avocet_shared_ring_head(&admin->ring) >= admin->ring.count) goto unlock;
  uint32_t request = admin->request + 1;
  avocet_os_store32(&admin->request, request ? request : 1);
  message.request = admin->request;
  memcpy(avocet_shared_ring_entry(&admin->ring, tail), &message, sizeof message);
  avocet_shared_ring_publish(&admin->ring, tail + 1);
  avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  error = wait_for_answer(device);
  if (error == 0 && admin->status != AVOCET_STATUS_OK) {
    avocet_os_log(device->os, AVOCET_LOG_ERROR, "firmware refused message %u for context %u: status %u", type, context,
                  admin->status);
    error = -EREMOTEIO;
  }
unlock:
  avocet_os_mutex_unlock(&admin->lock);
  return error;
}

void avocet_admin_answer(struct avocet_device *device, const struct avocet_completion *completion) {
  struct avocet_admin *admin = &device->admin;
  if (completion->request != avocet_os_load32(&admin->request)) return; /* its caller has given up */
  admin->status = completion->status;
  avocet_os_store32(&admin->answered, completion->request);
  avocet_os_waitq_wake(&admin->waiters);
}

void avocet_admin_cancel(struct avocet_device *device, bool cancelled) {
  avocet_os_store32(&device->admin.cancelled, cancelled);
  if (cancelled) avocet_os_waitq_wake(&device->admin.waiters);
}
