/* SPDX-License-Identifier: Apache-2.0 */
/* Hang detection and recovery. */
#include "reset.h"

#include "boot.h"
#include "context.h"
#include "device.h"

uint32_t avocet_reset_generation(const struct avocet_device *device) {
  return avocet_os_load32(&device->info.generation);
}

uint64_t avocet_reset_engines(struct avocet_device *device) {
  uint64_t *known = &device->recovery.last.engine_resets, sum = 0;
  if (!avocet_boot_resets_engines(device)) return 0;
  for (uint32_t core = 0; core < device->info.cores && core < AVOCET_CORES_MAX; core++) {
    uint32_t count = avocet_os_rd32(device->os, AVOCET_REG_NPU_RESETS + core * AVOCET_NPU_STRIDE);
    if (count == UINT32_MAX) return avocet_os_load64(known); /* it is gone */
    sum += count;
  }
  avocet_os_store64(known, sum);
  return sum;
}

void avocet_reset_request(struct avocet_device *device, enum avocet_accel_reset_cause cause, const char *why) {
  /* Jobs of a device that is gone were ended; completions that still come for them mean nothing. */
  if (avocet_os_load32(&device->state) == AVOCET_DEVICE_GONE) return;
  if (avocet_os_load32(&device->recovery.wanted)) return;
  avocet_os_store32(&device->recovery.wanted, cause);
  avocet_os_log(device->os, AVOCET_LOG_ERROR, "device needs a reset: %s", why);
  avocet_os_waitq_wake(&device->admin.waiters);
  avocet_os_work_after(&device->watchdog, 0);
}

void avocet_reset_report(struct avocet_device *device, enum avocet_accel_reset_cause cause, int32_t fence_status) {
  struct avocet_accel_reset *last = &device->recovery.last;
  avocet_os_store32(&last->generation, avocet_reset_generation(device));
  avocet_os_store32(&last->cause, cause);
  avocet_os_store64(&last->time_ns, avocet_os_now_ns());
  avocet_fence_reset_happened(device, fence_status);
}

/* ---- the reset ---- */

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
    if (!device->contexts[id]) continue;
    uint32_t lost = avocet_queue_end_started(device->contexts[id], running, AVOCET_CORES_MAX);
    avocet_os_add64(&device->recovery.last.jobs_lost, lost);
  }
}

/* Every context that is still there gets its place in the new firmware, with the jobs that had not started. None of them starts
 * before all contexts are known: one that kills the firmware must not cost the others theirs. */
static void restore_contexts(struct avocet_device *device) {
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    struct avocet_context *context = device->contexts[id];
    uint32_t jobs;
    if (!context) continue;
    if (!avocet_queue_rewind(context, device->parameters.resubmits_max, &jobs)) {
      avocet_os_add64(&device->recovery.last.jobs_lost, jobs);
      avocet_queue_abort(context, false);
      (void)avocet_queue_rewind(context, 0, &jobs); /* empty now */
    }
    if (avocet_queue_stopped(context)) continue; /* about to go */
    if (avocet_context_announce(context) != 0) avocet_queue_abort(context, true);
    avocet_os_add64(&device->recovery.last.jobs_resubmitted, jobs);
  }
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_queue_show(device->contexts[id]);
  }
}

static void give_up(struct avocet_device *device, int error) {
  avocet_os_store32(&device->state, error == -ENODEV ? AVOCET_DEVICE_GONE : AVOCET_DEVICE_WEDGED);
  avocet_os_log(device->os, AVOCET_LOG_ERROR, "the device does not come back from a reset: error %d", -error);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX; id++) {
    if (device->contexts[id]) avocet_queue_abort(device->contexts[id], false);
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
  if (error && error != -ENODEV) error = avocet_boot_again(device);
  avocet_os_store32(&device->power.state, AVOCET_ACCEL_POWER_ACTIVE);
  if (!error)
    restore_contexts(device);
  else
    give_up(device, error);
  avocet_os_mutex_unlock(&device->contexts_lock);
  if (!error) avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  return error ? avocet_device_usable(device) : 0;
}

