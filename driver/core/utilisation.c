/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of busy time. Samples are taken by whoever asks, at most one a second, so that an idle device has nothing to do. */
#include "utilisation.h"

#include "device.h"

#define SAMPLE_NS 1000000000ull

/* jobs_lock is held. */
static uint64_t busy_until(const struct avocet_device *device, uint64_t now) {
  return device->busy_ns + (device->unfinished ? now - device->busy_since_ns : 0);
}

void avocet_utilisation_begin(struct avocet_device *device, uint64_t now) {
  struct avocet_utilisation *samples = &device->utilisation;
  if (now - samples->newer.time_ns <= 2 * SAMPLE_NS) return;
  samples->newer.time_ns = now;
  samples->newer.busy_ns = busy_until(device, now);
  samples->older = samples->newer;
}

uint64_t avocet_utilisation_busy_ns(struct avocet_device *device) {
  unsigned long flags = avocet_jobs_lock(device);
  uint64_t busy = busy_until(device, avocet_os_now_ns());
  avocet_jobs_unlock(device, flags);
  return busy;
}

uint32_t avocet_utilisation_per_mille(struct avocet_device *device) {
  struct avocet_utilisation *samples = &device->utilisation;
  unsigned long flags = avocet_jobs_lock(device);
  uint64_t now = avocet_os_now_ns(), busy = busy_until(device, now);
  if (samples->older.time_ns == 0) samples->older.time_ns = samples->newer.time_ns = device->probed_ns;
  if (now - samples->newer.time_ns > SAMPLE_NS) {
    samples->older = samples->newer;
    samples->newer.time_ns = now;
    samples->newer.busy_ns = busy;
  }
  /* Microseconds: 1000 times a span of years stays within 64 bits, and a kernel divides by 32. */
  uint64_t span_us = (now - samples->older.time_ns) / 1000, busy_us = (busy - samples->older.busy_ns) / 1000;
  avocet_jobs_unlock(device, flags);
  return span_us ? (uint32_t)(busy_us * 1000 / span_us) : 0;
}
