/* SPDX-License-Identifier: Apache-2.0 */
/* Hang detection and device reset. */
#include "reset.h"

#include "boot.h"
#include "context.h"
#include "device.h"

uint32_t avocet_reset_generation(const struct avocet_device *device) {
  return avocet_os_load32(&device->info.generation);
}

void avocet_reset_request(struct avocet_device *device, const char *why) {
  if (avocet_os_load32(&device->recovery.wanted)) return;
  avocet_os_store32(&device->recovery.wanted, 1);
  avocet_os_log(device->os, AVOCET_LOG_ERROR, "device needs a reset: %s", why);
}

/* What the cores run; before the device is stopped. */
static void read_running_jobs(struct avocet_device *device, struct avocet_running_job *running) {
  for (uint32_t core = 0; core < AVOCET_CORES_MAX; core++) {
    uint32_t base = core * AVOCET_NPU_STRIDE;
    running[core] = (struct avocet_running_job){0};
    if (avocet_os_rd32(device->os, AVOCET_REG_NPU_STATE + base) != 1) continue;
    running[core].context = avocet_os_rd32(device->os, AVOCET_REG_NPU_CONTEXT + base);
    running[core].descriptor = avocet_os_rd32(device->os, AVOCET_REG_NPU_JOB_LO + base) |
                               (uint64_t)avocet_os_rd32(device->os, AVOCET_REG_NPU_JOB_HI + base) << 32;
  }
}

/* A job that the firmware has taken from its ring and not completed is in hardware, or preempted. */
static void end_started_jobs(struct avocet_device *device, const struct avocet_running_job *running) {
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_queue_end_started(device->contexts[id], running, AVOCET_CORES_MAX);
  }
}

/* Every context that is still there gets its place in the new firmware, with the jobs that had not started. */
static void restore_contexts(struct avocet_device *device) {
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    struct avocet_context *context = device->contexts[id];
    if (!context) continue;
    if (!avocet_queue_rewind(context, device->parameters.resubmits_max)) {
      avocet_queue_fail(context, AVOCET_STATUS_ABORTED);
      (void)avocet_queue_rewind(context, 0); /* empty now */
    }
    if (avocet_queue_stopped(context)) continue; /* about to go */
    if (avocet_context_announce(context) != 0) avocet_queue_fail(context, AVOCET_STATUS_HANG);
  }
}

static void give_up(struct avocet_device *device, int error) {
  avocet_os_store32(&device->state, error == -ENODEV ? AVOCET_DEVICE_GONE : AVOCET_DEVICE_WEDGED);
  avocet_os_log(device->os, AVOCET_LOG_ERROR, "the device does not come back from a reset: error %d", -error);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_queue_fail(device->contexts[id], AVOCET_STATUS_ABORTED);
  }
}

/* reset_lock is held for writing: nobody talks to the firmware or submits. */
static int reset_locked(struct avocet_device *device) {
  struct avocet_running_job running[AVOCET_CORES_MAX];
  int error = avocet_device_usable(device);
  if (error) return error;
  read_running_jobs(device, running);
  error = avocet_boot_stop(device);
  avocet_completion_drain(device); /* what was complete before stays complete */
  avocet_os_mutex_lock(&device->contexts_lock);
  end_started_jobs(device, running);
  avocet_os_add32(&device->info.generation, 1);
  avocet_os_add64(&device->counters.resets, 1);
  avocet_admin_cancel(device, false);
  avocet_os_store32(&device->recovery.wanted, 0);
  if (!error) error = avocet_boot_start(device);
  if (!error)
    restore_contexts(device);
  else
    give_up(device, error);
  avocet_os_mutex_unlock(&device->contexts_lock);
  if (!error) avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  return error ? avocet_device_usable(device) : 0;
}

static int reset_device(struct avocet_device *device, uint32_t generation, const char *why) {
  int error;
  if (avocet_reset_generation(device) != generation) return avocet_device_usable(device);
  avocet_os_log(device->os, AVOCET_LOG_WARNING, "resetting the device: %s", why);
  avocet_admin_cancel(device, true);
  avocet_os_rwlock_write(&device->reset_lock);
  error = reset_locked(device);
  avocet_admin_cancel(device, false);
  avocet_os_rwlock_unwrite(&device->reset_lock);
  device->recovery.still_since_ns = avocet_os_now_ns();
  device->recovery.doorbell_repeated = false;
  avocet_device_wake_waiters(device);
  return error;
}

int avocet_reset_device(struct avocet_device *device, uint32_t generation, const char *why) {
  avocet_os_mutex_lock(&device->recovery.lock);
  int error = reset_device(device, generation, why);
  avocet_os_mutex_unlock(&device->recovery.lock);
  return error;
}

static bool anything_unfinished(struct avocet_device *device) {
  bool unfinished = false;
  avocet_os_mutex_lock(&device->contexts_lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX && !unfinished; id++)
    unfinished = device->contexts[id] && avocet_queue_unfinished(device->contexts[id]) > 0;
  avocet_os_mutex_unlock(&device->contexts_lock);
  return unfinished;
}

/* Why the device must be reset, or NULL. */
static const char *diagnose(struct avocet_device *device) {
  struct avocet_recovery *recovery = &device->recovery;
  uint64_t now = avocet_os_now_ns(), bound = device->parameters.hang_timeout_ms * 1000000ull;
  if (avocet_os_load32(&recovery->wanted)) return "requested";
  uint32_t heartbeat = avocet_os_rd32(device->os, AVOCET_REG_FW_HEARTBEAT);
  if (heartbeat == UINT32_MAX && avocet_os_rd32(device->os, AVOCET_REG_ID) == UINT32_MAX) {
    avocet_device_lost(device);
    return NULL;
  }
  if (heartbeat != recovery->heartbeat || !anything_unfinished(device)) {
    recovery->heartbeat = heartbeat;
    recovery->still_since_ns = now;
    recovery->doorbell_repeated = false;
    return NULL;
  }
  if (now - recovery->still_since_ns > bound) return "jobs make no progress";
  if (now - recovery->still_since_ns > bound / 4 && !recovery->doorbell_repeated) {
    recovery->doorbell_repeated = true; /* the first one may be lost */
    avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  }
  return NULL;
}

void avocet_reset_check(struct avocet_device *device) {
  struct avocet_recovery *recovery = &device->recovery;
  uint64_t now = avocet_os_now_ns();
  if (!avocet_os_load32(&recovery->wanted) && now < avocet_os_load64(&recovery->next_check_ns)) return;
  if (avocet_device_usable(device) != 0) return;
  if (!avocet_os_mutex_trylock(&recovery->lock)) { /* someone is at it: the caller has a timeout of its own */
    avocet_os_sleep_us(1000);
    return;
  }
  avocet_os_store64(&recovery->next_check_ns, now + device->parameters.check_interval_ms * 1000000ull);
  uint32_t generation = avocet_reset_generation(device);
  avocet_completion_drain(device);
  const char *why = avocet_device_usable(device) == 0 ? diagnose(device) : NULL;
  if (why) (void)reset_device(device, generation, why); /* its failure shows in the jobs' status */
  avocet_os_mutex_unlock(&recovery->lock);
}
