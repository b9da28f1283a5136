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
  uint64_t bound = device->parameters.admin_timeout_ms * 1000000ull, deadline = avocet_os_now_ns() + bound;
  bool doorbell_repeated = false;
  for (;;) {
    uint64_t now = avocet_os_now_ns();
    uint64_t slice = now + LOST_INTERRUPT_MS * 1000000ull;
    int error = avocet_os_waitq_wait(&admin->waiters, answered_or_cancelled, device, slice < deadline ? slice : deadline, false);
    if (avocet_os_load32(&admin->answered) == admin->request) return 0;
    if (cancelled(device)) return -ECANCELED;
    if (now >= deadline) return -ETIMEDOUT;
    if (error == -ETIMEDOUT) avocet_completion_drain(device); /* its interrupt may be lost */
    if (!doorbell_repeated && now > deadline - bound / 4 * 3) { /* or the doorbell */
      doorbell_repeated = true;
      avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
    }
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
  if (++admin->request == 0) admin->request = 1;
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
  admin->status = completion->status;
  avocet_os_store32(&admin->answered, completion->request);
  avocet_os_waitq_wake(&admin->waiters);
}

void avocet_admin_cancel(struct avocet_device *device, bool cancelled) {
  avocet_os_store32(&device->admin.cancelled, cancelled);
  if (cancelled) avocet_os_waitq_wake(&device->admin.waiters);
}
