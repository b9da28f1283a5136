/* SPDX-License-Identifier: Apache-2.0 */
/* One device: what probe learns, boots and takes down. Lock order: recovery.lock, reset_lock, contexts_lock, admin.lock,
 * completions.lock, a queue's lock, graveyard.lock, a wait queue. A file's lock and a context's mmu_lock are leaves: nothing of
 * the above is taken under them. */
#ifndef AVOCET_DEVICE_CORE_H
#define AVOCET_DEVICE_CORE_H

#include "os.h"
/* after os.h */
#include "admin.h"
#include "avocet_stream.h"
#include "completion.h"
#include "object.h"
#include "reset.h"
#include "uapi/avocet_accel.h"

struct avocet_context;

/* Bounds in host time. */
struct avocet_parameters {
  uint32_t boot_timeout_ms;
  uint32_t admin_timeout_ms;
  uint32_t check_interval_ms; /* a waiter looks for lost interrupts and a dead device this often */
  uint32_t hang_timeout_ms;   /* unfinished jobs and no heartbeat for so long: reset */
  uint32_t resubmits_max;     /* resets that a job which had not started survives */
};
extern const struct avocet_parameters avocet_default_parameters;

enum avocet_device_state {
  AVOCET_DEVICE_RUNNING = 0,
  AVOCET_DEVICE_WEDGED = 1, /* a reset did not bring it back: EIO */
  AVOCET_DEVICE_GONE = 2,   /* unplugged: ENODEV */
};

struct avocet_device {
  struct avocet_refs refs;
  struct avocet_os_device *os;
  struct avocet_parameters parameters;
  struct avocet_accel_info info; /* constant after probe but firmware_version and generation */
  struct avocet_limits limits;
  uint32_t state; /* enum avocet_device_state; atomic */

  struct avocet_rwlock reset_lock; /* held for reading by everything that talks to the firmware */
  struct avocet_memory image, boot;
  struct avocet_spinlock log_lock;
  struct avocet_shared_ring log;
  struct avocet_admin admin;
  struct avocet_completions completions;
  struct avocet_recovery recovery;
  struct avocet_graveyard graveyard;

  struct avocet_mutex contexts_lock;
  struct avocet_context *contexts[AVOCET_CONTEXTS_MAX]; /* by the device's context id; changed under both contexts_lock and
                                                           completions.lock, so either is enough for reading */
  uint64_t contexts_created;

  struct avocet_accel_counters counters; /* atomic */
};

/* Takes the device up to a running firmware. -ENODEV: no Avocet there; -EPROTO: another contract MAJOR, or a nonsense device;
 * -ETIMEDOUT, -EIO: the firmware did not come up. parameters may be NULL. */
int avocet_device_probe(struct avocet_os_device *os, const struct avocet_parameters *parameters,
                        struct avocet_device **device);
/* The device is gone or going: every unfinished job ends, every later request gives ENODEV. Open files stay valid; the last of them
 * frees the device, so `os` must outlive it. */
void avocet_device_remove(struct avocet_device *device);
void avocet_device_get(struct avocet_device *device);
void avocet_device_put(struct avocet_device *device);
/* The interrupt handler. Never sleeps. */
void avocet_device_interrupt(struct avocet_device *device);

/* 0, -EIO or -ENODEV. */
int avocet_device_usable(const struct avocet_device *device);
/* The device is gone: ends every job. May sleep; reset_lock is not held. */
void avocet_device_lost(struct avocet_device *device);
void avocet_device_wake_waiters(struct avocet_device *device);

#endif
