/* SPDX-License-Identifier: Apache-2.0 */
/* Finding out that the device is stuck, and bringing it back. A reset costs the context whose job was in hardware; jobs of
 * others that had not started run again. Bounded: a device that does not come back is given up. */
#ifndef AVOCET_RESET_H
#define AVOCET_RESET_H

#include "os.h"

struct avocet_device;

struct avocet_recovery {
  struct avocet_mutex lock; /* one check or reset at a time; guards the members below but `wanted` */
  uint32_t wanted;          /* someone saw nonsense or a halted firmware; atomic; waiters wake for it */
  uint64_t next_check_ns;   /* atomic */
  uint32_t heartbeat;       /* last value, and since when it stands still */
  uint64_t still_since_ns;
  bool doorbell_repeated;
};

/* Asks for a reset; safe in the interrupt handler. Some waiter does it; the caller wakes them when it holds no lock. */
void avocet_reset_request(struct avocet_device *device, const char *why);
/* Called by waiters: drains completions, repeats a lost doorbell, resets a device that is stuck. Cheap when called too early. May
 * sleep; no lock is held. */
void avocet_reset_check(struct avocet_device *device);
/* Resets now, unless that has happened since `generation`. 0, -EIO, -ENODEV. May sleep; no lock is held. */
int avocet_reset_device(struct avocet_device *device, uint32_t generation, const char *why);
uint32_t avocet_reset_generation(const struct avocet_device *device);

#endif