static void report(struct avocet_device *device, enum avocet_accel_reset_cause cause, int error) {
  if (!error) return avocet_reset_report(device, cause, 1);
  avocet_reset_report(device, error == -ENODEV ? AVOCET_ACCEL_RESET_REMOVED : AVOCET_ACCEL_RESET_FAILED, error);
}

static void forget_looks(struct avocet_recovery *recovery) {
  recovery->still_looks = recovery->running_looks = 0;
  recovery->doorbell_repeated = false;
  recovery->running = 0;
}

/* recovery.lock is held. */
static int reset_device(struct avocet_device *device, uint32_t generation, enum avocet_accel_reset_cause cause,
                        const char *why) {
  int error = avocet_device_usable(device);
  if (error || avocet_reset_generation(device) != generation) return error;
  avocet_os_log(device->os, AVOCET_LOG_WARNING, "resetting the device: %s", why);
  avocet_admin_cancel(device, true);
  avocet_os_rwlock_write(&device->reset_lock);
  error = reset_locked(device);
  avocet_admin_cancel(device, false);
  forget_looks(&device->recovery);
  report(device, cause, error); /* before anybody can find the device working again */
  avocet_os_rwlock_unwrite(&device->reset_lock);
  return error;
}

int avocet_reset_device(struct avocet_device *device, uint32_t generation, enum avocet_accel_reset_cause cause,
                        const char *why) {
  avocet_os_mutex_lock(&device->recovery.lock);
  int error = reset_device(device, generation, cause, why);
  avocet_os_mutex_unlock(&device->recovery.lock);
  return error;
}

/* ---- one job ---- */

/* A job in hardware. */
struct suspect {
  uint64_t serial, id;
  uint32_t core; /* NO_CORE: none says that it runs it */
};
enum { NO_CORE = AVOCET_CORES_MAX };

/* Of the jobs that cores run the oldest; when no core says that it runs one, the oldest that the firmware has taken. contexts_lock is
 * held. */
static struct avocet_context *oldest_running(struct avocet_device *device, struct suspect *oldest) {
  struct avocet_running_job running[AVOCET_CORES_MAX];
  struct avocet_context *found = NULL;
  read_running_jobs(device, running);
  *oldest = (struct suspect){.serial = UINT64_MAX, .core = NO_CORE};
  for (uint32_t core = 0; core < AVOCET_CORES_MAX; core++) {
    uint32_t id = running[core].context;
    struct avocet_context *context = id < AVOCET_CONTEXTS_MAX ? device->contexts[id] : NULL;
    uint64_t job_id = 0, job = context ? avocet_queue_running(context, &running[core], &job_id) : 0;
    if (job == 0 || job >= oldest->serial) continue;
    *oldest = (struct suspect){.serial = job, .id = job_id, .core = core};
    found = context;
  }
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX && running[0].context == 0; id++) {
    struct avocet_context *context = device->contexts[id];
    uint64_t job = context ? avocet_queue_in_hardware(context) : 0;
    if (job == 0 || job >= oldest->serial) continue;
    oldest->serial = job;
    found = context;
  }
  return found;
}

/* Its context, with a reference; NULL when no job is in hardware. */
static struct avocet_context *find_running(struct avocet_device *device, struct suspect *oldest) {
  avocet_os_mutex_lock(&device->contexts_lock);
  struct avocet_context *found = oldest_running(device, oldest);
  if (found) avocet_object_get(&found->object);
  avocet_os_mutex_unlock(&device->contexts_lock);
  return found;
}

/* The firmware ends the context's jobs and forgets it. 0, or no answer. reset_lock is held for reading. */
static int destroy_context(struct avocet_device *device, const struct avocet_context *context) {
  int error = avocet_device_usable(device);
  if (!error) error = avocet_admin_call(device, AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT, context->id, 0, 0);
  return error == -EREMOTEIO ? 0 : error; /* it does not know it, which is as good */
}

