/* SPDX-License-Identifier: Apache-2.0 */
/* One device: what probe learns, boots and takes down. Lock order: a context's lanes_lock, recovery.lock, reset_lock,
 * contexts_lock, admin.lock, completions.lock, jobs_lock, graveyard.lock, a wait queue. files_lock comes before a file's lock; a
 * file's lock and a context's mmu_lock are leaves: nothing of the above is taken under them. */
#ifndef AVOCET_DEVICE_CORE_H
#define AVOCET_DEVICE_CORE_H

#include "os.h"
/* after os.h */
#include "admin.h"
#include "avocet_stream.h"
#include "completion.h"
#include "log.h"
#include "object.h"
#include "power.h"
#include "reset.h"
#include "uapi/avocet_accel.h"
#include "utilisation.h"

struct avocet_context;
struct avocet_file;
struct avocet_lane;
struct avocet_reset_fence;

/* Bounds in host time. */
struct avocet_parameters {
  uint32_t boot_timeout_ms;
  uint32_t admin_timeout_ms;
  uint32_t check_interval_ms; /* the watchdog looks for lost interrupts and a dead device this often, or four times in the next */
  uint32_t hang_timeout_ms;   /* a job in hardware for so long: more time, or its end */
  uint32_t resubmits_max;     /* resets that a job which had not started survives */
  uint32_t extensions_max;    /* times that a job gets another hang_timeout_ms because the heartbeat moved */
  uint32_t autosuspend_ms;    /* idle for so long: suspend; 0 = never */
  uint32_t suspend_timeout_ms;
  uint32_t null_hardware;     /* test mode: jobs complete at once, the device never hears of them */
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
  uint32_t image_kind; /* of the firmware image */
  struct avocet_memory save; /* for preempted jobs; no bytes = no preemption */
  struct avocet_log log;
  struct avocet_admin admin;
  struct avocet_completions completions;
  struct avocet_recovery recovery;
  struct avocet_graveyard graveyard;
  struct avocet_power power;
  struct avocet_work watchdog; /* runs while there are jobs, descriptors, or a suspend to come */

  struct avocet_spinlock jobs_lock; /* every job, lane, fence, and what uses which memory; see avocet_jobs_lock */
  struct avocet_lane *lanes_to_advance;
  struct avocet_reset_fence *reset_fences;
  uint64_t jobs_serial; /* of the last job; atomic as well */
  uint32_t unfinished;  /* jobs; atomic as well */
  uint64_t busy_since_ns, busy_ns;

  struct avocet_mutex files_lock;
  struct avocet_file *files;
  uint64_t files_opened;
  uint64_t probed_ns;
  uint64_t memory_peak; /* atomic */
  struct avocet_utilisation utilisation;

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
/* jobs_lock. Letting it go puts jobs into their rings that can go on because of what happened, and rings the doorbell for them. */
unsigned long avocet_jobs_lock(struct avocet_device *device);
void avocet_jobs_unlock(struct avocet_device *device, unsigned long flags);
/* So many unfinished jobs more or less. jobs_lock is held. */
void avocet_device_busy(struct avocet_device *device, int32_t change);
uint64_t avocet_device_cycles(struct avocet_device *device);
/* Levels that the firmware tells apart. */
uint32_t avocet_device_priorities(const struct avocet_device *device);
bool avocet_device_has_gangs(const struct avocet_device *device); /* jobs on several cores at once */

/* The interrupt handler. Never sleeps. */
void avocet_device_interrupt(struct avocet_device *device);
/* What an interrupt that got lost would have done: its bit must not stay up, or no other one comes. False: nobody is there. */
bool avocet_device_poll(struct avocet_device *device);

/* 0, -EIO or -ENODEV. */
int avocet_device_usable(const struct avocet_device *device);
/* The device is gone: ends every job. May sleep; reset_lock is not held. */
void avocet_device_lost(struct avocet_device *device);

#endif
