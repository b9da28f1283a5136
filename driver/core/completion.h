/* SPDX-License-Identifier: Apache-2.0 */
/* The completion ring: taken empty by the interrupt handler, and by waiters who suspect a lost interrupt. */
#ifndef AVOCET_COMPLETION_H
#define AVOCET_COMPLETION_H

#include "os.h"
#include "ring.h"

struct avocet_device;

struct avocet_completions {
  struct avocet_spinlock lock;
  struct avocet_shared_ring ring;
  uint32_t head; /* ours; the copy in the ring is for the firmware */
};

int avocet_completion_init(struct avocet_device *device);
void avocet_completion_destroy(struct avocet_device *device);
/* Empty, for a firmware that is not running. */
void avocet_completion_reset(struct avocet_device *device);
/* Hands every completion to its job or message, until the ring is empty. Never sleeps. */
void avocet_completion_drain(struct avocet_device *device);

#endif