/* The core under the job begins anew, which is what DESTROY_CONTEXT waited for. reset_lock is held for reading. */
static int reset_engine(struct avocet_device *device, const struct avocet_context *context, const struct suspect *job) {
  if (job->core == NO_CORE || !avocet_boot_resets_engines(device)) return -EOPNOTSUPP;
  avocet_os_log(device->os, AVOCET_LOG_WARNING, "context %u: its job cannot be aborted: resetting core %u", context->id, job->core);
  int error = avocet_admin_call(device, AVOCET_MESSAGE_TYPE_RESET_ENGINE, 0, job->core, job->id);
  /* What waited has been answered when this is. */
  return error ? error : avocet_admin_call(device, AVOCET_MESSAGE_TYPE_PING, 0, 0, 0);
}

/* Step by step: the job, its core, the device. The context takes no more. */
static void abort_job(struct avocet_device *device, struct avocet_context *context, const struct suspect *job) {
  uint32_t generation = avocet_reset_generation(device);
  avocet_os_log(device->os, AVOCET_LOG_WARNING, "context %u: its job does not end and is aborted", context->id);
  avocet_queue_condemn(context, job->serial);
  avocet_os_rwlock_read(&device->reset_lock); /* it has jobs, so it is not suspended */
  int error = destroy_context(device, context);
  if (!error)
    avocet_os_add64(&device->recovery.last.aborts, 1);
  else if (error == -ETIMEDOUT)
    error = reset_engine(device, context, job);
  avocet_os_rwlock_unread(&device->reset_lock);
  if (!error) {
    avocet_os_store32(&context->forgotten, 1);
    avocet_queue_abort(context, true); /* what the firmware did not know of */
    return;
  }
  (void)reset_device(device, generation, AVOCET_ACCEL_RESET_HANG, "a hung job cannot be aborted"); /* shows in the jobs' status */
}

/* ---- rings that make no sense ---- */

/* One of which the firmware, or a completion, told; with a reference. */
static struct avocet_context *find_rejected(struct avocet_device *device) {
  struct avocet_context *found = NULL;
  avocet_os_mutex_lock(&device->contexts_lock);
  for (uint32_t id = 1; id < AVOCET_CONTEXTS_MAX && !found; id++) {
    if (device->contexts[id] && avocet_queue_rejected(&device->contexts[id]->queue)) found = device->contexts[id];
  }
  if (found) avocet_object_get(&found->object);
  avocet_os_mutex_unlock(&device->contexts_lock);
  return found;
}

/* Its jobs end, one of them with the reason, and nobody else's. */
static void end_rejected(struct avocet_device *device, struct avocet_context *context) {
  uint32_t generation = avocet_reset_generation(device);
  avocet_os_log(device->os, AVOCET_LOG_ERROR, "context %u: a job ring makes no sense: status %u", context->id,
                avocet_os_load32(&context->queue.bad_ring));
  avocet_os_rwlock_read(&device->reset_lock);
  int error = avocet_os_load32(&context->forgotten) ? 0 : destroy_context(device, context);
  avocet_os_rwlock_unread(&device->reset_lock);
  if (error) {
    (void)reset_device(device, generation, AVOCET_ACCEL_RESET_PROTOCOL, "a context with a bad ring cannot be ended");
    return;
  }
  avocet_os_store32(&context->forgotten, 1);
  avocet_os_store32(&context->queue.bad_ring, 0);
  avocet_queue_abort(context, true);
}

uint32_t avocet_reset_interval_ms(const struct avocet_device *device) {
  uint32_t quarter = device->parameters.hang_timeout_ms / 4, interval = device->parameters.check_interval_ms;
  if (quarter < interval) interval = quarter;
  return interval ? interval : 1;
}

/* hang_timeout in looks. */
static uint32_t looks_max(const struct avocet_device *device) {
  return device->parameters.hang_timeout_ms / avocet_reset_interval_ms(device) + 1;
}

