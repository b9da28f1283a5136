/* SPDX-License-Identifier: Apache-2.0 */
/* Runtime power management: whoever talks to the firmware enters the device, which wakes it up; a device that was idle for
 * autosuspend_ms is suspended by the watchdog. Contexts, rings and page tables stay as they are meanwhile. */
#ifndef AVOCET_POWER_H
#define AVOCET_POWER_H

#include "os.h"

struct avocet_device;

/* state and counters are written under reset_lock held for writing, and atomic. */
struct avocet_power {
  uint32_t state;        /* enum avocet_accel_power */
  uint64_t idle_since_ns; /* atomic; 0 = busy */
  uint64_t suspended_since_ns;
  uint64_t suspended_ns, suspends, resumes;
};

/* The device is awake and stays as it is until exit: reset_lock is held for reading. -EIO, -ENODEV. May sleep. */
int avocet_device_enter(struct avocet_device *device);
void avocet_device_exit(struct avocet_device *device);
/* Waits for the device to become idle, for suspend_timeout_ms at most. 0 (also when it is suspended already), -EBUSY, -EIO, -ENODEV. */
int avocet_power_suspend(struct avocet_device *device);
int avocet_power_resume(struct avocet_device *device);
/* The watchdog's part. Milliseconds until it is worth looking again; 0 = not at all. */
uint32_t avocet_power_autosuspend(struct avocet_device *device);
uint64_t avocet_power_suspended_ns(struct avocet_device *device);

#endif
