/* SPDX-License-Identifier: Apache-2.0 */
/* Suspend and resume. */
#include "power.h"

#include "boot.h"
#include "device.h"

enum { IDLE_POLL_US = 200 };

static bool asleep(const struct avocet_device *device) {
  return avocet_os_load32(&device->power.state) == AVOCET_ACCEL_POWER_SUSPENDED;
}

int avocet_device_enter(struct avocet_device *device) {
  for (;;) {
    avocet_os_rwlock_read(&device->reset_lock);
    int error = avocet_device_usable(device);
    if (!error && !asleep(device)) return 0;
    avocet_os_rwlock_unread(&device->reset_lock);
    if (!error) error = avocet_power_resume(device);
    if (error) return error;
  }
}

void avocet_device_exit(struct avocet_device *device) { avocet_os_rwlock_unread(&device->reset_lock); }

static void set_state(struct avocet_device *device, enum avocet_accel_power state) {
  struct avocet_power *power = &device->power;
  uint64_t now = avocet_os_now_ns();
  if (state == AVOCET_ACCEL_POWER_SUSPENDED) {
    avocet_os_store64(&power->suspended_since_ns, now);
    avocet_os_add64(&power->suspends, 1);
  } else {
    avocet_os_add64(&power->suspended_ns, now - power->suspended_since_ns);
    avocet_os_add64(&power->resumes, 1);
    avocet_os_store64(&power->idle_since_ns, now);
  }
  avocet_os_store32(&power->state, state);
}

/* reset_lock is held for writing: no message is under way and nothing can be submitted. */
static int suspend_locked(struct avocet_device *device) {
  int error = avocet_device_usable(device);
  if (error || asleep(device)) return error;
  if (avocet_os_load32(&device->unfinished) != 0) return -EBUSY;
  error = avocet_admin_call(device, AVOCET_MESSAGE_TYPE_SUSPEND, 0, 1, 0);
  if (!error) error = avocet_boot_wait_state(device, AVOCET_FIRMWARE_STATE_SUSPENDED);
  if (error == -ENODEV) return error;
  if (error) return -EBUSY; /* awake it goes on as before; when it is stuck the next job finds out */
  set_state(device, AVOCET_ACCEL_POWER_SUSPENDED);
  return 0;
}

static int try_suspend(struct avocet_device *device) {
  avocet_os_rwlock_write(&device->reset_lock);
  int error = suspend_locked(device);
  avocet_os_rwlock_unwrite(&device->reset_lock);
  return error;
}

int avocet_power_suspend(struct avocet_device *device) {
  uint64_t deadline = avocet_os_now_ns() + device->parameters.suspend_timeout_ms * 1000000ull;
  for (;;) {
    int error = avocet_os_load32(&device->unfinished) ? -EBUSY : try_suspend(device);
    if (error != -EBUSY || avocet_os_now_ns() >= deadline) return error;
    avocet_os_sleep_us(IDLE_POLL_US);
  }
}

/* reset_lock is held for writing. */
static int resume_locked(struct avocet_device *device) {
  int error = avocet_device_usable(device);
  if (error || !asleep(device)) return error;
  set_state(device, AVOCET_ACCEL_POWER_ACTIVE);
  if (device->parameters.autosuspend_ms) avocet_os_work_after(&device->watchdog, device->parameters.autosuspend_ms);
  avocet_os_wr32(device->os, AVOCET_REG_DOORBELL, 1);
  return avocet_boot_wait_state(device, AVOCET_FIRMWARE_STATE_READY);
}

int avocet_power_resume(struct avocet_device *device) {
  uint32_t generation = avocet_reset_generation(device);
  avocet_os_rwlock_write(&device->reset_lock);
  int error = resume_locked(device);
  avocet_os_rwlock_unwrite(&device->reset_lock);
  if (!error || error == -ENODEV || error == -EIO) return error;
  /* It does not wake up with what it had: once more from the beginning. */
  return avocet_reset_device(device, generation, AVOCET_ACCEL_RESET_RESUME, "the firmware does not resume");
}

uint32_t avocet_power_autosuspend(struct avocet_device *device) {
  uint32_t delay = device->parameters.autosuspend_ms;
  if (delay == 0 || asleep(device) || avocet_device_usable(device) != 0) return 0;
  uint64_t since = avocet_os_load64(&device->power.idle_since_ns), now = avocet_os_now_ns();
  if (since == 0) return delay;
  uint64_t idle_ms = (now - since) / 1000000;
  if (now > since && idle_ms >= delay) return try_suspend(device) == -EBUSY ? delay : 0;
  return delay - (uint32_t)(now > since ? idle_ms : 0);
}

uint64_t avocet_power_suspended_ns(struct avocet_device *device) {
  uint64_t sum = avocet_os_load64(&device->power.suspended_ns);
  return asleep(device) ? sum + avocet_os_now_ns() - avocet_os_load64(&device->power.suspended_since_ns) : sum;
}