/* A job whose time is over gets more while the heartbeat moves, so many times; false = no more. */
static bool extend(struct avocet_device *device, uint32_t heartbeat) {
  struct avocet_recovery *recovery = &device->recovery;
  if (heartbeat == recovery->moved_at || recovery->extensions >= device->parameters.extensions_max) return false;
  recovery->moved_at = heartbeat;
  recovery->extensions++;
  recovery->running_looks = 0;
  avocet_os_add64(&recovery->last.extensions, 1);
  return true;
}

static void watch_running_job(struct avocet_device *device, uint32_t heartbeat) {
  struct avocet_recovery *recovery = &device->recovery;
  struct suspect job;
  struct avocet_context *context = find_running(device, &job);
  if (!context) {
    recovery->running = 0;
    return;
  }
  if (job.serial != recovery->running) {
    recovery->running = job.serial;
    recovery->running_looks = 0;
    recovery->extensions = 0;
    recovery->moved_at = heartbeat;
  } else if (++recovery->running_looks >= looks_max(device) && !extend(device, heartbeat)) {
    abort_job(device, context, &job);
    recovery->running = 0;
  }
  avocet_object_put(&context->object);
}

/* ---- the watchdog's look at the device ---- */

/* Unfinished jobs, none of them in hardware, and no heartbeat: a lost doorbell, or a dead firmware. */
static void watch_firmware(struct avocet_device *device, uint32_t heartbeat) {
  struct avocet_recovery *recovery = &device->recovery;
  uint32_t bound = looks_max(device);
  if (heartbeat != recovery->heartbeat || recovery->running != 0) {
    recovery->heartbeat = heartbeat;
    recovery->still_looks = 0;
    recovery->doorbell_repeated = false;
  } else if (++recovery->still_looks >= bound) {
    (void)reset_device(device, avocet_reset_generation(device), AVOCET_ACCEL_RESET_HANG, "jobs make no progress");
  } else if (recovery->still_looks >= (bound + 3) / 4 && !recovery->doorbell_repeated) {
    recovery->doorbell_repeated = true; /* the first one may be lost */
    avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  }
}

static void look(struct avocet_device *device) {
  struct avocet_recovery *recovery = &device->recovery;
  uint32_t wanted = avocet_os_load32(&recovery->wanted);
  if (wanted) {
    (void)reset_device(device, avocet_reset_generation(device), (enum avocet_accel_reset_cause)wanted, "requested");
    return;
  }
  uint32_t heartbeat = avocet_os_rd32(device->os, AVOCET_REG_FW_HEARTBEAT);
  if (heartbeat == UINT32_MAX && avocet_os_rd32(device->os, AVOCET_REG_ID) == UINT32_MAX) {
    avocet_device_lost(device);
    return;
  }
  if (avocet_os_rd32(device->os, AVOCET_REG_FW_STATE) == AVOCET_FIRMWARE_STATE_HALTED) { /* its interrupt was lost */
    (void)reset_device(device, avocet_reset_generation(device), AVOCET_ACCEL_RESET_FIRMWARE, "the firmware halted");
    return;
  }
  struct avocet_context *rejected = find_rejected(device);
  if (rejected) {
    end_rejected(device, rejected);
    avocet_object_put(&rejected->object);
    avocet_os_work_after(&device->watchdog, 0); /* there may be another one */
    return;
  }
  if (avocet_os_load32(&device->unfinished) == 0) {
    recovery->heartbeat = heartbeat;
    forget_looks(recovery); /* its time begins anew with the next job */
    return;
  }
  watch_running_job(device, heartbeat);
  watch_firmware(device, heartbeat);
}

void avocet_reset_check(struct avocet_device *device) {
  if (avocet_device_usable(device) != 0) return;
  avocet_os_mutex_lock(&device->recovery.lock);
  (void)avocet_device_poll(device); /* whether it is there is seen below */
  if (avocet_device_usable(device) == 0) look(device);
  avocet_os_mutex_unlock(&device->recovery.lock);
}
