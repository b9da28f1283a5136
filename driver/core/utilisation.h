/* SPDX-License-Identifier: Apache-2.0 */
/* How busy the device is, in host time: the sum since probe, and the share of about the last second. */
#ifndef AVOCET_UTILISATION_H
#define AVOCET_UTILISATION_H

#include "os.h"

struct avocet_device;

struct avocet_utilisation {
  struct {
    uint64_t time_ns, busy_ns;
  } older, newer; /* samples; guarded by jobs_lock */
};

/* Jobs came to an idle device: an idle time long past is of no interest any more. jobs_lock is held. */
void avocet_utilisation_begin(struct avocet_device *device, uint64_t now);
uint64_t avocet_utilisation_busy_ns(struct avocet_device *device);
uint32_t avocet_utilisation_per_mille(struct avocet_device *device);

#endif
