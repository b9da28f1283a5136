/* SPDX-License-Identifier: Apache-2.0 */
/* Finding out that the device is stuck, and bringing it back, at the least price: a job that stands still is given more time while
 * the firmware's heartbeat moves; then it is aborted, with its context; when that does not help its core is reset; when that does
 * not help either the device is, and when it does not come back it is started from a fresh image once more, and then given up. A
 * reset of the device costs the contexts whose jobs were in hardware; jobs of others run again. Time is counted in looks of the
 * watchdog: a host that stood still itself, in a debugger or overloaded, does not take the device for hung. */
#ifndef AVOCET_RESET_H
#define AVOCET_RESET_H

#include "os.h"
/* after os.h */
#include "uapi/avocet_accel.h"

struct avocet_device;

struct avocet_recovery {
  struct avocet_mutex lock; /* one check or reset at a time; guards the members of the first part */
  uint32_t heartbeat;       /* last value, and how many looks found it there */
  uint32_t still_looks;
  bool doorbell_repeated;
  uint64_t running;         /* serial number of the oldest job in hardware; 0 = none */
  uint32_t running_looks;   /* that found it there */
  uint32_t extensions;      /* of that job */
  uint32_t moved_at;        /* heartbeat when it was last given more time */

  uint32_t wanted; /* enum avocet_accel_reset_cause: someone saw nonsense or a halted firmware; atomic */
  struct avocet_accel_reset last; /* atomic members */
};

/* Asks for a reset; safe in the interrupt handler. The watchdog does it. */
void avocet_reset_request(struct avocet_device *device, enum avocet_accel_reset_cause cause, const char *why);
/* The watchdog's part: drains completions, repeats a lost doorbell, recovers a device that is stuck. May sleep; no lock is held. */
void avocet_reset_check(struct avocet_device *device);
/* Between two looks; hang_timeout_ms has four of them at least. */
uint32_t avocet_reset_interval_ms(const struct avocet_device *device);
/* Resets now, unless that has happened since `generation`. 0, -EIO, -ENODEV. May sleep; no lock is held. */
int avocet_reset_device(struct avocet_device *device, uint32_t generation, enum avocet_accel_reset_cause cause,
                        const char *why);
uint32_t avocet_reset_generation(const struct avocet_device *device);
/* Resets of single cores since power-on, by the firmware or asked for by us. */
uint64_t avocet_reset_engines(struct avocet_device *device);
/* Keeps the cause, and tells those who asked to hear of resets. */
void avocet_reset_report(struct avocet_device *device, enum avocet_accel_reset_cause cause, int32_t fence_status);

#endif
