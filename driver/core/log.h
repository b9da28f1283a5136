/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's log: lines are taken from its ring, go to the driver's log, and the last of them are kept for the status tree. */
#ifndef AVOCET_LOG_H
#define AVOCET_LOG_H

#include "os.h"
#include "ring.h"

struct avocet_device;

enum { AVOCET_LOG_LINE = 192, AVOCET_LOG_LINES = 64 };

struct avocet_log {
  struct avocet_spinlock lock;
  struct avocet_shared_ring ring;
  char (*lines)[AVOCET_LOG_LINE]; /* the last ones, by number modulo LINES */
  uint64_t count;                 /* of lines so far */
};

int avocet_log_init(struct avocet_device *device);
void avocet_log_destroy(struct avocet_device *device);
void avocet_log_drain(struct avocet_device *device); /* never sleeps */
/* Line `number` into text; false when it is not kept any more, or has not been written yet. */
bool avocet_log_line(struct avocet_device *device, uint64_t number, char text[AVOCET_LOG_LINE]);

#endif
