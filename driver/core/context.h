/* SPDX-License-Identifier: Apache-2.0 */
/* A context: an address space and job queues on the device. */
#ifndef AVOCET_CONTEXT_H
#define AVOCET_CONTEXT_H

#include "os.h"
/* after os.h */
#include "mmu.h"
#include "object.h"
#include "queue.h"
#include "uapi/avocet_accel.h"

struct avocet_file;

struct avocet_context {
  struct avocet_object object;
  struct avocet_device *device;
  uint32_t id; /* the device's; 0 = none */
  struct avocet_mutex mmu_lock;
  struct avocet_mmu mmu;
  bool mmu_open;      /* guarded by mmu_lock; false once destroyed */
  uint32_t tlb_dirty; /* the device may hold translations; atomic */
  uint32_t forgotten; /* the firmware does not know it: its jobs were aborted; atomic */
  struct avocet_mutex lanes_lock; /* one opens a lane, or stops the queue */
  struct avocet_queue queue;
  struct avocet_accel_counters counters; /* atomic */
};

static inline struct avocet_context *avocet_context_of(struct avocet_object *object) {
  return (struct avocet_context *)object; /* first member */
}

int avocet_context_create(struct avocet_file *file, struct avocet_accel_context_create *arguments);
int avocet_context_destroy(struct avocet_file *file, struct avocet_accel_context_destroy *arguments);
/* Takes the context off the device and ends its jobs; after this the device cannot reach its memory. May sleep. */
void avocet_context_close(struct avocet_context *context);
/* Makes sure that the firmware knows a ring of this priority. May sleep; no lock is held. -ENOMEM, -ENOENT (the context is going), -EIO,
 * -ENODEV. */
int avocet_context_open_lane(struct avocet_context *context, uint32_t priority);
/* Tells the firmware about it; reset_lock is held. */
int avocet_context_announce(struct avocet_context *context);
/* Makes sure that the device holds no translation which the page table has no more. May sleep; resets a device that does not
 * answer. */
void avocet_context_flush(struct avocet_context *context);

#endif
